"""Sequences of many sets at once: the same bets and ends as `iaa_jax.watch` has of each."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import iaa_jax as iaa
from iaa_jax.analyses.watch.sequence import ends_by_influence
from iaa_jax.analyses.watch.terms import usual_factor
from iaa_jax.kernels.betting import Bets, bets_on, log_wealth_above, log_wealth_below
from watch_study.laws import Law

ALPHA, Z = 0.05, 1.959963984540054
LOG_OF_ENDS = math.log(2 / ALPHA)
A_LOOK = 25
MOST_PLACES = 700
"""Places of patterns of whose pairs all terms are worked out beforehand."""


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

    The unit by which items are taken is that of each set, unless it is given; the most ratings of
    an item are those of the law.
    """
    size, counts = law.size, law.pairable[places]
    scale, times = np.ones(places.shape), 1.0
    if law.ratings_of is not None:
        factor = law.ratings_of[places]
        if unit is None:
            rows = zip(factor, counts, strict=True)
            units = np.array([[usual_factor(row[counted], size)] for row, counted in rows])
        else:
            units = np.full((len(places), 1), unit)
        counts = counts & (chance < factor / units)
        scale = np.maximum(factor, units) / np.maximum(factor, 1)
        if most is not None:
            times = (most / law.ratings_of.max()) ** size
    order = np.argsort(~counts, axis=1, kind="stable")
    number = counts.sum(axis=1) // size
    groups = int(number.max())
    order = order[:, : groups * size]
    of_group, scale = (
        np.take_along_axis(each, order, axis=1).reshape(len(places), groups, size)
        for each in (places, scale)
    )
    made = np.arange(groups) < number[:, None]
    observed, expected, largest = _terms(law, of_group, made)
    by_unit = scale.prod(axis=-1)
    bets = bets_on(
        observed * by_unit, expected * by_unit, largest[0] * times, largest[1] * times, ALPHA
    )
    come = order.reshape((*made.shape, size))[..., -1] + 1
    return Groups(bets, np.where(made, come, 0))


def _terms(law: Law, of_group: np.ndarray, made: np.ndarray):
    observed, expected = np.zeros(made.shape), np.zeros(made.shape)
    pairable = np.flatnonzero(law.pairable)
    if law.size == 4 or len(pairable) > MOST_PLACES:
        terms = law.terms(of_group[made])
        observed[made], expected[made] = terms.observed, terms.expected
        return observed, expected, terms.largest
    axes = np.meshgrid(*[pairable] * law.size, indexing="ij")
    terms = law.terms(np.stack(axes, axis=-1).reshape(-1, law.size))
    number = np.zeros(law.kinds, dtype=np.intp)
    number[pairable] = np.arange(len(pairable))
    index = np.zeros(made.shape, dtype=np.intp)
    for each in range(law.size):
        index = index * len(pairable) + number[of_group[..., each]]
    observed, expected = terms.observed[index] * made, terms.expected[index] * made
    return observed, expected, terms.largest


def ever_missed(bets: Bets, truth: np.ndarray | float) -> np.ndarray:
    """Of each set, whether the truth is outside after some bet."""
    truth = np.asarray(truth, dtype=float)
    k = truth[..., None] if truth.ndim else float(truth)
    return (log_wealth_above(bets, k).max(axis=-1) > LOG_OF_ENDS) | (
        log_wealth_below(bets, k).max(axis=-1) > LOG_OF_ENDS
    )


def ends_after(bets: Bets, bounds: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The ends after all bets, by halving."""
    ends = []
    for log_wealth, inner in ((log_wealth_above, bounds[1]), (log_wealth_below, bounds[0])):
        outer = np.full(len(bets.observed), bounds[0] + bounds[1] - inner)
        start, inner = outer.copy(), np.full(len(outer), inner)

        def ruled_out(k: np.ndarray, log_wealth=log_wealth) -> np.ndarray:
            return log_wealth(bets, k[:, None]).max(axis=-1) >= LOG_OF_ENDS

        some, whole = ruled_out(start), ruled_out(inner)
        for _ in range(45):
            middle = (outer + inner) / 2
            out = ruled_out(middle)
            outer, inner = np.where(out, middle, outer), np.where(out, inner, middle)
        ends.append(np.where(some, outer, start))
        ends[-1] = np.where(whole, inner, ends[-1])
    return ends[0], ends[1]


class Looked(NamedTuple):
    """Figures at looks: arrays (set, look)."""

    items: np.ndarray  # (look,)
    estimate: np.ndarray
    error: np.ndarray
    number: np.ndarray  # items with a pair of ratings

    def sequence(self, law: Law, of: float = math.inf) -> tuple[np.ndarray, np.ndarray]:
        bounds = law.request.bounds.lower, law.request.bounds.highest
        return ends_by_influence(self.estimate, self.error, self.number, ALPHA, bounds, self.items / of)

    def reaching(self, times: float | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """An interval of so many standard errors."""
        return self.estimate - times * self.error, self.estimate + times * self.error


def looks_of(law: Law, places: np.ndarray, every: int = A_LOOK) -> Looked:
    """What is known after every so many items."""
    sets, items = places.shape
    looks = np.arange(every, items + 1, every)
    estimates, errors = [], []
    block = max(1, int(2e7 // (len(looks) * law.kinds)))
    for start in range(0, sets, block):
        here = places[start : start + block, : looks[-1]]
        rows = np.repeat(np.arange(len(here)), here.shape[1])
        look = np.tile(np.arange(here.shape[1]) // every, len(here))
        cells = (rows * len(looks) + look) * law.kinds + here.reshape(-1)
        shape = len(here), len(looks), law.kinds
        counts = np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
        weights = np.cumsum(counts, axis=1, dtype=float).reshape(-1, law.kinds)
        estimate, error = law.figures(weights)
        estimates.append(estimate.reshape(shape[:2]))
        errors.append(error.reshape(shape[:2]))
    number = np.cumsum(law.pairable[places], axis=1)[:, looks - 1].astype(float)
    return Looked(looks, np.concatenate(estimates), np.concatenate(errors), number)


def outside(ends: tuple[np.ndarray, np.ndarray], truth: np.ndarray | float) -> np.ndarray:
    """Where the truth is beyond the ends; where there are none it is not."""
    return (truth < ends[0] - 1e-12) | (truth > ends[1] + 1e-12)


def planned(looks: int = 4) -> np.ndarray:
    """How many standard errors the intervals of planned looks reach."""
    return iaa.plan.looks(looks)["reach"].values


def first(reached: np.ndarray, items: np.ndarray) -> np.ndarray:
    """The items at which it is first so; infinitely many where it never is."""
    items = np.broadcast_to(items, reached.shape)
    return np.where(
        reached.any(axis=1), items[np.arange(len(reached)), reached.argmax(axis=1)], np.inf
    )
