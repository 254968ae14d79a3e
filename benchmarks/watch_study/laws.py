"""Laws that items are drawn from, as patterns of ratings with the chance of each.

An item is of some kind (its label, its difficulty), and given this annotators rate on their own.
All patterns are listed, so that the figure of infinitely many items is that of the chances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.watch.arrivals import Arrivals
from iaa_jax.analyses.watch.terms import Terms, WatchedItems
from iaa_jax.engine import Prepared
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient, patterns_of_items

MANY = 1e12
"""Items that stand for infinitely many."""


class Kind(NamedTuple):
    """Items of a kind: their share, what each annotator says, and how often he or she does."""

    share: float
    said: np.ndarray  # (annotator, label)
    rated: np.ndarray  # (annotator,)


class Law:
    """Patterns of ratings, their chances by kind of item, and the coefficient that is watched."""

    def __init__(
        self,
        patterns: np.ndarray,
        chances: np.ndarray,
        coefficient: str = "krippendorff_alpha",
        options: Mapping[str, object] | None = None,
        numbers: Sequence[float] | None = None,
        bounds: tuple[float, float] | None = None,
        labels: int = 0,
    ) -> None:
        assert abs(chances.sum() - 1) < 1e-9, chances.sum()
        self.patterns, self.coefficient, self.bounds = patterns, coefficient, bounds
        self.options, self.numbers, self.labels = dict(options or {}), numbers, labels
        self.request = one_coefficient(
            Resolver(self.rated, LabelOptions(**self.options)), coefficient
        )
        problem = self.request.problem
        self.place = patterns_of_items(self.rated, problem.measure)
        self.kinds = len(problem.table.count)
        _, self.item = np.unique(self.place, return_index=True)
        of_place = np.zeros((self.kinds, len(self.place)))
        of_place[self.place, np.arange(len(self.place))] = 1.0
        self.by_kind = chances @ of_place.T  # (kind of item, place)
        self.share = self.by_kind.sum(axis=0)
        self.pairable = (patterns[self.item] >= 0).sum(axis=1) >= 2
        self.rows = GradientRows(Prepared([problem]), 1000)

    @cached_property
    def rated(self) -> Rated:
        return Rated.of(self.ratings(np.arange(len(self.patterns))))

    def ratings(self, items: np.ndarray) -> xr.Dataset:
        """A data set of items by their patterns."""
        codes = self.patterns[items]
        if self.numbers is not None:
            return iaa.from_values(np.where(codes < 0, np.nan, np.asarray(self.numbers)[codes]))
        rows = np.where(codes < 0, None, codes.astype(object)).tolist()
        return iaa.from_wide(rows, labels=list(range(self.labels)))

    @cached_property
    def watched(self) -> WatchedItems:
        """The places; all are taken, as who draws sets leaves out by chance what is left out."""
        panel = (self.patterns[self.item] >= 0).sum(axis=1)
        come = Arrivals(self.item, np.array([len(panel)]), np.array(["1"]), panel)
        watched = WatchedItems.of(self.rated, self.request, come)
        assert watched is not None
        assert not watched.why_not_exact(self.bounds, clusters=False)
        problem = watched.problem
        independent = replace(watched.independent, factor=None)
        kernel = replace(problem.kernel, independent=independent)
        measure = replace(problem.measure, kernel=kernel)
        return watched._replace(problem=replace(problem, measure=measure))

    @property
    def bounds_of_figure(self) -> tuple[float, float]:
        return self.request.bounds.lower, self.request.bounds.highest

    @property
    def size(self) -> int:
        return self.watched.independent.size

    def drawn(
        self, rng: np.random.Generator, shape: tuple[int, ...], kinds: Sequence[int] | None = None
    ) -> np.ndarray:
        """Places of items, of all kinds or of some."""
        share = self.share if kinds is None else self.by_kind[kinds].sum(axis=0)
        edges = np.cumsum(share / share.sum())[:-1]
        return np.searchsorted(edges, rng.random(shape), side="right")

    def figures(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Estimates and standard errors at rows of weights (row, place)."""
        estimates, errors = [], []
        for start in range(0, len(weights), 4096):
            block = weights[start : start + 4096]
            found = self.rows(block)
            estimates.append(found.estimate)
            squares, items = (block * found.centred(block) ** 2).sum(axis=1), block.sum(axis=1)
            errors.append(np.sqrt(squares * items / np.where(items > 1, items - 1, np.nan)))
        return np.concatenate(estimates), np.concatenate(errors)

    @cached_property
    def truth(self) -> float:
        return float(self.figures(MANY * self.share[None])[0][0])

    @cached_property
    def variance(self) -> float:
        """That of one item's influence: the square of n times the standard error."""
        return float(MANY * self.figures(MANY * self.share[None])[1][0] ** 2)

    @cached_property
    def ratings_of(self) -> np.ndarray | None:
        """The factor that items bring to all terms, where there is one: their ratings (place,)."""
        if self.request.problem.kernel.independent.factor is None:
            return None
        return (self.patterns[self.item] >= 0).sum(axis=1).astype(float)

    def terms(self, places: np.ndarray, *, every_item: bool = False) -> Terms:
        """The terms of groups (group, item of it), all of which have pairs of ratings."""
        flat = places.reshape(-1)
        watched = self.watched._replace(
            pattern=self.watched.pattern[flat], pairable=self.pairable[flat]
        )
        ends = np.array([len(flat)])
        return watched.terms(flat, ends, self.bounds, of_sets=False, every_item=every_item)


def of_kinds(kinds: Sequence[Kind], labels: int, **call: object) -> Law:
    """A law of kinds of items whose annotators rate on their own."""
    annotators = len(kinds[0].said)
    patterns = np.array([*product(range(-1, labels), repeat=annotators)])
    chances = np.zeros((len(kinds), len(patterns)))
    for at, kind in enumerate(kinds):
        # the last column is what code -1 takes: the chance of a gap
        each = np.column_stack([kind.rated[:, None] * kind.said, 1 - kind.rated])
        chances[at] = kind.share * np.prod(each[np.arange(annotators), patterns], axis=1)
    used = chances.sum(axis=0) > 0
    return Law(patterns[used], chances[:, used], labels=labels, **call)


def knowing(
    prevalence: Sequence[float],
    know: float | Sequence[float],
    annotators: int = 3,
    rated: float | Sequence[float] = 1.0,
    leaning: np.ndarray | None = None,
    share: float = 1.0,
) -> list[Kind]:
    """An item's label is seen with a chance, else guessed by prevalence or an own leaning."""
    guess = np.asarray(prevalence if leaning is None else leaning, dtype=float)
    guess = np.broadcast_to(guess, (annotators, len(prevalence)))
    know = np.broadcast_to(np.asarray(know, dtype=float), (annotators,))
    rated = np.broadcast_to(np.asarray(rated, dtype=float), (annotators,))
    kinds = []
    for label, chance in enumerate(prevalence):
        seen = np.eye(len(prevalence))[label]
        said = know[:, None] * seen + (1 - know[:, None]) * guess
        kinds.append(Kind(share * chance, said, rated))
    return kinds
