"""Pages as HTML: one file without scripts or network access, or a fragment for a notebook.

Text is escaped by the template, in one place; no block holds markup. Rendering needs
Jinja2, and pictures need matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import accumulate, chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.pages.blocks import (
    MOST_ROWS,
    OVER_AN_AXIS,
    Block,
    Column,
    Facts,
    Paragraph,
    Passages,
    Picture,
    Remarks,
    Table,
    Verbatim,
)
from iaa_jax.pages.cells import MEANING, NAMES, Sentence, Speaker, distinct_names, shorten
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.html.passages import colours_of, lines_of
from iaa_jax.pages.pictures import forest_of
from iaa_jax.wording import Note, Spelling
from iaa_jax.wording.figures import Kind
from iaa_jax.wording.formats import name as printable

if TYPE_CHECKING:
    from jinja2 import Template


GENERATOR = '<meta name="generator" content="iaa_jax">'

MOST_COLUMNS = 50
"""Maximum number of columns of a table in HTML, although tables scroll."""

_LONGEST_TEXT = 400

_UNFOLDED = 25
"""Maximum number of rows of a table that is not folded."""

_LONG, _SHORT = 30, 16
"""Length above which a text needs a wide column, and length up to which it stays on one line."""

_MOST_LONG = 2
"""Maximum number of wide columns in a table: if more would need to be wide, none is."""

_PRINTED, _LETTERS = 20, 3000
"""Maximum number of rows of a folded table that are printed, and of letters in them."""

_UNSAFE = re.compile(r"[^a-z0-9]+")
_PERCENT = re.compile(r"(\d) %")


def is_ours(file: Path) -> bool:
    """Tell whether a file is a page made by this program, which may be overwritten."""
    with suppress(OSError), file.open("rb") as stream:
        return GENERATOR.encode() in stream.read(1000)
    return False


def render(page: PageContent, spelling: Spelling) -> str:
    """Return the page as a complete HTML file."""
    pages = [page, *page.sections.values()]
    sections = [section_of(content, spelling) for content in pages]
    return document(sections[0].title, sections)


def fragment(page: PageContent, spelling: Spelling) -> str:
    """Return the page as part of a notebook, without pictures."""
    section = section_of(page, spelling, pictures=False)
    section.number(_Names())
    return _template("fragment.html").render(section=section, style=_style())


def document(title: str, sections: Sequence[Section]) -> str:
    """Return sections as one file, with a table of contents if there are several."""
    ids = _Names()
    for section in sections:
        section.number(ids)
    return _template("page.html").render(title=title, sections=sections, style=_style())


@dataclass
class Section:
    """A page in the form that its template takes.

    Attributes
    ----------
    title : str
        Title of the page.
    answer : list of Sentence
        The result in brief.
    parts : list of dict
        The blocks of the page, each as the values that the template takes for its ``kind``.
    id : str
        Name in the file.
    """

    title: str
    answer: Sequence[Sentence]
    parts: list[dict[str, object]] = field(default_factory=list)
    id: str = ""

    def number(self, ids: _Names) -> None:
        """Give the section and its parts ids and labels that are unique in the file."""
        self.id = ids.of(self.title)
        for part in self.parts:
            part["id"] = ids.of(f"{self.id} {part.get('name', 'part')}")
            for region in _regions(part):
                label = next(str(region[key]) for key in _LABELS if region.get(key))
                region["region"] = ids.label(label, self.title)


_LABELS = ("label", "title", "caption", "heading", "kind")
"""Fields whose text may label a region for screen readers, the best first."""


def _regions(part: dict[str, object]) -> Iterator[dict[str, object]]:
    """Yield a part and, if it has one, its table of numbers: each of the two scrolls by itself."""
    yield part
    if isinstance(numbers := part.get("numbers"), dict):
        yield numbers


class _Names:
    """Ids and labels within a file, numbered if already taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._labels: set[str] = set()

    def label(self, text: str, section: str) -> str:
        """Return a unique label, with the title of its section or a number added if needed."""
        for name in chain((text, f"{text}, {section}"), (f"{text} ({k})" for k in count(2))):
            if name not in self._labels:
                break
        self._labels.add(name)
        return name

    def of(self, text: str) -> str:
        plain = _UNSAFE.sub("-", text.lower()).strip("-") or "part"
        plain = plain[:60]
        for name in chain([plain], (f"{plain}-{k}" for k in count(2))):
            if name not in self._taken:
                break
        self._taken.add(name)
        return name


