"""Reads data of LeWiDi (shared tasks on learning with disagreement): JSON, with all annotations.

In the data of 2023, labels and annotators are texts with commas, such as "0,1,0". In the data of
2025, an object maps annotators to labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from iaa_jax._errors import IaaError
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Status, text_of
from iaa_jax.io.export.form_fields import labels_of
from iaa_jax.io.export.json_records import START, Json, Record, json_records
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source

_COUNT, _WHO, _LABELS, _TASK = (
    "number of annotations", "annotators", "annotations", "annotation task",
)  # fmt: skip
_OTHERS = ("other annotations", "other_annotations")  # inside `other_info`
_ID, _SPLIT = "key", "split"


class LeWiDi:
    """Reads the data sets of LeWiDi."""

    name = "lewidi"
    title = "LeWiDi"
    summary = "LeWiDi: JSON of the shared tasks of 2023 and 2025 on learning with disagreement"
    known_by = "JSON with `annotations`, `annotators` and `number of annotations`"
    example = "agree MP_train.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with the fields of LeWiDi."""
        return [source for source in sources if _is_data(source.beginning(START))]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the items; if there are several files, items are also named by their split."""
        export.note_format("JSON")
        export.named_by.annotators = _WHO
        names = [_SPLIT, _ID] if len(sources) > 1 else [_ID]
        export.named_by.items = names if len(names) > 1 else _ID
        for source in sources:
            export.begin_file(source)
            for number, record in enumerate(_records(source, export), start=1):
                item = JOINT.join(text_of(record.get(name)) for name in names)
                _add(export, item, record, number)


TOOL = LeWiDi()


def _is_data(start: str) -> bool:
    is_json = start.lstrip()[:1] in ("{", "[")
    return is_json and all(f'"{name}"' in start for name in (_COUNT, _WHO, _LABELS))


def _records(source: Source, export: Export) -> Iterator[Record]:
    for number, record in json_records(source, export.options.progress):
        if _LABELS in record:
            yield {_ID: number, **record}
            continue
        for key, inner in record.items():
            if not isinstance(inner, dict):
                raise IaaError(f"{source}: {key!r} is not an object with the fields of an item")
            yield {_ID: key, **inner}


def _add(export: Export, item: str, record: Record, number: int) -> None:
    task = text_of(record.get(_TASK)) or _LABELS
    given, who = record.get(_LABELS), _parts(record.get(_WHO))
    info = record.get("other_info")
    asked: dict[str, Json] = {task: given}
    for name in _OTHERS:
        others = info.get(name) if isinstance(info, dict) else None
        asked.update(others if isinstance(others, dict) else {})
    for name, value in asked.items():
        if isinstance(value, dict):
            pairs: Iterable[tuple[Json, Json]] = value.items() if name == task else ()
        else:
            labels = _parts(value)
            if name == task and labels and len(labels) != len(who):
                raise IaaError(
                    f"{export.place(-1, number)} ({item}): {len(labels)} labels in {_LABELS!r} for "
                    f"{len(who)} names in {_WHO!r}"
                )
            pairs = zip(who, labels, strict=True) if len(labels) == len(who) else ()
        for annotator, label in pairs:
            question = export.question(name)
            question.feature_of = "" if name == task else task
            is_left = label is None or label == ""
            export.add(
                question, item, text_of(annotator) or None, _parts(label), number,
                status=Status.SKIPPED if is_left else None, fields=record,
            )  # fmt: skip


def _parts(value: Json) -> list[Json]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",")] if value.strip() else []
    return labels_of(value)
