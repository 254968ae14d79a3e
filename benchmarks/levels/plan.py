"""How often a pilot can tell: by its half-width, and by its interval of items.

What plans promise beside is measured on fresh samples (``plans.py``).

Pilots of few labels are tables of few patterns: alpha and the variance of an item are worked out on
these for all draws at once, and what follows from them by the package. Some pilots of each cell go
the whole way through `iaa.plan`, and the last column compares.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import combinations_with_replacement
from math import factorial, inf, prod, sqrt
from types import SimpleNamespace

import numpy as np
import xarray as xr
from scipy.special import comb, stdtrit

import iaa_jax as iaa
from iaa_jax.analyses.plan.error_model import ErrorModel
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import quantiles
from iaa_jax.analyses.plan.pilot_adequacy import LEAST_DEGREES, MOST, adequacy_of
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.analyses.plan.thinning import SIZES
from iaa_jax.analyses.plan.variance import fit_components
from levels import Outcomes, main

Z = 1.959964
NEAR = 0.2
"""Share of the target by which the true half-width of the planned items may differ."""

DRAWS = 500
LARGE = 1e7
COMPARED = 0.02
"""Share of the pilots that go through `iaa.plan` as well."""


@dataclass(frozen=True)
class World:
    """Items of which annotators see the label with one chance, and else guess by prevalence.

    ``spread`` is that of the chances of annotators, ``alike`` the chance that an item takes the
    label that leads in its document.
    """

    prevalence: Sequence[float]
    alpha: float
    annotators: int = 3
    items: int = 60
    documents: int = 0
    alike: float = 0.0
    spread: float = 0.0

    def labels(self, rng: np.random.Generator, items: int, documents: int = 0) -> np.ndarray:
        """Ratings (item, annotator) of items drawn anew, and of annotators if these differ."""
        prevalence = np.asarray(self.prevalence)
        number = len(prevalence)
        truth = rng.choice(number, items, p=prevalence)
        if documents:
            document = np.arange(items) * documents // items
            leads = rng.choice(number, documents, p=prevalence)[document]
            truth = np.where(rng.random(items) < self.alike, leads, truth)
        skill = sqrt(self.alpha) + self.spread * rng.uniform(-1, 1, self.annotators)
        guess = rng.choice(number, (items, self.annotators), p=prevalence)
        return np.where(rng.random(guess.shape) < skill, truth[:, None], guess)

    def ratings(self, rows: np.ndarray) -> xr.Dataset:
        """A pilot as the package takes it."""
        ratings = iaa.from_wide(rows, labels=list(range(len(self.prevalence))))
        if self.documents:
            document = np.arange(self.items) * self.documents // self.items
            ratings = ratings.assign_coords(document=("item", document))
        return ratings

    @property
    def documents_of_items(self) -> np.ndarray:
        return np.arange(self.items) * self.documents // self.items

    @cached_property
    def patterns(self) -> np.ndarray:
        """How often each label is given (pattern, label)."""
        labels = len(self.prevalence)
        rows = combinations_with_replacement(range(labels), self.annotators)
        return np.array([np.bincount(row, minlength=labels) for row in rows])

    def pattern_of(self, rows: np.ndarray) -> np.ndarray:
        """The place of each item's pattern."""
        number = np.arange(len(self.prevalence))
        digits = (rows.shape[1] + 1) ** number
        codes = self.patterns @ digits
        order = codes.argsort()
        counts = (rows[:, :, None] == number).sum(axis=1)
        return order[codes[order].searchsorted(counts @ digits)]

    @cached_property
    def true_variance(self) -> float:
        """V of an item, from the chance of each pattern; else from many data sets."""
        if self.spread:
            return by_annotators(self)[0]
        if self.documents:
            rng, size = np.random.default_rng(1), self.items // self.documents
            rows = (self.labels(rng, 60 * size, 60) for _ in range(10_000))
            tables = np.array([self.table(self.pattern_of(each)) for each in rows])
            return float(60 * size * np.var(alpha_and_influences(self.patterns, tables)[0]))
        prevalence, seen = np.asarray(self.prevalence), sqrt(self.alpha)
        ways = [factorial(self.annotators) / prod(map(factorial, row)) for row in self.patterns]
        chance = np.zeros(len(self.patterns))
        for label, share in enumerate(prevalence):
            given = (1 - seen) * prevalence + seen * (np.arange(len(prevalence)) == label)
            chance += share * np.array(ways) * (given**self.patterns).prod(axis=1)
        return float(variances(self.patterns, LARGE * chance[None, :])[1][0])

    def table(self, pattern: np.ndarray) -> np.ndarray:
        """How many items have each pattern."""
        return np.bincount(pattern, minlength=len(self.patterns))


