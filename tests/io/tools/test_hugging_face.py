"""Data sets as on the Hugging Face Hub: lists of annotators, and what is a plain table."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "universal"
PARALLEL = SAMPLES / "synthetic_hf_parallel_lists.jsonl"
OBJECTS = SAMPLES / "synthetic_hf_list_of_structs.jsonl"
ONE_HOT = SAMPLES / "synthetic_hf_one_row_per_rating_onehot.csv"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def lines(*records: object) -> str:
    return "\n".join(map(json.dumps, records))


def test_parallel_lists() -> None:
    ratings = read(PARALLEL)
    assert ratings.item.values.tolist() == ["t1", "t2", "t3"]
    assert ratings.annotator.values.tolist() == ["w1", "w2", "w3", "w4"]
    assert ratings.label.values.tolist() == [0, 1]
    assert ratings.primary.values.tolist() == [[0, 1, 0, -1], [1, -1, 1, -1], [-1, -1, 1, 0]]
    assert ratings.attrs["read_as"] == (
        "Hugging Face JSON, items from 'id', annotators from 'annotators'"
    )
    assert ratings.attrs["skipped"] == "1 empty answer"


def test_ids_of_answers_are_no_question(write: Write) -> None:
    records = [
        {"doc": doc, "notes": [{"annotator": who, "id": f"{doc}-{who}", "ok": who} for who in "ab"]}
        for doc in "xyz"
    ]
    ratings = read(write(lines(*records), "t.jsonl"))
    assert ratings.label.values.tolist() == ["a", "b"]
    assert "answers to 'id' (ids)" in ratings.attrs["skipped"]
    assert read(write(lines(*records), "t.jsonl"), question="id").sizes["label"] == 6


def test_lists_of_objects() -> None:
    assert "question='label' (labels, 5 judgements), question='target'" in refused(OBJECTS)
    ratings = read(OBJECTS, question="label")
    assert ratings.item.values.tolist() == ["p1", "p2"]
    assert ratings.annotator.values.tolist() == ["1", "2", "3", "4"]
    assert ratings.label.values.tolist() == ["normal", "offensive"]
    assert ratings.primary.values.tolist() == [[0, 1, 0, -1], [-1, 0, -1, 0]]
    assert "annotators from 'annotators.annotator_id'" in ratings.attrs["read_as"]
    assert read(OBJECTS, question="target").label.values.tolist() == ["None", "Women"]


@pytest.mark.parametrize("sample", [PARALLEL, OBJECTS])
def test_parquet(tmp_path: Path, sample: Path) -> None:
    rows = [json.loads(line) for line in sample.read_text().splitlines()]
    path = tmp_path / "train.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    question = "label" if sample == OBJECTS else None
    ratings = read(path, question=question)
    assert ratings.attrs["read_as"].startswith("Hugging Face Parquet")
    assert ratings.primary.equals(read(sample, question=question).primary)


def test_files_of_two_forms(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in PARALLEL.read_text().splitlines()]
    path = tmp_path / "test.parquet"
    pq.write_table(pa.Table.from_pylist([{**row, "id": f"b{row['id']}"} for row in rows]), path)
    ratings = read([PARALLEL, path])
    assert ratings.sizes["item"] == 6
    assert ratings.attrs["read_as"].startswith("Hugging Face JSON and Parquet, items from 'id'")


def test_lists_inside_one_field(write: Write) -> None:
    entries = {"label": ["a", "b"], "annotator_id": ["x", "y"]}
    ratings = read(
        write(lines({"post_id": 1, "by": entries}, {"post_id": 2, "by": entries}), "t.json")
    )
    assert "annotators from 'by.annotator_id'" in ratings.attrs["read_as"]
    assert ratings.primary.values.tolist() == [[0, 1], [0, 1]]


def test_other_keys_and_kept_fields(write: Write) -> None:
    same = {"lang": "en", "workers": ["x", "y"], "labels": [["a"], ["a", "b"]], "tokens": ["t"]}
    records = [{"text": t, **same} for t in ("t1", "t2")]
    path = write(lines(*records), "t.jsonl")
    ratings = read(path, keep="lang")
    assert ratings.item.values.tolist() == ["t1", "t2"]
    assert ratings.mass.values.tolist() == [[[1, 0], [1, 1]]] * 2
    assert ratings.lang.values.tolist() == ["en", "en"]
    assert read(path, item="lang", duplicates="first").item.values.tolist() == ["en"]
    assert read(path, annotator="workers").annotator.values.tolist() == ["x", "y"]


def test_records_with_and_without_id_are_refused(write: Write) -> None:
    first = {"id": 1, "annotators": ["a", "b"], "annotations": ["x", "y"]}
    other = {"annotators": ["c", "d"], "annotations": ["x", "x"]}  # whose number is 1, too
    said = refused(write(lines(first, other), "h.jsonl"))
    assert "h.jsonl line 2 has no 'id' to name the item, which other records have" in said


def test_several_files(write: Write) -> None:
    record = {"annotators": ["x", "y"], "labels": ["a", "b"], "name": "n"}
    paths = [write(lines(record, record), name) for name in ("train.jsonl", "test.jsonl")]
    assert read(paths[0]).item.values.tolist() == [0, 1]
    with pytest.raises(IaaError, match=r"train\.jsonl: its records have no id"):
        read(paths)
    assert read(paths, item="name", duplicates="first").item.values.tolist() == ["n"]


def test_lists_that_do_not_fit(write: Write) -> None:
    fits = {"id": 1, "annotators": ["x", "y"], "labels": ["a", "b"], "sure": [1, 2]}
    records = [fits, fits | {"id": 2}, fits | {"id": 3, "labels": ["a"]}]
    path = write(lines(*records), "t.jsonl")
    assert refused(path) == (
        "t.jsonl record 3 has 1 in 'labels' for 2 in 'annotators'; if this list holds no labels, "
        "name the one that does by question"
    )
    assert read(path, question="sure").sizes["item"] == 3
    remarks = [fits | {"id": k, "why": ["so\nso", {"a": [1]}]} for k in (1, 2)]
    assert (
        "answers to 'why' (objects)"
        in read(write(lines(*remarks), "t.jsonl"), question="sure").attrs["skipped"]
    )
    with pytest.raises(IaaError, match="answered by labels"):
        read_spans(path, question="sure")


def test_what_is_a_plain_table(write: Write) -> None:
    labels = "admiration,anger,joy,neutral"
    ratings = read(ONE_HOT, multi_hot=labels)
    assert ratings.attrs["read_as"].startswith("multi-hot table, items from 'id', annotators from")
    assert ratings.mass.values[0, 0].tolist() == [1, 0, 1, 0]
    # who found the example unclear marked nothing, which is an empty set
    assert ratings.mass.values[1, 0].tolist() == [0, 0, 0, 0]
    rows = {"ratings": [{"item": 1, "annotator": who, "label": who} for who in "ab"]}
    assert read(write(json.dumps(rows), "t.json")).attrs["layout"] == "long"
    lists = lines({"id": 1, "labels": ["a", "b"]}, {"id": 2, "labels": ["a", "a"]})
    anonymous = read(write(lists, "t.jsonl"), label="labels", anonymous=True)
    assert anonymous.attrs["layout"] == "long"
    named = read(PARALLEL, label="annotations", anonymous=True)
    assert named.attrs["layout"] == "long"


def test_lists_of_objects_in_cells(tmp_path: Path) -> None:
    """As text in a CSV, or in JSON: the same ratings as where the lists are JSON of their own."""
    labels = [("x", "x"), ("y", "x"), ("y", "y")]
    lists = [
        [{"annotator": who, "label": label} for who, label in zip("ab", each, strict=True)]
        for each in labels
    ]
    records = [{"id": str(number), "votes": each} for number, each in enumerate(lists)]
    as_text = [{**record, "votes": json.dumps(record["votes"])} for record in records]
    written = {"lists.jsonl": records, "texts.jsonl": as_text}
    for name, rows in written.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with (tmp_path / "cells.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerows([["id", "votes"], *(row.values() for row in as_text)])
    first = read(tmp_path / "lists.jsonl")
    assert first.primary.values.tolist() == [[0, 0], [1, 0], [1, 1]]
    for name in ("texts.jsonl", "cells.csv"):
        ratings = read(tmp_path / name)
        assert ratings.primary.equals(first.primary)
        assert "annotators from 'votes.annotator'" in ratings.attrs["read_as"]
