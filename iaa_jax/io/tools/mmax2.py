"""Reads MMAX2: markables (spans of words in a document), in a file for each level.

Positions are counted in words. Each level is a question, and its markables are the spans that
answer the question. Each attribute of markables is also a question. File names show which files
belong together, so that the paths in `common_paths.xml` need not be right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from operator import eq
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_tokens
from iaa_jax.io.export.answers import Span, separate_units
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.xml import root_name, root_of
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROOTS = ("mmax_project", "words", "markables")
_ENDINGS = (".mmax", ".xml")  # MMAX2's backup copies end with .bak
_NO_LABELS = ("id", "span", "mmax_level")
_KIND = re.compile(r"[ _.-](words|level|markables)$")
_ID = r"([^\s;:]+:)?markable_\d+"
_REFERENCES = re.compile(rf"set_\d+|{_ID}(;{_ID})*")
_NOTHING = {"", "empty"}

_Parts = list[tuple[int, int]]


class _Words(NamedTuple):
    source: Source
    words: list[str]
    places: dict[str, int]


class _Level(NamedTuple):
    name: str
    document: str
    text: _Words
    markables: list[tuple[_Parts, dict[str, str]]]


class Mmax2:
    """Reads MMAX2 projects."""

    name = "mmax2"
    title = "MMAX2"
    summary = "MMAX2: levels of markables as spans over words, a folder for each annotator"
    known_by = "XML whose root is `mmax_project`, `markables` or `words`"
    example = "spans corpus/ --question sentiment.polarity"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return projects, words and markables."""
        files = [s for s in sources if s.suffix in _ENDINGS and root_name(s) in _ROOTS]
        are_words = all(root_name(source) == "words" for source in files)
        return () if are_words and len(files) < len(sources) else files

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the markables of each level, and the values of their attributes."""
        export.note_format("XML, positions in words")
        export.named_by.is_by_file = export.lists_unbegun = True
        export.named_by.annotators = "folder"
        corpus = _Corpus(sources)
        levels = parsed(corpus.markables, corpus.level, export.options.progress)
        attributes = _attributes(levels, export)
        texts: dict[str, _Words] = {}
        locations = by_folder(corpus.markables, corpus.locations(levels))
        for source, level, (who, item) in zip(corpus.markables, levels, locations, strict=True):
            export.begin_file(source)
            _compare(texts.setdefault(item, level.text), level.text)
            fields = fields_of(source, item, who)
            for attribute in attributes[level.name]:
                name = f"{level.name}.{attribute}" if attribute else level.name
                spans = _spans(level, attribute)
                export.add(export.question(name, "spans"), item, who, spans, fields=fields)
            export.lengths[item] = len(level.text.words)
            export.add_text(item, text_from_tokens(level.text.words))
        wanted = export.options.question
        for name in attributes:
            if wanted is None or f"{wanted}.".startswith(f"{name}."):
                export.notice_empty("files_mark_nothing", export.question(name, "spans"))


TOOL = Mmax2()


class _Corpus:
    def __init__(self, sources: Sequence[Source]) -> None:
        projects, texts, self.markables = (
            [source for source in sources if root_name(source) == root] for root in _ROOTS
        )
        if not self.markables:
            raise IaaError(
                f"{sources[0]} is an MMAX2 file without a file of markables: read the folder with "
                "the words and the markables of all annotators"
            )
        self.folders = {source.inside[:-1] for source in projects}
        self.projects: dict[str, list[Source]] = {}
        self.texts: dict[str, list[Source]] = {}  # by name of the document
        self.files: dict[str, list[Source]] = {}  # by name of the file
        for project in projects:
            self.projects.setdefault(project.stem, []).append(project)
        for text in texts:
            self.texts.setdefault(_KIND.sub("", text.stem), []).append(text)
            self.files.setdefault(text.name, []).append(text)

    def locations(self, levels: Sequence[_Level]) -> list[tuple[str, ...]]:
        """Return the folder and the name of each document."""
        folders = [source.inside[:-1] for source in self.markables]
        homes = [
            next((way[:end] for end in range(len(way), -1, -1) if way[:end] in self.folders), way)
            for way in folders
        ]
        once = {(home, each.document, each.name) for home, each in zip(homes, levels, strict=True)}
        # if all annotators share a project, each has a folder of markables
        if len(once) < len(levels):
            homes = folders
        return [(*home, level.document) for home, level in zip(homes, levels, strict=True)]

    def level(self, source: Source) -> _Level:
        """Return the annotations in a file."""
        stem = source.stem
        starts = (stem[: match.start()] for match in reversed([*re.finditer(r"[\W_]|$", stem)]))
        document = next(
            (name for name in starts if name in self.projects or name in self.texts), ""
        )
        if not document:
            raise IaaError(
                f"{source}: its name begins like no project (NAME.mmax) and no file of words "
                "(NAME_words.xml): read a folder that includes them"
            )
        text, root = self._text(source, document), root_of(source, "MMAX2", has_doctype=True)
        marked = _elements(root, "markable")
        names = [root.tag.rpartition("}")[0], *(one.get("mmax_level", "") for one in marked)]
        suffix = _KIND.sub("", stem.removeprefix(document))[1:]
        name = next((re.split("[/{]", each)[-1] for each in names if each), suffix or "markables")
        markables = []
        for one in marked:
            where = f"{source}, markable {brief(one.get('id'))}"
            values = {key: value for key, value in one.items() if key not in _NO_LABELS}
            markables.append((_parts(one.get("span", ""), text, where), values))
        return _Level(name, document, text, markables)

    def _text(self, source: Source, document: str) -> _Words:
        """Return the words of a document, from the file that is nearest to the markables."""
        texts = self.texts.get(document, [])
        for project in _nearest(source, self.projects.get(document, []))[:1]:
            path = root_of(project, "MMAX2", has_doctype=True).findtext("words", "")
            name = PureWindowsPath(path.strip()).name
            texts = self.files.get(name, [])
            if not texts:
                raise IaaError(
                    f"{project}: its words, {brief(name)}, are missing: read a folder with both"
                )
        near = _nearest(source, texts)
        first, *others = (each.once("words of mmax2", partial(_words, each)) for each in near)
        for other in others:
            _compare(first, other)
        return first


def _nearest(source: Source, others: Sequence[Source]) -> list[Source]:
    shared = [
        sum(takewhile(bool, map(eq, source.inside[:-1], other.inside[:-1]))) for other in others
    ]
    most = max(shared, default=0)
    return [other for other, folders in zip(others, shared, strict=True) if folders == most]


def _elements(root: Element, name: str) -> list[Element]:
    return [one for one in root.iter() if one.tag.rpartition("}")[2] == name]


def _words(source: Source) -> _Words:
    text = _Words(source, [], {})
    for word in _elements(root_of(source, "MMAX2", has_doctype=True), "word"):
        id_ = word.get("id", "")
        if id_ in text.places:
            raise IaaError(
                f"{source}: two words have the id {brief(id_)}, so that markables are ambiguous: "
                "give each word a different id"
            )
        text.places[id_] = len(text.words)
        text.words.append("".join(word.itertext()).strip())
    return text


def _compare(first: _Words, other: _Words) -> None:
    if first.words != other.words:
        raise IaaError(
            f"{first.source} and {other.source} are different texts: positions in them cannot be "
            "compared"
        )


def _parts(span: str, text: _Words, where: str) -> _Parts:
    """Return the ranges of words in a span such as "word_3..word_5,word_9", in order."""
    parts: _Parts = []
    for part in span.split(","):
        ids = [id_.strip() for id_ in part.split("..", 1)]
        unknown = [id_ for id_ in ids if id_ not in text.places]
        if unknown:
            raise IaaError(f"{where}: there is no word {brief(unknown[0])} in {text.source}")
        start, end = text.places[ids[0]], text.places[ids[-1]] + 1
        if end <= start:
            raise IaaError(f"{where}: its span {brief(part)} runs backwards")
        parts.append((start, end))
    joined: _Parts = []
    for start, end in sorted(parts):
        if joined and start <= joined[-1][1]:
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return joined


def _attributes(levels: Sequence[_Level], export: Export) -> dict[str, list[str]]:
    """Return the attributes of each level, and "" for the level itself."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for level in levels:
        for _, of_markable in level.markables:
            for attribute, value in of_markable.items():
                values[level.name, attribute].add(value)
    attributes = {level.name: [""] for level in levels}
    for (name, attribute), known in values.items():
        if known - _NOTHING and all(map(_REFERENCES.fullmatch, known - _NOTHING)):
            export.remarks.leave_unread(f"{name}.{attribute}", "relations or chains")
        else:
            attributes[name].append(attribute)
    return attributes


def _spans(level: _Level, attribute: str) -> list[Span]:
    spans: list[Span] = []
    for parts, values in level.markables:
        label = values.get(attribute, "").strip() if attribute else level.name
        unit = len(spans) if len(parts) > 1 else None
        spans += [Span(start, end, label, unit) for start, end in parts]
    return separate_units(spans)
