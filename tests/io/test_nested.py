"""Lists inside the records of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, read
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.table import json_cells
from iaa_jax.io.table.nested import lists_of, unfold
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source

Write = Callable[..., Path]

DOCUMENTS: list[dict[str, Any]] = [
    {
        "doc": "d1",
        "sentences": [
            {
                "text": "same",
                "responses": [
                    {"worker_id": 1, "response": "yes", "ease": 1},
                    {"worker_id": 2, "response": "yes", "ease": 2},
                ],
            },
            {
                "text": "same",
                "responses": [
                    {"worker_id": 1, "response": "no", "ease": 2},
                    {"worker_id": 3, "response": "yes", "ease": 2},
                ],
            },
        ],
    },
    {
        "doc": "d2",
        "sentences": [
            {
                "text": "last",
                "responses": [
                    {"worker_id": 2, "response": "no", "ease": 1},
                    {"worker_id": 3, "response": "no", "ease": 1},
                ],
            }
        ],
    },
]
WAY = "sentences[].responses[]"


def jsonl(records: list[Any]) -> str:
    return "\n".join(map(json.dumps, records))


def alpha(ratings: Any) -> float:
    return float(iaa.krippendorff_alpha(ratings, interval=None).estimate)


def coincidences(items: list[tuple[object, object]]) -> float:
    """Alpha of two ratings an item, from the definition."""
    values = [value for pair in items for value in pair]
    observed = np.mean([a != b for a, b in items])
    different = [a != b for i, a in enumerate(values) for j, b in enumerate(values) if i != j]
    return float(1 - observed / np.mean(different))


EXPECTED = coincidences([("yes", "yes"), ("no", "yes"), ("no", "no")])


@pytest.mark.parametrize("options", [{}, {"records": WAY}])
@pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
def test_the_innermost_objects_are_ratings(
    write: Write, name: str, options: dict[str, str]
) -> None:
    text = jsonl(DOCUMENTS) if name == "t.jsonl" else json.dumps(DOCUMENTS)
    ratings = read(write(text, name), **options)  # type: ignore[arg-type]
    assert ratings["item"].values.tolist() == ["1/1", "1/2", "2/1"]
    assert ratings["annotator"].values.tolist() == ["1", "2", "3"]
    assert alpha(ratings) == pytest.approx(EXPECTED)
    assert round(EXPECTED, 3) == 0.444
    assert parts_of(ratings, "read_as")[-1].values["field"] == WAY


def test_records_of_an_object(write: Write) -> None:
    for document in ({"data": DOCUMENTS, "v": 1}, {r["doc"]: r for r in DOCUMENTS}):
        ratings = read(write(json.dumps(document), "t.json"))
        assert alpha(ratings) == pytest.approx(EXPECTED)


@pytest.mark.parametrize(
    ("outer", "inner", "item", "items"),
    [
        ("id", "sentence_id", "sentences.sentence_id", [11, 12, 21]),
        ("id", None, "sentences.#", ["1/1", "1/2", "2/1"]),
    ],
)
def test_ids_tell_items(
    write: Write, outer: str, inner: str | None, item: str, items: list[object]
) -> None:
    records = json.loads(json.dumps(DOCUMENTS))
    for number, record in enumerate(records, start=1):
        record[outer] = number
        for place, sentence in enumerate(record["sentences"], start=1):
            if inner:
                sentence[inner] = 10 * number + place
            for place_of_rating, response in enumerate(sentence["responses"]):
                response["id"] = place_of_rating  # of the rating, and of no item
    ratings = read(write(jsonl(records), "t.jsonl"))
    assert ratings["item"].values.tolist() == items
    (note,) = [n for n in parts_of(ratings, "read_as") if n.code == "read_items_from"]
    assert note.values["columns"] == [item]
    kept = read(write(jsonl(records), "t.jsonl"), keep="record.id,doc")
    assert kept["record.id"].values.tolist() == [1, 1, 2]
    assert kept["doc"].values.tolist() == ["d1", "d1", "d2"]


def test_ids_of_two_levels_together(write: Write) -> None:
    records = json.loads(json.dumps(DOCUMENTS))
    for number, record in enumerate(records, start=1):
        record["doc_id"] = number
        for place, sentence in enumerate(record["sentences"], start=1):
            sentence["sentence_id"] = place
    ratings = read(write(jsonl(records), "t.jsonl"))
    assert ratings.sizes["item"] == 3
    assert alpha(ratings) == pytest.approx(EXPECTED)


def test_a_label_that_is_named_is_looked_for_inside(write: Write) -> None:
    ratings = read(write(jsonl(DOCUMENTS), "t.jsonl"), label="ease")
    assert alpha(ratings) == pytest.approx(coincidences([(1, 2), (2, 2), (1, 1)]))


def test_objects_by_annotator(write: Write) -> None:
    records = [
        {"id": 1, "rounds": [{"votes": {"ann": {"label": "x"}, "ben": {"label": "y"}}}]},
        {"id": 2, "rounds": [{"votes": {"ann": {"label": "x"}, "ben": {"label": "x"}}}]},
    ]
    path = write(jsonl(records), "t.jsonl")
    ratings = read(path, records="rounds[].votes[]", annotator="key")
    assert ratings["annotator"].values.tolist() == ["ann", "ben"]
    assert ratings["primary"].values.tolist() == [[0, 1], [0, 0]]


def test_lists_that_lack_are_counted(write: Write) -> None:
    records = [
        *DOCUMENTS,
        {"doc": "d3"},
        {"doc": "d4", "sentences": [{"text": "", "responses": []}]},
    ]
    ratings = read(write(jsonl(records), "t.jsonl"))
    assert alpha(ratings) == pytest.approx(EXPECTED)
    assert parts_of(ratings, "read_as")[-1].values["others"].values["objects"] == 2


def test_files_whose_items_are_places_are_refused(write: Write) -> None:
    paths = [write(jsonl(DOCUMENTS), name) for name in ("a.jsonl", "b.jsonl")]
    with pytest.raises(IaaError, match="item"):
        read(paths, records=WAY)


def test_several_lists_are_refused(write: Write) -> None:
    votes = [{"user": who, "label": 1} for who in "ab"]
    path = write(jsonl([{"id": 1, "first": votes, "second": votes[:1]}]), "t.jsonl")
    with pytest.raises(IaaError, match=r"t\.jsonl.*records='first\[\]' or records='second\[\]'"):
        read(path)
    assert read(path, records="first[]").sizes["annotator"] == 2


def test_lists_are_named_where_columns_are_not_told(write: Write) -> None:
    records = [{"q": 1, "parts": [{"a": 1, "b": [{"c": 2, "d": 3}]}]}]
    with pytest.raises(IaaError, match=r"records='parts\[\]' or records='parts\[\]\.b\[\]'"):
        read(write(jsonl(records), "t.jsonl"))


@pytest.mark.parametrize(
    ("records", "way", "message"),
    [
        (
            DOCUMENTS,
            "x[]",
            r"line 1: 'x\[\]'.* are 'sentences\[\]', 'sentences\[\]\.responses\[\]'",
        ),
        (DOCUMENTS, "doc[]", "line 1 field 'doc': str where a list is needed"),
        (DOCUMENTS, "[]", "takes a path such as"),
        (DOCUMENTS, "sentences[]..x", "takes a path such as"),
        ([{"a": [1, 2]}], "a[].b[]", "line 1 field 'a.0': int where an object"),
        ([{"a": 1}], "a.b[]", "line 1 field 'a': int where an object"),
    ],
)
def test_ways_that_lead_nowhere(write: Write, records: Any, way: str, message: str) -> None:
    with pytest.raises(IaaError, match=message):
        read(write(jsonl(records), "t.jsonl"), records=way, annotator="a", label="b")


def test_a_refusal_names_the_place(write: Write) -> None:
    records = json.loads(json.dumps(DOCUMENTS))
    records[1]["sentences"][0]["responses"][1]["worker_id"] = 2
    with pytest.raises(IaaError, match=r"line 2 field 'sentences\.0\.responses\.1'"):
        read(write(jsonl(records), "t.jsonl"))


def test_rows_and_ways_are_those_of_slow_loops() -> None:
    generator = np.random.default_rng(0)
    records: list[dict[str, Any]] = [
        {
            "n": k,
            "a": [
                {"m": j, "b": [{"v": int(v)} for v in generator.integers(0, 9, j)]}
                for j in range(generator.integers(0, 4))
            ],
        }
        for k in range(20)
    ]
    unfolded = unfold(records, "a[].b[]", str)
    slow = [
        (record["n"], outer["m"], inner["v"])
        for record in records
        for outer in record["a"]
        for inner in outer["b"]
    ]
    assert [(row["n"], row["a.m"], row["v"]) for row in unfolded.rows] == slow
    for row, (number, path) in zip(unfolded.rows, unfolded.paths, strict=True):
        value: Any = records[number]
        for part in path:
            value = value[part]
        assert value["v"] == row["v"]
    assert lists_of(records) == {"a[]": {"m", "b"}, "a[].b[]": {"v"}}


def test_damaged_files_are_refused_or_read(write: Write) -> None:
    generator = np.random.default_rng(3)
    text = jsonl(DOCUMENTS).encode()
    words = [b"null", b"[]", b"{}", b"1", b'"x"', b"[[1]]", b'{"#": 1}', b"true"]
    for k in range(120):
        data = text
        for _ in range(1 + k % 3):
            values = [i for i, byte in enumerate(data) if byte == ord(":")]
            start = values[generator.integers(len(values))] + 1
            end = start + int(generator.integers(0, 12))
            data = data[:start] + words[generator.integers(len(words))] + data[end:]
        path = write(data, "t.jsonl")
        for options in ({}, {"records": WAY}):
            try:
                ratings = read(path, **options)  # type: ignore[arg-type]
            except IaaError as error:
                assert "t.jsonl" in str(error)  # noqa: PT017
            else:
                assert ratings.sizes["item"] >= 1


def test_fields_within_fields_are_looked_for_once_a_file(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their number grows with the square of their depth: once each time it was looked at."""
    holders, calls = json_cells.holders, []
    monkeypatch.setattr(json_cells, "holders", lambda names: calls.append(1) or holders(names))
    records = [{"a": {"b": {"c": k}}} for k in range(5)]
    source = Source(write(json.dumps(records), "deep.json"))
    source.opens_cells = True
    for _ in range(20):
        assert "a.b.c" in head(source).names
    assert len(calls) == 1
    cells = [json.dumps({f"k{k}": {"x": 1} for k in range(30)})] * 3
    assert len(json_cells.parts_of(cells)) == 30
    assert len(calls) == 2
