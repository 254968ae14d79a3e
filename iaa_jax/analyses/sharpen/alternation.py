"""The alternation on ratings: its steps, the same for many replicates, and the labels it makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.catalog.labelling import METHODS, TIES
from iaa_jax.engine.fits import Fit, Tolerance, states
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpened, Sharpening
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.measure.decisions import certainty_of_sets, decide, half, set_names
from iaa_jax.measure.labelling import VoteTables


@dataclass(frozen=True)
class Alternation:
    """Sharpening of one set of ratings, with its settings."""

    votes: VoteTables
    method: Sharpening
    numbers: Numbers
    most: int

    @property
    def tolerance(self) -> Tolerance:
        """When it ends."""
        return Tolerance(float(self.numbers.accepted), self.most)

    @cached_property
    def steps(self) -> list[Sharpened]:
        """The start and the state after each step."""
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
        """Where it ended."""
        return self.steps[-1]

    @property
    def converged(self) -> bool:
        """Whether it ended in a fixed point."""
        return bool(self.last.change < self.tolerance.change)

    @property
    def trace(self) -> Floats:
        """The weights (step, annotator): equal ones, and those that each step led to."""
        reached = [state.at for state in self.steps]
        if self.converged:
            reached[-1] = self.last.skill
        return np.stack(reached)

    @cached_property
    def panel(self) -> Floats:
        """How many rated each pattern."""
        return np.asarray(self.votes.masses.rated.sum(axis=1))

    def rows(self, items: Iterable[Floats]) -> Iterator[Fit]:
        """The same anew for each row of weights (row, pattern), by blocks."""
        row = replace(METHODS["sharpen"], method=self.method, options=self.numbers)
        ones = np.ones(self.votes.annotators)
        rows = ((Weights(part, np.tile(ones, (len(part), 1))), ()) for part in items)
        return self.votes.fit_rows(row, rows, self.votes.shares, self.tolerance)

    def item_weight(self, probability: Floats) -> Floats:
        """The weight (..., pattern) that items get; NaN with one rating or none."""
        flat = probability.reshape(-1, probability.shape[-1])
        weight = np.asarray(self.method.item_weight(flat)).reshape(probability.shape[:-1])
        return np.where(self.panel >= 2, weight, np.nan)


def gold_of(sharpening: Alternation) -> Variables:
    """The figures of items, and the concentration of their labels."""
    probability = np.asarray(sharpening.last.probability)
    votes = sharpening.votes
    columns = figures_of_items(votes, probability, sets=sharpening.method.sets)
    columns["item_weight"] = sharpening.item_weight(probability)[votes.pattern_of]
    return {
        name: ("item" if values.ndim == 1 else ("item", "label"), values)
        for name, values in columns.items()
    }


def figures_of_items(votes: VoteTables, probability: Floats, *, sets: bool) -> Columns:
    """Labels by a probability of patterns (pattern, label), read off for the items."""
    labels = votes.tables.label_names
    panel = np.asarray(votes.masses.rated.sum(axis=1))
    voted = panel > 0
    if sets:
        holds = probability > 0.5 + TIED
        columns: Columns = {
            "gold": set_names(holds, voted, labels),
            "holds": holds,
            "certainty": certainty_of_sets(holds, probability, voted),
            "tied": half(probability).any(axis=1) & voted,
        }
    else:
        decided = decide(probability, voted, labels, TIES[0])
        columns = {name: decided[name] for name in ("gold", "certainty", "tied")}
    columns["probability"] = np.where(voted[:, None], probability, np.nan)
    columns["votes"] = panel.astype(np.int64)
    return {name: values[votes.pattern_of] for name, values in columns.items()}
