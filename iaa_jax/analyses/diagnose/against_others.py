"""Agreement of each annotator with the others on the same items, and its uncertainty.

``agreement`` counts each comparison of two ratings once; ``item_agreement`` counts each item once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack
from scipy.special import ndtr

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.diagnose.comparisons import (
    AGREE,
    COMPARED,
    CREDIT,
    DISAGREE,
    ITEMS,
    SHARES,
    TIED,
    VOTED,
    Comparisons,
    chance_disagreement,
    entries_of,
    towards_labels,
)
from iaa_jax.analyses.diagnose.label_estimates import Survey
from iaa_jax.engine import Clusters, PatternTable, Resampling, sampled_rows
from iaa_jax.engine.rows import tell
from iaa_jax.kernels.intervals import student_t
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.measurement import is_one_sided
from iaa_jax.measure.intervals.pseudo_item import (
    PseudoItem,
    farther_ends,
    labels_agreed_on,
    labels_picked_evenly,
    one_item_less,
)
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.requests.spread import Spread, ends_of

_WITH_ITEM = "with "
"""Prefix of names of estimates that include a pseudo-item (the prior, as one more item)."""

_BIAS_CELLS = 1 << 25
"""Maximum number of cells (replicate, annotator, label) with resampled biases (256 MB)."""


class AnnotatorEstimates(NamedTuple):
    """An estimate (annotator,), or for biases (annotator, label), with its uncertainty."""

    estimate: Floats
    standard_error: Floats
    ci_low: Floats
    ci_high: Floats
    undefined_replicates: NDArray[np.int64]


def estimate_each_annotator(
    ratings: Comparisons, survey: Survey
) -> tuple[dict[str, AnnotatorEstimates], Floats]:
    """Return estimates by name, and each annotator's number of shared items."""
    options, resampling = survey.options, survey.resampling
    sums = ratings.totals()
    estimates = _estimates(sums, ratings)
    influences = _influences(sums, estimates, ratings)
    interval, items = interval_of_each(options), sums[ITEMS]
    spreads = {
        name: _spread(estimate, influences.get(name), ratings, items, interval, resampling)
        for name, estimate in estimates.items()
    }
    groups: Iterable[tuple[slice, dict[str, Floats]]] = [(slice(None), {})]
    if interval.by_replicates and ratings.table.items >= 2:
        groups = _in_groups(ratings, survey)
    parts: dict[str, list[AnnotatorEstimates]] = {name: [] for name in estimates}
    over_clusters = resampling.clusters is not None
    for group, replicates in groups:
        for name, estimate in estimates.items():
            spread = spreads[name]
            of_group = spread and Spread(
                spread.standard_error[group],
                spread.degrees,
                spread.skewness[group],
                replicates.get(name),
            )
            drawn = replicates.get(name), replicates.get(_WITH_ITEM + name)
            parts[name].append(
                _figures(estimate[group], drawn, of_group, items[group], interval, over_clusters)
            )
    figures = {
        name: AnnotatorEstimates(*map(np.concatenate, zip(*part, strict=True)))
        for name, part in parts.items()
    }
    return figures, items


