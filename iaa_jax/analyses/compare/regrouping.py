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
import xarray as xr

from iaa_jax.catalog import CATALOG
from iaa_jax.data.select import keep_annotators
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing import BLOCK, stream
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.problem import Floats
from iaa_jax.engine.two_way import annotators_of, over_two_way_rows
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike
from iaa_jax.measure.studies import resolver_of, with_identities

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


def regroup_annotators(
    ratings: xr.Dataset,
    a: Sequence[object],
    b: Sequence[object],
    coefficients: Sequence[CoefficientLike],
    *,
    permutations: int = 2000,
    seed: int = 0,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
) -> Regrouping | None:
    """The share of ways to deal annotators out to two groups that differ as much as A and B.

    All items count, whichever the groups rated. Every way is taken where there are no more than
    ``permutations``, else so many at random (and then the groups as they are count as one more).

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings of all the annotators.
    a, b : sequences
        The names of each group's annotators.
    coefficients : sequence
        Names from the catalogue, or functions with the kernels' signature.
    permutations, seed
        Ways at random.
    weights, weights_on, level, distance, p, min_common
        See `iaa_jax.agreement`.

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
    >>> names = ratings.annotator.values.tolist()
    >>> shares = regroup_annotators(ratings, names[:2], names[2:], ["percent_agreement"])
    >>> shares.ways, shares.p_value.round(3)
    (6, array([0.333]))
    """
    if max(len(a), len(b)) >= MOST or not permutations:
        return None
    part = keep_annotators(ratings, [*a, *b])
    resolver = resolver_of(part, weights, weights_on, level, distance, p, min_common)
    names = [str(name) for name in part["annotator"].values.tolist()]
    regrouped = [
        k for k, name in enumerate(coefficients) if not _is_for_another_number(name, len(names))
    ]
    if not regrouped:
        return None
    requests = [resolver.request(coefficients[k]) for k in regrouped]
    problems = [with_identities(resolver, request.problem) for request in requests]
    first = np.array([names.index(str(name)) for name in a], dtype=np.intp)
    ways = comb(len(names), len(first))
    exhaustive = ways <= permutations
    if exhaustive:
        chosen = np.array(list(combinations(range(len(names)), len(first))))
    else:
        order = stream(seed, 0, _REGROUPED).permuted(
            np.tile(np.arange(len(names)), (permutations, 1)), axis=1
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
    estimates = over_two_way_rows(prepared, tables, items, group_rows, len(rows))
    assert all(annotators_of(problem) >= len(names) for problem in problems)
    p_values = np.full(len(coefficients), np.nan)
    for k, figures in zip(regrouped, estimates, strict=True):
        figure = np.asarray(figures, dtype=np.float64)[: len(rows)]
        size = np.abs(figure[len(of_a) :] - figure[: len(of_a)])
        # a way that leaves a figure undefined counts against a difference
        as_large = np.isnan(size[1:]) | (size[1:] >= size[0] - 1e-9 * max(size[0], 1e-3))
        share = as_large.mean() if exhaustive else (1 + as_large.sum()) / (1 + len(as_large))
        p_values[k] = np.nan if np.isnan(size[0]) else float(share)
    return Regrouping(p_values, ways, exhaustive)


def _is_for_another_number(coefficient: CoefficientLike, annotators: int) -> bool:
    """Whether a coefficient is defined for a number of annotators that is not this one."""
    row = CATALOG.get(coefficient) if isinstance(coefficient, str) else None
    return row is not None and row.measure.annotators not in (None, annotators)
