"""Reads standoff annotation of brat, from a folder for each annotator with the same documents.

An empty file means that the annotator marked nothing in the document, or did not start it. The
document counts as seen if the annotator marked something in another document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.io.export.answers import Span, span_of
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

_LINE = re.compile(r"[TREAMN#]\d+\t|\*\t")
_MARKED = re.compile(r"(T\S+)\t(\S+) (\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*)\s*(?:\t.*)?")
_ATTRIBUTE = re.compile(r"[AM]\S*\t(\S+) (\S+)(?: (.*\S))?\s*")
_UNREAD = {
    "R": "skipped_relations",
    "*": "skipped_relations",
    "E": "skipped_events",
    "N": "skipped_normalizations",
    "#": "skipped_remarks",
}
_LOOKED_AT = 1 << 12  # number of bytes that show whether a file is standoff

_Parts = tuple[Span, ...]  # the parts of one span


@dataclass
class _BratDocument:
    """The spans of a document by id, and pairs of id and value for each attribute."""

    spans: dict[str, _Parts] = field(default_factory=dict)
    attributes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


class Brat:
    """Reads brat's standoff."""

    name = "brat"
    title = "brat"
    summary = "brat: standoff (.ann), a folder for each annotator"
    known_by = "files .ann whose lines begin with T1, R1, A1 and the like"
    example = "spans corpus/"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the standoff files, including empty ones, and their texts."""
        standoff = [source for source in sources if source.suffix == ".ann"]
        if not any(_LINE.match(_start(source)) for source in standoff):
            return ()
        texts = {_text_of(source) for source in standoff}
        return [s for s in sources if s.suffix == ".ann" or s.inside in texts]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the spans of the documents, and the attributes of these spans."""
        export.note_format("standoff")
        export.named_by.is_by_file = True
        export.named_by.annotators = "folder"
        export.lists_unbegun = True
        standoff = [source for source in sources if source.suffix == ".ann"]
        texts = {source.inside: source for source in sources if source.suffix != ".ann"}
        unread: Counter[str] = Counter()
        progress = export.options.progress
        documents = parsed(standoff, lambda source: _document(source, unread), progress)
        names = dict.fromkeys(name for document in documents for name in document.attributes)
        known: dict[str, tuple[int, Source]] = {}
        for source, document, way in zip(standoff, documents, by_folder(standoff), strict=True):
            annotator, item = way
            export.begin_file(source)
            fields = fields_of(source, item, annotator)
            question = export.question("spans", "spans")
            marked = _once(document.spans.values())
            export.add(question, item, annotator, marked, fields=fields)
            for name in names:
                valued = (
                    tuple(part._replace(label=value) for part in document.spans[on])
                    for on, value in document.attributes.get(name, ())
                )
                question = export.question(f"spans:{name}", "spans")
                question.feature_of = "spans"
                export.add(question, item, annotator, _once(valued), fields=fields)
            if _text_of(source) in texts:
                _measure(texts[_text_of(source)], item.strip(), export, known)
        export.notice_empty("files_mark_nothing", export.question("spans", "spans"))
        export.remarks.notes += [Note(code, {"count": count}) for code, count in unread.items()]


TOOL = Brat()


def _start(source: Source) -> str:
    try:
        return source.content(_LOOKED_AT).decode("utf-8", "replace").lstrip()
    except IaaError:
        return ""


def _text_of(source: Source) -> tuple[str, ...]:
    """Return the path of a document's text, which is next to the file of its spans."""
    return (*source.inside[:-1], source.name.removesuffix(".ann") + ".txt")


def _document(source: Source, unread: Counter[str]) -> _BratDocument:
    document = _BratDocument()
    attributes: list[tuple[str, str, str]] = []
    for number, line in enumerate(source.content().decode().split("\n"), 1):
        where = f"{source} line {number}"
        if line.startswith("T"):
            match = _MARKED.fullmatch(line) or _refuse(where, line, "T1\\tLabel 0 5\\ttext")
            marked, label, places = match.groups()
            if marked in document.spans:
                raise IaaError(
                    f"{where}: the id {brief(marked)} was given before; an id must be unique in "
                    "its file"
                )
            document.spans[marked] = _parts(places, label, where)
        elif line.startswith(("A", "M")):
            match = _ATTRIBUTE.fullmatch(line) or _refuse(where, line, "A1\\tName T1 value")
            attributes.append((match[1], match[2], match[3] or ""))
        elif line[:1] in _UNREAD:
            unread[_UNREAD[line[:1]]] += 1
        elif line.strip():
            _refuse(where, line, "T1\\tLabel 0 5\\ttext")
    for name, marked, value in attributes:
        if value and marked in document.spans:
            document.attributes.setdefault(name, []).append((marked, value))
        else:
            unread["skipped_attributes"] += 1
    return document


def _parts(places: str, label: str, where: str) -> _Parts:
    pairs = [tuple(map(int, pair.split())) for pair in places.split(";")]
    return tuple(sorted(span_of(start, end, label, where) for start, end in pairs))


def _refuse(where: str, line: str, example: str) -> NoReturn:
    raise IaaError(
        f"{where}: this is not a line of brat's standoff, such as '{example}': {brief(line)}"
    )


def _once(marked: Iterable[_Parts]) -> Iterator[Span]:
    """Yield each span once; parts of a span share a unit."""
    for unit, parts in enumerate(dict.fromkeys(marked)):
        yield from parts if len(parts) == 1 else (part._replace(unit=unit) for part in parts)


def _measure(text: Source, item: str, export: Export, known: dict[str, tuple[int, Source]]) -> None:
    try:  # line breaks are unchanged, because brat counts them
        content = text.raw().decode(text.encoding or "utf-8")
    except UnicodeError:
        content = text.content().decode()
    same = hash(content.rstrip())
    first, other = known.setdefault(item, (same, text))
    if first != same:
        raise IaaError(
            f"{other} and {text} are different texts: positions in them cannot be compared"
        )
    export.lengths[item] = max(len(content), export.lengths.get(item, 0))
    export.add_text(item, text_from_characters(content))
