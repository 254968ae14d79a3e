"""Reads the answers of each worker from SageMaker Ground Truth.

Answers are in worker responses (a folder for each object of the manifest), in consolidation
requests, and in the manifest of a custom job.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.answers import Kind
from iaa_jax.io.export.form_fields import field_of, kind_of_all, labels_of, spans_of
from iaa_jax.io.export.json_records import START, Json, Record, first_record, json_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

_OF_ALL = "annotationsFromAllWorkers"
_OTHER = "neither labels nor spans"


class _Kind(IntEnum):
    """Kinds of files with answers, the preferred first."""

    NONE = 0
    RESPONSES = 1
    REQUESTS = 2
    MANIFEST = 3


_FORMS = {
    _Kind.RESPONSES: "worker responses",
    _Kind.REQUESTS: "consolidation requests",
    _Kind.MANIFEST: "manifest",
}


@dataclass(frozen=True)
class _Answer:
    item: Json
    worker: Json
    content: Record
    number: int
    fields: Record
    file: int


class SageMaker:
    """Reads the workers' answers of Ground Truth."""

    name = "sagemaker"
    title = "SageMaker Ground Truth"
    summary = "SageMaker Ground Truth: worker-response or consolidation-request files of a job"
    known_by = (
        "JSON with `answers` of `workerId`, `datasetObjectId`, or `annotationsFromAllWorkers`"
    )
    example = "agree annotations/worker-response/"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with answers; of those in folders and archives, the preferred kind."""
        kinds = {id(source): _kind(source) for source in sources}
        best = min((k for s in sources if s.container and (k := kinds[id(s)])), default=_Kind.NONE)
        return [
            source
            for source in sources
            if (kind := kinds[id(source)]) and (source.container is None or kind == best)
        ]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the answers."""
        export.named_by.annotators = "workerId"
        all_answers: list[_Answer] = []
        failed = 0
        for number, source in enumerate(sources):
            kind = _kind(source)
            export.named_by.is_by_file = export.named_by.is_by_file or kind == _Kind.RESPONSES
            if kind == _Kind.REQUESTS:
                export.named_by.items = "datasetObjectId"
            export.note_format(_FORMS[kind])
            for object_of_job in _objects(source, number, kind):
                all_answers += object_of_job
                failed += not object_of_job
            if export.options.progress is not None:
                export.options.progress(number + 1, len(sources))
        if failed:
            export.remarks.notes.append(Note("skipped_failed", {"count": failed}))
        names = dict.fromkeys(name for answer in all_answers for name in answer.content)
        kinds: dict[str, Kind] = {}
        for name in names:
            answered = kind_of_all(answer.content.get(name) for answer in all_answers)
            if answered == "labels" or answered == "spans":
                kinds[name] = answered
            elif answered is not None:
                export.remarks.leave_unread(name, _OTHER)
        entered = -1
        for answer in all_answers:
            source = sources[answer.file]
            if answer.file != entered:
                entered = answer.file
                export.begin_file(source)
            where = f"{source} record {answer.number}"
            answers = {
                name: (kind_of_field, _value(answer.content.get(name), kind_of_field, where))
                for name, kind_of_field in kinds.items()
            }
            time = time_of(answer.fields.get("submissionTime"))
            export.add_all(
                answer.item, answer.worker, answers, answer.number, time=time, fields=answer.fields
            )


TOOL = SageMaker()


def _kind(source: Source) -> _Kind:
    record = first_record(source)
    if record is None:
        return _Kind.NONE
    answers = record.get("answers")
    if isinstance(answers, list):
        first = answers[0] if answers else None
        is_answer = isinstance(first, dict) and {"workerId", "answerContent"} <= {*first}
        return _Kind.RESPONSES if is_answer else _Kind.NONE
    if "datasetObjectId" in record and isinstance(record.get("annotations"), list):
        return _Kind.REQUESTS
    return _Kind.MANIFEST if _OF_ALL in source.beginning(START) else _Kind.NONE


def _objects(source: Source, file: int, kind: _Kind) -> Iterator[list[_Answer]]:
    if kind == _Kind.RESPONSES:
        folder = source.inside[-2] if len(source.inside) > 1 else Path(str(source)).parent.name
        if not folder.isdecimal():
            raise IaaError(
                f"{source}: worker responses are identified by their folders, named by the index "
                "of an object in the manifest (worker-response/iteration-1/0/...), and this one "
                f"is in {folder!r}: read the folder worker-response as the job wrote it"
            )
    for number, record in json_records(source):
        where = f"{source} record {number}"
        if kind == _Kind.RESPONSES:
            item: Json = int(folder) if len(folder) < 16 else folder
            given, others = record.get("answers"), {}
        elif kind == _Kind.REQUESTS:
            item, given = record.get("datasetObjectId"), record.get("annotations")
            others = {name: value for name, value in record.items() if name != "annotations"}
        else:
            item, others = number - 1, record
            jobs = [v for v in record.values() if isinstance(v, dict) and _OF_ALL in v]
            given = jobs[0][_OF_ALL] if jobs else None  # none if the object failed
        if given is not None and not isinstance(given, list):
            raise IaaError(f"{where}: {brief(given)} where a list of workers' answers is needed")
        answers = []
        for answer in given or ():
            worker = answer.get("workerId") if isinstance(answer, dict) else None
            content = _content(answer)
            if worker is None or content is None or not isinstance(answer, dict):
                raise IaaError(
                    f"{where}: {brief(answer)} where a workerId and an answer are needed"
                )
            answers.append(_Answer(item, worker, content, number, {**others, **answer}, file))
        yield answers


def _content(answer: Json) -> Record | None:
    if not isinstance(answer, dict):
        return None
    content = answer.get("answerContent")
    data = answer.get("annotationData")
    if isinstance(data, dict):
        content = data.get("content")
    if isinstance(content, str):
        content = field_of(content)
    return content if isinstance(content, dict) else None


def _value(value: Json, kind: Kind, where: str) -> Sequence[object]:
    return spans_of(value, where) if kind == "spans" else labels_of(value)
