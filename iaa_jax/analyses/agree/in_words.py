"""Verbal grades of coefficients: by the estimate alone, and by what the data make certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import xarray as xr

from iaa_jax import __version__
from iaa_jax._checks import is_number
from iaa_jax._errors import IaaError
from iaa_jax._types import Columns
from iaa_jax.analyses.agree import declared
from iaa_jax.analyses.agree.bands import normal_shares, replicate_shares, scale_named, words_of
from iaa_jax.analyses.agree.from_replicates import bootstrap_intervals
from iaa_jax.analyses.agree.replicates import bootstrap
from iaa_jax.catalog import NAMES, resolve_name
from iaa_jax.catalog.scales import Scale
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.agreement import agreement
from iaa_jax.measure.options.declared import OneOf, Share
from iaa_jax.measure.options.interval import check_replicates
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import refuse_open
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.results import dataset_of, is_dataset
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

CERTAINTY = 0.95
"""Confidence of the interval whose lower end has the certain word."""

METHODS = ("auto", "interval", "replicates", "normal")

_SAME = 1e-12


@public
@requires(method=OneOf(METHODS), confidence=Share())
@gives(declared)
def in_words(
    source: xr.Dataset | float,
    scale: str = "landis_koch",
    *,
    standard_error: float | None = None,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    method: str = "auto",
    confidence: float = CERTAINTY,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(
        IntervalOptions, "interval", "sampling", "replicates", "seed", "device"
    ),
) -> xr.Dataset:
    """Grade each coefficient in words: by its estimate, and by what is certain.

    The word of the estimate ignores that another sample of items would give another estimate. By
    default, the certain word is the word of the lower end of the interval. There is no certain word
    if the interval is missing, has no width or is in doubt (see ``withheld``).

    Parameters
    ----------
    source : xarray.Dataset or float
        Ratings; a result of `iaa_jax.agreement`, `iaa_jax.bootstrap` or a coefficient such as
        `iaa_jax.cohen_kappa`; or a number, such as a published coefficient.
    scale : {"landis_koch", "altman", "fleiss", "cicchetti", "krippendorff"}
        The scale that supplies the words; all scales are conventions.
    standard_error : float, optional
        Standard error of a number; without it only the estimate has a word.
    coefficients : str, callable or sequence of them, optional
        Coefficients to grade if the source is ratings; by default all that apply and correct for
        chance: the scales were made for these, and have no word for percent agreement.
    method : {"auto", "interval", "replicates", "normal"}
        "interval" grades the lower end of the interval. The others are Gwet's probabilistic
        benchmarking: each band gets a probability, and the certain word is the best whose band,
        together with all better ones, reaches ``confidence``. The probabilities are the shares of
        bootstrap replicates ("replicates"), or come from a normal distribution with the estimate
        and its standard error, truncated at -1 and 1 ("normal"). "auto" is "normal" for a number,
        or for a result with standard errors but without intervals or replicates, and otherwise
        "interval".
    confidence : float
        Confidence of the interval; or the probability that a band and all better ones must reach
        together.
    label_options : LabelOptions
    options : IntervalOptions

    Returns
    -------
    xarray.Dataset
        Along the dimensions of the source:

        WORDS

        Also along ``band``, worst first, if the method gives bands a probability:

        BANDS

        Coordinates ``lower`` and ``upper`` are the limits of the bands. The ``conclusion`` is
        "named" if some word is certain, and otherwise "unnamed".

    Raises
    ------
    IaaError
        If the scale or method is unknown, or the source lacks an estimate or something that the
        method needs.

    References
    ----------
    Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapter 6. Landis, J. R.
    and Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics
    33, 159-174. https://doi.org/10.2307/2529310

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
    >>> result = iaa.in_words(ratings, coefficients="cohen_kappa")
    >>> result.word.item(), result.reached.item()
    ('fair', 'slight')
    """
    chosen = scale_named(scale)
    if is_dataset(source) and "made_by" not in source.attrs and "task" in source.attrs:
        ratings = Rated.of(source, options.computing)
        figures = _from_ratings(ratings, coefficients, label_options, options, method, confidence)
    elif coefficients is not None:
        raise IaaError("coefficients can only be chosen for ratings; a result has its own")
    elif is_dataset(source):
        figures = source
    else:
        figures = _from_number(cast(float, source), standard_error)
        method = "normal" if method == "auto" else method
    return grade_estimates(figures, chosen, method, confidence)


def grade_estimates(
    figures: xr.Dataset, scale: Scale, method: str, confidence: float
) -> xr.Dataset:
    """Grade the estimates of a result, as `in_words` does."""
    if "estimate" not in figures:
        raise IaaError(
            "there is no estimate in this Dataset: give ratings, or a result of iaa.agreement, of "
            "a coefficient or of iaa.bootstrap"
        )
    _refuse_others(figures)
    refuse_open(figures.attrs, named("scale"))
    if method == "auto":
        method = "normal" if _only_errors(figures) else "interval"
    if method == "interval":
        return _by_interval(_with_ends(figures, confidence), scale, confidence)
    return _by_probability(figures, scale, method, confidence)


def _from_ratings(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None,
    label_options: LabelOptions,
    options: IntervalOptions,
    method: str,
    certainty: float,
) -> xr.Dataset:
    """Return the estimates of ratings, with all that the method needs."""
    resolver = Resolver(ratings, label_options)
    _refuse_shares(names_of_request(coefficients, resolver))
    options = replace(options, confidence=certainty)
    figures = agreement(ratings, coefficients, label_options=label_options, options=options)
    if coefficients is None:
        figures = figures.isel(coefficient=[*map(_beyond_chance, figures.coefficient.values)])
    if method != "replicates":
        return figures
    names = figures.coefficient.values.tolist() if coefficients is None else coefficients
    listed = [names] if isinstance(names, str) or callable(names) else names
    drawn = bootstrap(ratings, listed, label_options=label_options, options=options)
    return figures.assign(replicates=drawn["replicates"]).assign_attrs(drawn.attrs)


def _refuse_shares(coefficients: Sequence[CoefficientLike]) -> None:
    """Raise an error unless a coefficient corrects for chance, or is a user's function."""
    if not any(not isinstance(name, str) or _beyond_chance(name) for name in coefficients):
        raise IaaError(
            "the scales have words for coefficients that correct for chance, and there is "
            "none here: report the numbers themselves, with their intervals"
        )


