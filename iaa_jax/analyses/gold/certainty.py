"""Estimate the uncertainty of gold labels and of annotators' skills from replicates.

For skills, items are resampled (or clusters of items, and annotators if they are random), and the
method is fitted to each replicate. If the method is a model, such as Dawid and Skene's, the same
replicates serve for the labels. Otherwise the annotators of an item are treated as a sample: its
votes are redrawn from label shares among all possible annotators.

What would take long is not computed by default. This is decided by counts of ratings and of steps,
not by the speed of the machine.

A pattern is a distinct row of ratings, kept once with its number of items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.gold.conclusion import ResultPart
from iaa_jax.analyses.gold.fragile import MOST
from iaa_jax.analyses.gold.items import Items, Skills
from iaa_jax.catalog.labelling import LabellingMethod
from iaa_jax.engine import Resampling, sampled_rows
from iaa_jax.engine.drawing import Purpose, draws_in_blocks
from iaa_jax.engine.drawing.annotators import annotator_rows
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.engine.rows import tell
from iaa_jax.kernels.labelling.confusion import smoothed_posterior
from iaa_jax.kernels.labelling.method import Options, Weights
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.options.interval import check_replicates, fewest_replicates
from iaa_jax.measure.options.resolved_interval import resolve
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.shared.decisions import most_probable
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording import Note

INTERVALS = ("percentile", "basic", "normal", "t")
"""Kinds of intervals for skills, besides "auto"."""

REPLICATES = 500

STEPS = 1000
"""Maximum number of steps in the fit of a replicate, which starts near its optimum."""

PSEUDO_VOTES = 0.5
"""Pseudo-votes added to each cell of the confusion matrices that give a replicate's probabilities.

Without them, labels that no annotator confuses would be certain in every replicate.
"""

FEW_RATINGS = 10
"""Number of ratings that a model needs per annotator and free cell of a confusion matrix.

With fewer, labels are less certain than the model says. In the coverage study
(benchmarks/coverage.md), the interval of the share of right labels by Dawid and Skene's model
covers the truth in 75 % of 40 data sets with 4 ratings per free cell, in 35 % with 5 (and three
labels instead of two), in 90 % with 16, and in 93 to 99 % with 30 or more.
"""

_CELLS = 1 << 22
FIT_BUDGET = 2.1e9
"""Maximum cost of fitting replicates (up to 11 seconds): votes times labels, summed over steps."""

LEAVE_OUT_BUDGET = 0.4e9
"""Maximum cost of leaving annotators out (up to 2 seconds), in the same unit."""

REDRAW_BUDGET = 1e8
"""Maximum cost of redrawing votes (up to 2 seconds): votes times labels times replicates."""

FEWEST = 100
"""Minimum number of replicates: if the cost allows fewer, no intervals are computed."""

ROUND = 50
"""The number of replicates is rounded down to a multiple of this."""


def check_options(options: IntervalOptions) -> None:
    """Refuse kinds of intervals that gold labels do not have, and too few replicates."""
    if options.interval is None:
        return
    if options.how.method != "auto":
        resolve(options).check(
            INTERVALS, sampling=("cluster", "annotators", "population", "bayesian")
        )
    purpose = f"intervals of {100 * options.confidence:g} %"
    check_replicates(options.replicates, (1 - options.confidence) / 2, purpose)


def record(row: LabellingMethod, options: IntervalOptions) -> dict[str, object]:
    """Return the attributes that describe how intervals were computed."""
    if options.interval is None:
        return {}
    name = options.how.method
    if name == "auto":
        name = "beta" if row.skill_is_share else "percentile"
    return {**resolve(options).draw_attrs(), "interval": name, "confidence": options.confidence}


def certainty(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    gold: Integers,
    tolerance: float,
    options: IntervalOptions,
    progress: Callable[[int, int], None] | None = None,
) -> ResultPart:
    """Return how uncertain labels and skills are; ``gold`` has each pattern's label code, or -1."""
    if options.interval is None:
        return ResultPart({}, [])
    resampling = resampling_of(options.random, votes.tables)
    items = Items(votes, gold, options)
    skills = Skills(votes, row, fit, options)
    limit = Tolerance(tolerance, min(STEPS, row.steps))
    certain = votes.shares if row.strict else np.asarray(fit.state.probability)
    lost = done = 0
    if row.modelled or not votes.tables.anonymous:
        for weights, replicates in _fitted(votes, row, fit, limit, options, resampling):
            skills.add(replicates, weights)
            lost += int((~replicates.converged).sum())
            if row.modelled:
                plain = np.asarray(replicates.state.probability)
                items.add(
                    _smoothed(votes, replicates, weights), most_probable(plain).argmax(axis=-1)
                )
            done += len(replicates.skill)
            tell(progress, done, options.replicates)
    if not row.modelled:
        for shares, winner in redrawn_votes(votes, certain, options):
            items.add(shares, winner, leading=True)
    notes: list[Note] = []
    if lost:
        ended = {"lost": lost, "replicates": options.replicates, "steps": limit.steps}
        notes.append(Note("replicates_not_converged", ended, "caution"))
    variables = items.variables(certain) | skills.variables()
    if row.modelled:
        variables |= items.expected_certainty() | items.expected_right()
        ratings = skills.ratings[skills.ratings > 0]
        usual = float(np.median(ratings)) if len(ratings) else np.nan
        enough = FEW_RATINGS * votes.labels * (votes.labels - 1)
        if usual < enough:
            values = {"ratings": usual, "enough": enough}
            notes.append(Note("few_ratings_of_annotators", values, "caution"))
    return ResultPart(variables, notes)


