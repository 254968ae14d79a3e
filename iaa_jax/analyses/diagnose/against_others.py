"""Each annotator against the others on the same items, as ratios of weighted sums.

An annotator's figures are a function of a few sums over his own ratings alone. So influences are
as sparse as the ratings, and a batch of replicates is one sparse product: hundreds of annotators
are as cheap as a few. Of a crowd, some annotators at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.patterns import Codes
from iaa_jax.engine import Clusters, PatternTable, Resampling, sampled_rows
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.measurement import is_one_sided
from iaa_jax.measure.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.spread import Spread, ends_of

_CELLS = 1 << 27
_TIED = 1e-9
"""Weights of labels nearer than this are tied: sums of p and 1 - p round."""

_BIAS_CELLS = 1 << 25
"""Replicates of label biases (256 MB) beyond which they have no interval."""

AGREE, COMPARED, ITEMS, DISAGREE, CREDIT, VOTED, SHARES = range(7)
"""Columns of the sums; from the last on, own shares of labels and then the others'."""


@dataclass(frozen=True)
class Comparisons:
    """Every rating that stands beside others: whose it is, on which pattern, and its sums.

    Columns of ``sums``: agreeing comparisons, comparisons; item, disagreement with the others'
    shares; credit by the majority, items with one; then own label shares, and the others'.
    ``by_item`` asks for agreement in which each item counts once, too.
    """

    annotator: NDArray[np.intp]
    pattern: NDArray[np.intp]
    sums: Floats
    annotators: int
    labels: int
    disagreement: Floats
    table: PatternTable
    by_item: bool = False

    @property
    def own(self) -> slice:
        """Columns of the annotator's own shares of labels."""
        return slice(SHARES, SHARES + self.labels)

    @property
    def others(self) -> slice:
        """Columns of the others' shares."""
        return slice(SHARES + self.labels, SHARES + 2 * self.labels)

    @property
    def weight(self) -> Floats:
        """For how many items each rating stands."""
        return self.table.count[self.pattern]

    def by_annotator(self, values: Floats) -> Floats:
        """Values (rating, ...) summed over the ratings of each annotator, weighted."""
        sums = np.zeros((self.annotators, *values.shape[1:]))
        weight = self.weight if values.ndim == 1 else self.weight[:, None]
        np.add.at(sums, self.annotator, weight * values)
        return sums

    def moments(self, influence: Floats, clusters: Clusters | None) -> tuple[Floats, Floats]:
        """Squares and cubes of influences (rating, ...), summed over the units of each annotator.

        Units are items, or clusters, with what all of their items say together.
        """
        from scipy.sparse import csr_array

        if clusters is None:
            return self.by_annotator(influence**2), self.by_annotator(influence**3)
        flat = influence.reshape(len(influence), -1)
        in_clusters = clusters.matrix_of(self.table).T
        shape = (self.annotators, len(self.table.count))
        sums: list[list[Floats]] = [[], []]
        for column in np.nan_to_num(flat).T:
            of_patterns = csr_array((column, (self.annotator, self.pattern)), shape=shape)
            of_clusters = of_patterns @ in_clusters
            for power, parts in zip((2, 3), sums, strict=True):
                parts.append(np.asarray(of_clusters.power(power).sum(axis=1)).reshape(-1))
        squares, cubes = (np.stack(parts, axis=-1) for parts in sums)
        shape_of_each = (self.annotators, *influence.shape[1:])
        return squares.reshape(shape_of_each), cubes.reshape(shape_of_each)


