"""That `iaa_jax.watch` does the same, and what comes of what is not known beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import iaa_jax as iaa
from iaa_jax.analyses.watch.arrivals import chances
from iaa_jax.analyses.watch.terms import usual_factor
from iaa_jax.kernels.betting import Bets, bets_on, log_wealth_above, log_wealth_below
from watch_study.batch import (
    A_LOOK,
    ALPHA,
    LOG_OF_ENDS,
    Z,
    ends_after,
    ever_missed,
    first,
    groups_of,
)
from watch_study.cells import CELLS, rare_with_many
from watch_study.laws import Law, alike, knowing, of_kinds
from watch_study.parts import ITEMS, Row, bounds_of

PUBLIC_SETS = 50
PUBLIC = (
    *("2 people, .2", "3 people, .05", "gaps at random", "five steps, ordinal", "numbers"),
    *("own margins, Cohen", "own margins, Conger", "gaps, Brennan-Prediger"),
)


def public(only: str, _: int, seed: int) -> Iterator[Row]:
    """Part 7: `iaa_jax.watch` on 50 sets, at the order of items that it decides itself."""
    for at, name in enumerate(PUBLIC):
        if only not in name:
            continue
        law, rng = CELLS[name](), np.random.default_rng([seed, 7, at])
        bar, apart = law.truth - 0.05, dict.fromkeys(("ends", "e_values", "one_look"), 0.0)
        for _set in range(PUBLIC_SETS):
            places = law.drawn(rng, (ITEMS,))
            day = np.arange(ITEMS) // A_LOOK
            ratings = law.ratings(law.item[places]).assign_coords(day=("item", day))
            result = iaa.watch(
                ratings, law.coefficient, order="day", bar=bar, bounds=law.bounds, **law.options
            )
            assert result.attrs["method"] == "betting"
            number = {str(item): where for where, item in enumerate(ratings.item.values.tolist())}
            of_names = chances(ratings.item.values.tolist())
            order = np.array([number[str(item)] for item in result.item.values.tolist()])
            here = result["items"].values
            for figure, values in ours(
                law, places[order][None], of_names[order], here, bar
            ).items():
                theirs = result[figure].values
                kind = next((kind for kind in apart if figure.startswith(kind[:3])), "ends")
                # evidence can be any number: by its logarithm
                both = (np.log(values), np.log(theirs)) if kind == "e_values" else (values, theirs)
                apart[kind] = max(apart[kind], float(np.nanmax(np.abs(both[0] - both[1]))))
        yield "public", name, {"sets": PUBLIC_SETS, **apart}


def ours(
    law: Law, places: np.ndarray, chance: np.ndarray, here: np.ndarray, bar: float
) -> dict[str, np.ndarray]:
    """What the study has of one set, when so many items had come."""
    groups, bounds = groups_of(law, places, chance[None]), bounds_of(law)
    come = [int(np.sum((groups.items[0] > 0) & (groups.items[0] <= items))) for items in here]
    ends = [ends_after(Bets(*(each[:, :n] for each in groups.bets)), bounds) for n in come]
    low, high = (np.array([float(end[side][0]) for end in ends]) for side in (0, 1))
    counts = np.array([np.bincount(places[0, :n], minlength=law.kinds) for n in here], dtype=float)
    estimate, error = law.figures(counts)
    at = np.array(come) - 1
    return {
        "ci_low": low,
        "ci_high": high,
        "e_value": np.exp(log_wealth_above(groups.bets, bar)[0, at]),
        "e_value_below": np.exp(log_wealth_below(groups.bets, bar)[0, at]),
        "one_look_ci_low": np.fmax(estimate - Z * error, bounds[0]),
        "one_look_ci_high": np.fmin(estimate + Z * error, bounds[1]),
    }


def beforehand(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 8: the most ratings of an item and the labels are taken from what has come.

    As a person sees it who gives what has come, look by look; and who gives it all once at the end.
    """
    rng = np.random.default_rng([seed, 8])
    laws = {
        "1 in 500 with 100 ratings": with_many(100, 0.002),
        "1 in 200 with 40 ratings": rare_with_many(),
        "1 in 200 with 12 ratings": with_many(12),
        "45 in 100 with 3 ratings": with_many(3, 0.45),
        "gaps at random": CELLS["gaps at random"](),
        "gaps by difficulty": CELLS["gaps by difficulty"](),
        "five steps, skewed, gaps, ordinal": CELLS["five steps, skewed, gaps, ordinal"](),
    }
    for name, law in laws.items():
        for items in (300, ITEMS):
            if only not in f"{name}, {items} items":
                continue
            places = law.drawn(rng, (sets, items))
            chance = rng.random(places.shape)
            many = law.drawn(rng, (100_000,))
            unit = usual_factor(law.ratings_of[many[law.pairable[many]]], law.size)
            known = groups_of(law, places, chance, unit).bets
            as_it_comes, at_the_end = taken_as_seen(law, places, chance)
            figures = {
                "as_it_comes": as_it_comes.mean(),
                "at_the_end": at_the_end.mean(),
                "known": ever_missed(known, law.truth).mean(),
            }
            yield "beforehand", f"{name}, {items} items", figures
    law, name = of_three(), "Brennan-Prediger, a label of .005 that nobody declared, 1000 items"
    if only in name:
        places = law.drawn(rng, (sets, ITEMS))
        rare = np.array([(pattern == 2).any() for pattern in law.patterns[law.item]])[places]
        begins = np.where(rare.any(axis=1), rare.argmax(axis=1), ITEMS)
        known = groups_of(law, places, places).bets
        # chance agreement of two labels is 1 / 2; bets after the third is seen are on nothing
        before = np.arange(ITEMS) < begins[:, None]
        expected = known.expected * before * (1 / 2) / (2 / 3)
        most = known.most_observed, known.most_expected
        early = ever_missed(bets_on(known.observed * before, expected, *most, ALPHA), law.truth)
        late = ever_missed(known, law.truth)
        figures = {"as_it_comes": early | late, "at_the_end": late, "known": late}
        yield "beforehand", name, {way: missed.mean() for way, missed in figures.items()}


