"""Reads classifications of a Zooniverse project: CSV, with the answers to each task as JSON.

A row is one volunteer's answers on one subject. The answer to a survey task is a list of choices. A
survey may ask further questions about a choice: their item is the subject with the choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from iaa_jax.data.notices.similar import JOINT
from iaa_jax.io.export.answers import Status, text_of
from iaa_jax.io.export.columns import Row, cells_of, columns_of, rows_of
from iaa_jax.io.export.form_fields import field_of, kind_of, labels_of
from iaa_jax.io.export.json_records import Json, Record, keyed, listed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.table.source import Source

_CELL, _SUBJECTS, _WHO, _ADDRESS = "annotations", "subject_ids", "user_name", "user_ip"
_WORKFLOW, _GOLD = "workflow_id", "gold_standard"
_NOBODY = "not-logged-in-"
_NEEDED = {"classification_id", _CELL, _SUBJECTS, _WHO}
_CHOICE, _ANSWERS = "choice", "answers"

_Answers = dict[tuple[str, str], Json]  # by question and survey choice ("" without one)


class Zooniverse:
    """Reads exports of classifications."""

    name = "zooniverse"
    title = "Zooniverse"
    summary = (
        "Zooniverse: CSV of classifications; questions, surveys and their answers, drop-down lists"
    )
    known_by = "columns `classification_id`, `user_name`, `annotations` and `subject_ids`"
    example = "agree project-classifications.csv --question T0"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of classifications."""
        return [source for source in sources if {*columns_of(source)} >= _NEEDED]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the classifications: a question for each task, and for each question of a survey."""
        export.note_format("CSV")
        export.named_by.items, export.named_by.annotators = _SUBJECTS, _WHO
        workflows = {
            cell
            for source in sources
            if _WORKFLOW in columns_of(source)
            for cell in cells_of(source, [_WORKFLOW])[_WORKFLOW]
        }
        unread: dict[str, str] = {}
        for source in sources:
            for number, row in rows_of(source, export):
                is_gold = row.get(_GOLD, "").lower() == "true"
                if any(row.values()) and not (is_gold and not export.remarks.wants("gold")):
                    start = f"{row.get(_WORKFLOW)}." if len(workflows) > 1 else ""
                    _add(export, number, row, start, unread)
        for name, kind in unread.items():
            export.questions.pop(name, None)
            export.remarks.leave_unread(name, kind)
        question = export.questions.get(str(export.options.question))
        if question is not None and question.feature_of:
            export.named_by.items = [_SUBJECTS, _CHOICE]
        addresses = sum(name.startswith(_NOBODY) for name in export.annotators)
        export.remarks.notice("zooniverse_addresses", addresses)


TOOL = Zooniverse()


def _add(export: Export, number: int, row: Row, start: str, unread: dict[str, str]) -> None:
    where = export.place(-1, number)
    given: _Answers = {}
    for each in listed(field_of(row[_CELL]) or None, where):
        for (name, choice), value in _answers(keyed(each, where), start):
            before = given.get((name, choice))
            several = [*labels_of(before), *labels_of(value)]
            # a task may be answered several times
            given[name, choice] = value if before is None else several
    who = row[_WHO] or (_NOBODY + row[_ADDRESS] if row.get(_ADDRESS) else None)
    time = time_of(row.get("created_at", "").replace(" UTC", "+00:00"))
    for (name, choice), value in given.items():
        kind = kind_of(value)
        if kind in ("text", "objects", "spans"):
            unread.setdefault(name, "text" if kind == "text" else "marks")
            continue
        question = export.question(name)
        if choice:
            question.feature_of = name.rpartition(".")[0]
        subject = row[_SUBJECTS]
        export.add(
            question, f"{subject}{JOINT}{choice}" if choice and subject else subject or None, who,
            labels_of(value), number, status=Status.SKIPPED if value is None else None, time=time,
            fields={**row, _CHOICE: choice} if choice else row,
        )  # fmt: skip


def _answers(
    annotation: Record, start: str, *, inside: bool = False
) -> Iterator[tuple[tuple[str, str], Json]]:
    """Yield the answers of an annotation to its task, or to several tasks inside it."""
    name, value = start + text_of(annotation.get("task")), annotation.get("value")
    parts = [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []
    if not parts:
        yield (name, ""), value
    elif all(_CHOICE in part for part in parts):
        yield (name, ""), [part[_CHOICE] for part in parts]
        for part in parts:
            further = part.get(_ANSWERS)
            for what, answer in (further if isinstance(further, dict) else {}).items():
                yield (f"{name}.{what}", text_of(part[_CHOICE])), answer
    elif all("task" in part for part in parts) and not inside:  # tasks on one page
        for part in parts:
            yield from _answers(part, start, inside=True)
    elif all("select_label" in part for part in parts):  # drop-down lists
        for part in parts:
            of_list = ".".join(filter(None, (name, text_of(part["select_label"]))))
            yield (of_list, ""), part.get("label", part.get("value"))
    else:
        yield (name, ""), value
