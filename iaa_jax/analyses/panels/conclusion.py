"""The conclusion about panels (sets of annotators), and the panel to recommend."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Columns, Floats
from iaa_jax.analyses.panels.subsets import (
    ROUNDING,
    SMALLEST,
    Leaders,
    PanelReplicates,
    rows_of_size,
)
from iaa_jax.kernels.intervals import normal
from iaa_jax.measure.requests.spread import error_of


def figures_of_sizes(
    estimate: Floats, of_panels: NDArray[np.bool_], few: NDArray[np.bool_], leaders: Leaders
) -> Columns:
    """Return the variables along panel sizes, such as the best panel of each size.

    Panels with ``few`` shared items are never best, second or worst: ``passed_over`` counts them.
    """
    known = np.append(estimate, np.nan)  # index -1 stands for no panel
    members = np.concatenate([of_panels, np.zeros_like(of_panels[:1])]).astype(np.int8)
    sizes = rows_of_size(of_panels.shape[1])
    parts = [estimate[rows] for rows in sizes]
    defined = [part[~np.isnan(part)] for part in parts]
    best = known[leaders.best]
    return {
        "panels": np.array([len(part) for part in parts]),
        "passed_over": np.array([int((few & ~np.isnan(estimate))[rows].sum()) for rows in sizes]),
        "undefined": np.array([int(np.isnan(part).sum()) for part in parts]),
        "best": best,
        "second": known[leaders.second],
        "worst": known[leaders.worst],
        "mean": np.array([part.mean() if len(part) else np.nan for part in defined]),
        "best_members": members[leaders.best],
        "second_members": members[leaders.second],
        "worst_members": members[leaders.worst],
        "equal": leaders.ties,
        "lead": best - known[leaders.second],
        # the panel of all annotators has no lead over itself
        "gain": np.append((best - estimate[-1])[:-1], np.nan),
    }


def conclude(
    by_size: Columns,
    estimate: Floats,
    drawn: PanelReplicates | None,
    size: int | None,
    confidence: float,
) -> tuple[str, int]:
    """Return the conclusion, and the size of the panels that it is about."""
    gain = np.asarray(by_size["gain"], dtype=np.float64)[:-1]
    if len(estimate) == 1:
        return ("undefined" if np.isnan(estimate[0]) else "two_annotators"), SMALLEST
    if np.isnan(gain).all():
        return "undefined", size or SMALLEST
    if np.nanmax(np.abs(estimate - estimate[-1])) < ROUNDING:
        return "tied", size or SMALLEST
    if size == SMALLEST + len(gain):
        return "everybody", size
    largest = SMALLEST + int(np.flatnonzero(gain == np.nanmax(gain))[-1])
    if drawn is None:
        return "estimated", size or largest
    if size is not None:
        better = size - SMALLEST in better_than_all(by_size, confidence)
        return ("better" if better else "noise"), size
    if len(advised := _to_advise(by_size, confidence)):
        return "better", SMALLEST + int(advised[-1])
    p_value = np.where(_are_majorities(by_size), by_size["gain_p_value"], np.nan)[:-1]
    known = p_value if not np.isnan(p_value).all() else by_size["gain_p_value"][:-1]
    return "noise", SMALLEST + int(np.nanargmin(known))


def better_than_all(by_size: Columns, confidence: float) -> NDArray[np.intp]:
    """Return the indices of sizes with a panel that agrees significantly better than all."""
    return np.flatnonzero((by_size["gain_p_value"] < 1 - confidence) & (by_size["gain"] > 0))


def _to_advise(by_size: Columns, confidence: float) -> NDArray[np.intp]:
    """Return the indices of `better_than_all` whose sizes are more than half of the annotators."""
    better = better_than_all(by_size, confidence)
    return better[_are_majorities(by_size)[better]]


def _are_majorities(by_size: Columns) -> NDArray[np.bool_]:
    sizes = np.arange(SMALLEST, SMALLEST + len(by_size["panels"]))
    return np.asarray(2 * sizes > sizes[-1])


def best_of_better(by_size: Columns, drawn: PanelReplicates, confidence: float) -> int:
    """Return the size of the panel to recommend, which agrees better than all annotators.

    It is the largest such size, unless the best panel of a smaller size (still more than half of
    the annotators) agrees significantly better than the larger panel. The comparison allows for the
    number of panels of the smaller size.
    """
    chosen_among = by_size["panels"] - by_size["undefined"] - by_size["passed_over"]
    *smaller, best = _to_advise(by_size, confidence).tolist()
    for size in reversed(smaller):
        lead = by_size["best"][size] - by_size["best"][best]
        error = error_of(drawn.best[size] - drawn.best[best], axis=-1)
        if normal(lead, error, 1 - (1 - confidence) / float(chosen_among[size])).low > 0:
            best = size
    return SMALLEST + int(best)
