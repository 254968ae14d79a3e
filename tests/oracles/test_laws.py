"""Laws and small tables by hand: weights, order, soft masses, gaps, undefined data."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.oracles import (
    COEFFICIENTS,
    OracleResult,
    cohen_kappa,
    conger_kappa,
    davies_fleiss_kappa,
    mean_pairwise_cohen_kappa,
    percent_agreement,
    primary_secondary,
    single_labels,
    specific_agreement,
)
from tests.oracles.label_agreement import from_matrix

LABELS = ["a", "b", "c", "d"]
ASYMMETRIC = from_matrix(
    LABELS, [[1, 0.6, 0.1, 0], [0.3, 1, 0.5, 0.2], [0, 0.4, 1, 0.7], [0.1, 0, 0.2, 1]]
)

ORDERED = ("cohen_kappa", "mean_pairwise_cohen_kappa", "augmented_kappa")
"""Coefficients that use an asymmetric agreement unchanged, rows for the first annotator."""


def soft_ratings(items: int, annotators: int, seed: int) -> list[list[Any]]:
    chance = random.Random(seed)

    def pair() -> tuple[str, str | None] | None:
        if chance.random() < 0.2:
            return None
        primary, secondary = chance.sample(LABELS[:3], 2)
        return primary, (secondary if chance.random() < 0.5 else None)

    return primary_secondary([[pair() for _ in range(annotators)] for _ in range(items)], p=0.7)


def every_coefficient(annotators: int) -> list[str]:
    of_two = ("cohen_kappa", "bangdiwala_b")
    return [name for name in COEFFICIENTS if annotators == 2 or name not in of_two]


def all_estimates(ratings: list[list[Any]], **keywords: Any) -> dict[str, OracleResult]:
    return {
        name: COEFFICIENTS[name](ratings, labels=LABELS, agreement=ASYMMETRIC, **keywords)
        for name in every_coefficient(len(ratings[0]))
    }


def assert_same(found: dict[str, OracleResult], wanted: dict[str, OracleResult]) -> None:
    assert found.keys() == wanted.keys()
    for name, result in found.items():
        assert result == pytest.approx(wanted[name], abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("annotators", [2, 3])
def test_integer_weights_are_repeated_items(annotators: int) -> None:
    ratings = soft_ratings(9, annotators, seed=1)
    counts = [1, 0, 3, 2, 1, 1, 0, 2, 4]
    repeated = [row for row, count in zip(ratings, counts, strict=True) for _ in range(count)]
    weight = [float(count) for count in counts]
    assert_same(all_estimates(ratings, item_weight=weight), all_estimates(repeated))


def test_annotator_of_no_weight_is_deleted() -> None:
    ratings = soft_ratings(9, 4, seed=2)
    kept = [row[:2] + row[3:] for row in ratings]
    found = all_estimates(ratings, annotator_weight=[2.0, 2.0, 0.0, 2.0])
    assert_same(found, all_estimates(kept, annotator_weight=[0.5, 0.5, 0.5]))


@pytest.mark.parametrize("annotators", [2, 4])
def test_order_of_annotators(annotators: int) -> None:
    """Only Cohen's kappa tells rows from columns, and so the mean of Cohen's kappas."""
    ratings = soft_ratings(9, annotators, seed=5)
    found = all_estimates(ratings, annotator_weight=[1.0 + a for a in range(annotators)])
    turned = all_estimates(
        [row[::-1] for row in ratings],
        annotator_weight=[1.0 + a for a in reversed(range(annotators))],
    )
    for name in ORDERED:
        if name in found:
            assert found.pop(name) != pytest.approx(turned.pop(name), abs=1e-6)
    assert_same(found, turned)


def test_exchangeable_coefficients_take_the_mean_with_the_transpose() -> None:
    def symmetric(first: Any, second: Any) -> float:
        return (ASYMMETRIC(first, second) + ASYMMETRIC(second, first)) / 2

    ratings = soft_ratings(9, 4, seed=6)
    for name, result in all_estimates(ratings).items():
        if name not in ORDERED:
            mean = COEFFICIENTS[name](ratings, labels=LABELS, agreement=symmetric)
            assert result == pytest.approx(mean, abs=1e-12, nan_ok=True), name


def test_two_complete_annotators_have_one_kappa() -> None:
    ratings = [row for row in soft_ratings(20, 2, seed=7) if None not in row]
    kappa = cohen_kappa(ratings, labels=LABELS)
    for other in (conger_kappa, davies_fleiss_kappa, mean_pairwise_cohen_kappa):
        assert other(ratings, labels=LABELS) == pytest.approx(kappa, abs=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_perfect_agreement_is_one(name: str) -> None:
    ratings = single_labels([["a", "a"], ["b", "b"], ["a", "a"]])
    assert COEFFICIENTS[name](ratings, labels=["a", "b", "c"]).estimate == 1.0


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_undefined(name: str) -> None:
    alone = single_labels([["a", None], [None, "b"]])
    assert math.isnan(COEFFICIENTS[name](alone, labels=["a", "b"]).estimate)
    one_label = single_labels([["a", "a"], ["a", "a"], ["a", "a"]])
    by_chance = COEFFICIENTS[name](one_label, labels=["a", "b"]).estimate
    # These measure chance without the ratings, or have none.
    apart = {"percent_agreement", "bennett_s", "brennan_prediger", "randolph_kappa", "pabak"}
    apart |= {"bangdiwala_b", "van_oest_ir2"}
    defined = name in apart or name.startswith("gwet")
    assert by_chance == 1.0 if defined else math.isnan(by_chance)
    weighted = COEFFICIENTS[name](one_label, labels=["a", "b"], item_weight=[0.3, 0.7, 0.1])
    assert math.isnan(weighted.estimate) != defined


def test_pairs_of_mean_kappa() -> None:
    """Three pairs: one with kappa 1, one 0/0, one with a single common item."""
    ratings = single_labels(
        [["a", "a", "a"], ["b", "b", None], ["a", None, "a"], ["b", "b", None], ["b", "a", None]]
    )
    labels = ["a", "b"]
    first = cohen_kappa([row[:2] for row in ratings], labels=labels).estimate
    omitted = mean_pairwise_cohen_kappa(ratings, labels=labels)
    zero = mean_pairwise_cohen_kappa(ratings, labels=labels, undefined_pairs="zero")
    all_pairs = mean_pairwise_cohen_kappa(
        ratings, labels=labels, undefined_pairs="zero", min_common=1
    )
    assert omitted.estimate == pytest.approx(first)
    assert zero.estimate == pytest.approx(first / 2)
    assert all_pairs.estimate == pytest.approx(first / 3)
    assert math.isnan(mean_pairwise_cohen_kappa(ratings, labels=labels, min_common=9).estimate)


def test_all_agree_and_specific_agreement() -> None:
    ratings = single_labels([["a", "a", "a"], ["a", "a", "b"], ["b", "b", None], ["b", None, None]])
    assert percent_agreement(ratings, aggregation="all_agree").estimate == pytest.approx(2 / 3)
    assert percent_agreement(ratings).estimate == pytest.approx((1 + 1 / 3 + 1) / 3)
    # sum n (n - 1) over sum n (N - 1): (6 + 2) / (6 + 4) and 2 / (2 + 2).
    assert specific_agreement(ratings, "a").estimate == pytest.approx(8 / 10)
    assert specific_agreement(ratings, "b").estimate == pytest.approx(2 / 4)
    assert math.isnan(specific_agreement(ratings, "c").estimate)


# Small tables by hand.


def test_one_constant_annotator_is_defined() -> None:
    ratings = single_labels([["a", "a"], ["a", "a"], ["a", "a"], ["a", "b"], ["a", "b"]])
    found = {
        name: round(COEFFICIENTS[name](ratings, labels=["a", "b"]).estimate, 5)
        for name in ("cohen_kappa", "scott_pi", "gwet_ac1")
    }
    assert found == {"cohen_kappa": 0.0, "scott_pi": -0.25, "gwet_ac1": 0.41176}


def test_masses_of_two_labels_do_not_reach_one() -> None:
    """An annotator of three double labels against themselves, p = .6: kappa is not 1."""
    own = [("a", None), ("b", None), ("b", "c"), ("c", "b"), ("c", "b")]
    ratings = primary_secondary([[pair, pair] for pair in own], p=0.6)
    found = cohen_kappa(ratings, labels=["a", "b", "c", "d"])
    assert found == pytest.approx((0.5408, 0.712, 0.3728), abs=5e-5)


def test_primary_and_secondary_credit() -> None:
    """Credit of two annotators at p = .6 for each pattern of primary and secondary labels."""
    patterns = {
        (("a", None), ("a", None)): 1.0,
        (("a", None), ("b", None)): 0.0,
        (("a", "b"), ("a", None)): 0.6,
        (("a", "b"), ("b", None)): 0.4,
        (("a", "b"), ("c", None)): 0.0,
        (("a", "b"), ("a", "b")): 0.52,
        (("a", "b"), ("b", "a")): 0.48,
        (("a", "b"), ("a", "c")): 0.36,
        (("a", "b"), ("b", "c")): 0.24,
        (("a", "b"), ("c", "b")): 0.16,
        (("a", "b"), ("c", "d")): 0.0,
    }
    for pair, credit in patterns.items():
        ratings = primary_secondary([list(pair)], p=0.6)
        assert percent_agreement(ratings).estimate == pytest.approx(credit, abs=1e-12)
