"""SageMaker Ground Truth: worker responses, consolidation requests and manifests with workers."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read, read_spans
from iaa_jax.data.provenance import parts_of

Write = Callable[..., Path]

JOB = Path(__file__).parents[1] / "samples" / "sagemaker" / "synthetic_job"
RESPONSES = JOB / "annotations" / "worker-response"
REQUEST = next(JOB.rglob("*consolidation-request/*/*.json"))
WORKERS = [f"private.us-east-1.aaaaaaaaaaaa000{n}" for n in (1, 2, 3)]


def refused(paths: object, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(paths, **options)  # type: ignore[arg-type]
    return str(caught.value)


def request(*answers: tuple[str, dict[str, Any]], number: str = "0") -> dict[str, Any]:
    return {
        "datasetObjectId": number,
        "dataObject": {"content": f"text {number}"},
        "annotations": [
            {"workerId": who, "annotationData": {"content": json.dumps(content)}}
            for who, content in answers
        ],
    }


@pytest.mark.parametrize("path", [JOB, RESPONSES, REQUEST])
def test_answers_of_workers(path: Path) -> None:
    ratings = read(path)
    assert ratings.item.values.tolist() == [0, 1, 2]
    assert ratings.annotator.values.tolist() == WORKERS
    assert ratings.label.values.tolist() == ["negative", "neutral", "positive"]
    assert ratings.primary.values.tolist() == [[2, 2, 2], [0, 0, 1], [1, 2, -1]]


def test_what_says_the_same_is_left_out() -> None:
    ratings = read(JOB)
    assert ratings.attrs["read_as"] == (
        "SageMaker Ground Truth worker responses, items from file names, annotators from "
        "'workerId', 3 files"
    )
    assert "2 files of synthetic_job" in ratings.attrs["skipped"]
    assert "repeated ratings" in refused([RESPONSES, REQUEST])


def test_archive_and_order(tmp_path: Path) -> None:
    path = tmp_path / "job.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(JOB.rglob("*.json"), reverse=True):
            archive.write(file, file.relative_to(JOB))
    alphas = [float(krippendorff_alpha(read(p), interval=None).estimate) for p in (path, JOB)]
    assert alphas[0] == alphas[1]
    turned = json.loads(REQUEST.read_text())[::-1]
    (tmp_path / "turned.json").write_text(json.dumps(turned))
    again = read(tmp_path / "turned.json")
    assert float(krippendorff_alpha(again, interval=None).estimate) == alphas[0]


def test_objects_are_told_by_folders(tmp_path: Path) -> None:
    files = sorted(RESPONSES.rglob("*.json"))
    assert read(files).item.values.tolist() == [0, 1, 2]
    shutil.copy(files[0], tmp_path / "answers.json")
    assert "read the folder worker-response as the job wrote it" in refused(
        tmp_path / "answers.json"
    )


def test_manifest_with_all_workers(write: Write) -> None:
    content = {"response": {"label": "Response 2"}}
    other = {"response": {"label": "Response 1"}}
    records = [
        {
            "source-ref": "s3://bucket/a.txt",
            "demo": {
                "annotationsFromAllWorkers": [
                    {"workerId": who, "annotationData": {"content": json.dumps(said)}}
                    for who, said in (("w1", content), ("w2", given))
                ]
            },
            "demo-metadata": {"type": "groundtruth/custom", "job-name": "demo"},
        }
        for given in (content, other)
    ]
    records.append({"source-ref": "s3://bucket/b.txt", "demo-metadata": {"failure-reason": "x"}})
    path = write("\n".join(map(json.dumps, records)), "output.manifest")
    ratings = read(path, keep="source-ref")
    assert ratings.item.values.tolist() == [0, 1]
    assert ratings.primary.values.tolist() == [[1, 1], [1, 0]]
    assert "items are row numbers" in ratings.attrs["read_as"]
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["count"]) == ("skipped_failed", 1)


def test_objects_without_answers_are_counted(write: Write) -> None:
    said = json.dumps({"crowd-classifier": {"label": "a"}})
    answers = [{"workerId": who, "annotationData": {"content": said}} for who in ("w1", "w2")]
    objects = [
        {"datasetObjectId": str(number), "dataObject": {}, "annotations": given}
        for number, given in enumerate((answers, [], answers, []))
    ]
    ratings = read(write(json.dumps(objects), "requests.json"))
    assert ratings.item.values.tolist() == [0, 2]
    (note,) = parts_of(ratings, "skipped")
    assert (note.code, note.values["count"]) == ("skipped_failed", 2)


def test_fields_of_forms(write: Write) -> None:
    entities = {"crowd-entity-annotation": {"entities": []}}
    marked = {"entities": [{"startOffset": 0, "endOffset": 4, "label": "PER"}]}
    first = {
        "tone": {"good": True, "bad": False},
        "topics": {"labels": ["a", "b"]},
        "boxes": {"boundingBoxes": [{"left": 1}]},
        **entities,
    }
    second = {"tone": {"good": False, "bad": True}, "topics": {"labels": []}}
    second |= {"crowd-entity-annotation": marked}
    path = write(json.dumps([request(("w1", first), ("w2", second))]), "request.json")
    assert "2 questions" in refused(path)
    ratings = read(path, question="tone")
    assert ratings.primary.values.tolist() == [[1, 0]]
    assert "answers to 'boxes' (neither labels nor spans)" in ratings.attrs["skipped"]
    topics = read(path, question="topics", item="dataObject.content")
    assert topics.item.values.tolist() == ["text 0"]
    assert topics.mass.values.tolist() == [[[1, 1], [0, 0]]]
    assert "no field 'x'" in refused(path, question="tone", annotator="x")


def test_spans(write: Write) -> None:
    marks = [{"startOffset": 0, "endOffset": 4, "label": "PER"}]
    answers = [(who, {"crowd-entity-annotation": {"entities": marks}}) for who in ("w1", "w2")]
    none = ("w2", {"crowd-entity-annotation": {"entities": []}})
    records = [request(*answers), request(answers[0], none, number="1")]
    spans = read_spans(write(json.dumps(records), "request.json"))
    assert spans.seen.values.all()
    assert spans.end.values.tolist() == [4, 4, 4]


def test_repeats(write: Write) -> None:
    records = json.loads(REQUEST.read_text())
    path = write(json.dumps([*records, records[0]]), "request.json")
    assert "3 repeated ratings" in refused(path)
    assert read(path, duplicates="first").sizes["item"] == 3
