"""Figures of items from replicates, of which only what they need is kept."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.engine.drawing import BLOCK, draws_in_blocks
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.labelling import VoteTables

_RIGHT = (0, 15, 3)
"""The key of a stream."""


class Items:
    """Figures of items from replicates, by their patterns."""

    def __init__(self, votes: VoteTables, gold: Integers, options: IntervalOptions) -> None:
        self._votes, self._gold, self._options = votes, gold, options
        self._known: NDArray[np.bool_] = gold >= 0
        self._fixed = votes.is_fixed
        self._counted = np.where(self._known & ~self._fixed, votes.weights.item, 0.0)
        self._place = np.maximum(gold, 0)
        self._sum = np.zeros((len(gold), votes.labels))
        self._same = np.zeros(len(gold))
        self._tails = Tails(options.replicates, options.confidence)
        self._right: list[Floats] = []
        self._spread: list[Floats] = []

    def add(self, probability: Floats, leads: Integers, *, leading: bool = False) -> None:
        """Replicates of probabilities (row, pattern, label), and the label in front (row, pattern).

        ``leading`` says that a label's credit is how often it has the largest share, and not its
        share.
        """
        of_gold = np.take_along_axis(probability, self._place[None, :, None], axis=2)[..., 0]
        self._tails.add(of_gold)
        self._same += (leads == self._place).sum(axis=0)
        if leading:
            first = probability.argmax(axis=-1)
            self._sum += (first[..., None] == np.arange(probability.shape[-1])).sum(axis=0)
        else:
            self._sum += probability.sum(axis=0)
        count = self._counted
        total = count.sum() or 1.0
        self._right.append(of_gold @ count / total)
        self._spread.append((of_gold * (1 - of_gold)) @ count / total**2)

    def variables(self, certain: Floats) -> Variables:
        """The figures along items."""
        low, high = self._tails.ends
        of_gold = certain[np.arange(len(certain)), self._place]
        figures = {
            "certainty_ci_low": np.minimum(low, of_gold),
            "certainty_ci_high": np.maximum(high, of_gold),
            "stable": self._same / self._options.replicates,
        }
        # no draw of votes moves a label that was known
        figures = {name: np.where(self._fixed, 1.0, each) for name, each in figures.items()}
        order = self._votes.pattern_of
        found: Variables = {
            name: ("item", np.where(self._known, values, np.nan)[order])
            for name, values in figures.items()
        }
        credible = credible_sets(self._sum / self._options.replicates, self._options.confidence)
        voted = np.asarray((self._votes.tables.identified.codes >= 0).any(axis=1))
        credible &= voted[:, None]
        credible = np.where(self._fixed[:, None], self._votes.fixed > 0, credible)
        return found | {"credible": (("item", "label"), credible[order])}

    def expected_certainty(self) -> Variables:
        """The mean over replicates of the probability of each gold label.

        A fit takes its parameters as known; the mean is over what they may be. Its own mean over
        items is the share that is expected right.
        """
        of_gold = self._sum[np.arange(len(self._sum)), self._place] / self._options.replicates
        of_gold = np.where(self._fixed, 1.0, of_gold)
        values = np.where(self._known, of_gold, np.nan)
        return {"expected_certainty": ("item", values[self._votes.pattern_of])}

    def expected_right(self) -> Variables:
        """The share of gold labels that are right: the mean over replicates, and its interval.

        Of items whose label was not known.

        The mean certainty itself claims more, as it takes the parameters as known. The interval is
        about a replicate's mean, and around it as much as chance leaves of so many items: drawn
        from the Beta distribution with the mean and variance of a mean of independent ones, and
        rounded to a number of items.
        """
        count = self._counted
        mean = np.clip(np.concatenate(self._right), 1e-12, 1 - 1e-12)
        spread = np.maximum(np.concatenate(self._spread), 1e-18)
        units = np.maximum(mean * (1 - mean) / spread - 1, 1e-6)
        seed = self._options.seed
        parts = []
        for block, (rng, number) in enumerate(draws_in_blocks(len(mean), seed, *_RIGHT)):
            rows = slice(BLOCK * block, BLOCK * block + number)
            parts.append(rng.beta(mean[rows] * units[rows], (1 - mean[rows]) * units[rows]))
        tail = (1 - self._options.confidence) / 2
        defined, total = count.any(), max(count.sum(), 1.0)  # of less than an item, one
        drawn = np.minimum(np.round(np.concatenate(parts) * total) / total, 1.0)
        low, high = np.quantile(drawn, [tail, 1 - tail])
        right = float(mean.mean())
        # of few items no number of right ones may be as near to the mean as the mean itself
        low, high = min(low, right), max(high, right)
        return {
            "expected_right": ((), np.asarray(right if defined else np.nan)),
            "expected_right_ci_low": ((), np.asarray(low if defined else np.nan)),
            "expected_right_ci_high": ((), np.asarray(high if defined else np.nan)),
        }


def credible_sets(probability: Floats, confidence: float) -> NDArray[np.bool_]:
    """The fewest labels (item, label) that together reach the confidence, the likeliest first.

    Of labels alike the first in their order.
    """
    order = np.argsort(-probability, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(probability, order, axis=1), axis=1)
    needed = (reached < confidence - 1e-9).sum(axis=1, keepdims=True)
    place = np.argsort(order, axis=1, kind="stable")
    return np.asarray(place <= needed)


class Tails:
    """The smallest and largest of so many replicates (replicate, ...): the same ends as of all.

    Quantiles near the ends stand on the outermost order statistics alone, so the memory follows
    the tails and no more. Kept in float32.
    """

    def __init__(self, replicates: int, confidence: float) -> None:
        self.position = (replicates - 1) * (1 - confidence) / 2
        self._most = min(math.floor(self.position) + 2, replicates)
        self._low: Floats | None = None
        self._high: Floats | None = None

    def add(self, values: Floats) -> None:
        """Some further replicates."""
        values = values.astype(np.float32)
        self._low = self._smallest(values, self._low)
        self._high = self._smallest(-values, self._high)

    def _smallest(self, values: Floats, kept: Floats | None) -> Floats:
        everything = values if kept is None else np.concatenate([kept, values])
        if len(everything) > self._most:
            everything = np.partition(everything, self._most - 1, axis=0)
        return everything[: self._most].copy()

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The quantiles, linear between order statistics."""
        if self._low is None or self._high is None:
            message = "there are no replicates yet"
            raise ValueError(message)
        return self._at(self._low), -self._at(self._high)

    def _at(self, smallest: Floats) -> Floats:
        ordered = np.sort(smallest.astype(np.float64), axis=0)
        below = math.floor(self.position)
        above = min(below + 1, len(ordered) - 1)
        return np.asarray(
            ordered[below] + (self.position - below) * (ordered[above] - ordered[below])
        )
