"""One coefficient with its uncertainty: the interval from its spread, and the notes on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.engine import Prepared
from iaa_jax.engine.drawing import Resampling
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.intervals import Ends
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.measure.intervals.shares import share_ends
from iaa_jax.measure.intervals.standard_errors import from_influences
from iaa_jax.measure.intervals.zero_disagreement import effective_items, unanimity, zero_units
from iaa_jax.measure.options.interval import FEW_ANNOTATORS, OVER_ANNOTATORS
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.ratings.limits import FEW_SHARED
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Spread, ends_of, few_defined_note
from iaa_jax.wording import Note

F_HELD = {2: 0.69, 3: 0.78, 5: 0.86, 9: 0.9}
"""Lowest coverage of 95 % F intervals in simulations (coverage.md of the benchmarks), by the
maximum number of annotators."""

WIDER = 2.0
"""Maximum ratio of the width of an interval to that of a normal interval: if it is larger, a note
explains the interval."""

ONE_SIDED = 1.5
"""Maximum absolute bias correction (a normal quantile): if it is larger, BCa would return the
extreme replicates, so there is no BCa interval."""


@dataclass(frozen=True)
class Measurement:
    """One coefficient with its uncertainty; each array has one value (figure), or one per label."""

    agreement: Agreement
    spread: Spread
    low: Floats
    high: Floats
    pairs: PairCounts | None
    made_by: ResolvedInterval
    notes: tuple[Note, ...] = ()

    @property
    def standard_error(self) -> Floats:
        """The standard error; NaN where unknown."""
        return self.spread.standard_error

    @property
    def undefined_replicates(self) -> NDArray[np.int64]:
        """The number of undefined replicates."""
        return self.spread.undefined_replicates

    @property
    def has_interval(self) -> bool:
        """Whether any figure has an interval."""
        return bool(np.isfinite(self.low).any())

    @property
    def interval(self) -> str:
        """The kind of interval; "" without one."""
        return self.made_by.method if self.has_interval else ""


def where_defined(request: Request, agreement: Agreement, gradient: Floats) -> Floats:
    """Return derivatives: 0 for patterns of ratings without items, NaN for undefined figures."""
    count = request.problem.table.count
    gradient = np.where(count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
    return np.where((agreement.code == 0)[..., None], gradient, np.nan)


def with_interval(
    request: Request,
    agreement: Agreement,
    gradient: Floats,
    replicates: Floats | None,
    pairs: PairCounts | None,
    options: IntervalOptions,
    resampling: Resampling,
) -> Measurement:
    """Add a standard error and an interval to a coefficient, from influences and replicates."""
    error = from_influences(request, where_defined(request, agreement, gradient), resampling)
    spread = Spread(
        error.standard_error,
        error.degrees,
        error.skewness,
        replicates,
        unanimous=unanimity(request, agreement, error.degrees),
        zero_units=zero_units(request.problem, agreement, error.degrees),
        influential_units=error.influential_units,
    )
    interval = request.interval(options, by_kind=False)
    return measured(request, agreement, spread, None, pairs, interval)


def drawn_units(interval: ResolvedInterval, of_spans: bool) -> str:
    """Return the name of the units that replicates draw."""
    return "clusters" if interval.random.cluster else ("documents" if of_spans else "items")


def measured(
    request: Request,
    agreement: Agreement,
    spread: Spread,
    error_note: Note | None,
    pairs: PairCounts | None,
    interval: ResolvedInterval,
) -> Measurement:
    """Add the interval and the notes to a coefficient."""
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    ends = ends_of(estimate, spread, interval, request.bounds)
    if request.is_share and interval.automatic and interval.bounded:
        ends = _share_interval(request, estimate, spread, interval, ends)
    one_sided, note = _one_sided_figures(estimate, spread, pairs)
    if interval.method == "empirical_bayes":
        beyond_seen = spread.unanimous is not None and interval.prior != 0
        note = Note("unanimous_by_prior") if beyond_seen else None
    defined = (agreement.code == 0) & ~(one_sided & (interval.method == "bca"))
    if interval.random.draws_annotators and spread.ends is None:
        # a figure that is undefined without some annotator has no known spread over annotators
        defined = defined & ~np.isnan(spread.standard_error)
    low, high = (np.where(defined, end, np.nan) for end in ends)
    known = ~np.isnan(np.asarray(spread.standard_error))
    note = note or few_defined_note(spread.replicates, interval.confidence, agreement.code == 0)
    lost = defined & ~one_sided & known & np.isnan(low)
    if lost.any() and error_note is None:
        unvaried = interval.over_annotators and bool(spread.unvaried[lost].any())
        note = note or Note("unvaried_annotators" if unvaried else "no_end")
    if spread.unanimous is not None and interval.bounded and not np.ndim(estimate):
        of_spans = request.row is not None and bool(request.row.measure.compares)
        of_what = drawn_units(interval, of_spans)
        as_seen = f"{request.taken_as_seen}_as_seen" if request.taken_as_seen else ""
        chance = Note(as_seen) if as_seen else ""
        values = {"units": spread.unanimous.units, "of_what": of_what, "chance": chance}
        note = Note("unanimous", values)
    by_name = None
    if interval.by_name:
        automatic = interval.method if interval.automatic else ""
        code = {"t": "by_t", "widened_large_sample": "by_mean_squares"}.get(automatic)
        how = Note(code) if code else ""
        by_name = Note("annotators_by_name", {"how": how})
    few = _few_annotators(request, interval)
    wide = _far_tails(spread, low, high, interval)
    notes = tuple(filter(None, (by_name, few, wide, error_note, note)))
    return Measurement(agreement, spread, low, high, pairs, interval, notes)


def _share_interval(
    request: Request, estimate: Floats, spread: Spread, interval: ResolvedInterval, ends: Ends
) -> Ends:
    """Replace the interval of a share by Jeffreys' interval where the share does not vary.

    With a finite population, the interval is not replaced.
    """
    known = spread.unvaried & ~(ends.high - ends.low > 0)
    if interval.random.population is not None or not known.any():
        return ends
    units = np.minimum(effective_items(request.problem), np.asarray(spread.degrees) + 1)
    of_units = share_ends(estimate, spread.standard_error, units, units, interval.confidence)
    return Ends(*(np.where(known, share, end) for share, end in zip(of_units, ends, strict=True)))


def _few_annotators(request: Request, interval: ResolvedInterval) -> Note | None:
    annotators = request.problem.data.shape[1]
    if interval.method in OVER_ANNOTATORS and annotators < FEW_ANNOTATORS:
        return Note("kinds_not_shown", {"annotators": annotators})
    if interval.method != "f" or not interval.random.draws_annotators:
        return None
    coverages = [coverage for limit, coverage in F_HELD.items() if annotators <= limit]
    values = {"annotators": annotators, "held": coverages[0]} if coverages else {}
    return Note("f_of_few_annotators", values, "caution") if coverages else None


def _far_tails(
    spread: Spread, low: Floats, high: Floats, interval: ResolvedInterval
) -> Note | None:
    if interval.method != "kurtosis_t" or np.ndim(low) or not spread.standard_error > 0:
        return None
    from scipy.special import ndtri

    normal = 2 * ndtri((1 + interval.confidence) / 2) * spread.standard_error
    if not high - low > WIDER * normal:
        return None
    carriers = round(float(np.max(spread.influential_units)), 1)
    values = {"carriers": carriers, "times": round(float((high - low) / normal), 1)}
    return Note("far_tails", values)


def is_one_sided(estimate: Floats, replicates: Floats) -> NDArray[np.bool_]:
    """Tell whether nearly all replicates lie on one side of a figure, which rules out BCa."""
    return np.asarray(np.abs(intervals.bias_correction(estimate, replicates)) > ONE_SIDED)


def _one_sided_figures(
    estimate: Floats, spread: Spread, pairs: PairCounts | None
) -> tuple[NDArray[np.bool_], Note | None]:
    replicates, error = spread.replicates, spread.standard_error
    if replicates is None:
        return np.zeros(estimate.shape, dtype=bool), None
    one_sided = is_one_sided(estimate, replicates)
    if not one_sided.any():
        return one_sided, None
    with np.errstate(divide="ignore", invalid="ignore"):  # replicates may all be undefined
        middle = np.nansum(replicates, axis=0) / (~np.isnan(replicates)).sum(axis=0)
        shift = (middle - estimate) / error
    why: Note | str = ""
    if pairs is not None and pairs.common_items:
        common = float(np.median(pairs.common_items))
        why = Note("few_shared", {"common": common}) if common < FEW_SHARED else ""
    if not np.isfinite(shift[one_sided]).any():
        return one_sided, Note("one_sided_everywhere", {"why": why}, "caution")
    furthest = float(np.nanmax(np.abs(shift[one_sided])))
    return one_sided, Note("one_sided", {"shift": furthest, "why": why}, "caution")


def without_interval(
    agreement: Agreement, pairs: PairCounts | None, note: Note | None, interval: ResolvedInterval
) -> Measurement:
    """Return a coefficient without standard error and interval, with a note on the reason."""
    undefined = np.full(np.shape(agreement.estimate), np.nan)
    notes = () if note is None else (note,)
    spread = Spread(undefined, np.nan, undefined)
    return Measurement(agreement, spread, undefined, undefined, pairs, interval, notes)


def pair_counts_of(prepared: Prepared, request: Request) -> PairCounts | None:
    """Count the pairs of annotators behind a pairwise figure; None for other figures."""
    if request.row is None or request.row.pair_counts is None:
        return None
    problem = request.problem
    return request.row.pair_counts(
        prepared.summed(problem), problem.weight, problem.disagreement, **problem.options
    )


def replace_undefined(
    request: Request, measured: Measurement, options: IntervalOptions, reason: str
) -> Floats:
    """Replace undefined figures in the estimate, or raise an error, as ``options`` require."""
    estimate = np.asarray(measured.agreement.estimate, dtype=np.float64)
    undefined = measured.agreement.code != 0
    if options.undefined == "raise" and undefined.any():
        raise IaaError(f"{request.name} is undefined: {reason}")
    return np.where(undefined, options.undefined_value, estimate)
