"""REFI-QDA: projects of MAXQDA, NVivo, ATLAS.ti and others, codings of texts and of recordings.

Who coded nothing in a source may not have seen it: only those who coded something in it have. Where
projects of the same documents name one user alone, each is an annotator's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import of_characters, of_utf16, places_of
from iaa_jax.io.export.answers import Span, apart, span_of, time_span
from iaa_jax.io.export.folders import by_folder, fields_of, parsed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.xml import root_name, root_of
from iaa_jax.io.table.content import beginning_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_START = 1 << 12  # bytes that the name space stands in
_DEEPEST = 100  # levels of codes
_NUMBER = re.compile(r"\d{1,15}")
_TEXTS = ("{*}PlainTextSelection", "{*}Representation/{*}PlainTextSelection")
_TIMES = ("{*}AudioSelection", "{*}VideoSelection")
_NOT_READ = {
    "PictureSelection": "regions of pictures",
    "PDFSelection": "regions of pages",
    "TranscriptSelection": "synchronised transcripts",
    "PlainTextSelection": "descriptions",
}
"""What else holds codings; elsewhere these are of a source as a whole."""

Code = tuple[str, ...]
"""A code below its parents."""

Texts = Mapping[tuple[tuple[str, ...], str], Source]
"""Files of texts, by the folder or archive of their project and their names."""


class _Project(NamedTuple):
    """A project: codings by question, document and user, codes, texts, and what is left out."""

    source: Source
    codings: dict[tuple[str, str, str], list[tuple[Code, Span]]]
    codes: dict[str, Code]
    texts: dict[str, str]
    left_out: Counter[str]


class RefiQda:
    """Reads projects of REFI-QDA."""

    name = "refi_qda"
    title = "REFI-QDA"
    summary = "REFI-QDA of MAXQDA, NVivo, ATLAS.ti: .qdpx and .qde, codings of texts and recordings"
    known_by = "XML with the root `Project` of `urn:QDA-XML`, files .qde"
    example = "spans project.qdpx"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The projects, and the sources that lie beside them."""
        projects = [source for source in sources if _is_project(source)]
        roots = {project.inside[:-1] for project in projects}
        return [*projects, *[source for source in sources if _root(source) in roots]]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the codings: those of texts, and those of recordings."""
        export.items_from = "name"
        texts = {(root, each.name): each for each in sources if (root := _root(each)) is not None}
        for beside in texts.values():
            beside.look_inside(beside.records)  # forget what it would be as a table
        files = [source for source in sources if _is_project(source)]

        def parse(source: Source) -> _Project:
            root = root_of(source, "REFI-QDA")
            in_units = root.get("origin", "").startswith("NVivo")  # others count as the standard
            export.wrote(f"project, places in {'UTF-16 units' if in_units else 'characters'}")
            return _project(root, source, texts, in_units)

        projects = parsed(files, parse, export.options.progress)
        left_out = sum((project.left_out for project in projects), Counter[str]())
        users = {user for project in projects for _, _, user in project.codings}
        if not users:
            others = ", ".join(f"{count:,} of {kind}" for kind, count in left_out.items())
            msg = (
                f"{files[0]}: no place in a text or a recording is coded (codings: "
                f"{others or 'none'}); export the whole project with its documents and codings, "
                "or make a table with the columns document, annotator, start, end and label"
            )
            raise IaaError(msg)
        for kind, count in left_out.items():
            export.notes.append(Note("skipped_codings", {"count": count, "kind": kind}))
        export.notice("agreement_lists_what_was_made")
        coded = [{document for _, document, _ in project.codings} for project in projects]
        by_user = len(users) > 1 or sum(map(len, coded)) == len({*chain.from_iterable(coded)})
        export.annotators_from = "creatingUser" if by_user else ""
        counts = (Counter(code[-1] for code in {*each.codes.values()}) for each in projects)
        several = {name for of_one in counts for name, count in of_one.items() if count > 1}
        known: dict[str, set[str]] = defaultdict(set)
        stems = [Path(file.name).stem for file in files]
        if len({*stems}) < len(stems):  # archives or folders tell them apart
            stems = [folder or "" for folder, _ in by_folder(files)]
        for project, file in zip(projects, stems, strict=True):
            export.enter(project.source)
            for (question, document, user), marked in project.codings.items():
                who = user if by_user else file
                spans = [
                    span._replace(label=" > ".join(code) if code[-1] in several else code[-1])
                    for code, span in marked
                ]
                fields = fields_of(project.source, document, who)
                asked = export.ask(question, "spans")
                export.add(asked, document, who or None, apart(spans), fields=fields)
                text = project.texts.get(document) if question == "texts" else None
                if text is not None:
                    known[document].add(text)
                    export.show(document, text)
                    length = max(len(places_of(text)), *(span.end for span in spans))
                    export.lengths[document] = max(length, export.lengths.get(document, 0))
        export.notice("layers_of_other_text", sum(len(texts) > 1 for texts in known.values()))


TOOL = RefiQda()


def _is_project(source: Source) -> bool:
    is_marked = root_name(source) == "Project" and "urn:QDA-XML" in source.beginning(_START)
    return is_marked or source.suffix == ".qde"


def _root(source: Source) -> tuple[str, ...] | None:
    """The folder or archive of the project that a text is of."""
    way = source.inside[:-1]
    return way[:-1] if way and way[-1].lower() == "sources" else None


def _project(root: Element, source: Source, texts: Texts, in_units: bool) -> _Project:
    found = _Project(source, defaultdict(list), _codes(root, source), {}, Counter())
    users = {_guid(user): name for user, name in _named(root.findall("{*}Users/{*}User"))}
    for element, document in _named(root.findall("{*}Sources/*")):
        of_text = [each for way in _TEXTS for each in element.iterfind(way)]
        of_time = [each for way in _TIMES for each in element.iterfind(way)]
        read = {id(each) for each in (*of_text, *of_time)}
        repeated = {_guid(each) for each in of_text} - {""}  # regions of pages with their text
        for holder in element.iter():
            codings = holder.findall("{*}Coding")
            if id(holder) not in read and _guid(holder) not in repeated and codings:
                kind = _NOT_READ.get(holder.tag.rpartition("}")[2], "whole sources")
                found.left_out[kind] += len(codings)
            if id(holder) not in read or not codings:
                continue
            where = f"{source}, source {brief(document)}, selection {brief(_guid(holder))}"
            question = "recordings" if holder in of_time else "texts"
            span = _span(holder, where, question)
            for coding in codings:
                user = (coding.get("creatingUser") or holder.get("creatingUser") or "").lower()
                for code in coding.iterfind("{*}CodeRef"):
                    target = code.get("targetGUID", "").lower()
                    if target not in found.codes:
                        msg = f"{where}: its code {brief(target)} is not in the code book"
                        raise IaaError(msg)
                    key = (question, document, users.get(user, user))
                    found.codings[key].append((found.codes[target], span))
        text = _text(element, source, texts) if of_text else None
        if text is not None:
            found.texts[document] = of_utf16(text) if in_units else of_characters(text)
    return found


def _guid(element: Element) -> str:
    return element.get("guid", "").lower()


def _named(elements: Sequence[Element]) -> Iterator[tuple[Element, str]]:
    """Users or sources with their names, and where a name repeats with what tells it apart."""
    names = [(each.get("name") or each.get("id") or _guid(each)).strip() for each in elements]
    counts = Counter(names)
    for each, name in zip(elements, names, strict=True):
        yield each, name if counts[name] == 1 else f"{name} ({_guid(each)})"


def _codes(root: Element, source: Source) -> dict[str, Code]:
    """The codes of the code book."""
    found: dict[str, Code] = {}
    todo: list[tuple[Code, Element]] = [((), one) for one in root.iterfind("{*}CodeBook/{*}Codes")]
    while todo:
        above, element = todo.pop()
        for code in element.iterfind("{*}Code"):
            path = found[_guid(code)] = (*above, code.get("name", "").strip())
            if len(path) > _DEEPEST:
                msg = f"{source}: its codes are nested more than {_DEEPEST} deep"
                raise IaaError(msg)
            todo.append((path, code))
    return found


def _span(selection: Element, where: str, question: str) -> Span:
    """The place of a selection, of recordings in seconds, without a label."""
    names = ("startPosition", "endPosition") if question == "texts" else ("begin", "end")
    written = [selection.get(name, "") for name in names]
    start, end = (int(each) if _NUMBER.fullmatch(each) else each for each in written)
    if question == "texts" or isinstance(start, str) or isinstance(end, str):
        return span_of(start, end, "", where)
    return time_span(start / 1000, end / 1000, "", where)


def _text(element: Element, source: Source, texts: Texts) -> str | None:
    """The text of a source, where it is there, with its line breaks, which count as they stand."""
    for holder in (element, *element.iterfind("{*}Representation")):
        name = holder.get("plainTextPath", "").rpartition("/")[2]
        file = texts.get((source.inside[:-1], name))
        if file is not None:
            return beginning_of(file.raw(), file.encoding)
        content = holder.findtext("{*}PlainTextContent")
        if content is not None:
            return content
    return None
