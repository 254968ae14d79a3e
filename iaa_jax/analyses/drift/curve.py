"""The coefficient in each window, its interval, and a band over all windows.

A window of few items shows few of the possible patterns (distinct rows of ratings). For labels and
random items, the interval "auto" therefore comes from a posterior. The prior of each window
consists of ``OF_ALL`` items, whose patterns have the proportions of all items, and of the
pseudo-item of `iaa_jax.measure.requests.prior`. Intervals are computed with and without the prior,
and the outer ends are used. The weights of items are drawn from a Dirichlet distribution, and are
the same in all windows. The weights of the prior are drawn from Gamma distributions, separately for
each window.

Items and prior together are scaled to the effective number of items in the window, so that the
prior hardly matters in large windows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr

from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats, Values
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.timeline import ClusteredTimeline, Timeline
from iaa_jax.analyses.drift.windows import (
    CELLS,
    LEAST_EFFECTIVE,
    LEAST_TARGET,
    Figures,
    Local,
    Windows,
    totals,
)
from iaa_jax.engine import Prepared, Problem, over_rows
from iaa_jax.engine.drawing import (
    BLOCK,
    Purpose,
    Resampling,
    bootstrap_rows,
    draws_in_blocks,
    sampled_rows,
    stream,
)
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure.intervals.coverage import FEW_CLUSTERS
from iaa_jax.measure.intervals.family_wise import (
    band_around,
    band_factor,
    band_of_draws,
    band_on_line,
)
from iaa_jax.measure.intervals.pseudo_items import append_prior
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.requests.prior import Labels, farther_quantiles
from iaa_jax.measure.requests.spread import Spread, ends_of
from iaa_jax.wording import Note
from iaa_jax.wording.times import named_once

FEW_EFFECTIVE_ITEMS = 50
"""Code of windows without an estimate, because effective items are too few."""

_FEW = f"fewer than {LEAST_EFFECTIVE:g} items with two ratings"

_RESAMPLED_CELLS = 3e8
"""Maximum product of replicates, windows and patterns for "auto" to draw. Above it, "auto" is
"normal".
"""

NAMED = 3
"""Maximum number of windows in a note."""

_NO_ERROR = 1e-12

OF_ALL = 2.0
"""Number of items with two ratings in the prior of a window."""


class WindowResult(NamedTuple):
    """Variables of the windows, and how they were computed."""

    variables: dict[str, object]
    attrs: dict[str, object]
    notes: list[Note]


def curve_of(setup: DriftSetup, progress: Progress | None) -> WindowResult:
    """Return the estimates of all windows, with intervals."""
    rows, figures = setup.windows.rows, setup.figures
    code = np.where(rows.few, FEW_EFFECTIVE_ITEMS, 0).astype(np.int64)
    for index in np.flatnonzero(np.isnan(figures.estimate) & ~rows.few).tolist():
        code[index] = setup.local.code(rows.weight[index])
    reasons = {**REASONS, FEW_EFFECTIVE_ITEMS: _FEW}
    reason = np.array([reasons[number] for number in code.tolist()])
    lost = (code != 0) & ~rows.few
    if setup.options.undefined == "raise" and lost.any():
        index = int(np.flatnonzero(lost)[0])
        at = setup.times.coordinate_of(setup.windows.at)[index]
        raise IaaError(f"{setup.request.name} is undefined at {at}: {reason[index]}")
    intervals, attrs = _intervals(setup, progress)
    columns = {
        "estimate": np.where(lost, setup.options.undefined_value, figures.estimate),
        "standard_error": figures.error,
        **intervals,
        "effective_items": rows.effective,
        "code": code,
        "reason": reason,
    }
    variables: dict[str, object] = {name: ("point", column) for name, column in columns.items()}
    shown, posterior = np.isfinite(intervals["ci_low"]), attrs["interval"] == "empirical_bayes"
    return WindowResult(variables, attrs, [*_cautions(setup, lost, shown, posterior)])


def _cautions(
    setup: DriftSetup, lost: NDArray[np.bool_], shown: NDArray[np.bool_], posterior: bool
) -> Iterator[Note]:
    figures = setup.figures
    known = np.isfinite(figures.estimate) & ~lost
    unanimous = known & ~(figures.error > _NO_ERROR) & (np.abs(figures.estimate - 1) < _NO_ERROR)
    unanimous &= ~shown
    if unanimous.any() and setup.options.interval is not None:
        where = "" if unanimous.all() else Note("unanimous_in", _names(setup, unanimous))
        yield Note("nothing_disagrees", {"where": where, "there": ""}, "caution")
    without_error = known & np.isnan(figures.error)
    if setup.options.random.draws_annotators and without_error.any():
        yield Note("without_annotator", _names(setup, without_error), "caution")
    rough = known & (setup.windows.rows.effective < LEAST_TARGET)
    if rough.any() and not posterior and setup.options.interval is not None:
        yield Note("rough_around", {**_names(setup, rough), "least": LEAST_TARGET}, "caution")
    if setup.options.interval is not None and setup.few_clusters is None:
        doubts = setup.doubts_of_clusters(setup.windows.cell_weights())
        few = known & np.array([doubt is not None for doubt in doubts])
        if few.any():
            values = {**_names(setup, few), "least": FEW_CLUSTERS}
            yield Note("few_clusters_around", values, "caution")


def _names(setup: DriftSetup, which: NDArray[np.bool_]) -> dict[str, object]:
    """Return values of a note: the first windows in the mask ``which``, and how many more."""
    times = setup.times
    every = [times.note_of(at) for at in times.coordinate_of(setup.windows.at[which])]
    names = named_once(every[:NAMED])
    if len(every) > NAMED:
        names.append(Note("further_windows", {"count": len(every) - NAMED}))
    return {"names": names}


def _intervals(
    setup: DriftSetup, progress: Progress | None
) -> tuple[dict[str, Values], dict[str, object]]:
    options, figures = setup.options, setup.figures
    _, degrees, annotators = setup.at_windows
    size = len(figures.estimate)
    known = np.isfinite(figures.estimate)
    columns: dict[str, Values] = {
        name: np.full(size, np.nan) for name in ("ci_low", "ci_high", "band_low", "band_high")
    }
    columns["undefined_replicates"] = np.zeros(size, dtype=np.int64)
    if options.interval is None:
        return columns, {"interval": "", "resampling": "", "band_factor": np.nan, "band_cut": 0}
    interval, resampling = resolve(options), "items drawn with replacement, with their times"
    own = setup.request.interval(options)
    if own.method == "empirical_bayes":
        interval, resampling = own, "Dirichlet weights of items, with their times, and a prior"
    cells = options.replicates * size * setup.timeline.patterns
    if options.how.method == "auto" and cells > _RESAMPLED_CELLS:
        interval = replace(interval.with_method("normal"), cut=True)
    if interval.by_replicates:
        posterior, labels = None, setup.request.labels
        if interval.method == "empirical_bayes" and labels is not None:
            posterior = LocalPosterior.of(setup.request.problem, labels, setup.windows)
        drawn = item_replicates(
            setup.local, setup.windows, options.replicates, options.seed, progress, posterior
        )
        if setup.clusters is not None:
            resampling = "clusters drawn with replacement, with their times"
        drawn[:, ~known] = np.nan
        columns["undefined_replicates"] = np.where(known, np.isnan(drawn).sum(axis=0), 0)
    else:
        resampling = "Gaussian multipliers of the influences"
        known_rows = np.flatnonzero(known)
        spread = covariance(setup.windows, figures)
        if annotators is not None:
            resampling += " and annotators"
            spread = spread + np.nan_to_num(annotators.covariance)
        spread = spread[np.ix_(known_rows, known_rows)]
        drawn_error = np.full(size, np.nan)
        drawn_error[known_rows] = np.sqrt(np.diagonal(spread))
        drawn = np.full((options.replicates, size), np.nan)
        drawn[:, known_rows] = multiplier_replicates(
            figures.estimate[known_rows], spread, options.replicates, options.seed
        )
    spread_of = Spread(figures.error, degrees, figures.skewness, drawn)
    bounds = setup.request.bounds
    ends = ends_of(figures.estimate, spread_of, interval, bounds)
    if interval.method == "empirical_bayes":
        band, factor = band_of_draws(drawn, bounds, ends, options.confidence)
    else:
        # an interval of width 0 would claim too much certainty
        shown = known & (figures.error > _NO_ERROR)
        ends = Ends(*(np.where(shown, end, np.nan) for end in ends))
        # draws by multipliers lack the correction of standard errors for few clusters
        by = figures.error if interval.by_replicates else drawn_error
        factor = float(band_factor(drawn, figures.estimate, by, options.confidence))
        reach = factor * figures.error
        if not interval.by_replicates:
            # single intervals at this level hold jointly
            level = float(2 * ndtr(factor) - 1)
            wide = ends_of(figures.estimate, spread_of, interval, bounds, level)
            farther = np.fmax(wide.high - figures.estimate, figures.estimate - wide.low)
            reach = np.fmax(reach, farther)
        around = band_around if interval.by_replicates else band_on_line
        band = around(figures.estimate, np.where(shown, reach, np.nan), bounds, ends)
    columns |= {"ci_low": ends.low, "ci_high": ends.high}
    columns |= {"band_low": band.low, "band_high": band.high}
    return columns, {
        "interval": interval.method,
        "resampling": resampling,
        "band_factor": factor,
        "band_cut": int(band.cut.sum()),
    }


def item_replicates(
    local: Local,
    windows: Windows,
    replicates: int,
    seed: int,
    progress: Progress | None,
    posterior: LocalPosterior | None = None,
) -> Floats:
    """Return replicates (replicate, window) over items or clusters with their times.

    With a ``posterior``, items have Dirichlet weights, and replicates combine the farther quantiles
    with and without the prior of each window (see `farther_quantiles`).
    """
    timeline, size, patterns = windows.timeline, len(windows.at), windows.timeline.patterns
    window, cell, kernel = windows.entries
    shape = (size * patterns, len(timeline.time))
    lay_out = csr_array((kernel, (window * patterns + timeline.pattern[cell], cell)), shape=shape)
    pairable_weight = np.where(timeline.pairable[timeline.pattern[cell]], kernel, 0.0)
    matrix = csr_array((pairable_weight, (window, cell)), shape=(size, len(timeline.time)))
    squared = csr_array(
        (pairable_weight * kernel, (window, cell)), shape=(size, len(timeline.time))
    )
    prepared = local.prepared if posterior is None else Prepared([posterior.problem])
    table = prepared.problems[0].table
    width = len(table.count)
    batch = max(1, CELLS // (size * width))
    units = timeline.weight
    if isinstance(timeline, ClusteredTimeline):
        units = (np.bincount(timeline.cluster) > 0).astype(np.float64)

    def drawn_units() -> Iterator[Floats]:
        if posterior is not None:
            yield from posterior.rows(replicates, seed)
            return
        for (drawn,) in bootstrap_rows([table.other(units)], replicates, seed):
            yield drawn

    def rows() -> Iterator[tuple[Floats]]:
        done = 0
        for drawn in drawn_units():
            if isinstance(timeline, ClusteredTimeline):
                drawn = drawn[:, timeline.cluster] * timeline.weight
            for start in range(0, len(drawn), batch):
                upright = np.ascontiguousarray(drawn[start : start + batch].T)
                first, second = matrix @ upright, squared @ upright
                weighs = second > 0
                scale = np.where(weighs, first / np.where(weighs, second, 1.0), 0.0)
                weight = (lay_out @ upright).reshape(size, patterns, -1) * scale[:, None, :]
                by_row = np.ascontiguousarray(weight.transpose(2, 0, 1))
                if posterior is not None:
                    by_row = posterior.with_and_without(by_row, done + start, seed)
                yield (by_row.reshape(-1, width),)
            done += len(drawn)

    versions = 1 if posterior is None else 2
    many = versions * size
    estimates = over_rows(
        *(prepared, [table], rows(), replicates * many),
        progress=None if progress is None else lambda done, _: progress(done // many, replicates),
    )[0]
    values = np.asarray(estimates, dtype=np.float64).reshape(replicates, size, versions)
    return (
        values[..., 0] if posterior is None else farther_quantiles(values[..., 0], values[..., 1])
    )


def covariance(windows: Windows, figures: Figures) -> Floats:
    """Return the covariances of all windows' estimates."""
    window, cell, kernel = windows.entries
    rows = windows.rows
    raw = totals(window, kernel * windows.timeline.pairable_weight[cell], len(rows.effective))
    total = rows.weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = rows.effective / raw * np.sqrt(total / (total - 1))
    influence = kernel * factor[window] * figures.centred[window, windows.timeline.pattern[cell]]
    timeline, weight = windows.timeline, windows.timeline.weight[cell]
    if isinstance(timeline, ClusteredTimeline):
        influence, unit = np.nan_to_num(influence) * weight, timeline.cluster[cell]
    else:
        influence, unit = np.nan_to_num(influence) * np.sqrt(weight), cell
    shape = (len(rows.effective), int(unit.max()) + 1)
    matrix = csr_array((influence, (window, unit)), shape=shape)
    return np.asarray((matrix @ matrix.T).toarray())


