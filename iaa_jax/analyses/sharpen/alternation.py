"""The alternation on ratings: its steps, and the same on weights of many replicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine.fits import Fit, Tolerance, fit_rows, states
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpened, Sharpening
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
        annotators = self.votes.annotators

        def numbered() -> Iterator[tuple[Weights, Numbers]]:
            for rows in items:
                weights = Weights(rows, np.ones((len(rows), annotators)))
                yield weights, Numbers(*(np.full(len(rows), number) for number in self.numbers))

        masses, start = self.votes.masses, self.votes.shares
        return fit_rows(self.method, masses, numbered(), start, self.tolerance)

    def item_weight(self, probability: Floats) -> Floats:
        """The weight (..., pattern) that items get; NaN with one rating or none."""
        flat = probability.reshape(-1, probability.shape[-1])
        weight = np.asarray(self.method.item_weight(flat)).reshape(probability.shape[:-1])
        return np.where(self.panel >= 2, weight, np.nan)
