"""What a plan comes to, from its figures and its goal."""

from __future__ import annotations

import math
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.conclusion import Answer, conclude
from iaa_jax.analyses.plan.error_model import ErrorModel
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.pilot import PilotReplicates
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.wording import Note
from tests.analyses.plan.pilots import ratings
from tests.noted import notes_of

ANNOTATORS = ["between_items"]


@cache
def study(**options: Any) -> xr.Dataset:
    """A plan from 80 items with three ratings each: alpha is 0.461 +- 0.117."""
    how = {"simulations": 0, "replicates": 0, "level": "nominal"}
    return iaa.plan(ratings(80, 3, 19), **how | options)


def changed(result: xr.Dataset, **figures: float) -> list[Note]:
    """Return the notes of a result with some figures replaced."""
    return conclude(result.assign({name: ((), value) for name, value in figures.items()})).notes


@pytest.mark.parametrize(
    ("goal", "conclusion", "codes"),
    [
        (
            {"half_width": 0.06},
            "annotate",
            ["items_for_width", *ANNOTATORS, "annotators_do_not_suffice"],
        ),
        ({"half_width": 0.3}, "pilot_suffices", ["width_reached"]),
        ({"null": 0.2}, "pilot_suffices", ["null_excluded"]),
        ({"null": 0.36}, "annotate", ["items_for_null", *ANNOTATORS]),
        ({"null": 0.4}, "annotate", ["items_for_null", *ANNOTATORS]),
        ({"null": 0.45}, "pilot_too_small", ["null_too_near"]),
        ({"null": 0.99}, "out_of_reach", ["null_out_of_reach"]),
        (
            {"null": 0.99, "half_width": 0.06},
            "out_of_reach",
            ["items_for_width", "null_out_of_reach", *ANNOTATORS],
        ),
        (
            {"null": 0.2, "half_width": 0.06},
            "annotate",
            ["items_for_width", "null_excluded", *ANNOTATORS],
        ),
        (
            {"null": 0.45, "half_width": 0.06},
            "pilot_too_small",
            ["items_for_width", "null_too_near"],
        ),
    ],
    ids=str,
)
def test_the_goal_and_the_pilot_decide(
    goal: dict[str, float], conclusion: str, codes: list[str]
) -> None:
    result = study(**goal)
    assert result.attrs["conclusion"] == conclusion
    assert [note.code for note in notes_of(result)] == codes


def test_the_items_of_a_width() -> None:
    result = study(half_width=0.06, replicates=64)
    (note,) = notes_of(result, "items_for_width")
    assert note.values["items"] == result.planned_items > result.needed_items
    assert note.values["more"].values == {"items": result.planned_items - 80}
    assert note.values["assurance"] == result.attrs["assurance"] == 0.8
    sure = study(half_width=0.06, assurance=0.9)
    assert sure.planned_items > result.planned_items
    assert notes_of(sure, "items_for_width")[0].values["assurance"] == 0.9


def test_the_items_of_a_power() -> None:
    result = study(null=0.36)
    (items,) = notes_of(result, "items_for_null")
    assert items.values["items"] == result.planned_items > result.needed_items
    assert items.values["assurance"] == result.attrs["assurance_of_power"] == 0.65


def test_use_1_2_what_is_refused_has_no_items_and_no_designs() -> None:
    """A table beside "cannot tell" was read as the answer."""
    refused = study(null=0.45)
    for name, variable in refused.data_vars.items():
        if variable.dims or str(name).startswith(("needed_", "planned_items", "best_")):
            assert not np.nan_to_num(variable.values.astype(float)).any(), name
    assert refused.pilot_items == 80
    both = study(null=0.45, half_width=0.06)
    assert both.planned_items_half_width == study(half_width=0.06).planned_items
    assert np.isfinite(both.half_width).all()
    for name in ("planned_items_null", "needed_items_null", "planned_items"):
        assert math.isnan(both[name]), name
    assert both.assured_power.isnull().all()
    made = study(null=0.36, half_width=0.06)
    width_refused = Answer("annotate", [], ("_half_width",)).without_refused(made)
    for name in ("half_width", "planned_items_half_width"):
        assert width_refused[name].isnull().all(), name
    assert not width_refused.reaches_half_width.any()
    for name in ("pilot_half_width", "assured_power", "planned_items_null", "standard_error"):
        xr.testing.assert_equal(width_refused[name], made[name])


