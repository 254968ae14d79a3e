"""Which two sets: one that is split, their names, and items that are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.analyses.compare.compared import FIRST, SECOND, named, quick
from tests.analyses.made import by_slot, random_rows, wide
from tests.noted import notes_of

ROUNDS = ("item", np.repeat([1, 2], 40))


def both_rounds(ids: list[str]) -> xr.Dataset:
    """Both sets of rows as one, with the round of each item."""
    return wide(FIRST + SECOND).assign_coords(item=ids, round=ROUNDS)


def by_kind(items: int = 40) -> xr.Dataset:
    kinds = ["people", "people", "models", "models"]
    return wide(random_rows(3, items, missing=0)).assign_coords(kind=("annotator", kinds))


def test_rounds_are_paired_by_the_rest_of_their_ids() -> None:
    ids = [f"{k} | {turn}" for turn in (1, 2) for k in range(40)]
    found = quick(both_rounds(ids), None, by="round")
    wanted = quick(wide(FIRST), wide(SECOND), names=["round 1", "round 2"])
    xr.testing.assert_identical(found.drop_attrs(), wanted.drop_attrs())
    assert found.attrs["design"] == "paired"
    assert (found.attrs["name_a"], found.attrs["name_b"]) == ("round 1", "round 2")
    assert (found.attrs["by"], found.attrs["by_axis"]) == ("round", "item")
    # within one set of ratings the same id is the same item, even if it only counts
    assert not notes_of(found, "pairing_row_numbers")
    assert notes_of(wanted, "pairing_row_numbers")


@pytest.mark.parametrize(
    "ids",
    [
        [f"{k}" for k in range(80)],
        [f"{turn}-{k}" for turn in (1, 2) for k in range(40)],
        # nothing would be left of the ids, or the same id twice
        [f"{turn} | {turn}" for turn in range(80)],
        [f"{k // 2} | {turn}" for turn in (1, 2) for k in range(40)],
    ],
)
def test_ids_that_do_not_hold_the_round_stay(ids: list[str]) -> None:
    found = quick(both_rounds(ids), None, by="round")
    assert found.attrs["pairing"] == "nothing_shared"
    wanted = quick(named(FIRST, "a"), named(SECOND, "b"))
    np.testing.assert_array_equal(found.difference, wanted.difference)


def test_kinds_of_annotators() -> None:
    ratings = by_kind()
    found = quick(ratings, None, ["conger_kappa", "krippendorff_alpha"], by="kind", permutations=50)
    for letter, kind in (("a", "models"), ("b", "people")):
        names = ratings.annotator.values[ratings.kind.values == kind]
        alone = iaa.conger_kappa(iaa.data.keep_annotators(ratings, names), interval=None)
        assert float(found[f"estimate_{letter}"][0]) == pytest.approx(float(alone.estimate))
        assert found.attrs[f"name_{letter}"] == kind
    # all 6 ways to deal four annotators out to two groups of two
    assert (found.attrs["annotator_ways"], found.attrs["annotator_ways_all"]) == (6, 1)
    assert set(np.round(found.annotator_p_value.values * 6, 9)) <= set(range(2, 7))
    assert "skipped_a" not in found.attrs
    assert notes_of(found, "these_annotators_alone")[0].values["a"] == 2
    turned = quick(ratings, None, by="kind", between=("people", "models"), names=("p", "m"))
    assert float(turned.difference[0]) == -float(found.difference[1])
    assert (turned.attrs["name_a"], turned.attrs["name_b"]) == ("p", "m")
    assert "annotator_p_value" not in turned  # permutations=0


def test_groups_that_are_too_small_are_not_said_to_be_like_others() -> None:
    """No other way to group six annotators differs as much, yet there are only 15 ways."""
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=(120, 1))
    knows = rng.random((120, 6)) < np.array([0.95] * 4 + [0.3] * 2)
    codes = np.where(knows, truth, rng.integers(3, size=(120, 6)))
    kinds = ["nurse"] * 4 + ["student"] * 2
    ratings = iaa.from_wide(codes).assign_coords(kind=("annotator", kinds))
    found = quick(ratings, None, by="kind", permutations=50, level="nominal")
    assert found.attrs["conclusion"] == "kind_not_shown"
    assert found.annotator_p_value.values[0] == pytest.approx(1 / 15)
    said = " ".join(str(iaa.page(found)).split())
    assert "but 4 and 2 cannot show that it is due to their kind: p is never below 0.067." in said
    assert "other groups" not in said


def by_random_kind() -> xr.Dataset:
    """Four careless annotators, and among four careful ones a careless one: kinds by chance."""
    rng = np.random.default_rng(1)
    skill = np.array([0.5, 0.9, 0.6, 0.9, 0.95, 0.9, 0.6, 0.95])
    truth = rng.integers(3, size=150)
    knows = rng.random((150, 8)) < skill
    codes = np.where(knows, truth[:, None], rng.integers(3, size=(150, 8)))
    kinds = ["first"] * 4 + ["second"] * 4
    return iaa.from_wide(codes).assign_coords(kind=("annotator", kinds))


def test_statistics_4_6_a_kind_that_is_not_shown_to_matter_is_no_higher() -> None:
    """Code, headline and JSON say the same; annotators as a sample have it in p already."""
    found = quick(by_random_kind(), None, by="kind", permutations=99, level="nominal")
    assert float(found.annotator_p_value[0]) > 0.05
    assert found.attrs["conclusion"] == found.conclusion.values[0] == "kind_not_shown"
    said = iaa.page(found).answer[0]
    assert said.code == "kind_not_shown"
    assert "is higher for" not in str(iaa.page(found))
    random = iaa.Sampling(annotators="random")
    how = {"sampling": random, "interval": "auto", "level": "nominal"}
    drawn = quick(by_random_kind(), None, by="kind", **how)
    assert drawn.attrs["conclusion"] == "not_shown"


def test_kinds_of_two_annotators_and_coefficients_for_two() -> None:
    ratings = by_kind()
    compared = quick(ratings, None, None, by="kind", permutations=50)
    undefined = np.isnan(compared.annotator_p_value.values)
    assert compared.coefficient.values[undefined].tolist() == ["cohen_kappa"]
    alone = quick(ratings, None, "cohen_kappa", by="kind", permutations=50)
    assert np.isfinite(alone.difference.values).all()
    assert "annotator_p_value" not in alone


@pytest.mark.parametrize("slots", [False, True])
def test_times_of_ratings(slots: bool) -> None:
    """The first two annotators of an item rated in the morning, the others in the evening."""
    rows = random_rows(5, missing=0)
    ratings = by_slot(rows) if slots else wide(rows)
    times = np.array([["morning", "morning", "evening", "evening"]] * 40, dtype=object)
    dims = ("item", "slot" if slots else "annotator")
    found = quick(ratings.assign_coords(time=(dims, times)), None, by="time", interval="normal")
    early, late = ([row[:2] for row in rows], [row[2:] for row in rows])
    wanted = quick(wide(late), wide(early), interval="normal")
    np.testing.assert_allclose(found.estimate_a, wanted.estimate_a)
    np.testing.assert_allclose(found.standard_error, wanted.standard_error)
    assert found.attrs["by_axis"] == "rating"
    assert found.attrs["annotators_a"] == 2


@pytest.mark.parametrize(
    "values",
    [
        ("before", "after"),
        ("Pre-test", "post-test"),
        ("old", "new"),
        ("Vorher", "nachher"),
        ("avant", "après"),
        ("antes", "después"),
        ("prima", "dopo"),
    ],
)
def test_the_earlier_of_two_values_comes_first(values) -> None:
    ratings = wide(FIRST + SECOND).assign_coords(part=("item", np.repeat(values, 40)))
    found = quick(ratings, None, by="part")
    assert (found.attrs["name_a"], found.attrs["name_b"]) == values
    turned = quick(ratings, None, by="part", between=values[::-1])
    assert (turned.attrs["name_a"], turned.attrs["name_b"]) == values[::-1]


def test_other_values_are_not_compared() -> None:
    part = ("item", np.repeat(["x", "y", "z", "w"], 20))
    ratings = wide(FIRST + SECOND).assign_coords(part=part)
    found = quick(ratings, None, by="part", between=["z", "x"])
    wanted = quick(wide(SECOND[:20]), wide(FIRST[:20]), paired=False)
    np.testing.assert_array_equal(found.difference, wanted.difference)
    (note,) = notes_of(found, "values_not_compared")
    assert note.values == {"values": ["w", "y"], "by": "part"}


def test_within_one_file_half_of_the_items_are_enough() -> None:
    a, b = wide(FIRST), wide(SECOND).assign_coords(item=np.arange(15, 55))
    assert quick(a, b).attrs["pairing"] == "few_shared"
    one_file = [each.assign_attrs(files='["t.csv"]') for each in (a, b)]
    assert quick(*one_file).attrs["items_a"] == 25
    apart = [each.assign_attrs(files=f'["{k}.csv"]') for k, each in enumerate((a, b))]
    assert quick(*apart).attrs["pairing"] == "few_shared"
    assert quick(*apart).attrs["files_b"] == '["1.csv"]'


def test_names_stand_in_notes_and_reasons() -> None:
    a = iaa.from_wide([["x", "x"]] * 6, labels=["x", "y"])
    b = iaa.from_wide([["x", "y"], ["y", "y"]] * 3, labels=["x", "y"])
    found = quick(a, b, names=("old", "new"))
    assert str(found.reason[0].values).startswith("old: expected disagreement is 0")
    assert (int(found.code_a[0]), int(found.code_b[0])) == (2, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"b": None}, "comparing takes two sets of ratings: give both, or one and by="),
        ({"by": "round"}, "give both, or one and by="),
        ({"between": (1, 2)}, "between names two values of by, which is missing"),
        ({"b": None, "by": "round", "between": (1, 1)}, "between must be two values of 'round'"),
        ({"b": None, "by": "round", "between": (1, 3)}, "'round' has no value '3'"),
        ({"b": None, "by": "other"}, "by='other' names no .* keep='other', and ratings.assign"),
        ({"names": ("x", "x")}, "names must be two"),
        ({"b": None, "by": "half"}, "half no cannot be measured on its own: only one annotator"),
    ],
)
def test_what_does_not_say_which_two_sets(given: dict[str, Any], said: str) -> None:
    half = np.where(np.arange(80) < 79, "yes", "no")
    ratings = both_rounds([f"q{k}" for k in range(80)]).assign_coords(half=("item", half))
    ratings["primary"][-1, 1:] = -1
    with pytest.raises(iaa.IaaError, match=said):
        iaa.compare(ratings, **{"b": ratings, **given})
