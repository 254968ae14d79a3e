"""Bootstrap replicates, stored with everything that intervals and probabilities need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._checks import is_auto, is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax._types import Columns, Values
from iaa_jax.analyses.agree import declared
from iaa_jax.engine import Prepared, estimates
from iaa_jax.kernels.namespace import Array
from iaa_jax.measure import COMPUTED, Interval, IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.coverage import doubt_of
from iaa_jax.measure.intervals.measurement import pair_counts_of
from iaa_jax.measure.intervals.uncertainty import (
    identify_drawn_annotators,
    reasons_without_interval,
    spreads_of,
    with_unseen_patterns,
)
from iaa_jax.measure.options.requirements import Intervals, requires
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request, refuse_several_figures
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver, names_of_request
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.measure.requests.studies import usual_of
from iaa_jax.measure.results import code_of, dataset_of, provenance_of_figures
from iaa_jax.measure.words import note_text
from iaa_jax.wording import keyword, named
from iaa_jax.wording.figures import gives

_DRAWN = ("replicates", "replicate_standard_error")


@public
@requires(options=Intervals(drawn=True))
@gives(declared)
def bootstrap(
    ratings: Rated,
    coefficients: CoefficientLike | Sequence[CoefficientLike] | None = None,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, "sampling", "replicates", "seed", *COMPUTED),
    errors: bool = False,
    prior: float | str = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Draw bootstrap replicates of a coefficient, over items drawn with replacement.

    With ``sampling``, clusters or annotators are drawn, or items get Bayesian weights. With the
    same sampling, prior and seed, the intervals of `iaa_jax.agreement` use the same replicates.
    Several coefficients share each draw, so that their differences can be taken replicate by
    replicate. The result can be saved (``to_netcdf``) and read again (``xarray.load_dataset``) for
    `iaa_jax.bootstrap.intervals` and `iaa_jax.bootstrap.probability_above`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    coefficients : str or callable, or sequence of them, optional
        Names from the catalogue, or functions with the signature of those in `iaa_jax.kernels`; the
        default is Krippendorff's alpha, and strict F1 for spans.
    label_options : LabelOptions
    options : IntervalOptions
    sampling : Sampling, optional
        What is random: see `iaa_jax.Sampling`. With ``Sampling(bayesian=True)`` the replicates are
        draws from the posterior.
    prior : float or "auto"
        For Bayesian replicates of labels: the weight, as a number of items, of the pseudo-item,
        which stands for ratings that no item shows (see `iaa_jax.Interval`). With "auto", the
        weight is the default of "empirical_bayes" intervals. These intervals also use draws without
        the pseudo-item: each end is the farther of the two quantiles.
    errors : bool
        Whether to return the standard error of each replicate, which studentized intervals need.
    replicates, seed
        Number of replicates, and the seed of their random streams. Without a prior, a larger number
        of replicates leaves the first ones unchanged.
    progress : callable, optional
        Called with the number of finished replicates and their total.

    Returns
    -------
    xarray.Dataset
        Along ``replicate``:

        REPLICATES

        Without ``replicate``, the estimate and what intervals need:

        DRAWN

        All variables also have the dimension ``label`` if there is one estimate per label, and
        ``coefficient`` if ``coefficients`` is a sequence. The ``conclusion`` is "drawn", or
        "undefined" if no estimate is defined.

    Raises
    ------
    IaaError
        If a coefficient is unknown or does not apply to the ratings, or an option is out of range.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "b"], ["a", "a"]])
    >>> result = iaa.bootstrap(ratings, "percent_agreement", replicates=500)
    >>> result.sizes["replicate"], float(result.estimate)
    (500, 0.8)
    """
    options = replace(options, interval="studentized" if errors else "percentile")
    if not is_number(prior) or prior != 0:
        options = replace(options, interval=_posterior(prior, options, errors=errors))
    resolver = Resolver(ratings, label_options)
    requested = usual_of(resolver.tables.kind) if coefficients is None else coefficients
    is_sequence = not (isinstance(requested, str) or callable(requested))
    requests = [resolver.request(name) for name in names_of_request(requested, resolver)]
    per_label = requests[0].problem.measure.per_label
    if is_sequence:
        refuse_several_figures(requests, "ask for its replicates alone")
    requests = identify_drawn_annotators(requests, resolver, options)
    requests = with_unseen_patterns(requests, [request.interval(options) for request in requests])
    prepared = Prepared([request.problem for request in requests])
    agreements = estimates(prepared)
    resampling = resampling_of(options.random, resolver.tables)
    # coefficients without a prior get Bayesian bootstrap draws
    by_prior = options.how.method == "empirical_bayes"
    plain = replace(options, interval="percentile") if by_prior else options
    intervals = [
        request.interval(plain if request.problem.table.prior is None else options)
        for request in requests
    ]
    spreads = spreads_of(requests, agreements, prepared, intervals, resampling, progress)
    pairs = [pair_counts_of(prepared, request) for request in requests]
    withheld = reasons_without_interval(
        requests, pairs, resolver.tables.totals["pairable_items"], resampling
    )
    spreads = [
        (replace(spread, unanimous=None, zero_units=np.nan), note)
        if interval.method == "empirical_bayes"
        else (spread, note)
        for interval, (spread, note) in zip(intervals, spreads, strict=True)
    ]
    columns = [
        _figures(request, agreement.estimate, spread, note_text(filter(None, (reason, note))))
        | {
            "random": np.full(np.shape(agreement.estimate), interval.random.units),
            "doubt": np.full(
                np.shape(agreement.estimate),
                code_of(doubt_of(resolver.tables, interval, resampling.clusters, request, spread)),
            ),
        }
        for request, interval, agreement, (spread, note), reason in zip(
            requests, intervals, agreements, spreads, withheld, strict=True
        )
    ]
    defined = any(np.isfinite(column["estimate"]).any() for column in columns)
    attrs = {
        **provenance_of_figures(resolver, "bootstrap", requests),
        "conclusion": "drawn" if defined else "undefined",
        **(resolve(options) if is_sequence else intervals[0]).draw_attrs(),
        **({"prior": prior} if prior else {}),
    }
    coords: dict[str, object] = {"replicate": np.arange(options.replicates)}
    if is_sequence:
        coords["coefficient"] = np.array([request.name for request in requests])
        dims: tuple[str, ...] = ("coefficient",)
        names = columns[0]
        figures = {name: np.stack([column[name] for column in columns]) for name in names}
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
    return dataset_of(variables, coords, attrs).transpose(*order)


