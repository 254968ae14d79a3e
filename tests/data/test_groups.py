"""Groups stand in natural order: numbers by value, also inside texts."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.data.groups import group_values, natural

ORDERED = {
    "batches": ["batch_1", "batch_2", "batch_10", "batch_11"],
    "versions": ["v1.9", "v1.10", "v2.0"],
    "letters of both cases": ["a", "B", "c"],
    "numbers first": ["3", "20", "x"],
    "zeros before": ["item01", "item1", "item02"],
}


@pytest.mark.parametrize("names", ORDERED.values(), ids=ORDERED)
def test_texts_in_natural_order(names: list[str]) -> None:
    for order in (names, names[::-1], sorted(names)):
        found, member = group_values(np.array(order * 2, object), "batch")
        assert found.tolist() == names
        assert found[member].tolist() == order * 2


def test_numbers_go_by_value_and_none_is_last() -> None:
    assert group_values(np.array([10, 9, 100]), "batch")[0].tolist() == ["9", "10", "100"]
    assert group_values(np.array(["b", "", "a"], object), "batch")[0].tolist() == [
        "a",
        "b",
        "(none)",
    ]


def test_whole_numbers_beside_a_gap_stay_as_written() -> None:
    assert group_values(np.array([2.0, np.nan, 1.0]), "round")[0].tolist() == ["1", "2", "(none)"]
    assert group_values(np.array([1.0, 2.5]), "dose")[0].tolist() == ["1", "2.5"]


def test_endless_digits_have_an_order() -> None:
    assert sorted(["9" * 400, "1"], key=natural) == ["1", "9" * 400]


def test_tables_by_group_and_sorted_ones_go_by_it() -> None:
    batches = [f"batch_{k}" for k in (10, 1, 2, 11) for _ in range(4)]
    ratings = iaa.from_wide([["x", "x"], ["x", "y"], ["y", "y"], ["y", "x"]] * 4)
    ratings = ratings.assign_coords(batch=("item", batches))
    groups = iaa.agreement_by(ratings, "batch", interval=None)
    assert groups["group"].values.tolist() == [f"batch_{k}" for k in (1, 2, 10, 11)]
    rows = iaa.items(ratings, sort="batch")
    assert list(dict.fromkeys(rows["batch"].values.tolist())) == [
        f"batch_{k}" for k in (1, 2, 10, 11)
    ]
