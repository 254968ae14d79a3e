"""Find totals in tables of counts, because totals are neither labels nor items.

A row or column that is named like totals and equals the sums of the other rows or columns is
refused. If it only has such a name, or only equals the sums, it may be genuine, and is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Floats
from iaa_jax.data.usual_names import named_like_totals
from iaa_jax.wording import Note
from iaa_jax.wording.formats import enumerated

ENOUGH = 3
"""Minimum number of rows or columns for a note on sums; with fewer, sums may be a coincidence.

In a table of items x labels, the row or column of sums does not count towards this number.
"""


class Lines(NamedTuple):
    """The lines of a table: its rows or its columns.

    ``noun`` is "row" or "column", ``counts`` is an array (line, cell), and ``names`` is empty for
    lines without names.
    """

    noun: str
    counts: Floats
    names: Sequence[object]

    @property
    def sums(self) -> list[int]:
        """The positions of the lines that equal the sums of the other lines."""
        line_sums, of_all = self.counts.sum(axis=1), self.counts.sum(axis=0)
        half = np.flatnonzero((line_sums > 0) & (2 * line_sums == line_sums.sum())).tolist()
        return [place for place in half if np.array_equal(2 * self.counts[place], of_all)]

    @property
    def last_is_sum(self) -> bool:
        """Whether the last line equals the sums of the other lines."""
        return len(self.counts) - 1 in self.sums

    @property
    def totals(self) -> dict[int, str]:
        """Lines that are named like totals and equal the sums of the others, by position."""
        named = {place: self.names[place] for place in self.sums if self.names}
        return {
            place: f"{self.noun} {brief(name)}"
            for place, name in named.items()
            if named_like_totals(name)
        }


def lines_of(
    counts: Floats, rows: pd.Index | None, columns: pd.Index | None
) -> tuple[Lines, Lines]:
    """Return the rows and the columns of a table, with their names if they have any."""
    return (
        Lines("row", counts, () if rows is None else rows.tolist()),
        Lines("column", counts.T, () if columns is None else columns.tolist()),
    )


def refuse_totals(lines: Sequence[Lines]) -> None:
    """Refuse a row or column that is named like totals and holds the sums of the others."""
    totals = [total for each in lines for total in each.totals.values()]
    if totals:
        single = len(totals) == 1
        raise IaaError(
            f"{enumerated(totals)} {'holds' if single else 'hold'} the totals of the others, which "
            f"are counted already: leave {'it' if single else 'them'} out, or rename a genuine "
            "label or item with such a name"
        )


def notes_on_counts(rows: Lines, columns: Lines) -> list[Note]:
    """Return notes on possible totals in a table of items x labels."""
    many = [each for each in (rows, columns) if len(each.counts) > ENOUGH]
    sums = [each.noun for each in many if each.last_is_sum]
    return _notes_on_sums(sums, columns)


def notes_on_contingency(rows: Lines, columns: Lines) -> list[Note]:
    """Return notes on possible totals in a contingency table: sums in both rows and columns."""
    both = len(columns.counts) >= ENOUGH and rows.last_is_sum and columns.last_is_sum
    return _notes_on_sums(["row", "column"] if both else [], columns)


def _notes_on_sums(sums: Sequence[str], labels: Lines) -> list[Note]:
    notes = []
    if sums:
        notes.append(Note("sums_as_counts", {"lines": list(sums), "count": len(sums)}, "caution"))
    named = [str(name) for name in labels.names if named_like_totals(name)]
    if named:
        notes.append(Note("labels_like_totals", {"labels": named, "count": len(named)}, "caution"))
    return notes
