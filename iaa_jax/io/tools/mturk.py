"""Reads the CSV of a batch of Amazon Mechanical Turk, and the similar CSV of Turkle.

A row is one worker's answer to one HIT, with columns for the fields of the form. A HIT may show
several items (`Input.item1`, `Input.item2`): fields that differ only in a number (`Answer.rating1`,
`Answer.rating2`) are then one question on these items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.io.export.answers import Kind, text_of
from iaa_jax.io.export.columns import Row, cells_of, columns_of, rows_of
from iaa_jax.io.export.form_fields import field_of, kind_of, kind_of_all, labels_of, spans_of
from iaa_jax.io.export.json_records import Json
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note, keyword

_INPUT, _ANSWER = "Input.", "Answer."
_JSON = "Answer.taskAnswers"  # the column with all fields of a crowd-elements form
_HIT, _WORKER, _NAME = "HITId", "WorkerId", "Turkle.Username"
_NUMBERED = re.compile(r"(.*?)[_. -]?([0-9]+)([^0-9]*)", re.DOTALL)
_WHOLE = "answer"  # the question of fields whose names are only numbers
_BAR = "|"  # separates the ticked boxes that share a name

Numbered = dict[str, dict[str, str]]
"""Names by their common part and by their number."""


class MTurk:
    """Reads batches of MTurk and Turkle."""

    name = "mturk"
    title = "MTurk"
    summary = "MTurk: CSV of a batch, also of Turkle; fields, boxes, crowd elements, spans"
    known_by = "columns `HITId`, `WorkerId` and `Answer....`"
    example = "agree Batch_results.csv"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files with answers to HITs."""
        return [source for source in sources if _is_batch(columns_of(source))]

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the assignments."""
        export.note_format("CSV")
        columns = list(dict.fromkeys(name for source in sources for name in columns_of(source)))
        export.named_by.items = _HIT
        export.named_by.annotators = _NAME if _NAME in columns else _WORKER
        form = _form(sources, columns, export)
        for source in sources:
            for number, row in rows_of(source, export):
                is_empty = not any(row.get(name) for name in (_WORKER, _NAME, *form.columns))
                is_rejected = row.get("AssignmentStatus", "").lower() == "rejected"
                if not is_empty and not (is_rejected and not export.remarks.wants("rejected")):
                    _add(export, form, number, row, f"{source} HIT {row.get(_HIT)}")


TOOL = MTurk()


@dataclass(frozen=True)
class _Form:
    """The fields of the form.

    Attributes
    ----------
    columns
        The columns of answers.
    fields
        The column of each field or, for check boxes, the column of each box by its name.
    kinds
        The kind of each field's answers, if they can be compared.
    questions
        The fields of each question on several items, by number.
    inputs
        The inputs that showed the items, by number.
    item
        The input that names the items, if the caller named none.
    """

    columns: Sequence[str]
    fields: Mapping[str, Mapping[str, str]]
    kinds: Mapping[str, Kind]
    questions: Numbered
    inputs: Numbered
    item: str

    def answers(self, row: Row) -> dict[str, Json]:
        by_field: dict[str, Json] = dict(_parts(row.get(_JSON, "")))
        for name, columns in self.fields.items():
            cells = {option: row.get(column, "") for option, column in columns.items()}
            if len(cells) > 1:
                by_field[name] = [
                    option for option, cell in cells.items() if cell.lower() == "true"
                ]
            else:
                by_field[name] = _field(next(iter(cells.values())))
        return by_field


def _is_batch(columns: Sequence[str]) -> bool:
    has_worker = _WORKER in columns or _NAME in columns
    return _HIT in columns and has_worker and any(_is_answer(name) for name in columns)


def _is_answer(column: str) -> bool:
    return column.startswith(_ANSWER) and column != _ANSWER


def _form(sources: Sequence[Source], columns: Sequence[str], export: Export) -> _Form:
    answers = [name for name in columns if _is_answer(name)]
    cells: dict[str, dict[str, None]] = {name: {} for name in answers}
    for source in sources:
        known = set(columns_of(source))
        for name, found in cells_of(source, [n for n in answers if n in known]).items():
            cells[name].update(found)
    fields = _fields(cells)
    values: dict[str, list[Json]] = {
        name: [_field(cell) for column in parts.values() for cell in cells[column]]
        for name, parts in fields.items()
    }
    for cell in cells.get(_JSON, ()):
        for name, value in _parts(cell):
            values.setdefault(name, []).append(value)
    kinds: dict[str, Kind] = {}
    for name, of_field in values.items():
        kind = kind_of_all(of_field) or "labels"
        if kind == "labels" or kind == "spans":
            kinds[name] = kind
        else:
            export.remarks.leave_unread(name, kind)
    inputs = _numbered(name for name in columns if name.startswith(_INPUT))
    questions = {
        stem: by_number
        for stem, by_number in _numbered(kinds).items()
        if any(known.keys() >= by_number.keys() for known in inputs.values())
        and len({kinds[name] for name in by_number.values()}) == 1
    }
    options, item = export.options, ""
    named = () if options.item is None else split_names(options.item, columns)
    of_items = {name for by_number in questions.values() for name in by_number.values()}
    if not any(name in inputs and name not in columns for name in named):
        if not questions or options.item is not None or options.question in kinds:
            return _Form(answers, fields, kinds, {}, inputs, item)
        item = _item_of(sources, inputs, next(iter(questions.values())))
        alike = (
            kinds[next(iter(q.values()))] == "spans" or _share_labels(q.values(), values)
            for q in questions.values()
        )
        if not item or not all(alike):
            _refuse(questions, inputs)
        export.named_by.items = item
        export.remarks.cautions.append(_note_of_items(questions, item))
    of_hits = [name for name in kinds if name not in of_items]
    if of_hits:
        export.remarks.notes.append(
            Note("skipped_of_hits", {"names": of_hits, "count": len(of_hits)})
        )
    return _Form(answers, fields, kinds, questions, inputs, item)


def _note_of_items(questions: Numbered, item: str) -> Note:
    stem, by_number = next(iter(questions.items()))
    names = [*by_number.values()]
    values = {"item": item, "names": names, "count": len(names), "question": stem or _WHOLE}
    return Note("mturk_items", {**values, "first": names[0]}, "caution")


def _item_of(sources: Sequence[Source], inputs: Numbered, asked: Mapping[str, str]) -> str:
    """Return the input that names the items.

    It has the most values; of several such inputs, one with a usual name, otherwise the one with
    the shortest cells. The result is "" if an input with a usual name has fewer values than
    another, because it would merge items.
    """
    stems = [stem for stem, known in inputs.items() if known.keys() >= asked.keys()]
    cells: dict[str, set[str]] = {stem: set() for stem in stems}
    for source in sources:
        there = set(columns_of(source))
        for stem in stems:
            names = [name for name in inputs[stem].values() if name in there]
            for known in cells_of(source, names).values():
                cells[stem] |= {cell for cell in known if cell}
    most = max(map(len, cells.values()))
    telling = [stem for stem in stems if len(cells[stem]) == most]
    bare = {stem.removeprefix(_INPUT): stem for stem in stems}
    usual = bare.get(usual_name([*bare], ITEM) or "")
    if usual is not None:
        return usual if usual in telling else ""
    return min(telling, key=lambda stem: sum(map(len, cells[stem])))


def _share_labels(names: Iterable[str], values: Mapping[str, Sequence[Json]]) -> bool:
    """Tell whether fields may answer one question.

    They may if all answers are numbers, or if each field shares a label with another.
    """
    labels = [{text_of(part) for v in values[name] for part in labels_of(v)} for name in names]
    used = [each - {""} for each in labels if each - {""}]
    if all(parse_number(label) is not None for each in used for label in each):
        return True
    return all(
        not each.isdisjoint(set[str]().union(*used[:place], *used[place + 1 :]))
        for place, each in enumerate(used)
    )


def _fields(cells: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    """Return the columns of each field; check boxes have several."""
    boxes: dict[str, dict[str, str]] = {}
    for column, known in cells.items():
        name, dot, option = column.removeprefix(_ANSWER).partition(".")
        if dot and {cell.lower() for cell in known} <= {"true", "false", ""}:
            boxes.setdefault(name, {})[option] = column
    several = {name: options for name, options in boxes.items() if len(options) > 1}
    fields: dict[str, dict[str, str]] = {}
    for column in cells:
        whole = column.removeprefix(_ANSWER)
        name, _, part = whole.partition(".")
        if column == _JSON:
            continue
        if column in several.get(name, {}).values():
            fields.setdefault(name, several[name])
        else:
            is_part = part in ("label", "labels", "entities", "on") and name not in several
            free = is_part and name not in fields and _ANSWER + name not in cells
            fields[name if free else whole] = {part: column}
    return fields


def _field(cell: str) -> Json:
    value = field_of(cell)
    if isinstance(value, str) and _BAR in value and kind_of(value) == "labels":
        return [part for part in value.split(_BAR) if part.strip()]
    return value


def _parts(cell: str) -> list[tuple[str, Json]]:
    value = field_of(cell)
    forms = value if isinstance(value, list) else [value]
    return [part for form in forms if isinstance(form, dict) for part in form.items()]


def _numbered(names: Iterable[str]) -> Numbered:
    groups: Numbered = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match:
            stem = match[1] + match[3]
            groups.setdefault(stem, {}).setdefault(match[2].lstrip("0"), name)
    return {stem: by_number for stem, by_number in groups.items() if len(by_number) > 1}


def _refuse(questions: Numbered, inputs: Numbered) -> None:
    """Refuse fields that may be several questions, or one question on several items."""
    by_number = next(iter(questions.values()))
    names = list(by_number.values())
    stems = [stem for stem, known in inputs.items() if known.keys() >= by_number.keys()]
    raise IaaError(
        f"the answers {shown(names, 4)} differ only in a number, and so do columns of the input: "
        f"if they are questions on one HIT, read one of them by {keyword('question', names[0])}; "
        "if they are one question on several items of a HIT, name what was shown by "
        f"{' or '.join(keyword('item', stem) for stem in stems[:4])}"
    )


def _add(export: Export, form: _Form, number: int, row: Row, where: str) -> None:
    answers, time = form.answers(row), _time(row.get("SubmitTime", ""))
    worker = row.get(_NAME) or row.get(_WORKER)

    def add(question: str, name: str, fields: Row, record: str | None) -> None:
        kind, value = form.kinds[name], answers.get(name)
        answer = spans_of(value, where) if kind == "spans" else labels_of(value)
        cells = (row.get(column, "") for column in form.fields.get(name, {}).values())
        if isinstance(value, list) and kind == "labels" and any(_BAR in cell for cell in cells):
            export.remarks.notice("mturk_bars")
        export.add(
            export.question(question, kind),
            fields.get(form.item) if form.item else row.get(_HIT),
            worker,
            answer,
            number,
            time=time,
            record=record,
            fields=fields,
        )

    if not form.questions:
        for name in form.kinds:
            add(name, name, row, None)
    for stem, by_number in form.questions.items():
        for which, name in by_number.items():
            shown_then = {
                field: row.get(known[which], "")
                for field, known in form.inputs.items()
                if which in known
            }
            if any(shown_then.values()) or answers.get(name):  # the last HIT may have fewer items
                add(stem or _WHOLE, name, {**row, **shown_then}, row.get(_HIT))


def _time(text: str) -> float:
    """Return a time such as "Mon Jun 03 09:11:00 PDT 2024" in seconds since 1970, or NaN."""
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        parts = parsedate_tz(text)
        if parts is not None:
            return float(mktime_tz((*parts[:9], parts[9] or 0)))
    return float("nan")
