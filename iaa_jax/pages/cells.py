"""The cells of tables as text, and the sentences of pages, for all formats of pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Self

from rich.cells import cell_len, set_cell_size

from iaa_jax.pages.blocks import TWO_ENDED, Column, Table, Text
from iaa_jax.pages.commands import no_advice
from iaa_jax.pages.content import PageContent
from iaa_jax.wording import Guide, Note, Spelling, formats, joined, say
from iaa_jax.wording.spelling import in_python
from iaa_jax.wording.templates import ROUNDED

MARK = "*"

MEANING = "page_meaning"
"""Code of the remark on a column's meaning."""

LEFT_OUT = "page_columns_left_out"
"""Code of the remark on columns that were left out."""

_LONGEST_TITLE = 60
"""Maximum length of a caption used as the name of a table."""

_LONGEST_OPTION = 60
"""Maximum width of an option within a sentence whose lines are broken."""

_WORDS = {
    "page_rows_shown": (
        "Shown: {shown:count} of {total:count} {noun}; all are in CSV and JSON files ({files})."
    ),
    LEFT_OUT: "Not shown at this width: {headings:join , }; written by {files}.",
    "page_columns_left_out_of": "Not shown at this width: {tables:join ; }; written by {files}.",
    "page_columns_of": "{headings:join , } in {table}",
    "page_captioned": "the table '{caption}'",
    "page_with_interval": "{heading} with its interval",
    "page_interval_of": "interval of {heading}",
    "page_table_by": "the table by '{heading}'",
    "page_table_left_out": "Not shown at this width: {table}; written by {files}.",
    "page_tables_folded": "In files ({files}): {tables:join ; }.",
    "page_passages": (
        "A thick line marks a span that another annotator who saw the text did not mark. A dotted "
        "line marks a span that all of them marked."
    ),
    "page_options": "{output:option} and {json:option}",
    "page_save": "page.save()",
    MEANING: "{heading}: {meaning}",
    "page_kept": (
        "To keep these options, put in {file} next to the data (docs/project.md):{lines:below}"
    ),
    "page_heading_cut": "{shown:join , }: {heading}.",
}

_WRITTEN: dict[str, Callable[..., str]] = {
    "count": formats.count,
    "short": formats.short,
    "range": formats.count_range,
    "share": formats.share,
    "share_interval": formats.share_interval,
    "probability": formats.probability,
    "p": formats.p_value,
}
NAMES = ("label", "text", "word", "time")
"""Kinds of columns aligned to the left (names, texts, times); numbers go to the right."""


POSITIONS = (0.5, 0.8, 0.2, 0.0, 1.0)
"""Relative positions at which a name may be cut, the best first."""

_SHARED = 200
"""Maximum length of a beginning or end that most names share."""


class Sentence(str):
    """A sentence, with lines ``below`` it, such as commands, that are never broken."""

    __slots__ = ("below",)
    below: Sequence[str]

    def __new__(cls, text: str, below: Sequence[str] = ()) -> Self:
        """Return the sentence with these lines."""
        sentence = super().__new__(cls, text)
        sentence.below = below
        return sentence


