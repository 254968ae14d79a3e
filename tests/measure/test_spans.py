"""Coefficients of spans, as users call them, against the verified cases."""

import math

import numpy as np
import pytest

import iaa_jax as iaa
from tests.reference.spans import span_cases

FUNCTIONS = {
    "pairwise_f1_strict": iaa.span_f1,
    "pairwise_f1_partial": iaa.partial_span_f1,
    "pairwise_f1_type": iaa.type_span_f1,
    "pairwise_f1_exact_boundary": iaa.boundary_span_f1,
    "pairwise_f1_half_credit": iaa.half_credit_span_f1,
    "pairwise_f1_token": iaa.token_span_f1,
}
BY_LABEL = {
    "pairwise_f1_strict": "strict",
    "pairwise_f1_partial": "partial",
    "pairwise_f1_type": "partial",
    "pairwise_f1_token": "token",
}
CASES = span_cases(*FUNCTIONS)


def of(case):
    """The options of a case."""
    several = case.options.get("duplicates") == "multiset"
    return {"duplicates": "multiset" if several else "set", "interval": None}


def close(expected, case):
    return pytest.approx(
        math.nan if expected is None else expected, abs=case.abs_tol, rel=0, nan_ok=True
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_f1_is_that_of_the_verified_cases(case):
    function, spans = FUNCTIONS[case.measure], case.spans()
    pooled = function(spans, **of(case))
    mean = function(spans, average="pairs", **of(case))
    assert float(pooled.estimate) == close(case.expected["micro"]["f1"], case)
    assert float(mean.estimate) == close(case.expected["mean_pair_f1"], case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.expected.get("per_class")], ids=lambda case: case.id
)
def test_f1_by_label_is_that_of_the_verified_cases(case):
    expected, match = case.expected["per_class"], BY_LABEL[case.measure]
    spans = case.spans()
    figures = iaa.label_span_f1(spans, match=match, **of(case)).estimate
    found = {label: float(figures.sel(label=label)) for label in expected}
    assert found == {label: close(counts["f1"], case) for label, counts in expected.items()}
    macro = FUNCTIONS[case.measure](spans, average="macro", **of(case))
    assert float(macro.estimate) == pytest.approx(
        np.mean([counts["f1"] for counts in expected.values()]), abs=1e-9
    )


@pytest.mark.parametrize("credit", ["strict", "lenient", "average"])
@pytest.mark.parametrize("case", span_cases("gate_f1"), ids=lambda case: case.id)
def test_gate_is_that_of_the_verified_cases(case, credit):
    spans = case.spans()
    pooled = iaa.gate_span_f1(spans, credit=credit, interval=None)
    mean = iaa.gate_span_f1(spans, credit=credit, average="pairs", interval=None)
    assert float(pooled.estimate) == close(case.expected[f"micro_f1_{credit}"], case)
    assert float(mean.estimate) == close(case.expected[f"mean_f1_{credit}"], case)


@pytest.mark.parametrize("function", [iaa.boundary_span_f1, iaa.half_credit_span_f1])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_without_labels_there_is_no_mean_over_labels(function, average):
    with pytest.raises(iaa.IaaError, match="labels are ignored"):
        function(CASES[0].spans(), average=average)


def test_which_stand_in_a_list_of_all():
    listed = iaa.agreement(CASES[0].spans(), interval=None).coefficient.values.tolist()
    assert [name for name in listed if name.endswith("span_f1")] == [
        "span_f1",
        "partial_span_f1",
        "boundary_span_f1",
        "token_span_f1",
    ]
