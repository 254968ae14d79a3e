"""The constructors choose the form by size; both forms hold the same ratings."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from hypothesis import given, strategies as st

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.data.build import long_ratings, wide_ratings
from iaa_jax.data.build_sets import set_ratings
from iaa_jax.data.factorize import factorize
from iaa_jax.data.slots import in_grid, in_slots
from tests.data.crowds import table

SETS = [[], ["a"], ["a", "c"]]


def frame(codes: np.ndarray[Any, Any], seed: int) -> pd.DataFrame:
    """A row a cell, in some order; cells that were not rated have no label."""
    items, annotators = np.indices(codes.shape).reshape(2, -1)
    rows = np.random.default_rng(seed).permutation(codes.size)
    first = codes.ravel()
    second = np.where(first == 0, 2.0, np.nan)
    return pd.DataFrame(
        {"item": items, "annotator": annotators, "label": first, "second": second}
    ).iloc[rows]


def cells_of_sets(codes: np.ndarray[Any, Any]) -> list[list[list[str] | None]]:
    return [[None if np.isnan(code) else SETS[int(code)] for code in row] for row in codes]


def rows_of_sets(codes: np.ndarray[Any, Any]) -> xr.Dataset:
    items, annotators = np.nonzero(~np.isnan(codes) | (codes.sum() == 0))
    answers = (codes[items, annotators].astype(int), [tuple(group) for group in SETS])
    return set_ratings(
        (items, np.arange(len(codes))),
        (annotators, np.arange(codes.shape[1])),
        answers,  # type: ignore[arg-type]
        None,
        str,
    )


MAKERS: dict[str, Callable[[np.ndarray[Any, Any], int], xr.Dataset]] = {
    "long": lambda codes, seed: iaa.from_long(frame(codes, seed)),
    "secondary": lambda codes, seed: iaa.from_long(frame(codes, seed), secondary="second"),
    "wide": lambda codes, seed: iaa.from_wide(codes),
    "sets": lambda codes, seed: iaa.from_sets(cells_of_sets(codes)),
    "set rows": lambda codes, seed: rows_of_sets(codes),
    "values": lambda codes, seed: iaa.from_values(codes / 7),
}


@given(st.integers(0, 10_000), st.sampled_from(sorted(MAKERS)))
def test_either_form_holds_the_same_ratings(seed: int, maker: str) -> None:
    codes = table(seed)
    dense = MAKERS[maker](codes, seed)
    assert "slot" not in dense.dims
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 0)
        patch.setattr("iaa_jax._thresholds.TIMES_PANEL", 0)
        kept = MAKERS[maker](codes, seed)
    assert kept.identical(in_slots(dense))
    assert in_grid(kept).identical(dense)


def sparse(annotators: int, panel: int) -> np.ndarray[Any, Any]:
    """Two ratings per item, except the first; every annotator rates."""
    codes = np.full((annotators, annotators), np.nan)
    codes[np.arange(annotators), np.arange(annotators)] = 1
    codes[np.arange(annotators), np.arange(annotators) - 1] = 2
    codes[0] = np.nan
    codes[0, :panel] = 0
    return codes


@pytest.mark.parametrize("maker", sorted(MAKERS))
@pytest.mark.parametrize(
    ("annotators", "panel", "by_slot"), [(100, 25, True), (100, 26, False), (99, 2, False)]
)
def test_size_decides(maker: str, annotators: int, panel: int, by_slot: bool) -> None:
    kept = MAKERS[maker](sparse(annotators, panel), 0)
    assert ("slot" in kept.dims) == by_slot
    assert kept.attrs.get("slots") == (panel if by_slot else None)
    assert kept.sizes["annotator"] == annotators
    assert iaa.summary(kept).annotators == annotators
    assert iaa.summary(kept).largest_panel == panel


def test_anonymous_ratings_are_slots_already() -> None:
    counts = np.zeros((3, 2), dtype=int)
    counts[:, 0] = [150, 2, 2]
    ratings = iaa.from_counts(counts)
    assert ratings.sizes["annotator"] == 150
    assert "slot" not in ratings.dims
    rows = np.arange(200)
    items, annotators = (rows // 2, np.arange(100)), (rows % 2, np.arange(120))
    anonymous = long_ratings(items, annotators, [factorize(rows % 3)], None, str, anonymous=True)
    assert "slot" not in anonymous.dims
    assert "slot" in long_ratings(items, annotators, [factorize(rows % 3)], None, str).dims


def crowded(rows: int = 4000) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(rows // 4), 4)
    annotators = (rng.integers(0, 50, rows // 4)[:, None] * 4 + np.arange(4)).ravel()
    names = np.array([f"worker {k}" for k in range(200)], dtype=object)
    codes = {"item": items, "annotator": names[annotators], "label": rng.integers(0, 5, rows)}
    return pd.DataFrame(codes)


def message(table: pd.DataFrame) -> str:
    with pytest.raises(IaaError) as caught:
        iaa.from_long(table)
    return str(caught.value)


def test_repeated_ratings_are_refused_in_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowded()
    again = table.iloc[[17, 800, 17, 3]]
    other = pd.concat([table, again.assign(label=1)]).sample(frac=1, random_state=0)
    found = message(other)
    key = other["item"].astype(str) + other["annotator"]
    rows = np.flatnonzero(key.duplicated())
    assert found.startswith(
        "4 ratings by an annotator who had already rated the item: "
        f"row {rows[0]} (item {other['item'].iloc[rows[0]]}, "
        f"annotator {other['annotator'].iloc[rows[0]]!r}); row {rows[1]} "
    )
    monkeypatch.setattr("iaa_jax._thresholds.MANY_ANNOTATORS", 1000)
    assert message(other) == found


def test_sorting_by_index_where_numbers_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = crowded()
    packed = iaa.from_long(table)
    assert packed.sizes["slot"] == 4
    monkeypatch.setattr("iaa_jax._thresholds.SLOT_KEY_BITS", 10)
    assert iaa.from_long(table).identical(packed)
    again = pd.concat([table, table.iloc[[5]]])
    words = message(again)
    monkeypatch.undo()
    assert message(again) == words


def test_only_one_annotator_is_named() -> None:
    rows = {"item": np.arange(300), "annotator": ["w7"] * 300, "label": np.arange(300) % 2}
    others = {"item": [0] * 150, "annotator": [f"v{k}" for k in range(150)], "label": [None] * 150}
    table = pd.concat([pd.DataFrame(rows), pd.DataFrame(others)])
    assert "only one annotator ('w7') rated anything (300 ratings)" in message(table)
    nobody = table.assign(label=None)
    assert "there is no rating in the data (300 items, 151 annotators)" in message(nobody)


def test_long_tables_never_become_a_grid() -> None:
    rng = np.random.default_rng(1)
    items, annotators, panel = 20_000, 2_000, 3
    who = (rng.integers(0, annotators, items)[:, None] + np.arange(panel) * 7) % annotators
    table = {
        "item": np.repeat(np.arange(items), panel),
        "annotator": who.ravel(),
        "label": rng.integers(0, 5, items * panel),
    }
    codes = np.array([0, 1, 2])[rng.integers(0, 3, items * panel)]
    sets = (codes, [tuple(group) for group in SETS])
    ids = ((table["item"], np.arange(items)), (table["annotator"], np.arange(annotators)))
    tracemalloc.start()
    kept = iaa.from_long(table)
    several = set_ratings(*ids, sets, None, str)  # type: ignore[arg-type]
    iaa.summary(kept)
    iaa.data.mass(kept)
    iaa.data.compress(kept)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (kept.sizes["slot"], several.sizes["slot"]) == (panel, panel)
    # a grid of bytes alone would be 40 MB
    assert peak < 30e6


def test_anonymous_columns_stay_columns() -> None:
    codes = sparse(100, 3)
    items, names = np.arange(100), np.array([f"rating {k}" for k in range(1, 101)], dtype=object)
    cells = factorize(codes.ravel())
    assert "slot" not in wide_ratings(cells, items, names, None, str, anonymous=True).dims
    assert "slot" in wide_ratings(cells, items, names, None, str).dims
