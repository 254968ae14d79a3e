"""Coefficients on ratings, with standard errors and intervals: the numbers, before any wrapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.engine import Prepared, bootstrap, estimates, influences
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels import intervals
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.kappa import PairCounts
from iaa_jax.kernels.pairs import MIN_COMMON
from iaa_jax.metrics.options import Asked, is_whole

AUTO = "bca"
"""The interval that ``interval="auto"`` stands for."""

LOST_PAIRS = 0.01
"""Mean share of replicates without a pair beyond which a pairwise figure has no interval."""

ONE_SIDED = 1.5
"""Bias correction (in normal quantiles) beyond which BCa would take the ends of the replicates."""

RESAMPLED = ("percentile", "basic", "bca")
INTERVALS = ("auto", *RESAMPLED, "normal")


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, and the randomness behind it."""

    interval: str | None = "auto"
    confidence: float = 0.95
    replicates: int = 2000
    seed: int = 0
    dtype: DType = "float64"

    @property
    def method(self) -> str:
        """The interval's name, "" for none."""
        if self.interval is None:
            return ""
        return AUTO if self.interval == "auto" else self.interval

    def check(self) -> None:
        """Refuse values outside their range."""
        if self.interval is not None and self.interval not in INTERVALS:
            message = f"interval is one of {', '.join(INTERVALS)} or None, not {self.interval!r}"
            raise IaaError(message)
        if not 0 < self.confidence < 1:
            message = f"confidence lies between 0 and 1, not {self.confidence!r}"
            raise IaaError(message)
        for name, value, least in (("replicates", self.replicates, 1), ("seed", self.seed, 0)):
            if not is_whole(value) or value < least:
                message = f"{name} is a whole number of {least} or more, not {value!r}"
                raise IaaError(message)
        if self.dtype not in ("float64", "float32"):
            message = f"dtype is float64 or float32, not {self.dtype!r}"
            raise IaaError(message)


@dataclass(frozen=True)
class Measured:
    """One coefficient with its uncertainty; arrays are scalars, or have one figure a label."""

    agreement: Agreement
    standard_error: Floats
    low: Floats
    high: Floats
    undefined_replicates: NDArray[np.int64]
    pairs: PairCounts | None
    note: str = ""


def measured(
    asked: Sequence[Asked],
    options: IntervalOptions,
    pairable_items: float,
    progress: Callable[[int, int], None] | None = None,
) -> list[Measured]:
    """Estimates, standard errors and intervals of several coefficients on the same ratings.

    Fewer than two pairable items tell nothing of the spread between items: no interval then. Nor
    where pairs of annotators share so few items that they come and go between replicates.
    """
    prepared = Prepared([one.problem for one in asked])
    found = estimates(prepared)
    pairs = [pairs_behind(prepared, one) for one in asked]
    withheld = ["" for _ in asked]
    if pairable_items < 2:
        few = (
            f"the items with two ratings weigh {pairable_items:g} together (weights are numbers of "
            "items): no standard error and no interval"
        )
        withheld = [few for _ in asked]
    elif options.interval is not None:
        withheld = [unsteady(one, pair) for one, pair in zip(asked, pairs, strict=True)]
    places = [place for place, reason in enumerate(withheld) if not reason]
    spread: dict[int, tuple[Floats, Floats | None]] = {}
    if options.interval is not None and places:
        spread = dict(zip(places, _spread(prepared.part(places), options, progress), strict=True))
    return [
        with_interval(one, estimate, *spread[place], pair, options)
        if place in spread
        else _without_interval(estimate, pair, reason if options.interval is not None else "")
        for place, (one, estimate, pair, reason) in enumerate(
            zip(asked, found, pairs, withheld, strict=True)
        )
    ]


def _spread(
    prepared: Prepared, options: IntervalOptions, progress: Callable[[int, int], None] | None
) -> list[tuple[Floats, Floats | None]]:
    """Influences and replicates of each figure."""
    gradients = influences(prepared, options.dtype)
    if options.method not in RESAMPLED:
        return [(gradient, None) for gradient in gradients]
    rows = bootstrap(
        prepared,
        replicates=options.replicates,
        seed=options.seed,
        dtype=options.dtype,
        progress=progress,
    )
    return list(zip(gradients, rows, strict=True))