def comparisons(
    codes: Codes,
    shares: Floats,
    disagreement: Floats,
    table: PatternTable,
    weight: Floats,
    ties: str,
    *,
    by_item: bool = False,
) -> Comparisons:
    """Compare each rating with the others of its pattern.

    ``shares`` (code, label) spreads a rating over the labels, ``disagreement`` is (label, label)
    with rows for the annotator's own label, ``weight`` (annotator,) how much each counts as one of
    the others. ``ties`` "skip" leaves out items where the others' first place is tied.
    """
    labels, patterns = shares.shape[1], len(codes.codes)
    known = (codes.codes >= 0) & (table.count > 0)[:, None]
    known &= (known.sum(axis=1) >= 2)[:, None]
    pattern, slot, raters = codes.ratings(known)
    if len(pattern) * (6 + 2 * labels) > _CELLS:
        message = (
            f"{labels:,} labels on {len(pattern):,} ratings are too many to compare annotators on: "
            "merge rare labels, or keep some annotators"
        )
        raise IaaError(message)
    annotator = raters.astype(np.intp)
    own_shares = shares[codes.codes[pattern, slot]]
    weight_of = weight[annotator]
    total = np.zeros((patterns, labels))
    np.add.at(total, pattern, weight_of[:, None] * own_shares)
    counted = np.bincount(pattern, weights=weight_of, minlength=patterns)
    others = total[pattern] - weight_of[:, None] * own_shares
    others[np.abs(others) < _TIED] = 0.0  # what rounding leaves of nobody
    compared = counted[pattern] - weight_of
    has_others = compared > _TIED  # somebody of weight among the others
    divisor = np.where(has_others, compared, 1.0)
    others = np.where(has_others[:, None], others, 0.0)
    disagreeing = ((own_shares @ disagreement) * others).sum(axis=1)
    in_front = others >= others.max(axis=1, keepdims=True) - _TIED
    leading = in_front.sum(axis=1)
    voted = has_others & ((leading == 1) | (ties != "skip"))
    credit = np.where(voted, (own_shares * in_front).sum(axis=1) / leading, 0.0)
    item = has_others.astype(np.float64)
    compared = np.where(has_others, compared, 0.0)
    columns = [
        compared - disagreeing,
        compared,
        item,
        disagreeing / divisor,
        credit,
        voted.astype(np.float64),
    ]
    shares_of_both = [own_shares * item[:, None], others / divisor[:, None]]
    sums = np.concatenate([np.stack(columns, axis=1), *shares_of_both], axis=1)
    return Comparisons(
        annotator, pattern, sums, len(weight), labels, np.asarray(disagreement), table, by_item
    )


class FiguresOfEach(NamedTuple):
    """One figure an annotator (annotator, ...), with its uncertainty."""

    estimate: Floats
    standard_error: Floats
    ci_low: Floats
    ci_high: Floats
    undefined_replicates: NDArray[np.int64]


def figures_of_each(
    ratings: Comparisons,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, FiguresOfEach], Floats]:
    """Agreement, kappa, majority agreement and label bias of each annotator, and items compared."""
    sums = ratings.by_annotator(ratings.sums)
    estimates = _estimates(sums.T, ratings)
    influences = _influences(sums, estimates, ratings)
    interval, items = resolve(options), sums[:, ITEMS]
    spreads = {
        name: _spread(estimate, influences[name], ratings, items, interval, resampling)
        for name, estimate in estimates.items()
    }
    groups: Iterable[tuple[slice, dict[str, Floats]]] = [(slice(None), {})]
    if interval.by_replicates and ratings.table.items >= 2:
        groups = _in_groups(ratings, options, resampling, progress)
    parts: dict[str, list[FiguresOfEach]] = {name: [] for name in estimates}
    for group, replicates in groups:
        for name, estimate in estimates.items():
            spread = spreads[name]
            of_group = spread and Spread(
                spread.standard_error[group],
                spread.degrees,
                spread.skewness[group],
                replicates.get(name),
            )
            parts[name].append(
                _figures(estimate[group], replicates.get(name), of_group, items[group], interval)
            )
    figures = {
        name: FiguresOfEach(*map(np.concatenate, zip(*part, strict=True)))
        for name, part in parts.items()
    }
    return figures, items


