"""Estimate annotators' accuracy against gold labels, and test who is the most accurate.

The best and the weakest of many annotators differ much by luck alone. The difference in
accuracy between two annotators is therefore compared with the studentized range for the number of
annotators (Tukey 1953, Kramer 1956). The variance of the difference is computed under equal
accuracy, so that a few errors are weak evidence if accuracies are near 100 %. If two annotators
rated the same items, the variance of the difference between their numbers of right ratings is
b + c, the number of items on which only one of them is right (McNemar 1947).

Kramer, C. Y. (1956). Extension of multiple range tests to group means with unequal numbers of
replications. Biometrics 12(3). https://doi.org/10.2307/3001469
McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or
percentages. Psychometrika 12(2). https://doi.org/10.1007/BF02295996
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtri

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.judge.counts import Counts, CountsOfRatings, RatingsWithGold
from iaa_jax.kernels.intervals import Ends, student_t
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.pseudo_item import (
    PseudoItem,
    farther_ends,
    labels_agreed_on,
    labels_picked_evenly,
)
from iaa_jax.measure.intervals.shares import share_ends
from iaa_jax.measure.requests.spread import error_of

_ROUNDING = 1e-12


def figures_of(
    counted: CountsOfRatings,
    rows: CountsOfRatings,
    units: Floats,
    clusters: int | None,
    options: IntervalOptions,
) -> Variables:
    """Return numbers of items; and accuracy, kappa, confusion and scores by label, with intervals.

    ``rows`` are the counts of replicates. ``units`` is each annotator's number of items or
    clusters, and ``clusters`` the number of all clusters, or None if items are drawn one by one.
    """
    whole, by_label, tables = counted
    items, level = whole.given.sum(axis=1), options.confidence
    variables: Variables = {
        "items_compared": ("annotator", items),
        "items_of_label": (("annotator", "gold_label"), by_label.gold),
    }
    estimates = {"accuracy": _accuracy(whole), "kappa": _kappa(whole)}
    error = error_of(_accuracy(rows.whole))
    parts = {
        "accuracy": share_ends(estimates["accuracy"], error, items, units, level),
        "kappa": _ends_of_kappa(whole, rows.whole.like(whole), units, clusters, options),
    }
    if tables is not None:
        drawn = tables[None][:0] if rows.tables is None else rows.tables
        own = np.minimum(units[:, None], by_label.gold)
        estimates["confusion"] = _shares(tables)
        parts["confusion"] = share_ends(
            estimates["confusion"],
            error_of(_shares(drawn)),
            by_label.gold[..., None],
            own[..., None],
            level,
        )
    of_rows = rows.by_label.like(by_label)
    for name, whole_of in _WHOLES.items():
        number = whole_of(by_label)
        share = _divided(by_label.right, number)
        error = error_of(_divided(of_rows.right, whole_of(of_rows)))
        ends = share_ends(share, error, number, np.minimum(units[:, None], number), level)
        estimates[name], parts[name] = share, ends
        if name == "f1":  # Jeffreys' interval is of this share s, and F1 is 2 s / (1 + s)
            estimates[name] = 2 * share / (1 + share)
            parts[name] = Ends(*(2 * end / (1 + end) for end in ends))
    axes = ("annotator", "gold_label", "label")
    for name, estimate in estimates.items():
        along = axes[: estimate.ndim]
        variables[name] = (along, estimate)
        for end, values in zip(("low", "high"), parts[name], strict=True):
            variables[f"{name}_ci_{end}"] = (along, np.asarray(values))
    return variables


def _ends_of_kappa(
    counts: Counts, rows: Counts, units: Floats, clusters: int | None, options: IntervalOptions
) -> Ends:
    """Return the interval of kappa from replicates with and without a pseudo-item.

    The pseudo-item, an invented item that acts as a prior, is half agreement and half disagreement.
    With clusters, an end of Student's interval is taken if it is farther from the estimate.
    """
    estimate = np.where(units >= 2, _kappa(counts), np.nan)
    if not len(rows.right):
        return Ends(*np.full((2, *estimate.shape), np.nan))
    items, gold, given = counts.given.sum(axis=1), counts.gold.T, counts.given.T
    number = float(rows.given[0].sum(axis=1).max()) if clusters is None else float(clusters)
    item = PseudoItem.drawn(len(rows.right), number, options.seed)
    size = items / np.maximum(units, 1)  # items in a cluster
    agreeing, differing = (half[:, None] * size for half in item[:2])
    sides = (agreeing[..., None] * labels_agreed_on(gold, given).T) + (
        differing[..., None] * labels_picked_evenly(gold, given).T
    )
    with_item = _kappa_of(rows.right.sum(axis=-1) + agreeing, rows.gold + sides, rows.given + sides)
    without = _kappa(rows)
    over_clusters = None
    if clusters is not None:
        low, high = student_t(
            estimate, error_of(without), np.maximum(units - 1, 1), options.confidence
        )
        over_clusters = Ends(np.maximum(low, -1.0), np.minimum(high, 1.0))
    return farther_ends(estimate, options.confidence, with_item, without, other=over_clusters)


def _accuracy(counts: Counts) -> Floats:
    return _divided(counts.right.sum(axis=-1), counts.given.sum(axis=-1))


def _kappa(counts: Counts) -> Floats:
    return _kappa_of(counts.right.sum(axis=-1), counts.gold, counts.given)


def _kappa_of(agreeing: Floats, gold: Floats, labelled: Floats) -> Floats:
    """Return Cohen's kappa from the number of agreements (...,) and both margins (..., label)."""
    total = gold.sum(axis=-1)
    expected = _divided((gold * labelled).sum(axis=-1), total**2)
    above = 1 - expected
    return _divided(_divided(agreeing, total) - expected, np.where(above < 1e-12, 0.0, above))


