"""What is done unasked: intervals and leaving annotators out only where they take no minutes."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.analyses.gold.certainty import REPLICATES
from iaa_jax.analyses.gold.hanging import MOST
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine.fits import Fit
from iaa_jax.kernels.labelling.votes import DenseVotes
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.interval import fewest_replicates
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.wording import Note

STEPPED = 1.5e9
"""Products of votes and labels, over all steps of all fits, that take about 15 seconds."""

ONE_STEP = 15_000
"""Products that a step of listed votes takes longer than its own products do."""

DRAWN = 1e8
"""Votes times labels, over all replicates, that are drawn again in as many."""

FEWEST = 200
"""Replicates, below which there are none."""


def unasked(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    options: IntervalOptions,
    replicates: int | None,
    leave_out: bool | None,
) -> tuple[IntervalOptions, bool, list[Note]]:
    """The options with what was asked for, else what can be afforded; and what was left out.

    It hangs on numbers alone, not on the machine: a fit takes about as many steps as that of all.
    """
    listed = votes.votes
    cells = len(votes.tables.codes.ratings()[0]) * votes.labels
    each = (cells + ONE_STEP) * max(1, int(fit.iterations))
    if row.modelled and isinstance(listed, DenseVotes):
        each = listed.counts.size * votes.labels * max(1, int(fit.iterations))
    notes: list[Note] = []
    if replicates is None and options.interval is not None:
        few = int(STEPPED / max(each, 1) if row.modelled else DRAWN / max(cells, 1))
        replicates = min(few, REPLICATES)
        if replicates < max(FEWEST, fewest_replicates((1 - options.confidence) / 2)):
            options = replace(options, interval=None)
            notes.append(Note("no_intervals", {"usual": REPLICATES}))
        elif replicates < REPLICATES:
            values = {"replicates": replicates, "usual": REPLICATES}
            notes.append(Note("fewer_replicates", values))
    if leave_out is None:
        leave_out = min(votes.annotators, MOST) * each <= STEPPED
        if not leave_out and not votes.tables.anonymous:
            notes.append(Note("no_leave_out"))
    return replace(options, replicates=replicates or REPLICATES), leave_out, notes