class Speaker:
    """Turns texts and notes of a page into sentences, with options spelt for Python or a shell.

    If ``narrow``, the lines of sentences are broken; long options then stand below a sentence.
    """

    def __init__(
        self,
        page: PageContent,
        spelling: Spelling,
        *,
        advising: bool = True,
        narrow: bool = False,
    ) -> None:
        self._words = joined(_WORDS, page.words)
        self._usual = spelling
        self._spelling: Spelling = self._long_below if narrow else spelling
        self._files = Note("page_save" if spelling is in_python else "page_options")
        self._below: list[str] = []
        self._lines_shown: set[str] = set()
        python = spelling is in_python
        guide = page.commands.guide(page.results.values(), self._below, python=python)
        self._guide: Guide = guide if advising else no_advice(self._below)

    def text(self, text: Text) -> str:
        """Return a text as it is, or a note in the page's words."""
        if isinstance(text, str):
            return text
        return say(text, self._words, self._spelling, self._guide)

    def _long_below(self, name: str, value: str | None) -> str:
        """Spell an option; if it may not fit in a line, only name it, and add it below."""
        option = self._usual(name, value)
        if value is None or cell_len(option) <= _LONGEST_OPTION:
            return option
        self._below.append(option)
        return f"{self._usual(name, None)} as below"

    def sentence(self, text: Text) -> Sentence:
        """Return a text with the lines below it."""
        self._below.clear()
        return Sentence(self.text(text), [*dict.fromkeys(self._below)])

    def sentences(self, notes: Iterable[Text]) -> list[Sentence]:
        """Return the sentences of notes; no sentence, and no line below one, is repeated."""
        sentences: dict[str, Sentence] = {}
        for note in notes:
            if (text := self.sentence(note)) and text not in sentences:
                new = [line for line in text.below if line not in self._lines_shown]
                sentences[text] = Sentence(text, new)
                self._lines_shown.update(new)
        return [*sentences.values()]

    def remarks_on(self, table: Table, left_out: list[Column] | None = None) -> Iterator[Note]:
        """Yield the remarks below a table: what is not shown, meanings of columns, and notes."""
        if len(table.rows_shown) < table.rows:
            counts = {"shown": len(table.rows_shown), "total": table.rows, "noun": table.noun}
            yield Note("page_rows_shown", {**counts, "files": self._files})
        if left_out:
            headings = [*dict.fromkeys(self._headings(table, left_out))]
            if headings:
                values = {"headings": headings, "files": self._files, "table": self._named(table)}
                yield Note(LEFT_OUT, values)
        for column in table.visible:
            drawn = column.kind != "span" or left_out is not None
            if column.meaning is not None and drawn and column not in (left_out or ()):
                heading = self.text(column.heading)
                yield Note(MEANING, {"heading": heading, "meaning": column.meaning})
        yield from table.notes

    def _headings(self, table: Table, left_out: list[Column]) -> Iterator[str]:
        """Yield the headings of columns left out; an estimate and its interval share a heading."""
        headings = {column.key: self.text(column.heading) for column in table.visible}
        keys = {column.key for column in left_out}
        for column in left_out:
            if not column.heading or column.kind == "span":
                continue
            figure, _, ends = column.key.rpartition("_")
            of_figure = column.kind in TWO_ENDED and ends == "ci" and figure in headings
            if of_figure and figure not in keys:
                yield self.text(Note("page_interval_of", {"heading": headings[figure]}))
            elif not of_figure:
                interval = f"{column.key}_ci" in keys
                above = headings[column.key]
                with_it = Note("page_with_interval", {"heading": above})
                yield self.text(with_it) if interval else above

    def _named(self, table: Table) -> Note:
        if table.caption:
            caption = shorten(self.text(table.caption), _LONGEST_TITLE, "...", 1.0)
            return Note("page_captioned", {"caption": caption})
        return Note("page_table_by", {"heading": self.text(table.visible[0].heading)})

    def left_out_of(self, notes: Sequence[Note]) -> Note:
        """Return a single note on the columns that several tables leave out."""
        parts = [self.text(Note("page_columns_of", note.values)) for note in notes]
        return Note("page_columns_left_out_of", {**notes[0].values, "tables": parts})

    def table_left_out(self, table: Table) -> Note:
        """Return the note that there is no room for a table."""
        return Note("page_table_left_out", {"table": self._named(table), "files": self._files})

    def tables_folded(self, tables: Sequence[Table]) -> Note:
        """Return the note on tables that repeat pictures and are written to files only."""
        captions = [self.text(table.caption) for table in tables]
        return Note("page_tables_folded", {"tables": captions, "files": self._files})

    def cells(self, column: Column, rows: Sequence[int]) -> list[str]:
        """Return the cells of a column as text."""
        if column.kind not in NAMES or column.kind == "time" or column.marks is not None:
            return texts_of(column, rows)
        values = [column.values[row] for row in rows]
        return [self.text(value) if isinstance(value, Note) else _name(value) for value in values]


