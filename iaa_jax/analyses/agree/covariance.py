"""Several coefficients together: their covariance, and a simultaneous confidence band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._errors import REASONS
from iaa_jax._types import Floats
from iaa_jax.analyses.agree import declared
from iaa_jax.engine import Prepared, estimates, influences
from iaa_jax.engine.drawing import Purpose, Resampling, stream
from iaa_jax.engine.units import leave_annotators_out, unit_influences
from iaa_jax.kernels.intervals import Ends, centred_influence
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.family_wise import band_around
from iaa_jax.measure.intervals.measurement import pair_counts_of
from iaa_jax.measure.intervals.standard_errors import UNDEFINED_WITHOUT_ONE, satterthwaite
from iaa_jax.measure.intervals.uncertainty import (
    identify_drawn_annotators,
    reasons_without_interval,
)
from iaa_jax.measure.options.requirements import Intervals, requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.spread import Bounds
from iaa_jax.measure.requests.studies import single_figures
from iaa_jax.measure.results import dataset_of, provenance_of_figures
from iaa_jax.measure.words import note_text
from iaa_jax.wording.figures import gives

_NO_SPREAD = 1e-12
"""Maximum standard error that counts as 0, because it is only rounding."""

DRAWS = 200_000
"""Number of draws for the factor of the band."""


@public
@requires(options=Intervals())
@gives(declared)
def covariance(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "confidence", "seed"),
) -> xr.Dataset:
    """Return the covariance of coefficients on the same items, and simultaneous intervals.

    With g_ki the derivative of coefficient k with respect to the weight of item i, c_i that weight,
    n the sum of weights and gbar_k the weighted mean of g_ki, the covariance by the infinitesimal
    jackknife is

    ``C_kl = n / (n - 1) sum_i c_i (g_ki - gbar_k)(g_li - gbar_l)``

    For A random annotators, the jackknife covariance over annotators is added: ``(A - 1) / A sum_a
    (t_k(a) - tbar_k) (t_l(a) - tbar_l)``, with t_k(a) the coefficient without annotator a. The band
    is ``t_k +- q sqrt(C_kk)``. Here q is the quantile of the largest absolute value of t variables
    with the correlations of C (max-t) and the smallest degrees of freedom among the coefficients.
    With the given confidence, the band contains all coefficients simultaneously. The band is cut at
    the bounds of each coefficient.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str, callable or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`;
        by default all that apply.
    label_options : LabelOptions
    options : IntervalOptions
    confidence, seed
        Confidence of the band, and seed of the 200,000 draws behind its factor.

    Returns
    -------
    xarray.Dataset
        Along ``coefficient``, except for the last variable:

        COVARIANCE

        Along ``coefficient`` and ``coefficient_2``:

        MATRICES

        Undefined coefficients (NaN) and coefficients that do not depend on the items (standard
        error 0) are left out of the band. The ``conclusion`` is "measured", or "undefined" if there
        is no band.

    Raises
    ------
    IaaError
        If a coefficient is unknown or does not apply to the ratings.

    References
    ----------
    Hothorn, T., Bretz, F. and Westfall, P. (2008). Simultaneous inference in general parametric
    models. Biometrical Journal 50(3). https://doi.org/10.1002/bimj.200810425

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.covariance(ratings, ["cohen_kappa", "gwet_ac1"])
    >>> result.correlation.round(3).values
    array([[1.   , 0.982],
           [0.982, 1.   ]])
    """
    options = replace(options, interval="t", replicates=1)
    resolver = Resolver(ratings, label_options)
    requests = identify_drawn_annotators(single_figures(resolver, coefficients), resolver, options)
    prepared = Prepared([request.problem for request in requests])
    figures = estimates(prepared)
    estimate = np.array([float(figure.estimate) for figure in figures])
    resampling = resampling_of(options.random, resolver.tables)
    pairs = [pair_counts_of(prepared, request) for request in requests]
    pairable = resolver.tables.totals["pairable_items"]
    notes = [
        REASONS[int(figure.code)] if figure.code else note_text(filter(None, [reason]))
        for figure, reason in zip(
            figures, reasons_without_interval(requests, pairs, pairable, resampling), strict=True
        )
    ]
    influence, count, factor_of_sample = _influences(resolver, requests, prepared, resampling)
    units = count.sum()
    if units < 2:
        notes = [note or f"the items weigh {units:g}: no standard error" for note in notes]
    influence[[bool(note) for note in notes]] = np.nan
    freedom = units * max(units - 1, 1)
    unvaried = np.sqrt(influence**2 @ count / freedom) <= _NO_SPREAD
    influence[unvaried] = 0.0
    notes = [
        "these items show no spread, but others may: no band" if no_spread else note
        for note, no_spread in zip(notes, unvaried, strict=True)
    ]
    covariances = factor_of_sample**2 * (influence * count) @ influence.T / freedom
    of_annotators, annotators = _over_annotators(requests, prepared, options)
    lost = np.isnan(np.diagonal(of_annotators))
    notes = [
        note or (note_text([UNDEFINED_WITHOUT_ONE]) if without_one else "")
        for note, without_one in zip(notes, lost, strict=True)
    ]
    of_items, covariances = np.diagonal(covariances), covariances + of_annotators
    error = np.sqrt(np.diagonal(covariances))
    variances = of_items, np.diagonal(of_annotators)
    degrees = satterthwaite(variances, (np.float64(units - 1), np.float64(annotators - 1)))
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = covariances / np.outer(error, error)
    degrees = np.append(degrees[~np.isnan(degrees)], units - 1).min()
    factor = _factor(correlation, float(degrees), options.confidence, options.seed)
    reach = np.where(unvaried, np.nan, factor * error)
    bounds = Bounds(*np.transpose([request.bounds for request in requests]))
    band = band_around(estimate, reach, bounds, Ends(np.nan * reach, np.nan * reach))
    along = ("coefficient", "coefficient_2")
    names = np.array([request.name for request in requests])
    attrs = provenance_of_figures(resolver, "covariance", requests) | {
        "confidence": options.confidence,
        "seed": options.seed,
        **options.random.record(),
        "conclusion": "undefined" if np.isnan(factor) else "measured",
    }
    return dataset_of(
        {
            "estimate": ("coefficient", estimate),
            "standard_error": ("coefficient", error),
            "band_low": ("coefficient", band.low),
            "band_high": ("coefficient", band.high),
            "note": ("coefficient", np.array(notes, dtype=object).astype(str)),
            "covariance": (along, covariances),
            "correlation": (along, correlation),
            "factor": ((), factor),
        },
        {"coefficient": names, "coefficient_2": names},
        attrs,
    )


def _influences(
    resolver: Resolver, requests: Sequence[Request], prepared: Prepared, resampling: Resampling
) -> tuple[Floats, Floats, float]:
    tables = resolver.tables
    clusters = resampling.clusters
    rows = []
    for request, derivative in zip(requests, influences(prepared), strict=True):
        table = request.problem.table
        gradient = np.where(table.count > 0, np.asarray(derivative, dtype=np.float64), 0.0)
        if clusters is not None:
            # as `centred_influence` multiplies by the number of items
            rows.append(clusters.number * unit_influences(gradient, table, clusters))
            continue
        centred = centred_influence(gradient, table.count)
        # the columns are the same for all coefficients: patterns that tell annotators apart
        is_finest = table is tables.identified_table
        rows.append(centred if is_finest else centred[..., tables.exchangeable.pattern_of])
    count = tables.identified_table.count if clusters is None else clusters.count
    influence = np.stack(rows)
    return np.where(count > 0, influence, 0.0), count, resampling.spread


def _over_annotators(
    requests: Sequence[Request], prepared: Prepared, options: IntervalOptions
) -> tuple[Floats, int]:
    """Return the covariance over random annotators, and their number (1 if none are random).

    With d_a the coefficients without annotator a, minus their mean over A annotators, this is ``(A
    - 1) / A sum_a d_a d_a'``.
    """
    covariances = np.zeros((len(requests), len(requests)))
    drawn = [
        index
        for index, request in enumerate(requests)
        if request.interval(options).random.draws_annotators
    ]
    if not drawn:
        return covariances, 1
    rows = [np.asarray(row) for row, _ in leave_annotators_out(prepared.part(drawn))]
    away = np.stack([row - row.mean(axis=0) for row in rows])
    annotators = away.shape[1]
    covariances[np.ix_(drawn, drawn)] = (annotators - 1) / max(annotators, 1) * away @ away.T
    return covariances, annotators


def _factor(correlation: Floats, degrees: float, confidence: float, seed: int) -> float:
    """Return the quantile of the largest absolute value of correlated t variables."""
    known = ~np.isnan(np.diagonal(correlation))
    if not known.any() or degrees < 1:
        return float("nan")
    part = correlation[np.ix_(known, known)]
    values, vectors = np.linalg.eigh(part)
    root = vectors * np.sqrt(np.clip(values, 0, None))
    random = stream(seed, Purpose.JOINT_QUANTILE)
    largest = []
    for _ in range(0, DRAWS, 20_000):
        normal = random.standard_normal((20_000, len(part))) @ root.T
        scale = np.sqrt(random.chisquare(degrees, 20_000) / degrees)
        largest.append(np.abs(normal).max(axis=1) / scale)
    return float(np.quantile(np.concatenate(largest), confidence))
