"""Coefficients of spans, as users call them, against the verified cases."""

import math

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.measure import functions
from tests.analyses.marked import marked
from tests.reference.spans import span_cases

FUNCTIONS = {
    "pairwise_f1_strict": iaa.span_f1,
    "pairwise_f1_partial": functions.partial_span_f1,
    "pairwise_f1_type": functions.type_span_f1,
    "pairwise_f1_exact_boundary": functions.boundary_span_f1,
    "pairwise_f1_half_credit": functions.half_credit_span_f1,
    "pairwise_f1_token": functions.token_span_f1,
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
def test_f1_equals_the_verified_cases(case):
    function, spans = FUNCTIONS[case.measure], case.spans()
    pooled = function(spans, **of(case))
    mean = function(spans, average="pairs", **of(case))
    assert float(pooled.estimate) == close(case.expected["micro"]["f1"], case)
    assert float(mean.estimate) == close(case.expected["mean_pair_f1"], case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.expected.get("per_class")], ids=lambda case: case.id
)
def test_f1_by_label_equals_the_verified_cases(case):
    expected, match = case.expected["per_class"], BY_LABEL[case.measure]
    spans = case.spans()
    figures = functions.label_span_f1(spans, match=match, **of(case)).estimate
    found = {label: float(figures.sel(label=label)) for label in expected}
    assert found == {label: close(counts["f1"], case) for label, counts in expected.items()}
    macro = FUNCTIONS[case.measure](spans, average="macro", **of(case))
    assert float(macro.estimate) == pytest.approx(
        np.mean([counts["f1"] for counts in expected.values()]), abs=1e-9
    )


@pytest.mark.parametrize("credit", ["strict", "lenient", "average"])
@pytest.mark.parametrize("case", span_cases("gate_f1"), ids=lambda case: case.id)
def test_gate_equals_the_verified_cases(case, credit):
    spans = case.spans()
    pooled = functions.gate_span_f1(spans, credit=credit, interval=None)
    mean = functions.gate_span_f1(spans, credit=credit, average="pairs", interval=None)
    assert float(pooled.estimate) == close(case.expected[f"micro_f1_{credit}"], case)
    assert float(mean.estimate) == close(case.expected[f"mean_f1_{credit}"], case)


@pytest.mark.parametrize("function", [functions.boundary_span_f1, functions.half_credit_span_f1])
@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_without_labels_there_is_no_mean_over_labels(function, average):
    with pytest.raises(iaa.IaaError, match="labels are ignored"):
        function(CASES[0].spans(), average=average)


def test_coefficients_listed_by_default():
    listed = iaa.agreement(CASES[0].spans(), interval=None).coefficient.values.tolist()
    assert [name for name in listed if name.endswith("span_f1")] == [
        "span_f1",
        "partial_span_f1",
        "boundary_span_f1",
        "token_span_f1",
    ]


def test_p8_one_long_span_over_two_short_ones():
    long, short = [(0, 10, "X")], [(0, 4, "X"), (5, 10, "X")]
    for first, second in ((long, short), (long, short[::-1]), (short, long)):
        spans = iaa.from_spans({"d": {"a": first, "b": second}})
        assert float(iaa.span_f1(spans, interval=None).estimate) == 0
        # one to one: the long one is found once, and does not find both
        assert float(functions.partial_span_f1(spans, interval=None).estimate) == pytest.approx(
            2 / 3
        )


def test_p9_averages_by_their_names():
    # F1 .50 and .40 with supports 3 to 4: .45 is their plain mean, not the pooled figure
    both = {
        who: [(k, k + 1, "X") for k in range(x, x + 150)]
        + [(k, k + 1, "Y") for k in range(y, y + 200)]
        for who, x, y in (("a", 0, 1000), ("b", 75, 1120))
    }
    spans = iaa.from_spans({"d": both})
    figures = {
        average: round(float(iaa.span_f1(spans, average=average, interval=None).estimate), 4)
        for average in ("micro", "macro", "weighted", "pairs")
    }
    assert figures == {"micro": 0.4429, "macro": 0.45, "weighted": 0.4429, "pairs": 0.4429}


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "pairs", "documents"])
def test_every_average_has_its_interval_and_its_annotators(average):
    spans = marked(40, 3)
    over_documents = iaa.span_f1(spans, average=average, replicates=200)
    random = iaa.Sampling(annotators="random")
    over_both = iaa.span_f1(spans, average=average, replicates=200, sampling=random)
    for figures in (over_documents, over_both):
        assert figures.ci_low < figures.estimate < figures.ci_high
    assert over_both.standard_error > over_documents.standard_error


def test_the_mean_over_documents_by_hand_and_its_standard_error():
    spans = iaa.from_spans(
        {
            # pairs of 1, 0 and 0; a pair that marked nothing; one of 2/3; and nobody to compare
            "d1": {"a": [(0, 2, "X")], "b": [(0, 2, "X")], "c": [(0, 2, "Y")]},
            "d2": {"a": [], "b": []},
            "d3": {"b": [(0, 2, "X"), (5, 6, "X")], "c": [(0, 2, "X")]},
            "d4": {"c": [(0, 2, "X")]},
        }
    )
    found = iaa.span_f1(spans, average="documents", interval="t")
    means = [1 / 3, 1, 2 / 3]
    assert float(found.estimate) == pytest.approx(np.mean(means))
    assert float(found.mean_document_f1) == pytest.approx(np.mean(means))
    # the jackknife over four documents of a mean over the three that two have seen
    squares = sum((each - np.mean(means)) ** 2 for each in means)
    assert float(found.standard_error) == pytest.approx(math.sqrt(squares * 4 / 3) / 3)
    pooled = iaa.span_f1(spans, interval=None)
    assert float(pooled.mean_document_f1) == float(found.mean_document_f1)


@pytest.mark.parametrize("match", ["strict", "partial", "boundary", "half_credit", "token", "gate"])
def test_every_result_has_the_mean_over_documents(match):
    spans = marked(20, 5, seen=0.5)
    found = iaa.span_f1(spans, match, average="documents", interval=None)
    assert float(found.mean_document_f1) == pytest.approx(float(found.estimate), abs=1e-12)