def _refuse_others(figures: xr.Dataset) -> None:
    """Raise an error for distances, and for spans without a chance-corrected coefficient."""
    known = figures.coefficient.values if "coefficient" in figures.coords else ()
    names = [*map(str, np.atleast_1d(known)), str(figures.attrs.get("coefficient", ""))]
    rows = [resolve_name(name) for name in names if name in NAMES]
    for row in rows:
        if row.distance:
            raise IaaError(
                f"{row.name} is a distance, 0 where all agree, and the scales grade agreement"
            )
    if any(row.measure.compares for row in rows):
        _refuse_shares([row.name for row in rows])


def _beyond_chance(name: str) -> bool:
    return resolve_name(str(name)).beyond_chance


def _from_number(number: float, standard_error: float | None) -> xr.Dataset:
    if not is_number(number):
        raise IaaError(
            "give ratings, a result of iaa.agreement, of a coefficient or of iaa.bootstrap, or a "
            f"number, not {number!r}"
        )
    if not -np.inf < number <= 1:
        raise IaaError(f"a coefficient is 1 at most, and {number!r} has no word")
    error = np.nan if standard_error is None else standard_error
    if not (is_number(error) and (np.isnan(error) or 0 <= error < np.inf)):
        raise IaaError(f"{named('standard_error')} must be a number from 0 up, not {error!r}")
    return dataset_of({"estimate": float(number), "standard_error": float(error)})


def _only_errors(figures: xr.Dataset) -> bool:
    """Return whether there are standard errors, but neither intervals nor replicates."""
    return not {"ci_low", "replicates"} & {*figures.variables} and "standard_error" in figures


def _with_ends(figures: xr.Dataset, certainty: float) -> xr.Dataset:
    """Add the ends of intervals; NaN without an interval."""
    if "replicates" in figures.variables and "ci_low" not in figures:
        return bootstrap_intervals(figures, confidence=certainty)
    confidence = float(figures.attrs.get("confidence", np.nan))
    if "ci_low" not in figures or not figures.attrs.get("interval", ""):
        missing = _undefined(figures["estimate"])
        return figures.assign(ci_low=missing, ci_high=missing)
    if confidence < certainty - _SAME:
        raise IaaError(
            f"the intervals of this result have {100 * confidence:g} % confidence: a certainty of "
            f"{100 * certainty:g} % needs {keyword('confidence', certainty)} or more"
        )
    return figures


