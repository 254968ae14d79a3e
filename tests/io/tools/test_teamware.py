"""GATE Teamware: JSON lines, JSON for GATE and CSV; answers, skipped documents, questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "teamware"
RAW = SAMPLES / "synthetic_teamware_raw.jsonl"
CSV = SAMPLES / "synthetic_teamware.csv"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path}", path.name)


def record(item: object, **sets: object) -> dict[str, object]:
    """A document as Teamware writes it, with the features of each annotator."""
    of_all = {
        name: {"annotations": [{"type": "Document", "features": features}]}
        for name, features in sets.items()
    }
    return {"id": item, "text": "t", "annotation_sets": of_all}


def test_questions_are_listed() -> None:
    message = refused(RAW)
    assert "3 questions" in message
    assert "question='sentiment' (labels, 9 judgements)" in message
    assert "question='aspects'" in refused(CSV)


@pytest.mark.parametrize("path", [RAW, CSV], ids=["jsonl", "csv"])
def test_choices(path: Path) -> None:
    ratings = read(path, question="sentiment")
    assert ratings.item.values.tolist() == [32, 33, 34]
    assert ratings.annotator.values.tolist() == ["annotator101", "annotator102", "annotator103"]
    labels = np.append(ratings.label.values, "")
    assert labels[ratings.primary.values].tolist() == [
        ["pos", "pos", ""],
        ["neg", "neu", "neg"],
        ["", "", ""],
    ]
    assert ratings.attrs["skipped"] == (
        "4 judgements without an answer (annotator103: 2, annotator101: 1, annotator102: 1)"
    )
    form = "CSV" if path == CSV else "JSON"
    assert ratings.attrs["read_as"].startswith(
        f"GATE Teamware {form}, question 'sentiment', items from 'id'"
    )


@pytest.mark.parametrize("path", [RAW, CSV], ids=["jsonl", "csv"])
def test_choices_of_several(path: Path) -> None:
    ratings = read(path, question="aspects")
    assert ratings.label.values.tolist() == ["battery", "durability", "screen"]
    mass = ratings.mass.values
    assert mass[0, :2].tolist() == [[1, 0, 1], [1, 0, 0]]
    assert mass[1].tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 0]]
    assert np.isnan(mass[0, 2]).all()
    assert np.isnan(mass[2]).all()
    assert ("1 answer with commas was read as" in ratings.attrs.get("notices", "")) == (path == CSV)


def test_skipped_documents_as_a_label_or_dropped() -> None:
    ratings = read(RAW, question="sentiment", skipped="category")
    assert ratings.label.values.tolist() == ["(skipped)", "neg", "neu", "pos"]
    assert (ratings.primary.values >= 0).all()
    assert read(RAW, question="sentiment", skipped="drop").item.values.tolist() == [33]


def test_who_answered_did_not_skip(write: Write) -> None:
    one = record(1, ann={"q": "x"}, bob={"q": "x"}) | {
        "teamware_status": {"rejected_by": ["ann"], "timed_out": ["ann", "cy", "cy"]}
    }
    two = record(2, ann={"q": "x"}, bob={"q": "y"}, cy={"q": "x"})
    ratings = read(write(json.dumps([one, two]), "t.json"))
    assert ratings.primary.values.tolist() == [[0, 0, -1], [0, 1, 0]]
    assert "1 judgement without an answer (cy: 1)" in ratings.attrs["skipped"]


def test_the_form_for_gate(write: Write) -> None:
    lines = []
    for line in RAW.read_text().splitlines():
        told = json.loads(line)
        kept = {name: told.pop(name) for name in ("text", "annotation_sets")}
        lines.append(json.dumps({**kept, "features": told, "offset_type": "p"}))
    ratings = read(write("\n".join(lines), "gate.jsonl"), question="sentiment")
    np.testing.assert_array_equal(ratings.primary, read(RAW, question="sentiment").primary)
    assert ratings.item.values.tolist() == [32, 33, 34]
    named = read(write("\n".join(lines), "gate.jsonl"), question="sentiment", item="features.id")
    assert named.item.values.tolist() == [32, 33, 34]


def test_duplicates_items_and_annotators(write: Write) -> None:
    records = [record(1, ann={"q": "x"}, bob={"q": "y"}), record(1, ann={"q": "y"})]
    path = write("\n".join(map(json.dumps, records)), "t.jsonl")
    assert "t.jsonl line 2" in refused(path)
    assert read(path, duplicates="last").label.values.tolist() == ["y"]
    assert "no field 'who'" in refused(path, annotator="who")
    assert refused(path, question="z").endswith("there is no question 'z'; read one of them by "
        "question='q' (labels, 3 judgements)")  # fmt: skip
    with pytest.raises(IaaError, match="was answered by labels"):
        read_spans(path)


def test_documents_without_id_are_numbered(write: Write) -> None:
    told = record(1, ann={"q": 1}, bob={"q": 2})
    del told["id"]
    ratings = read(write("\n".join([json.dumps(told)] * 2), "t.jsonl"))
    assert ratings.sizes["item"] == 2
    assert "items are row numbers" in ratings.attrs["read_as"]
    assert ratings.label.values.tolist() == [1, 2]


def test_documents_with_and_without_id_are_refused(write: Write) -> None:
    lines = RAW.read_text().splitlines()
    second = {name: value for name, value in json.loads(lines[1]).items() if name != "id"}
    path = write("\n".join([lines[0], json.dumps(second), lines[2]]), "t.jsonl")
    assert "t.jsonl line 2 has no id, and others have" in refused(path, question="sentiment")
    path = write("\n".join([json.dumps(second), *lines]), "t.jsonl")
    assert "t.jsonl line 2 has an id, and others have none" in refused(path, question="sentiment")
    assert read(path, question="sentiment", item="text", duplicates="first").item.size == 3
    table = write(CSV.read_text().replace("\n33,", "\n,"), "t.csv")
    assert "t.csv line 3 has no id, and others have" in refused(table, question="sentiment")


def test_a_document_without_sets_is_refused(write: Write) -> None:
    lines = RAW.read_text().splitlines()
    lines[1] = json.dumps({"data": json.loads(lines[1])})
    path = write("\n".join(lines), "t.jsonl")
    assert "t.jsonl line 2 has no annotation_sets" in refused(path, question="sentiment")


def test_annotations_of_parts_are_counted(write: Write) -> None:
    told = record(1, ann={"q": "x"}, bob={"q": "x"})
    told["annotation_sets"]["ann"]["annotations"].append({"type": "Person", "start": 0, "end": 1})
    ratings = read(write(json.dumps(told), "t.json"))
    assert ratings.attrs["skipped"] == "1 annotation of parts of documents"


def test_user_names_with_dots(write: Write) -> None:
    head = "id,text,annotations.a.b@c.org.q,annotations.bob.q,teamware_status.rejected_by"
    ratings = read(write(f"{head}\n1,t,x,y,\n2,t,x,,bob\n"))
    assert ratings.annotator.values.tolist() == ["a.b@c.org", "bob"]
    assert ratings.primary.values.tolist() == [[0, 1], [0, -1]]


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ({"ann": []}, "line 1: [] where an object"),
        ({"ann": {"annotations": {}}}, "line 1: {} where a list"),
        ({"ann": {"annotations": ["x"]}}, "line 1: 'x' where an object"),
    ],
)
def test_fields_of_other_kinds(write: Write, sets: object, said: str) -> None:
    text = json.dumps({"id": 1, "text": "t", "annotation_sets": sets})
    assert f"t.jsonl {said}" in refused(write(text, "t.jsonl"))
