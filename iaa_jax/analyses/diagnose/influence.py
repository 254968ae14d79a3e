"""Influence of items on a coefficient."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._errors import REASONS
from iaa_jax._types import Values
from iaa_jax.analyses.diagnose import declared
from iaa_jax.engine import Prepared, estimates, influences
from iaa_jax.engine.precision import DType
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.intervals import centred_influence
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.request import Request
from iaa_jax.measure.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import provenance_of_figures, result_dataset
from iaa_jax.measure.studies import (
    patterns_of_items,
    usual_of,
)
from iaa_jax.wording.figures import gives

if TYPE_CHECKING:
    import xarray as xr


@public
@gives(declared)
def influence(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "dtype"),
) -> xr.Dataset:
    """How much each item moves a coefficient, from the derivative by its weight.

    With g_i the derivative of the estimate with respect to the weight of item i, w_i that weight, n
    the sum of the weights of rated items and gbar the weighted mean of g, the influence is ``U_i =
    n (g_i - gbar)``: positive where the item raises the coefficient. The weighted mean of U is 0,
    and ``sqrt(sum w U^2 / (n (n - 1)))`` is the standard error. Without the item the estimate
    changes by ``-w_i g_i``, to first order.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the kernels' signature; Krippendorff's alpha
        by default, of spans strict F1.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        Along ``item``, NaN where the coefficient is undefined, 0 for items that nobody rated:

        INFLUENCE

        Of the coefficient itself:

        INFLUENCED

        All go along ``label`` too where there is a figure per label. The attribute ``conclusion``
        is "measured", or "undefined" where every figure is.

    Raises
    ------
    IaaError
        If the coefficient is unknown or does not fit the ratings.

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


def influence_by_item(
    resolver: Resolver, request: Request, dtype: DType = "float64"
) -> tuple[Values, Values, Agreement]:
    """Influence and change (item, ...) of one coefficient, and the coefficient of all items."""
    problem = request.problem
    prepared = Prepared([problem])
    (whole,) = estimates(prepared)
    estimate = np.asarray(whole.estimate, dtype=np.float64)
    count = problem.table.count
    gradient = np.asarray(influences(prepared, dtype)[0], dtype=np.float64)
    gradient = np.where(count > 0, gradient, 0.0)
    gradient = np.where(np.isnan(estimate)[..., None], np.nan, gradient)
    centred = np.where(count > 0, centred_influence(gradient, count), 0.0)
    centred = np.where(np.isnan(estimate)[..., None], np.nan, centred)
    pattern_of = patterns_of_items(resolver.tables, problem.measure)
    by_item = np.moveaxis(centred, -1, 0)[pattern_of]
    weight = resolver.tables.item_weight.reshape(-1, *(1,) * estimate.ndim)
    # adding 0 leaves no minus before a zero
    return by_item, -weight * np.moveaxis(gradient, -1, 0)[pattern_of] + 0.0, whole
