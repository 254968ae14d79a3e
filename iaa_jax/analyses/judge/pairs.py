"""How far a judge agrees with people, beside how far people agree with each other."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers
from iaa_jax.engine import Problem
from iaa_jax.engine.panels import PanelRows

MOST_PAIRS = 2000
"""Pairs of annotators beyond which agreement by pairs is not measured."""


_CELLS = 1 << 24
"""Cells (row, pattern) of weights that are handed over together."""

_LEAST_ROWS = 64


class Beside(NamedTuple):
    """Mean agreement by pairs, each (row, ...): of judges and of people with (other) people."""

    judges: Floats  # (row, judge)
    each: Floats  # (row, person) of one person with the others
    people: Floats  # (row,)


def pairs_of(judges: int, people: int) -> int:
    """How many pairs there are of a judge and a person, or of two people."""
    return judges * people + people * (people - 1) // 2


class PairsWithJudges:
    """The coefficient of every pair of a judge and a person, and of two people.

    ``exchangeable`` says that it does not depend on who said what.
    """

    def __init__(
        self, problem: Problem, judges: Integers, people: Integers, *, exchangeable: bool
    ) -> None:
        self.shape = (len(judges), len(people))
        with_judge = product(judges.tolist(), people.tolist())
        pairs = np.array([*with_judge, *combinations(people.tolist(), 2)])
        self.panels = np.zeros((len(pairs), len(problem.weight)), dtype=bool)
        self.panels[np.arange(len(pairs))[:, None], pairs] = True
        self.of_person = [(pairs == person).any(axis=1) for person in people.tolist()]
        self.run = PanelRows(problem, exchangeable=exchangeable)

    def agreement(self, rows: Floats) -> Beside:
        """Means over pairs at rows of weights (row, pattern); pairs without a figure take no part.

        So many rows go at once as memory allows.
        """
        step = max(_LEAST_ROWS, _CELLS // rows.shape[1])
        parts = [rows[start : start + step] for start in range(0, len(rows), step)]
        every = [np.concatenate([*self.run.over(self.panels, part)]).T for part in parts]
        figures = np.concatenate(every)  # (row, pair)
        first = self.shape[0] * self.shape[1]
        among = figures[:, first:]
        each = [_mean(among[:, pairs[first:]]) for pairs in self.of_person]
        of_judges = figures[:, :first].reshape(-1, *self.shape)
        return Beside(_mean(of_judges), np.stack(each, axis=1), _mean(among))


def not_worse(difference: Floats, error: Floats, margin: float) -> Floats:
    """One-sided p-values that the judge agrees less than people do by the margin or more."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(ndtr(-(difference + margin) / error))


def _mean(figures: Floats) -> Floats:
    """The mean over the last axis of those defined."""
    known = ~np.isnan(figures)
    number = known.sum(axis=-1)
    total = np.where(known, figures, 0.0).sum(axis=-1)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)
