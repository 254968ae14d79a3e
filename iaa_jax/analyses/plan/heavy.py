"""The few items that many annotators rated, such as control items, and what rests on them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from iaa_jax.analyses.plan.ladder import code_rows
from iaa_jax.analyses.plan.variance import influences_of
from iaa_jax.engine import Problem
from iaa_jax.measure.resolver import Resolver

TIMES = 5
"""As many ratings as the item in the middle, from which an item has many."""

FEW = 0.1
"""Share of the items, the largest that such items may be to be few."""

DECISIVE = 0.5
"""Share of the variance from which they decide how far the figure is uncertain."""


class Heavy(NamedTuple):
    """How many such items, their fewest ratings, those of the item in the middle, the share of V.

    All NaN where there are none.
    """

    items: float = math.nan
    ratings: float = math.nan
    usual: float = math.nan
    share: float = math.nan


def heavy_of(resolver: Resolver, problem: Problem) -> Heavy:
    """Those of a pilot; of spans, that all annotators of a document compare, there are none."""
    if problem.measure.compares:
        return Heavy()
    panel = (code_rows(resolver.tables, problem).codes >= 0).sum(axis=1)
    count = np.where(panel >= 2, np.asarray(problem.table.count), 0.0)
    order = np.argsort(panel, kind="stable")
    middle = np.searchsorted(np.cumsum(count[order]), count.sum() / 2)
    usual = float(panel[order][middle])
    is_heavy = (panel >= TIMES * usual) & (count > 0)
    items = float(count[is_heavy].sum())
    if not 0 < items <= FEW * count.sum():
        return Heavy()
    squares = np.asarray(problem.table.count) * influences_of(problem) ** 2
    share = float(squares[is_heavy].sum() / squares.sum())
    return Heavy(items, float(panel[is_heavy].min()), usual, share)
