"""Numbers coded in one pass and by hashing: both as a slow loop codes them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, strategies as st

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax._thresholds import LABELS_TOGETHER
from iaa_jax.data import factorize as factorizing
from iaa_jax.data.factorize import Column, factorize
from iaa_jax.data.labels import code_columns

Cells = np.ndarray[Any, Any]

SIGNED = (np.int8, np.int16, np.int32, np.int64)
UNSIGNED = (np.uint8, np.uint16, np.uint32, np.uint64)
FLOATS = (np.float32, np.float64)

NEAR = (-2, -1, 0, 1, 2, 5)
EDGES = (-129, -128, -127, -126, 124, 125, 126, 127, 128, 255)
"""Around the last step of one byte, which is what one pass can take."""
FAR = (-(10**6), -40_000, 32_767, 65_533, 65_534, 65_535, 65_536, 10**6)
"""Around the last step of the small range, beyond which numbers are hashed."""
BETWEEN = (-0.5, 0.25, 1.5, 126.5)


@st.composite
def numbers(draw: st.DrawFn, size: tuple[int, int] = (1, 40)) -> Cells:
    """Numbers or booleans of any type, near each other or not, side by side in memory or not."""
    dtype = draw(st.sampled_from((*FLOATS, *FLOATS, *FLOATS, *SIGNED, *UNSIGNED, np.bool_)))
    if dtype == np.bool_:
        pool: tuple[float, ...] = (0, 1)
    elif dtype in FLOATS:
        more = draw(st.sampled_from(((), EDGES, FAR, BETWEEN, tuple(range(0, 60, 2)))))
        pool = (*NEAR, *more, math.nan)
    else:
        kept = np.iinfo(dtype)
        more = draw(st.sampled_from(((), EDGES, FAR)))
        pool = tuple(n for n in NEAR + more if kept.min <= n <= kept.max)
    cells = draw(st.lists(st.sampled_from(pool), min_size=size[0], max_size=size[1]))
    flat: Cells = np.array(cells, dtype=dtype)
    layout = draw(st.sampled_from(("plain", "backwards", "a column of a table")))
    if layout == "backwards":
        return flat[::-1].copy()[::-1]
    if layout == "a column of a table":
        return np.stack([flat, flat[::-1]], axis=1)[:, 0]
    return flat


def fits_one_pass(flat: Cells, block: int) -> bool:
    """Whether all are whole, of one byte, from the lowest of the first block to 126 beyond it."""
    first = [value for value in flat[:block].tolist() if not math.isnan(value)]
    told = [value for value in flat.tolist() if not math.isnan(value)]
    if not first or not -128 < min(first) <= 127:
        return False
    return all(value % 1 == 0 and value <= 127 and 0 <= value - min(first) <= 126 for value in told)


def _as_written(value: object) -> object:
    short = isinstance(value, (np.float16, np.float32)) and value % 1 != 0
    plain = float(str(value)) if short else value
    return plain.item() if isinstance(plain, np.generic) else plain


def assert_as_a_loop_says(column: Column, flat: Cells) -> None:
    """The labels, their types, and the code of each cell."""
    cells = [
        None
        if value != value
        else str(value)
        if isinstance(value, bool)
        else int(value)
        if value % 1 == 0 and abs(value) < 2**53
        else value
        for value in (_as_written(value) for value in flat)
    ]
    wanted = sorted({cell for cell in cells if cell is not None})
    place: dict[object, int] = {label: code for code, label in enumerate(wanted)}
    place[None] = -1
    kinds = {type(label) for label in wanted}
    if any(isinstance(label, float) and 2**53 <= abs(label) < 2**64 for label in wanted):
        assert [column[1][code] for code in column[0].tolist() if code >= 0] == [
            cell for cell in cells if cell is not None
        ]
        with pytest.raises(IaaError, match="that floats cannot hold exactly"):
            code_columns([column], None, "place {}".format)
        return
    found = code_columns([column], None, "place {}".format)
    assert found.values.tolist() == wanted
    assert found.codes[0].tolist() == [place[cell] for cell in cells]
    assert found.values.dtype.kind == ("f" if float in kinds else "i" if int in kinds else "O")
    assert {label for label in column[1] if isinstance(label, float)} == {
        label for label in wanted if isinstance(label, float)
    }
    assert (found.declared, found.ordered) == (False, bool(kinds & {int, float}))


@contextmanager
def without(*names: str, block: int = LABELS_TOGETHER) -> Iterator[None]:
    """Quicker ways put aside, and so many cells looked at together."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("iaa_jax._thresholds.LABELS_TOGETHER", block)
        for name in names:
            patch.setattr(factorizing, name, lambda _: None)
        yield


