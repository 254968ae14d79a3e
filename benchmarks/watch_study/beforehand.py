"""That `iaa_jax.watch` does the same, and what comes of what is not known beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import iaa_jax as iaa
from iaa_jax.analyses.watch.arrivals import chances
from iaa_jax.analyses.watch.terms import usual_factor
from iaa_jax.kernels.betting import bets_on, log_wealth_above, log_wealth_below
from watch_study.batch import A_LOOK, ALPHA, Z, ends_after, first, groups_of, ruled_out
from watch_study.cells import CELLS, with_many
from watch_study.changing import fallen
from watch_study.laws import Law, knowing, of_kinds
from watch_study.parts import ITEMS, Row

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
        bar, apart = law.truth - 0.05, {}
        for _set in range(PUBLIC_SETS):
            places = law.drawn(rng, (ITEMS,))
            day = np.arange(ITEMS) // A_LOOK
            ratings = law.ratings(law.item[places]).assign_coords(day=("item", day))
            result = iaa.watch(
                ratings, law.coefficient, order="day", bar=bar, bounds=law.bounds, **law.options
            )
            assert result.attrs["method"] == "betting"
            of_names = ratings.item.get_index("item").get_indexer(result.item.values)
            places = places[of_names][None]
            last = result.isel(look=-1)
            groups = groups_of(law, places, chances(result.item.values.tolist())[None])
            bets, here = groups.bets, result["items"].values
            ends = np.searchsorted(groups.items[0], here, side="right")
            came = np.cumsum(np.eye(law.kinds)[places[0]], axis=0)[here - 1]
            estimate, error = law.figures(came)
            for figure, ours, theirs in (
                ("ends", np.ravel(ends_after(law, bets)), [last.ci_low, last.ci_high]),
                ("e_values", log_wealth_above(bets, bar)[0, -1], np.log(last.e_value)),
                ("e_values", log_wealth_below(bets, bar)[0, -1], np.log(last.e_value_below)),
                ("e_values", np.log(fallen(bets, 0, ends, bar)), np.log(result.e_value_fallen)),
                ("one_look", estimate - Z * error, result.one_look_ci_low),
            ):
                # evidence can be any number: by its logarithm
                most = float(np.nanmax(np.abs(ours - np.asarray(theirs, dtype=float))))
                apart[figure] = max(apart.get(figure, 0.0), most)
        yield "public", name, {"sets": PUBLIC_SETS, **apart}


def beforehand(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 8: the most ratings of an item and the labels are taken from what has come.

    As a person sees it who gives what has come, look by look; and who gives it all once at the end.
    """
    laws = {
        "1 in 500 with 100 ratings": with_many(100, 0.002),
        "1 in 200 with 40 ratings": with_many(40),
        "1 in 200 with 12 ratings": with_many(12),
        "45 in 100 with 3 ratings": with_many(3, 0.45),
        "gaps by difficulty": CELLS["gaps by difficulty"](),
        "five steps, skewed, gaps, ordinal": CELLS["five steps, skewed, gaps, ordinal"](),
    }
    rng = np.random.default_rng([seed, 8])
    for name, items in ((name, items) for name in laws for items in (300, ITEMS)):
        if only not in f"{name}, {items} items":
            continue
        law = laws[name]
        places = law.drawn(rng, (sets, items))
        chance = rng.random(places.shape)
        many = law.drawn(rng, (100_000,))
        unit = usual_factor(law.ratings_of[many[law.pairable[many]]], law.size)
        known = ruled_out(groups_of(law, places, chance, unit).bets, law.truth)
        seen = taken_as_seen(law, places, chance)
        figures = {
            "as_it_comes": seen.any(axis=1).mean(),
            "at_the_end": seen[:, -1].mean(),
            "known": known.any(axis=1).mean(),
        }
        yield "beforehand", f"{name}, {items} items", figures
    name = "Brennan-Prediger, a label of .005 that nobody declared, 1000 items"
    if only in name:
        kinds = knowing((0.7, 0.295, 0.005), 0.8, 2)
        law = of_kinds(kinds, 3, coefficient="brennan_prediger")
        places = law.drawn(rng, (sets, ITEMS))
        rare = (law.patterns[law.item] == 2).any(axis=1)[places]
        known = groups_of(law, places, places).bets
        # chance agreement of two labels is 1 / 2; bets after the third is seen are on nothing
        before = np.cumsum(rare, axis=1) == 0
        expected = known.expected * before * (1 / 2) / (2 / 3)
        most = known.most_observed, known.most_expected
        early = bets_on(known.observed * before, expected, *most, ALPHA)
        late = ruled_out(known, law.truth).any(axis=1)
        ever = late | ruled_out(early, law.truth).any(axis=1)
        figures = {"as_it_comes": ever.mean(), "at_the_end": late.mean(), "known": late.mean()}
        yield "beforehand", name, figures


def taken_as_seen(law: Law, places: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """Whether the truth is outside at each look, by the items that had come (set, look)."""
    looks = np.arange(A_LOOK, places.shape[1] + 1, A_LOOK)
    factor = np.where(law.pairable[places], law.ratings_of[places], 0.0)
    unit = np.array(
        [[usual_factor(row[:n][row[:n] > 0], law.size) for n in looks] for row in factor]
    )
    most = np.maximum.accumulate(factor, axis=1)[:, looks - 1]
    out = np.zeros(unit.shape, dtype=bool)
    for one, largest in {*zip(unit.flat, most.flat, strict=True)}:
        holds = (unit == one) & (most == largest)
        rows = np.flatnonzero(holds.any(axis=1))
        groups = groups_of(law, places[rows], chance[rows], one, largest)
        with np.errstate(invalid="ignore"):  # where an item has more ratings, it does not hold
            missed = first(ruled_out(groups.bets, law.truth), groups.items)
        out[rows] |= holds[rows] & (missed[:, None] <= looks)
    return out