def texts_of(column: Column, rows: Sequence[int]) -> list[str]:
    """Return the cells of a column, none of which is a note, as text."""
    values = [column.values[row] for row in rows]
    if column.kind == "time":
        texts = formats.times(column.values)
        return [texts[row] for row in rows]
    if column.kind in ROUNDED:
        texts = [ROUNDED[column.kind](value, column.decimals) for value in values]
    elif column.kind in _WRITTEN:
        texts = [_WRITTEN[column.kind](value) for value in values]
    else:
        texts = [_name(value) for value in values]
    if column.marks is None:
        return texts
    # a blank replaces a missing mark, so that numbers stay aligned
    return [
        f"{text}{MARK if column.marks[row] else ' '}" for row, text in zip(rows, texts, strict=True)
    ]


def _name(value: object) -> str:
    return "" if value is None else formats.name(value)


def shorten(text: str, width: int, dots: str = "…", where: float = 0.5) -> str:
    """Cut a text to a width; ``where`` is the position of the cut, 0 at its start, 1 at its end.

    Examples
    --------
    >>> shorten("annotator-17", 9), shorten("a long text", 7, where=1)
    ('anno…r-17', 'a long…')
    """
    if cell_len(text) <= width:
        return text
    room = max(0, width - cell_len(dots))
    first = min(room, round(where * room + 0.01))
    head = set_cell_size(text, first).rstrip() if first else ""
    tail = set_cell_size(text[::-1], room - first)[::-1].lstrip() if first < room else ""
    return head + dots + tail


def shorten_all(
    texts: Sequence[str], width: int, dots: str = "…", positions: Sequence[float] = POSITIONS
) -> list[str]:
    """Cut texts to a width, at the position that leaves most of them distinct.

    With several ``positions``, a beginning or end that most texts share is left out before they are
    cut, unless fewer of them would then stay distinct.

    Examples
    --------
    >>> shorten_all(["coder17@a.org", "coder18@a.org"], 9)
    ['coder17@…', 'coder18@…']
    >>> shorten_all(["set.ann-b", "set.bob-c", "set.eve-d"], 8)
    ['…ann-b', '…bob-c', '…eve-d']
    """
    if all(cell_len(text) <= width for text in texts):
        return list(texts)
    candidates = [texts] if len(positions) == 1 else [_differing(texts, dots), texts]
    cuts = [
        [shorten(text, width, dots, position) for text in candidate]
        for candidate in candidates
        for position in positions
    ]
    return max(cuts, key=lambda cut: len(set(cut)))


def distinct_names(names: Sequence[str], width: int, dots: str = "…") -> list[str]:
    """Cut names to a width, and number them if cutting makes some of them equal.

    Examples
    --------
    >>> distinct_names(["x" * 30 + "a" + "y" * 30, "x" * 30 + "b" + "y" * 30], 8)
    ['1 xxxx…y', '2 xxxx…y']
    """
    cut = shorten_all(names, width, dots)
    if len(set(cut)) == len(set(names)):
        return cut
    number = {name: k for k, name in enumerate(dict.fromkeys(names), start=1)}
    return [shorten(f"{number[name]} {name}", width, dots, 0.8) for name in names]


def _differing(texts: Sequence[str], dots: str) -> list[str]:
    """Replace by dots the beginning or end that most texts share, such as "@" and an address."""
    known = {text: text for text in texts}
    end = _shared([_parts(name[::-1]) for name in known])[::-1]
    start = _shared([_parts(name.removesuffix(end)) for name in known])
    for name in known:
        if end and name.endswith(end):
            known[name] = name.removesuffix(end) + end[0] + dots
        if start and name.removesuffix(end).startswith(start):
            known[name] = dots + known[name].removeprefix(start)
    return [known[text] for text in texts]


def _parts(name: str) -> list[str]:
    """Return the beginnings of a name, up to each character that is neither letter nor digit."""
    first = name[:_SHARED]
    return [first[: at + 1] for at, letter in enumerate(first[:-1]) if not letter.isalnum()]


def _shared(parts: Sequence[Sequence[str]]) -> str:
    """Return the longest beginning that more than half of the names have, or an empty text."""
    often = Counter(chain.from_iterable(parts))
    usual = [part for part, times in often.items() if len(part) > 1 and 2 * times > len(parts) > 1]
    return max(usual, key=len, default="")
