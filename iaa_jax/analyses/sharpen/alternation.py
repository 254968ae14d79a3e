"""The alternation on ratings: its numbers and steps, and the labels that it makes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from iaa_jax._checks import check_whole, is_number
from iaa_jax._errors import OptionError
from iaa_jax._types import Columns, Floats, Variables
from iaa_jax.catalog.labelling import METHODS, TIES
from iaa_jax.engine.fits import Fit, Tolerance, states
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.kernels.labelling.sharpening import Numbers, Sharpened, Sharpening
from iaa_jax.kernels.labelling.voting import TIED
from iaa_jax.measure.decisions import certainty_of_sets, decide, half, set_names
from iaa_jax.measure.labelling import VoteTables
from iaa_jax.measure.requirements import Excluded
from iaa_jax.wording import named


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


def checked_numbers(
    tol: float, max_iter: int, eps: float, omega: float, prior_strength: float
) -> Numbers:
    """The numbers as the kernel takes them."""
    check_whole("max_iter", max_iter, 1)
    for name, value, most in (
        ("tol", tol, math.inf),
        ("eps", eps, 1.0),
        ("omega", omega, 1.0),
        ("prior_strength", prior_strength, math.inf),
    ):
        positive = name in ("tol", "eps")
        high_enough = is_number(value) and (value > 0 if positive else value >= 0)
        if not (high_enough and value < most):
            above = "above 0" if positive else "0 or more"
            below = f" and below {most:g}" if most < math.inf else ""
            message = f"{named(name)} must be {above}{below}, not {value!r}"
            raise OptionError(message)
    return Numbers(eps, omega, prior_strength, tol)


EXCLUDED = (
    Excluded(
        "spans",
        "sharpening weighs annotators by their labels of items",
        "iaa_jax.span_f1 compares those",
    ),
    Excluded(
        "numbers",
        "sharpening weighs annotators by labels",
        "if each number is a label, read them as labels",
    ),
    Excluded(
        "counts without annotators",
        "sharpening weighs annotators",
        "gold labels by majority need none",
    ),
    Excluded("one annotator", "sharpening compares annotators with each other"),
    Excluded(
        "one label",
        "sharpening needs two labels or more",
        f"declare the others with {named('labels')}, if there are any",
    ),
)
"""Ratings that have no labels, or nobody to compare."""
