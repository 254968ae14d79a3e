"""Pages in a terminal: names are cut, spare columns left out whole, figures never touched."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text as Line

from iaa_jax.pages.blocks import Block, Column, Facts, Paragraph, Passages, Picture, Remarks, Table
from iaa_jax.pages.cells import NAMES, Speaker, shorten
from iaa_jax.wording import Note, Spelling

if TYPE_CHECKING:
    from iaa_jax.pages.page import Page

LONGEST = 28
"""Characters of a name that a table shows."""

_LONGEST_ABOVE = 14
"""The same of a name above figures."""

_LEAST = 8  # of a text or a heading that is cut
_LEAST_OF_NAME = 12
_LEAST_OF_KEY = 20  # of what says whose row it is
_LAST_OF_KEY = 10  # the same where only columns that are not spare are left
_GAP = 2
_POSITIONS = (0.5, 0.8, 0.2, 0.0, 1.0)  # where a name is cut, the best first
_GLUE = "\ufdd5"  # a noncharacter: a blank where no line ends
_DRAWN = 21
"""Characters of a drawn interval."""


def render(page: Page, spelling: Spelling) -> str:
    """The page as text, as wide as the terminal."""
    target = io.StringIO()
    print_page(Console(file=target, markup=False, emoji=False, highlight=False), page, spelling)
    return target.getvalue().rstrip("\n")


def print_page(console: Console, page: Page, spelling: Spelling) -> None:
    """Print the answer and the blocks; what columns and figures mean stands at the end."""
    speaker = Speaker(page, spelling)
    for note in page.answer:
        _put(console, _sentences(speaker.text(note)))
    printed = bool(page.answer)
    remarks: list[Note] = []
    shown: dict[str, set[str]] = {}
    for block in page.blocks:
        if isinstance(block, Remarks):
            remarks += block.notes
            continue
        if isinstance(block, Picture):
            continue
        if isinstance(block, Table) and (block.in_files or not block.rows):
            continue
        if isinstance(block, Table) and block.whole and not _has_room(console, block, speaker):
            remarks.append(speaker.table_left_out(block))
            continue
        if printed:
            console.print()
        if isinstance(block, Table):
            shown[block.id] = _print_table(console, block, speaker, remarks)
        else:
            _print_block(console, block, speaker)
        printed = True
    sentences = dict.fromkeys(speaker.text(note) for note in _told_apart(remarks, shown))
    if sentences:
        console.print()
        _put(console, _grid([("-", sentence) for sentence in sentences], gap=1))


def _print_block(console: Console, block: Block, speaker: Speaker) -> None:
    """Print a block that is no table."""
    if isinstance(block, Facts):
        rows = [(speaker.text(heading), speaker.text(text)) for heading, text in block.rows]
        room = console.width - max(cell_len(heading) for heading, _ in rows) - _GAP
        rows = [(heading, _behind_slashes(text, room)) for heading, text in rows]
        _put(console, _grid(rows, gap=_GAP))
    elif isinstance(block, Paragraph):
        _put(console, _sentences(" ".join(speaker.text(note) for note in block.notes)))
    elif isinstance(block, Passages):
        _print_passages(console, block, speaker)


def _print_passages(console: Console, block: Passages, speaker: Speaker) -> None:
    from iaa_jax.pages.passages import lines_of

    if block.caption:
        _put(console, _sentences(speaker.text(block.caption)))
    for passage in block.passages:
        console.print()
        _put(console, _sentences(speaker.text(passage.heading)))
        for line in lines_of(passage, console.width, ascii_only=console.options.ascii_only):
            console.print(Line(line), soft_wrap=True)


def _printed(table: Table, speaker: Speaker) -> list[_Printed]:
    return [
        _Printed(column, table, speaker, first=not index)
        for index, column in enumerate(table.columns)
        if not column.in_files or column.stands_for
    ]


def _has_room(console: Console, table: Table, speaker: Speaker) -> bool:
    """Whether no column of a table would be left out."""
    columns = _printed(table, speaker)
    whole = [column for column in columns if not column.column.stands_for]
    return _parts(console.width, columns) == [whole]


def _print_table(console: Console, table: Table, speaker: Speaker, remarks: list[Note]) -> set[str]:
    """Print a table, and return its headings; what is to be said of it goes to the remarks."""
    columns = _printed(table, speaker)
    parts = _parts(console.width, columns)
    if table.caption:
        _put(console, _sentences(speaker.text(table.caption)))
        console.print()
    for part in parts:
        if part is not parts[0]:
            console.print()
        for column, shown in zip(part, _print_columns(console, part), strict=True):
            if shown != column.heading:
                _say_in_full(column.heading, shown, remarks)
    replaced = {column.column.stands_for for part in parts for column in part} - {""}
    left_out = [
        column.column
        for column in columns
        if not any(column in part for part in parts)
        and not column.column.stands_for
        and column.column.group not in replaced
    ]
    remarks += speaker.remarks_on(table, left_out)
    return {column.heading for part in parts for column in part}


def _told_apart(remarks: Sequence[Note], shown: Mapping[str, set[str]]) -> list[Note]:
    """What tables leave out, in one sentence, but of those whose headings another table shows."""
    told: list[Note] = []
    plain: Note | None = None
    for note in remarks:
        if note.code != "page_columns_left_out":
            told.append(note)
            continue
        headings = note.listed("headings")
        others = [above for table, above in shown.items() if table != note.values["id"]]
        if any(figure in above for figure in note.listed("figures") for above in others):
            told.append(Note("page_columns_left_out_of", note.values))
            continue
        if plain is None:
            place = len(told)
            told.append(note)
        else:
            headings = list(dict.fromkeys([*plain.listed("headings"), *headings]))
        plain = told[place] = Note(note.code, {**note.values, "headings": headings})
    return told


def _say_in_full(heading: str, shown: str, remarks: list[Note]) -> None:
    """Say a heading in full, in one sentence for all the ways in which tables cut it."""
    for place, note in enumerate(remarks):
        if note.code == "page_heading_cut" and note.values["heading"] == heading:
            several = list(dict.fromkeys([*note.listed("shown"), shown]))
            remarks[place] = Note(note.code, {"shown": several, "heading": heading})
            return
    remarks.append(Note("page_heading_cut", {"shown": [shown], "heading": heading}))


def _print_columns(console: Console, columns: Sequence[_Printed]) -> list[str]:
    """Print them, and return their headings as they were shown."""
    ascii_only = console.options.ascii_only
    widths = _widths(console.width, columns)
    dots = "..." if ascii_only else "…"
    headings = _headings(columns, widths, dots)
    console.print(Line(_line(columns, headings, widths), style="bold"), soft_wrap=True)
    console.print(Line(("-" if ascii_only else "─") * _total(widths)), soft_wrap=True)
    cut = [column.cut(width, dots) for column, width in zip(columns, widths, strict=True)]
    for cells in zip(*cut, strict=True):
        console.print(Line(_line(columns, cells, widths)), soft_wrap=True)
    return headings


def _widths(width: int, columns: Sequence[_Printed]) -> list[int]:
    """How wide each column is: the first ones get the room first, names above figures alike."""
    widths = [column.least for column in columns]
    room = width - _total(widths)
    less = max(0, min(-room, columns[0].least - columns[0].last))
    widths[0] -= less
    room += less
    if room < 0:  # too little of the names could be shown: all of them become brief
        widths[1:] = [column.last for column in columns[1:]]
        room = width - _total(widths)
    for index, column in enumerate(columns):
        sharing = sum(other.named_figures for other in columns[index:])
        share = room // sharing if column.named_figures else room
        more = max(0, min(share, column.natural - widths[index]))
        widths[index] += more
        room -= more
    return widths


def _headings(columns: Sequence[_Printed], widths: Sequence[int], dots: str) -> list[str]:
    """The headings at these widths: names are cut where it leaves them distinct, or are brief."""
    headings = [column.heading for column in columns]
    named = [index for index, column in enumerate(columns) if column.brief]
    # above figures all are cut at one width: else their cuts would differ by that alone
    above = [k for k in named if columns[k].named_figures]
    cut = [widths[k] for k in above if widths[k] < cell_len(headings[k])]
    alike = min([*cut, _LONGEST_ABOVE])
    room = [alike if k in above else widths[k] for k in named]
    cuts = [
        [shorten(headings[k], most, dots, position) for k, most in zip(named, room, strict=True)]
        for position in _POSITIONS
    ]
    names = max(cuts, key=lambda cut: len(set(cut)))
    too_short = any(
        most < min(_LEAST, cell_len(headings[k])) for k, most in zip(named, room, strict=True)
    )
    if too_short or len(set(names)) < len(names):
        names = [columns[k].brief for k in named]
    for k, name in zip(named, names, strict=True):
        headings[k] = name
    return headings


class _Printed:
    """A column as a terminal shows it."""

    def __init__(self, column: Column, table: Table, speaker: Speaker, *, first: bool) -> None:
        self.column = column
        self.first = first
        self.heading = speaker.text(column.heading)
        self.brief = speaker.text(column.brief)
        if column.kind == "span":
            ends = (column.values[row] for row in table.rows_shown)
            self.heading, self.cells = _drawn(
                [np.asarray(row, np.float64).tolist() for row in ends]
            )
        else:
            self.cells = speaker.cells(column, table.rows_shown)
        self.left = column.kind in (*NAMES, "span")

    @property
    def named_figures(self) -> bool:
        """Whether a name from the data stands above figures."""
        return bool(self.brief) and self.column.kind not in NAMES

    @property
    def natural(self) -> int:
        """The width that shows all of it; names have a limit."""
        limit = LONGEST if self.column.kind == "label" else self._widest
        above = LONGEST if self.column.kind in NAMES else _LONGEST_ABOVE
        return max(self._above(above), min(self._widest, limit))

    @property
    def least(self) -> int:
        """The width below which it is not shown beside columns that are spare."""
        if self.column.kind not in ("label", "text"):
            return max(self._above(_LEAST), self._widest)
        name = _LEAST_OF_KEY if self.first else _LEAST_OF_NAME
        least = name if self.column.kind == "label" else _LEAST
        return min(self.natural, max(least, self._above(_LEAST)))

    @property
    def last(self) -> int:
        """The width below which it is not shown at all."""
        if self.first:
            return min(self.least, max(_LAST_OF_KEY, self._above(_LEAST)))
        if self.named_figures:
            return max(self._above(cell_len(self.brief)), self._widest)
        return self.least

    @property
    def _widest(self) -> int:
        return max((cell_len(cell) for cell in self.cells), default=0)

    def _above(self, limit: int) -> int:
        """The width of the heading, which has a limit if it is a name."""
        return min(cell_len(self.heading), limit) if self.brief else cell_len(self.heading)

    def cut(self, width: int, dots: str) -> list[str]:
        """The cells at a width; names where it leaves the most of them distinct."""
        if self.column.kind not in NAMES or width >= self.natural == self.least:
            return self.cells
        positions = _POSITIONS if self.column.kind == "label" else (1.0,)
        cuts = [
            [shorten(cell, width, dots, position) for cell in self.cells] for position in positions
        ]
        return max(cuts, key=lambda cells: len(set(cells)))


def _parts(width: int, columns: Sequence[_Printed]) -> list[list[_Printed]]:
    """The columns that fit: the most spare go first, then names give way, then the last go below.

    Below stands another part of the table, that begins with the first column again.
    """
    drawn = [column for column in columns if column.cells or column.column.kind != "span"]
    fitting = [column for column in drawn if not column.column.stands_for]
    while _total([column.least for column in fitting]) > width:
        dropped = max(fitting, key=lambda column: column.column.spare)
        if not dropped.column.spare:
            break
        fitting.remove(dropped)
        if group := dropped.column.group:
            fitting = [
                column
                for column in drawn
                if column.column.stands_for == group
                or (column in fitting and column.column.group != group)
            ]
    key = fitting[:1]
    parts = [key]
    for column in fitting[1:]:
        longer = [*parts[-1], column]
        # words are cut only where not even one column has room beside them
        needed = [each.least if each.column.kind == "word" else each.last for each in longer]
        if _total(needed) <= width or len(longer) == 2:
            parts[-1] = longer
        else:
            parts.append([*key, column])
    return parts


def _drawn(spans: Sequence[Sequence[float]]) -> tuple[str, list[str]]:
    """Estimates with their intervals on one scale: a heading with its ends, and a line each.

    What they are compared with shows where no interval hides it.
    """
    known = [value for span in spans for value in span if math.isfinite(value)]
    if len(known) < 2 or max(known) - min(known) < 1e-9:
        return "", []
    least = math.floor(20 * min(known) + 1e-9) / 20
    most = math.ceil(20 * max(known) - 1e-9) / 20

    def cell_of(value: float) -> int:
        return round((value - least) / (most - least) * (_DRAWN - 1))

    cells = []
    for estimate, low, high, *compared in spans:
        line = [" "] * _DRAWN
        for value in filter(math.isfinite, compared):
            line[cell_of(value)] = ":"
        if math.isfinite(low) and math.isfinite(high):
            line[cell_of(low) : cell_of(high) + 1] = "-" * (cell_of(high) - cell_of(low) + 1)
        if math.isfinite(estimate):
            line[cell_of(estimate)] = "o"
        cells.append("".join(line).rstrip())
    ends = f"{least:.2f}", f"{most:.2f}"
    return ends[0] + ends[1].rjust(_DRAWN - len(ends[0])), cells


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _line(columns: Sequence[_Printed], cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for column, cell, width in zip(columns, cells, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        parts.append(cell + blanks if column.left else blanks + cell)
    return (" " * _GAP).join(parts).rstrip()


def _grid(rows: Sequence[tuple[str, str]], gap: int) -> Grid:
    grid = Grid.grid(padding=(0, gap))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for heading, text in rows:
        grid.add_row(Line(heading), _sentences(text))
    return grid


def _behind_slashes(text: str, width: int) -> str:
    """A text in which what is longer than a line, as a path, is broken behind slashes."""
    words = text.split(" ")
    for place, word in enumerate(words):
        lines = [""]
        for part in re.split(r"(?<=[/\\])", word):
            if lines[-1] and cell_len(lines[-1] + part) > width:
                lines.append("")
            lines[-1] += part
        words[place] = "\n".join(lines)
    return " ".join(words)


def _sentences(text: str) -> Line:
    """Sentences, in which no line begins with the sign of a percentage."""
    return Line(text.replace(" %", f"{_GLUE}%"))


def _put(console: Console, renderable: RenderableType) -> None:
    """Print without the blanks that tables leave at the ends of lines."""
    with console.capture() as captured:
        console.print(renderable)
    for line in captured.get().splitlines():
        whole = line.rstrip().replace(_GLUE, " ")
        console.print(Line.from_ansi(whole), soft_wrap=True)
