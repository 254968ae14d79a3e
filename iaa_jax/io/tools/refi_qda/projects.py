"""Reads the codings in a REFI-QDA project, and the texts that were coded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import characters_of_utf16
from iaa_jax.io.export.answers import Span, span_of, time_span
from iaa_jax.io.export.xml import root_of
from iaa_jax.io.table.content import beginning_of
from iaa_jax.io.table.source import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME_SPACE = "urn:QDA-XML"

_DEEPEST = 100  # maximum depth of codes
_NUMBER = re.compile(r"\d{1,15}")
_TEXTS = ("{*}PlainTextSelection", "{*}Representation/{*}PlainTextSelection")
_TIMES = ("{*}AudioSelection", "{*}VideoSelection")
_NOT_READ = {
    "PictureSelection": "regions of pictures",
    "PDFSelection": "regions of pages",
    "TranscriptSelection": "synchronised transcripts",
    "PlainTextSelection": "descriptions",
}
"""Selections that are not read, and the kinds of their codings.

A coding in any other element belongs to a whole source.
"""

Code = tuple[str, ...]
"""The names of a code and of the codes above it, the highest first."""

Codings = dict[tuple[str, str, str], tuple[str, list[tuple[Code, Span]]]]
"""Codings by question ("texts" or "recordings"), document and user.

The values are the place of the first coding, for errors, and the code and span of each.
"""

Texts = Mapping[tuple[tuple[str, ...], str], Source]
"""Text files, by the folder or archive of their project and by name."""


class QdaProject(NamedTuple):
    """A project.

    Attributes
    ----------
    texts : dict of str
        Texts of coded documents, if available.
    units : set of str
        Units of positions in texts.
    beyond : set of str
        Documents with a span that ends beyond the text, or begins or ends inside a character.
    left_out : Counter
        The number of codings that are not read, by kind.
    """

    source: Source
    codings: Codings
    codes: dict[str, Code]
    texts: dict[str, str]
    units: set[str]
    beyond: set[str]
    left_out: Counter[str]

    def as_one_annotator(self) -> Codings:
        """Return all codings as by one annotator."""
        codings: Codings = {}
        for (question, document, _), (where, marked) in self.codings.items():
            codings.setdefault((question, document, ""), (where, []))[1].extend(marked)
        return codings


def project_of(source: Source, texts: Texts) -> QdaProject:
    """Read a project.

    NVivo counts positions in UTF-16 units, other programs in characters.
    """
    root = root_of(source, "REFI-QDA")
    in_units = root.get("origin", "").startswith("NVivo")
    project = QdaProject(source, {}, _codes(root, source), {}, set(), set(), Counter())
    users = {_guid(user): name for user, name in _named(root.findall("{*}Users/{*}User"))}
    for element, document in _named(root.findall("{*}Sources/*")):
        of_text = [each for way in _TEXTS for each in element.iterfind(way)]
        of_time = {id(each) for way in _TIMES for each in element.iterfind(way)}
        read = {*map(id, of_text), *of_time}
        # a region of a page may recur as a selection of its text with the same guid: its codings
        # are then not left out
        repeated = {_guid(each) for each in of_text} - {""}
        text = _text(element, source, texts) if of_text else None
        places = characters_of_utf16(text or "") if in_units else range(len(text or "") + 1)
        for holder in element.iter():
            codings = holder.findall("{*}Coding")
            if id(holder) not in read and _guid(holder) not in repeated and codings:
                kind = _NOT_READ.get(holder.tag.rpartition("}")[2], "whole sources")
                project.left_out[kind] += len(codings)
            if id(holder) not in read or not codings:
                continue
            where = f"{source}, source {brief(document)}, selection {brief(_guid(holder))}"
            question = "recordings" if id(holder) in of_time else "texts"
            span = _span(holder, where, question)
            if question == "texts" and text is not None:
                span, is_odd = _in_characters(span, places)
                project.beyond.update([document] * is_odd)
                project.texts[document] = text
            if question == "texts":
                project.units.add("UTF-16 units" if in_units and text is None else "characters")
            for coding in codings:
                user = (coding.get("creatingUser") or holder.get("creatingUser") or "").lower()
                key = (question, document, users.get(user, user))
                for code in coding.iterfind("{*}CodeRef"):
                    target = code.get("targetGUID", "").lower()
                    if target not in project.codes:
                        raise IaaError(f"{where}: its code {brief(target)} is not in the code book")
                    _, spans = project.codings.setdefault(key, (where, []))
                    spans.append((project.codes[target], span))
    return project


def _guid(element: Element) -> str:
    return element.get("guid", "").lower()


def _named(elements: Sequence[Element]) -> Iterator[tuple[Element, str]]:
    """Yield users, sources or codes with unique names."""
    names = [each.get("name", "").strip() or each.get("id") or _guid(each) for each in elements]
    counts = Counter(names)
    for each, name in zip(elements, names, strict=True):
        yield each, name if counts[name] == 1 else f"{name} ({_guid(each)})"


def _codes(root: Element, source: Source) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    todo: list[tuple[Code, Element]] = [((), one) for one in root.iterfind("{*}CodeBook/{*}Codes")]
    while todo:
        above, element = todo.pop()
        for code, name in _named(element.findall("{*}Code")):
            path = codes[_guid(code)] = (*above, name)
            if len(path) > _DEEPEST:
                raise IaaError(f"{source}: its codes are nested more than {_DEEPEST} deep")
            todo.append((path, code))
    return codes


def _span(selection: Element, where: str, question: str) -> Span:
    """Return the position of a selection, in seconds for recordings, without a label."""
    names = ("startPosition", "endPosition") if question == "texts" else ("begin", "end")
    written = [selection.get(name, "") for name in names]
    start, end = (int(each) if _NUMBER.fullmatch(each) else each for each in written)
    if question == "texts" or isinstance(start, str) or isinstance(end, str):
        return span_of(start, end, "", where)
    return time_span(start / 1000, end / 1000, "", where)


def _in_characters(span: Span, places: Sequence[int]) -> tuple[Span, bool]:
    """Return a span in characters, and whether it exceeds the text or cuts a character.

    `places` has the character at each position, and finally the number of characters.
    """
    start, cuts_first = _character(places, span.start)
    end, cuts_last = _character(places, span.end)
    is_odd = cuts_first or cuts_last or span.end >= len(places)
    return span._replace(start=start, end=end + cuts_last), is_odd


def _character(places: Sequence[int], place: int) -> tuple[int, bool]:
    """Return the character at a position, and whether it begins before the position."""
    beyond = max(place - len(places) + 1, 0)
    known = place - beyond
    return places[known] + beyond, known > 0 and places[known] == places[known - 1]


def _text(element: Element, source: Source, texts: Texts) -> str | None:
    for holder in (element, *element.iterfind("{*}Representation")):
        name = holder.get("plainTextPath", "").rpartition("/")[2]
        file = texts.get((source.inside[:-1], name))
        if file is not None:
            return beginning_of(file.raw(), file.encoding)
        content = holder.findtext("{*}PlainTextContent")
        if content is not None:
            return content
    return None