def taken_as_seen(
    law: Law, places: np.ndarray, chance: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Whether the truth is ever outside, the unit and the most ratings being those that came."""
    looks = np.arange(A_LOOK, places.shape[1] + 1, A_LOOK)
    factor = np.where(law.pairable[places], law.ratings_of[places], 0.0)
    number = np.cumsum(factor > 0, axis=1)[:, looks - 1]
    values = np.unique(law.ratings_of[law.pairable])
    score = np.empty((len(values), len(places), len(looks)))
    for at, value in enumerate(values):
        taken = np.cumsum(np.minimum(factor / value, 1.0), axis=1)[:, looks - 1] / number
        seen = np.cumsum(factor == value, axis=1)[:, looks - 1] > 0
        score[at] = np.where(seen, taken * value ** (law.size / 4), -np.inf)
    unit = values[score.argmax(axis=0)]
    most = np.maximum.accumulate(factor, axis=1)[:, looks - 1]
    ever, last = np.zeros(len(places), dtype=bool), np.zeros(len(places), dtype=bool)
    for one, largest in {*zip(unit.flat, most.flat, strict=True)}:
        holds = (unit == one) & (most == largest)
        rows = np.flatnonzero(holds.any(axis=1))
        groups = groups_of(law, places[rows], chance[rows], one, largest)
        with np.errstate(invalid="ignore"):  # where an item has more ratings, it does not hold
            missed = [
                log_wealth(groups.bets, law.truth) > LOG_OF_ENDS
                for log_wealth in (log_wealth_above, log_wealth_below)
            ]
        out = holds[rows] & (first(missed[0] | missed[1], groups.items)[:, None] <= looks)
        ever[rows] |= out.any(axis=1)
        last[rows] |= out[:, -1]
    return ever, last


def with_many(ratings: int, share: float = 0.005) -> Law:
    """Two ratings that agree, but of some items more that agree on nothing."""
    usual = [((1 - share) / 2, 2, (0.97, 0.03)), ((1 - share) / 2, 2, (0.03, 0.97))]
    return alike([*usual, (share, ratings, (0.5, 0.5))])


def of_three() -> Law:
    """Three labels, of which one is rare."""
    kinds = knowing((0.7, 0.295, 0.005), 0.8, 2)
    return of_kinds(kinds, 3, coefficient="brennan_prediger")
