"""One pseudo-item beside sums over items, for figures that are made of such sums.

Half of the pseudo-item agrees, on labels in proportion to 1 / their ratings, so that a rare one has
its part; half of it differs, as two who pick labels evenly do. Its two weights are Gamma(1/2), as
those of items are Gamma(1): of the share of items that agree this is the posterior by Jeffreys'
prior, and of a kappa the same with both margins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.kernels.intervals import Ends, percentile
from iaa_jax.measure.intervals.pseudo_items import minus_one_item
from iaa_jax.measure.options.interval import fewest_replicates


class PseudoItem(NamedTuple):
    """The weights (replicate,) of both halves, as those of units.

    ``leaning`` is how much more of the half that differs has a label on one side than on the other.
    """

    agreeing: Floats
    differing: Floats
    leaning: Floats

    @classmethod
    def drawn(cls, replicates: int, units: float, seed: int) -> PseudoItem:
        """Beside so many units, items or clusters of them, whose weights add up to their number.

        Weights that add up to a number are Gamma numbers over their sum, which is drawn here.
        """
        random = stream(seed, Purpose.PSEUDO_ITEM)
        agreeing = random.standard_gamma(0.5, replicates)
        one, other = random.standard_gamma(0.25, (2, replicates))
        scale = units / random.standard_gamma(max(units - 1, 0.5), replicates)
        return cls(scale * agreeing, scale * (one + other), scale * (one - other))

    def part(self, rows: slice) -> PseudoItem:
        """Of some of the replicates."""
        return PseudoItem(*(weights[rows] for weights in self))


def one_item_less(table: PatternTable) -> PatternTable:
    """A table whose n items count as n - 1 where weights are Dirichlet, as standard errors have it.

    Then draws vary as much as these say.
    """
    less = minus_one_item(table)
    if table.coarse is None:
        return table.other(table.count, prior=less)
    return table.other(table.count, one_item_less(table.coarse), table.pattern_of, less)


def labels_agreed_on(own: Floats, others: Floats) -> Floats:
    """The label of the half that agrees: shares (label, ...), of labels that either side has."""
    ratings = own + others
    shares = np.divide(1.0, ratings, out=np.zeros_like(ratings), where=ratings > 0)
    return np.asarray(shares / np.maximum(shares.sum(axis=0), 1e-300))


def labels_picked_evenly(own: Floats, others: Floats) -> Floats:
    """The label of each side of the half that differs: the same share (label, ...) of each."""
    used = (own + others > 0).astype(np.float64)
    return np.asarray(used / np.maximum(used.sum(axis=0), 1.0))


def farther_ends(
    estimate: Floats, confidence: float, *draws: Floats, other: Ends | None = None
) -> Ends:
    """Each end the farthest of the percentiles of several draws (replicate, ...), and the estimate.

    And of an ``other`` interval. NaN where too few draws are defined to have percentiles.
    """
    low = high = np.where(np.isnan(estimate), np.nan, estimate)
    if other is not None:
        low, high = np.fmin(low, other.low), np.fmax(high, other.high)
    known = np.zeros(np.shape(estimate), dtype=bool)
    for rows in draws:
        enough = (~np.isnan(rows)).sum(axis=0) >= fewest_replicates((1 - confidence) / 2)
        ends = percentile(rows, confidence)
        low = np.where(enough, np.fmin(low, ends.low), low)
        high = np.where(enough, np.fmax(high, ends.high), high)
        known |= enough
    return Ends(*(np.where(known & ~np.isnan(estimate), end, np.nan) for end in (low, high)))
