"""Strict matches against the verified cases."""

import pytest

import iaa_jax as iaa
from tests.reference.spans import span_cases

CASES = [
    case
    for case in span_cases("pairwise_f1_strict")
    if case.options.get("duplicates") != "multiset"
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_strict_f1_is_that_of_the_verified_cases(case):
    figures = iaa.span_f1(case.spans(), interval=None)
    expected = case.expected["micro"]["f1"]
    assert float(figures.estimate) == pytest.approx(
        float("nan") if expected is None else expected, abs=case.abs_tol, nan_ok=True
    )