def alpha_and_influences(patterns: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nominal alpha of tables (row, pattern), and the centred derivatives by their counts."""
    counts = tables.astype(float)
    size, items = patterns[0].sum(), counts.sum(axis=1, keepdims=True)
    differ = 1 - (patterns * (patterns - 1)).sum(axis=1) / (size * (size - 1))
    observed = (counts @ differ)[:, None] / items
    labels = counts @ patterns
    total, squares = items * size, (labels**2).sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        pairs, apart = total * (total - 1), total**2 - squares
        expected = apart / pairs
        by_apart = 2 * total * size - 2 * labels @ patterns.T
        by_expected = (by_apart - expected * (2 * total - 1) * size) / pairs
        by_observed = (differ - observed) / items
        gradient = -(by_observed - observed / expected * by_expected) / expected
        influences = gradient - (counts * gradient).sum(axis=1, keepdims=True) / items
        return (1 - observed / expected)[:, 0], np.where(counts > 0, influences, 0.0)


def variances(patterns: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Alpha and V of items that are drawn one by one."""
    alpha, influences = alpha_and_influences(patterns, tables)
    items = tables.sum(axis=1)
    return alpha, items**2 / (items - 1) * (tables * influences**2).sum(axis=1)


def clustered(
    patterns: np.ndarray, units: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Alpha and V of weights (row, document) of documents (document, pattern)."""
    tables = weights @ units
    alpha, influences = alpha_and_influences(patterns, tables)
    totals, number = influences @ units.T, weights.sum(axis=1)
    squares = (weights * totals**2).sum(axis=1)
    return alpha, tables.sum(axis=1) * number / (number - 1) * squares


def plan_by_tables(world: World, half_width: float, rng: np.random.Generator) -> Outcomes:
    """A plan from one pilot, for a half-width, by the pilot's own figures."""
    rows, v = world.labels(rng, world.items, world.documents), world.true_variance
    pattern, patterns = world.pattern_of(rows), world.patterns
    if world.documents:
        units = np.array(
            [world.table(pattern[world.documents_of_items == k]) for k in range(world.documents)]
        )
        every = np.ones((1, world.documents))
        drawn = rng.multinomial(world.documents, every[0] / world.documents, size=DRAWS)
        (estimate,), (pilot,) = clustered(patterns, units, every)
        replicates = clustered(patterns, units, drawn.astype(float))[1]
    else:
        table = world.table(pattern)
        (estimate,), (pilot,) = variances(patterns, table[None, :])
        drawn = rng.multinomial(world.items, table / world.items, size=DRAWS)
        replicates = variances(patterns, drawn)[1]
    if not pilot > 1e-12:
        return {"refused": True}
    defined = np.isfinite(replicates) & (replicates > 1e-12)
    replicates = replicates[defined]
    replicates = replicates * pilot / np.exp(np.log(replicates).mean())
    clusters = SimpleNamespace(number=float(world.documents)) if world.documents else None
    chance = ErrorModel(world.items, world.annotators, clusters=clusters)
    if world.spread:
        chance = replace(chance, **of_annotators(world, rows, float(pilot)))
    goal = Goal(half_width, None, 0.8, 0.95)
    spread = SimpleNamespace(telling=1.0)
    figures = {"estimate": estimate, "variance": pilot, "items": world.items, "spread": spread}
    projection = Projection(
        SimpleNamespace(**figures, ratings=world.annotators), None, goal, chance
    )
    seed = int(rng.integers(1 << 30)) if world.spread else 0
    drawn_w = chance.draw_annotators(len(replicates), seed)
    items = projection.items_needed(world.annotators)
    needed = projection.items_for(world.annotators, replicates, estimate, drawn_w)
    ends = quantiles(np.where(np.isnan(needed), inf, needed), 0.95)
    doubt = adequacy_of(
        projection, SimpleNamespace(variance=replicates, annotator_variance=drawn_w)
    )
    told = not (doubt.spread > MOST or doubt.degrees < LEAST_DEGREES)

    def reach(items: float) -> float:
        """Of an interval with the true standard error."""
        of_items, w, inverse = v / items, 0.0, 0.0
        if world.documents:
            inverse = 1 / max(items / world.items * world.documents - 1, 1)
        if world.spread:
            w = by_annotators(world)[1]
            inverse = (w / (of_items + w)) ** 2 / (world.annotators - 1)
        return (float(stdtrit(1 / inverse, 0.975)) if inverse else Z) * sqrt(of_items + w)

    outcomes = of_width(told, items, ends, reach, half_width)
    if rng.random() < COMPARED:
        sampling = iaa.Sampling(
            "document" if world.documents else None, "random" if world.spread else None
        )
        found = iaa.plan(
            world.ratings(rows), half_width=half_width, sampling=sampling, simulations=0
        )
        same = told == (found.attrs["conclusion"] != "pilot_too_small")
        theirs = float(found.needed_items)
        near = not told or abs(theirs - items) <= 1 or (np.isnan(theirs) and np.isnan(items))
        outcomes["as iaa.plan"] = bool(same and near)
    return outcomes


def of_width(
    told: bool,
    items: float,
    ends: tuple[float, float],
    reach: Callable[[float], float],
    half_width: float,
) -> dict[str, bool | None]:
    """What a plan for a half-width was worth, given how far so many items truly reach."""
    near = items > 0 and abs(reach(items) / half_width - 1) <= NEAR
    needed = fewest(reach, half_width)
    return {
        "refused": False,
        "cannot tell": not told,
        "near, of those told": near if told else None,
        "told and not near": told and not near,
        "near, told or not": near,
        "interval holds": ends[0] <= needed <= ends[1],
    }


def fewest(reach: Callable[[float], float], half_width: float) -> float:
    """The fewest items whose interval reaches no further."""
    sizes = range(2, 1 << 20)
    return float(sizes[bisect_left(sizes, True, key=lambda items: reach(items) <= half_width)])


def of_annotators(world: World, rows: np.ndarray, variance: float) -> dict[str, float]:
    """What leaving one annotator out at a time shows, and what of it is on single items."""
    number = world.annotators
    left = of_size(world, number - 1)
    pairs = (np.delete(rows, one, axis=1) for one in range(number))
    tables = np.array([left.table(left.pattern_of(each)) for each in pairs])
    alphas = alpha_and_influences(left.patterns, tables)[0]
    sizes = [size for size in SIZES if size < number] + [number]
    table = world.table(world.pattern_of(rows))
    by_size = [
        variances(of_size(world, size).patterns, (table @ subsets(world, size))[None, :])[1][0]
        for size in sizes
    ]
    fit = fit_components(sizes, np.array(by_size))
    between = fit.fitted[0] * variance / float(fit.variance(number))
    return {
        "annotators": float(number),
        "left_out": (number - 1) / number * float(((alphas - alphas.mean()) ** 2).sum()),
        "on_items": (variance - float(between)) / world.items,
    }


@cache
def of_size(world: World, annotators: int) -> World:
    return replace(world, annotators=annotators)


@cache
def subsets(world: World, size: int) -> np.ndarray:
    """How likely each pattern of so many ratings is among those of each pattern."""
    chosen = of_size(world, size).patterns
    ways = comb(world.patterns[:, None, :], chosen[None, :, :]).prod(axis=2)
    return ways / comb(world.annotators, size)


@cache
def by_annotators(world: World, sets: int = 2000) -> tuple[float, float]:
    """The variance of an item, and that of annotators drawn anew, from data sets of two sizes."""
    rng, found = np.random.default_rng(1), {}
    for items in (100, 2000):
        tables = [world.table(world.pattern_of(world.labels(rng, items))) for _ in range(sets)]
        found[items] = np.var(alpha_and_influences(world.patterns, np.array(tables))[0])
    v = (found[100] - found[2000]) / (1 / 100 - 1 / 2000)
    return float(v), float(found[2000] - v / 2000)


TWO, HALVES = (0.8, 0.2), (0.5, 0.5)
ALONE = {
    ".8/.2": World(TWO, 0.6),
    ".8/.2, alpha .4": World(TWO, 0.4),
    ".8/.2, alpha .8": World(TWO, 0.8),
    ".8/.2, two annotators": World(TWO, 0.6, annotators=2),
    ".5/.5": World(HALVES, 0.6),
    ".5/.5, two annotators": World(HALVES, 0.6, annotators=2),
    ".5/.3/.2": World((0.5, 0.3, 0.2), 0.6),
    ".88/.12": World((0.88, 0.12), 0.6),
    ".93/.07": World((0.93, 0.07), 0.6),
    ".93/.07, two annotators": World((0.93, 0.07), 0.6, annotators=2),
    ".93/.07, 180 items": World((0.93, 0.07), 0.6, items=180),
}
DOCUMENTS = {
    f".5/.5, {number} documents of 5, +- .1": World(
        HALVES, 0.6, items=5 * number, documents=number, alike=0.5
    )
    for number in (12, 24, 40)
}
CELLS = {
    **{name: partial(plan_by_tables, world, 0.05) for name, world in ALONE.items()},
    **{name: partial(plan_by_tables, world, 0.1) for name, world in DOCUMENTS.items()},
    ".5/.5, 5 annotators drawn, +- .2": partial(
        plan_by_tables, World(HALVES, 0.6, annotators=5, spread=0.15), 0.2
    ),
    ".5/.5, 25 annotators drawn, +- .1": partial(
        plan_by_tables, World(HALVES, 0.6, annotators=25, spread=0.15), 0.1
    ),
}

if __name__ == "__main__":
    about = "Plans from pilots of 60 items: three annotators, alpha .6 and +- .05 unless said"
    main("plan", about, CELLS)