@given(numbers(), st.sampled_from((1, 3, 16, LABELS_TOGETHER)))
def test_every_way_codes_as_a_loop_does(flat: Cells, block: int) -> None:
    before = flat.copy()
    for aside in ((), ("_counted_in_one_pass",)):
        with without(*aside, block=block):
            assert_as_a_loop_says(factorize(flat), flat)
    np.testing.assert_array_equal(flat, before)


@given(numbers(), st.sampled_from((1, 3, 16, LABELS_TOGETHER)))
def test_one_pass_takes_small_whole_numbers(flat: Cells, block: int) -> None:
    assume(flat.dtype.kind == "f")
    with without(block=block):
        found = factorizing._counted_in_one_pass(flat)
    assert (found is not None) == fits_one_pass(flat, block)
    if found is not None:
        assert found[0].dtype == np.int8
        assert {type(label) for label in found[1]} == {int}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "cells",
    [
        [5, 5, 5, 5],
        [-7],
        [0.0, -0.0, 1, math.nan],
        [0, 126],
        [-63, 63],
        [*range(127)],
        [*range(-126, 1), math.nan, -50],
        [*range(17), 3, 3, 9],
        [1, 127],
        [-127, -1],
        [math.nan, 2, math.nan, 4],
    ],
)
def test_one_pass_takes(cells: list[float], dtype: Any) -> None:
    flat = np.array(cells, dtype=dtype)
    found = factorizing._counted_in_one_pass(flat)
    assert found is not None
    assert_as_a_loop_says(found, flat)


@pytest.mark.parametrize(
    "later",
    [
        [0, 3],  # below the lowest of the first ones, by one and by more
        [-127, 3],
        [-128, 3],
        [-50, 3],
        [0.5, 3],
        [2.5, 3],
        [0, 2.5],  # one number has no code, and one code no number
        [127.9, 3],
        [128, 3],
        [300, 3],
        [2.0**60, 3],
        [-(2.0**60), 3],
        [1 + 2**-20, 3],
        [math.nan, 0.25],
    ],
)
@pytest.mark.parametrize("dtype", FLOATS)
def test_one_pass_leaves_what_the_first_ones_do_not_tell(later: list[float], dtype: Any) -> None:
    flat = np.array([1, 2, math.nan, 1, *later], dtype=dtype)
    with without(block=4):
        assert factorizing._counted_in_one_pass(flat) is None
        assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize(
    "cells",
    [
        [math.nan, math.nan, math.nan, math.nan, 1, 2],
        [0.5, 1, 2, 2, 1, 2],
        [-0.5, 1, 2, 2, 1, 2],
        [2.0**53, 2.0**53 + 4],
        [-(2.0**53), -(2.0**53) + 1],
        [2.0**60],
        [1_000_000, 1_000_126, 1_000_003],
        [2, 128],
        [-128, -127],
        [40, 40, 40, 40, -99, 41],  # a byte less 39 goes round
        [100, 100, 100, 100, 100, -99],
    ],
)
def test_one_pass_leaves_numbers_that_begin_otherwise(cells: list[float]) -> None:
    flat = np.array(cells)
    with without(block=4):
        assert factorizing._counted_in_one_pass(flat) is None
        assert_as_a_loop_says(factorize(flat), flat)


