"""Permutation tests as literal loops: every annotator's ratings in every order, or drawn orders.

Edgington, E. S. and Onghena, P. (2007). Randomization Tests, 4th edition. Phipson, B. and Smyth, G.
K. (2010). Permutation p-values should never be zero. Statistical Applications in Genetics and
Molecular Biology 9(1). doi:10.2202/1544-6115.1585.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence

Rows = Sequence[Sequence[str | None]]
Figure = Callable[[Rows], float]


def _column(rows: Rows, annotator: int) -> tuple[list[int], list[str]]:
    items = [i for i, row in enumerate(rows) if row[annotator] is not None]
    return items, [str(rows[i][annotator]) for i in items]


def _placed(rows: Rows, orders: Sequence[Sequence[str]]) -> list[list[str | None]]:
    placed: list[list[str | None]] = [[None] * len(row) for row in rows]
    for annotator, order in enumerate(orders):
        items, _ = _column(rows, annotator)
        for i, label in zip(items, order, strict=True):
            placed[i][annotator] = label
    return placed


def every_permutation(rows: Rows) -> Iterator[list[list[str | None]]]:
    """All orders of all annotators' ratings among the items that each rated."""
    columns = [_column(rows, annotator)[1] for annotator in range(len(rows[0]))]
    for orders in itertools.product(*(list(itertools.permutations(column)) for column in columns)):
        yield _placed(rows, orders)


def drawn_permutations(rows: Rows, times: int, seed: int) -> Iterator[list[list[str | None]]]:
    """Orders drawn one by one."""
    draws = random.Random(seed)
    for _ in range(times):
        orders = []
        for annotator in range(len(rows[0])):
            column = _column(rows, annotator)[1]
            draws.shuffle(column)
            orders.append(column)
        yield _placed(rows, orders)


def share_as_far(
    values: Sequence[float], estimate: float, *, two_sided: bool, moved: float = 0.0
) -> float:
    """Of all values, how many are as far out as the estimate; from their mean, or one so moved."""
    if two_sided:
        middle = sum(values) / len(values) + moved
        values, estimate = [abs(x - middle) for x in values], abs(estimate - middle)
    return sum(1 for x in values if x >= estimate - 1e-9) / len(values)
