"""Reads the TSV of a Toloka pool's assignments.

A row is one worker's answer to one task. A task without an id is identified by its input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Status
from iaa_jax.io.export.columns import Row, cells_of, columns_of, rows_of
from iaa_jax.io.export.form_fields import field_of, kind_of_all, labels_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source

_INPUT, _OUTPUT, _GOLDEN = "INPUT:", "OUTPUT:", "GOLDEN:"
_WORKER, _TASK = "ASSIGNMENT:worker_id", "ASSIGNMENT:task_id"
_STATUS, _WHEN = "ASSIGNMENT:status", "ASSIGNMENT:submitted"


class Toloka:
    """Reads the assignments of a pool."""

    name = "toloka"
    title = "Toloka"
    summary = "Toloka: TSV of assignments; control tasks (GOLDEN) and rejected pages are left out"
    known_by = "columns `OUTPUT:...` and `ASSIGNMENT:...`"
    example = "agree assignments.tsv"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with columns of answers and assignments."""
        return [
            source
            for source in sources
            if _named(columns_of(source), _OUTPUT) and _named(columns_of(source), "ASSIGNMENT:")
        ]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the rows, with a question for each column of answers."""
        export.note_format("TSV")
        export.named_by.annotators = _WORKER
        columns = {name: None for source in sources for name in columns_of(source)}
        has_ids = all(_TASK in columns_of(source) for source in sources)
        shown = [_TASK] if has_ids else _named(columns, _INPUT)
        export.named_by.items = JOINT.join(shown)
        questions = _questions(sources, export)
        for source in sources:
            for number, row in rows_of(source, export):
                if any(row.values()):  # empty rows may separate pages
                    _add(export, questions, shown, number, row)


TOOL = Toloka()


def _named(columns: Iterable[str], start: str) -> list[str]:
    return [name for name in columns if name.startswith(start) and len(name) > len(start)]


def _questions(sources: Sequence[Source], export: Export) -> list[str]:
    cells: dict[str, dict[str, None]] = {}
    for source in sources:
        for name, known in cells_of(source, _named(columns_of(source), _OUTPUT)).items():
            cells.setdefault(name, {}).update(known)
    questions = []
    for column, known in cells.items():
        kind = kind_of_all(map(field_of, known)) or "labels"
        if kind == "labels":
            questions.append(column)
        else:
            export.remarks.leave_unread(column.removeprefix(_OUTPUT), kind)
    return questions


def _add(
    export: Export, questions: Sequence[str], shown: Sequence[str], number: int, row: Row
) -> None:
    """Add the answers of a row; control tasks, rejected and active rows only on request."""
    status = row.get(_STATUS, "").upper()
    if any(row[name] for name in _named(row, _GOLDEN)) and not export.remarks.wants("gold"):
        return
    if status == "REJECTED" and not export.remarks.wants("rejected"):
        return
    if status == "ACTIVE" and not export.remarks.wants("drafts"):
        return
    item = JOINT.join(row[name] for name in shown) if any(row[name] for name in shown) else None
    for column in questions:
        if column in row:
            export.add(
                export.question(column.removeprefix(_OUTPUT)),
                item,
                row.get(_WORKER),
                labels_of(field_of(row[column])),
                number,
                status=Status.SKIPPED if status in ("SKIPPED", "EXPIRED") else None,
                time=time_of(row.get(_WHEN)),
                fields=row,
            )
