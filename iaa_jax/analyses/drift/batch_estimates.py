"""Test batches, or stretches of consecutive items, for a trend, a step and a deviating batch.

Labels may become rarer while agreement stays the same. The coefficient of pooled batches may then
differ from the coefficient of each batch, and shuffles of times may reject because of the labels.
Each batch is therefore estimated separately, and means of the estimates, weighted by 1 / SE^2, are
compared. Standard errors, and the joint distribution of the estimates under equal agreement, come
from all items, weighted so that labels are as frequent as in each batch (null_model.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri, stdtrit

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.contrasts import (
    NO_ERROR,
    Contrasts,
    PValues,
    in_standard_errors,
    largest_index,
    largest_sizes,
    length_of,
    p_values,
    precision,
    regressors,
    share_as_large,
    shares_of_evidence,
    varies,
)
from iaa_jax.analyses.drift.null_model import ItemsInClusters, NullModel
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.timeline import Indices, Timeline, blocks_of
from iaa_jax.analyses.drift.windows import AnnotatorJackknife, Figures, Windows, totals
from iaa_jax.engine.drawing import Purpose, stream
from iaa_jax.measure.intervals.standard_errors import satterthwaite

STRETCH_ITEMS, MOST_STRETCHES = 100, 12
"""Usual number of items in a stretch, and maximum number of stretches (the minimum is 3)."""

DRAWN_CELLS = 5e8
"""Maximum product of draws, batches and patterns (distinct rows of ratings) for drawing items.
Above it, estimates are drawn from a normal distribution.
"""

FINDINGS = ("slope", "step", "deviation")
"""Kinds of findings, in the order of `Contrasts`."""


@dataclass(frozen=True)
class BatchEstimates:
    """Estimates of batches, or stretches of items, and their contrasts."""

    estimate: Floats  # (batch,)
    error: Floats
    time: Floats
    starts: Floats  # the first time of each batch
    first: Indices  # the first batch after each cut
    trend: bool  # whether the times have a meaningful order
    noise: Floats  # (draw, batch) deviations under equal agreement
    annotators: AnnotatorJackknife | None = None
    joint: bool = False  # whether estimates share clusters
    least: float = NO_ERROR  # standard errors up to this count as 0
    whole: float = 0.0  # add this to the compared ``estimate`` to get the coefficient

    @cached_property
    def weight(self) -> Floats:
        """The precision of each estimate."""
        return precision(self.estimate, self.error, self.least)

    @property
    def figures(self) -> int:
        """Number of estimates with a standard error above 0."""
        return int((self.weight > 0).sum())

    @cached_property
    def functionals(self) -> Contrasts:
        """Weights (..., batch) of the estimates in each contrast."""
        slope, step, deviation = (self._functionals(rows) for rows in self._regressors)
        if not (self.trend and self.figures >= 3):
            slope[:] = np.nan
        return Contrasts(slope[0], step, deviation)

    def _functionals(self, regressors: Floats, fitted: Sequence[Floats] = ()) -> Floats:
        """Return the weights (row, batch) of the estimates in each regression coefficient.

        Each regressor is fitted by least squares, together with a constant and the ``fitted``
        regressors. Its weights are NaN if these explain it completely.
        """
        root = np.sqrt(self.weight)
        base, _ = np.linalg.qr(np.stack([np.ones(len(root)), *fitted], axis=1) * root[:, None])
        rows = regressors * root
        residual = rows - (rows @ base) @ base.T
        squares = (residual**2).sum(axis=1)
        known = varies(squares, (rows**2).sum(axis=1))
        return np.where(
            known[:, None], residual * root / np.where(known, squares, 1.0)[:, None], np.nan
        )

    def _of(self, functional: Floats) -> Floats:
        return np.asarray(functional @ np.where(self.weight > 0, self.estimate, 0.0))

    def error_of(self, functional: Floats) -> Floats:
        """Return the standard error of linear functions (..., batch) of the estimates."""
        known = self.weight > 0
        variance = np.where(known, 1 / np.where(known, self.weight, 1.0), 0.0)
        square = functional**2 @ variance
        if self.joint and len(self.noise):
            return np.asarray(np.sqrt(((functional @ self.noise.T) ** 2).mean(axis=-1)))
        if self.annotators is not None:
            covariance = self.annotators.annotator_covariance
            square = square + ((functional @ covariance) * functional).sum(axis=-1)
        return np.asarray(np.sqrt(square))

    @cached_property
    def compared(self) -> Contrasts:
        """Contrasts; the trend is NaN for fewer than three estimates, or unordered times."""
        return Contrasts(*(self._of(functional) for functional in self.functionals))

    @cached_property
    def errors(self) -> Contrasts:
        """The standard errors of the contrasts."""
        return Contrasts(*(self.error_of(functional) for functional in self.functionals))

    @property
    def z(self) -> Contrasts:
        """Contrasts in standard errors."""
        return in_standard_errors(self.compared, self.errors, self.least)

    def means(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Return weighted means before and after each cut, and their standard errors."""
        after = np.arange(len(self.time)) >= self.first[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            sides = [side * self.weight for side in (~after, after)]
            before, behind = (side / side.sum(axis=1, keepdims=True) for side in sides)
        return (
            (self.whole + self._of(before), self.whole + self._of(behind)),
            (self.error_of(before), self.error_of(behind)),
        )

    @property
    def slope_degrees(self) -> float:
        """Degrees of freedom of the slope, infinite unless annotators are random."""
        if self.annotators is None:
            return np.inf
        of_items = self.functionals.slope**2 @ (1 / np.maximum(self.weight, 1e-300))
        others = np.maximum(self.errors.slope**2 - of_items, 0.0)
        return float(satterthwaite((of_items, others), (np.inf, self.annotators.degrees)))

    def p_values(self) -> PValues:
        """Return p-values under equal agreement."""
        if self.figures < 2:
            return PValues(*[np.nan] * 4)
        drawn = Contrasts(*(self.noise @ functional.T for functional in self.functionals))
        return p_values(
            largest_sizes(self.z), largest_sizes(in_standard_errors(drawn, self.errors, self.least))
        )

    def findings(self) -> dict[str, object]:
        """Return the largest finding of each kind, its share of evidence, and conditional p-values.

        Steps compare the estimates of batches, as trends do. Estimates from all items on a short
        side of a cut would have errors that favour steps.
        """
        return {
            "finding_z": ("finding", np.array(largest_sizes(self.z))),
            "finding_share": ("finding", shares_of_evidence(self.z)),
            "left_over_p_value": (("finding", "given"), self.left_over()),
        }

    def left_over(self) -> Floats:
        """Return p-values (finding, given) of findings if the given finding is fitted, too."""
        p_value = np.full((len(FINDINGS), len(FINDINGS)), np.nan)
        if not len(self.noise) or self.figures < 3:
            return p_value
        for column, (fitted, z) in enumerate(zip(self._regressors, self.z, strict=True)):
            index = largest_index(np.atleast_1d(z))
            if index < 0:
                continue
            for row, candidates in enumerate(self._regressors):
                if row == column or np.isnan(np.atleast_1d(self.z[row])).all():
                    continue
                functional = self._functionals(candidates, [fitted[index]])
                error = self.error_of(functional)
                size, drawn = self._of(functional) / error, self.noise @ functional.T / error
                p_value[row, column] = share_as_large(size, drawn)
        return p_value

    @cached_property
    def _regressors(self) -> Contrasts:
        return regressors(self.time, self.first)


def batch_estimates(setup: DriftSetup, label_counts: Floats, draws: int) -> BatchEstimates:
    """Return the estimates of batches or stretches."""
    timeline, time, starts = setup.timeline, setup.windows.at, setup.windows.at
    windows, figures = setup.windows, setup.figures
    if not setup.batches:
        windows, figures = _stretches(setup)
        block = windows.timeline.time.astype(np.intp)
        weight = np.maximum(totals(block, timeline.weight, len(windows.at)), 1e-300)
        time = totals(block, timeline.weight * timeline.time, len(windows.at)) / weight
        starts = timeline.time[np.flatnonzero(np.diff(block, prepend=-1) > 0)]
    rows = windows.rows
    within = None
    if setup.clusters is not None:
        last = np.append(starts[1:], np.inf)
        block_of_items = np.searchsorted(last, setup.items.time, side="right")
        within = ItemsInClusters(setup.clusters, block_of_items)
    null = NullModel.of(setup.local, rows.weight, label_counts, within)
    centre, error = null.figures()
    annotators = setup.without_each(rows)
    known = np.isfinite(figures.estimate) & ~rows.few
    if annotators is not None:
        known &= np.isfinite(np.diag(annotators.covariance))
    return BatchEstimates(
        np.where(known, figures.missing, np.nan),
        error,
        time,
        starts,
        np.searchsorted(time, timeline.time[setup.cuts.starts]),
        setup.times.in_order,
        _noise(null, centre, error, annotators, draws, setup.options.seed),
        annotators,
        within is not None and within.clusters.batches(within.block) is None,
        setup.least_error,
        setup.local.whole,
    )


def _noise(
    null: NullModel,
    centre: Floats,
    error: Floats,
    annotators: AnnotatorJackknife | None,
    draws: int,
    seed: int,
) -> Floats:
    """Draw deviations (draw, batch) of estimates from ``centre`` under equal agreement."""
    normal = stream(seed, Purpose.DRIFT_NOISE)
    if not draws:
        return np.zeros((0, len(error)))
    if draws * len(error) * null.local.cells <= DRAWN_CELLS:
        noise = null.drawn(draws, seed) - centre
    else:
        noise = normal.standard_normal((draws, len(error))) * error
    if annotators is not None:
        value, vector = np.linalg.eigh(annotators.annotator_covariance)
        root = vector * np.sqrt(np.maximum(value, 0.0))
        # Student's t: errors from few annotators are uncertain
        scale = np.sqrt(annotators.degrees / normal.chisquare(annotators.degrees, (draws, 1)))
        noise = noise + normal.standard_normal(noise.shape) @ root.T * scale
    return np.nan_to_num(noise)


def _stretches(setup: DriftSetup) -> tuple[Windows, Figures]:
    timeline = setup.timeline
    number = int(np.clip(timeline.pairable_weight.sum() // STRETCH_ITEMS, 3, MOST_STRETCHES))
    block = blocks_of(timeline.time, timeline.pairable_weight, setup.times, number)
    by_block = Timeline(
        block.astype(np.float64), timeline.pattern, timeline.weight, timeline.pairable
    )
    windows = Windows(by_block, np.arange(block.max() + 1.0), None)
    return windows, setup.local.at(windows.rows)


def trend_of(setup: DriftSetup, estimates: BatchEstimates) -> dict[str, object]:
    """Return variables of the trend, per unit of time and over the whole time."""
    length = length_of(estimates.time)
    slope, error = float(estimates.compared.slope) / length, float(estimates.errors.slope) / length
    if np.isnan(setup.overall):
        slope = error = np.nan
    span = float(setup.timeline.time[-1] - setup.timeline.time[0])
    degrees = estimates.slope_degrees
    return figure("slope", slope, error, setup, degrees=degrees) | figure(
        "period_change", slope, error, setup, span, degrees=degrees
    )


def figure(
    name: str,
    value: float,
    error: float,
    setup: DriftSetup,
    scale: float = 1.0,
    degrees: float = np.inf,
) -> dict[str, object]:
    """Return variables of an estimate, with a normal or Student's t interval."""
    options, tail = setup.options, (1 + setup.options.confidence) / 2
    reach = float(ndtri(tail) if np.isinf(degrees) else stdtrit(degrees, tail))
    if options.interval is None or not error > 0:
        reach = np.nan
    return {
        name: ((), value * scale),
        f"{name}_standard_error": ((), error * scale),
        f"{name}_ci_low": ((), (value - reach * error) * scale),
        f"{name}_ci_high": ((), (value + reach * error) * scale),
    }


def deviation_of(setup: DriftSetup, estimates: BatchEstimates) -> dict[str, object]:
    """Return variables of the batch or stretch that deviates most, in standard errors."""
    z = estimates.z.deviation
    index = largest_index(z)
    at, figures = np.nan, [np.nan] * 4
    if index >= 0:
        at = estimates.starts[index]
        estimate = estimates.whole + float(estimates.estimate[index])
        deviation = float(estimates.compared.deviation[index])
        figures = [
            float(z[index]),
            estimate,
            estimate - deviation,
            float(estimates.errors.deviation[index]),
        ]
    names = ("z", "estimate", "others", "standard_error")
    where = setup.times.coordinate_of(np.array([at]))[0]
    return {
        "deviation_at": ((), where),
        **{f"deviation_{name}": ((), value) for name, value in zip(names, figures, strict=True)},
    }
