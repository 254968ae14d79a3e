"""Items in another order, agreement that falls, and figures of so many items in all."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import iaa_jax as iaa
from iaa_jax.analyses.watch.sequence import ends_by_betting, fallen_by_betting, left_open
from iaa_jax.analyses.watch.terms import Terms
from iaa_jax.kernels.betting import Bets
from iaa_jax.kernels.independent import LargestTerms
from watch_study.batch import A_LOOK, ALPHA, Z, first, groups_of, looks_of, outside, ruled_out
from watch_study.cells import CELLS, gaps_by_difficulty
from watch_study.laws import Law, knowing, of_kinds
from watch_study.parts import ITEMS, TOGETHER, Row


def orders(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 4: items that do not come in random order."""
    mixed = [*knowing((0.6, 0.4), 0.3, share=0.3), *knowing((0.6, 0.4), 0.95, share=0.7)]
    topics = [*knowing((0.98, 0.02), 0.8, share=0.5), *knowing((0.5, 0.5), 0.8, share=0.5)]
    cases = {
        "hard items first": of_kinds(mixed, 2),
        "hard items first, percent": of_kinds(mixed, 2, coefficient="percent_agreement"),
        "hard items last, with more ratings": gaps_by_difficulty(),
        "a topic with a rare label first": of_kinds(topics, 2),
    }
    for at, (name, law) in enumerate(cases.items()):
        if only not in name:
            continue
        rng = np.random.default_rng([seed, 4, at])
        shape, share = (sets, ITEMS), law.by_kind.sum(axis=1)
        begins = rng.random(shape) < share[:2].sum()
        shuffled = np.where(begins, law.drawn(rng, shape, [0, 1]), law.drawn(rng, shape, [2, 3]))
        order = np.argsort(~begins, axis=1, kind="stable")
        figures = {"truth": law.truth}
        for way, places in (
            ("as_they_stand", np.take_along_axis(shuffled, order, axis=1)),
            ("shuffled", shuffled),
        ):
            bets = groups_of(law, places, rng.random(shape)).bets
            figures[way] = ruled_out(bets, law.truth).any(axis=1).mean()
        yield "order", name, figures


CONCLUSIONS = ("moved", "fallen", "above", "below", "open")


