"""Matches on small documents against trying every way to pair units."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import iaa_jax as iaa
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.marked import overlaps
from iaa_jax.data.marked.counts import DUPLICATES, pair_counts
from iaa_jax.data.marked.documents import documents_of
from iaa_jax.data.marked.overlaps import confusions
from iaa_jax.measure import functions
from tests.data.marked.made import LABELS, dataset, documents, marks
from tests.oracles.spans import MATCHES, NONE, best_tables, f1, gate, held

FUNCTIONS = {
    "strict": iaa.span_f1,
    "partial": functions.partial_span_f1,
    "boundary": functions.boundary_span_f1,
    "half_credit": functions.half_credit_span_f1,
    "token": functions.token_span_f1,
}


def by_label(counts, match):
    """Counts in the order of the columns."""
    return [counts[label] for label in ([""] if match in ("boundary", "half_credit") else LABELS)]


@pytest.mark.slow
@pytest.mark.parametrize("duplicates", DUPLICATES)
@pytest.mark.parametrize("match", MATCHES)
@given(documents())
def test_what_pairs_share_is_the_best_of_all_pairings(match, duplicates, made):
    names, laid_out = documents_of(span_ratings(dataset(made)))
    counts = pair_counts(laid_out, match, duplicates)
    pairs = counts.pairs
    columns = (pairs.document, pairs.first_column, pairs.second_column)
    found = {
        (list(made)[document], names[first], names[second]): (shared, one, other)
        for document, first, second, shared, one, other in zip(
            *columns, *(each.tolist() for each in counts[1:]), strict=True
        )
    }
    expected = {}
    for document, by_name in made.items():
        for first, second in combinations(sorted(by_name), 2):
            one, other = (
                list(dict.fromkeys(by_name[name])) if duplicates == "set" else by_name[name]
                for name in (first, second)
            )
            each = (MATCHES[match](one, other), held(match, one), held(match, other))
            expected[document, first, second] = tuple(by_label(figures, match) for figures in each)
    assert found == expected


@settings(max_examples=12)
@pytest.mark.parametrize(
    ("match", "average"),
    [
        (match, average)
        for match in FUNCTIONS
        for average in ("micro", "macro", "pairs", "documents")
        if average != "macro" or match not in ("boundary", "half_credit")
    ],
)
@given(documents(), st.booleans())
def test_f1_is_that_of_loops(match, average, made, repeated):
    duplicates = "multiset" if repeated else "set"
    figures = FUNCTIONS[match](dataset(made), average=average, duplicates=duplicates, interval=None)
    expected = f1(made, match, average, repeated=repeated)
    np.testing.assert_allclose(figures.estimate, expected, rtol=0, atol=1e-12)


@settings(max_examples=12)
@pytest.mark.parametrize("average", ["micro", "macro", "pairs", "documents"])
@pytest.mark.parametrize("credit", ["strict", "lenient", "average"])
@given(documents())
def test_gate_is_that_of_loops(credit, average, made):
    figures = functions.gate_span_f1(dataset(made), credit=credit, average=average, interval=None)
    expected = f1(made, f"gate_{credit}", average, repeated=True)
    np.testing.assert_allclose(figures.estimate, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("match", ["strict", "partial"])
@given(marks, marks)
def test_confusions_are_one_of_the_best(match, first, second):
    spans = dataset({"d": {"a": first, "b": second}})
    _, laid_out = documents_of(span_ratings(spans))
    table = confusions(laid_out, match, "multiset")
    names = [*LABELS, NONE]
    found = {
        (names[row], names[column]): table[row, column]
        for row, column in zip(*np.nonzero(table), strict=True)
    }
    assert found in best_tables(first, second, match)


@given(documents(), st.sampled_from(["strict", "partial"]))
def test_every_unit_counts_once_in_confusions(made, match):
    _, laid_out = documents_of(span_ratings(dataset(made)))
    counts = pair_counts(laid_out, match)
    weight = np.arange(1.0, len(made) + 1)
    table = confusions(laid_out, match, weight=weight)
    of_pair = weight[counts.pairs.document]
    assert table[:-1].sum(axis=1).tolist() == (of_pair @ counts.first).tolist()
    assert table[:, :-1].sum(axis=0).tolist() == (of_pair @ counts.second).tolist()
    assert np.diagonal(table)[:-1].tolist() == (of_pair @ counts.matched).tolist()
    assert table[-1, -1] == 0


def test_a_long_chain_of_overlaps_is_matched_in_full():
    # each of the one overlaps two of the other: pairs in the order of the list lose one
    first = [(10 * k, 10 * k + 10, "X") for k in range(50)]
    second = [(10 * k + 5, 10 * k + 15, "X") for k in range(50)]
    spans = iaa.from_spans({"d": {"a": first, "b": second}})
    assert float(functions.partial_span_f1(spans, interval=None).estimate) == 1.0
    _, laid_out = documents_of(span_ratings(spans))
    assert confusions(laid_out, "partial").tolist() == [[50.0, 0.0], [0.0, 0.0]]


def test_places_far_apart_are_no_trouble():
    far = 2**50
    marked = {
        "a": [(0, far, "X"), (far, 2 * far, "Y")],
        "b": [(0, far, "X"), (far + 1, 2 * far, "Y")],
    }
    spans = iaa.from_spans({f"d{k}": marked for k in range(3)} | {"e": {"a": [], "b": []}})
    figures = {match: float(f(spans, interval=None).estimate) for match, f in FUNCTIONS.items()}
    assert figures == {
        "strict": 0.5,
        "partial": 1.0,
        "boundary": 0.5,
        "half_credit": 0.75,
        "token": pytest.approx(1.0, abs=1e-12),
    }
    assert Counter(map(float, functions.label_span_f1(spans, interval=None).estimate)) == {
        1.0: 1,
        0.0: 1,
    }


@pytest.mark.parametrize("match", ["strict", "partial"])
@given(marks, marks)
def test_a_sparse_assignment_is_as_good(match, first, second):
    _, laid_out = documents_of(span_ratings(dataset({"d": {"a": first, "b": second}})))
    dense = confusions(laid_out, match)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(overlaps, "_DENSE", 0)
        sparse = confusions(laid_out, match)
    # of several best tables another one may be taken
    np.testing.assert_array_equal(np.diagonal(dense), np.diagonal(sparse))
    assert dense[:-1, :-1].sum() == sparse[:-1, :-1].sum()


def test_gate_takes_what_rules_out_least_before_what_is_worth_most():
    # the couple with the same boundaries rules out three others, and goes under
    first, second = (
        [(((start, end),), "X") for start, end in several]
        for several in ([(0, 10), (8, 12)], [(0, 10), (0, 3), (4, 6)])
    )
    assert [gate(first, second, credit)["X"] for credit in (0.0, 1.0)] == [0.0, 2.0]
    spans = dataset({"d": {"a": first, "b": second}})
    credits = ("strict", "lenient", "average")
    assert [
        float(functions.gate_span_f1(spans, credit=c, interval=None).estimate) for c in credits
    ] == [
        0.0,
        0.8,
        0.4,
    ]
    assert float(iaa.span_f1(spans, interval=None).estimate) == 0.4


def test_of_partners_with_other_labels_those_with_most_overlap_are_taken():
    marked = {"a": [(0, 20, "X"), (1, 5, "W")], "b": [(0, 5, "Y"), (1, 20, "Z")]}
    spans = iaa.from_spans({"d": marked})
    _, laid_out = documents_of(span_ratings(spans))
    table, labels = confusions(laid_out, "partial"), spans.label.values.tolist()
    pairs = [(labels[row], labels[column]) for row, column in zip(*np.nonzero(table), strict=True)]
    assert pairs == [("W", "Y"), ("X", "Z")]


def test_one_span_around_a_document_leaves_its_overlaps_few():
    around = (0, 20_000, "Z")
    marked = {
        who: [(20 * k + shift, 20 * k + shift + 9, "X") for k in range(1000)] + [around]
        for who, shift in (("a", 0), ("b", 5))
    }
    _, laid_out = documents_of(span_ratings(iaa.from_spans({"d": marked})))
    looked_at, *_ = overlaps._near(laid_out.markings, laid_out.pairs)
    assert len(looked_at) < 6 * 1000
    assert pair_counts(laid_out, "partial").matched.tolist() == [[1000.0, 1.0]]
