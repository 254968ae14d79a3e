"""Every function gives on patterns what it gives on the ratings that they stand for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from tests.taken import one_of

ALPHA = "krippendorff_alpha"
KEPT = ("doc", "batch", "day")


@cache
def ratings(crowd: bool = False) -> xr.Dataset:
    """Documents of 40 items, with many items alike in each; two annotators are no longer there."""
    rng = np.random.default_rng(5)
    items = 240
    truth = rng.integers(0, 2, items)
    rows = [
        (i, f"ann {a}", "xyz"[truth[i] if rng.random() < 0.7 else rng.integers(0, 3)])
        for i in range(items)
        for a in rng.permutation(130 if crowd else 4)[:3]
    ]
    made = iaa.from_long(pd.DataFrame(rows, columns=["item", "annotator", "label"]))
    item = np.arange(items)
    return made.assign_coords(
        doc=("item", np.array([f"d{(7 * (each // 40)) % 6}" for each in item], dtype=object)),
        batch=("item", np.where(item < 100, "late", "early").astype(object)),
        day=("item", item // 20),
    )


def assert_figures_equal(found: object, expected: object) -> None:
    """Equal but for what the items are called, and for what rounding may do to a sum."""
    if not isinstance(expected, xr.Dataset):
        assert found == expected
        return
    assert isinstance(found, xr.Dataset)
    for name, variable in expected.variables.items():
        if {"item", "case"} & {*variable.dims}:  # cases are items that are alike
            continue
        one, other = found[name].values, variable.values
        if other.dtype.kind == "f":
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=str(name))
        else:
            np.testing.assert_array_equal(one, other, err_msg=str(name))
    assert found.attrs.get("conclusion") == expected.attrs.get("conclusion")


CLUSTERS = iaa.Sampling(cluster="doc")

OF_ALL: dict[str, Callable[[xr.Dataset], object]] = {
    "agreement": lambda r: iaa.agreement(r, replicates=99),
    "annotators drawn": lambda r: iaa.agreement(
        r, [ALPHA], sampling=iaa.Sampling(annotators="random"), replicates=99
    ),
    "bootstrap": lambda r: iaa.bootstrap(r, ALPHA, replicates=99),
    "studentized": lambda r: iaa.krippendorff_alpha(r, interval="studentized", replicates=99),
    "abc": lambda r: iaa.fleiss_kappa(r, interval="abc"),
    "population": lambda r: iaa.krippendorff_alpha(
        r, sampling=iaa.Sampling(population=500), replicates=99
    ),
    "influence": lambda r: iaa.influence(r, ALPHA),
    "covariance": lambda r: iaa.covariance(r),
    "labels": lambda r: iaa.labels(r),
    "label_merges": lambda r: iaa.labels.merges(r, replicates=99),
    "per_label": lambda r: iaa.per_label(r),
    "annotators": lambda r: iaa.annotators(r),
    "plan": lambda r: iaa.plan(r, half_width=0.05),
    "variance": iaa.variance,
    "judge": lambda r: iaa.judge(r, judges=["ann 0"], min_items=2, replicates=99),
    "gold": lambda r: iaa.gold(r, method="wawa"),
}

OF_FEW: dict[str, Callable[[xr.Dataset], object]] = {
    "zero_agreement": lambda r: iaa.zero_agreement(r, permutations=99),
    "sharpen": lambda r: iaa.sharpen(r),
    "contingency": lambda r: iaa.contingency(r),
    "panels": lambda r: iaa.panels(r),
    "missing": lambda r: iaa.missing(r, points=1, imputations=2),
    "judged_scores": lambda r: iaa.judged_scores(r, judges=["ann 0"]),
    "what_if": lambda r: iaa.panels.what_if(r, draws=20),
}

KEPT_APART: dict[str, Callable[[xr.Dataset], object]] = {
    "agreement_by": lambda r: iaa.agreement_by(r, "batch", [ALPHA], replicates=99),
    "clusters": lambda r: iaa.agreement(r, sampling=CLUSTERS, replicates=99),
    "drift": lambda r: iaa.drift(r, "day", permutations=19),
    "drift of clusters": lambda r: iaa.drift(r, "day", permutations=19, sampling=CLUSTERS),
    "drift of batches as they come": lambda r: iaa.drift(r, "batch", permutations=19),
    "compare": lambda r: iaa.compare(r, by="batch", permutations=19),
    "compare clusters": lambda r: iaa.compare(r, by="batch", permutations=19, sampling=CLUSTERS),
    "plan by clusters": lambda r: iaa.plan(r, half_width=0.05, sampling=CLUSTERS),
    "label_merges of clusters": lambda r: iaa.labels.merges(r, replicates=99, sampling=CLUSTERS),
    "inverse_probability": lambda r: iaa.missing.inverse_probability(r, by="batch"),
    "judge on clusters": lambda r: iaa.judge(
        r, judges=["ann 0"], min_items=2, replicates=99, sampling=CLUSTERS
    ),
}


@pytest.mark.parametrize("function", one_of(2, OF_ALL))
@pytest.mark.parametrize("crowd", one_of(2, [True, False]))
def test_patterns_of_all_ratings(function: str, crowd: bool) -> None:
    given = ratings(crowd)
    found = OF_ALL[function](iaa.data.compress(given))
    assert_figures_equal(found, OF_ALL[function](given))


@pytest.mark.parametrize("function", one_of(2, OF_FEW))
def test_patterns_of_few_annotators(function: str) -> None:
    found = OF_FEW[function](iaa.data.compress(ratings()))
    assert_figures_equal(found, OF_FEW[function](ratings()))


@pytest.mark.parametrize("function", one_of(2, KEPT_APART))
def test_patterns_that_are_kept_apart(function: str) -> None:
    found = KEPT_APART[function](iaa.data.compress(ratings(), by=KEPT))
    assert_figures_equal(found, KEPT_APART[function](ratings()))


@pytest.mark.parametrize("certain", [True, False])
def test_gold_labels_are_drawn_item_by_item(certain: bool) -> None:
    """Of patterns with the same, perhaps uncertain, gold labels."""
    given = ratings().assign_coords(truth=("item", np.array(list("xyz"))[np.arange(240) % 3]))
    compressed = iaa.data.compress(given, by="truth")
    known = ("truth", "truth") if certain else (iaa.gold(given), iaa.gold(compressed))
    found, expected = (
        iaa.judge.against_gold(each, gold, replicates=99)
        for each, gold in zip((compressed, given), reversed(known), strict=True)
    )
    assert_figures_equal(found, expected)


def test_patterns_of_different_items_are_not_paired() -> None:
    """Their numbers are no names, even where as many items show each."""
    first = iaa.data.compress(iaa.from_wide([["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"]] * 6))
    other = iaa.data.compress(iaa.from_wide([["b", "c"], ["c", "b"], ["b", "b"], ["c", "c"]] * 6))
    np.testing.assert_array_equal(first.item_weight, other.item_weight)
    result = iaa.compare(first, other, ALPHA, permutations=0, replicates=99)
    assert (result.attrs["paired"], result.attrs["pairing"]) == (0, "patterns")
    with pytest.raises(iaa.IaaError, match="have lost their names"):
        iaa.compare(first, other, paired=True)
    with pytest.raises(iaa.IaaError, match="by='order' needs items in their order"):
        iaa.drift(first, "order")


def test_parts_of_the_same_patterns_are_paired() -> None:
    def two(given: xr.Dataset) -> xr.Dataset:
        pairs = ["ann 0", "ann 1"], ["ann 2", "ann 3"]
        a, b = (iaa.data.keep_annotators(given, names) for names in pairs)
        return iaa.compare(a, b, paired=True, permutations=19, replicates=99)

    found, expected = two(iaa.data.compress(ratings())), two(ratings())
    assert found.attrs["paired"] == 1
    assert_figures_equal(found, expected)
    for name in ("shared_items", "pairable_items_both", "left_out_items_a", "items_a"):
        assert found.attrs[name] == expected.attrs[name]
