"""Tables of spans: of pygamma-agreement, and with names of columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "universal"
NAMES = "document,annotator,start,end,label\n"
NAMED = NAMES + "d1,ann,0,5,PER\nd1,bob,0,4,PER\nd1,bob,6,9,LOC\nd2,ann,,,\nd2,bob,1,2,PER\n"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "spans", "annotators", "labels"),
    [
        ("real_pygamma_AlexPaulSuzan", 16, ["Alex", "Paul", "Suzan"], 7),
        ("real_pygamma_annotation_dalton", 12, ["Joe", "Jack", "William", "Averell"], 3),
        ("real_pygamma_annotation_paul_suzann_alex", 18, ["Alex", "Paul", "Suzan"], 7),
    ],
)
def test_pygamma(name: str, spans: int, annotators: list[str], labels: int) -> None:
    read = read_spans(SAMPLES / f"{name}.csv")
    assert read.sizes == {
        "span": spans,
        "document": 1,
        "annotator": len(annotators),
        "label": labels,
    }
    assert read.document.values.tolist() == [name]
    assert read.annotator.values.tolist() == annotators
    assert read.attrs["read_as"] == (
        "span table without names of columns, items from file names, annotators from 'annotator'"
    )


def test_files_are_documents(tmp_path: Path) -> None:
    for number, source in enumerate(sorted(SAMPLES.glob("real_pygamma_*"))):
        lines = source.read_text().splitlines()
        (tmp_path / f"doc{number}.csv").write_text("\n".join(lines[::-1]))
    spans = read_spans(tmp_path)
    assert spans.document.values.tolist() == ["doc0", "doc1", "doc2"]
    assert spans.sizes["span"] == 46
    assert sorted(spans.annotator.values[spans.seen.values[1]].tolist()) == [
        "Averell",
        "Jack",
        "Joe",
        "William",
    ]


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_names_of_columns(tmp_path: Path, write: Write, form: str) -> None:
    path = write(NAMED, "spans.csv")
    table = pd.read_csv(path).astype({"start": "Int64", "end": "Int64"})
    if form == "jsonl":
        path = tmp_path / "spans.jsonl"
        table.to_json(path, orient="records", lines=True)
    elif form == "parquet":
        path = tmp_path / "spans.parquet"
        table.to_parquet(path)
    spans = read_spans(path)
    assert spans.seen.values.all()
    assert spans.start.values.tolist() == [0, 0, 6, 1]
    assert spans.end.values.tolist() == [5, 4, 9, 2]
    assert spans.label.values.tolist() == ["LOC", "PER"]
    assert "items from 'document', annotators from 'annotator'" in spans.attrs["read_as"]


def test_who_marked_nothing_is_an_annotator(write: Write) -> None:
    """A row without places says so, whether or not it has a label."""
    for label in ("", "PER"):
        path = write(NAMES + f"d1,ann,0,5,PER\nd1,bob,,,{label}\n", "spans.csv")
        for spans in (read_spans(path), iaa.from_spans(pd.read_csv(path))):
            assert spans.seen.values.tolist() == [[True, True]]
            assert spans.sizes["span"] == 1


def test_documents_with_spans_of_fewer_annotators_are_told(write: Write) -> None:
    """Only an empty row, or a status, says that somebody looked and marked nothing."""
    rows = "d1,ann,0,5,PER\nd1,bob,0,4,PER\nd2,bob,1,2,PER\n"
    path = write(NAMES + rows, "spans.csv")
    for spans in (read_spans(path), read(path), iaa.from_spans(pd.read_csv(path))):
        assert "1 document has spans of fewer annotators than others" in spans.attrs["notices"]
    for text in (NAMES + rows + "d3,ann,,,\n", NAMES + rows.replace("d2", "d1")):
        path = write(text, "spans.csv")
        for spans in (read_spans(path), iaa.from_spans(pd.read_csv(path))):
            assert "notices" not in spans.attrs
    stated = (NAMES + rows).replace("\n", ",answered\n").replace("label,answered", "label,status")
    assert "notices" not in read_spans(write(stated, "spans.csv")).attrs


def test_units_statuses_and_repeats(write: Write) -> None:
    head = "document,annotator,start,end,label,unit,status,judgement,time\n"
    rows = (
        "d1,ann,0,2,A,0,answered,1,5\nd1,ann,4,6,A,0,answered,1,5\nd1,bob,0,2,A,,answered,2,5\n"
        "d2,ann,,,,,skipped,3,5\nd2,bob,,,,,empty,4,5\nd1,bob,7,8,A,,answered,5,9\n"
    )
    path = write(head + rows, "spans.csv")
    message = refused(path)
    assert "annotator 'bob'" in message
    assert "line 7" in message
    spans = read_spans(path, duplicates="last")
    assert spans.seen.values.tolist() == [[True, True], [False, True]]
    assert spans.start.values.tolist() == [0, 4, 7]
    assert len({*spans.unit_of.values.tolist()}) == 2
    assert "1 judgement without an answer (ann: 1)" in spans.attrs["skipped"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (NAMED + "d2,ann,5,3,PER\n", "line 7: a span from 5 to 3"),
        (NAMED + "d2,ann,x,3,PER\n", "line 7: a span from 'x' to '3'"),
        (NAMED + "d2,ann,,3,PER\n", "line 7: a span from '' to '3'"),
        (NAMED + ",ann,1,3,PER\n", "line 7 names no document"),
        (NAMED + "d2,,1,3,PER\n", "without annotator, as in"),
        (NAMED + "d2,ann,1,99999999999999999999,PER\n", "line 7: a span from '1' to"),
        (NAMED + "d2,ann,3.5,1.5,PER\n", "line 7: a span from 3.5 to 1.5, which are not times"),
    ],
)
def test_what_is_no_span(write: Write, text: str, said: str) -> None:
    assert said in refused(write(text, "spans.csv"))


def test_times_in_seconds(write: Write) -> None:
    spans = read_spans(write(NAMED.replace("0,5", "0.25,5"), "spans.csv"))
    assert spans.start.values.tolist() == [0.25, 0.0, 6.0, 1.0]
    bare = read_spans(write("a,X,1,2\nb,X,1,2\na,Y,3.5,4.25\n", "spans.csv"))
    assert bare.end.values.tolist() == [2.0, 4.25, 2.0]


def test_labels_of_items_are_none(write: Write) -> None:
    path = write(NAMED, "spans.csv")
    assert read(path).attrs["task"] == "spans"
    table = "item,annotator,label,start,end\n1,a,x,1,2\n1,b,x,3,4\n"
    labels = read(write(table))
    assert labels.attrs["layout"] == "long"
    said = "if a row is a span from start to end, give format='spans' and item='item'"
    assert said in labels.attrs["notices"]


def test_columns_of_documents_and_annotators_are_named(write: Write) -> None:
    path = write(NAMED.replace("document,annotator", "tweet_id,coder"), "spans.csv")
    message = refused(path)
    assert "no column 'document': name the column of the documents by item='tweet_id'" in message
    assert "of the annotators by annotator='coder'" in refused(path, item="tweet_id")
    named = {"item": "tweet_id", "annotator": "coder"}
    for spans in (read_spans(path, **named), read(path, format="spans", **named)):
        assert spans.seen.values.tolist() == [[True, True], [True, True]]
        assert spans.start.values.tolist() == [0, 0, 6, 1]
    with pytest.raises(IaaError, match="if a row is a span from start to end, give format='spans'"):
        read(path, item="tweet_id", annotator="coder")
