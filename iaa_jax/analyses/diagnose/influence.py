"""Influence of items on a coefficient, to first order, and the coefficient without an annotator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import REASONS
from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.diagnose import declared
from iaa_jax.engine import Prepared, Problem, estimates
from iaa_jax.engine.flat import Sums, flat_statistics, read_back
from iaa_jax.engine.on_numpy import estimate_rows
from iaa_jax.kernels.namespace import Array
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed, sums_over_items
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import usual_of
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.shared.item_influence import influence_by_item
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

_WORK = 1 << 32
"""Maximum product of the size of the data and the number of annotators to leave out."""

_COMPARED = 100_000
"""For spans: maximum product of the numbers of documents and of annotators to leave out."""


@public
@gives(declared)
def influence(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "dtype"),
) -> xr.Dataset:
    """Return each item's influence on a coefficient, from derivatives with respect to weights.

    Let g_i be the derivative of the estimate with respect to the weight w_i of item i, n the sum of
    the weights of rated items, and gbar the weighted mean of g. The influence is ``U_i = n (g_i -
    gbar)``, which is positive if the item raises the coefficient. The weighted mean of U is 0, and
    ``sqrt(sum w U^2 / (n (n - 1)))`` is the standard error. Without the item, the estimate changes
    by ``-w_i g_i``, to first order.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the signature of those in `iaa_jax.kernels`;
        the default is Krippendorff's alpha, for spans strict F1.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        Along ``item``, NaN if the coefficient is undefined, 0 for items that nobody rated:

        INFLUENCE

        For the coefficient itself:

        INFLUENCED

        For a coefficient with an estimate per label, all variables also have the dimension
        ``label``. The attribute ``conclusion`` is "measured", or "undefined" if all estimates are
        undefined.

    Raises
    ------
    IaaError
        If the coefficient is unknown or does not apply to the ratings.

    References
    ----------
    Jaeckel, L. A. (1972). The infinitesimal jackknife. Bell Laboratories Memorandum.
    DiCiccio, T. J. and Efron, B. (1996). Bootstrap confidence intervals. Statistical Science
    11(3). https://doi.org/10.1214/ss/1032280214

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> result = iaa.influence(ratings, "cohen_kappa")
    >>> result.influence.round(3).values
    array([ 0.355,  0.355, -1.42 ,  0.355,  0.355])
    """
    resolver = Resolver(ratings, label_options)
    request = resolver.request(
        usual_of(resolver.tables.kind) if coefficient is None else coefficient
    )
    by_item, change, estimate = influence_by_item(resolver, request, options.dtype)
    dims = ("item", "label") if request.problem.measure.per_label else ("item",)
    label_coord = {"label": resolver.tables.labels} if len(dims) == 2 else {}
    code = np.asarray(estimate.code, dtype=np.int64)
    attrs = {
        "conclusion": "measured" if (code == 0).any() else "undefined",
        "coefficient": request.name,
        "weights": request.used,
        **provenance_of_figures(resolver, "influence", [request]),
        "dtype": options.dtype,
    }
    variables = {
        "influence": (dims, by_item),
        "change": (dims, change),
        "estimate": (dims[1:], np.asarray(estimate.estimate, dtype=np.float64)),
        "code": (dims[1:], code),
        "reason": (dims[1:], np.vectorize(REASONS.__getitem__, otypes=[str])(code)),
    }
    return result_dataset(variables, ratings.along("item"), attrs, label_coord)


def leave_each_out(
    problem: Problem, annotators: int, *, identified: bool = True
) -> tuple[Floats, Note | None]:
    """Return the coefficient without each annotator, or NaN and a note with the reason.

    Formulas that do not use annotators' identities or weights are not ``identified``, and all their
    estimates are computed together.

    Leaving out an annotator changes only the statistics (the quantities that the formula sums) of
    the annotator's items. The sums over all other items are added up, not subtracted from the
    total, so that an exact 0 stays 0.
    """
    prepared = Prepared([problem])
    measure = problem.measure
    # for measures of pairs of annotators, only the formula depends on the annotators' weights
    if measure.by_pair and problem.factored:
        total = prepared.summed(problem)
        return _by_formula(problem, annotators, lambda *_: total), None
    # statistics of other items may change, too: more items may become complete, and numbers may get
    # another origin
    by_rows = problem.factored and not measure.complete and not measure.takes_values
    if by_rows and not identified and problem.kernel.common is None:
        return _all_together(prepared, problem, annotators), None
    if by_rows and (values := _by_sums(prepared, problem, annotators)) is not None:
        return values, None
    values = np.full(annotators, np.nan)
    if annotators * problem.data.size > _WORK:
        return values, Note("not_left_out", {"annotators": annotators, "rows": len(problem.data)})
    for left_out in range(annotators):
        weight = np.array(problem.weight[:annotators], dtype=np.float64)
        weight[left_out] = 0.0
        others = replace(problem, annotator_weight=weight)
        values[left_out] = estimates(Prepared([others]))[0].estimate
    return values, None


def compare_without_each(
    tables: Rated, problem: Problem, annotators: int
) -> tuple[Floats, Note | None]:
    """Return the coefficient without each annotator, for measures that compare all spans at once.

    If this takes too long, return NaN and a note with the reason.
    """
    codes = tables.compact_codes
    values = np.full(annotators, np.nan)
    if annotators * len(codes.codes) > _COMPARED:
        return values, Note("not_left_out", {"annotators": annotators, "rows": len(codes.codes)})
    rows, slots, raters = codes.ratings()
    for left_out in range(annotators):
        marked = codes.codes.copy()
        is_left_out = raters == left_out
        marked[rows[is_left_out], slots[is_left_out]] = -1
        data = tables.spans.data(problem.measure, marked)
        others = replace(problem, table=tables.identified_table, ratings=data)
        values[left_out] = estimates(Prepared([others]))[0].estimate
    return values, None


def _all_together(prepared: Prepared, problem: Problem, annotators: int) -> Floats:
    """Return the results of `_by_sums`, computed for all annotators at once."""
    flat = prepared.statistics(problem)
    count = problem.table.count.astype(np.float64)
    levels = _levels(count[:, None] * flat.dense)
    values = np.full(annotators, np.nan)
    for own in _own_patterns(problem, annotators, flat.columns):
        sums = _sums_of_others(levels, own)
        part = flat_statistics(_without_each(problem, own)).dense
        np.add.at(sums, own.owner, count[own.pattern][:, None] * part)
        indexed = np.zeros((0, own.annotators))
        part_of_all = slice(own.first, own.first + own.annotators)
        (values[part_of_all],) = estimate_rows(
            [problem], flat.layout, Sums(sums.T, indexed, flat.fixed)
        )
    return values


class _Own(NamedTuple):
    """Patterns (sets of items with equal ratings) by annotator, for consecutive annotators.

    ``owner`` is each pattern's annotator, minus ``first``.
    """

    first: int
    annotators: int
    owner: Integers
    pattern: Integers


def _own_patterns(problem: Problem, annotators: int, columns: int) -> Iterator[_Own]:
    """Yield the patterns of as many annotators at a time as fit in memory."""
    rows_of = _rows_of(problem, annotators)
    lengths = np.array([len(rows) for rows in rows_of])
    begin = np.append(0, lengths.cumsum())
    patterns = thresholds.LAID_OUT_TOGETHER // max(problem.data[0].size, 1)
    most = max(1, thresholds.ROWS_TOGETHER // max(columns, 1))
    first = 0
    while first < annotators:
        stop = int(np.searchsorted(begin, begin[first] + patterns, side="right")) - 1
        stop = max(min(stop, first + most, annotators), first + 1)
        owner = np.repeat(np.arange(stop - first), lengths[first:stop])
        yield _Own(first, stop - first, owner, np.concatenate(rows_of[first:stop]))
        first = stop


def _without_each(problem: Problem, own: _Own) -> Problem:
    data = problem.data[own.pattern]
    annotator_of: Integers = np.broadcast_to(np.arange(data.shape[1]), data.shape[:2])
    if problem.annotator_of is not None:
        annotator_of = problem.annotator_of[own.pattern]
    size = problem.annotator_count
    is_owner = annotator_of == (own.first + own.owner)[:, None]
    return replace(
        problem,
        ratings=data,
        annotator_of=np.where(is_owner, size, annotator_of),
        annotators=size + 1,
        annotator_weight=np.append(problem.weight[:size], 0.0),
    )


def _levels(rows: Floats) -> list[Floats]:
    """Return a binary tree of sums: the rows, sums of two, of four, and so on up to all rows.

    Odd numbers of rows are padded.
    """
    levels = []
    while len(rows) > 1:
        levels.append(np.pad(rows, ((0, len(rows) % 2), (0, 0))))
        rows = levels[-1].reshape(-1, 2, rows.shape[1]).sum(axis=1)
    return [*levels, rows]


def _sums_of_others(levels: list[Floats], own: _Own) -> Floats:
    """Return, for each annotator, the sums over the patterns that the annotator did not rate.

    Wherever only one of two sibling nodes of the tree ``levels`` holds the annotator's patterns,
    the sum of the other node is added.
    """
    sums = np.zeros((own.annotators, levels[0].shape[1]))
    owner, node = own.owner, own.pattern
    for level in levels[:-1]:
        both = (owner[1:] == owner[:-1]) & (node[1:] == node[:-1] + 1) & (node[:-1] % 2 == 0)
        second = np.append(False, both)
        alone = ~second & ~np.append(both, False)
        np.add.at(sums, owner[alone], level[node[alone] ^ 1])
        owner, node = owner[~second], node[~second] // 2
    sums[np.setdiff1d(np.arange(own.annotators), owner)] = levels[-1]
    return sums


def _by_sums(prepared: Prepared, problem: Problem, annotators: int) -> Floats | None:
    """Return the coefficient without each annotator from sums over items; None if impossible."""
    flat = prepared.statistics(problem)
    kinds = _statistics(problem, np.arange(1), problem.weight)
    if any(isinstance(kind, Indexed) and kind.keys is not None for kind in kinds):
        # keys of sums depend on the rows, and would differ between all rows and some
        return None
    rows_of = _rows_of(problem, annotators)
    count = problem.table.count.astype(np.float64)

    def sums(weight: Floats, left_out: int) -> tuple[Array, ...]:
        rows = rows_of[left_out]
        others = count.copy()
        others[rows] = 0.0
        rest: tuple[Array, ...] = read_back(flat.layout, flat.sums(others))
        if not len(rows):
            return rest
        part = sums_over_items(_statistics(problem, rows, weight), count[rows])
        return type(rest)(
            *(
                of_rest if isinstance(kind, Fixed) else of_rest + of_part
                for kind, of_rest, of_part in zip(kinds, rest, part, strict=True)
            )
        )

    return _by_formula(problem, annotators, sums)


def _by_formula(
    problem: Problem, annotators: int, sums: Callable[[Floats, int], tuple[Array, ...]]
) -> Floats:
    values = np.full(annotators, np.nan)
    for left_out in range(annotators):
        weight = problem.weight.copy()
        weight[left_out] = 0.0
        values[left_out] = problem.from_sums(sums(weight, left_out), weight).estimate
    return values


def _statistics(problem: Problem, rows: NDArray[np.intp], weight: Floats) -> tuple[Array, ...]:
    annotator_of = None if problem.annotator_of is None else problem.annotator_of[rows]
    statistics: tuple[Array, ...] = problem.statistics_of(
        problem.data[rows], Raters(weight, annotator_of)
    )
    return statistics


def _rows_of(problem: Problem, annotators: int) -> list[NDArray[np.intp]]:
    """Return, for each annotator, the patterns with the annotator's rating."""
    data = problem.data
    known = ~np.isnan(data.reshape(*data.shape[:2], -1)[..., 0])
    rows, slots = np.nonzero(known)
    raters = slots if problem.annotator_of is None else problem.annotator_of[rows, slots]
    order = np.argsort(raters, kind="stable")
    ends = np.cumsum(np.bincount(raters, minlength=annotators))[:-1]
    return np.split(rows[order], ends)
