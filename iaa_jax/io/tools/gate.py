"""Reads XML of GATE: a document, with a set of annotations for each annotator.

Sets named "key", "gold" and the like belong to curators. The default set, without a name, is read
only if the file name contains an annotator, and no annotator has a set. Annotation types are
labels. The values of their features are labels in separate layers (questions).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_utf16
from iaa_jax.io.export.answers import Span, span_of
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.xml import root_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOT = re.compile(r"\s*<(.*<)?GateDocument[\s>]", re.DOTALL)
_NOBODY = ("Original markups",)
_KEYS = ("key", "gold", "consensus", "curator")
_PLACE = re.compile(r"\d{1,15}")
_LOOKED_AT = 1 << 12  # number of bytes from which the format is recognised


class _GateDocument(NamedTuple):
    source: Source
    text: str
    sets: list[tuple[str, list[Element]]]
    nobodys: int


class Gate:
    """Reads GATE's XML."""

    name = "gate"
    title = "GATE"
    summary = "GATE: XML with a set of annotations for each annotator, a file for each document"
    known_by = "XML whose root is `GateDocument`"
    example = "spans corpus/"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the GATE documents."""
        return [source for source in sources if _is_gate(source)]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the types of annotations, and the features of each type."""
        export.note_format("XML, positions in UTF-16 units")
        export.named_by.is_by_file = True
        export.named_by.annotators = "AnnotationSet"
        documents = parsed(
            sources, lambda source: _document(source, export), export.options.progress
        )
        nobodys = sum(document.nobodys for document in documents)
        if nobodys:
            export.remarks.notes.append(Note("skipped_default_set", {"count": nobodys}))
        layers = {
            (annotation.get("Type", ""), feature): None
            for document in documents
            for _, marked in document.sets
            for annotation in marked
            for feature, _ in _features(annotation)
        }
        for document, item in zip(documents, _names(documents), strict=True):
            export.begin_file(document.source)
            places = [0]
            for name, marked in document.sets:
                where = f"{document.source}, set {brief(name)}"
                spans = [(_span(annotation, where), annotation) for annotation in marked]
                places += [span.end for span, _ in spans]
                fields = fields_of(document.source, item, name)
                question = export.question("annotations", "spans")
                export.add(question, item, name, (span for span, _ in spans), fields=fields)
                for layer, feature in layers:
                    question = export.question(f"{layer}.{feature}", "spans")
                    question.feature_of = "annotations"
                    valued = (
                        span._replace(label=value)
                        for span, annotation in spans
                        if span.label == layer
                        for of, value in _features(annotation)
                        if of == feature
                    )
                    export.add(question, item, name, valued, fields=fields)
            # positions count UTF-16 units, as Java does
            length = len(document.text.encode("utf-16-le", "surrogatepass")) // 2
            export.lengths[item] = max(length, *places, export.lengths.get(item, 0))
            export.add_text(item, text_from_utf16(document.text))


TOOL = Gate()


def _is_gate(source: Source) -> bool:
    data = source.start(_LOOKED_AT).replace(b"\0", b"")  # UTF-16 has zero bytes between letters
    return _ROOT.match(data.decode("ascii", "ignore")) is not None


def _document(source: Source, export: Export) -> _GateDocument:
    root = root_of(source, "GATE")
    text = root.find("TextWithNodes")
    sets: list[tuple[str, list[Element]]] = []
    nobody: list[Element] = []
    for annotation_set in root.iter("AnnotationSet"):
        name, marked = annotation_set.get("Name", "").strip(), annotation_set.findall("Annotation")
        if not name:
            nobody += marked
        elif name not in _NOBODY and (name.lower() not in _KEYS or export.remarks.wants("curator")):
            sets.append((name, marked))
    if source.annotator is not None and not sets:
        sets.append((source.annotator, nobody))
        nobody = []
    written = "" if text is None else "".join(text.itertext())
    return _GateDocument(source, written, sets, len(nobody))


def _names(documents: Sequence[_GateDocument]) -> list[str]:
    """Name the documents by their files, and by folders if texts differ."""
    texts: dict[str, set[str]] = {}
    for document in documents:
        texts.setdefault(document.source.stem.strip(), set()).add(document.text)
    of_files = by_folder([document.source for document in documents])
    names = []
    for document, (folder, name) in zip(documents, of_files, strict=True):
        stem = document.source.stem.strip()
        if document.source.annotator is not None:
            names.append(name)
        else:
            names.append(stem if len(texts[stem]) == 1 else f"{folder}/{name}")
    return names


def _span(annotation: Element, where: str) -> Span:
    start, end = (annotation.get(name, "") for name in ("StartNode", "EndNode"))
    where = f"{where}, annotation {brief(annotation.get('Id'))}"
    if _PLACE.fullmatch(start) and _PLACE.fullmatch(end):
        return span_of(int(start), int(end), annotation.get("Type", ""), where)
    raise IaaError(
        f"{where}: it spans {brief(start)} to {brief(end)}, which are not positions in a text"
    )


def _features(annotation: Element) -> Iterator[tuple[str, str]]:
    for feature in annotation.iter("Feature"):
        name = (feature.findtext("Name") or "").strip()
        if name:
            yield name, (feature.findtext("Value") or "").strip()
