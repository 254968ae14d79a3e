"""Sequences of many sets at once: the same bets and ends as `iaa_jax.watch` has of each."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from iaa_jax.analyses.watch.sequence import ends_by_betting, ends_by_influence
from iaa_jax.analyses.watch.terms import usual_factor
from iaa_jax.kernels.betting import Bets, bets_on, log_wealth_above, log_wealth_below
from watch_study.laws import Law

ALPHA, Z = 0.05, 1.959963984540054
LOG_OF_ENDS = math.log(2 / ALPHA)
A_LOOK = 25

Ends = tuple[np.ndarray, np.ndarray]


class Groups(NamedTuple):
    """Bets of sets (set, group), and the items that had come when each was made."""

    bets: Bets
    items: np.ndarray


def groups_of(
    law: Law,
    places: np.ndarray,
    chance: np.ndarray,
    unit: float | None = None,
    most: float | None = None,
) -> Groups:
    """The bets on items in their order (set, item), each with a chance of its own.

    The usual factor is that of each set, unless a ``unit`` is given; the most ratings of an item
    are those of the law, unless they are given.
    """
    size, counts = law.size, law.pairable[places]
    scale, times = np.ones(places.shape), 1.0
    if law.ratings_of is not None:
        factor = law.ratings_of[places]
        rows = zip(factor, counts, strict=True)
        units = [[unit or usual_factor(row[counted], size)] for row, counted in rows]
        counts = counts & (chance < factor / units)
        scale = np.maximum(factor, units) / np.maximum(factor, 1)
        times = ((most or law.ratings_of.max()) / law.ratings_of.max()) ** size
    order = np.argsort(~counts, axis=1, kind="stable")
    number = counts.sum(axis=1) // size
    groups = int(number.max())
    order = order[:, : groups * size]
    of_group, scale = (
        np.take_along_axis(each, order, axis=1).reshape(len(places), groups, size)
        for each in (places, scale)
    )
    made = np.arange(groups) < number[:, None]
    terms = law.terms(of_group[made])
    observed, expected = np.zeros(made.shape), np.zeros(made.shape)
    by_unit = scale.prod(axis=-1)[made]
    observed[made], expected[made] = terms.observed * by_unit, terms.expected * by_unit
    bets = bets_on(observed, expected, *(each * times for each in terms.largest), ALPHA)
    come = order.reshape((*made.shape, size))[..., -1] + 1
    return Groups(bets, np.where(made, come, 0))


def ruled_out(bets: Bets, truth: np.ndarray | float) -> np.ndarray:
    """Of each set whether the truth, one for all or its own, is outside after each bet."""
    k = np.reshape(truth, (-1, 1))
    return (log_wealth_above(bets, k) > LOG_OF_ENDS) | (log_wealth_below(bets, k) > LOG_OF_ENDS)


def ends_after(law: Law, bets: Bets) -> Ends:
    """The ends of each set after all bets."""
    number = np.array([bets.observed.shape[1]])
    rows = [Bets(*each) for each in zip(*bets, strict=True)]
    ends = np.array([ends_by_betting(row, number, ALPHA, law.bounds_of_figure) for row in rows])
    return ends[:, 0, 0], ends[:, 1, 0]


class Looked(NamedTuple):
    """Figures at looks: arrays (set, look)."""

    items: np.ndarray  # (look,)
    estimate: np.ndarray
    error: np.ndarray
    number: np.ndarray  # items with a pair of ratings

    def sequence(self, law: Law, in_all: float = math.inf) -> Ends:
        figures, share = (self.estimate, self.error, self.number), self.items / in_all
        return ends_by_influence(*figures, ALPHA, law.bounds_of_figure, share)

    def reaching(self, times: float | np.ndarray) -> Ends:
        """An interval of so many standard errors."""
        return self.estimate - times * self.error, self.estimate + times * self.error


def looks_of(law: Law, places: np.ndarray, every: int = A_LOOK) -> Looked:
    """What is known after every so many items."""
    sets, items = places.shape
    looks = np.arange(every, items + 1, every)
    figures = []
    block = max(1, int(2e7 // (len(looks) * law.kinds)))
    for start in range(0, sets, block):
        here = places[start : start + block, : looks[-1]]
        rows = np.repeat(np.arange(len(here)), here.shape[1])
        look = np.tile(np.arange(here.shape[1]) // every, len(here))
        cells = (rows * len(looks) + look) * law.kinds + here.reshape(-1)
        shape = len(here), len(looks), law.kinds
        counts = np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
        found = law.figures(np.cumsum(counts, axis=1, dtype=float).reshape(-1, law.kinds))
        figures.append([each.reshape(shape[:2]) for each in found])
    number = np.cumsum(law.pairable[places], axis=1)[:, looks - 1].astype(float)
    estimate, error = (np.concatenate(each) for each in zip(*figures, strict=True))
    return Looked(looks, estimate, error, number)


def outside(ends: Ends, truth: np.ndarray | float) -> np.ndarray:
    """Where the truth is beyond the ends; where there are none it is not."""
    return (truth < ends[0] - 1e-12) | (truth > ends[1] + 1e-12)


def first(reached: np.ndarray, items: np.ndarray) -> np.ndarray:
    """The items at which it is first so; infinitely many where it never is."""
    at = np.broadcast_to(items, reached.shape)[np.arange(len(reached)), reached.argmax(axis=1)]
    return np.where(reached.any(axis=1), at, np.inf)
