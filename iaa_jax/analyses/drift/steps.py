"""The step: the cut where estimates before and after differ most, and an interval for its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Columns, Floats, Values
from iaa_jax.analyses.drift.batch_estimates import BatchEstimates
from iaa_jax.analyses.drift.contrasts import largest_index
from iaa_jax.analyses.drift.cuts import Cuts, differences, linear_steps
from iaa_jax.analyses.drift.setup import DriftSetup
from iaa_jax.analyses.drift.timeline import ClusteredTimeline, ClustersInTime, Indices
from iaa_jax.analyses.drift.windows import Figures, WindowWeights
from iaa_jax.engine.drawing import BLOCK, Purpose, draws_in_blocks
from iaa_jax.wording import Note

CELLS = 1 << 23

_LOCATIONS = 1000
"""Maximum number of replicates for the interval of the step's time."""


class Steps(NamedTuple):
    """Variables of cuts and of the largest step, times of the cuts, and the step's time."""

    variables: dict[str, object]
    cut: Values
    change: float
    notes: list[Note]


def steps_of(setup: DriftSetup, estimates: BatchEstimates) -> Steps:
    """Return the coefficient before and after each cut, and the largest step."""
    starts, time, sides = setup.cuts.starts, setup.timeline.time, setup.sides
    columns: Columns = dict.fromkeys(
        ("before", "after", "difference", "difference_standard_error", "z"), np.zeros(0)
    )
    errors: Sequence[Floats] = (columns["z"], columns["z"])
    if sides is not None:
        (before, after), errors = np.split(sides.estimate, 2), np.split(sides.error, 2)
        compared = differences(sides, setup.least_error)
        if setup.batches:
            (before, after), errors = estimates.means()
            compared = compared._replace(
                difference=estimates.compared.step, error=estimates.errors.step, z=estimates.z.step
            )
        columns = dict(zip(columns, (before, after, *compared), strict=True))
    best = largest_index(columns["z"])
    change, first, last = np.nan, np.nan, np.nan
    scalars = dict.fromkeys(columns, np.nan)
    scalars |= {"before_standard_error": np.nan, "after_standard_error": np.nan}
    notes = []
    if best >= 0:
        scalars = {name: float(column[best]) for name, column in columns.items()}
        for side, error in zip(("before", "after"), errors, strict=True):
            scalars[f"{side}_standard_error"] = float(error[best])
        change, (first, last) = time[starts[best]], time[starts[[*_located(setup, best)]]]
    else:
        too_small = setup.batches and bool(setup.windows.rows.few.all())
        notes.append(why_no_step(sides, too_small=too_small))
    coordinate_of = setup.times.coordinate_of
    columns |= {
        "items_before": setup.cuts.items_before,
        "cut_from": coordinate_of(time[np.maximum(starts - 1, 0)]),
    }
    variables: dict[str, object] = {name: ("cut", column) for name, column in columns.items()}
    for name, at in zip(
        ("at", "low", "high"), coordinate_of(np.array([change, first, last])), strict=True
    ):
        variables[f"change_{name}"] = ((), at)
    variables |= {f"change_{name}": ((), value) for name, value in scalars.items()}
    cut = coordinate_of(np.append(time[starts], np.nan))[:-1]
    return Steps(variables, cut, float(change), notes)


def why_no_step(sides: Figures | None, *, too_small: bool) -> Note:
    """Return a note on why no step can be tested; ``too_small`` if all batches are."""
    if sides is None:
        return Note("no_cut")
    undefined = np.asarray(np.isnan(sides.error).reshape(2, -1).any(axis=0))
    why = Note("batches_without_figure" if too_small else "nothing_varies")
    reasons = [why] * (not undefined.all())
    reasons += [Note("undefined_on_a_side")] * bool(undefined.any())
    cuts = len(undefined)
    where = Note("each_cut", {"cuts": cuts}) if cuts > 1 else Note("the_only_cut")
    return Note("no_step", {"where": where, "reasons": reasons})


def _located(setup: DriftSetup, best: int) -> tuple[int, int]:
    """Return the first and last cut where the step may be, from items redrawn on each side.

    The interval extends by the same number of items to both sides, so that it contains the
    requested share of the replicates' best cuts. Clusters are drawn whole, until a side is full.
    """
    rows, options = setup.cuts.sides(), setup.options
    both = [best, best + len(setup.cuts.starts)]
    picked = WindowWeights(rows.weight[both], rows.square[both], rows.effective[both])
    figures = setup.local.at(picked, keep=True)
    total = picked.weight.sum(axis=1)
    before, after = figures.missing[:, None] + figures.centred * total[:, None]  # pseudo-values
    cuts = Cuts(setup.items)  # with one cell for each item
    timeline, middle = cuts.timeline, int(cuts.starts[best])
    size, items = len(timeline.time), cuts.items_before
    parts = []
    if isinstance(timeline, ClusteredTimeline):
        ends = ((0, middle), (middle, size))
        parts = [ClustersInTime(timeline.picked(np.arange(*side))) for side in ends]
    batch = max(1, min(BLOCK, CELLS // size))

    def drawn(draws: np.random.Generator) -> Indices:
        if parts:
            cells = [part.drawn(part.draw(draws)) for part in parts]
            return np.append(cells[0], middle + cells[1])
        return np.append(
            draws.integers(0, middle, middle), draws.integers(middle, size, size - middle)
        )

    positions, replicates = [], min(options.replicates, _LOCATIONS)
    for draws, number in draws_in_blocks(replicates, options.seed, Purpose.DRIFT_STEPS):
        for start in range(0, number, batch):
            order = np.stack([drawn(draws) for _ in range(min(batch, number - start))])
            pattern = timeline.pattern[order]
            values = np.append(before[pattern[:, :middle]], after[pattern[:, middle:]], axis=1)
            scan = np.abs(
                linear_steps(values, timeline.weight[order], cuts.starts, setup.least_error)
            )
            positions.append(np.argmax(np.nan_to_num(scan, nan=-1.0), axis=1))
    shift = items[np.concatenate(positions)] - items[best]
    reach = float(np.quantile(np.abs(shift), options.confidence))
    low, high = items[best] - reach, items[best] + reach
    first = int(np.searchsorted(items, low + 1e-9, side="right")) - 1
    last = int(np.searchsorted(items, high - 1e-9, side="left"))
    return max(min(first, best), 0), min(max(last, best), len(items) - 1)
