"""Reads full reports of jobs from CrowdFlower, later called Figure Eight and Appen, as CSV.

A row is one worker's answer to one unit (item). If a question allows several answers, they are on
separate lines of a cell. Judgements of workers whom the platform no longer trusts are tainted, and
test questions are units with known answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime

from iaa_jax._errors import IaaError
from iaa_jax.io.export.columns import Row, cells_of, columns_of, rows_of
from iaa_jax.io.export.form_fields import field_of, kind_of_all, labels_of
from iaa_jax.io.export.json_records import Json
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

_UNIT, _WORKER = "_unit_id", "_worker_id"
_TAINTED, _GOLDEN, _GOLD = "_tainted", "_golden", "_gold"
_WHEN, _AS = "_created_at", "%m/%d/%Y %H:%M:%S"
_OWN = "_"  # prefix of the platform's metadata on a judgement


class CrowdFlower:
    """Reads full reports."""

    name = "crowdflower"
    title = "CrowdFlower"
    summary = "CrowdFlower, Figure Eight and Appen: CSV of the full report, several answers by line"
    known_by = "columns `_unit_id` and `_worker_id`"
    example = "agree f123456.csv --question NAME"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with columns of units and workers."""
        return [source for source in sources if {_UNIT, _WORKER} <= {*columns_of(source)}]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the rows; each column of answers is a question."""
        export.note_format("CSV")
        export.named_by.items, export.named_by.annotators = _UNIT, _WORKER
        questions = _questions(sources, export)
        tainted: dict[str, int] = {}
        tests: dict[str, int] = {}
        added = 0
        for source in sources:
            for number, row in rows_of(source, export):
                cell = row.get(_TAINTED, "")
                is_test = _is_true(row.get(_GOLDEN, "")) or any(row.get(n) for n in _golds(row))
                if is_test:
                    tests[row[_UNIT]] = tests.get(row[_UNIT], 0) + 1
                    if "gold" not in export.options.include:
                        continue
                if _is_true(cell):
                    tainted[cell] = tainted.get(cell, 0) + 1
                    if "rejected" not in export.options.include:
                        continue
                if any(row.values()):
                    added += 1
                    _add(export, questions, number, row)
        _say(export, tainted, tests)
        if not added and (tainted or tests):
            ways = [keyword("include", w) for w, n in (("gold", tests), ("rejected", tainted)) if n]
            raise IaaError(
                f"{sources[0]}: all judgements are of test questions or tainted; to read them, "
                f"give {' or '.join(ways)}"
            )


TOOL = CrowdFlower()


def _is_true(cell: str) -> bool:
    return cell.lower() == "true"


def _golds(columns: Row | Sequence[str]) -> Iterator[str]:
    known = {*columns}
    for name in columns:
        if name.endswith(_GOLD) and name.removesuffix(_GOLD) in known:
            yield name


def _questions(sources: Sequence[Source], export: Export) -> list[str]:
    """Return the columns whose answers are labels.

    Columns of answers have a gold column. If there are no gold columns, columns in which workers
    differ on a unit are taken as answers.
    """
    names = {
        gold.removesuffix(_GOLD): None for source in sources for gold in _golds(columns_of(source))
    }
    if not names:
        names = dict.fromkeys(name for source in sources for name in _differing(source, export))
    cells: dict[str, dict[str, None]] = {}
    for source in sources:
        known = {*columns_of(source)}
        for name, answers in cells_of(source, [name for name in names if name in known]).items():
            cells.setdefault(name, {}).update(answers)
    questions = []
    for name, answers in cells.items():
        parts = [part for cell in answers for part in _parts(cell)]
        kind = kind_of_all(parts)
        if kind == "labels":
            questions.append(name)
        elif kind is not None:
            export.remarks.leave_unread(name, kind)
    return questions


def _differing(source: Source, export: Export) -> list[str]:
    """Return the columns of answers: rows of the same unit (item) differ in them."""
    first: dict[str, Row] = {}
    differ: dict[str, None] = {}
    for _, row in rows_of(source, export):
        of_unit = first.setdefault(row[_UNIT], row)
        differ.update((name, None) for name, cell in row.items() if cell != of_unit[name])
    return [name for name in columns_of(source) if name in differ and not name.startswith(_OWN)]


def _parts(cell: str) -> list[Json]:
    lines = [line.strip() for line in cell.splitlines() if line.strip()]
    return [field_of(cell)] if len(lines) < 2 else [*lines]


def _add(export: Export, questions: Sequence[str], number: int, row: Row) -> None:
    time = _time(row.get(_WHEN, ""))
    for name in questions:
        if name in row:
            answer = [label for part in _parts(row[name]) for label in labels_of(part)]
            question = export.question(name)
            export.add(
                question, row[_UNIT] or None, row[_WORKER] or None, answer, number,
                time=time, fields=row,
            )  # fmt: skip


def _say(export: Export, tainted: dict[str, int], tests: dict[str, int]) -> None:
    if tainted:
        values = {"count": sum(tainted.values()), "rows": f"{_TAINTED}={next(iter(tainted))}"}
        is_read = "rejected" in export.options.include
        code = "crowdflower_tainted_counted" if is_read else "crowdflower_tainted"
        export.remarks.cautions.append(Note(code, values, "caution"))
    if tests:
        values = {"names": [*tests], "units": len(tests), "count": sum(tests.values())}
        is_read = "gold" in export.options.include
        code = "crowdflower_tests_counted" if is_read else "crowdflower_tests"
        export.remarks.cautions.append(Note(code, values, "caution"))


def _time(text: str) -> float:
    """Return the time of a judgement, as in "3/24/2016 17:57:02", or NaN."""
    with suppress(ValueError, OverflowError):
        return datetime.strptime(text, _AS).replace(tzinfo=UTC).timestamp()
    return math.nan
