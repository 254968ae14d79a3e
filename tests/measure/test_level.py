"""The level of measurement in results, and the question where it is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.wording.undecided import QUESTIONS
from tests.noted import notes_of

ROWS = [[1, 2, 1], [2, 2, 3], [3, 3, 3], [1, 1, 2], [2, 3, 3], [1, 1, 1]] * 4
NUMBERS = iaa.from_wide(ROWS)
DAYS = NUMBERS.assign_coords(day=("item", range(24)), half=("item", ["a", "b"] * 12))
WORDS = [["low", "mid"], ["low", "low"], ["high", "mid"], ["high", "high"]]
FAST: dict[str, Any] = {"interval": None}

STUDIES: dict[str, Callable[..., xr.Dataset]] = {
    "agreement": lambda **how: iaa.agreement(NUMBERS, **FAST, **how),
    "krippendorff_alpha": lambda **how: iaa.krippendorff_alpha(NUMBERS, **FAST, **how),
    "items": lambda **how: iaa.items(NUMBERS, **how),
    "merges": lambda **how: iaa.labels.merges(NUMBERS, replicates=64, **how),
    "panels": lambda **how: iaa.panels(NUMBERS, replicates=64, **how),
    "missing": lambda **how: iaa.missing(NUMBERS, imputations=2, **how),
    "judge": lambda **how: iaa.judge(NUMBERS, ["annotator 3"], replicates=0, min_items=5, **how),
    "annotators": lambda **how: iaa.annotators(NUMBERS, **FAST, **how),
    "agreement_by": lambda **how: iaa.agreement_by(DAYS, "half", **FAST, **how),
    "influence": lambda **how: iaa.influence(NUMBERS, **how),
    "bootstrap": lambda **how: iaa.bootstrap(NUMBERS, replicates=64, **how),
    "covariance": lambda **how: iaa.covariance(NUMBERS, **how),
    "zero_agreement": lambda **how: iaa.zero_agreement(NUMBERS, permutations=9, **how),
    "compare": lambda **how: iaa.compare(DAYS, by="half", **FAST, permutations=0, **how),
    "drift": lambda **how: iaa.drift(DAYS, by="half", replicates=64, permutations=39, **how),
    "plan": lambda **how: iaa.plan(NUMBERS, half_width=0.2, replicates=64, simulations=0, **how),
    "variance": lambda **how: iaa.variance(NUMBERS, **how),
}

DRAWN = ("influence", "bootstrap", "covariance")
"""Functions that only arrange figures, and conclude nothing."""


def question(result: xr.Dataset) -> str:
    return "".join(note.code for code in QUESTIONS for note in notes_of(result, code))


@pytest.mark.parametrize("name", STUDIES)
def test_every_result_states_its_level_and_asks_if_it_is_open(name: str) -> None:
    asked = STUDIES[name]()
    assert (asked.attrs["level"], question(asked)) == ("nominal", "numbers_as_names")
    page = iaa.page(asked)
    assert "numbers from 1 to 3" in str(page)
    if name not in DRAWN:
        assert [note.code for note in page.answer] == ["numbers_as_names"]
        assert asked.attrs["conclusion"] == "level_undecided"
        assert "Next: " not in str(page)
    said = STUDIES[name](level="ordinal")
    assert (said.attrs["level"], question(said)) == ("ordinal", "")
    assert question(STUDIES[name](level="nominal")) == ""


def test_the_curve_of_p_asks_too() -> None:
    first = [1 + k % 3 for k in range(18)]
    columns = {"item": [k // 2 for k in range(18)], "annotator": [0, 1] * 9, "label": first}
    second = {"second": [1 + one % 3 for one in first]}
    ratings = iaa.from_long(columns | second, secondary="second")
    found = iaa.sweep(ratings, p=[0.5, 1.0], interval=None)
    assert (found.attrs["level"], question(found)) == ("nominal", "numbers_as_names")
    assert not question(iaa.sweep(ratings, p=[0.5, 1.0], interval=None, level="interval"))


STEPS = "steps_as_names"


@pytest.mark.parametrize(
    ("ratings", "how", "asked"),
    [
        (iaa.from_wide(ROWS), {}, "numbers_as_names"),
        (iaa.from_wide(ROWS), {"weights": "identity"}, ""),
        (iaa.from_wide([[0.5, 1.0], [1.5, 0.5]]), {}, "numbers_as_names"),
        (iaa.from_wide(ROWS, labels=[1, 2, 3, 4]), {}, "numbers_as_names"),
        (iaa.from_wide(ROWS), {"distance": "binary"}, ""),
        (iaa.from_wide([[0, 1], [1, 1], [0, 0]]), {}, ""),
        (iaa.from_wide(WORDS), {}, "steps_as_names"),
        (iaa.from_wide(WORDS), {"level": "nominal"}, ""),
        (iaa.from_wide([["nie", "immer"], ["Oft", "immer"]]), {}, "steps_as_names"),
        (iaa.from_wide([["low", "cat"], ["high", "mid"]]), {}, ""),
        (iaa.from_wide([["very negative", "negative"], ["neutral", "positive"]]), {}, STEPS),
        (iaa.from_wide([["very_hot", "hot"], ["cold", "hot"]]), {}, STEPS),
        (iaa.from_wide([["not relevant", "relevant"], ["highly relevant"] * 2]), {}, STEPS),
        (iaa.from_wide([["sehr zufrieden", "eher zufrieden"], ["unzufrieden"] * 2]), {}, STEPS),
        (iaa.from_wide([["negated", "possible"], ["Probable", "confirmed"]]), {}, STEPS),
        (iaa.from_wide([["ausgeschlossen", "möglich"], ["gesichert"] * 2]), {}, STEPS),
        (iaa.from_wide([["present", "possible"], ["absent", "hypothetical"]]), {}, ""),
        (iaa.from_wide([["negative", "neutral"], ["positive", "positive"]]), {}, ""),
        (iaa.from_wide([["very negative", "negative"], ["spam", "positive"]]), {}, ""),
        (iaa.from_wide(WORDS, labels=["low", "mid", "high"]), {}, "order_as_names"),
        (iaa.from_wide([["a", "b"], ["b", "b"]], labels=["a", "b"]), {}, ""),
        (iaa.from_counts([[2, 0, 1], [0, 3, 0]], labels=[1, 2, 3]), {}, "numbers_as_names"),
        (iaa.from_values([[1.0, 2.0], [3.0, 3.0]]), {}, ""),
        (iaa.from_sets([[[1], [2]], [[3], [3]], [[1, 2], [1]]]), {}, ""),
    ],
)
def test_what_is_asked(ratings: xr.Dataset, how: dict[str, Any], asked: str) -> None:
    found = iaa.agreement(ratings, interval=None, **how)
    assert question(found) == asked
    for note in notes_of(found, "order_as_names"):
        assert (note.values["lowest"], note.values["highest"]) == ("low", "high")


def test_there_is_no_question_that_would_change_nothing() -> None:
    assert question(iaa.agreement(NUMBERS, "gwet_ac1", interval=None)) == ""
    assert question(iaa.labels(NUMBERS, level="nominal", interval=None)) == ""
    assert question(iaa.specific_agreement(NUMBERS, interval=None)) == ""


def test_what_a_coefficient_presupposes_may_be_said_and_is_an_answer() -> None:
    for said in ({}, {"level": "interval"}):
        found = iaa.agreement(NUMBERS, ["icc2", "icc1"], interval=None, **said)
        assert found["estimate"].values.tolist() == [
            iaa.icc2(NUMBERS, interval=None, **said).estimate.item(),
            iaa.icc1(NUMBERS, interval=None, **said).estimate.item(),
        ]
    rows = {"item": [*range(9)] * 2, "annotator": ["ann"] * 18, "label": [1, 2, 3] * 5 + [1, 1, 2]}
    twice = iaa.from_long(rows, duplicates="apart")
    again = iaa.annotators.repeats(twice, "icc1", interval=None)
    assert (again.attrs["level"], question(again)) == ("interval", "")
    assert question(iaa.annotators.repeats(twice, interval=None)) == "numbers_as_names"


def test_the_question_has_the_figures_of_each_level() -> None:
    result = iaa.agreement(NUMBERS, replicates=200, seed=3)
    (note,) = notes_of(result, "numbers_as_names")
    levels = note.listed("levels")
    assert [row["level"] for row in levels] == ["nominal", "ordinal", "interval"]
    for row in levels:
        alone = iaa.krippendorff_alpha(NUMBERS, level=row["level"], replicates=200, seed=3)
        for name in ("estimate", "ci_low", "ci_high"):
            assert row[name] == pytest.approx(float(alone[name]), abs=1e-13)
    text = str(iaa.page(result))
    assert all(f"\n{level} " in text for level in ("nominal", "ordinal", "interval"))
    kappas = iaa.agreement(NUMBERS, ["fleiss_kappa", "gwet_ac2"], interval=None)
    (note,) = notes_of(kappas, "numbers_as_names")
    assert "levels" not in note.values