def multiplier_replicates(estimate: Floats, spread: Floats, replicates: int, seed: int) -> Floats:
    """Draw replicates (replicate, window) with Gaussian multipliers of the influences.

    Sums of influences times normal multipliers are jointly normal, given the data, with mean
    ``estimate`` and covariance ``spread``.
    """
    values, vectors = np.linalg.eigh(spread)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    blocks = [
        draws.standard_normal((rows, len(estimate)))
        for draws, rows in draws_in_blocks(replicates, seed, Purpose.DRIFT_MULTIPLIERS)
    ]
    return np.asarray(estimate + np.concatenate(blocks) @ root)


@dataclass(frozen=True, eq=False)
class LocalPosterior:
    """The posterior of a coefficient; the last patterns of ``problem`` are pseudo-items."""

    problem: Problem
    windows: Windows

    @classmethod
    def of(cls, problem: Problem, labels: Labels, windows: Windows) -> LocalPosterior:
        """Set up the posterior of a coefficient of labels."""
        return cls(append_prior(problem, labels), windows)

    @property
    def _timeline(self) -> Timeline:
        return self.windows.timeline

    @cached_property
    def shape(self) -> Floats:
        """Prior weight (pattern,) in items: the shape of Gamma distributions."""
        timeline = self._timeline
        of_all = totals(timeline.pattern, timeline.weight, timeline.patterns)
        shape = np.array(self.problem.table.prior, dtype=np.float64)
        shape[: timeline.patterns] += OF_ALL * of_all / of_all[timeline.pairable].sum()
        return shape

    @cached_property
    def _pairable(self) -> NDArray[np.bool_]:
        added = len(self.shape) - self._timeline.patterns
        return np.append(self._timeline.pairable, np.ones(added, dtype=bool))

    def rows(self, replicates: int, seed: int) -> Iterator[Floats]:
        """Yield the weights (replicate, cell) of items by block."""
        weighting = Resampling(weights="dirichlet")
        items = self.problem.table.other(self._timeline.weight)
        for (drawn,) in sampled_rows([items], replicates, seed, weighting):
            yield drawn

    def with_and_without(self, weight: Floats, first: int, seed: int) -> Floats:
        """Return weights (replicate, window, 2, pattern) with and without the prior of the windows.

        ``first`` is the index of the first replicate. Each window has the prior's draws in another
        order, so that neighbours share no draw in the same replicate.
        """
        draws = stream(seed, Purpose.WINDOW_PRIOR, first // BLOCK)
        own = draws.standard_gamma(self.shape, size=(BLOCK, len(self.shape)))
        replicate = first % BLOCK + np.arange(len(weight))
        window = np.arange(weight.shape[1])
        rows = own[(replicate[:, None] + window) % BLOCK]
        rows[..., : weight.shape[2]] += weight
        worth = rows[..., self._pairable].sum(axis=-1)
        rows *= (self.windows.rows.effective / worth)[..., None]
        without = np.zeros_like(rows)
        without[..., : weight.shape[2]] = weight
        return np.stack([rows, without], axis=2)
