"""Exports of INCEpTION's agreement page: spans in CSV and JSON, and the diagnosis."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import xarray as xr

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans
from tests.io.tools.marks import Write, marked

SAMPLES = Path(__file__).parents[1] / "samples" / "inception"
CSV = SAMPLES / "synthetic_agreement_export_labels.csv"
JSON = SAMPLES / "synthetic_agreement_export_labels.json"
DIAGNOSIS = SAMPLES / "synthetic_agreement_export_diagnosis.csv"


def answers(ratings: xr.Dataset) -> list[list[list[str]]]:
    """The labels of each item and annotator."""
    labels = ratings.label.values
    return [[labels[mass > 0].tolist() for mass in item] for item in ratings.mass.values]


def test_csv() -> None:
    spans = read_spans(CSV)
    assert marked(spans) == {
        ("doc1.txt", "ana"): [(0, 10, "PER"), (21, 30, "ORG"), (45, 50, "LOC")],
        ("doc1.txt", "ben"): [(0, 10, "PER"), (21, 25, "ORG"), (45, 50, "LOC")],
        ("doc2.txt", "ana"): [(0, 14, "OBJ")],
    }
    assert spans.attrs["read_as"] == (
        "INCEpTION agreement, positions in UTF-16 units, items from 'doc', annotators from 'user'"
    )
    assert "counts as not seen by that annotator" in spans.attrs["notices"]
    assert read(CSV).identical(spans)


def test_json() -> None:
    assert marked(read_spans(JSON)) == {
        ("doc1.txt", "ana"): [(0, 10, "PER"), (21, 30, "ORG")],
        ("doc1.txt", "ben"): [(0, 10, "PER"), (21, 25, "")],
    }


def test_equal_spans_and_curators(write: Write) -> None:
    rows = "d,ana,0,1,a,X\nd,ana,0,1,a,X\nd,ben,0,1,a,Y\nd,CURATION_USER,0,1,a,X\n"
    path = write(f"doc,user,begin,end,text,label\n{rows}")
    spans = read_spans(path)
    assert marked(spans) == {("d", "ana"): [(0, 1, "X")] * 2, ("d", "ben"): [(0, 1, "Y")]}
    assert "1 judgement of curators" in spans.attrs["skipped"]
    assert ("d", "CURATION_USER") in marked(read_spans(path, include="curator"))


def test_files_of_two_projects(tmp_path: Path) -> None:
    text = CSV.read_text()
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(text)
    with pytest.raises(IaaError, match="duplicates"):
        read_spans(tmp_path)
    assert marked(read_spans(tmp_path, duplicates="first")) == marked(read_spans(CSV))


def test_diagnosis_as_labels() -> None:
    ratings = read(DIAGNOSIS)
    assert ratings.item.values.tolist() == [
        f"doc1.txt | {place}"
        for place in ("0-10 [John Smith]", "21-30 [Acme Corp]", "45-50 [Paris]", "52-56 [Rome]")
    ]
    assert ratings.record.values.tolist() == ["doc1.txt"] * 4
    assert answers(ratings) == [
        [["PER"], ["PER"]],
        [["ORG"], []],
        [["LOC"], ["(none)"]],
        [["LOC", "PER"], ["LOC"]],
    ]
    assert "1 judgement without an answer (ben: 1)" in ratings.attrs["skipped"]
    assert "annotators: ana, ben" in ratings.attrs["read_as"]
    assert read(DIAGNOSIS, skipped="drop").sizes["item"] == 3
    assert krippendorff_alpha(ratings, distance="masi", interval=None).estimate < 1


def test_diagnosis_as_spans() -> None:
    spans = marked(read_spans(DIAGNOSIS))
    assert spans["doc1.txt", "ben"] == [(0, 10, "PER"), (45, 50, ""), (52, 56, "LOC")]
    assert spans["doc1.txt", "ana"][3:] == [(52, 56, "LOC"), (52, 56, "PER")]


def test_diagnosis_of_several_layers(write: Write) -> None:
    rows = (
        'SpanPosition,p,d1,x.Sense,id,0-2 [In],"COMPLETE, USED",A,A,<no annotation>\n'
        'SpanPosition,p,d2,x.Sense,id,0-2 [In],"COMPLETE, USED",A,B,<no annotation>\n'
        'RelationPosition,p,d1,x.Dep,kind,0-2 -> 3-4,"COMPLETE, USED",of,by,<no annotation>\n'
        "SpanPosition,p,d1,x.Sense,id,7-8 [x],IRRELEVANT,A,A,<no annotation>\n"
    )
    head = "Type,Collection,Document,Layer,Feature,Position,Flags,ana,ben,CURATION_USER\n"
    path = write(head + rows)
    with pytest.raises(IaaError, match=r"2 questions: .*'positions of Sense.id'"):
        read(path)
    ratings = read(path, question="positions of Dep.kind", keep="Type")
    assert ratings.item.values.tolist() == ["d1 | 0-2 -> 3-4"]
    assert ratings.Type.values.tolist() == ["RelationPosition"]
    ratings = read(path, question="positions of Sense.id")
    assert ratings.item.values.tolist() == ["d1 | 0-2 [In]", "d2 | 0-2 [In]"]
    assert "1 position flagged as irrelevant" in ratings.attrs["skipped"]
    assert set(marked(read_spans(path))) == {
        (d, who) for d in ("d1", "d2") for who in ("ana", "ben")
    }


def test_diagnosis_without_flags(write: Write) -> None:
    head = "Type,Collection,Document,Layer,Feature,Position,ana,ben\n"
    row = "SpanPosition,p,d1,x.Sense,id,{} [In],{},{}\n"
    path = write(head + row.format("0-2", "A", "null") + row.format("3-5", "", '"A, B"'))
    spans = marked(read_spans(path))
    assert spans == {("d1", "ana"): [(0, 2, "A"), (3, 5, "")], ("d1", "ben"): [(3, 5, "A, B")]}


@pytest.mark.parametrize(
    ("path", "old", "new", "message"),
    [
        (CSV, ",21,30,", ",21,3x,", "a span from 21 to '3x'"),
        (CSV, ",21,30,", ",31,30,", "a span from 31 to 30"),
        (CSV, "ben,21", ",21", "no document or no user"),
        (JSON, '"begin": 21', '"begin": [21]', "a span from [21] to 30"),
        (JSON, '"label": "ORG"', '"label": ["ORG"]', "label is no text"),
        (JSON, '"user": "ben",\n    "begin": 21', '"begin": 21', "no field 'user'"),
        (DIAGNOSIS, "21-30 [", "[", "does not begin with two positions"),
    ],
)
def test_damaged(write: Write, path: Path, old: str, new: str, message: str) -> None:
    text = path.read_text()
    assert old in text
    with pytest.raises(IaaError) as caught:
        read_spans(write(text.replace(old, new), path.name))
    assert message in str(caught.value)
    assert path.name in str(caught.value)


def test_huge_numbers(write: Write) -> None:
    records = json.loads(JSON.read_text())
    records[0]["end"] = 10**400
    with pytest.raises(IaaError, match="not positions in a text"):
        read_spans(write(json.dumps(records), "x.json"))
