"""A coefficient as a function of p, the share of the primary label."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import REASONS
from iaa_jax._types import Columns, Floats
from iaa_jax.analyses.doubles import declared
from iaa_jax.analyses.doubles.curve import CoefficientCurve, CurveCertainty
from iaa_jax.analyses.doubles.double_ratings import DoubleRatings, WithoutDoubles, grid_of
from iaa_jax.analyses.doubles.item_classes import CLASS_NAMES, READINGS, Thresholds, classify
from iaa_jax.catalog import title_of
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import doubt_of, notes_of_doubts
from iaa_jax.measure.intervals.family_wise import band_around
from iaa_jax.measure.options.interval import SIMPLE
from iaa_jax.measure.options.requirements import Intervals, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.ineffective_options import refuse_unused
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.results import dataset_of, provenance_of_figures
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives

_SAME = 1e-12
"""Estimates within this distance count as equal, so that rounding does not move the maximum."""


@public
@requires(WithoutDoubles("the curve"), options=Intervals(SIMPLE, sampling=("cluster",), band=True))
@gives(declared)
def sweep(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    p: object = 51,
    label_options: LabelOptions = select(LabelOptions, without=("p",)),
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Return a coefficient as a function of p, the share of the primary label, from 0.5 to 1.

    At p = 1 secondary labels are ignored; at p = 0.5 both labels count the same. For most
    coefficients, every sum in the formula is a polynomial in p, so that a few values of p determine
    the whole curve. All values of p share the same draws of items or clusters. The set of labels is
    the same at every p: a label that is used only as a secondary label still counts at p = 1.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    coefficient : str or callable, optional
        A name from the catalogue, or a function with the signature of those in `iaa_jax.kernels`
        (computed directly at every p). By default augmented kappa, or Fleiss' kappa if annotators
        are unknown or too many.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.
    label_options : LabelOptions
    normalize, pool, undefined_pairs
        Options of `iaa_jax.augmented_kappa`.
    tau, high : float
        Thresholds of the classes: see `iaa_jax.doubles.item_classes`.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of replicates that are done, and their total number.

    Returns
    -------
    xarray.Dataset
        Along ``p`` (and ``label``, for an estimate per label):

        POINTS

        The band extends ``band_factor`` standard errors to each side of the estimate; the factor is
        the quantile of the largest ``|replicate - estimate| / standard_error`` over the grid. The
        band is widened where the interval extends further (BCa is not symmetric), and truncated at
        the bounds of the coefficient. Since all p share the same replicates, "auto" is "bca" ("t"
        if clusters are drawn); for a posterior, use `iaa_jax.agreement` with one ``p``.
        The ceiling is known for augmented kappa, and for coefficients whose observed agreement is a
        plain mean over items or ratings. It is NaN for other means over pairs of annotators,
        ordinal distances, estimates per label, Hubert's kappa and your own functions.

        For the whole curve, and for all ratings:

        CURVE
        DOUBLES

        Along ``reading`` and ``item_class`` (see `iaa_jax.doubles.item_classes`):

        READINGS

        The ``conclusion`` is about ``change``: "falls" or "rises" (as secondary labels count more)
        if its interval excludes 0, otherwise "unclear"; "estimated" without an interval,
        "undefined" if the estimate is undefined at p = 0.5 or 1, "per_label" if there is an
        estimate for each label.

    Raises
    ------
    IaaError
        If nothing depends on p, or an option is unknown or does not apply to the ratings.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, 77-80.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> curve = iaa.sweep(ratings, p=[0.5, 0.75, 1.0], interval=None)
    >>> curve.estimate.round(3).values, float(curve.p_at_maximum)
    (array([0.217, 0.355, 0.5  ]), 1.0)
    """
    thresholds = Thresholds(tau, high)
    points = grid_of(p)
    resolver = Resolver(ratings, label_options)
    doubles = DoubleRatings(resolver)
    coefficient = doubles.chance_name if coefficient is None else coefficient
    variants = {"normalize": normalize, "pool": pool, "undefined_pairs": undefined_pairs}
    curve = CoefficientCurve(resolver, coefficient, variants, points, options.dtype)
    refuse_unused([curve.request, resolver.request(doubles.chance_name)], resolver)
    resampling = resampling_of(options.random, resolver.tables)
    certainty = curve.certainty(options, resampling, progress)
    along = _along_p(curve, certainty, doubles)
    once = _curve_variables(along, certainty, points)
    over = ("label",) if curve.request.problem.measure.per_label else ()
    share = doubles.ratings_with_two / doubles.ratings
    variables: dict[str, object] = {
        **{name: (("p", *over), figures[: len(points)]) for name, figures in along.items()},
        **{name: (over, figure) for name, figure in once.items()},
        "doubles": doubles.ratings_with_two,
        "double_share": share,
        "class_count": (("reading", "item_class"), classify(doubles, thresholds).counts(doubles)),
    }
    coords: dict[str, object] = {
        "p": points,
        "reading": np.array(READINGS),
        "item_class": np.arange(1, 5),
        "class_name": ("item_class", np.array(CLASS_NAMES)),
    }
    if over:
        coords["label"] = resolver.tables.labels
    notes = [*_curve_notes(along, len(points))]
    if curve.request.name != doubles.chance_name:
        notes.append(Note("chance_of_items", {"coefficient": title_of(doubles.chance_name)}))
    doubt = None
    if np.isfinite(certainty.low).any():
        interval = curve.request.interval(options, by_kind=False)
        of_figure = resampling.clusters, curve.request, certainty.spread
        doubt = doubt_of(resolver.tables, interval, *of_figure)
    notes += [
        *notes_of_doubts([(curve.request.name, doubt)]),
        *curve.request.notes,
        *certainty.notes,
    ]
    attrs = {
        "coefficient": curve.request.name,
        "weights": curve.request.used,
        "class_chance": doubles.chance_name,
        "at_every_p_directly": int(curve.swept.directly),
        **curve.variants,
        **provenance_of_figures(
            resolver, "sweep", [curve.request], resolve(options), notes, resampling.cluster_count
        ),
        "conclusion": _conclusion(once),
    }
    return without_verdict(dataset_of(variables, coords, attrs))


