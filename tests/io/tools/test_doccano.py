"""doccano: a file for each member, labels, spans and both; and older files that name users."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read, read_spans
from iaa_jax.io.base import Options
from iaa_jax.io.export.answers import Span, Status
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.doccano import TOOL

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "doccano"
CLASSES = SAMPLES / "synthetic_two_annotators_classification"
SEQUENCES = SAMPLES / "synthetic_two_annotators_sequence"
SINGLE = SAMPLES / "real_single_annotator_examples"
LEGACY = (
    '{"id": 2, "text": "a", "annotations": [{"label": 10, "user": 1}, {"label": 13, "user": 2}],'
    ' "meta": {}, "annotation_approver": null}\n'
    '{"id": 3, "text": "b", "annotations": [{"label": 11, "user": 1}], "meta": {}}\n'
    '{"id": 4, "text": "c", "annotations": [], "meta": {}}\n'
)


def exported(name: str) -> Export:
    export = Export(TOOL.title, Options())
    TOOL.read([Source(SINGLE / name)], export)
    return export


def answers(export: Export, name: str) -> list[object]:
    question = export.questions[name]
    known = list(question.answers)
    return [known[code] for code in question.values]


def refused(path: Path, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(path, **options)
    return str(caught.value).replace(f"{path.parent}/", "")


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_classification(ending: str) -> None:
    ratings = read(CLASSES, file_pattern=f"*.{ending}")
    assert ratings.annotator.values.tolist() == ["alice", "bob"]
    assert ratings.item.values.tolist() == [41, 42, 43, 44, 45]
    assert ratings.label.values.tolist() == ["negative", "positive"]
    assert ratings.mass.values[2].tolist() == [[1, 1], [0, 1]]
    assert ratings.mass.values[3:].tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 0]]]
    assert ratings.attrs["task"] == "multi_label"
    form = "CSV" if ending == "csv" else "JSON"
    assert ratings.attrs["read_as"].startswith(
        f"doccano {form}, items from 'id', annotators from file names"
    )


def test_who_labelled_nothing_is_no_annotator() -> None:
    assert (
        read(CLASSES, file_pattern="*.jsonl")
        .attrs["skipped"]
        .startswith("'admin', who answered nothing")
    )


def test_a_member_in_two_formats_is_a_duplicate() -> None:
    message = refused(CLASSES)
    assert "'alice'" in message
    assert "alice.csv line 2" in message
    assert "alice.jsonl record 1" in message


def test_spans_from_zip(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in SEQUENCES.iterdir():
            archive.write(file, file.name)
    spans = read_spans(path)
    assert spans.sizes == {"span": 9, "document": 3, "annotator": 2, "label": 4}
    assert spans.label.values.tolist() == ["LOC", "MISC", "ORG", "PER"]
    assert spans.seen.values.all()
    at = (spans.annotator_of == 1) & (spans.document_of == 1)
    assert spans.start[at].values.tolist() == [0, 6]
    assert spans.end[at].values.tolist() == [5, 15]
    assert read(path).identical(spans)
    # a list that is empty is an answer, or an item that was not assigned
    assert "give empty='missing'" in spans.attrs["notices"]
    assigned = read_spans(path, empty="missing")
    assert assigned.seen.values.tolist() == [[True, True], [True, True], [True, False]]
    assert assigned.sizes == spans.sizes
    assert assigned.attrs["skipped"] == "1 empty answer"
    assert "notices" not in assigned.attrs
    for name in ("alice", "bob"):
        with (tmp_path / f"{name}.jsonl").open("w") as lines:
            for k, marks in enumerate(([[0, 1, "x"]], [], [[0, 1, name]])):
                lines.write(json.dumps({"id": k, "text": "abc", "label": marks, "Comments": []}))
                lines.write("\n")
    fewer = read_spans([tmp_path / "alice.jsonl", tmp_path / "bob.jsonl"], empty="missing")
    assert fewer.document.values.tolist() == [0, 2]
    assert fewer.attrs["skipped"] == "2 empty answers"


def test_examples_of_one_annotator() -> None:
    labels = [("negative",), ("positive",), ("positive",)]
    assert answers(exported("text_classification_example.jsonl"), "label") == labels
    assert answers(exported("text_classification_example.csv"), "label") == labels
    assert answers(exported("sequence_labeling_example.jsonl"), "label") == [
        (Span(0, 2, "ORG"), Span(11, 17, "MISC")),
        (Span(0, 15, "PERSON"),),
        (Span(10, 15, "PERSON"),),
    ]
    intents = exported("intent_detection_example.jsonl")
    assert answers(intents, "cats") == [("flight",), ("airport",)]
    assert answers(intents, "entities")[1] == (Span(36, 47, "City"),)
    relations = exported("relation_extraction_example.jsonl")
    assert answers(relations, "entities")[0][1:3] == (Span(22, 39, "DATE"), Span(44, 54, "PERSON"))
    assert [(note.code, note.values) for note in relations.remarks.notes] == [
        ("skipped_relations", {"count": 3})
    ]
    known = [Source(path) for path in sorted(SINGLE.iterdir())]
    names = [source.name for source in TOOL.choose(known)]
    assert names == [source.name for source in known if source.suffix == ".jsonl"]


def test_csv_without_comments_by_the_format(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.csv").write_text("id,text,label\n1,a,x#y\n2,b,x\n")
    ratings = read(tmp_path, format="doccano")
    assert ratings.mass.values[:, 0].tolist() == [[1, 1], [1, 0]]
    assert read(tmp_path, file_pattern="{annotator}.csv").attrs["layout"] == "long"


def test_images(tmp_path: Path) -> None:
    record = {"id": 1, "filename": "a.png", "label": ["cat"], "Comments": []}
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    assert read(tmp_path, item="filename").item.values.tolist() == ["a.png"]
    record["bbox"] = [{"label": "cat", "x": 1, "y": 1, "width": 2, "height": 2}]
    (tmp_path / "bob.jsonl").write_text(json.dumps(record))
    assert "bob.jsonl record 1: boxes and segments of images are not read" in refused(tmp_path)


def test_two_questions_are_listed(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        record = {"id": 1, "text": "to Rome", "cats": [name], "entities": [[3, 7, "City"]]}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(record))
    assert read(tmp_path).label.values.tolist() == ["ann", "bob"]
    assert read_spans(tmp_path).sizes["span"] == 2
    assert read(tmp_path, question="entities").sizes["span"] == 2


def test_users_in_one_file(write: Write) -> None:
    path = write(LEGACY, "all.jsonl")
    ratings = read(path)
    assert ratings.annotator.values.tolist() == [1, 2] or ratings.annotator.values.tolist() == [
        "1",
        "2",
    ]
    assert ratings.primary.values.tolist() == [[0, 2], [1, -1]]
    spans = LEGACY.replace('"label"', '"start_offset": 0, "end_offset": 1, "label"')
    spans_read = read_spans(write(spans, "spans.jsonl"))
    assert spans_read.seen.values.tolist() == [[True, True], [True, False]]
    two_of_one = LEGACY.replace('{"label": 13, "user": 2}', '{"label": 13, "user": 1}', 1)
    two_of_one = two_of_one.replace(
        '"user": 1}], "meta"', '"user": 1}, {"label": 10, "user": 2}], "meta"'
    )
    sets = read(write(two_of_one, "sets.jsonl"))
    assert sets.attrs["task"] == "multi_label"
    assert sets.label.values.tolist() == [10, 11, 13]
    assert sets.mass.values[0, 0].tolist() == [1.0, 0.0, 1.0]


def test_user_names_of_the_oldest_exports(write: Write) -> None:
    record = '{"doc_id": 20, "text": "t", "labels": ["x"], "username": "%s"}\n'
    ratings = read(write(record % "ann" + record % "bob", "old.json"))
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert "annotators from 'username'" in ratings.attrs["read_as"]
    entities = record.replace('"labels": ["x"]', '"entities": [[0, 1, "X"]]')
    assert read_spans(write(entities % "ann" + entities % "bob", "e.json")).sizes["span"] == 2


def test_merged_labels_are_refused(write: Write) -> None:
    path = write('{"id": 1, "text": "a", "label": ["x", "y"], "Comments": []}', "all.jsonl")
    message = refused(path)
    assert message.startswith("all.jsonl: doccano merged the labels of all members")
    assert "'Share annotations across all users'" in message
    assert "file_pattern='{annotator}.jsonl'" in message


def test_items_that_nobody_labelled(tmp_path: Path) -> None:
    # as older versions wrote them: members without the items that they left out
    of = '{"id": %d, "text": "t", "label": %s}\n'
    (tmp_path / "ann.jsonl").write_text(of % (1, '["x"]') + of % (2, '["y"]'))
    (tmp_path / "bob.jsonl").write_text(of % (1, '["x"]'))
    (tmp_path / "unknown.jsonl").write_text(of % (3, "[]"))
    ratings = read(tmp_path)
    assert ratings.annotator.values.tolist() == ["ann", "bob"]
    assert ratings.primary.values.tolist() == [[0, 0], [1, -1]]
    assert ratings.attrs["skipped"] == "'unknown', who answered nothing"


def test_items_by_another_field_and_kept_columns() -> None:
    ratings = read(CLASSES, file_pattern="*.jsonl", item="text", keep="source")
    assert "No comment." in ratings.item.values.tolist()
    assert ratings.source.values.tolist() == ["mail"] * 5
    named = read(CLASSES, file_pattern="{annotator}.jsonl")
    assert named.annotator.values.tolist() == ["alice", "bob"]
    assert "no field 'who'" in refused(CLASSES, file_pattern="*.jsonl", annotator="who")


def test_empty_answers_of_a_single_choice_are_missing(tmp_path: Path) -> None:
    for name, label in (("ann", "x"), ("bob", "y"), ("cy", "x")):
        records = [
            {"id": 1, "text": "a", "label": [label], "Comments": []},
            {"id": 2, "text": "b", "label": [] if name == "cy" else ["x"], "Comments": []},
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(records))
    ratings = read(tmp_path)
    assert ratings.primary.values.tolist() == [[0, 1, 0], [0, 0, -1]]
    assert "1 empty answer" in ratings.attrs["skipped"]


def test_status_of_empty_lists() -> None:
    export = Export(TOOL.title, Options())
    TOOL.read([Source(CLASSES / "bob.jsonl")], export)
    assert export.questions["label"].status.tolist() == [*[Status.ANSWERED] * 3, 1, 1]


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("[[0, 2]]", "record 2: [0, 2] where a span is needed"),
        ('[[2, 0, "X"]]', "record 2: a span from 2 to 0"),
        ('[[0, 1.5, "X"]]', "record 2: a span from 0 to 1.5"),
        ('["X"]', "record 2: 'X' where a span is needed: are these files of one project?"),
        ('"X"', "record 2: 'X' where a list is needed"),
        ('[[0, 99999999999999999999, "X"]]', "which are not positions in a text"),
        ("[[0", "line 2: this is not JSON"),
    ],
)
def test_what_is_no_span(write: Write, label: str, said: str) -> None:
    start = '{"id": 1, "text": "abc", "label": [[0, 1, "X"]], "Comments": []}\n'
    path = write(start + f'{{"id": 2, "text": "abc", "label": {label}}}', "ann.jsonl")
    assert said in refused(path)


def test_mixed_projects_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ann.jsonl").write_text('{"id": 1, "text": "a", "label": ["x"]}')
    (tmp_path / "bob.jsonl").write_text('{"id": 1, "text": "a", "label": [[0, 1, "x"]]}')
    assert "bob.jsonl record 1: [0, 1, 'x'] where a label is needed" in refused(tmp_path)