def section_of(page: PageContent, spelling: Spelling, *, pictures: bool = True) -> Section:
    """Return a page as a section for the template."""
    speaker = Speaker(page, spelling)
    section = Section(speaker.text(page.title), speaker.sentences(page.answer))
    drawn = [block for block in page.blocks if pictures and isinstance(block, Picture)]
    facts: list[Block] = []
    behind: list[Block] = []
    others: list[Block] = []
    for block in page.blocks:
        if isinstance(block, Facts) and not facts:
            facts.append(block)
        elif isinstance(block, Table) and block.folded:
            behind.append(block)
        elif not isinstance(block, Picture):
            others.append(block)
    forests = pictures and not {picture.kind for picture in drawn} & {*OVER_AN_AXIS}
    for block in (*facts, *drawn, *behind, *others):
        section.parts += _parts(block, speaker, forests)
    return section


def _parts(block: Block, speaker: Speaker, forests: bool) -> Iterator[dict[str, object]]:
    if isinstance(block, Facts):
        rows = [[speaker.text(part) for part in row] for row in block.rows]
        yield {"kind": "facts", "rows": rows}
    elif isinstance(block, Remarks):
        yield {"kind": "remarks", "sentences": speaker.sentences(block.notes)}
    elif isinstance(block, Paragraph):
        sentences = speaker.sentences(block.notes)
        below = [line for sentence in sentences for line in sentence.below]
        yield {"kind": "paragraph", "text": Sentence(" ".join(sentences), below)}
    elif isinstance(block, Passages):
        yield _passages(block, speaker)
    elif isinstance(block, Verbatim):
        yield {"kind": "verbatim", "caption": speaker.text(block.caption), "text": block.text}
    elif isinstance(block, Picture):
        yield _picture(block, speaker)
    elif block.rows and not block.in_files:
        if forests:
            names = speaker.cells(block.columns[0], block.rows_shown)
            if (forest := forest_of(block, names)) is not None:
                yield _picture(forest, speaker)
        if len(block.visible) > MOST_COLUMNS:
            yield {
                "kind": "remarks",
                "sentences": speaker.sentences([speaker.table_left_out(block)]),
            }
        else:
            yield _table(block, speaker)


def _picture(picture: Picture, speaker: Speaker) -> dict[str, object]:
    from iaa_jax.pages.html.svg import inline

    title, subtitle = speaker.text(picture.title), speaker.text(picture.subtitle)
    return {
        "kind": "picture",
        "name": picture.id,
        "title": title,
        "subtitle": subtitle,
        "drawing": inline(picture, speaker),
        "numbers": _table(numbers_of(picture), speaker) if picture.kind in NUMBERED else None,
    }


NUMBERED = (*OVER_AN_AXIS, "bars")
"""Kinds of pictures whose numbers are in no other table."""


def numbers_of(picture: Picture) -> Table:
    """Return the numbers of a picture as a table, for screen readers and for copying."""
    dates = picture.x.dtype.kind == "M"
    kind: Kind = "time" if dates else "label" if picture.x.dtype.kind == "O" else "short"
    columns = [Column("x", picture.x_label, picture.x, kind)]
    figure: Kind = "estimate" if picture.y_most == 1 else "short"
    for number, curve in enumerate(picture.curves):
        if curve.style != "other":
            columns.append(Column(f"y{number}", curve.label, curve.y, figure))
    for number, band in enumerate(picture.bands):
        ends = np.stack([band.low, band.high], axis=1)
        columns.append(Column(f"band{number}", band.label, ends, "interval"))
    return Table(f"{picture.id}-numbers", columns)


