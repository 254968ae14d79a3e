"""One pseudo-item that is added to sums over items, for figures that depend only on such sums.

In half of the pseudo-item, the ratings agree. This half is divided among the labels in inverse
proportion to their numbers of ratings, so that rare labels count. In the other half, the ratings
disagree, as if two annotators picked labels evenly. The weights of both halves have a Gamma(1/2)
distribution, whereas the weights of items have a Gamma(1) distribution. For the share of items that
agree, this gives the posterior under Jeffreys' prior. For a kappa, the margins are drawn along with
this share.

The figures compare the ratings of two sides, such as one annotator and all others.
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
    """Weights (replicate,) of both halves, on the scale of the weights of items or clusters.

    ``leaning`` is the weight of disagreements in which a given label comes from the first side,
    minus the weight of disagreements in which it comes from the second side.
    """

    agreeing: Floats
    differing: Floats
    leaning: Floats

    @classmethod
    def drawn(cls, replicates: int, units: float, seed: int) -> PseudoItem:
        """Draw the weights to go with ``units`` items or clusters, whose weights sum to ``units``.

        Weights with a fixed sum are Gamma variates divided by their sum, which is drawn here.
        """
        random = stream(seed, Purpose.PSEUDO_ITEM)
        agreeing = random.standard_gamma(0.5, replicates)
        one, other = random.standard_gamma(0.25, (2, replicates))
        scale = units / random.standard_gamma(max(units - 1, 0.5), replicates)
        return cls(scale * agreeing, scale * (one + other), scale * (one - other))

    def part(self, rows: slice) -> PseudoItem:
        """Return the weights of some of the replicates."""
        return PseudoItem(*(weights[rows] for weights in self))


def one_item_less(table: PatternTable) -> PatternTable:
    """Return a table whose n items count as n - 1 in the Dirichlet distribution of weights.

    The draws then vary as much as the standard errors imply.
    """
    less = minus_one_item(table)
    if table.coarse is None:
        return table.other(table.count, prior=less)
    return table.other(table.count, one_item_less(table.coarse), table.pattern_of, less)


def labels_agreed_on(own: Floats, others: Floats) -> Floats:
    """Return the shares (label, ...) of labels in the agreeing half, from both sides' ratings."""
    ratings = own + others
    shares = np.divide(1.0, ratings, out=np.zeros_like(ratings), where=ratings > 0)
    return np.asarray(shares / np.maximum(shares.sum(axis=0), 1e-300))


def labels_picked_evenly(own: Floats, others: Floats) -> Floats:
    """Return the shares (label, ...) of labels in the disagreeing half: equal for used labels."""
    used = (own + others > 0).astype(np.float64)
    return np.asarray(used / np.maximum(used.sum(axis=0), 1.0))


def farther_ends(
    estimate: Floats, confidence: float, *draws: Floats, other: Ends | None = None
) -> Ends:
    """Return the outermost ends of the percentile intervals of several sets of draws.

    Each set is an array (replicate, ...). The interval also contains the estimate and the ``other``
    interval. Its ends are NaN if no set has enough defined draws.
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
