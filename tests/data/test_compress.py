"""Compression: the same ratings with counts, and a merge that is associative."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
import xarray as xr
from hypothesis import given, strategies as st

import iaa_jax as iaa
from iaa_jax.data.compression import compress, merge
from iaa_jax.data.patterns import Codes, exchangeable_patterns, identified_patterns

codes_of = st.integers(1, 6).flatmap(
    lambda labels: st.tuples(
        st.just(labels),
        st.lists(
            st.lists(st.integers(-1, labels - 1), min_size=3, max_size=3), min_size=1, max_size=30
        ),
    )
)


@given(codes_of, st.booleans())
def test_patterns_are_the_distinct_rows(drawn: tuple[int, list[list[int]]], many: bool) -> None:
    labels, rows = drawn
    # many declared labels take the way for keys that do not fit in one number
    codes = Codes(np.array(rows, dtype=np.int64), 10**9 if many else labels)
    found = identified_patterns(codes)
    assert {tuple(row) for row in found.codes} == {tuple(row) for row in rows}
    assert np.array_equal(found.codes[found.pattern_of], codes.codes)
    assert np.array_equal(codes.codes[found.first], found.codes)
    assert found.count.sum() == len(rows)
    loose = exchangeable_patterns(codes)
    wanted = [sorted(row, key=lambda code: (code < 0, code)) for row in rows]
    used = loose.codes.shape[1]
    assert used == max(sum(code >= 0 for code in row) for row in [*wanted, [0]])
    assert np.array_equal(loose.codes[loose.pattern_of], np.array(wanted)[:, :used])
    assert len({tuple(row) for row in wanted}) == len(loose.count)


def some(seed: int, items: int = 40, task: str = "single") -> xr.Dataset:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 3, (items, 3)).astype(float)
    x[rng.random(x.shape) < 0.2] = np.nan
    x[0] = [0, 1, 2]
    if task == "value":
        return iaa.from_values(x / 3)
    if task == "multi_label":
        rows = [[None if np.isnan(v) else ["a", "b"][: int(v)] for v in row] for row in x.tolist()]
        return iaa.from_sets(rows, labels=["a", "b"])
    return iaa.from_wide(x)


@pytest.mark.parametrize("task", ["single", "value", "multi_label"])
def test_coefficients_are_the_same_on_compressed_ratings(task: str) -> None:
    ratings = some(0, task=task)
    whole = iaa.agreement(ratings, interval="normal")
    identified = compress(ratings)
    assert identified.sizes["item"] < ratings.sizes["item"]
    xr.testing.assert_allclose(
        iaa.agreement(identified, interval="normal")[["estimate", "standard_error"]],
        whole[["estimate", "standard_error"]],
        rtol=1e-12,
    )
    loose = compress(ratings, anonymous=True)
    assert loose.sizes["item"] <= identified.sizes["item"]
    found = iaa.agreement(loose, interval="normal")
    assert set(found.coefficient.values) <= set(whole.coefficient.values)
    for name in found.coefficient.values:
        one, other = found.sel(coefficient=name), whole.sel(coefficient=name)
        assert float(one.estimate) == pytest.approx(float(other.estimate), abs=1e-12)
        assert float(one.standard_error) == pytest.approx(float(other.standard_error), abs=1e-12)
    iaa.data.validate(identified)
    iaa.data.validate(loose)


@pytest.mark.parametrize("exchangeable", [False, True])
@pytest.mark.parametrize("task", ["single", "value", "multi_label"])
def test_merge_is_associative_and_the_whole(task: str, exchangeable: bool) -> None:
    ratings = some(2, 60, task)
    bounds = [slice(0, 20), slice(20, 35), slice(35, 60)]
    parts = [compress(ratings.isel(item=part), anonymous=exchangeable) for part in bounds]
    whole = compress(ratings, anonymous=exchangeable)
    left = merge(merge(parts[0], parts[1]), parts[2])
    right = merge(parts[0], merge(parts[1], parts[2]))
    xr.testing.assert_identical(left, right)
    storage = {"single": "primary", "value": "value", "multi_label": "mass"}[task]
    for order in permutations(range(3)):
        found = merge(merge(parts[order[0]], parts[order[1]]), parts[order[2]])
        assert np.array_equal(found.item_weight, whole.item_weight)
        assert np.array_equal(found[storage], whole[storage], equal_nan=True)


def test_merge_takes_the_labels_and_annotators_of_both() -> None:
    one = iaa.from_wide([["b", "c"], ["c", "c"]])
    other = iaa.from_wide([["a", "b", "b"], ["a", None, "b"]])
    found = merge(one, other)
    assert found.label.values.tolist() == ["a", "b", "c"]
    assert found.annotator.values.tolist() == ["annotator 1", "annotator 2", "annotator 3"]
    whole = iaa.from_wide([["b", "c", None], ["c", "c", None], ["a", "b", "b"], ["a", None, "b"]])
    assert float(iaa.fleiss_kappa(found, interval=None).estimate) == pytest.approx(
        float(iaa.fleiss_kappa(whole, interval=None).estimate), abs=1e-14
    )
