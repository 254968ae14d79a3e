"""Intervals and probabilities from existing bootstrap replicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import numbers_of
from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.analyses.agree import declared
from iaa_jax.measure import Interval, IntervalOptions, public, select
from iaa_jax.measure.intervals.measurement import is_one_sided
from iaa_jax.measure.options.interval import NOT_OF_REPLICATES
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.options.sampling import sampling_from
from iaa_jax.measure.requests.spread import Bounds, Spread, Unanimity, ends_of, few_defined_note
from iaa_jax.measure.results import code_of_width, dataset_of, is_dataset
from iaa_jax.measure.words import note_text
from iaa_jax.wording import Note, keyword, named
from iaa_jax.wording.figures import gives

SURE = 0.95
"""Minimum probability for a coefficient to lie above a cut-off."""

_FIGURES = (
    "estimate",
    "standard_error",
    "acceleration",
    "degrees",
    "unanimous_units",
    "unanimous_step",
    "unshared_units",
)


@public
@gives(declared)
def bootstrap_intervals(
    drawn: xr.Dataset,
    method: str = "auto",
    *,
    options: IntervalOptions = select(IntervalOptions, "confidence"),
    transform: str | None = None,
) -> xr.Dataset:
    """Make intervals from existing replicates, without measuring the ratings again.

    Parameters
    ----------
    drawn : xarray.Dataset
        The result of `iaa_jax.bootstrap`, which may have been saved and read again.
    method : {"auto", "percentile", "basic", "bca", "studentized", "normal", "t"}
        See `iaa_jax.Interval`; "studentized" needs ``errors=True`` in `iaa_jax.bootstrap`. "auto"
        is "bca" over items, "t" over clusters or annotators, and "percentile" for Bayesian
        replicates.
    options : IntervalOptions
    transform : {None, "range"}
        See `iaa_jax.Interval`.

    Returns
    -------
    xarray.Dataset
        Along the dimensions of the estimate:

        INTERVALS

        The ``conclusion`` is "undefined" if no estimate is defined, "estimated" if no estimate has
        an interval, and otherwise "measured".

    Raises
    ------
    IaaError
        If ``drawn`` is not a result of `iaa_jax.bootstrap`, or lacks what the interval needs.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> drawn = iaa.bootstrap(ratings, "cohen_kappa", replicates=2000)
    >>> result = iaa.bootstrap.intervals(drawn, "bca", confidence=0.9)
    >>> again = iaa.cohen_kappa(ratings, interval="bca", confidence=0.9)
    >>> bool(result.ci_low == again.ci_low)
    True
    """
    _check_drawn(drawn)
    if method in NOT_OF_REPLICATES:
        reason = "needs other replicates" if method == "empirical_bayes" else "uses no replicates"
        raise IaaError(f"{keyword('interval', method)} {reason}: iaa_jax.agreement makes it")
    options = replace(
        options,
        interval=Interval(method, transform=transform),
        sampling=sampling_from(drawn.attrs),
        replicates=drawn.sizes["replicate"],
    )
    requested = resolve(options)
    requested.check()
    if requested.method == "studentized" and "replicate_standard_error" not in drawn:
        raise IaaError(
            "studentized intervals need the standard error of each replicate: draw them with "
            f"{keyword('errors', True)}"
        )
    rows = np.moveaxis(_rows(drawn, "replicates"), -1, 0)
    studentized = requested.method == "studentized"
    errors = np.moveaxis(_rows(drawn, "replicate_standard_error"), -1, 0) if studentized else None
    dims = drawn["estimate"].dims
    figures = {name: drawn[name].values.reshape(-1) for name in (*_FIGURES, "withheld")}
    withheld = figures["withheld"].tolist()
    intervals = [resolve(options, random_annotators=random) for random in _over_annotators(drawn)]
    low, high = np.full((2, len(figures["estimate"])), np.nan)
    doubt = drawn["doubt"].values.astype(object).reshape(-1)

    def unanimous(index: int) -> Unanimity | None:
        units, step = (float(figures[f"unanimous_{name}"][index]) for name in ("units", "step"))
        return None if np.isnan(units) else Unanimity(units, step)

    for index in range(len(low)):
        spread = Spread(
            figures["standard_error"][index],
            float(figures["degrees"][index]),
            figures["acceleration"][index],
            rows[:, index],
            None if errors is None else errors[:, index],
            unanimous=unanimous(index),
            zero_units=float(figures["unshared_units"][index]),
        )
        bounds = Bounds(
            *(float(drawn[f"{name}_bound"].values.reshape(-1)[index]) for name in Bounds._fields)
        )
        estimate = figures["estimate"][index]
        few = few_defined_note(rows[:, index], options.confidence, np.isfinite(estimate))
        interval = intervals[index]
        if interval.by_replicates and few:
            withheld[index] = withheld[index] or note_text([few])
        one_sided = interval.method == "bca" and is_one_sided(estimate, rows[:, index])
        if withheld[index] or one_sided:
            continue
        low[index], high[index] = ends_of(estimate, spread, interval, bounds)
        if interval.over_annotators and spread.unvaried:
            withheld[index] = note_text([Note("unvaried_annotators")])
        if interval.automatic and not doubt[index]:
            doubt[index] = str(code_of_width(low[index], high[index], bounds))
    shape = drawn["estimate"].shape
    result = drawn[["estimate", "standard_error"]].assign(
        withheld=(dims, np.array(withheld).reshape(shape)),
        ci_low=(dims, low.reshape(shape)),
        ci_high=(dims, high.reshape(shape)),
        undefined_replicates=(dims, np.isnan(rows).sum(axis=0).reshape(shape)),
        doubt=(dims, doubt.astype(str).reshape(shape)),
    )
    return result.assign_attrs(
        {
            **drawn.attrs,
            **requested.interval_attrs(),
            "made_by": "bootstrap.intervals",
            "conclusion": _conclusion(result),
        }
    )


def _conclusion(result: xr.Dataset) -> str:
    if np.isnan(result["estimate"].values).all():
        return "undefined"
    return "estimated" if np.isnan(result["ci_low"].values).all() else "measured"


@gives(declared)
def bootstrap_probability_above(drawn: xr.Dataset, cut_off: float | Sequence[float]) -> xr.Dataset:
    """Return the probability that a coefficient lies above a cut-off.

    The probability is the share of the defined replicates above the cut-off. With Bayesian
    replicates (``Sampling(bayesian=True)``) it is the posterior probability for items like these
    under an uninformative prior; with other replicates it approaches this probability in large
    samples.

    If no ratings disagree, all replicates are equal, and the probability does not come from them.
    After n units (items or clusters) that all agree, the share of agreeing units has the posterior
    Beta(n + 1, 1), and the coefficient falls by at most ``D_max / D_e`` times the share of the
    other units. Here D_max is the largest possible disagreement, and D_e expected disagreement.

    Replicates over a few annotators are not representative of all annotators: with
    ``Sampling(annotators="random")``, the probability comes from Student's t and the standard error
    over items and annotators. A coefficient that cannot be resampled has no probability, and
    ``withheld`` says why.

    Parameters
    ----------
    drawn : xarray.Dataset
        The result of `iaa_jax.bootstrap`.
    cut_off : float or sequence of float
        One or more values of the coefficient, such as .667.

    Returns
    -------
    xarray.Dataset
        Along ``cut_off``, except for the last two variables:

        ABOVE

        The ``conclusion`` is "above" if every probability is 95 % or more, "below" if every
        probability is 5 % or less, "undefined" if none is defined, and "open" otherwise.

    Raises
    ------
    IaaError
        If ``drawn`` is not a result of `iaa_jax.bootstrap`, or a cut-off is not a number up to 1.

    References
    ----------
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> drawn = iaa.bootstrap(ratings, "cohen_kappa", sampling=iaa.Sampling(bayesian=True))
    >>> iaa.bootstrap.probability_above(drawn, [0.4, 0.667, 0.8]).probability.round(2).values
    array([0.97, 0.57, 0.19])
    """
    _check_drawn(drawn)
    limits = np.atleast_1d(numbers_of("cut_off", cut_off))
    if limits.ndim != 1 or not np.isfinite(limits).all() or (limits > 1).any():
        raise IaaError(
            f"{named('cut_off')} must be a number up to 1, or a list of them, not {cut_off!r}"
        )
    rows = _rows(drawn, "replicates")
    defined = (~np.isnan(rows)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.array([(rows > limit).sum(axis=-1) / defined for limit in limits])
        error = np.sqrt(share * (1 - share) / defined)
        without_replicates = _without_replicates(drawn, limits)
    share = np.where(np.isnan(without_replicates), share, without_replicates)
    error = np.where(np.isnan(without_replicates), error, 0.0)
    # a standard error of 0 over these annotators says nothing about others
    unvaried = _over_annotators(drawn) & (drawn["standard_error"].values.reshape(-1) == 0)
    withheld = drawn["withheld"].values.reshape(-1).astype(object)
    withheld[unvaried & (withheld == "")] = note_text([Note("unvaried_annotators")])
    share[:, withheld != ""] = error[:, withheld != ""] = np.nan
    dims, shape = drawn["estimate"].dims, drawn["estimate"].shape
    along = ("cut_off", *dims)
    return dataset_of(
        {
            "probability": (along, share.reshape(-1, *shape)),
            "monte_carlo_error": (along, error.reshape(-1, *shape)),
            "undefined_replicates": (dims, (rows.shape[-1] - defined).reshape(shape)),
            "withheld": (dims, withheld.astype(str).reshape(shape)),
        },
        {**{str(dim): drawn[dim] for dim in dims}, "cut_off": limits},
        drawn.attrs | {"made_by": "bootstrap.probability_above", "conclusion": _side(share)},
    )


def _side(share: Floats) -> str:
    if np.isnan(share).all():
        return "undefined"
    if (share >= SURE).all():
        return "above"
    return "below" if (share <= 1 - SURE).all() else "open"


def _without_replicates(drawn: xr.Dataset, cut_offs: Floats) -> Floats:
    """Return probabilities (cut-off, coefficient) by formula; NaN where replicates are used."""
    flat = {name: drawn[name].values.reshape(-1) for name in _FIGURES}
    limits = cut_offs[:, None]
    from scipy.special import stdtr

    over_both = stdtr(flat["degrees"], (flat["estimate"] - limits) / flat["standard_error"])
    # the share of agreeing units at which the coefficient equals the cut-off
    share = np.clip(1 - (1 - limits) / flat["unanimous_step"], 0, 1)
    of_unanimous = 1 - share ** (flat["unanimous_units"] + 1)
    return np.asarray(np.where(_over_annotators(drawn), over_both, of_unanimous))


def _over_annotators(drawn: xr.Dataset) -> NDArray[np.bool_]:
    """Return which coefficients have replicates over annotators."""
    units = drawn["random"].values.reshape(-1)
    return np.array([unit.endswith("annotators") for unit in units], dtype=bool)


def _check_drawn(drawn: object) -> None:
    if not is_dataset(drawn) or not {"replicates", "estimate"} <= set(drawn):
        raise IaaError("these are not replicates: give a result of iaa_jax.bootstrap")


def _rows(drawn: xr.Dataset, name: str) -> Floats:
    along = (*drawn["estimate"].dims, "replicate")
    return drawn[name].transpose(*along).values.reshape(-1, drawn.sizes["replicate"])
