"""Tables that fit their width: names are cut, columns left out whole, figures never touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

LONGEST = 28
"""Characters of a name that a table shows."""

_LEAST = 8  # of a text that is cut
_LEAST_OF_NAME = 12
_LEAST_OF_KEY = 20  # of what says whose row it is
_GAP = 2


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    heading
        What stands above it.
    cells
        One text a row.
    kind
        "figure" and "label" are never cut, "name" is cut in the middle, "text" at its end.
    spare
        Which column goes first where they do not all fit: the highest. 0 stays.
    """

    heading: str
    cells: Sequence[str]
    kind: str = "figure"
    spare: int = 0

    @property
    def natural(self) -> int:
        """The width that shows all of it; names have a limit."""
        widest = max((cell_len(cell) for cell in self.cells), default=0)
        limit = LONGEST if self.kind == "name" else widest
        return max(cell_len(self.heading), min(widest, limit))

    @property
    def least(self) -> int:
        """The width below which it is not shown."""
        if self.kind in ("figure", "label"):
            return self.natural
        name = _LEAST_OF_NAME if self.spare else _LEAST_OF_KEY
        least = name if self.kind == "name" else _LEAST
        return min(self.natural, max(least, cell_len(self.heading)))


def print_columns(console: Console, columns: Sequence[Column]) -> list[str]:
    """Print a table of the columns that fit; return the headings of those left out."""
    shown = list(columns)
    while _total([column.least for column in shown]) > console.width:
        spare = max(shown, key=lambda column: column.spare)
        if not spare.spare:
            break
        shown.remove(spare)
    widths = [column.least for column in shown]
    room = console.width - _total(widths)
    for place, column in enumerate(shown):
        more = max(0, min(room, column.natural - widths[place]))
        widths[place] += more
        room -= more
    dots = "..." if console.options.ascii_only else "…"
    rule = ("-" if console.options.ascii_only else "─") * _total(widths)
    heading = _line(shown, [column.heading for column in shown], widths)
    console.print(Text(heading, style="bold"), soft_wrap=True)
    console.print(Text(rule), soft_wrap=True)
    cut = [_cut(column, width, dots) for column, width in zip(shown, widths, strict=True)]
    for cells in zip(*cut, strict=True):
        console.print(Text(_line(shown, cells, widths)), soft_wrap=True)
    return [column.heading for column in columns if column not in shown]


def not_shown(left_out: Sequence[str], files: str = "--csv and --json have them") -> Iterator[str]:
    """The sentence on columns that did not fit."""
    if left_out:
        yield f"Not shown at this width: {', '.join(dict.fromkeys(left_out))}; {files}."


def shortened(text: str, width: int, dots: str = "…", where: float = 0.5) -> str:
    """A text of at most so many columns; ``where`` it is cut: 0 at its start, 1 at its end.

    Examples
    --------
    >>> shortened("annotator-17", 9), shortened("a long text", 7, where=1)
    ('anno…r-17', 'a long…')
    """
    if cell_len(text) <= width:
        return text
    room = max(0, width - cell_len(dots))
    first = min(room, round(where * room + 0.01))
    head = set_cell_size(text, first).rstrip() if first else ""
    tail = set_cell_size(text[::-1], room - first)[::-1].lstrip() if first < room else ""
    return head + dots + tail


def _cut(column: Column, width: int, dots: str) -> list[str]:
    """The cells at a width; names where it leaves the most of them distinct."""
    if column.kind == "figure":
        return list(column.cells)
    places = (0.5, 0.8, 0.2, 0.0, 1.0) if column.kind == "name" else (1.0,)
    cuts = [[shortened(cell, width, dots, place) for cell in column.cells] for place in places]
    return max(cuts, key=lambda cells: len(set(cells)))


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _line(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> str:
    parts = []
    for column, cell, width in zip(columns, cells, widths, strict=True):
        blanks = " " * (width - cell_len(cell))
        parts.append(blanks + cell if column.kind == "figure" else cell + blanks)
    return (" " * _GAP).join(parts).rstrip()
