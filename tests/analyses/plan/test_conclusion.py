"""What a plan comes to, from its figures and its goal."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.conclusion import conclude
from iaa_jax.wording import Note
from tests.analyses.plan.pilots import ratings
from tests.noted import notes_of

ANNOTATORS = ["between_items", "fewest_ratings"]


@cache
def study(**options: Any) -> xr.Dataset:
    """A plan from 80 items with three ratings each: alpha is 0.461 +- 0.117."""
    how = {"simulations": 0, "replicates": 0, "level": "nominal"}
    return iaa.plan(ratings(80, 3, 19), **how | options)


def changed(result: xr.Dataset, **figures: float) -> list[Note]:
    """What is said where some figures are others."""
    return conclude(result.assign({name: ((), value) for name, value in figures.items()}))[1]


@pytest.mark.parametrize(
    ("goal", "conclusion", "codes"),
    [
        (
            {"half_width": 0.06},
            "annotate",
            ["items_for_width", *ANNOTATORS, "annotators_do_not_suffice"],
        ),
        ({"half_width": 0.3}, "pilot_suffices", ["width_reached", *ANNOTATORS]),
        (
            {"null": 0.2},
            "pilot_suffices",
            ["null_excluded", "items_for_null_anew", "averaged_power", *ANNOTATORS],
        ),
        ({"null": 0.345}, "annotate", ["items_for_null", "averaged_power", *ANNOTATORS]),
        ({"null": 0.4}, "annotate", ["items_for_null", "averaged_power", *ANNOTATORS]),
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
            [
                "items_for_width",
                "null_excluded",
                "items_for_null_anew",
                "averaged_power",
                *ANNOTATORS,
            ],
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
    assert note.values["items"] == result.needed_items
    assert note.values["more"].values == {"items": result.needed_items - 80}
    ends = note.values["ends"]
    assert ends.code == "needed_between"
    assert ends.values["low"] == result.needed_items_low
    assert ends.values["high"] == result.needed_items_high
    (open_above,) = (
        one for one in changed(result, needed_items_high=math.inf) if one.code == note.code
    )
    assert open_above.values["ends"].code == "needed_or_more"
    (unknown,) = (
        one for one in changed(result, needed_items_low=math.nan) if one.code == note.code
    )
    assert unknown.values["ends"] == ""


def test_what_the_power_is_averaged_over() -> None:
    result = study(null=0.345)
    (items,) = notes_of(result, "items_for_null")
    (value,) = notes_of(result, "averaged_power")
    assert items.values["items"] == result.planned_items > result.needed_items
    assert value.values["items"] == result.needed_items
    assert value.values["estimate"] == result.estimate


def test_panels_as_uneven_as_the_pilots() -> None:
    result = study(half_width=0.06)
    assert not notes_of(result, "uneven_panels")
    figures = {"pilot_annotators_fewest": 2, "pilot_annotators": 2.6, "uneven_items": 300}
    (note,) = (one for one in changed(result, **figures) if one.code == "uneven_panels")
    (change,) = note.values["changes"].values["changes"]
    assert change.values == {"items": 300, "planned": result.planned_items}


def test_what_more_annotators_bring() -> None:
    result = study(half_width=0.06)
    codes = [note.code for note in changed(result, between_share=0.05, needed_annotators=9)]
    assert codes == [
        "items_for_width",
        "hardly_between_items",
        "fewest_ratings",
        "annotators_alone",
    ]
    codes = [note.code for note in changed(result, needed_annotators=math.nan)]
    assert codes[-1] == "annotators_do_not_suffice"
    assert notes_of(study(half_width=0.06, cost_item=3), "lowest_cost")


def test_designs_that_are_doubted() -> None:
    result = study(half_width=0.06)
    differs = xr.zeros_like(result.half_width)
    differs[1, 0] = differs[1, 2] = 1
    doubted = differs.isel(items=1) > 0
    simulated = result.assign(simulated_differs=differs, doubted=doubted)
    notes = {note.code: note for note in conclude(simulated)[1]}
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
