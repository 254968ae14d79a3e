"""One coefficient at every p (share of the primary label), with intervals and a band."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from iaa_jax._errors import OptionError
from iaa_jax._types import Floats
from iaa_jax.analyses.doubles.double_ratings import DoubleRatings, resolver_at
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Resampling
from iaa_jax.engine.precision import DType
from iaa_jax.engine.sweep import Sweep, SweepEvaluator
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.family_wise import band_factor
from iaa_jax.measure.intervals.measurement import Measurement, pair_counts_of, with_interval
from iaa_jax.measure.intervals.uncertainty import reasons_without_interval
from iaa_jax.measure.requests.resolver import CoefficientLike, Resolver
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.wording import Note

_USUAL = {"normalize": "none", "pool": "pairs", "undefined_pairs": "omit"}


@dataclass(frozen=True)
class CurveCertainty:
    """The uncertainty of a curve.

    Arrays are (p,), or (p, label) for an estimate per label; ``band_factor`` has no dimension p.
    The rows of ``change`` are the standard error and both ends of the interval of the change from
    p = 1 to 0.5. In ``spread``, ``influential_units`` is the smallest effective number of units
    (items or clusters) at any p.
    """

    standard_error: Floats
    low: Floats
    high: Floats
    undefined_replicates: NDArray[np.int64]
    band_factor: Floats
    change: Floats
    notes: tuple[Note, ...] = ()
    spread: Spread | None = None

    @classmethod
    def none(cls, estimate: Floats, notes: tuple[Note, ...] = ()) -> CurveCertainty:
        """Return the result for a curve without intervals."""
        nan = np.full(estimate.shape, np.nan)
        zero = np.zeros(estimate.shape, dtype=np.int64)
        return cls(nan, nan, nan, zero, nan[0], np.stack([nan[0]] * 3), notes)


def _fewest(parts: Sequence[Measurement]) -> float:
    """Return the smallest ``influential_units`` of any estimate that varies."""
    carriers = np.concatenate([np.ravel(part.spread.influential_units) for part in parts])
    return float(np.min(carriers[carriers > 0], initial=np.inf))


class CoefficientCurve:
    """A coefficient at every p of a grid, and then at p = 0.5 and p = 1."""

    def __init__(
        self,
        resolver: Resolver,
        coefficient: CoefficientLike,
        variants: Mapping[str, str],
        grid: Floats,
        dtype: DType,
    ) -> None:
        self.resolver, self.points = resolver, len(grid)
        self.p = np.append(grid, [0.5, 1.0])
        request = resolver.request(coefficient)
        row = request.row
        known = () if row is None else row.variants
        for name in variants:
            if name not in known and variants[name] != _USUAL[name]:
                raise OptionError(f"{request.name} has no option {name!r}")
        self.variants = {name: value for name, value in variants.items() if name in known}
        self._coefficient = coefficient
        self.request = resolver.request(coefficient, self.variants)
        degree = None if row is None else row.degree_in_p
        self.swept = SweepEvaluator(Sweep(self.p, self._problem_at, degree), dtype)
        self.agreement = self.swept.estimates()
        self.estimate = np.asarray(self.agreement.estimate, dtype=np.float64)

    def _problem_at(self, p: float) -> Problem:
        if p == 1.0:
            return self.request.problem
        return resolver_at(self.resolver, p).request(self._coefficient, self.variants).problem

    def certainty(
        self,
        options: IntervalOptions,
        resampling: Resampling,
        progress: Callable[[int, int], None] | None,
    ) -> CurveCertainty:
        """Compute standard errors, intervals, the band factor, and the interval of the change."""
        estimate, request = self.estimate, self.request
        if options.interval is None:
            return CurveCertainty.none(estimate)
        pairs = pair_counts_of(Prepared([request.problem]), request)
        pairable = self.resolver.tables.totals["pairable_items"]
        (reason,) = reasons_without_interval([request], [pairs], pairable, resampling)
        if reason is not None:
            return CurveCertainty.none(estimate, (reason,))
        drawn = self.swept.bootstrap(options.replicates, options.seed, progress, resampling)
        interval = request.interval(options, by_kind=False)
        resampled = interval.by_replicates
        parts, of_ends = [], []
        for rows, gradient in self.swept.influences():
            figures = Agreement(*(figure[rows] for figure in self.agreement))
            replicates = drawn[:, rows] if resampled else None
            parts.append(
                with_interval(request, figures, gradient, replicates, pairs, options, resampling)
            )
            of_ends += list(gradient[max(self.points - rows.start, 0) :])
        at_half, at_one = of_ends
        change = with_interval(
            # the bounds of the coefficient do not hold for a difference
            replace(request, row=None),
            self._change(),
            at_half - at_one,
            drawn[:, -2] - drawn[:, -1] if resampled else None,
            pairs,
            replace(options, interval="t") if interval.on_unbounded_scale else options,
            resampling,
        )
        error, low, high, undefined = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("standard_error", "low", "high", "undefined_replicates")
        )
        grid = slice(self.points)
        factor = band_factor(drawn[:, grid], estimate[grid], error[grid], options.confidence)
        return CurveCertainty(
            error,
            low,
            high,
            undefined,
            factor,
            np.array([change.standard_error, change.low, change.high]),
            tuple(dict.fromkeys(note for part in parts for note in part.notes)),
            Spread(error, parts[-1].spread.degrees, np.zeros(0), influential_units=_fewest(parts)),
        )

    def _change(self) -> Agreement:
        """Return the change from p = 1 to 0.5; it is undefined if either estimate is."""
        observed, expected = (
            figure[-2] - figure[-1] for figure in (self.agreement.observed, self.agreement.expected)
        )
        code = np.maximum(self.agreement.code[-2], self.agreement.code[-1])
        return Agreement(self.estimate[-2] - self.estimate[-1], observed, expected, code)

    def ceilings(self, doubles: DoubleRatings) -> tuple[Floats, Floats]:
        """Return what observed agreement and estimate (p, ...) would be if all pairs were equal.

        Both arrays are NaN if this observed agreement is unknown.
        """
        known = self.swept.ceilings()
        if known is not None:
            return known
        expected = np.asarray(self.agreement.expected, dtype=np.float64)
        problem = self.request.problem
        fixed_distances = self.request.level != "ordinal"
        over = problem.measure.observed_over
        if expected.ndim > 1 or not fixed_distances or not over:
            unknown = np.full(expected.shape, np.nan)
            return unknown, unknown
        p = self.p
        ceiling = 1 - p * (1 - p) * doubles.self_disagreement(problem.disagreement, over)
        with np.errstate(divide="ignore", invalid="ignore"):
            at_ceiling = (ceiling - expected) / (1 - expected)
        return ceiling, np.where(np.isnan(self.estimate), np.nan, at_ceiling)