def days(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 4 too: what `iaa_jax.watch` concludes of 20 unlike days of 40 items, in 100 sets."""
    topics, steady = [(0.95, 0.5625), (0.03, 0.5625)] * 10, [(0.5, 0.775)] * 20
    falling = [(0.5, alpha) for alpha in np.linspace(0.95, 0.6, 20).tolist()]
    cases = {
        f"{what}, bar {bar}": (of_days, bar)
        for what, of_days, bars in (
            ("a topic a day", topics, (0.667, 0.95)),
            ("from .95 to .6", falling, (0.667, 0.8, 0.9)),
            ("always .775", steady, (0.667, 0.8)),
        )
        for bar in bars
    }
    for name, (of_days, bar) in cases.items():
        if only not in name:
            continue
        law, rng = changing(*of_days), np.random.default_rng([seed, 9])
        said, above, day = [], [], np.repeat(np.arange(20), 40)
        for _set in range(min(sets, 100)):
            parts = [law.drawn(rng, (40,), [2 * each, 2 * each + 1]) for each in range(20)]
            ratings = law.ratings(law.item[np.concatenate(parts)])
            result = iaa.watch(ratings.assign_coords(day=("item", day)), order="day", bar=bar)
            said.append(result.attrs["conclusion"])
            above.append(float(result.estimate[-1]) < bar <= float(result.ci_low[-1]))
        figures = {each: np.mean([one == each for one in said]) for each in CONCLUSIONS}
        figures |= {"sets": len(said), "truth": law.truth, "beyond": np.mean(above)}
        yield "days", name, figures


def changing(*parts: tuple[float, float]) -> Law:
    """Prevalence and alpha of each part of the items."""
    kinds = [
        knowing((1 - rare, rare), math.sqrt(alpha), share=1 / len(parts)) for rare, alpha in parts
    ]
    return of_kinds([kind for part in kinds for kind in part], 2)


def falls(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 5: the alarm that the coefficient has fallen below the bar after 500 items."""
    cases = {
        "at the bar": ((0.5, 0.65), (0.5, 0.65)),
        "at the bar, label of .05": ((0.05, 0.65), (0.05, 0.65)),
        "from .8 to the bar": ((0.5, 0.8), (0.5, 0.65)),
        "at the bar, label of .5, then .1": ((0.5, 0.65), (0.1, 0.65)),
        "from .8 to .58": ((0.5, 0.8), (0.5, 0.58)),
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
        ways = {"each": np.arange(2, half + late + 1, 2)} if not falling else {}
        ways["looks"] = np.arange(A_LOOK, half + late + 1, A_LOOK)
        found: dict[str, list[np.ndarray]] = {way: [] for way in ways}
        for start in range(0, sets, TOGETHER):
            rows = min(TOGETHER, sets - start)
            parts = ((half, [0, 1]), (late, [2, 3]))
            places = np.concatenate(
                [law.drawn(rng, (rows, n), kinds) for n, kinds in parts], axis=1
            )
            bets = groups_of(law, places, rng.random(places.shape)).bets
            for way, items in ways.items():
                alarm = [fallen(bets, row, items // 2, 0.65) >= 2 / ALPHA for row in range(rows)]
                found[way].append(first(np.array(alarm), items))
        alarms = {way: np.concatenate(each) for way, each in found.items()}
        figures = {f"alarms_{way}": np.mean(items <= ITEMS) for way, items in alarms.items()}
        if falling:
            figures["alarms_late"] = np.isfinite(alarms["looks"]).mean()
            figures["delay"] = np.median(alarms["looks"]) - half
        yield "fall", name, figures


def fallen(bets: Bets, row: int, ends: np.ndarray, bar: float) -> np.ndarray:
    """The evidence of a fall of one set, at looks after so many groups."""
    observed, expected, _, *largest = (each[row] for each in bets)
    terms = Terms(observed, expected, LargestTerms(*(each[0] for each in largest)), ends)
    return fallen_by_betting(terms, ends, ALPHA, bar)[0]


def whole(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 6: the figure of so many items in all, all of which come."""
    rare = of_kinds(knowing((0.99, 0.01), 0.8), 2, coefficient="percent_agreement")
    exact = {
        "percent, label of .01": rare,
        "percent, gaps by difficulty": gaps_by_difficulty("percent_agreement"),
        "Brennan-Prediger, gaps": CELLS["gaps, Brennan-Prediger"](),
    }
    by_influence = {
        f"alpha: {name}": CELLS[name]()
        for name in ("3 people, .2", "3 people, .05", "6 people, .01", "gaps by difficulty")
    }
    laws = exact | by_influence
    for at, (name, items) in enumerate((name, items) for name in laws for items in (200, 1000)):
        if only not in f"{name}, {items}":
            continue
        law, rng = laws[name], np.random.default_rng([seed, 6, at])
        places = law.drawn(rng, (sets, items))
        looked = looks_of(law, places)
        looks = [items // 2 // A_LOOK - 1, -1]
        if name in exact:
            ends = of_all(law, places, looked.items[looks])
        else:
            ends = tuple(end[:, looks] for end in looked.sequence(law, items))
        # they lie within each other, so that the last tell whether any did
        missed = outside(ends, looked.estimate[:, -1:]).any(axis=1)
        width = np.nanmean((ends[1] - ends[0])[:, 0])
        alone = np.nanmean(looked.error[:, looks[0]]) * math.sqrt(
            1 - looked.items[looks[0]] / items
        )
        figures = {"missed": missed.mean(), "width_half": width / (2 * Z * alone)}
        yield "whole", f"{name}, {items}", figures


def of_all(law: Law, places: np.ndarray, looks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ends for the figure of all items of each set, at looks, by betting."""
    items = places.shape[1]
    terms = law.terms(places.reshape(-1, 1), every_item=True)
    observed, expected = (each.reshape(places.shape) for each in (terms.observed, terms.expected))
    found = []
    for row in zip(observed, expected, strict=True):
        of_set = Terms(*row, terms.largest, looks)
        ends = ends_by_betting(of_set.bets(ALPHA, items), looks, ALPHA, law.bounds_of_figure)
        found.append(left_open(of_set, looks, items, ends))
    low, high = np.array(found).transpose(1, 0, 2)
    return low, high