def _posterior(prior: float | str, options: IntervalOptions, *, errors: bool) -> Interval:
    """Return the interval whose posterior gives the replicates."""
    if not (is_number(prior) or is_auto(prior)):
        raise OptionError(f"{named('prior')} must be a number from 0 up or 'auto', not {prior!r}")
    if not options.random.bayesian or errors:
        raise IaaError(
            f"{keyword('prior', prior)} is for Bayesian replicates without standard errors: "
            f"request them with {keyword('bayesian', True)}"
        )
    return Interval("empirical_bayes", prior=None if is_auto(prior) else float(prior))


def _figures(request: Request, estimate: Array, spread: Spread, withheld: str) -> Columns:
    """Return the variables of one coefficient, with replicates along the last axis."""
    shape = np.shape(estimate)
    units, step = spread.unanimous or (np.nan, np.nan)
    figures: dict[str, Values] = {
        "replicates": np.moveaxis(np.asarray(spread.replicates), 0, -1),
        "estimate": np.asarray(estimate, dtype=np.float64),
        "standard_error": spread.standard_error,
        "acceleration": np.asarray(spread.skewness),
        "degrees": np.broadcast_to(np.asarray(spread.degrees, dtype=np.float64), shape),
        **{
            f"{name}_bound": np.full(shape, bound)
            for name, bound in request.bounds._asdict().items()
        },
        "unanimous_units": np.full(shape, units),
        "unanimous_step": np.full(shape, step),
        "unshared_units": np.full(shape, spread.zero_units),
        "withheld": np.full(shape, withheld),
    }
    if spread.replicate_errors is not None:
        figures["replicate_standard_error"] = np.moveaxis(spread.replicate_errors, 0, -1)
    return figures


@public
def bootstrap_of_result(
    ratings: Rated,
    result: xr.Dataset,
    *,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(
        IntervalOptions, "interval", "sampling", "replicates", "seed", *COMPUTED
    ),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Draw the replicates behind the intervals of a result.

    Parameters
    ----------
    ratings : xarray.Dataset
        The ratings that gave the result.
    result : xarray.Dataset
        A result of `iaa_jax.agreement`, or the "coefficients" of `iaa_jax.agree`.
    label_options : LabelOptions
    options : IntervalOptions
        The options that gave the result.
    progress : callable, optional
        Called with the number of finished replicates and their total.

    Returns
    -------
    xarray.Dataset
        Replicates of the coefficients of the result, and a ``conclusion``, as from
        `iaa_jax.bootstrap`. If any interval of the result is "empirical_bayes", all replicates are
        Bayesian, and coefficients of labels use the prior of that interval.

    Raises
    ------
    IaaError
        If no coefficient is defined, or an option does not apply to the ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> result = iaa.agreement(ratings, "krippendorff_alpha")
    >>> drawn = iaa.bootstrap.of_result(ratings, result)
    >>> low = drawn.replicates.quantile(0.025, "replicate")
    >>> bool(abs(low - result.ci_low).max() < 0.01)
    True
    """
    if not {"code", "coefficient"} <= {*getattr(result, "variables", ())}:
        raise IaaError(
            "result must be one of iaa_jax.agreement, with its coefficients along an axis"
        )
    names = result["coefficient"].values[result["code"].values == 0].tolist()
    if not names:
        raise IaaError("no coefficient is defined: there are no replicates to keep")
    prior: float | str = 0.0
    if "interval" in result and "empirical_bayes" in result["interval"].values.tolist():
        prior = "auto" if options.how.prior is None else options.how.prior
        options = replace(options, sampling=replace(options.random, bayesian=True))
    return bootstrap(
        ratings,
        names,
        label_options=label_options,
        options=options,
        prior=prior,
        progress=progress,
    )