def unsteady(asked: Asked, pairs: PairCounts | None) -> str:
    """Why resampling items cannot tell the spread of a pairwise figure, if it cannot."""
    if pairs is None or not pairs.common_items:
        return ""
    from scipy.special import bdtr

    items = round(asked.problem.table.items)
    common = np.array(pairs.common_items)
    least = asked.problem.options.get("min_common", MIN_COMMON)
    # the binomial chance that a replicate holds too few of a pair's common items
    lost = bdtr(least - 1, items, np.minimum(common / max(items, 1), 1.0))
    if np.mean(lost) <= LOST_PAIRS:
        return ""
    return (
        f"pairs of annotators share few items ({np.median(common):g} in the middle), so that "
        "pairs come and go between replicates: no standard error and no interval"
    )


def with_interval(
    asked: Asked,
    agreement: Agreement,
    gradient: Floats,
    replicates: Floats | None,
    pairs: PairCounts | None,
    options: IntervalOptions,
) -> Measured:
    """One coefficient with its standard error and interval, from influences and replicates."""
    count = asked.problem.table.count
    # a pattern that no item shows has no influence, whatever its derivative
    gradient = np.where(count > 0, np.asarray(gradient, dtype=np.float64), 0.0)
    estimate = np.asarray(agreement.estimate, dtype=np.float64)
    defined = agreement.code == 0
    gradient = np.where(defined[..., None], gradient, np.nan)
    error = intervals.infinitesimal_jackknife(gradient, count)
    undefined = np.zeros(estimate.shape, dtype=np.int64)
    if replicates is None:
        ends = intervals.normal(estimate, error, options.confidence)
    else:
        undefined = np.isnan(replicates).sum(axis=0)
        if options.method == "percentile":
            ends = intervals.percentile(replicates, options.confidence)
        elif options.method == "basic":
            ends = intervals.basic(estimate, replicates, options.confidence)
        else:
            skewness = intervals.acceleration(gradient, count)
            ends = intervals.bca(estimate, replicates, skewness, options.confidence)
    aside, note = _aside(estimate, replicates, error, pairs)
    defined = defined & ~(aside & (options.method == "bca"))
    low, high = (np.where(defined, end, np.nan) for end in ends)
    return Measured(agreement, error, low, high, undefined, pairs, note)


def _aside(
    estimate: Floats, replicates: Floats | None, error: Floats, pairs: PairCounts | None
) -> tuple[NDArray[np.bool_], str]:
    """Figures with nearly all replicates on one side, and what that says of them."""
    if replicates is None:
        return np.zeros(estimate.shape, dtype=bool), ""
    aside = np.abs(intervals.bias_correction(estimate, replicates)) > ONE_SIDED
    if not aside.any():
        return aside, ""
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = (np.nanmean(replicates, axis=0) - estimate) / error
    furthest = float(np.nanmax(np.abs(shift[aside]))) if np.isfinite(shift[aside]).any() else np.inf
    why = ""
    if pairs is not None and pairs.common_items:
        common = np.median(pairs.common_items)
        why = f" (pairs of annotators share few items, {common:g} in the middle)"
    return aside, (
        f"nearly all replicates lie on one side of the figure, {furthest:.1f} standard errors away "
        f"on average: it is biased on so few items{why}, and a BCa interval would not hold it"
    )


def _without_interval(agreement: Agreement, pairs: PairCounts | None, note: str) -> Measured:
    nothing = np.full(np.shape(agreement.estimate), np.nan)
    none = np.zeros(nothing.shape, dtype=np.int64)
    return Measured(agreement, nothing, nothing, nothing, none, pairs, note)


def pairs_behind(prepared: Prepared, asked: Asked) -> PairCounts | None:
    """How many pairs of annotators a pairwise figure stands on."""
    if asked.row is None or asked.row.pair_counts is None:
        return None
    problem = asked.problem
    return asked.row.pair_counts(
        prepared.summed(problem), problem.weight, problem.disagreement, **problem.options
    )


def replaced(asked: Asked, measured: Measured, undefined: str, reason: str) -> Floats:
    """The estimate with undefined figures as the caller wants them."""
    estimate = np.asarray(measured.agreement.estimate, dtype=np.float64)
    missing = measured.agreement.code != 0
    if not missing.any() or undefined == "nan":
        return estimate
    if undefined == "raise":
        message = f"{asked.name} is undefined: {reason}"
        raise IaaError(message)
    return np.where(missing, 1.0 if undefined == "one" else 0.0, estimate)


def check_undefined(undefined: str) -> None:
    """Refuse an unknown treatment of undefined results."""
    valid = ("nan", "one", "zero", "raise")
    if undefined not in valid:
        message = f"undefined is one of {shown(valid)}, not {undefined!r}"
        raise IaaError(message)