def test_use_1_2_no_number_lies_outside_its_own_interval() -> None:
    """By hand: draws that are all above, and all below."""
    result = study(half_width=0.06, replicates=64)
    assert result.needed_items_low <= result.needed_items <= result.needed_items_high
    draws = PilotReplicates(np.full(64, 0.5), np.full(64, 7.0), None, 0, np.zeros(64))
    pilot = SimpleNamespace(estimate=0.5, variance=1.0, items=80, ratings=3.0)
    plan = Projection(pilot, None, Goal(0.1, None, 0.8, 0.95), ErrorModel(80, 3))  # type: ignore[arg-type]
    low, high = plan.items_interval(draws, 3)
    assert low == plan.items_needed(3) == 385 < high


def crowd(controls: int) -> xr.Dataset:
    """60 annotators, of whom two or three rate an item and all the control items."""
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((300, 60)) < 0.8, rng.integers(0, 2, (300, 1)), 1.0)
    few = rng.random(rows.shape).argsort(axis=1) < rng.integers(2, 4, (300, 1))
    few[:controls] = True
    return iaa.from_wide(np.where(few, rows, np.nan), labels=[0, 1])


def test_use_1_2_control_items_that_decide_are_the_answer() -> None:
    with_controls = iaa.plan(crowd(5), half_width=0.03, simulations=0, replicates=64)
    assert with_controls.attrs["conclusion"] == "few_items_decide"
    (note,) = notes_of(with_controls, "few_items_decide")
    assert note.values["items"] == 5
    assert note.values["ratings"] == 60
    assert note.values["usual"] in (2, 3)
    assert 0.5 <= note.values["share"] < 1
    assert with_controls.half_width.isnull().all()
    assert math.isnan(with_controls.planned_items)
    said = " ".join(str(iaa.page(with_controls)).split())
    assert "comes from 5 items with 60 ratings or more" in said
    assert "Half-width" not in said
    without = iaa.plan(crowd(5).isel(item=slice(5, None)), half_width=0.03, simulations=0)
    assert without.attrs["conclusion"] == "annotate"
    assert math.isnan(without.heavy_items)


def test_panels_as_uneven_as_the_pilots() -> None:
    result = study(half_width=0.06)
    assert not notes_of(result, "uneven_panels")
    figures = {"pilot_annotators_fewest": 2, "pilot_annotators": 2.6}
    (note,) = (one for one in changed(result, **figures) if one.code == "uneven_panels")
    assert note.values == {"fewest": 2, "most": 3, "mean": 2.6, "per_item": 3}


def test_what_more_annotators_bring() -> None:
    result = study(half_width=0.06)
    codes = [note.code for note in changed(result, between_share=0.05, needed_annotators=9)]
    assert codes == [
        "items_for_width",
        "hardly_between_items",
        "annotators_alone",
    ]
    codes = [note.code for note in changed(result, needed_annotators=math.nan)]
    assert codes[-1] == "annotators_do_not_suffice"
    assert notes_of(study(half_width=0.06, cost_item=30), "lowest_cost")
    assert not notes_of(result, "fewest_ratings")  # which would save next to none
    (fewest,) = (one for one in changed(result, best_cost=700) if one.code == "fewest_ratings")
    assert fewest.values["annotators"] == result.best_annotators


def test_designs_that_are_doubted() -> None:
    result = study(half_width=0.06)
    differs = xr.zeros_like(result.half_width)
    differs[1, 0] = differs[1, 2] = 1
    doubted = differs.isel(items=1) > 0
    simulated = result.assign(simulated_differs=differs, simulation_disagrees=doubted)
    simulated = simulated.assign(best_cost=700)
    notes = {note.code: note for note in conclude(simulated).notes}
    (design,) = notes["simulations_differ"].values["designs"]
    assert design.values["items"] == result["items"][1]
    assert [size.values["annotators"] for size in design.values["sizes"]] == [2, 4]
    assert notes["fewest_ratings"].values["among"].code == "where_both_agree"


def test_looks_on_the_way() -> None:
    result = study(half_width=0.06, looks=4)
    (note,) = notes_of(result, "looks")
    last = result.look_items.values[-1]
    assert note.values["looks"] == 4
    assert note.values["items"] == last
    assert note.values["more"] == Note("more", {"items": last - result.planned_items})
    assert bool(notes_of(result, "looks_past")) == (result.look_items.values[0] < 80)
    assert not notes_of(study(half_width=0.3, looks=4), "looks")