def _estimates(sums: Floats, ratings: Comparisons, *, with_bias: bool = True) -> dict[str, Floats]:
    """The figures (..., [label]) of sums (column, ...)."""
    own, others = sums[ratings.own], sums[ratings.others]
    items = sums[ITEMS]
    chance = (np.tensordot(ratings.disagreement, own, axes=(0, 0)) * others).sum(axis=0)
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
    """Derivatives of each figure by the weight of the pattern, at each of its ratings."""
    values, raters = ratings.sums, ratings.annotator
    own, others = sums[:, ratings.own], sums[:, ratings.others]
    matrix = ratings.disagreement
    chance = _positive(((own @ matrix) * others).sum(axis=1))
    disagreeing, items = sums[:, DISAGREE], sums[:, ITEMS]
    towards_own = (others @ matrix.T)[raters] * values[:, ratings.own]
    towards_others = (own @ matrix)[raters] * values[:, ratings.others]
    moved = (towards_own + towards_others).sum(axis=1)
    kappa = (
        -values[:, DISAGREE] * (items / chance)[raters]
        - values[:, ITEMS] * (disagreeing / chance)[raters]
        + moved * (disagreeing * items / chance**2)[raters]
    )

    def of_ratio(numerator: Floats, denominator: int, name: str) -> Floats:
        below, figure = values[:, denominator], estimates[name][raters]
        scale = _positive(sums[:, denominator])[raters]
        if figure.ndim == 2:
            return (numerator - below[:, None] * figure) / scale[:, None]
        return (numerator - below * figure) / scale

    shift = values[:, ratings.own] - values[:, ratings.others]
    influences = {
        "agreement": of_ratio(values[:, AGREE], COMPARED, "agreement"),
        "kappa": kappa,
        "majority_agreement": of_ratio(values[:, CREDIT], VOTED, "majority_agreement"),
        "bias": of_ratio(shift, ITEMS, "bias"),
    }
    if ratings.by_item:
        agreeing = values[:, ITEMS] - values[:, DISAGREE]
        influences["item_agreement"] = of_ratio(agreeing, ITEMS, "item_agreement")
    return influences


