"""Every reference case through the public functions, at its tolerance and to 1e-9."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.kernels.label_agreement import masi_distance
from tests.reference import INTRACLASS, REST, ReferenceCase, all_cases

CASES = all_cases()
SAME = {
    "weighted_kappa": "cohen_kappa",
    "light_kappa": "mean_pairwise_cohen_kappa",
    "siegel_castellan_kappa": "fleiss_kappa",
}
"""Names in the file for coefficients that have another name here."""


def ratings_of(case: ReferenceCase) -> xr.Dataset:
    labels = case.categories
    collapsed = case.options.get("collapse_to_category")
    if case.layout == "label_sets":
        return iaa.from_sets(case.data)
    if case.layout == "contingency_two_annotators":
        assert collapsed is None
        return iaa.from_contingency(case.data, labels=labels)
    if case.layout == "items_by_category_counts":
        counts = np.array(case.data)
        if case.coefficient in ("conger_kappa", "davies_fleiss_kappa", "light_kappa"):
            pytest.fail("a coefficient of identified annotators on counts")
        if collapsed is not None:
            place = labels.index(collapsed)
            kept = counts[:, [place]]
            counts = np.hstack([kept, counts.sum(axis=1, keepdims=True) - kept])
            labels = [str(collapsed), REST]
        return iaa.from_counts(counts, labels=labels)
    rows = case.data
    if case.coefficient in INTRACLASS:
        return iaa.from_values(rows)
    if collapsed is not None:
        rows = [
            [None if x is None else str(collapsed) if x == collapsed else REST for x in row]
            for row in rows
        ]
        labels = [str(collapsed), REST]
    frame = pd.DataFrame(rows, dtype=object)
    if labels is not None and any(isinstance(label, str) for label in labels):
        labels = [str(label) for label in labels]
        frame = frame.map(lambda x: None if x is None else str(x))
    return iaa.from_wide(frame, labels=labels)


def options_of(case: ReferenceCase, ratings: xr.Dataset) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name in ("level", "distance", "aggregation", "undefined_pairs"):
        if name in case.options:
            given["average" if name == "aggregation" else name] = case.options[name]
    if "weights" in case.options:
        given["weights"] = case.options["weights"]
    if case.options.get("weights_on") == "category_rank":
        given["weights_on"] = "rank"
    if "disagreement_matrix" in case.options:
        given["distance"] = case.options["disagreement_matrix"]
    if "masi_weights" in case.options:
        subset, overlap = case.options["masi_weights"]
        given["distance"] = lambda a, b: masi_distance(a, b, subset, overlap)
    return given


def test_number_of_cases() -> None:
    assert len(CASES) == 256
    assert Counter(case.layout for case in CASES) == Counter(
        items_by_annotators=156,
        contingency_two_annotators=89,
        items_by_category_counts=7,
        label_sets=4,
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reference_case(case: ReferenceCase) -> None:
    ratings = ratings_of(case)
    name = SAME.get(case.coefficient, case.coefficient)
    found = getattr(iaa, name)(ratings, interval=None, **options_of(case, ratings))
    if "category" in case.options:
        found = found.sel(label=case.options["category"])
    ours = {
        "estimate": float(found.estimate),
        "observed": float(found.observed),
        "expected_chance": float(found.expected),
        "observed_disagreement": 1 - float(found.observed),
        "expected_disagreement": 1 - float(found.expected),
    }
    if name == "krippendorff_alpha":
        # the file decomposes alpha in Gwet's form, N the ratings on pairable items
        n = pairable_ratings(ratings)
        ours["observed"] = ours["observed"] * (1 - 1 / n) + 1 / n
        ours["expected_chance"] = 1 - (1 - ours["expected_chance"]) * (1 - 1 / n)
    compared = 0
    for field, value in ours.items():
        if field in case.expected:
            assert value == pytest.approx(case.expected[field], abs=case.tolerance(field), rel=0)
            compared += 1
        if field in case.recomputed:
            assert value == pytest.approx(case.recomputed[field], abs=1e-9, rel=0)
    assert compared >= 1


def pairable_ratings(ratings: xr.Dataset) -> float:
    count = iaa.data.rated(ratings).sum(axis=1)
    weight = ratings.item_weight.values if "item_weight" in ratings else np.ones(len(count))
    return float((np.where(count >= 2, count, 0) * weight).sum())
