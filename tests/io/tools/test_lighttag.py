"""LightTag: spans and classes by all who made them, and those who saw an example."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLE = Path(__file__).parents[1] / "samples" / "lighttag" / "synthetic_task_download.json"


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read_spans(path, **options)
    return str(caught.value)


def test_classes() -> None:
    ratings = read(SAMPLE)
    assert ratings.item.values.tolist() == ["ex-1", "ex-2", "ex-3"]
    assert ratings.annotator.values.tolist() == ["ana", "ben"]
    assert ratings.label.values.tolist() == ["Narrative", "Speech"]
    assert ratings.primary.values.tolist() == [[0, 0], [1, 0], [-1, -1]]
    assert ratings.attrs["skipped"] == "1 empty answer"
    assert ratings.attrs["read_as"] == (
        "LightTag JSON, question 'classifications', items from 'example_id', annotators from "
        "'annotator'"
    )


def test_who_saw_an_example_and_made_nothing_answered_with_nothing() -> None:
    spans = read_spans(SAMPLE)
    assert spans.seen.values.tolist() == [[True, True], [True, True], [True, False]]
    assert spans.label.values.tolist() == ["PERSON", "PLACE"]
    assert spans.annotator_of.values.tolist().count(1) == 1
    assert sorted(zip(spans.start.values.tolist(), spans.end.values.tolist(), strict=True)) == [
        (0, 3),
        (0, 6),
        (0, 6),
        (16, 21),
    ]


def test_several_classes_and_what_a_reviewer_made(write: Write) -> None:
    task = json.loads(SAMPLE.read_text())
    classes = task["examples"][0]["classifications"]
    classes.append({**classes[0], "classname": "Speech", "classified_by": [{"annotator": "ben"}]})
    classes.append({**classes[0], "classname": "Speech", "classified_by": []})
    path = write(json.dumps(task), "task.json")
    ratings = read(path)
    assert ratings.mass.values[0].tolist() == [[1, 0], [1, 1]]
    assert "1 judgement of curators" in ratings.attrs["skipped"]
    with_reviewer = read(path, include="curator")
    assert "(reviewer)" in with_reviewer.annotator.values.tolist()
    assert "curators" not in with_reviewer.attrs["skipped"]


def test_other_keys_and_repeats(write: Write) -> None:
    ratings = read(SAMPLE, item="content", keep="metadata.verse")
    assert ratings.item.values.tolist()[1] == "And he said, Go."
    assert ratings["metadata.verse"].values.tolist() == [1, 2, 3]
    task = json.loads(SAMPLE.read_text())
    task["examples"].append(task["examples"][2])
    path = write(json.dumps(task), "task.json")
    assert "example 4" in refused(path)
    assert read_spans(path, duplicates="last").sizes["span"] == 4


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seen_by", [None], "example 1: None where an annotator is needed"),
        ("annotations", ["x"], "example 1: a list of objects with named fields is needed"),
        ("annotations", "x", "example 1: 'x' where a list is needed"),
        ("classifications", [{"classified_by": ["ana"]}], "without the name of its class"),
    ],
)
def test_what_is_no_annotation(write: Write, field: str, value: object, said: str) -> None:
    task = json.loads(SAMPLE.read_text())
    task["examples"][0][field] = value
    assert said in refused(write(json.dumps(task), "task.json"))
