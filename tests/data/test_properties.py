"""Laws of the constructors: two ways to the same ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, strategies as st
from hypothesis.extra.numpy import arrays

import iaa_jax as iaa
from iaa_jax import IaaError, summary

LABELS = st.one_of(
    st.lists(st.integers(-3, 3), min_size=1, unique=True),
    st.lists(st.sampled_from(["yes", "no", "?", "", "NA"]), min_size=1, unique=True),
)


@st.composite
def grids(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Items x annotators of labels, with a pair on the first item."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(2, 5)))
    labels = draw(LABELS)
    cells = draw(arrays(object, shape, elements=st.sampled_from([*labels, None])))
    assume(sum(cell is not None for cell in cells[0]) >= 2)
    return cells


@given(grids())
def test_long_and_wide_tables_give_the_same(cells: np.ndarray[Any, Any]) -> None:
    wide = pd.DataFrame(cells, dtype=object)
    wide.index.name, wide.columns = "item", [f"a{k}" for k in range(cells.shape[1])]
    long = wide.reset_index().melt("item", var_name="annotator", value_name="label")
    assert iaa.from_long(long).identical(iaa.from_wide(wide))


@given(grids())
def test_cells_come_back(cells: np.ndarray[Any, Any]) -> None:
    ratings = iaa.from_wide(cells)
    values, codes = ratings["label"].values.tolist(), ratings["primary"].values
    back = [[None if code < 0 else values[code] for code in row] for row in codes.tolist()]
    assert back == cells.tolist()


@given(grids())
def test_sets_of_one_label_are_single_labels(cells: np.ndarray[Any, Any]) -> None:
    rows = [[None if cell is None else [cell] for cell in row] for row in cells.tolist()]
    np.testing.assert_array_equal(
        iaa.from_sets(rows)["mass"].values, iaa.data.mass(iaa.from_wide(cells)).values
    )


@given(arrays(np.int64, st.integers(1, 4).map(lambda n: (n, n)), elements=st.integers(0, 4)))
def test_contingency_is_the_expanded_table(counts: np.ndarray[Any, Any]) -> None:
    assume(counts.sum() > 0)
    labels = list(range(1, len(counts) + 1))
    compact = iaa.from_contingency(counts)
    rows = [[i + 1, j + 1] for i, j in np.ndindex(*counts.shape) for _ in range(counts[i, j])]
    expanded = iaa.from_wide(rows, labels=labels)
    one, other = summary(compact), summary(expanded)
    assert (one.items, one.ratings, one.labels) == (other.items, other.ratings, other.labels)
    assert (one.pairable_items, one.missing_share) == (other.pairable_items, other.missing_share)
    weight = compact["item_weight"].values
    np.testing.assert_allclose(
        np.einsum("i,ial->al", weight, iaa.data.mass(compact).values),
        iaa.data.mass(expanded).values.sum(axis=0),
    )


@given(arrays(np.int64, (4, 3), elements=st.integers(0, 5)))
def test_counts_come_back(counts: np.ndarray[Any, Any]) -> None:
    assume((counts.sum(axis=1) >= 2).any())
    ratings = iaa.from_counts(counts)
    np.testing.assert_array_equal(np.nansum(iaa.data.mass(ratings).values, axis=1), counts)
    assert summary(ratings).largest_panel == counts.sum(axis=1).max()


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(0, 4), st.integers(0, 4)),
        elements=st.sampled_from([1.0, 2.0, np.nan, np.inf]),
    )
)
def test_anything_else_is_refused_in_words(cells: np.ndarray[Any, Any]) -> None:
    if np.isinf(cells).any() or ((~np.isnan(cells)).sum(axis=1) < 2).all():
        with pytest.raises(IaaError, match=r"not a finite number|no rating|only one|no item"):
            iaa.from_wide(cells)
    else:
        assert summary(iaa.from_wide(cells)).pairable_items >= 1
