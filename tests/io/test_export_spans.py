"""Spans of exports: what is kept beside them, who has seen what, and which options they take."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.io.export.answers import Span
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.ratings import ratings_of
from iaa_jax.io.export.spans import spans_of
from iaa_jax.io.words import in_words
from tests.io.exports import SEEN, Row, export_of
from tests.io.tools.marks import Write, marked

X, Y = Span(0, 4, "x"), Span(2, 6, "y")


def exported(rows: Sequence[Row | tuple[object, ...]], **options: object) -> Export:
    return export_of(rows, kind="spans", **options)


def rows_of(**fields: object) -> list[Row]:
    """Two documents by two annotators, with times, the second one of another batch."""
    return [
        Row(
            item,
            who,
            [X],
            10.0 * k + (who == "b"),
            {"batch": f"b{item}", "team": who * 2, **fields},
        )
        for k, item in enumerate("12")
        for named in [{"batch": f"b{item}"}]
        for who in "ab"
    ]


def test_fields_are_kept_along_documents() -> None:
    spans = spans_of(exported(rows_of(), keep="batch,team,time"))
    assert spans.batch.dims == ("document",)
    assert spans.batch.values.tolist() == ["b1", "b2"]
    assert (spans.team.dims, spans.team.values.tolist()) == (("annotator",), ["aa", "bb"])
    assert spans.time.dims == ("document", "annotator")
    assert spans.time.values.tolist() == [[0, 1], [10, 11]]
    ratings = span_ratings(spans)
    assert (ratings.batch.dims, ratings.team.dims) == (("item",), ("annotator",))
    assert ratings.time.values.tolist() == [[0, 1], [10, 11]]


def test_times_of_crowds_stand_by_slot() -> None:
    rows = [
        Row(str(k), f"w{who}", [X], 100.0 * k + who)
        for k in range(70)
        for who in np.random.default_rng(k).choice(150, 3, replace=False).tolist()
    ]
    ratings = span_ratings(spans_of(exported(rows, keep="time")))
    assert ratings.time.dims == ("item", "slot")
    workers = ratings.annotator.values[ratings.annotator_of.values]
    wanted = [[100 * k + int(name[1:]) for name in names] for k, names in enumerate(workers)]
    assert ratings.time.values.tolist() == wanted


@pytest.mark.parametrize("name", ["document", "start", "seen", "item"])
def test_names_of_spans_are_not_kept(name: str) -> None:
    with pytest.raises(IaaError, match=f"keep='{name}' names a variable"):
        spans_of(exported(rows_of(**{name: 1}), keep=name))
    with pytest.raises(IaaError, match="no field 'color'"):
        spans_of(exported(rows_of(), keep="color"))


def test_columns_are_numbers_by_themselves() -> None:
    """A column of numbers is one beside a column of text, in ratings too."""
    rows = [row._replace(answer=["l"]) for row in rows_of()]
    ratings = ratings_of(export_of(rows, keep="batch,time"))
    assert ratings.time.values.tolist() == [[0, 1], [10, 11]]


def test_exports_are_read_with_what_is_kept(write: Write) -> None:
    tasks = [
        {
            "text": "In Rome",
            "_input_hash": number,
            "_view_id": "ner_manual",
            "answer": "accept",
            "spans": [{"start": 3, "end": 7, "label": "PLACE"}],
            "_annotator_id": who,
            "_timestamp": 1000 * number,
            "meta": {"batch": f"week {number % 2}"},
        }
        for number in range(4)
        for who in ("ann", "bob")
    ]
    file = write("\n".join(map(json.dumps, tasks)), "export.jsonl")
    for read in (iaa.read, iaa.read_spans):
        spans = read(file, keep="meta.batch,time")
        assert spans["meta.batch"].values.tolist() == [f"week {k % 2}" for k in range(4)]
        assert spans["time"].values.tolist() == [0, 1000, 2000, 3000]
    drift = iaa.drift(iaa.read(file, keep="meta.batch"), by="meta.batch", interval=None)
    assert drift["point"].values.tolist() == ["week 0", "week 1"]
    with pytest.raises(IaaError, match="missing cannot be used with spans"):
        iaa.read(file, missing=["PLACE"])


def test_all_that_can_come_of_a_document() -> None:
    """Spans, nothing, skipped and never seen; a document twice, parts, the same span twice."""
    rows: list[tuple[object, ...]] = [
        ("d1", "a", [X, Y]),
        ("d1", "b", []),
        ("d1", "c", SEEN),
        ("d2", "a", []),
        ("d2", "b", [X._replace(unit=0), Span(8, 9, "x", 0)]),
        ("d3", "b", [X, X]),
        ("d3", "c", [X, X._replace(unit=1)]),
    ]
    spans = spans_of(exported(rows))
    assert spans.seen.values.tolist() == [
        [True, True, False],
        [True, True, False],
        [False, True, True],
    ]
    assert marked(spans) == {
        ("d1", "a"): [(0, 4, "x"), (2, 6, "y")],
        ("d1", "b"): [],
        ("d2", "a"): [],
        ("d2", "b"): [(0, 4, "x"), (8, 9, "x")],
        ("d3", "b"): [(0, 4, "x")],
        ("d3", "c"): [(0, 4, "x"), (0, 4, "x")],  # a unit each, as the tool has them
    }
    of_two = spans.unit_of.values[(spans.document_of == 1).values]
    assert len({*of_two.tolist()}) == 1
    with pytest.raises(IaaError, match="same item by the same annotator"):
        spans_of(exported([*rows, ("d1", "a", [])]))
    last = spans_of(exported([*rows, ("d1", "a", [])], duplicates="last"))
    assert ("d1", "a") in marked(last)
    assert marked(last)["d1", "a"] == []
    dropped = spans_of(exported(rows, skipped="drop"))
    assert dropped.document.values.tolist() == ["d2", "d3"]


def test_who_marked_nothing_found_nothing() -> None:
    rows = [("d1", "a", [X]), ("d1", "b", []), ("d2", "a", [Y]), ("d2", "b", []), ("d2", "c", SEEN)]
    spans = spans_of(exported(rows))
    assert spans.annotator.values.tolist() == ["a", "b"]
    assert spans.seen.values.all()
    assert float(iaa.span_f1(spans, interval=None).estimate) == 0
    listed = exported([*rows, ("d1", "c", [X])])
    listed.lists_unbegun = True  # as doccano's files, and folders of brat
    without = spans_of(listed)
    assert without.annotator.values.tolist() == ["a", "c"]
    assert "'b', who answered nothing" in in_words(without.attrs["reading"])["skipped"]


def test_names_of_spans_that_hardly_differ_are_noted(folder: Path) -> None:
    rows = ["document,annotator,start,end,label"]
    rows += [f"d{n},ann,{3 * n},{3 * n + 2},PER" for n in range(3)]
    rows += [f"{'D' if n else 'd'}{n},bob,{3 * n},{3 * n + 2},per" for n in range(3)]
    file = folder / "spans.csv"
    file.write_text("\n".join([*rows, "D2,bob,0,1,per"]))
    noted = iaa.read_spans(file).attrs["notices"]
    assert (
        "labels that differ only in case were read as different: 'PER' (3 spans), 'per' (4 spans); "
        "to merge them, give merge_labels='case'"
    ) in noted
    assert "and count as different documents" in noted
    assert "notices" not in iaa.read_spans(file, merge_labels="case", merge_ids="case").attrs


def test_a_table_whose_columns_are_named_otherwise_is_told_how(folder: Path) -> None:
    file = folder / "spans.csv"
    file.write_text("doc_id,user,begin,finish,entity\nd1,ann,0,3,PER\nd1,bob,0,4,PER\n")
    message = (
        "'entity'; a table of spans has a row per span and the columns document, annotator, start, "
        "end and label"
    )
    with pytest.raises(IaaError, match=message) as caught:
        iaa.read_spans(file)
    assert "If a row is one rating" not in str(caught.value)


def test_what_stands_twice_in_a_file_is_read_once_and_said(folder: Path) -> None:
    rows = [f"d{n},{who},0,3,PER" for n in range(6) for who in ("ann", "bob")]
    rows += [row for row in rows if "ann" in row]
    file = folder / "spans.csv"
    file.write_text("\n".join(["document,annotator,start,end,label", *rows]))
    spans = iaa.read_spans(file)
    assert spans.sizes["span"] == 12
    assert "6 spans are repeated in the files" in spans.attrs["notices"]