def test_numbers_of_two_bytes_keep_missing_ones_apart() -> None:
    flat = np.array([0, 2048, math.nan], dtype=np.float16)
    assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize("place", [0, 3, 4, 9])
@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_infinite_numbers_are_refused_wherever_they_stand(place: int, value: float) -> None:
    flat = np.arange(10.0)
    flat[place] = value
    with without(block=4), pytest.raises(IaaError, match=f"not a finite number: .*at {place};"):
        code_columns([factorize(flat)], None, str)


@pytest.mark.parametrize("value", [math.nan, 0.0, -3.0, 1.5, 130.0, 1e9])
@pytest.mark.parametrize("place", [0, LABELS_TOGETHER - 1, LABELS_TOGETHER, -1])
def test_one_cell_of_many_that_is_unlike_the_others(place: int, value: float) -> None:
    rng = np.random.default_rng(0)
    flat = rng.integers(1, 6, 2 * LABELS_TOGETHER + 7).astype(float)
    flat[rng.random(flat.size) < 0.1] = math.nan
    flat[place] = value
    assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize("dtype", [np.int16, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("count", [126, 127, 128, 130, 255, 256, 257])
def test_every_number_of_labels(count: int, dtype: Any) -> None:
    flat = np.arange(count, dtype=dtype)[::-1] - 3
    assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@pytest.mark.parametrize("count", [129, 32_769])
def test_one_label_more_than_a_type_of_codes_has_positive_numbers(count: int, dtype: Any) -> None:
    flat = np.arange(count, dtype=dtype)
    assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize(
    ("cells", "dtype"),
    [
        ([-1, 1e-17, 0], np.float64),
        ([-1, 0.1 + 0.2 - 0.3, 0], np.float64),
        ([-1, 1e-9], np.float32),
        ([-65_000, 0.001], np.float32),
        ([-2000, 1001], np.float16),
    ],
)
def test_numbers_close_to_a_whole_one_are_not_that_one(cells: list[float], dtype: Any) -> None:
    flat = np.array(cells, dtype=dtype)
    assert_as_a_loop_says(factorize(flat), flat)


def test_numbers_beyond_what_floats_can_tell_apart_stay_floats() -> None:
    flat = np.array([2.0**53 - 1, 2.0**53])
    assert_as_a_loop_says(factorize(flat), flat)


@pytest.mark.parametrize("dtype", [*FLOATS, *SIGNED, *UNSIGNED, np.bool_, object])
def test_no_cells_are_no_labels(dtype: Any) -> None:
    index, known = factorize(np.empty(0, dtype=dtype))
    assert len(index) == len(known) == 0


@given(st.data(), st.integers(2, 4), st.integers(1, 6))
def test_tables_in_any_layout(data: st.DataObject, annotators: int, items: int) -> None:
    size = items * annotators
    cells = np.array(data.draw(numbers((size, size)))).reshape(items, annotators)
    if cells.dtype.kind == "f":
        cells[:, data.draw(st.integers(0, annotators - 1))] = math.nan  # who never rated
    rated = cells == cells
    assume((rated.sum(axis=1) >= 2).any())
    one_by_one = cells.astype(object)
    one_by_one[~rated] = None
    wanted = iaa.from_wide(one_by_one)
    wide = np.full((items, 2 * annotators), 77, dtype=cells.dtype)
    wide[:, ::2] = cells
    for table in (cells, np.asfortranarray(cells), wide[:, ::2], cells.copy()[::-1][::-1]):
        found = iaa.from_wide(table)
        assert found.identical(wanted)
        assert found["primary"].dtype == wanted["primary"].dtype
        assert found["label"].dtype == wanted["label"].dtype
    names = [f"annotator {number}" for number in range(1, annotators + 1)]
    assert iaa.from_wide(pd.DataFrame(cells, columns=names)).identical(wanted)
