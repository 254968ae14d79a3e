"""The oracles against reference values and against other programs."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from typing import Any

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa

from tests.oracles import (
    COEFFICIENTS,
    cohen_kappa,
    conger_kappa,
    davies_fleiss_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    krippendorff_alpha_of_values,
    mean_pairwise_cohen_kappa,
    single_labels,
    specific_agreement,
)
from tests.oracles.alpha import gwet_form
from tests.oracles.label_agreement import binary, from_matrix, jaccard, label_agreement, masi
from tests.oracles.ratings import LabelFunction, OracleResult, complement
from tests.reference import OracleInput, ReferenceCase, agreement_cases, all_cases, oracle_input

CASES = agreement_cases()
BY_ID = {case.id: case for case in all_cases()}
OTHER_NAMES = {"weighted_kappa": "cohen_kappa", "light_kappa": "mean_pairwise_cohen_kappa"}
"""Names in the file that are another coefficient with or without weights."""

ABOUT_THE_INTERVAL = {
    "confidence",
    "ci_method",
    "ci_df",
    "ci_upper_clipped_at_1",
    "se_method",
    "p_value_tail",
    "p_value_se",
}
HANDLED = {
    "weights",
    "weights_on",
    "disagreement_matrix",
    "level",
    "distance",
    "masi_weights",
    "collapse_to_category",
    "category",
    "aggregation",
    "undefined_pairs",
}


def set_distance(options: dict[str, Any]) -> LabelFunction:
    if options["distance"] == "masi" and "masi_weights" in options:
        subset, overlap = options["masi_weights"]
        return lambda first, second: masi(first, second, subset=subset, overlap=overlap)
    return {"binary": binary, "jaccard": jaccard, "masi": masi}[options["distance"]]


def agreement_of(case: ReferenceCase, table: OracleInput) -> LabelFunction | None:
    options = case.options
    if "disagreement_matrix" in options:
        return complement(from_matrix(table.labels, options["disagreement_matrix"]))
    weights = options.get("weights")
    if weights is None:
        return None
    if isinstance(weights, str):
        ranked = options.get("weights_on") == "category_rank"
        on = "rank" if ranked else "value"
        return label_agreement(weights, table.labels, weights_on=on)
    return from_matrix(table.labels, weights)


def oracle_of(case: ReferenceCase, table: OracleInput) -> OracleResult:
    unknown = set(case.options) - HANDLED - ABOUT_THE_INTERVAL
    assert not unknown, unknown
    keywords: dict[str, Any] = {"labels": table.labels, "item_weight": table.item_weight}
    agreement = agreement_of(case, table)
    if case.coefficient == "specific_agreement":
        return specific_agreement(table.ratings, case.options["category"], **keywords)
    if case.coefficient == "krippendorff_alpha":
        if "distance" in case.options:
            keywords["distance"] = set_distance(case.options)
        elif case.options.get("weights", "identity") != "identity":
            assert "level" not in case.options
            keywords["agreement"] = agreement
        else:
            keywords["level"] = case.options.get("level", "nominal")
    elif agreement is not None:
        keywords["agreement"] = agreement
    for option in ("aggregation", "undefined_pairs"):
        if option in case.options:
            keywords[option] = case.options[option]
    name = OTHER_NAMES.get(case.coefficient, case.coefficient)
    return COEFFICIENTS[name](table.ratings, **keywords)


def parts(case: ReferenceCase) -> dict[str, float]:
    """Every part of the case that an oracle gives, by the name that it has in the file."""
    table = oracle_input(case)
    result = oracle_of(case, table)
    decomposed = result
    if case.coefficient == "krippendorff_alpha":
        decomposed = gwet_form(result, table.ratings, item_weight=table.item_weight)
    return {
        "estimate": result.estimate,
        "observed": decomposed.observed,
        "expected_chance": decomposed.expected,
        "observed_disagreement": 1 - result.observed,
        "expected_disagreement": 1 - result.expected,
    }


def test_number_of_cases() -> None:
    assert len(all_cases()) == 256
    assert len(CASES) == 250
    assert len({case.id for case in all_cases()}) == 256
    assert len({case.table for case in all_cases()}) == 44
    layouts = Counter(case.layout for case in CASES)
    assert layouts == {
        "items_by_annotators": 150,
        "contingency_two_annotators": 89,
        "items_by_category_counts": 7,
        "label_sets": 4,
    }
    fields = Counter(field for case in CASES for field in case.expected)
    assert (fields["estimate"], fields["observed"], fields["expected_chance"]) == (250, 72, 72)
    assert sum(len(set(parts(case)) & set(case.recomputed)) for case in CASES) == 723


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_reference_case(case: ReferenceCase) -> None:
    found = parts(case)
    for field in set(found) & set(case.expected):
        assert found[field] == pytest.approx(case.expected[field], abs=case.tolerance(field), rel=0)
    for field in set(found) & set(case.recomputed):
        assert found[field] == pytest.approx(case.recomputed[field], abs=1e-9, rel=0), field


SMALL_TABLES = [
    case
    for case in CASES
    if case.layout == "contingency_two_annotators" and sum(map(sum, case.data)) <= 120
]


@pytest.mark.parametrize("case", SMALL_TABLES, ids=lambda case: case.id)
def test_a_contingency_table_is_its_items_written_out(case: ReferenceCase) -> None:
    table = oracle_input(case)
    items = [
        row
        for row, weight in zip(table.ratings, table.item_weight, strict=True)
        for _ in range(int(weight))
    ]
    plain = OracleInput(items, table.labels, [1.0] * len(items))
    assert oracle_of(case, plain) == pytest.approx(oracle_of(case, table), abs=1e-12, nan_ok=True)


# Values of the table of conventions, on its tables with gaps.


def test_values_of_the_conventions() -> None:
    table = oracle_input(BY_ID["krippendorff-12x4-missing/fleiss_kappa"])
    labels = table.labels

    def rounded(result: OracleResult) -> float:
        return round(result.estimate, 5)

    assert rounded(fleiss_kappa(table.ratings, labels=labels)) == 0.76117
    pairable = [row for row in table.ratings if sum(cell is not None for cell in row) > 1]
    assert rounded(fleiss_kappa(pairable, labels=labels)) == 0.76248
    assert rounded(COEFFICIENTS["gwet_ac1"](pairable, labels=labels)) == 0.77515
    complete = [row for row in table.ratings if None not in row]
    assert rounded(fleiss_kappa(complete, labels=labels)) == 0.64146
    assert rounded(conger_kappa(table.ratings, labels=labels)) == 0.76282
    assert rounded(davies_fleiss_kappa(table.ratings, labels=labels)) == 0.70126
    assert rounded(mean_pairwise_cohen_kappa(table.ratings, labels=labels)) == 0.70016
    ordinal = krippendorff_alpha(table.ratings, labels=labels, level="ordinal")
    weighted = krippendorff_alpha(
        table.ratings, labels=labels, agreement=label_agreement("ordinal", labels)
    )
    assert (rounded(ordinal), rounded(weighted)) == (0.81539, 0.83364)
    gaps = oracle_input(BY_ID["ben-gerry-missing/conger_kappa/py"])
    assert rounded(cohen_kappa(gaps.ratings, labels=gaps.labels)) == 0.65625
    assert rounded(conger_kappa(gaps.ratings, labels=gaps.labels)) == 0.65714


# Other programs on the same tables.


def numbers(case_id: str) -> tuple[OracleInput, np.ndarray]:
    case = BY_ID[case_id]
    values = [[np.nan if label is None else float(label) for label in row] for row in case.data]
    return oracle_input(case), np.array(values).T


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
@pytest.mark.parametrize(
    "case_id",
    [
        "krippendorff-12x4-missing/fleiss_kappa",
        "krippendorff-1980-p139/percent_agreement",
        "freelon-2010-r303/krippendorff_alpha/nominal",
        "fleiss-1971/fleiss_kappa",
    ],
)
def test_alpha_against_krippendorff(case_id: str, level: str) -> None:
    table, values = numbers(case_id)
    domain = [float(label) for label in table.labels]
    theirs = krippendorff.alpha(
        reliability_data=values, level_of_measurement=level, value_domain=domain
    )
    ours = krippendorff_alpha(table.ratings, labels=table.labels, level=level)
    assert ours.estimate == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("level", ["interval", "ratio", "ordinal", "nominal"])
def test_alpha_of_values_against_krippendorff(level: str) -> None:
    chance = random.Random(3)
    rows = [
        [None if chance.random() < 0.2 else round(chance.random() * 9, 1) for _ in range(4)]
        for _ in range(15)
    ]
    rows[0] = [0.0, 0.0, 2.5, None]
    theirs = krippendorff.alpha(
        reliability_data=np.array(rows, dtype=float).T, level_of_measurement=level
    )
    ours = krippendorff_alpha_of_values(rows, level=level)
    assert ours.estimate == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohen_against_scikit_learn(weights: str | None) -> None:
    chance = random.Random(4)
    rows = [[chance.randrange(4), chance.randrange(4)] for _ in range(60)]
    labels = [0, 1, 2, 3]
    weight = [float(chance.randrange(1, 4)) for _ in rows]
    theirs = cohen_kappa_score(
        [row[0] for row in rows],
        [row[1] for row in rows],
        labels=labels,
        weights=weights,
        sample_weight=weight,
    )
    ours = cohen_kappa(
        single_labels(rows),
        labels=labels,
        agreement=label_agreement(weights or "identity", labels),
        item_weight=weight,
    )
    assert ours.estimate == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(("method", "name"), [("fleiss", "fleiss_kappa"), ("randolph", "pabak")])
def test_fleiss_and_randolph_against_statsmodels(method: str, name: str) -> None:
    table = oracle_input(BY_ID["fleiss-1971/fleiss_kappa"])
    counts = [
        [sum(cell == {label: 1.0} for cell in row) for label in table.labels]
        for row in table.ratings
    ]
    theirs = statsmodels_fleiss_kappa(np.array(counts), method=method)
    ours = COEFFICIENTS[name](table.ratings, labels=table.labels)
    assert ours.estimate == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    "case_id",
    [
        "crowdkit-pictures/krippendorff_alpha/binary",
        "inky-blinky-sue/krippendorff_alpha/jaccard",
    ],
)
def test_alpha_of_sets_against_nltk(case_id: str) -> None:
    agreement = pytest.importorskip("nltk.metrics.agreement")
    distance = pytest.importorskip("nltk.metrics.distance")
    case = BY_ID[case_id]
    table = oracle_input(case)
    triples = [
        (str(a), str(i), frozenset(found))
        for i, row in enumerate(case.data)
        for a, found in enumerate(row)
    ]
    # NLTK up to 3.9 has .67 and .33 in the place of thirds.
    subset = 2 * (1 - distance.masi_distance({1, 2}, {1}))
    overlap = 3 * (1 - distance.masi_distance({1, 2}, {2, 3}))
    assert (subset, overlap) == pytest.approx((2 / 3, 1 / 3), abs=0.004)
    for theirs, ours in (
        (distance.binary_distance, binary),
        (distance.jaccard_distance, jaccard),
        (distance.masi_distance, partial(masi, subset=subset, overlap=overlap)),
    ):
        task = agreement.AnnotationTask(data=triples, distance=theirs)
        found = krippendorff_alpha(table.ratings, labels=table.labels, distance=ours)
        assert found.estimate == pytest.approx(task.alpha(), abs=1e-9)
