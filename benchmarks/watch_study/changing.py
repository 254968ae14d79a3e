"""Items in another order, agreement that falls, and figures of so many items in all."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from iaa_jax.analyses.watch.sequence import evidence_by_betting, left_open
from iaa_jax.analyses.watch.terms import Terms
from iaa_jax.kernels.betting import Bets
from iaa_jax.kernels.independent import LargestTerms
from iaa_jax.kernels.intervals import Ends
from watch_study.batch import (
    A_LOOK,
    Z,
    ends_after,
    ever_missed,
    first,
    groups_of,
    looks_of,
    outside,
)
from watch_study.cells import CELLS, gaps_by_difficulty
from watch_study.laws import Law, knowing, of_kinds
from watch_study.parts import ITEMS, TOGETHER, Row, bounds_of


def in_order(law: Law, rng: np.random.Generator, sets: int, first_kinds: list[int]):
    """Items in random order, and the same with those of some kinds first."""
    share = law.by_kind.sum(axis=1)
    others = [kind for kind in range(len(share)) if kind not in first_kinds]
    begins = rng.random((sets, ITEMS)) < share[first_kinds].sum()
    shape = begins.shape
    places = np.where(begins, law.drawn(rng, shape, first_kinds), law.drawn(rng, shape, others))
    order = np.argsort(~begins, axis=1, kind="stable")
    return places, np.take_along_axis(places, order, axis=1)


def orders(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 4: items that do not come in random order."""
    hard = knowing((0.6, 0.4), 0.3, share=0.3)
    both = [*hard, *knowing((0.6, 0.4), 0.95, share=0.7)]
    topics = [
        *knowing((0.98, 0.02), 0.8, share=0.5),
        *knowing((0.5, 0.5), 0.8, share=0.5),
    ]
    percent = {"coefficient": "percent_agreement"}
    cases = {
        "hard items first": (of_kinds(both, 2), [0, 1]),
        "hard items first, percent": (of_kinds(both, 2, **percent), [0, 1]),
        "hard items last, with more ratings": (gaps_by_difficulty(), [0, 1]),
        "a topic with a rare label first": (of_kinds(topics, 2), [0, 1]),
    }
    for at, (name, (law, kinds)) in enumerate(cases.items()):
        if only in name:
            rng = np.random.default_rng([seed, 4, at])
            shuffled, stands = (
                groups_of(law, each, rng.random(each.shape)).bets
                for each in in_order(law, rng, sets, kinds)
            )
            yield (
                "order",
                name,
                {
                    "truth": law.truth,
                    "as_they_stand": ever_missed(stands, law.truth).mean(),
                    "shuffled": ever_missed(shuffled, law.truth).mean(),
                },
            )


def changing(before: tuple[float, float], after: tuple[float, float]) -> Law:
    """Prevalence and alpha before, and after."""
    halves = [
        knowing((1 - rare, rare), math.sqrt(alpha), share=0.5) for rare, alpha in (before, after)
    ]
    return of_kinds([*halves[0], *halves[1]], 2)


