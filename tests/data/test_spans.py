"""Spans from what annotators marked in documents."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.storage import ALONG_SPAN
from iaa_jax.io.export.answers import Span, span_of
from iaa_jax.io.export.spans import spans_of
from iaa_jax.io.words import in_words
from tests.io.exports import SEEN, export_of

DOCUMENTS = {
    "d1": {"ann": [(0, 5, "PER"), (7, 9, "ORG", 1), (11, 12, "ORG", 1)], "bob": [(0, 5, "ORG")]},
    "d2": {"ann": [], "bob": [(3, 4, "PER"), (3, 3, "PER")]},
    "d3": {"bob": []},
}


def rows(spans: xr.Dataset) -> set[tuple[object, ...]]:
    """Each span by names, without its unit."""
    of = {
        name: spans[name].values[spans[f"{name}_of"].values]
        for name in ("document", "annotator", "label")
    }
    places = (spans["start"].values.tolist(), spans["end"].values.tolist())
    who = (of["document"].tolist(), of["annotator"].tolist())
    return {*zip(*who, *places, of["label"].tolist(), strict=True)}


def frame(spans: xr.Dataset) -> pd.DataFrame:
    """The same spans as rows, with one without label for each document that was seen."""
    seen = np.argwhere(spans["seen"].values)
    names = [spans[n].values for n in ("document", "annotator")]
    table = [(names[0][d], names[1][a], None, None, None, None) for d, a in seen]
    codes = zip(*(spans[name].values.tolist() for name in ALONG_SPAN), strict=True)
    for document, annotator, label, start, end, unit in codes:
        who = (names[0][document], names[1][annotator])
        table.append((*who, start, end, spans["label"].values[label], unit))
    columns = ["document", "annotator", "start", "end", "label", "unit"]
    return pd.DataFrame(table, columns=columns)


def test_a_mapping() -> None:
    spans = iaa.from_spans(DOCUMENTS)
    assert spans["seen"].values.tolist() == [[True, True], [True, True], [False, True]]
    assert spans["label"].values.tolist() == ["ORG", "PER"]
    assert rows(spans) == {
        ("d1", "ann", 0, 5, "PER"),
        ("d1", "ann", 7, 9, "ORG"),
        ("d1", "ann", 11, 12, "ORG"),
        ("d1", "bob", 0, 5, "ORG"),
        ("d2", "bob", 3, 4, "PER"),
        ("d2", "bob", 3, 3, "PER"),
    }
    of_ann = spans["unit_of"].values[:3].tolist()
    assert of_ann[1] == of_ann[2] != of_ann[0]
    assert len(set(spans["unit_of"].values.tolist())) == 5
    assert all(spans[name].dtype == np.int64 for name in ALONG_SPAN)


def test_a_frame_gives_the_same_in_any_order() -> None:
    spans = iaa.from_spans(DOCUMENTS)
    again = iaa.from_spans(frame(spans))
    xr.testing.assert_equal(spans, again)
    shuffled = iaa.from_spans(frame(spans).sample(frac=1, random_state=3))
    assert rows(shuffled) == rows(spans)
    assert shuffled["seen"].sum() == spans["seen"].sum()


def test_units_of_different_judgements_are_different() -> None:
    both = {"ann": [(0, 1, "A", 1), (2, 3, "A", 1)], "bob": [(0, 1, "A", 1), (2, 3, "A", 1)]}
    units = iaa.from_spans({"d": both})["unit_of"].values.tolist()
    assert len(set(units)) == 2


def test_lengths_and_labels_are_kept() -> None:
    lengths = {"d1": 20, "d2": 4, "d3": 0}
    spans = iaa.from_spans(DOCUMENTS, lengths=lengths, labels=["PER", "LOC", "ORG"])
    assert spans["length"].values.tolist() == [20, 4, 0]
    assert spans["label"].values.tolist() == ["PER", "LOC", "ORG"]
    assert "length" not in iaa.from_spans(DOCUMENTS, lengths={"d1": 20})


@pytest.mark.parametrize(
    ("documents", "options", "message"),
    [
        ({"d": {"a": [(5, 2, "X")], "b": []}}, {}, r"span 1 \(document 'd', annotator 'a'\) is"),
        ({"d": {"a": [(-1, 2, "X")], "b": []}}, {}, "write .start, end, label."),
        ({"d": {"a": [(float("inf"), 2, "X")], "b": []}}, {}, "write .start, end, label."),
        ({"d": {"a": ["abc"], "b": []}}, {}, "is 'abc'"),
        ({"d": {"a": [(0, 2)], "b": []}}, {}, "write .start, end, label."),
        ({"d": {"a": [(0, 2, "X")]}}, {}, "only one annotator, 'a'"),
        ({"d": {"a": []}, "e": {"b": []}}, {}, "no document was seen by two annotators"),
        ({}, {}, "nobody saw a document"),
        ([], {}, "must be a dict of documents or a DataFrame, not list"),
        (DOCUMENTS, {"labels": ["PER"]}, "'ORG'"),
        (DOCUMENTS, {"lengths": {"d1": 11, "d2": 4, "d3": 4}}, "1 span beyond the end"),
        (
            DOCUMENTS,
            {"lengths": {"d1": "x"}},
            "lengths: the length of document 'd1' is 'x', no number",
        ),
        (DOCUMENTS, {"lengths": {"d1": float("nan")}}, "is nan, no number"),
        (DOCUMENTS, {"lengths": {"d1": -1}}, "is -1, no number"),
        (DOCUMENTS, {"lengths": 300}, "lengths must be a dict of documents, not int"),
        ({"d": [(0, 2, "X")]}, {}, r"document 'd' is \[\(0, 2, 'X'\)\]; write"),
        ({"d": {"a": None, "b": []}}, {}, "annotator 'a': None is no list of spans"),
        (pd.DataFrame({"document": ["d"]}), {}, "there is no column 'annotator'"),
    ],
)
def test_what_is_refused(documents: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(IaaError, match=message):
        iaa.from_spans(documents, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("document", None, "row 1 has no document"),
        ("annotator", np.nan, "row 1 has no annotator"),
        ("start", "x", "start is no number of 0 or more at row 1"),
        ("end", float("inf"), "end is no number of 0 or more at row 1"),
        ("end", 0, "1 span whose end is before its start: row 1"),
        ("start", -1, "start is no number"),
        ("end", 10**30, "end is no number"),
    ],
)
def test_rows_that_are_refused(column: str, value: object, message: str) -> None:
    table = pd.DataFrame(
        [["d", "a", 1, 2, "X"], ["d", "b", 1, 2, "X"]],
        columns=["document", "annotator", "start", "end", "label"],
        dtype=object,
    )
    table.loc[1, column] = value
    with pytest.raises(IaaError, match=message):
        iaa.from_spans(table)


def test_rows_with_an_end_alone_are_refused() -> None:
    rows = [["d", "a", None, 2, None], ["d", "b", 1, 2, "X"]]
    table = pd.DataFrame(rows, columns=["document", "annotator", "start", "end", "label"])
    with pytest.raises(IaaError, match="start is no number of 0 or more at row 0"):
        iaa.from_spans(table)


def test_names_that_are_numbers_are_text_in_a_dict() -> None:
    spans = iaa.from_spans({1: {"a": [(0, 2, "X")], 2: [(0, 2, "X")]}, "d": {}})
    assert spans["document"].values.tolist() == ["1"]
    assert spans["annotator"].values.tolist() == ["a", "2"]
    assert spans["annotator_of"].values.tolist() == [0, 1]


SPANS = (
    ("1", "ann", [Span(0, 3, "A"), Span(0, 3, "A"), Span(5, 6, "B", 1), Span(8, 9, "B", 1)]),
    ("1", "bob", [Span(0, 3, "A")]),
    ("2", "ann", []),
    ("2", "bob", [Span(1, 1, "B")]),
)


def test_spans_of_an_export() -> None:
    spans = spans_of(export_of([*SPANS, ("3", "ann", SEEN), ("3", "bob", [])], kind="spans"))
    assert rows(spans) == {
        (1, "ann", 0, 3, "A"),
        (1, "ann", 5, 6, "B"),
        (1, "ann", 8, 9, "B"),
        (1, "bob", 0, 3, "A"),
        (2, "bob", 1, 1, "B"),
    }
    assert spans["seen"].values.tolist() == [[True, True], [True, True], [False, True]]
    said = in_words(spans.attrs["reading"])
    assert said["skipped"] == "1 judgement without an answer (ann: 1)"
    third = [("3", "ann", SEEN), ("3", "bob", [])]
    dropped = spans_of(export_of([*SPANS, *third], kind="spans", skipped="drop"))
    assert dropped.sizes["document"] == 2


def test_lengths_of_an_export() -> None:
    export = export_of(SPANS, kind="spans")
    export.lengths = {"1": 10, "2": 3}
    assert spans_of(export)["length"].values.tolist() == [10, 3]
    export.lengths = {"1": 8}
    with pytest.raises(IaaError, match=r"1 span beyond the end .*export.json record 1"):
        spans_of(export)


def test_exports_whose_spans_are_refused() -> None:
    with pytest.raises(IaaError, match="a skipped document is no span"):
        spans_of(export_of(SPANS, kind="spans", skipped="category"))
    with pytest.raises(IaaError, match="spans of two answers may be meant"):
        spans_of(export_of(SPANS, kind="spans", duplicates="combine"))
    with pytest.raises(IaaError, match=r"export.json record 5 names no document"):
        spans_of(export_of([*SPANS, (None, "ann", [])], kind="spans"))
    with pytest.raises(IaaError, match="was answered by labels of whole items"):
        spans_of(export_of([("1", "a", ["x"])]))
    with pytest.raises(IaaError, match="1 judgement without annotator"):
        spans_of(export_of([*SPANS, ("3", None, [])], kind="spans"))


@pytest.mark.parametrize(
    "places", [(None, 1), (0, None), ("0", 1), (2, 1), (-1, 1), (0.0, 1), ([], 1), (0, 10**30)]
)
def test_places_are_whole_numbers(places: tuple[object, object]) -> None:
    with pytest.raises(IaaError, match=r"t\.json line 3: a span from .* not positions in a text"):
        span_of(*places, "A", "t.json line 3")


def test_messages_name_document_annotator_and_places() -> None:
    spans = {"d1": {"ann": [(0, 1, "x"), (0, 50, "x")], "bob": []}}
    at = r"document 'd1', annotator 'ann', 0 to 50"
    with pytest.raises(IaaError, match=rf"beyond the end of the document: the span \({at}\)"):
        iaa.from_spans(spans, lengths={"d1": 20})
    frame = pd.DataFrame(
        [("d1", "ann", 0, 50, "x"), ("d1", "bob", None, None, None)],
        columns=["document", "annotator", "start", "end", "label"],
    )
    with pytest.raises(IaaError, match=r"row 0 \(document 'd1', annotator 'ann', 0.0 to 50.0\)"):
        iaa.from_spans(frame, lengths={"d1": 20})
    with pytest.raises(IaaError, match=r"span 1 \(document 'd1', annotator 'ann'\) is \(True, 2"):
        iaa.from_spans({"d1": {"ann": [(True, 2, "x")], "bob": []}})


def test_a_point_holds_no_token() -> None:
    """A span of no length equals another one there, and marks no place."""
    spans = iaa.from_spans({"d1": {"a": [(3, 3, "x")], "b": [(3, 3, "x")]}}, lengths={"d1": 6})
    assert float(iaa.span_f1(spans, interval=None).estimate) == 1
    ratings = iaa.data.token_ratings(spans, "any")
    assert set(ratings.primary.values.ravel().tolist()) == {0}
    assert ratings.item_weight.values.sum() == 6
