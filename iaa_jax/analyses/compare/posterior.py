"""Draw the posterior of a difference, allowing for patterns of ratings that no item showed.

Each set has a pseudo-item, which gives weight to patterns of the labels used in either set (see
`iaa_jax.measure.requests.prior`). Intervals are computed with and without pseudo-items, and the
outer ends are used. Items of paired sets are drawn together, but their pseudo-items are not, so
that a difference that no item shows remains possible. Agresti and Min likewise add half an item to
all four cells of two paired shares.

Agresti, A. and Min, Y. (2005). Simple improved confidence intervals for comparing matched
proportions. Statistics in Medicine 24(5). https://doi.org/10.1002/sim.1781
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.compare.clusters import sum_columns
from iaa_jax.analyses.compare.permutations import Draws
from iaa_jax.analyses.compare.two_sets import TwoSets, adder
from iaa_jax.engine import PatternTable, Prepared, Problem, Resampling, over_rows, sampled_rows
from iaa_jax.engine.drawing.tables import coarsest
from iaa_jax.engine.rows import Progress
from iaa_jax.measure.intervals.pseudo_items import minus_one_item, with_prior
from iaa_jax.measure.requests.prior import Labels, farther_quantiles, labels_of
from iaa_jax.measure.requests.request import Request

_DIRICHLET = Resampling("dirichlet")


def posterior_differences(
    requests: Sequence[Request],
    sides: Sequence[tuple[Problem, Problem]],
    sets: TwoSets,
    draws: Draws,
    progress: Progress | None = None,
) -> list[Floats]:
    """Draw B - A (replicate,) for coefficients of labels.

    ``sides`` holds each coefficient's problems (formula and data) in A and in B. Further
    coefficients do not change the draws of a coefficient if they have another prior.
    """
    labels = [
        [_labels_for_set(request, problem) for problem in pair]
        for request, pair in zip(requests, sides, strict=True)
    ]
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, of_sides in enumerate(labels):
        groups.setdefault(tuple(side.prior_key for side in of_sides), []).append(index)
    differences: dict[int, Floats] = {}
    for group in groups.values():
        a, b = (
            with_prior(
                [sides[index][side] for index in group],
                [labels[index][side] for index in group],
                draws.prior,
                merged=not sets.paired,
            )
            for side in (0, 1)
        )
        tables, rows = _drawn(a, b, sets, draws.replicates, draws.seed)
        values = over_rows(
            *(Prepared([*a, *b]), tables, rows, draws.replicates),
            without_prior=True,
            progress=progress,
        )
        for position, index in enumerate(group):
            drawn = values[len(group) + position] - values[position]
            differences[index] = farther_quantiles(drawn[:, 0], drawn[:, 1])
    return [differences[index] for index in range(len(requests))]


def _labels_for_set(request: Request, problem: Problem) -> Labels:
    """Return the pseudo-item's labels, from both sets, and number of ratings, from one set."""
    of_both = request.labels
    assert of_both is not None
    return labels_of(problem, request.label_distance, of_both.codes)


def _drawn(
    a: Sequence[Problem], b: Sequence[Problem], sets: TwoSets, replicates: int, seed: int
) -> tuple[list[PatternTable], Iterator[tuple[Floats, ...]]]:
    """Return the tables of both sets, and an iterator over their rows of weights (replicates)."""
    of_a, of_b = _tables(a), _tables(b)
    tables = [*of_a, *of_b]
    if not sets.paired:
        return tables, sampled_rows(tables, replicates, seed, _DIRICHLET)
    joint: list[PatternTable] = []
    of_sets: tuple[list[csr_array], list[csr_array]] = ([], [])
    coarse = _Joint.of(sets, coarsest(of_a[0]), coarsest(of_b[0]))
    for table_a, table_b in zip(of_a, of_b, strict=True):
        pairs, table = coarse, coarse.table
        if table_a.coarse is not None:
            pairs = _Joint.of(sets, table_a, table_b)
            table = replace(pairs.table, coarse=coarse.table, pattern_of=pairs.group)
        joint.append(table)
        of_sets[0].append(adder(pairs.a, len(table_a.count)))
        of_sets[1].append(adder(pairs.b, len(table_b.count)))

    def rows() -> Iterator[tuple[Floats, ...]]:
        for drawn in sampled_rows(joint, replicates, seed, _DIRICHLET):
            both = [
                sum_columns(matrix, part)
                for of_set in of_sets
                for matrix, part in zip(of_set, drawn, strict=True)
            ]
            yield tuple(
                part * (table.items / part.sum(axis=1, keepdims=True))
                for part, table in zip(both, tables, strict=True)
            )

    return tables, rows()


