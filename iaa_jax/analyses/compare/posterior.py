"""The posterior of a difference: both sets drawn with what their items did not show.

Each set begins with the pseudo-items of `iaa_jax.measure.prior`, for the labels that either has in
use. Items of paired sets have a pattern of ratings in each: a pseudo-item of A then goes with one
of B whatever they are, so that a difference that no item shows stays possible, as where Agresti and
Min add half an item to all four cells of two paired shares.

Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched
proportions. Statistics in Medicine 24(5). https://doi.org/10.1002/sim.1781
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.compare.clusters import sum_columns
from iaa_jax.analyses.compare.two_sets import TwoSets, adder
from iaa_jax.engine import PatternTable, Prepared, Problem, Resampling, over_rows, sampled_rows
from iaa_jax.engine.drawing.tables import coarsest
from iaa_jax.engine.rows import Progress
from iaa_jax.measure.prior import GOLDEN, Labels, labels_of
from iaa_jax.measure.pseudo_items import one_less, with_prior
from iaa_jax.measure.request import Request

MOST_PAIRS = 256
"""Pseudo-items of A times those of B up to which every two go together."""

TURNS = 4
"""How often the pseudo-items of A are laid beside those of B otherwise."""

_DIRICHLET = Resampling("dirichlet")


def posterior_differences(
    requests: Sequence[Request],
    sides: Sequence[tuple[Problem, Problem]],
    sets: TwoSets,
    replicates: int,
    seed: int,
    prior: float | None,
    progress: Progress | None = None,
) -> list[Floats]:
    """Draws (replicate,) of B - A for coefficients of labels, by their problems in A and in B.

    Those of other priors have draws of their own: what else is asked changes none.
    """
    labels = [
        [_of_side(request, problem) for problem in pair]
        for request, pair in zip(requests, sides, strict=True)
    ]
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, of_sides in enumerate(labels):
        groups.setdefault(tuple(each.root for each in of_sides), []).append(index)
    differences: dict[int, Floats] = {}
    for group in groups.values():
        a, b = (
            with_prior(
                [sides[index][side] for index in group],
                [labels[index][side] for index in group],
                prior,
            )
            for side in (0, 1)
        )
        tables, rows = _drawn(a, b, sets, replicates, seed)
        values = over_rows(Prepared([*a, *b]), tables, rows, replicates, progress=progress)
        for place, index in enumerate(group):
            differences[index] = values[len(group) + place] - values[place]
    return [differences[index] for index in range(len(requests))]


def _of_side(request: Request, problem: Problem) -> Labels:
    """The labels that either set has in use, on items with ratings as those of one set.

    Both begin with as many pseudo-items.
    """
    of_both = request.labels
    assert of_both is not None
    own = labels_of(problem, request.label_distance, of_both.codes)
    assert own.told is not None
    assert of_both.told is not None
    return own._replace(told=own.told._replace(telling=of_both.told.telling))


def _drawn(
    a: Sequence[Problem], b: Sequence[Problem], sets: TwoSets, replicates: int, seed: int
) -> tuple[list[PatternTable], Iterator[tuple[Floats, ...]]]:
    """The tables of both sets, and rows of weights on them."""
    of_a, of_b = _tables(a), _tables(b)
    tables = [*of_a, *of_b]
    if not sets.paired:
        return tables, sampled_rows(tables, replicates, seed, _DIRICHLET)
    coarse = _coarse_pairs(sets, coarsest(of_a[0]), coarsest(of_b[0]))
    joint = [
        coarse if table_a.coarse is None else _fine_pairs(sets, coarse, table_a, table_b)
        for table_a, table_b in zip(of_a, of_b, strict=True)
    ]
    to_a = [adder(pairs.a, len(table.count)) for pairs, table in zip(joint, of_a, strict=True)]
    to_b = [adder(pairs.b, len(table.count)) for pairs, table in zip(joint, of_b, strict=True)]

    def rows() -> Iterator[tuple[Floats, ...]]:
        for drawn in sampled_rows([pairs.table for pairs in joint], replicates, seed, _DIRICHLET):
            yield tuple(
                sum_columns(matrix, part)
                for to_set in (to_a, to_b)
                for matrix, part in zip(to_set, drawn, strict=True)
            )

    return tables, rows()


def _tables(problems: Sequence[Problem]) -> list[PatternTable]:
    """Every table once: of raters who are told apart, or not."""
    return [*{id(problem.table): problem.table for problem in problems}.values()]


class _PatternPairs(NamedTuple):
    """Patterns of both sets that go together: as many as items show, and then the prior's."""

    table: PatternTable
    a: Integers
    b: Integers


def _coarse_pairs(sets: TwoSets, a: PatternTable, b: PatternTable) -> _PatternPairs:
    """Pairs of patterns of raters who are not told apart."""
    known = len(sets.a.exchangeable.count)
    of_a, of_b, number = coupled(_of_prior(a, known), _of_prior(b, known))
    return _PatternPairs(
        _with_pairs(sets.coarse_joint, number, _is_usual(a, known)),
        np.concatenate([sets.coarse_of_a, known + of_a]),
        np.concatenate([sets.coarse_of_b, known + of_b]),
    )


