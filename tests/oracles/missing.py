"""Every way to fill the gaps of a table, and the estimate of each, by literal loops.

Manski, C. F. (2003). Partial identification of probability distributions. Springer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

Rows = Sequence[Sequence[Any]]


def fillings(rows: Rows, labels: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """All complete tables that agree with what was rated."""
    gaps = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell is None]
    for chosen in product(labels, repeat=len(gaps)):
        filled = [list(row) for row in rows]
        for (i, j), label in zip(gaps, chosen, strict=True):
            filled[i][j] = label
        yield filled


def extremes(
    rows: Rows, labels: Sequence[Any], figure: Callable[[Rows], float]
) -> tuple[float, float]:
    """The smallest and largest defined estimate over all fillings."""
    values = [figure(filled) for filled in fillings(rows, labels)]
    defined = [value for value in values if value == value]
    return min(defined), max(defined)


def equal_pairs(rows: Rows) -> float:
    """The share of ordered pairs of ratings of an item that are equal."""
    pairs = [
        row[a] == row[b] for row in rows for a in range(len(row)) for b in range(len(row)) if a != b
    ]
    return sum(pairs) / len(pairs)
