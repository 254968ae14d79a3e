"""Exports that tests make by hand, as a tool's reader would."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from iaa_jax.io.base import Options
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source

SEEN = Status.SKIPPED


class Row(NamedTuple):
    """A judgement; an answer that is a status is none."""

    item: object
    annotator: object
    answer: Iterable[object] | Status
    time: float = float("nan")
    fields: dict[str, object] | None = None
    record: object = None


def export_of(
    rows: Iterable[Row | tuple[object, ...]],
    *,
    kind: str = "labels",
    several: bool | None = None,
    name: str = "q",
    into: Export | None = None,
    **options: object,
) -> Export:
    """An export of one question, or one question more."""
    export = into
    if export is None:
        export = Export("Tool", Options(**options))  # type: ignore[arg-type]
        export.note_format("JSON")
        export.named_by.items, export.named_by.annotators = "id", "who"
        export.begin_file(Source(Path("export.json")))
    question = export.question(name, kind, several)  # type: ignore[arg-type]
    for number, (item, annotator, answer, time, fields, record) in enumerate(
        (Row(*row) for row in rows), start=1
    ):
        status = answer if isinstance(answer, Status) else None
        export.add(
            question,
            item,
            annotator,
            () if isinstance(answer, Status) else answer,
            number,
            status=status,
            time=time,
            fields=fields,  # type: ignore[arg-type]
            record=record,
        )
    return export
