"""Weight annotators and items in turn by agreement (sharpening), and decide labels by weight."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import check_whole, is_number
from iaa_jax._errors import OptionError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.catalog.labelling import METHODS, TIES
from iaa_jax.engine import Prepared, Problem, Resampling, sampled_rows
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.drivers import estimate_at
from iaa_jax.engine.fits import Fit, Tolerance, states
from iaa_jax.engine.route import over_rows
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpened, Sharpening
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.measure.options.requirements import Excluded
from iaa_jax.measure.shared.decisions import at_half, certainty_of_sets, decide, set_names
from iaa_jax.measure.shared.labelling import VoteTables
from iaa_jax.wording import named

EXCLUDED = (
    Excluded(
        "spans",
        "sharpening weights annotators by labels of items",
        "iaa_jax.span_f1 compares spans",
    ),
    Excluded(
        "numbers",
        "sharpening weights annotators by labels",
        "if each number is a label, read them as labels",
    ),
    Excluded(
        "counts without annotators",
        "sharpening weights annotators",
        "gold labels by majority do not need annotators",
    ),
    Excluded("one annotator", "sharpening compares annotators with each other"),
    Excluded(
        "one label",
        "sharpening needs two labels or more",
        f"declare further labels with {named('labels')}, if there are any",
    ),
)
"""Ratings that cannot be sharpened, and why: no labels, or no annotators to compare."""

WEIGHTINGS = ("equal", "annotators", "annotators_and_items")
"""Weights with which a coefficient is computed: equal, by annotator, by annotator and item."""

_LEAST_REPLICATES = 200
"""Minimum number of replicates if the interval is "auto"."""

_WORK = 1 << 27
"""Maximum number of cells, over all replicates, of an automatic interval.

