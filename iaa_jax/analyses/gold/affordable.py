"""What is done unasked: intervals and leaving annotators out only where they take no minutes.

It is decided from counts alone: ratings, labels, annotators, and the steps of the fit of all. So it
hangs neither on the machine nor on how the ratings are stored, and a seed gives the same digits.
"""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.analyses.gold.certainty import REPLICATES, STEPS
from iaa_jax.analyses.gold.hanging import MOST
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine.fits import Fit
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.interval import fewest_replicates
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.wording import Note

STEPPED = 2.1e9
"""Products of votes and labels, over all steps of all replicates, that take up to 11 seconds."""

LEFT_OUT = 0.4e9
"""The same of leaving annotators out: 2 seconds."""

DRAWN = 1e8
"""Votes times labels, over all replicates, that are drawn again in as many."""

FEWEST = 100
"""Replicates, below which there are none."""

ROUND = 50
"""Replicates by which there are fewer: a step more or less, as rounding makes, changes none."""


def likely_steps(row: LabellingMethod, fit: Fit) -> float:
    """Steps of a fit of data drawn anew, or without an annotator, which climbs to another end."""
    return (1.5 if row.further_steps else 1.0) * max(1, int(fit.iterations)) + row.further_steps


def unasked(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    options: IntervalOptions,
    replicates: int | None,
    leave_out: bool | None,
) -> tuple[IntervalOptions, bool, list[Note]]:
    """The options with what was asked for, else what can be afforded; and what was left out."""
    cells = len(votes.tables.codes.ratings()[0]) * votes.labels
    step = votes.products_of_a_step * row.step_cost
    likely = likely_steps(row, fit)
    notes: list[Note] = []
    if replicates is None and options.interval is not None:
        few = int(STEPPED / (step * min(likely, STEPS)) if row.modelled else DRAWN / max(cells, 1))
        replicates = min(few - few % ROUND, REPLICATES)
        if replicates < max(FEWEST, fewest_replicates((1 - options.confidence) / 2)):
            options = replace(options, interval=None)
            notes.append(Note("no_intervals", {"usual": REPLICATES}))
        elif replicates < REPLICATES:
            values = {"replicates": replicates, "usual": REPLICATES}
            notes.append(Note("fewer_replicates", values))
    if leave_out is None:
        leave_out = min(votes.annotators, MOST) * step * min(likely, row.steps) <= LEFT_OUT
        if not leave_out and not votes.tables.anonymous:
            notes.append(Note("no_leave_out"))
    return replace(options, replicates=replicates or REPLICATES), leave_out, notes