def _shares(tables: Floats) -> Floats:
    return _divided(tables, tables.sum(axis=-1, keepdims=True))


_WHOLES: dict[str, Callable[[Counts], Floats]] = {
    "precision": lambda counts: counts.given,
    "recall": lambda counts: counts.gold,
    "f1": lambda counts: counts.given + counts.gold - counts.right,
}
"""By score, the numbers of items of which the right ones are a share.

For F1, these are the items that have the label or were given it.
"""


def _divided(part: Floats, whole: Floats) -> Floats:
    """Return quotients; NaN if the divisor is 0."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan)


@dataclass(frozen=True)
class Rightness:
    """The ratings that each annotator gets right, by pattern and possible gold label.

    Items with the same ratings and gold labels form a pattern; ``count`` is their number. ``item``
    (index of a pattern), ``annotator``, ``label`` and ``share`` are a long table of ratings.
    ``probability`` (pattern, label) is the probability of each gold label. If gold labels are
    certain, there are two labels, right (0) and wrong. ``units`` (unit, pattern) counts the items
    of each cluster by pattern; None if items are drawn one by one.
    """

    item: Integers
    annotator: Integers
    label: Integers
    share: Floats
    probability: Floats
    count: Floats
    units: csr_array | None

    @classmethod
    def of(cls, ratings: RatingsWithGold, count: Floats, units: csr_array | None) -> Rightness:
        """Take the ratings of patterns; ``count`` is 0 for patterns without a gold label."""
        entries, probability = ratings.whole, ratings.probability
        label = entries.label
        if probability is None:
            label = (label != ratings.gold[entries.item]).astype(np.intp)
            probability = np.tile([1.0, 0.0], (len(count), 1))
        return cls(entries.item, entries.annotator, label, entries.share, probability, count, units)

    def by(self, annotator: int) -> tuple[Floats, Floats]:
        """Return the annotator's right ratings (pattern, gold label) and all ratings (pattern,)."""
        own = np.flatnonzero(self.annotator == annotator)
        right = np.zeros(self.probability.shape)
        np.add.at(right, (self.item[own], self.label[own]), self.share[own])
        rated = np.bincount(self.item[own], self.share[own], len(self.probability))
        return right, rated.astype(np.float64)


def standard_errors_below(best: int, accuracy: Floats, right: Rightness) -> Floats:
    """Return by how many standard errors each annotator's accuracy is below the best accuracy.

    It is NaN for the annotator ``best``, and for annotators without an accuracy.
    """
    own, rated = right.by(best)
    known = right.count * (right.probability.sum(axis=1) > 0)
    size = float(known @ rated)
    errors_below = np.full(len(accuracy), np.nan)
    for other in np.flatnonzero(~np.isnan(accuracy)).tolist():
        if other == best:
            continue
        of_other, rated_too = right.by(other)
        number = float(known @ rated_too)
        both = (accuracy[best] * size + accuracy[other] * number) / (size + number)
        off = (own - both * rated[:, None]) / size - (of_other - both * rated_too[:, None]) / number
        error = np.sqrt(_variance(off, right))
        gap = accuracy[best] - accuracy[other]
        errors_below[other] = gap / error if gap > _ROUNDING else 0.0
    return errors_below


def _variance(off: Floats, right: Rightness) -> float:
    """Return the variance of a difference between two accuracies.

    ``off`` (pattern, gold label) is what an item of each pattern adds to the difference, which has
    mean 0 if accuracies are equal. The variance between units (items or clusters) and the variance
    of drawing uncertain gold labels are added.
    """
    mean = (right.probability * off).sum(axis=1)
    drawn = (right.probability * off**2).sum(axis=1) - mean**2
    together = right.count @ mean**2 if right.units is None else ((right.units @ mean) ** 2).sum()
    return float(together + right.count @ drawn)


def critical_difference(annotators: int, confidence: float) -> float:
    """Return the critical difference between two annotators, in standard errors.

    It allows for the selection of the two among ``annotators`` annotators, and is NaN if there are
    fewer than two.
    """
    if annotators < 2:
        return np.nan
    if annotators == 2:
        return float(-ndtri((1 - confidence) / 2))
    from scipy.stats import studentized_range  # takes long to import

    return float(studentized_range.ppf(confidence, annotators, np.inf) / np.sqrt(2))
