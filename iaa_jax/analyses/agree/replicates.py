"""Replicates that are kept: drawn once, and asked for any interval or probability afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.engine import Prepared, estimates
from iaa_jax.engine.precision import DType
from iaa_jax.measure.interval import Interval, IntervalOptions
from iaa_jax.measure.label_options import Distance, Weights
from iaa_jax.measure.request import CoefficientLike, Request, names_of_request
from iaa_jax.measure.results import provenance_of
from iaa_jax.measure.sampling import Sampling, resampling_of, sampling_from
from iaa_jax.measure.spread import NO_BOUNDS, Spread, Unanimity, ends_of, few_defined_note
from iaa_jax.measure.studies import DEFAULT, resolver_of
from iaa_jax.measure.uncertainty import (
    identify_drawn_annotators,
    is_one_sided,
    pair_counts_of,
    reasons_without_interval,
    spreads_of,
)
from iaa_jax.measure.words import note_text
from iaa_jax.wording import keyword, named


def bootstrap(
    ratings: xr.Dataset,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
    sampling: Sampling | None = None,
    errors: bool = False,
    replicates: int = 2000,
    seed: int = 0,
    dtype: DType = "float64",
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """The bootstrap replicates of a coefficient, over items drawn with replacement.

    With the same seed the intervals of `iaa_jax.agreement` use the same replicates. Several
    coefficients are computed on one draw, so that their differences can be taken row by row. The
    result can be saved (``to_netcdf``) and read again (``xarray.load_dataset``) for
    `iaa_jax.intervals` and `iaa_jax.probability_above`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue, or functions with the kernels' signature; Krippendorff's alpha by
        default.
    weights, weights_on, level, distance, p, min_common
        How labels agree, and the options of pairwise coefficients: see `iaa_jax.agreement`.
    sampling : Sampling, optional
        What is random: see `iaa_jax.agreement`. With ``Sampling(bayesian=True)`` the replicates
        are draws from the posterior.
    errors : bool
        Also the standard error of each replicate, which studentized intervals need.
    replicates, seed
        How many, and from which random streams; asking for more keeps the first ones.
    dtype : {"float64", "float32"}
        Precision of the replicates.
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    xarray.Dataset
        ``replicates`` along ``replicate`` (NaN where undefined), with ``estimate``,
        ``standard_error``, ``acceleration``, ``degrees`` of freedom and the bounds of the range
        (``lower_bound``, ``upper_bound``), ``withheld`` (why there can be no interval, "" where
        there can), ``unanimous_units`` and ``unanimous_step`` (where nothing disagrees: what the
        automatic interval needs), and ``replicate_standard_error`` where asked for; along ``label``
        too where there is a figure per label, along ``coefficient`` for a sequence. The
        ``conclusion`` is "drawn", or "undefined" where no estimate is defined.

    Raises
    ------
    IaaError
        If a coefficient is unknown or does not fit the ratings, or an option is out of range.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> result = iaa.bootstrap(ratings, "percent_agreement", replicates=500)
    >>> result.sizes["replicate"], float(result.estimate)
    (500, 0.8)
    """
    method = "studentized" if errors else "percentile"
    options = IntervalOptions(
        method, replicates=replicates, seed=seed, dtype=dtype, sampling=sampling
    )
    options.check(drawn=True)
    resolver = resolver_of(ratings, weights, weights_on, level, distance, p, min_common)
    wanted = DEFAULT if coefficients is None else coefficients
    several = not (isinstance(wanted, str) or callable(wanted))
    requests = [resolver.request(name) for name in names_of_request(wanted, resolver)]
    per_label = [request.name for request in requests if request.problem.measure.per_label]
    if several and per_label:
        message = f"{per_label[0]} has one figure per label: ask for its replicates alone"
        raise IaaError(message)
    requests = identify_drawn_annotators(requests, resolver, options)
    prepared = Prepared([request.problem for request in requests])
    agreements = estimates(prepared)
    resampling = resampling_of(options.random, ratings, resolver.tables)
    spreads = spreads_of(requests, agreements, prepared, options, resampling, progress)
    pairs = [pair_counts_of(prepared, request) for request in requests]
    withheld = reasons_without_interval(
        requests, pairs, resolver.tables.totals["pairable_items"], resampling
    )
    columns = [
        _figures(request, agreement.estimate, spread, note_text(filter(None, (reason, note))))
        for request, agreement, (spread, note), reason in zip(
            requests, agreements, spreads, withheld, strict=True
        )
    ]
    defined = any(np.isfinite(column["estimate"]).any() for column in columns)
    attrs = {
        **provenance_of(resolver.ratings, "bootstrap"),
        "conclusion": "drawn" if defined else "undefined",
        **options.of_draws(),
    }
    coords: dict[str, Any] = {"replicate": np.arange(replicates)}
    if several:
        coords["coefficient"] = np.array([request.name for request in requests])
        dims: tuple[str, ...] = ("coefficient",)
        figures = {name: np.stack([column[name] for column in columns]) for name in columns[0]}
    else:
        attrs = {"coefficient": requests[0].name, **attrs}
        dims = ("label",) if per_label else ()
        figures = columns[0]
        if per_label:
            coords["label"] = resolver.tables.labels
    variables = {
        name: ((*dims, "replicate") if name in _DRAWN else dims, figure)
        for name, figure in figures.items()
    }
    order = ("replicate", "label") if per_label else (*dims, "replicate")
    return xr.Dataset(variables, coords, attrs).transpose(*order)


SURE = 0.95
"""A probability with which a figure is said to lie above a level."""

_FIGURES = (
    "estimate",
    "standard_error",
    "acceleration",
    "degrees",
    "unanimous_units",
    "unanimous_step",
)

_DRAWN = ("replicates", "replicate_standard_error")


def _figures(request: Request, estimate: Any, spread: Spread, withheld: str) -> dict[str, Any]:
    """The figures of one coefficient; replicates last."""
    shape = np.shape(estimate)
    bounds = NO_BOUNDS if request.row is None else request.row.bounds
    units, step = spread.unanimous or (np.nan, np.nan)
    figures = {
        "replicates": np.moveaxis(np.asarray(spread.replicates), 0, -1),
        "estimate": np.asarray(estimate, dtype=np.float64),
        "standard_error": spread.standard_error,
        "acceleration": np.asarray(spread.skewness),
        "degrees": np.broadcast_to(np.asarray(spread.degrees, dtype=np.float64), shape),
        "lower_bound": np.full(shape, bounds[0]),
        "upper_bound": np.full(shape, bounds[1]),
        "unanimous_units": np.full(shape, units),
        "unanimous_step": np.full(shape, step),
        "withheld": np.full(shape, withheld),
    }
    if spread.replicate_errors is not None:
        figures["replicate_standard_error"] = np.moveaxis(spread.replicate_errors, 0, -1)
    return figures


def intervals(
    drawn: xr.Dataset,
    method: str = "auto",
    *,
    confidence: float = 0.95,
    transform: str | None = None,
) -> xr.Dataset:
    """Intervals from replicates that exist already: nothing is computed again.

    Parameters
    ----------
    drawn : xarray.Dataset
        What `iaa_jax.bootstrap` returned, also when saved and read again.
    method : {"auto", "percentile", "basic", "bca", "studentized", "normal", "t"}
        See `iaa_jax.Interval`; "studentized" needs ``errors=True`` in `iaa_jax.bootstrap`.
    confidence : float
        Confidence level, between 0 and 1.
    transform : {None, "range"}
        See `iaa_jax.Interval`.

    Returns
    -------
    xarray.Dataset
        ``estimate``, ``standard_error``, ``ci_low``, ``ci_high``, ``undefined_replicates`` and
        ``withheld``: why there is no interval, where one could not be trusted. The ``conclusion``
        is "measured", "estimated" where no figure has an interval, or "undefined".

    Raises
    ------
    IaaError
        If the replicates lack what the interval needs.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> drawn = iaa.bootstrap(ratings, "cohen_kappa", replicates=2000)
    >>> result = iaa.intervals(drawn, "bca", confidence=0.9)
    >>> again = iaa.cohen_kappa(ratings, interval="bca", confidence=0.9)
    >>> bool(result.ci_low == again.ci_low)
    True
    """
    _check_drawn(drawn)
    if method in ("abc", "f"):
        message = f"{keyword('interval', method)} uses no replicates: ask iaa_jax.agreement for it"
        raise IaaError(message)
    options = IntervalOptions(
        Interval(method, transform=transform),
        confidence,
        drawn.sizes["replicate"],
        sampling=sampling_from(drawn.attrs),
    )
    options.check()
    if options.method == "studentized" and "replicate_standard_error" not in drawn:
        message = (
            "studentized intervals need the standard error of each replicate: draw them with "
            f"{keyword('errors', True)}"
        )
        raise IaaError(message)
    rows = np.moveaxis(_rows(drawn, "replicates"), -1, 0)
    studentized = options.method == "studentized"
    errors = np.moveaxis(_rows(drawn, "replicate_standard_error"), -1, 0) if studentized else None
    dims = drawn["estimate"].dims
    figures = {name: drawn[name].values.reshape(-1) for name in (*_FIGURES, "withheld")}
    withheld = figures["withheld"].tolist()
    low, high = np.full((2, len(figures["estimate"])), np.nan)

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
        )
        bounds = (
            float(drawn["lower_bound"].values.reshape(-1)[index]),
            float(drawn["upper_bound"].values.reshape(-1)[index]),
        )
        estimate = figures["estimate"][index]
        few = few_defined_note(rows[:, index], confidence, np.isfinite(estimate))
        if options.resampled and few:
            withheld[index] = withheld[index] or note_text([few])
        if withheld[index] or (options.method == "bca" and is_one_sided(estimate, rows[:, index])):
            continue
        low[index], high[index] = ends_of(estimate, spread, options.form, confidence, bounds)
    shape = drawn["estimate"].shape
    result = drawn[["estimate", "standard_error"]].assign(
        withheld=(dims, np.array(withheld).reshape(shape)),
        ci_low=(dims, low.reshape(shape)),
        ci_high=(dims, high.reshape(shape)),
        undefined_replicates=(dims, np.isnan(rows).sum(axis=0).reshape(shape)),
    )
    return result.assign_attrs(
        {
            **drawn.attrs,
            **options.of_interval(),
            "made_by": "intervals",
            "conclusion": _conclusion(result),
        }
    )


def _conclusion(result: xr.Dataset) -> str:
    if np.isnan(result["estimate"].values).all():
        return "undefined"
    return "estimated" if np.isnan(result["ci_low"].values).all() else "measured"


def probability_above(drawn: xr.Dataset, cut_off: float | Sequence[float]) -> xr.Dataset:
    """The probability that a coefficient lies above a cut-off.

    It is the share of replicates above it. With Bayesian replicates (``Sampling(bayesian=True)``)
    that is the posterior probability, for items like these and nothing known before; with others it
    is close to that in large samples.

    Where nothing disagrees, replicates are all the same: n units that all agree give the share of
    such units the posterior Beta(n + 1, 1), and the coefficient falls by at most ``D_max / D_e``
    times the share of the others. Replicates over a few annotators say too little about all
    annotators: with ``Sampling(annotators="random")`` the probability is Student's, from the
    standard error over both.

    Parameters
    ----------
    drawn : xarray.Dataset
        What `iaa_jax.bootstrap` returned.
    cut_off : float or sequence of float
        A level of agreement to reach, such as .667.

    Returns
    -------
    xarray.Dataset
        ``probability`` along ``cut_off``, among the defined replicates, with
        ``monte_carlo_error`` (its standard error from the number of replicates) and
        ``undefined_replicates``. The ``conclusion`` is "above" where each figure lies above each
        cut-off with a probability of 95 % or more, "below" where with 5 % or less, "open"
        elsewhere.

    Raises
    ------
    IaaError
        If these are not replicates, or a cut-off is not a number.

    References
    ----------
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> drawn = iaa.bootstrap(ratings, "cohen_kappa", sampling=iaa.Sampling(bayesian=True))
    >>> iaa.probability_above(drawn, [0.4, 0.667, 0.8]).probability.round(2).values
    array([0.97, 0.57, 0.19])
    """
    _check_drawn(drawn)
    wanted = np.atleast_1d(np.asarray(cut_off, dtype=np.float64))
    if wanted.ndim != 1 or not np.isfinite(wanted).all() or (wanted > 1).any():
        message = f"{named('cut_off')} must be a number up to 1, or a list of them, not {cut_off!r}"
        raise IaaError(message)
    rows = _rows(drawn, "replicates")
    defined = (~np.isnan(rows)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.array([(rows > limit).sum(axis=-1) / defined for limit in wanted])
        error = np.sqrt(share * (1 - share) / defined)
        without_replicates = _without_replicates(drawn, wanted)
    share = np.where(np.isnan(without_replicates), share, without_replicates)
    error = np.where(np.isnan(without_replicates), error, 0.0)
    dims, shape = drawn["estimate"].dims, drawn["estimate"].shape
    along = ("cut_off", *dims)
    return xr.Dataset(
        {
            "probability": (along, share.reshape(-1, *shape)),
            "monte_carlo_error": (along, error.reshape(-1, *shape)),
            "undefined_replicates": (dims, (rows.shape[-1] - defined).reshape(shape)),
        },
        {**{str(dim): drawn[dim] for dim in dims}, "cut_off": wanted},
        drawn.attrs | {"made_by": "probability_above", "conclusion": _side(share)},
    )


def _side(share: np.ndarray) -> str:
    if (share >= SURE).all():
        return "above"
    return "below" if (share <= 1 - SURE).all() else "open"


def _without_replicates(drawn: xr.Dataset, cut_offs: np.ndarray) -> np.ndarray:
    """Probabilities (cut-off, figure) that do not stand on replicates; NaN for those that do."""
    flat = {name: drawn[name].values.reshape(-1) for name in _FIGURES}
    limits = cut_offs[:, None]
    if sampling_from(drawn.attrs).draws_annotators:
        from scipy.special import stdtr

        return np.asarray(
            stdtr(flat["degrees"], (flat["estimate"] - limits) / flat["standard_error"])
        )
    # the share of units that agree which would put the figure at the cut-off
    share = np.clip(1 - (1 - limits) / flat["unanimous_step"], 0, 1)
    return np.asarray(1 - share ** (flat["unanimous_units"] + 1))


def _check_drawn(drawn: Any) -> None:
    if not isinstance(drawn, xr.Dataset) or not {"replicates", "estimate"} <= set(drawn):
        message = "these are not replicates: give what iaa_jax.bootstrap returned"
        raise IaaError(message)


def _rows(drawn: xr.Dataset, name: str) -> np.ndarray:
    """Replicates (figure, replicate)."""
    along = (*drawn["estimate"].dims, "replicate")
    return drawn[name].transpose(*along).values.reshape(-1, drawn.sizes["replicate"])
