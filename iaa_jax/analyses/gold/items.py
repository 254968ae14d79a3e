"""Compute variables of items and annotators from replicates, block by block."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.data.storage import further_votes
from iaa_jax.engine.drawing import BLOCK, Purpose, draws_in_blocks
from iaa_jax.engine.fits import Fit
from iaa_jax.kernels.intervals import Ends
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.namespace import divided
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.shares import share_ends
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.spread import SHARE, Bounds, Spread, ends_of, error_of
from iaa_jax.measure.shared.labelling import VoteTables


class Items:
    """Variables of items from replicates, computed by pattern (distinct row of ratings)."""

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
        """Add probabilities (replicate, pattern, label) and leading labels (replicate, pattern).

        The credible sets are made from the mean of the probabilities or, with ``leading``, from how
        often the probability of a label is the largest.
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
        """Return limits of certainty, shares of equal replicates (``stable``), credible labels."""
        low, high = self._tails.ends
        of_gold = certain[np.arange(len(certain)), self._place]
        figures = {
            "certainty_ci_low": np.minimum(low, of_gold),
            "certainty_ci_high": np.maximum(high, of_gold),
            "stable": self._same / self._options.replicates,
        }
        # known labels do not depend on votes
        figures = {name: np.where(self._fixed, 1.0, each) for name, each in figures.items()}
        order = self._votes.pattern_of
        variables: Variables = {
            name: ("item", np.where(self._known, values, np.nan)[order])
            for name, values in figures.items()
        }
        credible = credible_sets(self._sum / self._options.replicates, self._options.confidence)
        voted = np.asarray((self._votes.tables.identified.codes >= 0).any(axis=1))
        credible &= voted[:, None]
        credible = np.where(self._fixed[:, None], self._votes.fixed > 0, credible)
        return variables | {"credible": (("item", "label"), credible[order])}

    def expected_certainty(self) -> Variables:
        """Return the mean over replicates of each gold label's probability.

        A fit takes its parameters as known; the mean also covers their uncertainty.
        """
        of_gold = self._sum[np.arange(len(self._sum)), self._place] / self._options.replicates
        of_gold = np.where(self._fixed, 1.0, of_gold)
        values = np.where(self._known, of_gold, np.nan)
        return {"expected_certainty": ("item", values[self._votes.pattern_of])}

    def expected_right(self) -> Variables:
        """Return the expected share of right gold labels, and its interval.

        The share is the mean over replicates, among items whose label was neither known beforehand
        nor adjudicated. The interval combines two variances: of the expected share over the
        replicates, and of the actual share around it, since items are few. For each replicate, a
        share is drawn from the Beta distribution with the mean and the variance that the share has
        if labels are right independently of one another, and is rounded to a whole number of items.
        """
        count = self._counted
        mean = np.clip(np.concatenate(self._right), 1e-12, 1 - 1e-12)
        spread = np.maximum(np.concatenate(self._spread), 1e-18)
        units = np.maximum(mean * (1 - mean) / spread - 1, 1e-6)
        draws = draws_in_blocks(len(mean), self._options.seed, Purpose.RIGHT_LABELS)
        parts = []
        for block, (rng, number) in enumerate(draws):
            rows = slice(BLOCK * block, BLOCK * block + number)
            parts.append(rng.beta(mean[rows] * units[rows], (1 - mean[rows]) * units[rows]))
        tail = (1 - self._options.confidence) / 2
        defined, total = count.any(), max(count.sum(), 1.0)  # at least one item
        drawn = np.minimum(np.round(np.concatenate(parts) * total) / total, 1.0)
        low, high = np.quantile(drawn, [tail, 1 - tail])
        right = float(mean.mean())
        # with few items, all rounded draws may lie on one side of the mean
        low, high = min(low, right), max(high, right)
        return {
            "expected_right": ((), np.asarray(right if defined else np.nan)),
            "expected_right_ci_low": ((), np.asarray(low if defined else np.nan)),
            "expected_right_ci_high": ((), np.asarray(high if defined else np.nan)),
        }


def credible_sets(probability: Floats, confidence: float) -> NDArray[np.bool_]:
    """Return the smallest sets of labels (item, label) that together reach the confidence."""
    order = np.argsort(-probability, axis=1, kind="stable")
    reached = np.cumsum(np.take_along_axis(probability, order, axis=1), axis=1)
    needed = (reached < confidence - 1e-9).sum(axis=1, keepdims=True)
    rank = np.argsort(order, axis=1, kind="stable")
    return np.asarray(rank <= needed)


