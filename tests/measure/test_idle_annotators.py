"""Annotators without ratings: no coefficient counts them, and results name them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa

TABLE = pd.DataFrame({"ann": ["x", "y", "x"], "bob": ["x", "x", "y"], "cy": [None] * 3})


@pytest.mark.parametrize("place", [0, 1, 2])
def test_robustness_A12_an_empty_column_is_no_annotator(place: int) -> None:
    columns = ["ann", "bob"]
    columns.insert(place, "cy")
    ratings = iaa.from_wide(TABLE[columns])
    assert ratings["annotator"].values.tolist() == columns
    found = iaa.agreement(ratings, interval=None)
    wanted = iaa.agreement(iaa.from_wide(TABLE[["ann", "bob"]]), interval=None)
    assert "cohen_kappa" in found["coefficient"].values.tolist()
    xr.testing.assert_equal(found, wanted)
    assert found.attrs["skipped"] == "'cy', who answered nothing"
    assert float(iaa.cohen_kappa(ratings, interval=None)["estimate"]) == -0.5


def test_robustness_A12_with_any_constructor() -> None:
    sets = [[["x"], ["x"], None], [["y"], ["x"], None]]
    rows = {"item": [1, 1, 1, 2, 2], "annotator": [*"abcab"], "label": ["x", "y", None, "x", "x"]}
    for ratings in (
        iaa.from_sets(sets),
        iaa.from_ranked(sets, p=0.6),
        iaa.from_mass([[[1, 0], [0, 1], None]] * 2),
        iaa.from_long(rows),
        iaa.from_wide([["x", "y", None], ["y", "y", None], ["x", "x", "y"]]).isel(item=[0, 1]),
    ):
        assert "cohen_kappa" in iaa.agreement(ratings, interval=None)["coefficient"].values
    values = iaa.from_values([[1.5, 2, None], [1, 2, None], [3, 3.5, None]])
    assert float(iaa.icc2(values, interval=None)["estimate"]) > 0.5


def test_robustness_A12_in_a_crowd_they_change_nothing() -> None:
    rows = [(k // 3, f"w{k % 150}", "xy"[k % 2]) for k in range(900)]
    table = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    idle = pd.DataFrame([(0, "idle", None)], columns=table.columns)
    found = iaa.agreement(iaa.from_long(pd.concat([idle, table])), interval=None)
    xr.testing.assert_equal(found, iaa.agreement(iaa.from_long(table), interval=None))


def test_tables_of_annotators_have_a_row_for_each() -> None:
    ratings = iaa.from_wide(TABLE)
    assert np.isnan(iaa.gold(ratings, "dawid_skene")["skill"].sel(annotator="cy"))
    assert iaa.annotators(ratings)["annotator"].values.tolist() == ["ann", "bob", "cy"]
