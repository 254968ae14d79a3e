"""`iaa.span_f1`: its figures against the verified cases, and what it concludes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.spans.conclusion import KINDS
from iaa_jax.wording import load_notes
from tests.reference.spans import SpanCase, span_cases

MEASURES = {
    "pairwise_f1_strict": "strict",
    "pairwise_f1_partial": "partial",
    "pairwise_f1_type": "type",
    "pairwise_f1_exact_boundary": "boundary",
    "pairwise_f1_half_credit": "half_credit",
    "pairwise_f1_token": "token",
}
CASES = [case for case in span_cases(*MEASURES) if case.options.get("duplicates") != "multiset"]
NONE = float("nan")


def figures(case: SpanCase) -> xr.Dataset:
    return iaa.span_f1(case.spans(), MEASURES[case.measure], interval=None)


def same(case: SpanCase, value: Any, expected: float | None) -> bool:
    wanted = NONE if expected is None else expected
    return float(value) == pytest.approx(wanted, abs=case.abs_tol, nan_ok=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_p8_p9_the_pairs_and_their_averages(case: SpanCase) -> None:
    result, expected = figures(case), case.expected
    assert same(case, result.f1, expected["micro"]["f1"])
    assert same(case, result.tp.sum(), expected["micro"].get("tp", float(result.tp.sum())))
    assert same(case, result.mean_pair_f1, expected["mean_pair_f1"])
    if "sd_pair_f1" in expected:
        assert same(case, result.sd_pair_f1, expected["sd_pair_f1"])
    for place in range(result.sizes["pair"]):
        row = result.isel(pair=place)
        wanted = expected["pairs"][f"{row['first'].item()}|{row['second'].item()}"]
        assert same(case, row.pair_f1, wanted["f1"])
        for name in ("n_a", "n_b", "tp", "fp", "fn"):
            assert same(case, row[name], wanted[name])


@pytest.mark.parametrize(
    "case", [case for case in CASES if "per_class" in case.expected], ids=lambda case: case.id
)
def test_the_labels(case: SpanCase) -> None:
    result = figures(case)
    for label, wanted in case.expected["per_class"].items():
        assert same(case, result.label_f1.sel(label=label), wanted["f1"])
        if case.measure != "pairwise_f1_token":
            assert float(result.support.sel(label=label)) == wanted["support"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if "confusion" in case.expected], ids=lambda case: case.id
)
def test_p10_the_confusion_counts_each_span_once(case: SpanCase) -> None:
    result = figures(case)
    table = result.confusion
    for row, columns in case.expected["confusion"].items():
        for column, count in columns.items():
            assert float(table.sel(label_a=row, label_b=column)) == count
    shares, rows = result.confusion_share.values, table.values.sum(axis=1)
    assert np.isnan(shares[-1, -1])
    known = np.nan_to_num(shares).sum(axis=1)
    np.testing.assert_allclose(known[rows > 0], 1.0)
    assert np.isnan(shares[rows == 0]).all()


def test_p9_the_averages_have_names_of_their_own() -> None:
    # F1 .50 of a label with 300 spans and .40 of one with 400, on both sides together
    marked: dict[str, list[tuple[int, int, str]]] = {"ann": [], "bob": []}
    for label, begin, each, shared in (("one", 0, 150, 75), ("two", 9000, 200, 80)):
        for side, spans in enumerate(marked.values()):
            alone = begin + 1000 * (side + 1)
            places = [*range(begin, begin + shared), *range(alone, alone + each - shared)]
            spans += [(place, place + 1, label) for place in places]
    result = iaa.span_f1(iaa.from_spans({"d": marked}), interval=None)
    assert result.support.values.tolist() == [300, 400]
    np.testing.assert_allclose(result.label_f1, [0.5, 0.4])
    assert float(result.macro_f1) == pytest.approx(0.45)
    assert float(result.weighted_f1) == pytest.approx(0.4429, abs=5e-5)
    assert float(result.f1) == pytest.approx(float(result.weighted_f1))


def several(documents: int = 30, seed: int = 3) -> xr.Dataset:
    """Three annotators: bob often ends spans elsewhere, cleo marks more, and labels differ."""
    rng = np.random.default_rng(seed)
    marked: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for number in range(documents):
        marked[f"d{number}"] = {"ann": [], "bob": [], "cleo": []}
        for place in range(0, 100, 20):
            label = str(rng.choice(["ORG", "PER"], p=[0.3, 0.7]))
            for who, spans in marked[f"d{number}"].items():
                longer = int(who == "bob" and rng.random() < 0.5)
                other = "ORG" if rng.random() < 0.1 else label
                if rng.random() < 0.9:
                    spans.append((place, place + 5 + longer, other))
                if who == "cleo":
                    spans.append((place + 10, place + 12, "PER"))
    return iaa.from_spans(marked, lengths=dict.fromkeys(marked, 120))


@pytest.fixture(scope="module")
def result() -> xr.Dataset:
    return iaa.span_f1(several(), replicates=200)


def test_p11_the_gap_is_partial_less_strict_with_an_interval(result: xr.Dataset) -> None:
    assert float(result.gap) == pytest.approx(float(result.partial_f1 - result.strict_f1))
    assert float(result.gap_ci_low) < float(result.gap) < float(result.gap_ci_high)
    partial = iaa.span_f1(several(), "partial", interval=None)
    np.testing.assert_allclose(result.label_gap, partial.label_f1 - result.label_f1)
    # the standard error is that of a difference of two figures of the same documents
    parts = iaa.covariance(several(), ["partial_span_f1", "span_f1"])
    (a, c), (_, b) = parts.covariance.values
    assert float(result.gap_standard_error) == pytest.approx(math.sqrt(a + b - 2 * c))


def test_all_figures_stand_on_the_same_replicates(result: xr.Dataset) -> None:
    alone = iaa.agreement(several(), ["span_f1", "partial_span_f1"], replicates=200)
    for name, coefficient in (("strict_f1", "span_f1"), ("partial_f1", "partial_span_f1")):
        row = alone.sel(coefficient=coefficient)
        for end in ("ci_low", "ci_high", "standard_error"):
            assert float(result[f"{name}_{end}"]) == float(row[end])
    assert float(result.f1_ci_low) == float(result.ci_low) == float(result.strict_f1_ci_low)


def test_what_happened_to_spans_without_a_match(result: xr.Dataset) -> None:
    shares = [float(result[f"{kind}_share"]) for kind in KINDS]
    assert sum(shares) + float(result.strict_f1) == pytest.approx(1.0)
    assert shares[0] == pytest.approx(float(result.gap))
    assert result.attrs["conclusion"] == "missed"  # what cleo alone marks


def test_a_span_whose_counterpart_is_taken_is_not_one_with_nothing_there() -> None:
    # one long span against two short ones in it, and one that lies alone
    marked = {"ann": [(0, 30, "PER")], "bob": [(0, 10, "PER"), (12, 30, "PER"), (40, 45, "PER")]}
    found = iaa.span_f1(iaa.from_spans({f"d{k}": marked for k in range(5)}))
    assert [float(found[f"{kind}_share"]) for kind in KINDS] == [0.5, 0, 0.25, 0.25]
    said = " ".join(str(iaa.page(found)).split())
    assert "25.0 % overlap no span of the other annotator, 25.0 % overlap only spans that " in said


def test_annotators_and_documents_sum_up_what_pairs_share(result: xr.Dataset) -> None:
    pairs = result[["tp", "n_a", "n_b", "first", "second"]].to_dataframe()
    for name in result.annotator.values:
        own = pairs[(pairs["first"] == name) | (pairs["second"] == name)]
        f1 = 2 * own.tp.sum() / (own.n_a + own.n_b).sum()
        assert float(result.annotator_f1.sel(annotator=name)) == pytest.approx(f1)
    # every pair saw every document, so that documents have the same sums
    spans, disputed = result.document_spans.values, result.document_disputed.values
    assert 1 - disputed.sum() / spans.sum() == pytest.approx(float(result.f1))
    np.testing.assert_allclose(1 - disputed / spans, result.document_f1.values)
    assert float(result.annotator_spans.sum()) == spans.sum()
    many = result.times_as_many.sel(annotator="cleo")
    assert float(many) > 1.5
    assert float(result.times_as_long.sel(annotator="bob")) > 1


def test_the_worst_are_named(result: xr.Dataset) -> None:
    notes = {note.code: note.values for note in load_notes(result.attrs["notes"])}
    alone = (result.support * (1 - result.label_f1)).values
    np.testing.assert_allclose(result.label_unmatched, alone)
    most = int(np.argmax(alone))
    assert notes["most_label"]["label"] == str(result.label.values[most])
    assert notes["most_label"]["share"] == pytest.approx(alone[most] / alone.sum())
    f1 = result.label_f1.values
    worst = str(result.label.values[np.argmin(f1)])
    assert notes.get("worst_label", notes["most_label"])["label"] == worst
    assert notes["worst_annotator"]["annotator"] == "bob"
    assert float(result.annotator_f1.min()) == float(result.annotator_f1.sel(annotator="bob"))
    assert notes["times_as_many"]["annotator"] == "cleo"


def test_the_lowest_of_those_who_marked_enough_is_told_as_such() -> None:
    marks: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    for number in range(12):
        both = [(0, 4, "x"), (5, 9, "x")]
        moved = [(0, 4, "x"), (5, 8 + number % 2, "x")]
        marks[str(number)] = {"ann": both, "bob": both, "cleo": moved, "dan": [(0, 3, "x")]}
    text = " ".join(str(iaa.page(iaa.span_f1(iaa.from_spans(marks), interval=None))).split())
    assert (
        "is lowest for cleo, of those who marked 20 spans or more in 10 documents or more" in text
    )


SHIFT = {"ann": [(0, 5, "X"), (9, 12, "X")], "bob": [(0, 6, "X"), (9, 12, "X")]}
OTHER = {"ann": [(0, 5, "X"), (9, 12, "X")], "bob": [(0, 5, "Y"), (9, 12, "X")]}
MORE = {"ann": [(0, 5, "X")], "bob": [(0, 5, "X"), (9, 12, "X")]}


@pytest.mark.parametrize(
    ("documents", "conclusion"),
    [
        ([SHIFT, SHIFT], "boundaries"),
        ([OTHER, OTHER], "labels"),
        ([MORE, MORE], "missed"),
        ([SHIFT, OTHER, OTHER, MORE, MORE], "mixed"),
        ([{"ann": [(0, 5, "X")], "bob": [(0, 5, "X")]}] * 2, "perfect"),
    ],
)
def test_the_conclusion_is_what_most_of_the_disagreement_is(
    documents: list[dict[str, list[tuple[int, int, str]]]], conclusion: str
) -> None:
    spans = iaa.from_spans({f"d{k}": each for k, each in enumerate(documents)})
    assert iaa.span_f1(spans, interval=None).attrs["conclusion"] == conclusion


def test_nothing_marked_anywhere_is_undefined() -> None:
    spans = iaa.from_spans({f"d{k}": {"ann": [], "bob": []} for k in range(3)}, labels=["X"])
    result = iaa.span_f1(spans, replicates=50)
    assert result.attrs["conclusion"] == "undefined"
    assert np.isnan([result.f1, result.mean_pair_f1, *result.pair_f1]).all()
    assert result.reason.item()
    assert "Nobody marked anything" in str(iaa.page(result))


def test_one_document_has_figures_and_no_interval() -> None:
    result = iaa.span_f1(iaa.from_spans({"d1": SHIFT}))
    assert float(result.f1) == 0.5
    assert np.isnan([result.f1_ci_low, result.gap_ci_high]).all()


def test_a_pair_that_never_meets_has_no_figure_and_is_counted() -> None:
    spans = iaa.from_spans(
        {
            "d1": {"ann": [(0, 5, "X")], "bob": [(0, 5, "X")]},
            "d2": {"bob": [(0, 5, "X")], "cleo": [(0, 4, "X")]},
            "d3": {"cleo": [(1, 2, "X")]},
        }
    )
    result = iaa.span_f1(spans, interval=None)
    pairs = list(zip(result["first"].values, result["second"].values, strict=True))
    assert pairs == [("ann", "bob"), ("bob", "cleo")]
    assert [
        note.values["pairs"]
        for note in load_notes(result.attrs["notes"])
        if note.code == "never_met"
    ] == [1]
    assert np.isnan(result.document_f1.sel(document="d3"))
    assert float(result.annotator_spans.sel(annotator="cleo")) == 2


def test_labels_that_nobody_shares_have_no_matches() -> None:
    each = {"ann": [(0, 5, "X")], "bob": [(0, 5, "Y")]}
    result = iaa.span_f1(iaa.from_spans({f"d{k}": each for k in range(4)}), replicates=50)
    assert result.label_f1.values.tolist() == [0.0, 0.0]
    assert float(result.f1) == 0.0
    assert float(iaa.span_f1(iaa.from_spans({"d": each}), "boundary", interval=None).f1) == 1.0
    assert result.attrs["conclusion"] == "labels"


def test_what_is_marked_twice_counts_once_and_is_said() -> None:
    each = {"ann": [(0, 5, "X"), (0, 5, "X")], "bob": [(0, 5, "X")]}
    result = iaa.span_f1(iaa.from_spans({"d1": each, "d2": each}), interval=None)
    assert float(result.f1) == 1.0
    assert [
        n.values["spans"] for n in load_notes(result.attrs["notes"]) if n.code == "marked_twice"
    ] == [2]


@pytest.mark.parametrize("match", ["boundary", "half_credit", "gate"])
def test_matches_without_labels_say_so(match: str) -> None:
    result = iaa.span_f1(several(8), match, interval=None)
    assert np.isnan(result.label_f1).all()
    assert "no F1 by label" in str(iaa.page(result))


def test_other_matches_are_refused() -> None:
    with pytest.raises(iaa.IaaError, match="strict"):
        iaa.span_f1(several(4), "sloppy")


def test_notes_on_spans_are_about_documents_and_few_have_no_interval_in_the_first_line() -> None:
    made = {
        f"d{n}": {"ann": [(0, 3, "A"), (5, 9 - n, "B")], "bob": [(0, 3, "A"), (5, 8, "B")]}
        for n in range(3)
    }
    spans = iaa.from_spans(made)
    said = " ".join(str(iaa.page(iaa.span_f1(spans))).split())
    assert "3 documents seen by two annotators are too few" in said
    assert "interval" not in said.split("Documents 3")[0]
    whole = " ".join(str(iaa.page(iaa.agreement(spans))).split())
    assert "% interval" not in said
    assert "Only 3 documents that two annotators saw: intervals are rough" in whole
    by_bca = iaa.span_f1(spans, interval="bca")
    assert '"few_carriers"' in by_bca.attrs["notes"]
    assert "cause most of the spread" not in str(iaa.page(by_bca))
    assert "these items" not in said + whole


@pytest.mark.parametrize(("by", "code"), [(1, "places_later"), (-2, "places_earlier")])
def test_places_that_are_counted_otherwise_are_pointed_at(by: int, code: str) -> None:
    made = {
        f"d{n}": {
            who: [(at + step, at + step + 6, "A") for at in (5, 20 + n, 40)]
            for who, step in (("ann", 0), ("bob", by), ("cleo", 0))
        }
        for n in range(8)
    }
    result = iaa.span_f1(iaa.from_spans(made), interval=None)
    (note,) = [n for n in load_notes(result.attrs["notes"]) if n.code.startswith("places_")]
    assert (note.code, note.values["annotator"], note.values["share"]) == (code, "bob", 1.0)
    assert note.values["places"] == abs(by)
    assert "check first that all annotators' positions are counted" in " ".join(
        str(iaa.page(result)).split()
    )
    either_way = {
        name: {
            who: [(s - n % 2, e - n % 2, x) for n, (s, e, x) in enumerate(spans)]
            for who, spans in marked.items()
        }
        | {"ann": marked["ann"], "bob": marked["ann"]}
        for name, marked in made.items()
    }
    result = iaa.span_f1(iaa.from_spans(either_way), interval=None)
    assert "places_" not in result.attrs["notes"]