def _tables(problems: Sequence[Problem]) -> list[PatternTable]:
    """Return the different tables of the problems."""
    return [*{id(problem.table): problem.table for problem in problems}.values()]


class _Joint(NamedTuple):
    """Pairs of patterns in A and B, then the pseudo-items of A, and of B.

    ``a`` and ``b`` hold the pattern in each set, -1 for a pseudo-item of the other set. ``group``
    is the pair's index in the coarse table, which ignores annotators.
    """

    table: PatternTable
    a: Integers
    b: Integers
    group: Integers

    @classmethod
    def of(cls, sets: TwoSets, a: PatternTable, b: PatternTable) -> _Joint:
        """Pair the patterns of two coarse or two fine tables."""
        pairs, of_a, of_b = sets.pair_table(int(a.coarse is not None))
        known, known_coarse = len(sets.a[int(a.coarse is not None)].count), len(sets.a[0].count)
        assert a.prior is not None
        assert b.prior is not None
        prior = a.prior[known:], b.prior[known:]
        sizes = len(prior[0]), len(prior[1])
        # with a prior, the items count as one item fewer
        less = minus_one_item(pairs) if a.prior[:known].any() else 0.0 * pairs.count
        count = np.concatenate([pairs.count, np.zeros(sum(sizes))])
        group = np.arange(len(count))
        if a.coarse is not None:
            assert a.pattern_of is not None
            assert b.pattern_of is not None
            assert pairs.pattern_of is not None
            shown = len(sets.coarse_joint.count)
            pseudo_a, pseudo_b = (
                of_coarse[known:] - known_coarse for of_coarse in (a.pattern_of, b.pattern_of)
            )
            behind = shown + len(a.coarse.count) - known_coarse
            group = np.concatenate([pairs.pattern_of, shown + pseudo_a, behind + pseudo_b])
        return cls(
            pairs.other(count, prior=np.concatenate([less, *prior])),
            np.concatenate([of_a, known + np.arange(sizes[0]), np.full(sizes[1], -1)]),
            np.concatenate([of_b, np.full(sizes[0], -1), known + np.arange(sizes[1])]),
            group,
        )


def two_sided(draws: Floats) -> float:
    """Return twice the share of draws on the side of 0 with fewer draws.

    A percentile interval excludes 0 exactly if this share is smaller than 1 minus the confidence.
    The data count as one more draw, so that the share is never 0.

    Examples
    --------
    >>> round(two_sided(np.linspace(-1, 9, 101)), 6)
    0.2
    """
    below, up_to = _shares(draws, 0.0)
    return float(np.clip(2 * min(up_to, 1 - below), 2 / (1 + len(draws)), 1.0))


def not_within(draws: Floats, margin: float) -> float:
    """Return the larger of two shares of draws: above the margin, and below minus the margin."""
    lower, upper = _shares(draws, -margin)[1], 1 - _shares(draws, margin)[0]
    return float(np.clip(max(lower, upper), 1 / (1 + len(draws)), 1.0))


def _shares(draws: Floats, value: float) -> tuple[float, float]:
    """Return the shares of draws below a value, and up to it, interpolated between draws."""
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