def _fine_pairs(
    sets: TwoSets, coarse: _PatternPairs, a: PatternTable, b: PatternTable
) -> _PatternPairs:
    """Pairs where raters are told apart: of each coarse pair all orders of either."""
    known, known_coarse = len(sets.a.identified.count), len(sets.a.exchangeable.count)
    orders_a, orders_b = (_orders(table, known, known_coarse) for table in (a, b))
    assert coarse.table.prior is not None
    parts = []
    for pair in range(len(sets.coarse_joint.count), len(coarse.table.count)):
        begin_a, ways_a = orders_a[coarse.a[pair] - known_coarse]
        begin_b, ways_b = orders_b[coarse.b[pair] - known_coarse]
        of_a, of_b, share = _orders_beside(ways_a, ways_b, pair % max(ways_a, ways_b))
        group = np.full(len(share), pair)
        parts.append((begin_a + of_a, begin_b + of_b, share * coarse.table.prior[pair], group))
    of_a, of_b, number, group = (np.concatenate(column) for column in zip(*parts, strict=True))
    assert sets.joint.pattern_of is not None
    pattern_of = np.concatenate([sets.joint.pattern_of, group])
    return _PatternPairs(
        replace(
            _with_pairs(sets.joint, number, _is_usual(a, known)),
            coarse=coarse.table,
            pattern_of=pattern_of,
        ),
        np.concatenate([sets.of_a, known + of_a]),
        np.concatenate([sets.of_b, known + of_b]),
    )


def _of_prior(table: PatternTable, known: int) -> Floats:
    """As how many items each pseudo-item counts; they stand after the patterns of items."""
    assert table.prior is not None
    return table.prior[known:]


def _orders(table: PatternTable, known: int, known_coarse: int) -> list[tuple[int, int]]:
    """Of each coarse pseudo-item the first of its orders, and how many it has."""
    assert table.pattern_of is not None
    ways = np.bincount(table.pattern_of[known:] - known_coarse)
    return [*zip((np.cumsum(ways) - ways).tolist(), ways.tolist(), strict=True)]


def _is_usual(table: PatternTable, known: int) -> bool:
    """Whether items count one less, as with the usual prior."""
    return table.prior is not None and bool(table.prior[:known].any())


def _with_pairs(table: PatternTable, number: Floats, usual: bool) -> PatternTable:
    """A table of pairs with those of the prior."""
    count = np.concatenate([table.count, np.zeros(len(number))])
    less = one_less(table) if usual else 0.0 * table.count
    return PatternTable(count, prior=np.concatenate([less, number]))


def coupled(a: Floats, b: Floats) -> tuple[Integers, Integers, Floats]:
    """Pairs of two lists of weights with one sum: which of each, and the weight of the pair.

    Every two where there are few; else both lists lie beside one another, turned by parts of a
    golden section, and what meets makes a pair. The pairs of each add up to its own weight.

    Examples
    --------
    >>> of_a, of_b, number = coupled(np.array([0.5, 0.5]), np.array([0.25, 0.75]))
    >>> of_a.tolist(), of_b.tolist(), number.tolist()
    ([0, 0, 1, 1], [0, 1, 0, 1], [0.125, 0.375, 0.125, 0.375])
    """
    total = float(a.sum())
    if len(a) * len(b) <= MOST_PAIRS or not total:
        of_a, of_b = (part.ravel() for part in np.indices((len(a), len(b))))
        return of_a, of_b, np.outer(a, b).ravel() / (total or 1.0)
    parts = [_laid_beside(a / total, b / total, turn * GOLDEN % 1.0) for turn in range(TURNS)]
    of_a, of_b, number = (np.concatenate(column) for column in zip(*parts, strict=True))
    return of_a, of_b, number * (total / TURNS)


def _laid_beside(a: Floats, b: Floats, turn: float) -> tuple[Integers, Integers, Floats]:
    """What meets where b begins at ``turn`` of the way along a; both add up to 1."""
    ends_a, ends_b = np.cumsum(a), np.cumsum(b)
    cuts = np.concatenate([[0.0, 1.0], ends_a[:-1], (ends_b + turn) % 1.0])
    cuts = np.unique(np.round(cuts, 12))  # rounding alone makes no pair
    middle, length = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    last = len(a) - 1, len(b) - 1
    of_a = np.minimum(np.searchsorted(ends_a, middle, side="right"), last[0])
    of_b = np.minimum(np.searchsorted(ends_b, (middle - turn) % 1.0, side="right"), last[1])
    return of_a, of_b, length


@cache
def _orders_beside(a: int, b: int, turn: int) -> tuple[Integers, Integers, Floats]:
    """So many orders of a pseudo-item of A beside those of one of B, which begin elsewhere."""
    return _laid_beside(np.full(a, 1 / a), np.full(b, 1 / b), turn / max(a, b))


def two_sided(draws: Floats) -> float:
    """Twice the share of draws on the other side of 0, by the quantiles that intervals have.

    A percentile interval leaves out 0 just where it is smaller than one less the confidence. The
    data count as one draw more, so that it is never 0.

    Examples
    --------
    >>> round(two_sided(np.linspace(-1, 9, 101)), 6)
    0.2
    """
    below, up_to = _shares(draws, 0.0)
    return float(np.clip(2 * min(up_to, 1 - below), 2 / (1 + len(draws)), 1.0))


def not_within(draws: Floats, margin: float) -> float:
    """The larger of the shares of draws beyond either end of a margin."""
    lower, upper = _shares(draws, -margin)[1], 1 - _shares(draws, margin)[0]
    return float(np.clip(max(lower, upper), 1 / (1 + len(draws)), 1.0))


def _shares(draws: Floats, value: float) -> tuple[float, float]:
    """The shares of draws below a value, and up to it; between two draws they are one."""
    ordered = np.sort(draws[~np.isnan(draws)])
    last = len(ordered) - 1
    if last < 1:
        return np.nan, np.nan
    below, up_to = (int(np.searchsorted(ordered, value, side)) for side in ("left", "right"))
    if below == up_to and 0 < below <= last:
        under, over = ordered[below - 1], ordered[below]
        share = float(below - 1 + (value - under) / (over - under)) / last
        return share, share
    return below / last, (up_to - 1) / last