def _in_groups(
    ratings: Comparisons,
    options: IntervalOptions,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> Iterator[tuple[slice, dict[str, Floats]]]:
    """The figures (replicate, annotator, ...) of some annotators at a time.

    Items, or clusters, are drawn with replacement: once, the weights held where there are several
    groups.
    """
    replicates, size = options.replicates, ratings.annotators
    with_bias = replicates * size * ratings.labels <= _BIAS_CELLS
    figures = 3 + ratings.by_item + with_bias * ratings.labels
    together = min(max(1, thresholds.FIGURES_HELD // (replicates * figures)), size)
    drawn: Iterable[Any] = _drawn(ratings.table, options, resampling)
    groups = -(-size // together)
    if groups > 1:
        drawn = [*map(_narrow, drawn)]
    order = np.argsort(ratings.annotator, kind="stable")
    begin = np.searchsorted(ratings.annotator[order], np.arange(groups + 1) * together)
    held: dict[str, Floats] = {}  # (annotator, replicate, ...)
    for number in range(groups):
        group = slice(number * together, min((number + 1) * together, size))
        chosen = order[begin[number] : begin[number + 1]]
        done = 0
        for sums in _sums_of_rows(ratings, chosen, group, drawn):
            start, done = done, done + sums.shape[-1]
            for name, figure in _estimates(sums, ratings, with_bias=with_bias).items():
                if name not in held:
                    held[name] = np.empty((together, replicates, *figure.shape[2:]))
                held[name][: sums.shape[1], start:done] = figure
            if progress is not None:
                progress((number * replicates + done) // groups, replicates)
        # what is made of them goes through them several times: near the processor
        near = max(1, thresholds.ROWS_TOGETHER // replicates)
        for first in range(group.start, group.stop, near):
            some = slice(first, min(first + near, group.stop))
            places = slice(first - group.start, some.stop - group.start)
            yield some, {name: part[places].swapaxes(0, 1) for name, part in held.items()}


def _drawn(
    table: PatternTable, options: IntervalOptions, resampling: Resampling
) -> Iterator[Floats]:
    """Weights (row, pattern), as many rows as there are replicates."""
    wanted = options.replicates
    for (rows,) in sampled_rows([table], options.replicates, options.seed, resampling):
        if wanted:
            yield rows[:wanted]
        wanted -= min(wanted, len(rows))


def _narrow(rows: Floats) -> NDArray[Any]:
    """Whole weights as the smallest numbers that hold them: mostly a byte each."""
    whole = rows.astype(np.min_scalar_type(int(rows.max())))
    return whole if np.array_equal(whole, rows) else rows


def _sums_of_rows(
    ratings: Comparisons, chosen: Integers, group: slice, drawn: Iterable[NDArray[Any]]
) -> Iterator[Floats]:
    """The sums (column, annotator, row) of the chosen ratings, a group's, for all rows of weights.

    So many rows at once as stay near the processor.
    """
    from scipy.sparse import csr_array

    size, width = group.stop - group.start, ratings.sums.shape[1]
    values, annotator = ratings.sums[chosen], ratings.annotator[chosen] - group.start
    some, place = np.unique(ratings.pattern[chosen], return_inverse=True)
    rating, column = np.nonzero(values)
    entries = values[rating, column], (column * size + annotator[rating], place[rating])
    matrix = csr_array(entries, shape=(width * size, len(some)))
    together = max(1, thresholds.ROWS_TOGETHER // (width * size))
    for rows in drawn:
        for start in range(0, len(rows), together):
            upright = rows[start : start + together, some].T.astype(np.float64, order="C")
            yield np.asarray(matrix @ upright).reshape(width, size, -1)


def _spread(
    estimate: Floats,
    influence: Floats,
    ratings: Comparisons,
    items: Floats,
    interval: ResolvedInterval,
    resampling: Resampling,
) -> Spread | None:
    """How the figures of annotators with two items or more vary; None where nothing is drawn."""
    clusters = resampling.clusters
    units = ratings.table.items if clusters is None else clusters.number
    if not interval.method or units < 2:
        return None
    # an annotator's figures do not depend on the scale of the weights: influences have mean 0
    squares, cubes = ratings.moments(influence, clusters)
    error = np.where(_told(estimate, items), np.sqrt(units / (units - 1) * squares), np.nan)
    scale = np.where(squares > 0, squares, 1.0) ** 1.5
    return Spread(error, units - 1, np.where(squares > 0, cubes / (6 * scale), 0.0))


def _told(estimate: Floats, items: Floats) -> NDArray[np.bool_]:
    """Which figures are defined, and stand on two items or more."""
    several = (items >= 2).reshape(-1, *[1] * (estimate.ndim - 1))
    return np.asarray(~np.isnan(estimate) & several)


def _figures(
    estimate: Floats,
    replicates: Floats | None,
    spread: Spread | None,
    items: Floats,
    interval: ResolvedInterval,
) -> FiguresOfEach:
    """Estimates with standard errors and intervals, of annotators with two items or more."""
    nothing = np.full(estimate.shape, np.nan)
    undefined = np.zeros(estimate.shape, dtype=np.int64)
    if replicates is not None:
        undefined = np.isnan(replicates).sum(axis=0)
    if spread is None:
        return FiguresOfEach(estimate, nothing, nothing, nothing, undefined)
    defined = _told(estimate, items)
    ends = ends_of(estimate, spread, interval)
    if interval.method == "bca" and replicates is not None:
        defined = defined & ~is_one_sided(estimate, replicates)
    low, high = (np.where(defined, end, np.nan) for end in ends)
    return FiguresOfEach(estimate, spread.standard_error, low, high, undefined)


def _positive(numbers: Floats) -> Floats:
    """The numbers, NaN where nothing is left to divide by."""
    return np.where(numbers > _TIED, numbers, np.nan)
