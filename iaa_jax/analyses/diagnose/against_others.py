"""Each annotator against the others on the same items, as ratios of weighted sums.

An annotator's figures are a function of a few sums over his own ratings alone. So influences are
as sparse as the ratings, and a batch of replicates is one sparse product: hundreds of annotators
are as cheap as a few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.engine import Table, bootstrap_rows
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.intervals import bias_correction
from iaa_jax.measure.interval import PERCENTILES, IntervalOptions
from iaa_jax.measure.spread import Spread, ends_of
from iaa_jax.measure.uncertainty import ONE_SIDED

_CELLS = 1 << 27
_TIED = 1e-9
"""Weights of labels nearer than this are tied: sums of p and 1 - p round."""

_BIAS_CELLS = 1 << 25
"""Replicates of label biases (256 MB) beyond which they have no interval."""


@dataclass(frozen=True)
class Comparisons:
    """Every rating that stands beside others: whose it is, on which pattern, and its sums.

    Columns of ``sums``: agreeing comparisons, comparisons; item, disagreement with the others'
    shares; credit by the majority, items with one; then own label shares, and the others'.
    """

    annotator: NDArray[np.intp]
    pattern: NDArray[np.intp]
    sums: Floats
    annotators: int
    labels: int
    disagreement: Floats
    table: Table


AGREE, COMPARED, ITEMS, APART, CREDIT, VOTED, SHARES = range(7)
"""Columns of the sums; from the last on, own shares of labels and then the others'."""


def comparisons(
    codes: NDArray[Any],
    annotator_of: NDArray[Any] | None,
    shares: Floats,
    disagreement: Floats,
    table: Table,
    weight: Floats,
    *,
    skip_ties: bool,
) -> Comparisons:
    """Compare each rating with the others of its pattern.

    ``shares`` (code, label) spreads a rating over the labels, ``disagreement`` is (label, label)
    with rows for the annotator's own label, ``weight`` (annotator,) how much each counts as one of
    the others.
    """
    labels = shares.shape[1]
    known = (codes >= 0) & (table.count > 0)[:, None]
    width = codes.shape[1]
    if annotator_of is None:
        annotator_of = np.broadcast_to(np.arange(width), codes.shape)
    known &= (known.sum(axis=1) >= 2)[:, None]
    pattern, place = np.nonzero(known)
    if len(pattern) * (6 + 2 * labels) > _CELLS:
        message = (
            f"{labels:,} labels on {len(pattern):,} ratings are too many to compare annotators on: "
            "merge rare labels, or keep some annotators"
        )
        raise IaaError(message)
    annotator = annotator_of[pattern, place].astype(np.intp)
    own = shares[codes[pattern, place]]
    v = weight[annotator]
    total = np.zeros((len(codes), labels))
    np.add.at(total, pattern, v[:, None] * own)
    counted = np.bincount(pattern, weights=v, minlength=len(codes))
    others = total[pattern] - v[:, None] * own
    others[np.abs(others) < _TIED] = 0.0  # what rounding leaves of nobody
    n = counted[pattern] - v
    beside = n > _TIED  # somebody of weight among the others
    n = np.where(beside, n, 1.0)
    others = np.where(beside[:, None], others, 0.0)
    apart = ((own @ disagreement) * others).sum(axis=1)
    first = others >= others.max(axis=1, keepdims=True) - _TIED
    leading = first.sum(axis=1)
    voted = beside & ((leading == 1) | (not skip_ties))
    credit = np.where(voted, (own * first).sum(axis=1) / leading, 0.0)
    one = beside.astype(np.float64)
    left = np.where(beside, n, 0.0)
    columns = [left - apart, left, one, apart / n, credit, voted.astype(np.float64)]
    sums = np.concatenate(
        [np.stack(columns, axis=1), own * one[:, None], others / n[:, None]], axis=1
    )
    return Comparisons(
        annotator, pattern, sums, len(weight), labels, np.asarray(disagreement), table
    )


@dataclass(frozen=True)
class Figure:
    """One figure an annotator (annotator, ...), with its uncertainty."""

    estimate: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    undefined_replicates: NDArray[np.int64]


def figures(
    found: Comparisons,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, Figure], Floats]:
    """Agreement, kappa, majority agreement and label bias of each annotator, and items compared."""
    count = found.table.count
    each = count[found.pattern]
    sums = _by_annotator(found, each)
    estimates = _estimates(sums, found)
    influence = _influences(sums, found)
    items = found.table.items
    replicates: dict[str, Floats] = {}
    if options.method in PERCENTILES and items >= 2:
        replicates = _replicates(found, options, progress)
    result = {
        name: _figure(estimates[name], influence[name], each, found, replicates.get(name), options)
        for name in estimates
    }
    return result, sums[:, ITEMS]


def _by_annotator(found: Comparisons, weight: Floats) -> Floats:
    sums = np.zeros((found.annotators, found.sums.shape[1]))
    np.add.at(sums, found.annotator, weight[:, None] * found.sums)
    return sums


