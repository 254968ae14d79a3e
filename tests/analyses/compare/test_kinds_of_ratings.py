"""Comparing sets of any kind of ratings: labels and their order, slots, numbers, sets, counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.kernels import percent_agreement
from tests.analyses.compare.compared import FIRST, NAMES, SECOND, quick
from tests.analyses.made import by_slot, wide


def test_labels_are_those_of_both() -> None:
    a = iaa.from_wide([["x", "x"], ["y", "x"], ["y", "y"]] * 4)
    b = iaa.from_wide([["x", "z"], ["y", "y"], ["z", "z"]] * 4)
    found = quick(a, b, ["brennan_prediger", "gwet_ac1"])
    declared = iaa.from_wide([["x", "x"], ["y", "x"], ["y", "y"]] * 4, labels=["x", "y", "z"])
    alone = iaa.agreement(declared, ["brennan_prediger", "gwet_ac1"], interval=None)
    np.testing.assert_allclose(found.estimate_a, alone.estimate)
    assert found.attrs["labels"] == 3


def test_order_of_labels() -> None:
    low = iaa.from_wide([["low", "mid"], ["mid", "mid"]] * 4, labels=["low", "mid"])
    high = iaa.from_wide([["mid", "high"], ["low", "low"]] * 4, labels=["low", "mid", "high"])
    assert quick(low, high, level="ordinal").attrs["labels"] == 3
    turned = iaa.from_wide([["mid", "low"], ["low", "low"]] * 4, labels=["mid", "low"])
    with pytest.raises(iaa.IaaError, match=r"different orders.*'low', 'mid' in the first.*labels="):
        quick(low, turned)
    apart = iaa.from_wide([["mid", "low"], ["mid", "end"]] * 4, labels=["low", "end", "mid"])
    other = iaa.from_wide([["mid", "low"], ["top", "low"]] * 4, labels=["low", "top", "mid"])
    assert quick(apart, other).attrs["labels"] == 4
    with pytest.raises(iaa.IaaError, match="labels in order"):
        quick(apart, other, level="ordinal")
    numbers = [iaa.from_wide([[1, 2], [k, k], [1, k]] * 3) for k in (3, 10)]
    assert quick(*numbers, level="ordinal").attrs["labels"] == 4
    mixed = iaa.from_wide([["1", "n/a"], ["n/a", "n/a"]] * 3)
    assert quick(numbers[0], mixed).attrs["labels"] == 4


def test_ratings_by_slot_give_the_same() -> None:
    dense = [wide(FIRST), wide(SECOND)]
    slots = [by_slot(FIRST), by_slot(SECOND)]
    given = {"interval": "percentile", "replicates": 60, "permutations": 60}
    wanted = quick(*dense, NAMES, **given)
    for one, other in ((slots[0], slots[1]), (dense[0], slots[1])):
        found = quick(one, other, NAMES, **given)
        xr.testing.assert_allclose(found.drop_attrs(), wanted.drop_attrs())
    renamed = slots[1].assign_coords(annotator=["d", "c", "b", "a"])
    again = iaa.data.in_slots(
        iaa.data.in_grid(slots[1]).assign_coords(annotator=["d", "c", "b", "a"])
    )
    assert again.annotator.values.tolist() == renamed.annotator.values.tolist()
    found = quick(dense[0], again, NAMES, **given)
    np.testing.assert_allclose(found.estimate_b, wanted.estimate_b)


def test_numbers() -> None:
    rng = np.random.default_rng(5)
    values = [iaa.from_values(rng.normal(size=(20, 3)) + rng.normal(size=(20, 1))) for _ in "ab"]
    found = quick(*values, None)
    assert {"krippendorff_alpha", "icc2"} <= set(found.coefficient.values.tolist())
    wanted = iaa.agreement(values[1], ["icc2"], interval=None).estimate
    np.testing.assert_allclose(found.estimate_b.sel(coefficient=["icc2"]), wanted)
    text = str(iaa.page(found.sel(coefficient=["icc2"]).assign_attrs(coefficient="icc2")))
    assert "ICC(2)" in text
    assert "numbers (" not in text
    with pytest.raises(iaa.IaaError, match="different kinds of ratings"):
        quick(values[0], wide(FIRST))


def test_label_sets() -> None:
    sets = [
        iaa.from_sets([[{"x"}, {"x", "y"}], [{"y"}, {"y"}], [set(), {extra}]] * 4)
        for extra in ("x", "z")
    ]
    found = quick(*sets, distance="masi")
    assert found.attrs["labels"] == 3
    assert np.isfinite(found.difference).all()
    together = quick(*sets, ["krippendorff_alpha", "am_agreement"], per_label=False)
    alone = iaa.am_agreement(sets[1], interval=None).estimate
    assert float(together.estimate_b[1]) == pytest.approx(float(alone))
    assert quick(*sets, None, per_label=True).sizes["label"] == 3


def test_counts() -> None:
    rng = np.random.default_rng(5)
    counts = [iaa.from_counts(rng.multinomial(5, [0.5, 0.3, 0.2], 30)) for _ in "ab"]
    found = quick(*counts, "fleiss_kappa", permutations=50)
    assert float(found.estimate_a[0]) == pytest.approx(
        float(iaa.fleiss_kappa(counts[0], interval=None).estimate)
    )
    assert np.isfinite(found.permutation_p_value).all()
    mixed = quick(wide(FIRST), counts_of(SECOND), "fleiss_kappa", paired=True)
    assert np.isfinite(mixed.difference).all()


def counts_of(rows: list[list[Any]]) -> xr.Dataset:
    return iaa.from_counts(
        [[row.count(label) for label in ("a", "b", "c")] for row in rows], labels=["a", "b", "c"]
    )


def test_primary_labels_beside_primary_and_secondary_ones() -> None:
    frame = {
        "item": np.repeat(np.arange(12), 2),
        "annotator": ["x", "y"] * 12,
        "label": list("aabbab" * 4),
        "second": list("b-a-b-" * 4),
    }
    frame["second"] = [
        None if one == "-" or one == first else one
        for one, first in zip(frame["second"], frame["label"], strict=True)
    ]
    a = iaa.from_long(frame)
    b = iaa.from_long(frame, secondary="second")
    found = quick(a, b, "augmented_kappa", p=0.6)
    wanted = iaa.augmented_kappa(b, p=0.6, interval=None).estimate
    assert float(found.estimate_b[0]) == pytest.approx(float(wanted))


def test_a_function_of_the_users_own() -> None:
    a, b = wide(FIRST), wide(SECOND)
    given = {"interval": "percentile", "replicates": 50, "permutations": 20}
    own, known = (quick(a, b, name, **given) for name in (percent_agreement, "percent_agreement"))
    for name in ("difference", "standard_error", "ci_low", "permutation_p_value"):
        np.testing.assert_allclose(own[name], known[name], atol=1e-12)