def lower_than_next(ratings: Comparisons, survey: Survey, name: str) -> Floats:
    """Return the probability that each annotator truly agrees less than the one ranked next above.

    The difference of two estimates is taken as normal; its variance comes from their influences.
    The probability is NaN for the highest estimate.
    """
    sums, clusters = ratings.totals(), survey.resampling.clusters
    estimates = _estimates(sums, ratings, with_bias=False)
    influence, figure = _influences(sums, estimates, ratings)[name], estimates[name]
    order = np.argsort(np.where(np.isnan(figure), np.inf, figure), kind="stable")
    lower, higher = order[:-1], order[1:]
    squares, _ = ratings.moments(influence, clusters)
    both = ratings.moments_of_two(influence, lower, higher, clusters)
    units = ratings.table.items if clusters is None else clusters.number
    variance = units / max(units - 1, 1) * (squares[lower] + squares[higher] - 2 * both)
    probability = np.full(len(figure), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        probability[lower] = ndtr((figure[higher] - figure[lower]) / np.sqrt(variance))
    return probability


def interval_of_each(options: IntervalOptions) -> ResolvedInterval:
    """Return the kind of interval for annotators; by default, percentiles of two posteriors."""
    interval = resolve(options)
    automatic = interval.method and interval.automatic
    return interval.with_method("empirical_bayes") if automatic else interval


def _estimates(sums: Floats, ratings: Comparisons, *, with_bias: bool = True) -> dict[str, Floats]:
    """Return estimates (...), and biases (..., label), from sums (column, ...)."""
    own, others = np.split(sums[SHARES:], 2)
    items = sums[ITEMS]
    chance = chance_disagreement(own, others, ratings.disagreement)
    with np.errstate(invalid="ignore", divide="ignore"):
        figures: dict[str, Floats] = {
            "agreement": sums[AGREE] / _positive(sums[COMPARED]),
            "kappa": 1 - sums[DISAGREE] * items / _positive(chance),
            "majority_agreement": sums[CREDIT] / _positive(sums[VOTED]),
        }
        if with_bias:
            figures["bias"] = np.moveaxis((own - others) / _positive(items), 0, -1)
        if ratings.by_item:
            figures["item_agreement"] = (items - sums[DISAGREE]) / _positive(items)
        return figures


def _influences(
    sums: Floats, estimates: dict[str, Floats], ratings: Comparisons
) -> dict[str, Floats]:
    """Return the derivatives (rating,) of all estimates but biases with respect to item weights."""
    values, raters = ratings.sums, ratings.annotator
    own, others = np.split(sums[SHARES:], 2)
    matrix = ratings.disagreement
    towards_own = towards_labels(others, matrix)
    towards_others = towards_labels(own, None if matrix is None else matrix.T)
    chance = _positive((own * towards_own).sum(axis=0))
    disagreeing, items = sums[DISAGREE], sums[ITEMS]
    chance_shift = np.zeros(len(raters))
    for shares, towards in zip(ratings.both, (towards_own, towards_others), strict=True):
        rating, label, share = entries_of(shares)
        toward_rating = share * towards[label, raters[rating]]
        chance_shift += np.bincount(rating, toward_rating, minlength=len(raters))
    kappa = (
        -values[:, DISAGREE] * (items / chance)[raters]
        - values[:, ITEMS] * (disagreeing / chance)[raters]
        + chance_shift * (disagreeing * items / chance**2)[raters]
    )

    def ratio_influence(numerator: Floats, denominator: int, name: str) -> Floats:
        scale = _positive(sums[denominator])[raters]
        return (numerator - values[:, denominator] * estimates[name][raters]) / scale

    influences = {
        "agreement": ratio_influence(values[:, AGREE], COMPARED, "agreement"),
        "kappa": kappa,
        "majority_agreement": ratio_influence(values[:, CREDIT], VOTED, "majority_agreement"),
    }
    if ratings.by_item:
        agreeing = values[:, ITEMS] - values[:, DISAGREE]
        influences["item_agreement"] = ratio_influence(agreeing, ITEMS, "item_agreement")
    return influences


def _in_groups(ratings: Comparisons, survey: Survey) -> Iterator[tuple[slice, dict[str, Floats]]]:
    """Yield slices of annotators, each with a dictionary of replicates (replicate, annotator, ...).

    Items or clusters are drawn once, for all annotators together.
    """
    options, resampling = survey.options, survey.resampling
    replicates, size, table = options.replicates, ratings.annotators, ratings.table
    with_bias = replicates * size * ratings.labels <= _BIAS_CELLS
    figures = 3 + ratings.by_item + with_bias * ratings.labels
    pseudo_item = None
    if interval_of_each(options).method == "empirical_bayes":
        figures *= 2
        clusters = resampling.clusters
        units = table.items if clusters is None else clusters.number
        pseudo_item = PseudoItem.drawn(replicates, units, options.seed)
        resampling = replace(resampling, weights="dirichlet")
        table = one_item_less(table) if clusters is None else table
    together = min(max(1, thresholds.FIGURES_HELD // (replicates * figures)), size)
    drawn: Iterable[Any] = _drawn(table, options, resampling)
    groups = -(-size // together)
    if groups > 1:
        drawn = [*map(_narrow, drawn)]
    shares = hstack(ratings.both if with_bias else ratings.distinguishable_shares(), format="csr")
    order = np.argsort(ratings.annotator, kind="stable")
    begin = np.searchsorted(ratings.annotator[order], np.arange(groups + 1) * together)
    held: dict[str, Floats] = {}  # (annotator, replicate, ...)
    for number in range(groups):
        group = slice(number * together, min((number + 1) * together, size))
        chosen = order[begin[number] : begin[number + 1]]
        done = 0
        added = None
        if pseudo_item is not None:
            count = ratings.table.count[None, :]
            (seen,) = _sums_of_rows(ratings, shares, chosen, group, [count])
            added = _Added(seen[..., 0], ratings, group, resampling.clusters)
        for sums in _sums_of_rows(ratings, shares, chosen, group, drawn):
            start, done = done, done + sums.shape[-1]
            computed = _estimates(sums, ratings, with_bias=with_bias)
            if added is not None and pseudo_item is not None:
                computed |= added.estimates(
                    sums, pseudo_item.part(slice(start, done)), with_bias=with_bias
                )
            for name, figure in computed.items():
                if name not in held:
                    held[name] = np.empty((together, replicates, *figure.shape[2:]))
                held[name][: sums.shape[1], start:done] = figure
            tell(survey.progress, (number * replicates + done) // groups, replicates)
        step = max(1, thresholds.ROWS_TOGETHER // replicates)
        for first in range(group.start, group.stop, step):
            part = slice(first, min(first + step, group.stop))
            rows = slice(first - group.start, part.stop - group.start)
            yield part, {name: values[rows].swapaxes(0, 1) for name, values in held.items()}


def _drawn(
    table: PatternTable, options: IntervalOptions, resampling: Resampling
) -> Iterator[Floats]:
    """Yield weights (replicate, pattern) by batch.

    A pattern is a set of items with the same ratings.
    """
    wanted = options.replicates
    for (rows,) in sampled_rows([table], options.replicates, options.seed, resampling):
        if wanted:
            yield rows[:wanted]
        wanted -= min(wanted, len(rows))


class _Added:
    """Estimates of a group of annotators, with a pseudo-item added to each annotator's items."""

    def __init__(
        self, seen: Floats, ratings: Comparisons, group: slice, clusters: Clusters | None
    ) -> None:
        self.ratings = ratings
        own, others = np.split(seen[SHARES:], 2)
        self.agreeing = labels_agreed_on(own, others)[..., None]
        self.even = labels_picked_evenly(own, others)[..., None]
        items, compared = seen[ITEMS], seen[COMPARED]
        # the pseudo-item weighs as much as one item, or as a cluster does on average
        self.size = np.ones_like(items)
        if clusters is not None:
            self.size = items / np.maximum(ratings.clusters_of_each(clusters)[group], 1)
        self.size = self.size[:, None]
        self.compared = (compared / np.where(items > TIED, items, 1.0))[:, None]
        self.voted = (seen[VOTED] / np.where(items > TIED, items, 1.0))[:, None]
        self.distance = self._distance(self.even[..., 0])[:, None]

    def _distance(self, even: Floats) -> Floats:
        """Return the expected distance of two different labels, drawn from the shares ``even``."""
        if self.ratings.disagreement is None or len(even) != self.ratings.labels:
            return np.ones(even.shape[1])
        away = np.einsum("la,lm,ma->a", even, self.ratings.disagreement, even)
        differ = 1 - (even**2).sum(axis=0)
        return np.asarray(np.divide(away, differ, out=np.ones_like(away), where=differ > TIED))

    def estimates(self, sums: Floats, item: PseudoItem, *, with_bias: bool) -> dict[str, Floats]:
        """Return estimates from sums (column, annotator, replicate) and a pseudo-item."""
        agreeing, differing, leaning = (self.size * half for half in item)
        both, alike = agreeing + differing, agreeing + differing * (1 - self.distance)
        more = np.empty_like(sums)
        more[AGREE], more[COMPARED] = self.compared * alike, self.compared * both
        more[ITEMS], more[DISAGREE] = both, differing * self.distance
        more[CREDIT], more[VOTED] = self.voted * agreeing, self.voted * both
        labels = agreeing * self.agreeing + differing * self.even
        more[SHARES:] = np.concatenate([labels, labels])
        more += sums
        figures = _estimates(more, self.ratings, with_bias=with_bias)
        if with_bias:
            figures["bias"] += (leaning / more[ITEMS])[..., None]
        return {f"{_WITH_ITEM}{name}": figure for name, figure in figures.items()}


def _narrow(rows: Floats) -> NDArray[Any]:
    whole = rows.astype(np.min_scalar_type(int(rows.max())))
    return whole if np.array_equal(whole, rows) else rows.astype(np.float32)


def _sums_of_rows(
    ratings: Comparisons,
    shares: csr_array,
    chosen: Integers,
    group: slice,
    drawn: Iterable[NDArray[Any]],
) -> Iterator[Floats]:
    """Yield sums (column, annotator, replicate) over chosen ratings, by batch."""
    size, annotator = group.stop - group.start, ratings.annotator[chosen] - group.start
    patterns, place = np.unique(ratings.pattern[chosen], return_inverse=True)
    values = hstack([csr_array(ratings.sums[chosen]), shares[chosen]], format="csr")
    width = values.shape[1]
    rating, column, value = entries_of(values)
    entries = value, (column * size + annotator[rating], place[rating])
    matrix = csr_array(entries, shape=(width * size, len(patterns)))
    together = max(1, thresholds.ROWS_TOGETHER // (width * size))
    for rows in drawn:
        for start in range(0, len(rows), together):
            upright = rows[start : start + together, patterns].T.astype(np.float64, order="C")
            yield np.asarray(matrix @ upright).reshape(width, size, -1)


def _spread(
    estimate: Floats,
    influence: Floats | None,
    ratings: Comparisons,
    items: Floats,
    interval: ResolvedInterval,
    resampling: Resampling,
) -> Spread | None:
    """Return the standard errors and skewness of estimates; None if no interval can be given.

    ``influence`` is None for biases: they could take too much memory.
    """
    clusters = resampling.clusters
    units = ratings.table.items if clusters is None else clusters.number
    if not interval.method or units < 2:
        return None
    # influences have mean 0, because estimates do not depend on the scale of the weights
    if influence is None:
        squares, cubes = ratings.moments_of_bias(estimate, items, clusters)
    else:
        squares, cubes = ratings.moments(influence, clusters)
    error = np.where(_is_known(estimate, items), np.sqrt(units / (units - 1) * squares), np.nan)
    scale = np.where(squares > 0, squares, 1.0) ** 1.5
    return Spread(error, units - 1, np.where(squares > 0, cubes / (6 * scale), 0.0))


def _is_known(estimate: Floats, items: Floats) -> NDArray[np.bool_]:
    several = (items >= 2).reshape(-1, *[1] * (estimate.ndim - 1))
    return np.asarray(~np.isnan(estimate) & several)


def _figures(
    estimate: Floats,
    drawn: tuple[Floats | None, Floats | None],
    spread: Spread | None,
    items: Floats,
    interval: ResolvedInterval,
    over_clusters: bool,
) -> AnnotatorEstimates:
    """Return estimates with standard errors, and intervals of annotators with two items or more.

    ``drawn`` holds the replicates without and with a pseudo-item. With clusters, a posterior
    interval also covers Student's t interval, because a few clusters determine variance poorly.
    """
    replicates, with_item = drawn
    no_ends = np.full(estimate.shape, np.nan)
    undefined = np.zeros(estimate.shape, dtype=np.int64)
    if replicates is not None:
        undefined = np.isnan(replicates).sum(axis=0)
    if spread is None:
        return AnnotatorEstimates(estimate, no_ends, no_ends, no_ends, undefined)
    defined = _is_known(estimate, items)
    if interval.method == "empirical_bayes":
        other = None
        if over_clusters:
            other = student_t(estimate, spread.standard_error, spread.degrees, interval.confidence)
        sets = [rows for rows in (with_item, replicates) if rows is not None]
        ends = farther_ends(estimate, interval.confidence, *sets, other=other)
    else:
        ends = ends_of(estimate, spread, interval)
    if interval.method == "bca" and replicates is not None:
        defined = defined & ~is_one_sided(estimate, replicates)
    low, high = (np.where(defined, end, np.nan) for end in ends)
    return AnnotatorEstimates(estimate, spread.standard_error, low, high, undefined)


def _positive(numbers: Floats) -> Floats:
    """Return the numbers, with NaN for those that are not positive."""
    return np.where(numbers > TIED, numbers, np.nan)