def falls(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 5: the alarm that the coefficient has fallen below the bar after 500 items."""
    cases = {
        "at the bar": ((0.5, 0.65), (0.5, 0.65)),
        "at the bar, label of .05": ((0.05, 0.65), (0.05, 0.65)),
        "from .8 to the bar": ((0.5, 0.8), (0.5, 0.65)),
        "at the bar, label of .5, then .1": ((0.5, 0.65), (0.1, 0.65)),
        "from .8 to .5": ((0.5, 0.8), (0.5, 0.5)),
        "from .8 to .5, label of .2": ((0.2, 0.8), (0.2, 0.5)),
        "from .8 to .5, label of .05": ((0.05, 0.8), (0.05, 0.5)),
        "from .8 to .2": ((0.5, 0.8), (0.5, 0.2)),
    }
    half = ITEMS // 2
    for at, (name, (before, after)) in enumerate(cases.items()):
        if only not in name:
            continue
        law, rng = changing(before, after), np.random.default_rng([seed, 5, at])
        falling = after[1] < 0.65
        late = 5 * half if falling else half
        found: dict[str, list[np.ndarray]] = {"each": [], "looks": []}
        for start in range(0, sets, TOGETHER):
            rows = min(TOGETHER, sets - start)
            parts = [
                law.drawn(rng, (rows, items), kinds)
                for items, kinds in ((half, [0, 1]), (late, [2, 3]))
            ]
            places = np.concatenate(parts, axis=1)
            bets = groups_of(law, places, rng.random(places.shape)).bets
            each = 2 * np.arange(1, bets.observed.shape[1] + 1)
            some = np.arange(A_LOOK, half + late + 1, A_LOOK)
            for looks, items in (("each", each), ("looks", some)):
                alarm = np.array([fallen(bets, row, items // 2, 0.65) for row in range(rows)])
                found[looks].append(first(alarm, items))
        each, looks = (np.concatenate(found[name]) for name in ("each", "looks"))
        figures = {"alarms_each": np.mean(each <= ITEMS), "alarms_looks": np.mean(looks <= ITEMS)}
        if falling:
            figures["early"] = np.mean(looks <= half)
            figures["alarms_late"] = np.isfinite(looks).mean()
            figures["delay"] = np.median(looks) - half
        yield "fall", name, figures


def fallen(bets: Bets, row: int, ends: np.ndarray, bar: float) -> np.ndarray:
    """At each look of a set whether the alarm stands."""
    of_set = Bets(*(each[row] for each in bets))
    terms = Terms(of_set.observed, of_set.expected, LargestTerms(1.0, 1.0), ends)
    return evidence_by_betting(terms, of_set, bar).fallen >= 2 / 0.05


def whole(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 6: the figure of so many items in all, all of which come."""
    exact = {
        "percent, label of .01": of_kinds(
            knowing((0.99, 0.01), 0.8), 2, coefficient="percent_agreement"
        ),
        "percent, gaps by difficulty": gaps_by_difficulty("percent_agreement"),
        "Brennan-Prediger, gaps": CELLS["gaps, Brennan-Prediger"](),
    }
    by_influence = {
        f"alpha: {name}": CELLS[name]()
        for name in ("3 people, .2", "3 people, .05", "6 people, .01", "gaps by difficulty")
    }
    for at, (name, law) in enumerate((exact | by_influence).items()):
        for items in (200, 1000):
            if only not in f"{name}, {items}":
                continue
            rng = np.random.default_rng([seed, 6, at, items])
            places = law.drawn(rng, (sets, items))
            looked = looks_of(law, places)
            truth = looked.estimate[:, -1:]
            middle = items // 2 // A_LOOK - 1
            if name in exact:
                missed, ends = of_all(law, places, truth[:, 0], looked.items)
            else:
                ends = looked.sequence(law, float(items))
                missed = outside(ends, truth).any(axis=1)
            alone = 2 * Z * looked.error[:, middle] * math.sqrt(1 - looked.items[middle] / items)
            width = np.nanmean((ends[1] - ends[0])[:, middle])
            yield (
                "whole",
                f"{name}, {items}",
                {
                    "missed": missed.mean(),
                    "width_half": width / np.nanmean(alone),
                    "width_end": np.nanmean((ends[1] - ends[0])[:, -1]),
                },
            )


def of_all(law: Law, places: np.ndarray, truth: np.ndarray, looks: np.ndarray):
    """Whether the figure of all items is ever outside, and ends at looks, by betting."""
    sets, items = places.shape
    terms = law.terms(places.reshape(-1, 1), every_item=True)
    shape = sets, items
    observed, expected = (each.reshape(shape) for each in (terms.observed, terms.expected))
    of_sets = [Terms(observed[row], expected[row], terms.largest, looks) for row in range(sets)]
    made = [each.bets(0.05, items) for each in of_sets]
    bets = Bets(*(np.stack([getattr(each, name) for each in made]) for name in Bets._fields))
    low, high = np.full((sets, len(looks)), -np.inf), np.full((sets, len(looks)), np.inf)
    for look in (items // 2 // A_LOOK - 1, len(looks) - 1):
        so_far = Bets(*(each[:, : looks[look]] for each in bets))
        low[:, look], high[:, look] = ends_after(so_far, bounds_of(law))
    for row, each in enumerate(of_sets):
        low[row], high[row] = left_open(each, items, Ends(low[row], high[row]))
    return ever_missed(bets, truth) | outside((low, high), truth[:, None]).any(axis=1), (low, high)