def _passages(block: Passages, speaker: Speaker) -> dict[str, object]:
    colours = colours_of(block)
    passages = [
        {"heading": speaker.text(passage.heading), "lines": lines_of(passage, colours)}
        for passage in block.passages
    ]
    known = any(passage.text for passage in block.passages)
    caption, key = speaker.text(block.caption), speaker.text(Note("page_passages")) if known else ""
    return {"kind": "passages", "caption": caption, "key": key, "passages": passages}


def _table(table: Table, speaker: Speaker) -> dict[str, object]:
    columns = [column for column in table.visible if column.kind != "span"]
    shown = list(table.rows_shown)[:MOST_ROWS]
    cells = [
        [shorten(text, _LONGEST_TEXT, where=1) for text in speaker.cells(column, shown)]
        for column in columns
    ]
    rows = [list(row) for row in zip(*cells, strict=True)]
    headings = [speaker.text(column.heading) for column in columns]
    folded = len(shown) > _UNFOLDED or table.whole or table.folded
    caption, noun = speaker.text(table.caption), speaker.text(table.noun)
    rows_shown = (
        f"{len(shown):,}" if len(shown) == table.rows else f"{len(shown):,} of {table.rows:,}"
    )
    remarks = [*speaker.remarks_on(table)]
    return {
        "kind": "table",
        "name": table.id,
        "caption": caption,
        "label": _label(caption, rows_shown, noun, numbered=not (table.whole or table.folded)),
        "headings": [
            {"text": text, "whole": whole, "side": side}
            for text, whole, side in zip(
                _short(headings), headings, _sides(columns, cells), strict=True
            )
        ],
        "behind": table.folded,
        "rows": rows,
        "folded": folded,
        "printed": _printed(rows) if folded else len(shown),
        "meanings": speaker.sentences(note for note in remarks if note.code == MEANING),
        "sentences": speaker.sentences(note for note in remarks if note.code != MEANING),
    }


def _printed(rows: Sequence[Sequence[str]]) -> int:
    letters = accumulate(sum(map(len, row)) for row in rows[:_PRINTED])
    return max(1, sum(so_far <= _LETTERS for so_far in letters))


def _label(caption: str, rows_shown: str, noun: str, *, numbered: bool) -> str:
    if not caption:
        return f"{rows_shown} {noun}"
    return f"{caption} ({rows_shown})" if numbered else caption


def _sides(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the style of each column: numbers to the right, and long texts wide if they are few."""
    longest = [max(map(len, texts), default=0) for texts in cells]
    named = [column.kind in NAMES for column in columns]
    long = [name and length > _LONG for name, length in zip(named, longest, strict=True)]
    for number, column in enumerate(columns):
        if not named[number]:
            yield "figure"
        elif long[number] and sum(long) <= _MOST_LONG:
            yield "name wide"
        elif longest[number] > _SHORT:
            yield "name part"
        else:
            yield "name short" if column.kind == "text" else "name"


def _short(headings: Sequence[str]) -> list[str]:
    """Return headings; only names are cut, such as addresses of annotators."""
    names = [text for text in headings if len(text) > _SHORT and " " not in text]
    cut = dict(zip(names, distinct_names(names, _SHORT), strict=True)) if len(names) > 1 else {}
    return [cut.get(text, text) for text in headings]


def _style() -> str:
    return (files("iaa_jax.pages.html") / "style.css").read_text(encoding="utf-8")


def _template(name: str) -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("iaa_jax.pages.html", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    return environment.get_template(name)


def _finalized(value: object) -> object:
    """Return a text with invisible characters escaped; in sentences, no line begins with "%"."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        text = "\n".join(map(printable, value.split("\n")))
        return _PERCENT.sub("\\1\u00a0%", text) if isinstance(value, Sentence) else text
    return value
