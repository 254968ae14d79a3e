"""Potato: states of users, what is exported of them, and files of version 1."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from iaa_jax import IaaError, read, read_spans

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "potato"
STATES = SAMPLES / "synthetic_annotation_output"
EXPORTS = SAMPLES / "synthetic_export"
SPAN = {"schema": "ner", "name": "PER", "title": "Person", "start": 0, "end": 4}


def refused(paths: Path | list[Path], **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(paths, **options)
    return str(caught.value)


def state(user: str, labels: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"user_id": user, "instance_id_to_label_to_value": labels, **more}


def save(folder: Path, *states: dict[str, Any]) -> Path:
    for made in states:
        (folder / made["user_id"]).mkdir(parents=True, exist_ok=True)
        (folder / made["user_id"] / "user_state.json").write_text(json.dumps(made))
    return folder


def chosen(schema: str, *names: str, value: str = "true") -> list[Any]:
    return [[{"schema": schema, "name": name}, value] for name in names]


def test_the_last_option_that_was_clicked_counts() -> None:
    ratings = read(STATES, question="sentiment")
    assert ratings.item.values.tolist() == ["i1", "i2", "i3"]
    assert ratings.annotator.values.tolist() == ["maya", "noor"]
    assert ratings.label.values.tolist() == ["negative", "neutral", "positive"]
    assert ratings.primary.values.tolist() == [[2, 2], [0, 0], [1, 1]]
    assert ratings.attrs["read_as"] == (
        "Potato JSON, question 'sentiment', items from 'instance_id', annotators from 'user_id', "
        "2 files"
    )
    assert "notices" not in ratings.attrs


def test_a_scale_without_a_trace_of_the_last_click_is_unclear() -> None:
    ratings = read(STATES, question="clarity")
    assert ratings.label.values.tolist() == [2, 3, 4, 5]
    assert ratings.primary.values.tolist() == [[2, 3], [0, -1], [1, 1]]
    assert "1 answer holds several options of a question that takes one" in ratings.attrs["notices"]


@pytest.mark.parametrize("name", ["", "annotations.csv", "annotations.jsonl"])
def test_several_options_are_sets(name: str) -> None:
    ratings = read(EXPORTS / name if name else STATES, question="topics")
    assert ratings.label.values.tolist() == ["price", "service"]
    assert ratings.mass.values.tolist() == [
        [[1, 1], [0, 1]],
        [[0, 0], [0, 0]],
        [[1, 0], [0, 0]],
    ]
    assert "1 answer holds several options, and was read as a set" in ratings.attrs["notices"]


def test_questions_are_listed() -> None:
    message = refused(STATES)
    assert "3 questions" in message
    assert "question='sentiment' (labels, 6 judgements)" in message


def test_exported_columns_tell_the_option_where_its_value_does() -> None:
    path = EXPORTS / "annotations.csv"
    assert read(path, question="clarity").primary.values.tolist() == [[2, 3], [0, 0], [1, 1]]
    ratings = read(path, question="sentiment")
    assert ratings.primary.values.tolist() == [[2, 2], [0, -1], [1, 1]]
    assert "it is unknown which was chosen last" in ratings.attrs["notices"]


def test_exported_records_tell_nothing_of_the_last_option() -> None:
    path = EXPORTS / "annotations.jsonl"
    ratings = read(path, question="sentiment")
    assert ratings.attrs["task"] == "multi_label"
    assert "Potato up to 2.7.1 kept every option" in ratings.attrs["notices"]


def test_exports_beside_states_are_left_out(tmp_path: Path) -> None:
    shutil.copytree(STATES, tmp_path / "out")
    shutil.copytree(EXPORTS, tmp_path / "out" / "exports")
    ratings = read(tmp_path / "out", question="topics")
    assert ratings.sizes["item"] == 3
    assert ratings.attrs["skipped"].startswith("2 files of out")
    paths = [STATES / "maya" / "user_state.json", EXPORTS / "annotations.csv"]
    assert "'maya'" in refused(paths, question="topics")


def test_parquet(tmp_path: Path) -> None:
    rows = [
        ("i1", "a", "x", ["p", "q"], 4.0),
        ("i1", "b", "y", [], 3.0),
        ("i2", "b", "x", None, 3.0),
    ]
    columns = ["instance_id", "user_id", "tone", "topics", "scale"]
    pd.DataFrame(rows, columns=columns).to_parquet(tmp_path / "annotations.parquet")
    spans = [("i1", "a", "ner", 0, 4, "PER", "Anna")]
    names = ["instance_id", "user_id", "schema_name", "start", "end", "label", "text"]
    pd.DataFrame(spans, columns=names).to_parquet(tmp_path / "spans.parquet")
    assert read(tmp_path, question="tone").primary.values.tolist() == [[0, 1], [-1, 0]]
    assert read(tmp_path, question="scale").label.values.tolist() == [3, 4]
    assert read(tmp_path, question="topics").mass.values[0].tolist() == [[1, 1], [0, 0]]
    found = read_spans(tmp_path)
    assert found.sizes["span"] == 1
    assert found.seen.values.tolist() == [[True, True], [False, True]]


def test_spans_of_states_and_exports(tmp_path: Path) -> None:
    states = [
        state("ann", {}, instance_id_to_span_to_value={"d1": [[SPAN, "true"]]}),
        state("bob", {"d1": chosen("ner", "bad_text")}, instance_id_to_span_to_value={}),
    ]
    spans = read_spans(save(tmp_path / "out", *states))
    assert spans.seen.values.tolist() == [[True, True]]
    assert (spans.start.values.tolist(), spans.end.values.tolist()) == ([0], [4])
    records = [
        {"instance_id": "d1", "user_id": who, "labels": {}, "spans": {"ner": marks}, "links": {}}
        for who, marks in (("ann", [SPAN]), ("bob", []))
    ]
    records[1]["labels"] = {"tone": {"x": "true"}}
    path = tmp_path / "annotations.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    assert read_spans(path).sizes == spans.sizes
    cells = [json.dumps([SPAN]), json.dumps([])]
    columns = {"instance_id": "d1", "user_id": ["ann", "bob"], "tone.x": ["", "true"]}
    table = pd.DataFrame(columns | {"ner._spans": cells})
    table.to_csv(tmp_path / "a.csv", index=False)
    assert read_spans(tmp_path / "a.csv").sizes == spans.sizes


def test_version_1_names_users_by_folders(tmp_path: Path) -> None:
    for who, label in (("ann", "Yes"), ("bob", "No")):
        record = {
            "id": "60",
            "displayed_text": "Is it?",
            "label_annotations": {"affordance": {label: "true"}, "size": {"scale_3": "3"}},
            "span_annotations": [{"start": 0, "end": 2, "span": "Is", "annotation": "X"}],
            "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 5s "},
        }
        (tmp_path / who).mkdir()
        (tmp_path / who / "annotated_instances.jsonl").write_text(json.dumps(record))
    ratings = read(tmp_path, question="affordance")
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert ratings.primary.values.tolist() == [[1, 0]]
    assert "annotators from file names" in ratings.attrs["read_as"]
    files = sorted(tmp_path.glob("*/*"))
    assert read(files, question="size").label.values.tolist() == [3]
    assert read(files, question="size").annotator.values.tolist() == ["ann", "bob"]
    assert read_spans(files).sizes["span"] == 2


def test_the_file_of_all_users_of_version_1_names_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "annotation_output"
    lines = {
        who: json.dumps({"id": "1", "label_annotations": {"q": {label: "true"}}})
        for who, label in (("ann", "Yes"), ("bob", "No"))
    }
    for who, line in lines.items():
        (folder / who).mkdir(parents=True)
        (folder / who / "annotated_instances.jsonl").write_text(line)
    (folder / "annotated_instances.jsonl").write_text("\n".join(lines.values()))
    ratings = read(folder)
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert "1 file of annotation_output ('annotated_instances.jsonl')" in ratings.attrs["skipped"]
    assert "read the folders of the users" in refused(folder / "annotated_instances.jsonl")


def test_columns_of_version_1(write: Write) -> None:
    text = (
        "user,instance_id,displayed_text,tone:::good,tone:::bad,span_annotation:::X\n"
        "ann,1,a,true,,[]\nbob,1,a,,true,\"[{'start': 0}]\"\n"
    )
    ratings = read(write(text, "annotated_instances.csv"))
    assert ratings.primary.values.tolist() == [[1, 0]]
    assert ratings.attrs["read_as"] == (
        "Potato tables, items from 'instance_id', annotators from 'user'"
    )
    assert (
        "answers to 'span_annotation' (spans in columns of version 1)" in (ratings.attrs["skipped"])
    )


def test_what_is_written_or_set_is_its_value(tmp_path: Path) -> None:
    states = [
        state(
            who,
            {
                "d1": chosen("why", "text_box", value=why) + chosen("bar", "bar", value=bar),
                "d2": chosen("why", "text_box", value="same") + chosen("bar", "bar", value="7"),
            },
        )
        for who, why, bar in (("ann", "long", "3"), ("bob", "short", "5"))
    ]
    folder = save(tmp_path, *states)
    assert read(folder, question="bar").label.values.tolist() == [3, 5, 7]
    assert read(folder, question="why").label.values.tolist() == ["long", "same", "short"]


def test_machines_are_no_annotators(write: Write) -> None:
    records = [
        {"instance_id": "d", "user_id": who, "labels": {"q": {"x": "true"}}, "spans": {}, **origin}
        for who, origin in (
            ("ann", {"annotator_origin": {"kind": "human"}}),
            ("bob", {}),
            ("gpt", {"annotator_origin": {"kind": "llm", "model": "m"}}),
        )
    ]
    path = write("\n".join(map(json.dumps, records)), "a.jsonl")
    assert read(path).annotator.values.tolist() == ["ann", "bob"]
    assert read(path).attrs["skipped"] == "1 prediction"
    assert read(path, include="predictions").sizes["annotator"] == 3


def test_other_keys_and_repeats(write: Write, tmp_path: Path) -> None:
    path = EXPORTS / "annotations.jsonl"
    assert "no field 'text'" in refused(path, question="topics", item="text")
    assert "no field 'who'" in refused(STATES, question="topics", annotator="who")
    lines = path.read_text().splitlines()
    twice = write("\n".join([*lines, lines[0]]), "twice.jsonl")
    assert "record 7 (item 'i1', annotator 'maya') repeats" in refused(twice, question="topics")
    assert read(twice, question="topics", duplicates="first").sizes["item"] == 3
    for name in ("maya", "noor"):
        shutil.copy(STATES / name / "user_state.json", tmp_path / f"of_{name}.json")
    ratings = read(tmp_path, question="sentiment", file_pattern="of_{annotator}.json")
    assert ratings.annotator.values.tolist() == ["maya", "noor"]
