"""Variance of ratings by item, annotator and rest, and what more annotators would add."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Variables
from iaa_jax.analyses.plan import declared
from iaa_jax.analyses.plan.components import COMPONENTS, Cells, cells_of, estimate, points_of
from iaa_jax.analyses.plan.designs import (
    absolute_variance,
    figures_of_designs,
    half_width_of_designs,
    needed_annotators,
    share_of_items,
)
from iaa_jax.analyses.plan.error_model import refuse_sampling
from iaa_jax.analyses.plan.figures import Costs, whole_numbers
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.options.declared import Share
from iaa_jax.measure.options.requirements import Excluded, requires
from iaa_jax.measure.ratings.magnitude import restore_squares
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.measure.results import dataset_of, provenance_of_figures, with_notes
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

TARGET = 0.8

_PER_ITEM = (1, 2, 3, 5, 10)

_ITEMS = (1, 2, 5)
"""Numbers of items in the table, as multiples of the items in the ratings."""


@public
@requires(
    Excluded(
        "spans",
        "variance components are of labels and numbers",
        "iaa_jax.plan with random annotators says how much other annotators would differ",
    ),
    Excluded(
        "counts without annotators", "variance by annotator needs to know who gave which rating"
    ),
    target=Share(),
)
@gives(declared)
def variance(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    target: float = TARGET,
    items: Sequence[int] | None = None,
    per_item: Sequence[int] | None = None,
    cost_item: float = 0.0,
    cost_rating: float = 1.0,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed"),
) -> xr.Dataset:
    """Split the variance of ratings by item and annotator, and show what more annotators add.

    A rating is ``x = mean + item + annotator + rest``. Items, annotators and the rest have random
    effects with variances s_i, s_a and s_e. The rest contains the interaction of items and
    annotators, unless annotators rated items again. For numbers, the variances are estimated by
    Henderson's method I, which on complete data is the analysis of variance: ``s_i = (MSI - MSE) /
    k``, ``s_a = (MSA - MSE) / n``, ``s_e = MSE``, for n items and k annotators. For labels, a
    disagreement d acts as a squared distance, so half its mean is a variance: ``s_a + s_e`` for two
    annotators on one item, ``s_i + s_e`` for two items by one annotator, and ``s_i + s_a + s_e``
    for two items by two annotators. No distribution is assumed. Whether a rating is missing must
    not depend on the ratings.

    The mean of k annotators has the error variances ``s_e / k`` (relative: between items that the
    same annotators rated) and ``(s_a + s_e) / k`` (absolute). The share of s_i in its sum with the
    relative error variance is the generalizability coefficient; its share in the sum with the
    absolute error variance is the dependability index Phi. For complete data of numbers, they are
    ICC(3,k) and ICC(2,k). For labels, the mean of k annotators is the set of the labels' shares.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings as the constructors and `iaa_jax.read` make them, by two annotators or more. If they
        were read with ``duplicates="apart"``, second ratings by "ann" ("ann (2)") count as repeats
        by "ann", and separate the interaction from the rest.
    coefficient : str or callable, optional
        The coefficient whose half-width is forecast; Krippendorff's alpha by default.
    target : float
        The dependability to reach.
    items, per_item : sequence of int, optional
        Rows and columns of the table: items in all, and annotators per item.
    cost_item, cost_rating : float
        Cost of an item (to find and prepare) and of a rating.
    label_options : LabelOptions
    options : IntervalOptions
    sampling : Sampling, optional
        Which units are random, for the half-width, as in `iaa_jax.plan`.

    Returns
    -------
    xarray.Dataset
        Along ``component`` ("item", "annotator", "interaction" where it is identified, "rest"):

        COMPONENTS

        The standard error counts chance in single ratings twice, to be on the safe side; with two
        annotators, it is from items only. Along ``annotators``:

        MEANS

        Along ``items`` and ``annotators``:

        FORECASTS

        As scalars:

        DEPENDABILITY

        ``attrs["conclusion"]``: "dependable" (as many annotators as in the ratings reach the
        target); "more_annotators" (``needed_annotators`` reach it); "out_of_reach" (items differ no
        more than annotators and the rest explain); "nothing_varies" (all ratings are the same).

    Raises
    ------
    IaaError
        For fewer than two annotators or items, for ratings that do not identify the components (no
        item has two annotators, for example), and for spans.

    References
    ----------
    Brennan, R. L. (2001). Generalizability Theory. Springer.
    https://doi.org/10.1007/978-1-4757-3456-0

    Cronbach, L. J., Gleser, G. C., Nanda, H., and Rajaratnam, N. (1972). The Dependability of
    Behavioral Measurements. Wiley.

    Shavelson, R. J., and Webb, N. M. (1991). Generalizability Theory: A Primer. Sage.

    Henderson, C. R. (1953). Estimation of variance and covariance components. Biometrics 9(2),
    226-252. https://doi.org/10.2307/3001853

    Rizzo, M. L., and Szekely, G. J. (2010). DISCO analysis: A nonparametric extension of analysis
    of variance. Annals of Applied Statistics 4(2), 1034-1055. https://doi.org/10.1214/09-AOAS245

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_values(
    ...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    ... )
    >>> result = iaa.variance(ratings, per_item=[1, 4])
    >>> result.variance.to_series().round(3).to_dict()
    {'item': 2.556, 'annotator': 5.244, 'rest': 1.019}
    >>> result.generalizability.values.round(2), result.dependability.values.round(2)
    (array([0.71, 0.91]), array([0.29, 0.62]))
    """
    costs = Costs(cost_item, cost_rating)
    costs.check()
    resolver = Resolver(ratings, label_options)
    request = one_coefficient(resolver, coefficient)
    random = request.interval(options).random
    refuse_sampling(random, looks=False)
    cells, firsts = _cells(resolver)
    points = points_of(resolver, cells.codes, cells.weight[cells.cell])
    estimates = estimate(cells, points)
    _refuse_unidentified(cells, estimates.whole)
    if cells.repeated:
        ratings = ratings.select_annotators(firsts)
        resolver = Resolver(ratings, label_options)
        request = one_coefficient(resolver, coefficient)
    names = [name for name in COMPONENTS if cells.repeated or name != "interaction"]
    kept = np.maximum(estimates.whole, 0.0)
    by_name = dict(zip(names, kept.tolist(), strict=True))
    pilot_items = float(cells.count.sum())
    pilot_annotators = float(cells.weight.sum()) / pilot_items
    usual = max(1, round(pilot_annotators))
    sizes = np.unique([*_PER_ITEM, usual])
    if per_item is not None:
        sizes = whole_numbers("per_item", per_item, 1)
    rows = np.unique([round(step * pilot_items) for step in _ITEMS])
    if items is not None:
        rows = whole_numbers("items", items, 2)
    of_items, of_annotators = estimates.errors(cells.count)
    total = kept.sum()

    def in_unit(figure: Floats) -> Floats:
        return restore_squares(figure, points.power)

    variables: Variables = {
        "variance": ("component", in_unit(estimates.whole)),
        "share": ("component", kept / total if total > 0 else np.full(len(kept), math.nan)),
        "standard_error": ("component", in_unit(np.hypot(of_items, np.nan_to_num(of_annotators)))),
        "error_from_items": ("component", in_unit(of_items)),
        "error_from_annotators": ("component", in_unit(of_annotators)),
        **figures_of_designs(by_name, rows, sizes, costs),
    }
    for name in ("relative_error", "absolute_error", "mean_error"):
        dims, figure = variables[name]
        variables[name] = (dims, in_unit(np.asarray(figure)))
    half_width = half_width_of_designs(resolver, coefficient, label_options, options, rows, sizes)
    variables["half_width"] = (("items", "annotators"), half_width)
    needed = needed_annotators(by_name, target)
    scalars = {
        "needed_annotators": needed,
        "pilot_items": pilot_items,
        "pilot_annotators": pilot_annotators,
        "pilot_dependability": share_of_items(
            by_name["item"], absolute_variance(by_name) / pilot_annotators
        ),
        "repeated_cells": float(cells.repeated),
    }
    variables |= {name: ((), np.asarray(value)) for name, value in scalars.items()}
    attrs = {
        **provenance_of_figures(resolver, "variance", [request]),
        "coefficient": request.name,
        "weights": request.used,
        "distance": points.distance,
        "confidence": options.confidence,
        "seed": options.seed,
        **random.record(),
        "target": float(target),
        "cost_item": float(cost_item),
        "cost_rating": float(cost_rating),
        "conclusion": _conclusion(by_name, needed, usual),
    }
    coords = {"component": np.array(names, dtype=object), "items": rows, "annotators": sizes}
    result = dataset_of(variables, coords, attrs)
    verdict = f"variance_{result.attrs['conclusion']}"
    return without_verdict(with_notes(result, _notes(result, points.sign)), [verdict])


def _cells(resolver: Resolver) -> tuple[Cells, list[object]]:
    """Return the cells of the ratings, and the names of annotators without repeats.

    A cell has all ratings of an item by one annotator, including those that were read under another
    name because they were repeated.
    """
    patterns = resolver.tables.identified
    codes = patterns.codes
    known = (codes >= 0) & (patterns.count > 0)[:, None]
    item, column = np.nonzero(known)
    of_slots = patterns.annotator_of
    annotator = column if of_slots is None else of_slots[item, column]
    names = resolver.tables.annotator_names.tolist()
    index = {str(name): number for number, name in enumerate(names)}
    first = np.arange(len(names))
    for name, further in resolver.tables.further_ratings.items():
        for again in further:
            first[index[again]] = index[name]
    cells = cells_of(codes[known], item, first[annotator], patterns.count)
    count = "2 or more are needed"
    if cells.annotators < 2:
        raise IaaError(f"variance by annotator needs ratings by two annotators, not one: {count}")
    if cells.count.sum() < 2:
        raise IaaError(f"variance by item needs two items, not one: {count}")
    return cells, [names[number] for number in np.unique(first)]


def _refuse_unidentified(cells: Cells, whole: Floats) -> None:
    if not np.isnan(whole).any():
        return
    reason = "these annotators and items never cross"
    if np.bincount(cells.item).max() < 2:
        reason = "no item was rated by two annotators"
    elif np.bincount(cells.annotator).max() < 2 and (cells.weight < 2).all():
        reason = "no annotator rated two items"
    raise IaaError(
        f"variance by annotator cannot be separated from the rest: {reason}; have some items rated "
        "by the same two annotators or more"
    )


def _conclusion(by_name: dict[str, float], needed: float, usual: int) -> str:
    if not sum(by_name.values()) > 0:
        return "nothing_varies"
    if math.isnan(needed):
        return "out_of_reach"
    return "dependable" if needed <= usual else "more_annotators"


_AVERAGED = {"interval": "averaged_ratings", "ordinal": "averaged_ranks"}
"""Codes for what is averaged, by distance; shares by default."""


def _notes(result: xr.Dataset, sign: Floats) -> Iterator[Note]:
    attrs, names = result.attrs, [str(name) for name in result["component"].values]
    variances, share = result["variance"].values, result["share"].values
    pilot = float(result["pilot_annotators"])
    averaged = _AVERAGED.get(str(attrs["distance"]), "averaged_shares")
    kind = kind_of(attrs)
    if kind is Kind.NUMBERS:
        averaged = "averaged_ratings"
    elif kind is Kind.SETS and averaged == "averaged_shares":
        averaged = "averaged_sets"
    what = Note(averaged)
    needed = {"target": attrs["target"], "needed": float(result["needed_annotators"])}
    enough = "no_fewer_annotators" if needed["needed"] == pilot else "enough_annotators"
    values = {
        "annotators": pilot,
        "dependability": float(result["pilot_dependability"]),
        "what": what,
        "number": 2 if averaged in ("averaged_shares", "averaged_sets") else 1,
        "enough": Note(enough, {**needed, "what": what}),
    }
    yield Note(f"variance_{attrs['conclusion']}", values)
    if attrs["conclusion"] != "nothing_varies":
        shares = [
            Note(f"of_{name}", {"share": part})
            for name, part in zip(names, share.tolist(), strict=True)
        ]
        yield Note("variance_shares", {"shares": shares})
    negative = [name for name, value in zip(names, variances, strict=True) if value < 0]
    if negative:
        yield Note("variance_below_zero", {"which": [Note(f"the_{name}") for name in negative]})
    repeated = int(result["repeated_cells"])
    yield Note("rest_is_separate", {"cells": repeated}) if repeated else Note("rest_is_both")
    if np.isnan(result["error_from_annotators"]).any():
        yield Note("errors_of_items_alone", {}, "caution")
    if (sign < 0).any():
        yield Note("no_squared_distance", {"dimensions": int((sign < 0).sum())}, "caution")
    if np.isnan(result["half_width"].values[:, result["annotators"].values > 1]).any():
        yield Note("no_forecast")
