"""Gold labels of real crowds against the truth: the reference accuracies, ties sharing credit."""

from __future__ import annotations

from typing import Any

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.kernels.labelling.voting import TIED
from tests.reference.aggregation import AggregationCase, aggregation_cases

CASES = aggregation_cases("benchmark_accuracy")
ALL = pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])


def credit(case: AggregationCase, result: Any, tied: str = "share") -> float:
    """The share of true labels among gold ones; tied ones share, or the worst or best counts."""
    probability, labels = result.probability.values, result.label.values.tolist()
    most_probable = probability >= probability.max(axis=1, keepdims=True) - TIED
    place = {item: number for number, item in enumerate(result.item.values.tolist())}
    total = 0.0
    for item, label in case.truth.items():
        row = most_probable[place[item]]
        hit = label in labels and bool(row[labels.index(label)])
        of_all = {"share": 1 / row.sum(), "worst": float(row.sum() == 1), "best": 1.0}
        total += hit * of_all[tied]
    return total / len(case.truth)


def gold(ratings: xr.Dataset, method: str, **options: Any) -> xr.Dataset:
    """The labels alone: nothing here is about intervals."""
    return iaa.gold(ratings, method, interval=None, leave_out=False, **options)


@ALL
def test_majority(case: AggregationCase) -> None:
    ratings = case.ratings()
    result = gold(ratings, "majority")
    assert (ratings.sizes["item"], ratings.sizes["annotator"]) == (
        case.record["n_items"],
        case.record["n_workers"],
    )
    expected = case.expected["own"]["majority_vote"]
    tolerance = case.abs_tol["majority_vote.expected_credit"]
    assert credit(case, result) == pytest.approx(expected["expected_credit"], abs=tolerance)
    assert credit(case, result, "worst") == pytest.approx(
        expected["lowest_over_tie_rules"], abs=tolerance
    )
    assert credit(case, result, "best") == pytest.approx(
        expected["highest_over_tie_rules"], abs=tolerance
    )


@ALL
def test_wawa(case: AggregationCase) -> None:
    expected = case.expected["own"]["wawa"]["majority_ties_first_label"]
    found = credit(case, gold(case.ratings(), "wawa"))
    assert found == pytest.approx(expected, abs=case.abs_tol["wawa"])


@ALL
def test_dawid_skene(case: AggregationCase) -> None:
    expected = case.expected["own"]["dawid_skene"]
    tolerance = case.abs_tol["dawid_skene"]
    after = gold(case.ratings(), "dawid_skene", tol=0.0, max_iter=100)
    assert credit(case, after) == pytest.approx(expected["n_iter_100"], abs=tolerance)
    result = gold(case.ratings(), "dawid_skene")
    assert result.attrs["status"] == "converged"
    assert credit(case, result) == pytest.approx(expected["converged"], abs=tolerance)


@pytest.mark.slow
@ALL
def test_one_coin_and_fast(case: AggregationCase) -> None:
    expected, tolerance = case.expected["own"], case.abs_tol["dawid_skene"]
    one_coin = credit(case, gold(case.ratings(), "one_coin"))
    assert one_coin == pytest.approx(expected["one_coin_dawid_skene"]["converged"], abs=tolerance)
    fast = credit(case, gold(case.ratings(), "fast_dawid_skene"))
    assert fast == pytest.approx(
        expected["fast_dawid_skene"]["plurality_ties_first_label"], abs=tolerance
    )


@pytest.mark.slow
@ALL
def test_other_methods_are_as_good_as_elsewhere(case: AggregationCase) -> None:
    elsewhere = case.expected["crowd_kit_1_4_2_ties_to_first_sorted_label"]
    elsewhere = case.expected["crowd_kit_1_4_2"] | elsewhere
    found = {
        name: credit(case, gold(case.ratings(), method))
        for method, name in (("zero_based_skill", "ZBS"), ("glad", "GLAD"), ("mace", "MACE"))
    }
    near = case.abs_tol["stochastic_or_tie_dependent"]
    assert found["ZBS"] == pytest.approx(elsewhere["ZBS"], abs=1e-6)
    assert found["GLAD"] == pytest.approx(elsewhere["GLAD"], abs=near)
    # theirs is the best of ten random starts; on one set ours finds a better end
    assert found["MACE"] > elsewhere["MACE"] - near
    assert case.id == "bench_bluebird" or found["MACE"] < elsewhere["MACE"] + near
