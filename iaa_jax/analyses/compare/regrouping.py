"""Groups of annotators: whether other ways to group the same annotators differ as much.

Items are what a comparison draws, so that it speaks of these annotators. That annotators of one
kind agree more than those of another is a claim about kinds; as many annotators dealt out at random
to groups of the same sizes show how far groups of these annotators differ by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.figures import Draws
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing import BLOCK, stream
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.route import over_rows
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike, Resolver
from iaa_jax.measure.studies import with_identities

MOST = 10
"""Annotators of a group from which on groups are no longer dealt out anew."""

_WORK = 1 << 31
"""Cells of data, over all rows, beyond which nothing is dealt out."""

_REGROUPED = (1 << 20) + 1
"""Marks the stream of these draws, beside those of replicates and exchanges."""


class Regrouping(NamedTuple):
    """How often groups of the same sizes differ as much: p-values, and out of how many ways."""

    p_value: Floats
    ways: int
    exhaustive: bool
    least: float
    """The smallest p-value that there can be: two groups of one size are the same way turned."""


def regroup_annotators(
    ratings: Rated,
    a: Sequence[object],
    b: Sequence[object],
    coefficients: Sequence[CoefficientLike],
    options: LabelOptions,
    draws: Draws,
) -> Regrouping | None:
    """The share of ways to deal annotators out to two groups that differ as much as A and B.

    All items count, whichever the groups rated. Every way is taken where there are no more than the
    permutations drawn, else so many at random (and then the groups as they are count as one more).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of all the annotators.
    a, b : sequences
        The names of each group's annotators.
    coefficients : sequence
        Names from the catalogue, or functions with the kernels' signature.
    options : LabelOptions
        How labels agree.
    draws : Draws
        How many ways at random, and their seed.

    Returns
    -------
    Regrouping or None
        None where a group has `MOST` annotators or more, or there is too much to work out. The
        p-value is NaN for coefficients that are defined for two annotators alone, as Cohen's kappa:
        there is no figure of all annotators to take the groups' figures from.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b", "a"], ["b", "b", "b", "a"], ["a", "a", "a", "b"]])
    >>> groups = ratings.annotator.values.reshape(2, 2).tolist()
    >>> draws = Draws(0, 2000, 0)
    >>> shares = regroup_annotators(
    ...     Rated(ratings), *groups, ["percent_agreement"], LabelOptions(), draws
    ... )
    >>> shares.ways, shares.p_value.round(3)
    (6, array([0.333]))
    """
    if max(len(a), len(b)) >= MOST or not draws.permutations:
        return None
    part = ratings.of_annotators([*a, *b])
    resolver = Resolver(part, options)
    names = [str(name) for name in part.annotator_names.tolist()]
    regrouped = [
        k for k, name in enumerate(coefficients) if not _is_for_another_number(name, len(names))
    ]
    if not regrouped:
        return None
    requests = [resolver.request(coefficients[k]) for k in regrouped]
    problems = [with_identities(resolver, request.problem) for request in requests]
    first = np.array([names.index(str(name)) for name in a], dtype=np.intp)
    ways = comb(len(names), len(first))
    exhaustive = ways <= draws.permutations
    if exhaustive:
        chosen = np.array(list(combinations(range(len(names)), len(first))))
    else:
        order = stream(draws.seed, 0, _REGROUPED).permuted(
            np.tile(np.arange(len(names)), (draws.permutations, 1)), axis=1
        )
        chosen = order[:, : len(first)]
    of_a = np.zeros((1 + len(chosen), len(names)))
    of_a[0, first] = 1.0
    np.put_along_axis(of_a[1:], chosen, 1.0, axis=1)
    rows = np.concatenate([of_a, 1 - of_a])
    if len(rows) * max(problem.data.size for problem in problems) > _WORK:
        return None
    prepared = Prepared(problems)
    tables = tables_of(prepared.problems)
    blocks = -(-len(rows) // BLOCK)

    def group_rows(size: int) -> Iterator[Floats]:
        padded = np.ones((blocks * BLOCK, size))
        padded[: len(rows), : len(names)] = rows
        yield from np.split(padded, blocks)

    items = (tuple(np.tile(table.count, (BLOCK, 1)) for table in tables) for _ in range(blocks))
    estimates = over_rows(prepared, tables, items, len(rows), annotators=group_rows)
    assert all(problem.annotator_count >= len(names) for problem in problems)
    p_values = np.full(len(coefficients), np.nan)
    for k, figures in zip(regrouped, estimates, strict=True):
        figure = np.asarray(figures, dtype=np.float64)[: len(rows)]
        size = np.abs(figure[len(of_a) :] - figure[: len(of_a)])
        # a way that leaves a figure undefined counts against a difference
        as_large = np.isnan(size[1:]) | (size[1:] >= size[0] - 1e-9 * max(size[0], 1e-3))
        share = as_large.mean() if exhaustive else (1 + as_large.sum()) / (1 + len(as_large))
        p_values[k] = np.nan if np.isnan(size[0]) else float(share)
    least = (1 + (len(a) == len(b))) / ways if exhaustive else 0.0
    return Regrouping(p_values, ways, exhaustive, least)


def _is_for_another_number(coefficient: CoefficientLike, annotators: int) -> bool:
    """Whether a coefficient is defined for a number of annotators that is not this one."""
    row = CATALOG.get(coefficient) if isinstance(coefficient, str) else None
    return row is not None and row.measure.annotators not in (None, annotators)