def _fitted(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    limit: Tolerance,
    options: IntervalOptions,
    resampling: Resampling,
) -> Iterator[tuple[Weights, Fit]]:
    kept: list[Weights] = []

    def recorded() -> Iterator[tuple[Weights, Options]]:
        for weights in drawn_weights(votes, options, resampling):
            kept.append(weights)
            yield weights, ()

    first = 0
    for replicates in votes.fit_rows(row, recorded(), np.asarray(fit.state.probability), limit):
        if first == len(kept[0].item):
            kept.pop(0)
            first = 0
        rows = slice(first, first + len(replicates.skill))
        first = rows.stop
        yield Weights(*(part[rows] for part in kept[0])), replicates


def drawn_weights(
    votes: VoteTables, options: IntervalOptions, resampling: Resampling
) -> Iterator[Weights]:
    """Yield weights (replicate, pattern) and (replicate, annotator), block by block."""
    done, size = 0, votes.annotators
    waiting = np.empty((0, size))
    table = votes.tables.identified_table
    drawn = annotator_rows(
        *(size, options.replicates, options.seed, resampling), computing=table.computing
    )
    for (rows,) in sampled_rows([table], options.replicates, options.seed, resampling):
        wanted = rows[: options.replicates - done]
        if not len(wanted):
            return
        if resampling.annotators:
            while len(waiting) < len(rows):
                waiting = np.concatenate([waiting, next(drawn)])
            annotator, waiting = waiting[: len(wanted)], waiting[len(rows) :]
        else:
            annotator = np.ones((len(wanted), size))
        yield Weights(wanted, annotator)
        done += len(wanted)


def _smoothed(votes: VoteTables, replicates: Fit, weights: Weights) -> Floats:
    """Return the probabilities of labels by smoothed confusion matrices, if the method has any."""
    state = replicates.state
    if "confusion" not in state._fields:
        return np.asarray(state.probability)
    rows = [
        smoothed_posterior(
            votes.alone,
            Weights(weights.item[row], weights.annotator[row]),
            np.asarray(state.probability[row]),
            np.asarray(state.prior[row]),
            np.asarray(state.confusion[row]),
            PSEUDO_VOTES,
        )
        for row in range(len(replicates.skill))
    ]
    return np.stack(rows)


def redrawn_votes(
    votes: VoteTables, probability: Floats, options: IntervalOptions
) -> Iterator[tuple[Floats, Integers]]:
    """Yield label shares among all possible annotators, and the winner of a new vote.

    Shares are (replicate, pattern, label), winners (replicate, pattern). With n annotators of an
    item, L labels, and a (weighted) share P_l of the votes for label l, shares are drawn from
    Dirichlet(n P + 1 / L), and n new votes from the shares.
    """
    voters = np.asarray(votes.tables.first_votes.sum(axis=1))
    shape = probability * voters[:, None] + 1 / votes.labels
    batch = max(1, _CELLS // shape.size)
    shares_of = draws_in_blocks(options.replicates, options.seed, Purpose.VOTE_SHARES)
    votes_of = draws_in_blocks(options.replicates, options.seed, Purpose.VOTES_AGAIN)
    for (of_shares, count), (of_votes, _) in zip(shares_of, votes_of, strict=True):
        for first in range(0, count, batch):
            rows = min(batch, count - first)
            drawn = np.maximum(of_shares.standard_gamma(shape, (rows, *shape.shape)), 1e-300)
            shares = drawn / drawn.sum(axis=-1, keepdims=True)
            again = of_votes.multinomial(voters, shares)
            yield shares, np.asarray(again.argmax(axis=-1))


def with_defaults(
    votes: VoteTables,
    row: LabellingMethod,
    fit: Fit,
    options: IntervalOptions,
    replicates: int | None,
    leave_out: bool | None,
) -> tuple[IntervalOptions, bool, list[Note]]:
    """Fill in defaults of the options and ``leave_out``, with notes on what would take too long."""
    cells = len(votes.tables.codes.ratings()[0]) * votes.labels
    step = votes.products_of_a_step * row.step_cost
    # on resampled data, or with an annotator left out, a fit needs more steps
    likely = (1.5 if row.further_steps else 1.0) * max(1, int(fit.iterations)) + row.further_steps
    notes: list[Note] = []
    if replicates is None and options.interval is not None:
        by_fits = FIT_BUDGET / (step * min(likely, STEPS))
        few = int(by_fits if row.modelled else REDRAW_BUDGET / max(cells, 1))
        replicates = min(few - few % ROUND, REPLICATES)
        if replicates < max(FEWEST, fewest_replicates((1 - options.confidence) / 2)):
            options = replace(options, interval=None)
            notes.append(Note("no_intervals", {"usual": REPLICATES}))
        elif replicates < REPLICATES:
            values = {"replicates": replicates, "usual": REPLICATES}
            notes.append(Note("fewer_replicates", values))
    if leave_out is None:
        leave_out = min(votes.annotators, MOST) * step * min(likely, row.steps) <= LEAVE_OUT_BUDGET
        if not leave_out and not votes.tables.anonymous:
            notes.append(Note("no_leave_out"))
    return replace(options, replicates=replicates or REPLICATES), leave_out, notes