class Tails:
    """The smallest and the largest replicates, from which quantiles are computed.

    Quantiles near the ends depend only on the outermost order statistics, so only these are kept
    (as float32).
    """

    def __init__(self, replicates: int, confidence: float) -> None:
        self.position = (replicates - 1) * (1 - confidence) / 2
        self._most = min(math.floor(self.position) + 2, replicates)
        self._low: list[Floats] = []
        self._high: list[Floats] = []

    def add(self, values: Floats) -> None:
        """Add further replicates."""
        values = values.astype(np.float32)
        self._low = [self._smallest([*self._low, values])]
        self._high = [self._smallest([*self._high, -values])]

    def _smallest(self, parts: list[Floats]) -> Floats:
        everything = np.concatenate(parts)
        if len(everything) > self._most:
            everything = np.partition(everything, self._most - 1, axis=0)
        return everything[: self._most].copy()

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The lower and the upper quantile, interpolated between order statistics."""
        return self._at(self._low), -self._at(self._high)

    def _at(self, smallest: list[Floats]) -> Floats:
        ordered = np.sort(np.concatenate(smallest).astype(np.float64), axis=0)
        below = math.floor(self.position)
        above = min(below + 1, len(ordered) - 1)
        return np.asarray(
            ordered[below] + (self.position - below) * (ordered[above] - ordered[below])
        )


class Skills:
    """Variables of annotators from replicates."""

    def __init__(
        self, votes: VoteTables, row: LabellingMethod, fit: Fit, options: IntervalOptions
    ) -> None:
        self._votes, self._row, self._fit, self._options = votes, row, fit, options
        self.ratings, self._items, self._still = _units(votes, options)
        self._skills: list[Floats] = []
        self._right: list[Floats] = []

    def add(self, replicates: Fit, weights: Weights) -> None:
        """Add further replicates."""
        self._skills.append(replicates.skill)
        if self._row.modelled:
            rows = zip(weights.item, np.asarray(replicates.state.probability), strict=True)
            self._right.append(np.stack([_right_votes(self._votes, *row) for row in rows]))

    def variables(self) -> Variables:
        """Return the variables along annotators."""
        unknown = np.full(len(self.ratings), np.nan)
        skill = np.where(self.ratings > 0, self._fit.skill, np.nan)
        estimates = {"skill": skill, "accuracy": unknown}
        if self._row.modelled:
            probability = np.asarray(self._fit.state.probability)
            right = _right_votes(self._votes, self._votes.weights.item, probability)
            estimates["accuracy"] = right
        variables: Variables = {"accuracy": ("annotator", estimates["accuracy"])}
        for name, parts in (("skill", self._skills), ("accuracy", self._right)):
            replicates = np.concatenate(parts) if parts else np.full((2, len(unknown)), np.nan)
            is_share = name == "accuracy" or self._row.skill_is_share
            error, ends = self._interval(estimates[name], replicates, is_share)
            if name == "skill":
                variables["skill_standard_error"] = ("annotator", error)
            variables[f"{name}_ci_low"] = ("annotator", ends.low)
            variables[f"{name}_ci_high"] = ("annotator", ends.high)
        return variables

    def _interval(
        self, estimate: Floats, replicates: Floats, is_share: bool
    ) -> tuple[Floats, Ends]:
        options, items = self._options, self._items
        defined = ~np.isnan(replicates)
        enough = defined.sum(axis=0) >= fewest_replicates((1 - options.confidence) / 2)
        enough &= (items >= 2) & ~np.isnan(estimate)
        error = np.where(enough, error_of(replicates), np.nan)
        automatic = options.how.method == "auto"
        if automatic and is_share:
            share = np.clip(estimate, 0, 1)
            return error, share_ends(share, error, self.ratings, self._still, options.confidence)
        interval = resolve(options)
        interval = interval.with_method("percentile") if automatic else interval
        bounds = SHARE if is_share else Bounds(upper=np.inf)
        spread = Spread.from_replicates(replicates, error, items - 1)
        ends = ends_of(estimate, spread, interval, bounds)
        return error, Ends(*(np.where(enough, end, np.nan) for end in ends))


def _right_votes(votes: VoteTables, item_weight: Floats, probability: Floats) -> Floats:
    """Return the expected share of right votes by annotator; NaN without votes."""
    totals = votes.alone.totals(item_weight[:, None] * probability, votes.annotators, votes.labels)
    right = np.einsum("all->a", totals)
    total = totals.sum(axis=(1, 2))
    return np.where(total > 0, divided(np, right, total), np.nan)


def _units(votes: VoteTables, options: IntervalOptions) -> tuple[Floats, Floats, Floats]:
    """Return each annotator's number of ratings, of items, and of units (items or clusters).

    Items are drawn whole, with all votes of an annotator on them.
    """
    ratings, codes = votes.tables, votes.tables.codes
    row, slot, annotator = codes.ratings()
    weight = votes.tables.item_weight[row]
    size = votes.annotators
    units = np.bincount(annotator, weight, minlength=size).astype(np.float64)
    items = units
    if (again := further_votes(ratings.dataset)) is not None:
        once = ~again[row, slot]
        items = np.bincount(annotator[once], weight[once], minlength=size).astype(np.float64)
    if options.random.cluster is None:
        return units, items, items
    clusters, _ = cluster_codes(ratings, options.random.cluster)
    pairs = np.unique(np.stack([annotator, clusters[row]]), axis=1)
    return units, items, np.bincount(pairs[0], minlength=size).astype(np.float64)
