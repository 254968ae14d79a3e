"""Widths of table columns in a terminal: what is cut, and which columns are left out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from rich.cells import cell_len

from iaa_jax.pages.blocks import Column, Table
from iaa_jax.pages.cells import NAMES, POSITIONS, Speaker, shorten, shorten_all

LONGEST = 28
"""Maximum width of the name of a row."""

_LONGEST_ABOVE = 14
"""Maximum width of a name above a column of numbers."""

_LEAST = 8  # minimum width to which a text or a heading is cut
_LEAST_OF_NAME = 12
_LEAST_OF_ROW_NAME = 20  # minimum width while there are spare columns to leave out
_LAST_OF_ROW_NAME = 10  # minimum width once all spare columns are left out
GAP = 2
_DRAWN = 21
"""Width of a drawn interval."""


def widths_of(width: int, columns: Sequence[Printed]) -> list[int]:
    """Return the widths of columns, which get room from left to right.

    Three kinds of columns share the room evenly: labels after the first column, texts, and numbers
    under headings that are names.
    """
    widths = [column.least for column in columns]
    room = width - total(widths)
    less = max(0, min(-room, columns[0].least - columns[0].last))
    widths[0] -= less
    room += less
    if room < 0:  # names would be cut too short, so brief ones replace them
        widths[1:] = [column.last for column in columns[1:]]
        room = width - total(widths)
    for index, column in enumerate(columns):
        alike = sum(other.shares_as == column.shares_as for other in columns[index:])
        share = room // alike if column.shares_as else room
        more = max(0, min(share, column.natural - widths[index]))
        widths[index] += more
        room -= more
    for index, column in enumerate(columns):  # long texts also get the room that short ones left
        if column.shares_as == "text":
            more = max(0, min(room, column.natural - widths[index]))
            widths[index] += more
            room -= more
    return widths


def cut_alike(
    columns: Sequence[Printed], widths: Sequence[int], dots: str, cells: list[list[str]]
) -> None:
    """Cut the labels of several columns in the same way, so that a label always looks the same."""
    labels = [k for k, column in enumerate(columns) if column.shares_as == "label"]
    cut = [widths[k] for k in labels if columns[k].widest > widths[k]]
    if len(labels) < 2 or not cut:
        return
    known = list(dict.fromkeys(cell for k in labels for cell in columns[k].cells))
    best = dict(zip(known, shorten_all(known, min(cut), dots), strict=True))
    for k in labels:
        cells[k] = [best[cell] for cell in columns[k].cells]


def headings_of(columns: Sequence[Printed], widths: Sequence[int], dots: str) -> list[str]:
    """Return headings for these widths; names are cut, or replaced if cut names are unclear."""
    headings = [column.heading for column in columns]
    named = [index for index, column in enumerate(columns) if column.brief]
    # names above numbers get one width; otherwise cut names might differ only in length
    above = [k for k in named if columns[k].named_figures]
    cut = [widths[k] for k in above if widths[k] < cell_len(headings[k])]
    alike = min([*cut, _LONGEST_ABOVE])
    room = [alike if k in above else widths[k] for k in named]
    cuts = [
        [shorten(headings[k], most, dots, position) for k, most in zip(named, room, strict=True)]
        for position in POSITIONS
    ]
    names = max(cuts, key=lambda cut: len(set(cut)))
    too_short = any(
        most < min(_least_above(columns[k]), cell_len(headings[k]))
        for k, most in zip(named, room, strict=True)
    )
    if too_short or len(set(names)) < len(names):
        names = [columns[k].brief for k in named]
    for k, name in zip(named, names, strict=True):
        headings[k] = name
    return headings


def _least_above(column: Printed) -> int:
    """Return the width below which a brief name is shown instead of a cut heading."""
    return cell_len(column.heading) if column.column.named_above else _LEAST


class Printed:
    """A column as printed in a terminal."""

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
        """Whether the column has numbers under a heading that is a name from the data."""
        return bool(self.brief) and self.column.kind not in NAMES

    @property
    def shares_as(self) -> str:
        """The kind of columns with which the column shares room, or "" if it shares none."""
        if self.named_figures:
            return "figures"
        if self.column.kind == "text" or (self.column.kind == "label" and not self.first):
            return self.column.kind
        return ""

    @property
    def natural(self) -> int:
        """The width that shows every cell whole, except that names have a maximum width."""
        limit = LONGEST if self.column.kind == "label" else self.widest
        above = LONGEST if self.column.kind in NAMES else _LONGEST_ABOVE
        return max(self._above(above), min(self.widest, limit))

    @property
    def least(self) -> int:
        """The minimum width while there are spare columns to leave out."""
        if self.column.kind not in ("label", "text"):
            return max(self._above(_LEAST), self.widest)
        name = _LEAST_OF_ROW_NAME if self.first else _LEAST_OF_NAME
        least = name if self.column.kind == "label" else _LEAST
        return min(self.natural, max(least, self._above(_LEAST)))

    @property
    def last(self) -> int:
        """The minimum width once all spare columns are left out."""
        if self.first:
            return min(self.least, max(_LAST_OF_ROW_NAME, self._above(_LEAST)))
        if self.named_figures:
            return max(self._above(cell_len(self.brief)), self.widest)
        return self.least

    @property
    def widest(self) -> int:
        """The width of the longest cell."""
        return max((cell_len(cell) for cell in self.cells), default=0)

    def _above(self, limit: int) -> int:
        """Return the width of the heading, limited if it is a name."""
        width = cell_len(self.heading)
        if not self.brief or width <= limit:
            return width
        return cell_len(self.brief) if self.column.named_above else limit

    def cut(self, width: int, dots: str) -> list[str]:
        """Return the cells at this width; names are cut so that most of them stay distinct."""
        if self.column.kind not in NAMES or width >= self.natural == self.least:
            return self.cells
        positions = POSITIONS if self.column.kind == "label" else (1.0,)
        return shorten_all(self.cells, width, dots, positions)


def parts_of(width: int, columns: Sequence[Printed]) -> list[list[Printed]]:
    """Split a table into parts that fit the width, each beginning with the first column.

    Spare columns are left out first, then names are cut, and finally columns move to a further
    part.
    """
    drawn = [column for column in columns if column.cells or column.column.kind != "span"]
    fitting = [column for column in drawn if not column.column.stands_for]
    while total([column.least for column in fitting]) > width:
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
        # words keep their width; they are cut only if not even one column fits next to the key
        needed = [part.least if part.column.kind == "word" else part.last for part in longer]
        if total(needed) <= width or len(longer) == 2:
            parts[-1] = longer
        else:
            parts.append([*key, column])
    return parts


def _drawn(spans: Sequence[Sequence[float]]) -> tuple[str, list[str]]:
    """Return estimates and intervals drawn on one scale, after a heading with the scale's ends.

    A number for comparison is drawn too, unless the estimate or the interval covers it.
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


def total(widths: Sequence[int]) -> int:
    """Return the width of all columns, with the gaps between them."""
    return sum(widths) + GAP * (len(widths) - 1)
