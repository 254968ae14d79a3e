"""Reads layers of spans from documents with one version (a file) per annotator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.io.export.answers import Span, Status, separate_units
from iaa_jax.io.export.choice import SPANS, choose
from iaa_jax.io.export.folders import fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.question import Question
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.inception.project import Filed, Project
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import counted

_MANY = 50
"""Number of files above which, without a chosen layer, the first file is read alone.

If this file has several layers, the caller has to choose one before all files are read.
"""


class LayerMark(NamedTuple):
    """The annotation of a stretch of a document."""

    start: int
    end: int
    values: Mapping[str, str]


@dataclass
class Version:
    """An annotator's version of a document.

    Attributes
    ----------
    marks
        Annotations by the full name of their layer; WebAnno TSV also has layers without any.
    not_read
        Layers of relations and chains.
    of_documents
        Layers of annotations on whole documents, which are not read.
    text
        A key that is equal for equal texts.
    length
        The length of the text, in the unit of the positions.
    shown
        The text itself, if it is to be kept.
    title
        The document and the user, if the file names them.
    """

    source: Source
    marks: dict[str, list[LayerMark]] = field(default_factory=lambda: defaultdict(list))
    not_read: set[str] = field(default_factory=set)
    of_documents: set[str] = field(default_factory=set)
    text: Hashable = None
    length: int | None = None
    shown: str = ""
    title: tuple[str, str] | None = None


def add_versions(
    sources: Sequence[Source], export: Export, version_of: Callable[[Source], Version]
) -> None:
    """Read each file, and add its annotations."""
    project = Project(sources)
    files = project.taken(export)
    if len(files) > _MANY and export.chooses and export.options.question is None:
        _ask_at_once(export, version_of(files[0]), len(files))
    versions = parsed(files, version_of, export.options.progress)
    texts = [version.text for version in versions]
    filed = project.filed(files, texts, [version.title for version in versions])
    _note(export, versions, filed)
    export.named_by.is_by_file = True
    questions = _questions(export, versions)
    for version, of_file in zip(versions, filed, strict=True):
        export.begin_file(version.source)
        fields = {
            **fields_of(version.source, of_file.document, of_file.annotator),
            "state": of_file.state,
        }
        for layer, feature, question in questions:
            spans = _spans(version.marks.get(layer, ()), feature)
            export.add(question, of_file.document, of_file.annotator, spans, fields=fields)
        if version.length is not None and export.options.item is None:
            known = export.lengths.get(of_file.document, 0)
            export.lengths[of_file.document] = max(known, version.length)
        if version.shown:
            export.add_text(of_file.document, version.shown)


def _ask_at_once(export: Export, version: Version, files: int) -> None:
    """Raise an error that asks for a layer, if the first file has several."""
    of_first = Export(export.title, export.options)
    of_first.begin_file(version.source)
    for layer, feature, question in _questions(of_first, [version]):
        of_first.add(question, "document", "annotator", _spans(version.marks[layer], feature))
    answered = sum(Status.ANSWERED in each.status for each in of_first.questions.values())
    if answered > 1:
        try:
            choose(of_first, SPANS)
        except IaaError as error:
            first = f"{version.source}, the first of {files:,} files (others may have more)"
            raise IaaError(f"{first}, has {error.message}") from None


def _spans(marks: Sequence[LayerMark], feature: str) -> list[Span]:
    return separate_units(
        Span(mark.start, mark.end, mark.values.get(feature, "")) for mark in marks
    )


def short(name: str) -> str:
    """Return the last part of the name of a type.

    Examples
    --------
    >>> short("webanno.custom.Span")
    'Span'
    """
    return name.rpartition(".")[2]


def _questions(export: Export, versions: Sequence[Version]) -> list[tuple[str, str, Question]]:
    """Return the layers and features, with their questions.

    The question of a layer with one feature has the name of the layer. If the caller asked for a
    question by the names of layer and feature, it has both names.
    """
    features: dict[str, dict[str, None]] = {}
    for version in versions:
        for layer, marks in version.marks.items():
            of_layer = features.setdefault(layer, {})
            for mark in marks:
                of_layer.update(dict.fromkeys(mark.values))
    of_short = Counter(map(short, features))
    questions = []
    for layer, of_layer in features.items():
        name = short(layer) if of_short[short(layer)] == 1 else layer
        has_several = len(of_layer) > 1
        if has_several and export.options.question == name:
            each = ", ".join(keyword("question", f"{name}.{feature}") for feature in of_layer)
            raise IaaError(
                f"the layer {name!r} has {counted(len(of_layer), 'feature')}: read one by {each}"
            )
        for feature in of_layer or ("",):
            full = f"{name}.{feature}"
            question = export.question(
                full if has_several or export.options.question == full else name, "spans"
            )
            questions.append((layer, feature, question))
    return questions


def _note(export: Export, versions: Sequence[Version], filed: Sequence[Filed]) -> None:
    for name in sorted({short(name) for version in versions for name in version.not_read}):
        export.remarks.leave_unread(name, "relations or chains")
    for name in sorted({short(name) for version in versions for name in version.of_documents}):
        export.remarks.leave_unread(name, "labels of whole documents")
    texts: dict[str, Hashable] = {}
    differ = set()
    for version, of_file in zip(versions, filed, strict=True):
        if of_file.state is None and not any(version.marks.values()):
            export.remarks.notice("layers_without_state")
            export.lists_unbegun = True
        if texts.setdefault(of_file.document, version.text) != version.text:
            differ.add(of_file.document)
    for _ in differ:
        export.remarks.notice("layers_of_other_text")