def _estimates(sums: Floats, found: Comparisons) -> dict[str, Floats]:
    """The figures of sums (..., annotator, column)."""
    own = sums[..., _own(found)]
    others = sums[..., _others(found)]
    items = sums[..., ITEMS]
    chance = ((own @ found.disagreement) * others).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "agreement": sums[..., AGREE] / _positive(sums[..., COMPARED]),
            "kappa": 1 - sums[..., APART] * items / _positive(chance),
            "majority_agreement": sums[..., CREDIT] / _positive(sums[..., VOTED]),
            "bias": (own - others) / _positive(items)[..., None],
        }


def _influences(sums: Floats, found: Comparisons) -> dict[str, Floats]:
    """Derivatives of each figure by the weight of the pattern, at each of its ratings."""
    value, whose = found.sums, found.annotator
    of = _estimates(sums, found)
    own, others = sums[:, _own(found)], sums[:, _others(found)]
    matrix = found.disagreement
    chance = _positive(((own @ matrix) * others).sum(axis=1))
    apart, items = sums[:, APART], sums[:, ITEMS]
    towards_own = (others @ matrix.T)[whose] * value[:, _own(found)]
    towards_others = (own @ matrix)[whose] * value[:, _others(found)]
    moved = (towards_own + towards_others).sum(axis=1)
    kappa = (
        -value[:, APART] * (items / chance)[whose]
        - value[:, ITEMS] * (apart / chance)[whose]
        + moved * (apart * items / chance**2)[whose]
    )

    def ratio(top: Any, bottom: int, name: str) -> Floats:
        under, figure = value[:, bottom], of[name][whose]
        scale = _positive(sums[:, bottom])[whose]
        if figure.ndim == 2:
            return (top - under[:, None] * figure) / scale[:, None]
        return (top - under * figure) / scale

    shift = value[:, _own(found)] - value[:, _others(found)]
    return {
        "agreement": ratio(value[:, AGREE], COMPARED, "agreement"),
        "kappa": kappa,
        "majority_agreement": ratio(value[:, CREDIT], VOTED, "majority_agreement"),
        "bias": ratio(shift, ITEMS, "bias"),
    }


def _replicates(
    found: Comparisons, options: IntervalOptions, progress: Callable[[int, int], None] | None
) -> dict[str, Floats]:
    from scipy.sparse import csr_array

    width = found.sums.shape[1]
    column = found.annotator[:, None] * width + np.arange(width)
    row = np.broadcast_to(found.pattern[:, None], column.shape)
    shape = (found.annotators * width, len(found.table.count))
    matrix = csr_array((found.sums.ravel(), (column.ravel(), row.ravel())), shape=shape)
    with_bias = options.replicates * found.annotators * found.labels <= _BIAS_CELLS
    parts: dict[str, list[Floats]] = {}
    done = 0
    for (rows,) in bootstrap_rows([found.table], options.replicates, options.seed):
        wanted = rows[: options.replicates - done]
        if not len(wanted):
            break
        sums = (matrix @ np.ascontiguousarray(wanted.T)).T
        for name, figure in _estimates(
            sums.reshape(len(wanted), found.annotators, width), found
        ).items():
            if name != "bias" or with_bias:
                parts.setdefault(name, []).append(figure)
        done += len(wanted)
        if progress is not None:
            progress(done, options.replicates)
    return {name: np.concatenate(part) for name, part in parts.items()}


def _figure(
    estimate: Floats,
    influence: Floats,
    each: Floats,
    found: Comparisons,
    replicates: Floats | None,
    options: IntervalOptions,
) -> Figure:
    nothing = np.full(estimate.shape, np.nan)
    undefined = np.zeros(estimate.shape, dtype=np.int64)
    if replicates is not None:
        undefined = np.isnan(replicates).sum(axis=0)
    items = found.table.items
    if options.interval is None or items < 2:
        return Figure(estimate, nothing, nothing, nothing, undefined)
    # an annotator's figures do not depend on the scale of the weights: influences have mean 0
    squares, cubes = (_summed(each, influence**power, found) for power in (2, 3))
    defined = ~np.isnan(estimate)
    error = np.where(defined, np.sqrt(items / (items - 1) * squares), np.nan)
    far = np.where(squares > 0, squares, 1.0) ** 1.5
    skewness = np.where(squares > 0, cubes / (6 * far), 0.0)
    spread = Spread(error, items - 1, skewness, replicates)
    ends = ends_of(estimate, spread, options.form, options.confidence)
    if options.method == "bca" and replicates is not None:
        defined = defined & ~(np.abs(bias_correction(estimate, replicates)) > ONE_SIDED)
    low, high = (np.where(defined, end, np.nan) for end in ends)
    return Figure(estimate, error, low, high, undefined)


def _summed(each: Floats, values: Floats, found: Comparisons) -> Floats:
    flat = values.reshape(len(values), -1)
    sums = [
        np.bincount(found.annotator, weights=each * column, minlength=found.annotators)
        for column in flat.T
    ]
    by_annotator = np.stack(sums, axis=-1).astype(np.float64)
    return by_annotator.reshape(found.annotators, *values.shape[1:])


def _own(found: Comparisons) -> slice:
    return slice(SHARES, SHARES + found.labels)


def _others(found: Comparisons) -> slice:
    return slice(SHARES + found.labels, SHARES + 2 * found.labels)


def _positive(numbers: Floats) -> Floats:
    """The numbers, NaN where nothing is left to divide by."""
    return np.where(numbers > _TIED, numbers, np.nan)
