"""That `iaa_jax.watch` does the same, and what comes of what is not known beforehand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import iaa_jax as iaa
from iaa_jax.kernels.betting import Bets, bets_on, log_wealth_above, log_wealth_below
from watch_study.batch import A_LOOK, Z, ends_after, ever_missed, groups_of
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
            order = np.array([number[str(item)] for item in result.item.values.tolist()])
            here = result["items"].values
            for figure, values in ours(law, places[order][None], here, bar).items():
                theirs = result[figure].values
                kind = next((kind for kind in apart if figure.startswith(kind[:3])), "ends")
                # evidence can be any number: by its logarithm
                both = (np.log(values), np.log(theirs)) if kind == "e_values" else (values, theirs)
                apart[kind] = max(apart[kind], float(np.nanmax(np.abs(both[0] - both[1]))))
        yield "public", name, {"sets": PUBLIC_SETS, **apart}


def ours(law: Law, places: np.ndarray, here: np.ndarray, bar: float) -> dict[str, np.ndarray]:
    """What the study has of one set, when so many items had come."""
    groups, bounds = groups_of(law, places), bounds_of(law)
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


def until(bets: Bets, before: np.ndarray) -> Bets:
    """The bets before a group of each set; those after it are on nothing."""
    there = np.arange(bets.observed.shape[1]) < before[:, None]
    return bets._replace(observed=bets.observed * there, expected=bets.expected * there)


def beforehand(only: str, sets: int, seed: int) -> Iterator[Row]:
    """Part 8: the most ratings of an item and the labels are taken from what has come.

    As a person sees it who gives what has come, look by look; and who gives it all once at the end.
    """
    rng = np.random.default_rng([seed, 8])
    for name, law, few in (
        ("control items, 1 in 200 with 40 ratings", rare_with_many(), 2),
        ("1 in 200 with 12 ratings", with_many(12), 2),
        ("1 in 50 with 6 ratings", with_many(6, 0.02), 2),
    ):
        if only not in name:
            continue
        for items in (300, ITEMS):
            places = law.drawn(rng, (sets, items))
            ratings = (law.patterns[law.item] >= 0).sum(axis=1)
            many = ratings[places] > few
            # the group that the first such item is in
            begins = np.where(many.any(axis=1), many.argmax(axis=1), items) // law.size
            few_known, known = groups_of(law, places, few).bets, groups_of(law, places).bets
            early, late = (
                ever_missed(until(few_known, begins), law.truth),
                ever_missed(known, law.truth),
            )
            shown = many.any(axis=1)
            yield (
                "beforehand",
                f"{name}, {items} items",
                {
                    "as_it_comes": (early | (late & shown)).mean(),
                    "at_the_end": np.where(shown, late, early).mean(),
                    "known": late.mean(),
                },
            )
    law = of_three()
    if only in "a third label":
        places = law.drawn(rng, (sets, ITEMS))
        rare = np.array([(pattern == 2).any() for pattern in law.patterns[law.item]])[places]
        begins = np.where(rare.any(axis=1), rare.argmax(axis=1), ITEMS)
        known = groups_of(law, places).bets
        # chance agreement of two labels is 1 / 2
        of_two = bets_on(
            known.observed,
            known.expected * (1 / 2) / (2 / 3),
            known.most_observed,
            known.most_expected,
            0.05,
        )
        early = ever_missed(until(of_two, begins), law.truth)
        late = ever_missed(known, law.truth)
        yield (
            "beforehand",
            "Brennan-Prediger, a label of .005 that nobody has seen, 1000 items",
            {
                "as_it_comes": (early | late).mean(),
                "at_the_end": late.mean(),
                "known": late.mean(),
            },
        )


def with_many(ratings: int, share: float = 0.005) -> Law:
    """The same with fewer ratings of the items that nobody agrees on."""
    usual = [((1 - share) / 2, 2, (0.97, 0.03)), ((1 - share) / 2, 2, (0.03, 0.97))]
    return alike([*usual, (share, ratings, (0.5, 0.5))])


def of_three() -> Law:
    """Three labels, of which one is rare."""
    kinds = knowing((0.7, 0.295, 0.005), 0.8, 2)
    return of_kinds(kinds, 3, coefficient="brennan_prediger")
