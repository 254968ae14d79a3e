"""From result Datasets to records."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

import iaa_jax
from iaa_jax.pages.records import MATRIX, json_value, record, rows_of
from iaa_jax.wording import Note, dump_notes

SAID = {
    "made_by": "agreement",
    "conclusion": "measured",
    "notes": dump_notes([Note("few_items", {"items": 7}, "caution")]),
    "items": 2,
    "anonymous": 0,
    "label_values": '["no", "yes"]',
    "seed": 5,
    "value": np.float64(np.nan),
}


def result(along: str = "coefficient", names=("fleiss_kappa", "scott_pi")) -> xr.Dataset:
    return xr.Dataset(
        {
            "estimate": (along, [0.61, np.nan]),
            "code": (along, [0, 2]),
            "reason": (along, np.array(["", "0/0"])),
            "pairs": (along, [-1, 3]),
            "above": ((along, "cut_off"), [[0.4, 0.1], [np.nan, np.nan]]),
        },
        {along: np.array(names), "cut_off": [0.5, 0.8]},
        SAID,
    )


def test_a_record_has_the_data_the_figures_and_how_they_were_made() -> None:
    made = record({"coefficients": result()})
    assert list(made) == ["data", "coefficients", "conclusion", "notes", "provenance"]
    assert made["data"] == {"items": 2, "anonymous": False, "label_values": ["no", "yes"]}
    assert made["provenance"] == {"made_by": "agreement", "seed": 5, "value": None}
    (note,) = made["notes"]
    assert (note["code"], note["values"]) == ("few_items", {"items": 7})


def test_rows_stand_under_their_names_and_null_is_undefined() -> None:
    rows = record({"coefficients": result()})["coefficients"]
    assert rows["fleiss_kappa"] == {
        "coefficient": "fleiss_kappa",
        "estimate": 0.61,
        "code": 0,
        "reason": "",
        "pairs": None,
        "above": {"0.5": 0.4, "0.8": 0.1},
    }
    assert rows["scott_pi"]["estimate"] is None
    assert rows["scott_pi"]["pairs"] == 3
    assert "NaN" not in json.dumps(rows, allow_nan=False)


def test_large_matrices_are_left_out_and_long_columns_are_not() -> None:
    items, annotators = MATRIX + 1, [f"a{k}" for k in range(2)]
    found = xr.Dataset(
        {
            "agreement": ("item", np.zeros(items)),
            "votes": (("item", "annotator"), np.zeros((items, 2))),
        },
        {"item": np.arange(items), "annotator": annotators},
    )
    assert rows_of(found, "item")[-1] == {"item": items - 1, "agreement": 0.0}
    assert rows_of(found.isel(item=slice(2)), "item")[0]["votes"] == {"a0": 0.0, "a1": 0.0}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), 0.5),
        (np.int64(3), 3),
        (float("inf"), None),
        (np.str_("a"), "a"),
        ({1: (np.nan, "b")}, {"1": [None, "b"]}),
        (True, True),
        (np.array(["2024-05-01", "NaT"], "M8[s]"), ["2024-05-01T00:00:00", None]),
    ],
)
def test_values_become_plain(value: object, expected: object) -> None:
    assert json_value(value) == expected
    assert type(json_value(value)) is type(expected)


def test_a_result_is_not_changed() -> None:
    before, after = result(), result()
    record({"coefficients": after})
    xr.testing.assert_identical(before, after)


def test_the_record_of_a_real_result() -> None:
    ratings = iaa_jax.from_wide([["a", "b"], ["a", "a"], ["b", None]])
    measured = iaa_jax.agreement(ratings, ["scott_pi"], interval=None)
    made = record({"coefficients": measured})
    assert made["coefficients"]["scott_pi"]["estimate"] == measured.estimate.item()
    assert made["data"]["annotator_names"] == ["annotator 1", "annotator 2"]
    assert made["conclusion"] == "estimated"


def test_what_several_results_come_to_is_all_there() -> None:
    further = result()
    notes = dump_notes([Note("few_items", {"items": 7}, "caution"), Note("no_width", {})])
    further.attrs |= {"conclusion": "undefined", "notes": notes}
    made = record({"coefficients": result(), "labels": further})
    assert made["conclusion"] == "measured"
    assert made["conclusions"] == {"labels": "undefined"}
    assert [note["code"] for note in made["notes"]] == ["few_items", "no_width"]