def _along_p(curve: CoefficientCurve, certainty: CurveCertainty, doubles: DoubleRatings) -> Columns:
    """Return the variables of the curve at each of its points, and then at p = 0.5 and p = 1."""
    estimate, code = curve.estimate, np.asarray(curve.agreement.code).astype(np.int64)
    ceiling, at_ceiling = curve.ceilings(doubles)
    half_width = certainty.band_factor * certainty.standard_error
    interval = Ends(certainty.low, certainty.high)
    band = band_around(estimate, half_width, curve.request.bounds, interval)
    return {
        "estimate": estimate,
        "observed": np.asarray(curve.agreement.observed),
        "expected": np.asarray(curve.agreement.expected),
        "standard_error": certainty.standard_error,
        "ci_low": certainty.low,
        "ci_high": certainty.high,
        "band_low": band.low,
        "band_high": band.high,
        "ceiling": ceiling,
        "estimate_at_ceiling": at_ceiling,
        "share_of_ceiling": _ratio(estimate, at_ceiling),
        "code": code,
        "reason": np.vectorize(REASONS.__getitem__, otypes=[object])(code).astype(str),
        "undefined_replicates": certainty.undefined_replicates,
    }


def _curve_variables(
    along: Columns, certainty: CurveCertainty, points: Floats
) -> dict[str, Floats]:
    estimate = along["estimate"]
    maximum, row = _maximum(estimate[: len(points)])
    error, low, high = certainty.change
    return {
        "maximum": maximum,
        "p_at_maximum": np.where(np.isnan(maximum), np.nan, points[row]),
        "at_one": estimate[-1],
        "at_half": estimate[-2],
        "change": estimate[-2] - estimate[-1],
        "change_standard_error": error,
        "change_ci_low": low,
        "change_ci_high": high,
        "band_factor": certainty.band_factor,
    }


def _conclusion(once: Mapping[str, Floats]) -> str:
    if np.ndim(once["change"]):
        return "per_label"
    if np.isnan(once["change"]):
        return "undefined"
    if np.isnan(once["change_ci_low"]):
        return "estimated"
    if once["change_ci_high"] < 0:
        return "falls"
    return "rises" if once["change_ci_low"] > 0 else "unclear"


def _curve_notes(along: Columns, points: int) -> Iterator[Note]:
    reach, shares = along["estimate_at_ceiling"], along["share_of_ceiling"]
    if reach.ndim == 1 and np.isfinite([reach[-2], *shares[-2:]]).all():
        ends = {"share_at_half": float(shares[-2]), "share_at_one": float(shares[-1])}
        yield Note("within_reach", {"reach": float(reach[-2]), **ends})
    reasons = along["reason"][:points]
    for reason in np.unique(reasons[reasons != ""]).tolist():
        counts = {"points": int((reasons == reason).sum()), "of": reasons.size}
        yield Note("undefined_points", {"reason": reason, **counts})


def _ratio(estimate: Floats, at_ceiling: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        share = estimate / at_ceiling
    return np.where(np.isfinite(share), share, np.nan)


def _maximum(estimate: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return the largest estimate, and the index of the last row that has it."""
    known = np.where(np.isnan(estimate), -np.inf, estimate)
    highest = known.max(axis=0)
    last = len(known) - 1 - np.argmax(known[::-1] >= highest - _SAME, axis=0)
    return np.where(np.isinf(highest), np.nan, highest), last
