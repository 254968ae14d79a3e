"""What pairs of annotators share, by every way to match, against the verified cases."""

import pytest

from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.marked.counts import pair_counts
from iaa_jax.data.marked.documents import documents_of
from iaa_jax.data.marked.overlaps import confusions
from tests.reference.spans import span_cases

MATCH_OF = {
    "pairwise_f1_strict": "strict",
    "pairwise_f1_partial": "partial",
    "pairwise_f1_type": "partial",
    "pairwise_f1_exact_boundary": "boundary",
    "pairwise_f1_half_credit": "half_credit",
    "pairwise_f1_token": "token",
}


def duplicates_of(case):
    return "multiset" if case.options.get("duplicates") == "multiset" else "set"


def counted(case, match):
    """What each pair of a case shares, and what its first and second hold, by their names."""
    names, documents = documents_of(span_ratings(case.spans()))
    counts = pair_counts(documents, match, duplicates_of(case))
    figures = {}
    for pair in case.expected["pairs"]:
        first, second = (names.tolist().index(name) for name in pair.split("|"))
        own = (counts.pairs.first_column == first) & (counts.pairs.second_column == second)
        figures[pair] = tuple(float(each[own].sum()) for each in counts[1:])
    return figures


@pytest.mark.parametrize("case", span_cases(*MATCH_OF), ids=lambda case: case.id)
def test_pairs_are_those_of_the_verified_cases(case):
    expected = {
        pair: (counts["tp"], counts["n_a"], counts["n_b"])
        for pair, counts in case.expected["pairs"].items()
    }
    assert counted(case, MATCH_OF[case.measure]) == expected


@pytest.mark.parametrize(
    ("credit", "of_partial"), [("strict", 0.0), ("lenient", 1.0), ("average", 0.5)]
)
@pytest.mark.parametrize("case", span_cases("gate_f1"), ids=lambda case: case.id)
def test_pairs_by_the_greedy_rule_of_gate(case, credit, of_partial):
    expected = {
        pair: (
            counts["correct"] + of_partial * counts["partial"],
            counts["n_key"],
            counts["n_response"],
        )
        for pair, counts in case.expected["pairs"].items()
    }
    assert counted(case, f"gate_{credit}") == expected


@pytest.mark.parametrize(
    "case",
    [case for case in span_cases(*MATCH_OF) if "confusion" in case.expected],
    ids=lambda case: case.id,
)
def test_confusions_are_those_of_the_verified_cases(case):
    spans = case.spans()
    _, documents = documents_of(span_ratings(spans))
    names = [*spans.label.values.tolist(), "NONE"]
    expected = case.expected["confusion"]
    assert confusions(documents, MATCH_OF[case.measure]).tolist() == [
        [expected[row][column] for column in names] for row in names
    ]