def _by_interval(figures: xr.Dataset, scale: Scale, certainty: float) -> xr.Dataset:
    """Grade the lower end of the interval."""
    estimate, low, high = (
        figures[name].values.astype(np.float64) for name in ("estimate", "ci_low", "ci_high")
    )
    doubt = np.zeros(low.shape, dtype="U1") if "doubt" not in figures else figures["doubt"].values
    withheld = np.where(low == high, "no_spread", doubt)
    withheld = np.where(np.isnan(low), "no_interval", withheld)
    withheld = np.where(np.isnan(estimate), "undefined", withheld)
    known = withheld == ""
    reached = np.where(known, words_of(low, scale.name), "")
    certain = np.where(reached == scale.words[0], 1.0, certainty)
    variables = {
        "ci_low": low,
        "ci_high": high,
        "reached": reached,
        "certain": np.where(known, certain, np.nan),
        "withheld": withheld,
    }
    return _in_bands(figures, scale, "interval", certainty, variables)


def _by_probability(figures: xr.Dataset, scale: Scale, method: str, certainty: float) -> xr.Dataset:
    """Grade by Gwet's probabilistic benchmarking."""
    estimate = figures["estimate"]
    if method == "replicates" and "replicates" not in figures.variables:
        raise IaaError("this result has no replicates: give ratings, or a result of iaa.bootstrap")
    if method == "normal" and "standard_error" not in figures:
        raise IaaError(
            "this result has no standard error: give ratings, or a result of iaa.agreement"
        )
    error = figures.get("standard_error", _undefined(estimate)).values
    undefined = np.zeros(estimate.shape, dtype=np.int64)
    if method == "replicates":
        drawn = figures["replicates"].transpose("replicate", *estimate.dims)
        purpose = f"a certainty of {100 * certainty:g} %"
        check_replicates(drawn.sizes["replicate"], 1 - certainty, purpose)
        probability = replicate_shares(drawn.values, scale.name)
        undefined = np.isnan(drawn.values).sum(axis=0)
    else:
        probability = normal_shares(estimate.values, error, scale.name)
    # a missing standard error: items are too few, or replicates lack some pairs of annotators
    withheld = np.where(np.isnan(error), "no_interval", "")
    withheld = np.where(error == 0, "no_spread", withheld)
    withheld = np.where(np.isnan(estimate.values), "undefined", withheld)
    known = withheld == ""
    probability = np.where(known[..., None], probability, np.nan)
    better = np.flip(np.cumsum(np.flip(probability, axis=-1), axis=-1), axis=-1)
    # the worst band and all better bands together have probability 1
    better[..., 0] = np.where(known, 1.0, np.nan)
    best = np.where(known, np.sum(better >= certainty - _SAME, axis=-1) - 1, 0)
    variables = {
        "reached": np.where(known, np.array(scale.words)[best], ""),
        "certain": np.take_along_axis(better, best[..., None], axis=-1)[..., 0],
        "withheld": withheld,
        "undefined_replicates": undefined,
        "probability": probability,
        "at_least": better,
    }
    return _in_bands(figures, scale, method, certainty, variables)


def _in_bands(
    figures: xr.Dataset, scale: Scale, method: str, certainty: float, variables: Columns
) -> xr.Dataset:
    estimate = figures["estimate"]
    missing = _undefined(estimate)
    edges = np.array([-np.inf, *scale.bounds, np.inf])
    attrs = {name: value for name, value in figures.attrs.items() if name not in _OF_AN_INTERVAL}
    along = {name: (*estimate.dims, "band") for name in ("probability", "at_least")}
    return dataset_of(
        {
            "estimate": estimate,
            "standard_error": figures.get("standard_error", missing),
            "word": (estimate.dims, words_of(estimate.values, scale.name)),
            **{
                name: (along.get(name, estimate.dims), values) for name, values in variables.items()
            },
        },
        {
            **{name: coord for name, coord in estimate.coords.items() if name != "replicate"},
            "band": list(scale.words),
            "lower": ("band", edges[:-1]),
            "upper": ("band", edges[1:]),
        },
        {
            **attrs,
            "iaa_jax_version": __version__,
            "made_by": "in_words",
            "notes": "[]",
            "conclusion": "named" if np.any(variables["reached"] != "") else "unnamed",
            "scale": scale.name,
            "scale_title": scale.title,
            "scale_source": f"{scale.source}. {scale.link}".rstrip(),
            "made_for": scale.made_for,
            "method": method,
            "certainty": certainty,
        },
    )


_OF_AN_INTERVAL = ("interval", "confidence")


def _undefined(figures: xr.DataArray) -> xr.DataArray:
    return figures.copy(data=np.full(figures.shape, np.nan))