Cells of the ratings and of the coefficient's data are counted.
"""


@dataclass(frozen=True)
class Alternation:
    """The sharpening of one set of ratings, with its settings."""

    votes: VoteTables
    method: Sharpening
    numbers: Numbers
    max_steps: int

    @property
    def tolerance(self) -> Tolerance:
        """The rule by which iteration stops."""
        return Tolerance(float(self.numbers.accepted), self.max_steps)

    @cached_property
    def steps(self) -> list[Sharpened]:
        """The initial state, and the state after each step."""
        votes = self.votes
        return list(
            states(
                self.method,
                votes.masses_alone,
                votes.weights,
                votes.shares,
                self.tolerance,
                self.numbers,
            )
        )

    @property
    def last(self) -> Sharpened:
        """The final state."""
        return self.steps[-1]

    @property
    def converged(self) -> bool:
        """Whether the iterations reached a fixed point."""
        return bool(self.last.change < self.tolerance.change)

    @property
    def trace(self) -> Floats:
        """The weights (step, annotator), from equal weights to the final weights."""
        reached = [state.at for state in self.steps]
        if self.converged:
            reached[-1] = self.last.skill
        return np.stack(reached)

    @cached_property
    def panel(self) -> Floats:
        """Number of annotators who rated each pattern (items with the same ratings)."""
        return np.asarray(self.votes.masses.rated.sum(axis=1))

    def rows(self, items: Iterable[Floats]) -> Iterator[Fit]:
        """Yield blocks of fits, with a fit for each row of item weights (replicate, pattern)."""
        row = replace(METHODS["sharpen"], method=self.method, options=self.numbers)
        ones = np.ones(self.votes.annotators)
        rows = ((Weights(part, np.tile(ones, (len(part), 1))), ()) for part in items)
        return self.votes.fit_rows(row, rows, self.votes.shares, self.tolerance)

    def item_weight(self, probability: Floats) -> Floats:
        """Return the weights (..., pattern) of items; NaN for items with fewer than two ratings."""
        flat = probability.reshape(-1, probability.shape[-1])
        weight = np.asarray(self.method.item_weight(flat)).reshape(probability.shape[:-1])
        return np.where(self.panel >= 2, weight, np.nan)


def gold_of(sharpening: Alternation) -> Variables:
    """Return the gold labels of items, and the weights of the items."""
    probability = np.asarray(sharpening.last.probability)
    votes = sharpening.votes
    columns = figures_of_items(votes, probability, sets=sharpening.method.sets)
    columns["item_weight"] = sharpening.item_weight(probability)[votes.pattern_of]
    return {
        name: ("item" if values.ndim == 1 else ("item", "label"), values)
        for name, values in columns.items()
    }


def figures_of_items(votes: VoteTables, probability: Floats, *, sets: bool) -> Columns:
    """Return the labels of items, with certainty and votes, from probabilities (pattern, label)."""
    labels = votes.tables.label_names
    panel = np.asarray(votes.masses.rated.sum(axis=1))
    voted = panel > 0
    if sets:
        holds = probability > 0.5 + TIED
        columns: Columns = {
            "gold": set_names(holds, voted, labels),
            "holds": holds,
            "certainty": certainty_of_sets(holds, probability, voted),
            "tied": at_half(probability).any(axis=1) & voted,
        }
    else:
        decided = decide(probability, voted, labels, TIES[0])
        columns = {name: decided[name] for name in ("gold", "certainty", "tied")}
    columns["probability"] = np.where(voted[:, None], probability, np.nan)
    columns["votes"] = panel.astype(np.int64)
    return {name: values[votes.pattern_of] for name, values in columns.items()}


def checked_numbers(
    tol: float, max_iter: int, epsilon: float, omega: float, prior_strength: float
) -> Numbers:
    """Check the numeric options, and return them as the method takes them."""
    check_whole("max_iter", max_iter, 1)
    for name, value, limit in (
        ("tol", tol, math.inf),
        ("epsilon", epsilon, 1.0),
        ("omega", omega, 1.0),
        ("prior_strength", prior_strength, math.inf),
    ):
        positive = name in ("tol", "epsilon")
        high_enough = is_number(value) and (value > 0 if positive else value >= 0)
        if not (high_enough and value < limit):
            above = "above 0" if positive else "0 or more"
            below = f" and below {limit:g}" if limit < math.inf else ""
            raise OptionError(f"{named(name)} must be {above}{below}, not {value!r}")
    return Numbers(epsilon, omega, prior_strength, tol)


class Replicates(NamedTuple):
    """Weights, kappas and coefficients of each replicate."""

    weight: Floats  # (replicate, annotator), NaN for annotators who share no item in the replicate
    kappa: Floats  # (replicate, annotator)
    agreement: Floats  # (replicate, weighting)
    unsettled: int  # number of replicates that did not converge


def agreement_of(sharpening: Alternation, problem: Problem) -> list[Agreement]:
    """Return the coefficient with each weighting."""
    state, count = sharpening.last, problem.table.count
    of_items = _weighted_items(sharpening, state.probability, count)
    equal = np.ones(sharpening.votes.annotators)
    pairs = ((equal, count), (state.skill, count), (state.skill, of_items))
    agreements = []
    for annotators, items in pairs:
        weighted = replace(problem, annotator_weight=np.asarray(annotators))
        agreements.append(estimate_at(Prepared([weighted]), weighted, items))
    return agreements


def _weighted_items(sharpening: Alternation, probability: Floats, count: Floats) -> Floats:
    """Return item weights times counts (..., pattern), scaled to ``(sum w)^2 / sum w^2`` items.

    An item with fewer than two ratings gets the mean weight, because it is unknown how other
    annotators would label it.
    """
    computed = np.maximum(sharpening.item_weight(probability), sharpening.numbers.least)
    unknown = np.isnan(computed)
    known = np.where(unknown, 0.0, computed)
    counted = np.where(unknown, 0.0, count)
    mean = _ratio((known * counted).sum(axis=-1), counted.sum(axis=-1))
    weight = np.where(unknown, mean[..., None], known)
    total, squares = (weight * count).sum(axis=-1), (weight**2 * count).sum(axis=-1)
    return np.asarray(weight * count * _ratio(total, squares)[..., None])


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.asarray(numerator / np.where(denominator > 0, denominator, 1.0))


def affordable(sharpening: Alternation, problem: Problem, replicates: int) -> int:
    """Return the number of replicates for an automatic interval, which is lower for large data."""
    cells = int(sharpening.votes.masses.mass.size) + len(WEIGHTINGS) * int(problem.data.size)
    return min(replicates, max(_LEAST_REPLICATES, _WORK // cells))


def replicates_of(
    sharpening: Alternation,
    problem: Problem,
    replicates: int,
    seed: int,
    resampling: Resampling,
    progress: Callable[[int, int], None] | None,
) -> Replicates:
    """Repeat sharpening, and the coefficient with each weighting, on resampled items."""
    table = problem.table
    weights: list[Floats] = []
    kappas: list[Floats] = []
    settled: list[NDArray[np.bool_]] = []
    waiting: deque[Floats] = deque()

    def rows() -> Iterator[tuple[Floats, ...]]:
        for drawn in _whole_blocks(sampled_rows([table], replicates, seed, resampling)):
            fits = list(sharpening.rows([drawn]))
            skill = np.concatenate([fit.state.skill for fit in fits])
            kappa = np.concatenate([fit.state.kappa for fit in fits])
            shares = np.concatenate([fit.state.probability for fit in fits])
            weights.append(np.where(np.isnan(kappa), np.nan, skill))
            kappas.append(kappa)
            settled.append(np.concatenate([fit.converged for fit in fits]))
            waiting.extend([np.ones_like(skill), skill, skill])
            yield (drawn,)
            yield (drawn,)
            yield (_weighted_items(sharpening, shares, drawn),)

    def annotators(_: int) -> Iterator[Floats]:
        while waiting:
            yield waiting.popleft()

    def done(number: int, total: int) -> None:
        if progress is not None:  # ``number`` and ``total`` count the rows of all weightings
            progress(min(replicates, number * replicates // total), replicates)

    blocks = -(-replicates // BLOCK)
    (agreement,) = over_rows(
        Prepared([problem]),
        [table],
        rows(),
        blocks * len(WEIGHTINGS) * BLOCK,
        annotators=annotators,
        progress=None if progress is None else done,
    )
    by_block = agreement.reshape(blocks, len(WEIGHTINGS), BLOCK)
    return Replicates(
        np.concatenate(weights)[:replicates],
        np.concatenate(kappas)[:replicates],
        by_block.transpose(0, 2, 1).reshape(-1, len(WEIGHTINGS))[:replicates],
        int((~np.concatenate(settled))[:replicates].sum()),
    )


def _whole_blocks(parts: Iterable[tuple[Floats, ...]]) -> Iterator[Floats]:
    """Yield blocks of `BLOCK` rows; the rows of a large table are drawn in smaller parts."""
    block: list[Floats] = []
    for (part,) in parts:
        block.append(part)
        if sum(map(len, block)) >= BLOCK:
            yield np.concatenate(block)
            block = []
    if block:
        yield np.concatenate(block)
