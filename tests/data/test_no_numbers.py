"""Cells that are hidden or no plain numbers: times, complex numbers, masked cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError

COUNTS = np.array([[2, 1], [0, 2]])
HIDDEN = np.ma.array(COUNTS, mask=[[False, True], [False, False]])
BOTH = [iaa.from_counts, iaa.from_contingency]
KINDS = ["complex128", "datetime64[ns]", "datetime64[D]", "timedelta64[ns]", "timedelta64[s]"]
FORMS: dict[str, Callable[[Any], Any]] = {
    "array": lambda array: array,
    "list": lambda array: [list(row) for row in array],
    "list of arrays": list,
    "objects": lambda array: np.array([list(row) for row in array], dtype=object),
    "frame": pd.DataFrame,
    "frame of objects": lambda array: pd.DataFrame(array).astype(object),
}


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize(
    "table",
    [
        HIDDEN,
        HIDDEN.astype(float),
        HIDDEN.astype(object),
        list(HIDDEN),
        [[2, np.ma.masked], [0, 2]],
        ([2, np.ma.masked], np.array([0, 2])),
    ],
)
def test_masked_counts_are_missing(make: Callable[..., Any], table: Any) -> None:
    with pytest.raises(IaaError, match=r"^1 count missing: .*, column 2; write 0 where nobody"):
        make(table)


@pytest.mark.parametrize("make", BOTH)
def test_a_mask_that_hides_nothing(make: Callable[..., Any]) -> None:
    assert make(np.ma.array(COUNTS)).identical(make(COUNTS))
    assert make(list(np.ma.array(COUNTS))).identical(make(COUNTS))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [*BOTH, iaa.from_values])
def test_times_and_complex_numbers_are_no_numbers(make: Callable[..., Any], kind: str) -> None:
    noun = "cell" if make is iaa.from_values else "count"
    for form in FORMS.values():
        with pytest.raises(IaaError, match=rf"^4 {noun}s not a number: "):
            make(form(COUNTS.astype(kind)))


def test_where_a_count_is_no_number() -> None:
    frame = pd.DataFrame({"yes": [1, 2], "no": pd.to_timedelta([3, 4], unit="s")}, index=["x", "y"])
    with pytest.raises(IaaError) as caught:
        iaa.from_counts(frame)
    assert str(caught.value) == (
        "2 counts not a number: 0 days 00:00:03 at row x, column no; 0 days 00:00:04 at row y, "
        "column no; counts are whole numbers: convert these first"
    )


@pytest.mark.parametrize("make", [iaa.from_wide, iaa.from_values])
@pytest.mark.parametrize("table", [HIDDEN, list(HIDDEN), [[2, np.ma.masked], [0, 2]]])
def test_masked_cells_are_not_rated(make: Callable[..., Any], table: Any) -> None:
    assert make(table).identical(make([[2, None], [0, 2]]))


def test_masked_sets_are_not_rated() -> None:
    sets = iaa.from_sets([[["a"], np.ma.masked], [["a"], ["b"]]])
    assert sets.identical(iaa.from_sets([[["a"], None], [["a"], ["b"]]]))


def test_times_keep_their_names_as_labels() -> None:
    days = np.array([["2020-01-02", "2020-01-01"], ["2020-01-02", "NaT"]], dtype="datetime64[ns]")
    for table in (days, pd.DataFrame(days)):
        ratings = iaa.from_wide(table)
        assert ratings["label"].values.tolist() == ["2020-01-01 00:00:00", "2020-01-02 00:00:00"]
        assert ratings["primary"].values.tolist() == [[1, 0], [1, -1]]
    rows = {"item": [1, 1], "annotator": [1, 2], "label": days[0]}
    assert iaa.from_long(rows)["primary"].values.tolist() == [[1, 0]]
