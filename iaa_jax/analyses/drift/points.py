"""Local figures: the coefficient in each window, its interval, and a band over all windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats, Values
from iaa_jax.analyses.drift.course import Course
from iaa_jax.analyses.drift.local import CELLS, Figures, Local
from iaa_jax.analyses.drift.windows import LEAST_EFFECTIVE, Windows, totals
from iaa_jax.engine import PatternTable, over_rows
from iaa_jax.engine.drawing import BLOCK, bootstrap_rows, stream
from iaa_jax.engine.rows import Progress
from iaa_jax.measure.family_wise import band_factor
from iaa_jax.measure.interval import PERCENTILES, Form
from iaa_jax.measure.spread import NO_BOUNDS, Spread, ends_of

FEW_EFFECTIVE_ITEMS = 50
"""The code of a window that is worth too few items."""

_FEW = f"the window is worth fewer than {LEAST_EFFECTIVE:g} items with two ratings"

_RESAMPLED_CELLS = 3e8
"""Cells (replicate, window, pattern) up to which "auto" resamples items."""

_MULTIPLIERS = 1001  # the stream of their draws


class Points(NamedTuple):
    """Variables along the windows, and how they were made."""

    variables: dict[str, object]
    attrs: dict[str, object]


def points_of(course: Course, progress: Progress | None) -> Points:
    """The figures of all windows, with intervals."""
    rows, figures = course.windows.rows, course.figures
    code = np.where(rows.few, FEW_EFFECTIVE_ITEMS, 0).astype(np.int64)
    for index in np.flatnonzero(np.isnan(figures.estimate) & ~rows.few).tolist():
        code[index] = course.local.code(rows.weight[index])
    reasons = {**REASONS, FEW_EFFECTIVE_ITEMS: _FEW}
    reason = np.array([reasons[number] for number in code.tolist()])
    lost = (code != 0) & ~rows.few
    undefined = course.options.undefined
    if undefined == "raise" and lost.any():
        index = int(np.flatnonzero(lost)[0])
        at = course.times.coordinate_of(course.windows.at)[index]
        message = f"{course.request.name} is undefined at {at}: {reason[index]}"
        raise IaaError(message)
    replacement = {"one": 1.0, "zero": 0.0}.get(undefined, np.nan)
    intervals, attrs = _intervals(course, progress)
    columns = {
        "estimate": np.where(lost, replacement, figures.estimate),
        "standard_error": figures.error,
        **intervals,
        "effective_items": rows.effective,
        "code": code,
        "reason": reason,
    }
    return Points({name: ("point", column) for name, column in columns.items()}, attrs)


def _intervals(
    course: Course, progress: Progress | None
) -> tuple[dict[str, Values], dict[str, object]]:
    """Intervals and band, and how they were made."""
    options, figures, rows = course.options, course.figures, course.windows.rows
    size = len(figures.estimate)
    known = np.isfinite(figures.estimate)
    columns: dict[str, Values] = {
        name: np.full(size, np.nan) for name in ("ci_low", "ci_high", "band_low", "band_high")
    }
    columns["undefined_replicates"] = np.zeros(size, dtype=np.int64)
    if options.interval is None:
        return columns, {"interval": "", "resampling": "", "band_factor": np.nan}
    form, resampling = options.form, "items drawn with replacement, with their times"
    cells = options.replicates * size * course.line.patterns
    if options.how.method == "auto" and cells > _RESAMPLED_CELLS:
        form = Form("normal")
    if form.method in PERCENTILES:
        drawn = item_replicates(
            course.local, course.windows, options.replicates, options.seed, progress
        )
        drawn[:, ~known] = np.nan
        columns["undefined_replicates"] = np.where(known, np.isnan(drawn).sum(axis=0), 0)
    else:
        resampling = "Gaussian multipliers of the influences"
        known_rows = np.flatnonzero(known)
        spread = covariance(course.windows, figures)[np.ix_(known_rows, known_rows)]
        drawn = np.full((options.replicates, size), np.nan)
        drawn[:, known_rows] = multiplier_replicates(
            figures.estimate[known_rows], spread, options.replicates, options.seed
        )
    degrees = np.maximum(rows.weight.sum(axis=1) - 1, 1e-9)
    spread_of = Spread(figures.error, degrees, figures.skewness, drawn)
    row = course.request.row
    bounds = NO_BOUNDS if row is None else row.bounds
    low, high = ends_of(figures.estimate, spread_of, form, options.confidence, bounds)
    low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    factor = float(band_factor(drawn, figures.estimate, figures.error, options.confidence))
    reach = factor * figures.error
    columns |= {
        "ci_low": low,
        "ci_high": high,
        "band_low": np.fmin(figures.estimate - reach, low),
        "band_high": np.fmax(figures.estimate + reach, high),
    }
    return columns, {"interval": form.method, "resampling": resampling, "band_factor": factor}


def item_replicates(
    local: Local, windows: Windows, replicates: int, seed: int, progress: Progress | None
) -> Floats:
    """Replicates (replicate, window) over items drawn with replacement, with their times."""
    line, size, patterns = windows.line, len(windows.at), windows.line.patterns
    window, cell, kernel = windows.entries
    shape = (size * patterns, len(line.time))
    lay_out = csr_array((kernel, (window * patterns + line.pattern[cell], cell)), shape=shape)
    of_pairs = np.where(line.pairable[line.pattern[cell]], kernel, 0.0)
    matrix = csr_array((of_pairs, (window, cell)), shape=(size, len(line.time)))
    squared = csr_array((of_pairs * kernel, (window, cell)), shape=(size, len(line.time)))
    batch = max(1, CELLS // (size * patterns))

    def rows() -> Iterator[tuple[Floats]]:
        for (drawn,) in bootstrap_rows([PatternTable(line.weight)], replicates, seed):
            for start in range(0, len(drawn), batch):
                upright = np.ascontiguousarray(drawn[start : start + batch].T)
                first, second = matrix @ upright, squared @ upright
                weighs = second > 0
                scale = np.where(weighs, first / np.where(weighs, second, 1.0), 0.0)
                weight = (lay_out @ upright).reshape(size, patterns, -1) * scale[:, None, :]
                yield (np.ascontiguousarray(weight.transpose(2, 0, 1)).reshape(-1, patterns),)

    estimates = over_rows(
        local.prepared,
        [local.problem.table],
        rows(),
        replicates * size,
        progress=None if progress is None else lambda done, _: progress(done // size, replicates),
    )[0]
    return np.asarray(estimates, dtype=np.float64).reshape(replicates, size)


def covariance(windows: Windows, figures: Figures) -> Floats:
    """Covariances of the estimates of all windows, from their influences on the same items."""
    window, cell, kernel = windows.entries
    rows = windows.rows
    raw = totals(window, kernel * windows.line.of_pairs[cell], len(rows.effective))
    total = rows.weight.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = rows.effective / raw * np.sqrt(total / (total - 1))
    influence = kernel * factor[window] * figures.centred[window, windows.line.pattern[cell]]
    influence = np.nan_to_num(influence) * np.sqrt(windows.line.weight[cell])
    matrix = csr_array((influence, (window, cell)), shape=windows.kernel.shape)
    return np.asarray((matrix @ matrix.T).toarray())


def multiplier_replicates(estimate: Floats, spread: Floats, replicates: int, seed: int) -> Floats:
    """Replicates (replicate, window) by Gaussian multipliers of the influences.

    Given the data, estimates plus influences times independent normal multipliers are jointly
    normal with the influences' covariance: they are drawn from it, whatever the number of items.
    """
    values, vectors = np.linalg.eigh(spread)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    blocks = [
        stream(seed, _MULTIPLIERS, block).standard_normal((BLOCK, len(estimate)))
        for block in range(-(-replicates // BLOCK))
    ]
    return np.asarray(estimate + np.concatenate(blocks)[:replicates] @ root)
