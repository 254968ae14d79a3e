"""Sharpening: weight annotators and items in turn, and decide labels by the weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._errors import REASONS
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.analyses.sharpen import declared
from iaa_jax.analyses.sharpen.alternation import (
    EXCLUDED,
    WEIGHTINGS,
    Alternation,
    Replicates,
    affordable,
    agreement_of,
    checked_numbers,
    gold_of,
    replicates_of,
)
from iaa_jax.analyses.sharpen.conclusion import conclude, nearly_alike, remarks
from iaa_jax.data.kind import Kind
from iaa_jax.data.schema import ints_if_whole
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.labelling.sharpening import CONCENTRATIONS, LINKS, Sharpening
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.options.declared import OneOf, keeps_empty_annotators
from iaa_jax.measure.options.interval import fewest_replicates
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.level import without_verdict
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.spread import (
    Spread,
    Unanimity,
    ends_of,
    error_of,
    unanimous_lower_end,
)
from iaa_jax.measure.requests.studies import one_coefficient, with_identities
from iaa_jax.measure.results import provenance_of_figures, result_dataset, with_notes
from iaa_jax.measure.shared.full_sample import measure_full_sample
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording.figures import gives

_ROUNDING = 1e-12

METHODS = ("percentile", "basic", "normal")
"""Intervals that need only replicates."""


@public
@keeps_empty_annotators
@requires(*EXCLUDED, concentration=OneOf(CONCENTRATIONS), link=OneOf(LINKS))
@gives(declared)
def sharpen(
    ratings: Rated,
    concentration: str = "entropy",
    link: str = "linear",
    *,
    tol: float = 1e-6,
    max_iter: int = 500,
    epsilon: float = 0.01,
    omega: float = 0.01,
    prior_strength: float = 0.0,
    coefficient: CoefficientLike | None = None,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> xr.Dataset:
    """Weight annotators by their kappa with the others, and items by the agreement on them.

    Let x_ijk be the share of annotator j's rating of item i that falls on label k, and a_j the
    weight of annotator j, at first 1. A step compares each annotator with the group of all others:

        p_ik = sum_l a_l x_ilk / sum_l a_l  (over l != j)

    The weight of an item that another annotator rated too is ``w_i = max(omega, A(p_i))``, and the
    annotator's weighted kappa with the group is

        Po = sum_i w_i sum_k x_ijk p_ik / W,   Pe = sum_k (sum_i w_i x_ijk / W) (sum_i w_i p_ik / W)

    with ``W = sum_i w_i`` and ``kappa_j = (Po - Pe) / (1 - Pe)``. The next weights are the kappas,
    at least ``epsilon``, divided by their mean. Steps are repeated until no weight would change by
    ``tol`` or more. The probability of a label is ``P_ik = sum_j a_j x_ijk / sum_j a_j``. With
    label sets, every label of an item is a separate question, with the shares x and 1 - x. Pe is
    then the mean over the labels, and a label is in the set if its P exceeds 1/2.

    Annotators who guess, or always give one label, end up with almost no weight. Annotators who
    copy one another look like experts, and a majority that makes the same error wins: no method
    that uses only labels can detect this.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with labels, as the constructors and `iaa_jax.read` make them; annotators must be
        known.
    concentration : {"entropy", "variance", "none"}
        The weight A of an item, for K labels: ``1 + sum_k p_k ln p_k / ln K``, or ``(sum_k p_k^2 -
        1/K) / (1 - 1/K)``, both of which are 1 if all annotators agree and 0 if all labels are
        equally frequent; or 1 for every item.
    link : {"linear", "logodds"}
        Weights are kappas, or ``ln((1 + (K - 1) kappa) / (1 - kappa))``, with kappa at most 0.99.
    tol : float
        Iteration ends if a step would change every weight by less than this.
    max_iter : int
        Maximum number of steps. If steps stop approaching a fixed point, they are halved.
    epsilon : float
        The minimum of kappas.
    omega : float
        The minimum of the weights of items.
    prior_strength : float
        Weight of the mean kappa, as a number of items added to the annotator's items. It shrinks
        the kappas of annotators with few items towards the mean.
    coefficient : str or callable, optional
        The coefficient of agreement before and after sharpening: a name from the catalogue, or a
        function with the signature of those in `iaa_jax.kernels`; Krippendorff's alpha by default.
    label_options : LabelOptions
    interval : {"auto", "percentile", "basic", "normal"} or None
        Kind of the intervals. Sharpening is repeated in every replicate. "auto" is "percentile",
        with fewer replicates (at least 200) if the data are large.
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replicates and their total.

    Returns
    -------
    xarray.Dataset
        Along ``annotator``:

        ANNOTATORS

        Along ``item`` (``probability`` also along ``label``):

        ITEMS
        PROBABILITY

        Along ``iteration`` (``weight_trace`` also along ``annotator``):

        ITERATIONS

        Along ``weighting``; with equal weights ``agreement`` has the interval of
        `iaa_jax.agreement`:

        WEIGHTINGS

        As scalars:

        SCALARS

        The attribute ``conclusion`` is "not_converged", "undefined" (no annotator shares an item),
        "nobody_above_floor" (no kappa exceeds ``epsilon``), "equal" (all weights are 1, as always
        with two annotators), "floored" (some annotators count next to nothing: the names are in
        ``floored``), or "weighted". ``highest`` and ``lowest`` name the annotators with the most
        and the least weight. Agreement rises by construction, because annotators who agree count
        more. A rise alone does not mean that labels are better.

    Raises
    ------
    IaaError
        If ratings are numbers, spans or counts without annotators, if there are fewer than two
        labels or annotators, or if an option does not fit.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004 (section 8 has the
    idea without formulas; the definition above is this package's).
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> rows = [["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"], ["b", "a", "b"]]
    >>> result = iaa.sharpen(iaa.from_wide(rows), interval=None)
    >>> result.annotator_weight.round(3).values, result.attrs["status"]
    (array([1.538, 1.438, 0.024]), 'converged')
    """
    numbers = checked_numbers(tol, max_iter, epsilon, omega, prior_strength)
    _check_interval(options)
    requested_options = options
    resolver = Resolver(ratings, label_options)
    sets = resolver.tables.kind is Kind.SETS
    method = Sharpening(concentration, link, sets)
    sharpening = Alternation(VoteTables(resolver.tables), method, numbers, max_iter)
    request = one_coefficient(resolver, coefficient)
    problem = with_identities(resolver, request.problem)
    resampling = resampling_of(options.random, resolver.tables)
    replicates = None
    requested = options.replicates
    if options.interval is not None:
        if options.how.method == "auto":
            few = affordable(sharpening, problem, requested)
            options = replace(options, interval=METHODS[0], replicates=few)
        replicates = replicates_of(
            sharpening, problem, options.replicates, options.seed, resampling, progress
        )
    interval = resolve(options)
    (equal,) = measure_full_sample(resolver, [request], requested_options)
    variables = {
        **_annotator_variables(sharpening, replicates, interval, equal),
        **gold_of(sharpening),
        **_step_variables(sharpening),
        **_agreement_variables(agreement_of(sharpening, problem), replicates, interval, equal),
    }
    attrs = {
        **provenance_of_figures(
            resolver, "sharpen", [request], interval, request.notes, resampling.cluster_count
        ),
        "coefficient": request.name,
        "weights": request.used,
        "concentration": concentration,
        "link": link,
        **{"tol": tol, "max_iter": max_iter, "epsilon": epsilon, "omega": omega},
        "prior_strength": prior_strength,
        "p": resolver.options.p,
        "status": str(variables["status"][1]),
    }
    user = ratings.along("item") | ratings.along("annotator")
    steps = np.arange(len(sharpening.steps))
    coords: Columns = {
        "label": ratings.label_names,
        "iteration": steps,
        "weighting": np.array(WEIGHTINGS, dtype=object),
    }
    result = result_dataset(variables, user, attrs, coords)
    notes = remarks(result, ratings, requested, 0 if replicates is None else replicates.unsettled)
    group = nearly_alike(sharpening.votes)
    result = with_notes(result, [*notes, *([] if group is None else [group])])
    return without_verdict(result.assign_attrs(conclude(result)))


def _check_interval(options: IntervalOptions) -> None:
    if options.interval is not None:
        automatic = options.how.method == "auto"
        chosen = replace(options, interval=METHODS[0]) if automatic else options
        resolve(chosen).check(METHODS, sampling=("cluster", "population", "bayesian"), band=True)


def _annotator_variables(
    sharpening: Alternation,
    replicates: Replicates | None,
    interval: ResolvedInterval,
    equal: Measurement,
) -> Variables:
    """Return the variables along annotators, with their uncertainty.

    If an annotator never differs from the others, no replicate of kappa differs from 1. The lower
    end is then computed as for unanimous ratings: a share of items on which the annotator would
    differ lowers kappa by this share times ``1 / (1 - A_e)``, where A_e is the expected agreement
    of all ratings.
    """
    state, votes = sharpening.last, sharpening.votes
    kappa, weight = np.asarray(state.kappa), np.asarray(state.skill)
    masses, count = votes.masses, votes.weights.item
    rated = masses.rated * count[:, None]
    shared = rated * (sharpening.panel >= 2)[:, None]
    defined = ~np.isnan(kappa)
    floored = (
        defined
        & (kappa <= sharpening.numbers.floor)
        & bool((kappa[defined] > sharpening.numbers.floor).any())
    )
    variables: Variables = {
        "on_floor": ("annotator", floored),
        "ratings": ("annotator", ints_if_whole(masses.totals(rated, len(kappa)))),
        "shared_items": ("annotator", ints_if_whole(masses.totals(shared, len(kappa)))),
    }
    for name, values in (("annotator_weight", weight), ("kappa", kappa)):
        rows = None
        if replicates is not None:
            rows = replicates.weight if name == "annotator_weight" else replicates.kappa
        estimate = np.where(defined, values, np.nan)
        variables[name] = ("annotator", values)
        for part, figure in _certainty(estimate, rows, interval).items():
            variables[f"{name}_{part}"] = ("annotator", figure)
    low, units = variables["kappa_ci_low"][1], np.asarray(variables["shared_items"][1])
    beyond = 1 - float(equal.agreement.expected)
    step = 1 / beyond if beyond > 0 else np.nan
    unanimous = Unanimity(np.where(units > 0, units, np.nan), step)
    still = (variables["kappa_ci_high"][1] - low < _ROUNDING) & (kappa > 1 - _ROUNDING)
    end = np.maximum(unanimous_lower_end(unanimous, interval.confidence), -1.0)
    variables["kappa_ci_low"] = ("annotator", np.where(still, end, low))
    return variables


def _certainty(
    estimate: Floats, replicates: Floats | None, interval: ResolvedInterval
) -> dict[str, Floats]:
    """Return standard errors and intervals of estimates; NaN with too few replicates."""
    nan = np.full(estimate.shape, np.nan)
    if replicates is None:
        undefined = np.zeros(estimate.shape, dtype=np.int64)
        return dict(zip(_PARTS, (nan, nan, nan, undefined), strict=True))
    known = (~np.isnan(replicates)).sum(axis=0)
    enough = ~np.isnan(estimate) & (known >= fewest_replicates((1 - interval.confidence) / 2))
    error = np.where(enough, error_of(replicates), np.nan)
    ends = ends_of(estimate, Spread.from_replicates(replicates, error), interval)
    low, high = (np.where(enough, end, np.nan) for end in ends)
    undefined = np.where(np.isnan(estimate), 0, len(replicates) - known)
    return dict(zip(_PARTS, (error, low, high, undefined), strict=True))


_PARTS = ("standard_error", "ci_low", "ci_high", "undefined_replicates")


def _step_variables(sharpening: Alternation) -> Variables:
    residual = np.array([float(state.change) for state in sharpening.steps])
    status = "converged" if sharpening.converged else "max_iter"
    return {
        "weight_trace": (("iteration", "annotator"), sharpening.trace),
        "residual": ("iteration", np.where(np.isinf(residual), np.nan, residual)),
        "iterations": ((), np.asarray(len(sharpening.steps) - 1)),
        "status": ((), np.asarray(status)),
    }


def _agreement_variables(
    agreements: Sequence[Agreement],
    replicates: Replicates | None,
    interval: ResolvedInterval,
    equal: Measurement,
) -> Variables:
    """Return the coefficient with each weighting; ``equal`` is the result with equal weights."""
    estimate = np.array([float(agreement.estimate) for agreement in agreements])
    code = np.array([int(agreement.code) for agreement in agreements])
    change = estimate - estimate[0]
    rows = None if replicates is None else replicates.agreement
    changes = None if rows is None else rows - rows[:, :1]
    variables: Variables = {
        "agreement": ("weighting", estimate),
        "code": ("weighting", code),
        "reason": ("weighting", np.array([REASONS[one] for one in code], dtype=object)),
        "change": ("weighting", change),
    }
    for name, values, drawn in (("agreement", estimate, rows), ("change", change, changes)):
        for part, figure in _certainty(values, drawn, interval).items():
            variables[f"{name}_{part}"] = ("weighting", figure)
    for end in ("change_ci_low", "change_ci_high"):
        variables[end][1][0] = np.nan  # equal weights change nothing, whatever the draws
    if interval.method:
        # if annotators agree on every item, weights change nothing
        low, high = (np.asarray(variables[f"agreement_ci_{end}"][1]) for end in ("low", "high"))
        same = (np.abs(change) < _ROUNDING) & (high - low < _ROUNDING)
        for end, values, usual in (("low", low, equal.low), ("high", high, equal.high)):
            variables[f"agreement_ci_{end}"] = ("weighting", np.where(same, usual, values))
        variables["agreement_standard_error"][1][0] = equal.standard_error
        variables["agreement_ci_low"][1][0] = equal.low
        variables["agreement_ci_high"][1][0] = equal.high
        variables["agreement_undefined_replicates"][1][0] = equal.undefined_replicates
    kinds = np.where(np.isnan(variables["agreement_ci_low"][1]), "", interval.method).astype(object)
    kinds[0] = equal.interval
    variables["agreement_interval"] = ("weighting", kinds)
    return variables
