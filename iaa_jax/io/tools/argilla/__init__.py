"""Reads records of Argilla 1.x, and of 2.x, nested or flattened (also from the Hub).

The type of a question is inferred from the answers, or read from the settings that `to_disk` writes
(``.argilla/settings.json``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.marked.texts import text_from_characters
from iaa_jax.io.export.answers import Kind, Span, Status, span_of
from iaa_jax.io.export.form_fields import kind_of
from iaa_jax.io.export.json_records import Json, Record, keyed
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.measured import TextLengths
from iaa_jax.io.export.records import (
    enter,
    first_of,
    item_of,
    name_items,
    records_of,
)
from iaa_jax.io.table.source import Source
from iaa_jax.io.tools.argilla.forms import Response, is_record, responses, suggestions

_IDS = ("id", "external_id", "_server_id")
_SUGGESTER = "suggestion"  # the annotator of suggestions that name no agent (model)
_STATES = (None, "submitted", "draft", "discarded")


class _Way(NamedTuple):
    """How the answers to a kind of question are read.

    ``values`` are the kinds of values that may answer the question, and ``words`` is what error
    messages call them.
    """

    kind: Kind
    values: Sequence[str]
    words: str


_WAYS = {
    "labels": _Way("labels", ("labels", "text"), "a label"),
    "lists": _Way("labels", ("lists",), "a list of labels"),
    "number": _Way("number", ("number",), "a number"),
    "ranking": _Way("number", ("ranking", "lists"), "a ranking"),
    "spans": _Way("spans", ("spans",), "spans"),
}
_OF_SETTINGS = {
    "label_selection": "labels",
    "multi_label_selection": "lists",
    "rating": "number",
    "ranking": "ranking",
    "span": "spans",
    "text": "text",
}


class Argilla:
    """Reads records of Argilla."""

    name = "argilla"
    title = "Argilla"
    summary = "Argilla: records of 1.x and 2.x as JSON, JSONL or Parquet"
    known_by = "records with `fields` and `responses`, or lists `....responses` and `....users`"
    example = "agree records.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files of records, and of their settings."""
        records = [source for source in sources if is_record(first_of(source))]
        return [s for s in sources if s in records or _types(s)] if records else []

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Find the kind of each question, then read the answers."""
        types = {name: kind for source in sources for name, kind in _types(source).items()}
        files = [source for source in sources if not _types(source)]
        first = first_of(files[0])
        id_of = next((name for name in _IDS if first.get(name) is not None), "")
        name_items(id_of, files, export)
        export.named_by.annotators = "user_id"
        reading = _RecordReader(export, _kinds(files, types, export))
        for source in files:
            where = enter(source, export)
            for number, record in records_of(source, export.options.progress):
                reading.add(record, number, f"{where} {number}")
        reading.texts.note(export)


TOOL = Argilla()


def _types(source: Source) -> dict[str, str]:
    settings = first_of(source)
    questions = settings.get("questions")
    if not (isinstance(questions, list) and "fields" in settings) or is_record(settings):
        return {}
    types = {}
    for question in questions:
        inner = question.get("settings") if isinstance(question, dict) else None
        if isinstance(question, dict) and isinstance(inner, dict):
            types[str(question.get("name"))] = _OF_SETTINGS.get(str(inner.get("type")), "objects")
    return types


def _kinds(sources: Sequence[Source], types: dict[str, str], export: Export) -> dict[str, str]:
    kinds_of_answers: dict[str, set[str]] = {}
    empty: Counter[str] = Counter()
    orders: dict[str, set[tuple[str, ...]]] = {}
    for source in sources:
        for number, record in records_of(source):
            for name, _, value, _ in responses(record, f"{source} record {number}"):
                kind = _kind(value)
                if name:
                    kinds_of_answers.setdefault(name, set()).update([kind] * bool(kind))
                    empty[name] += value == []
                if kind == "lists" and isinstance(value, list):
                    orders.setdefault(name, set()).add(tuple(map(str, value)))
    kinds = {}
    for name, of_answers in kinds_of_answers.items():
        nothing = "lists" if empty[name] else "labels"
        kind = "text" if "text" in of_answers else " and ".join(sorted(of_answers)) or nothing
        kinds[name] = types.get(name, kind)
        if name not in types and kind == "lists" and _are_orders(orders.get(name, set())):
            kinds[name] = "ranking"
            export.remarks.notice("argilla_rankings")
        if kinds[name] not in _WAYS:
            export.remarks.leave_unread(name, kinds[name])
    return {name: kind for name, kind in kinds.items() if kind in _WAYS}


def _kind(value: Json) -> str:
    """Return the kind of an answer; "" for None or an empty list."""
    if value is None or value == []:
        return ""
    if isinstance(value, str):
        return kind_of(value) or "labels"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    if not isinstance(value, (list, dict)):
        return "labels"
    parts = value if isinstance(value, list) else [[]]
    if not any(isinstance(part, (list, dict)) for part in parts):
        return "lists"
    for name, keys in (("ranking", {"rank", "value"}), ("spans", {"start", "end", "label"})):
        if all(isinstance(part, dict) and keys <= part.keys() for part in parts):
            return name
    return "objects"


def _are_orders(orders: set[tuple[str, ...]]) -> bool:
    return len(orders) > 1 and len({tuple(sorted(order)) for order in orders}) == 1


class _RecordReader:
    def __init__(self, export: Export, kinds: dict[str, str]) -> None:
        self.export = export
        self.texts = TextLengths()
        self.kinds = kinds

    def add(self, record: Record, number: int, where: str) -> None:
        """Add the answers of each user; drafts and suggestions only on request.

        A question that a user left out is added without an answer.
        """
        users = _by_user(responses(record, where))
        options = self._options(users)
        for answers in users:
            states = [response.status for response in answers.values()]
            odd = [state for state in states if state not in _STATES]
            if odd:
                raise IaaError(f"{where}: {brief(odd[0])} is not a status of a response")
            if "draft" in states and not self.export.remarks.wants("drafts"):
                continue
            if not any(states):
                self.export.remarks.notice("argilla_without_status")
            skips = "discarded" in states or all(r.value is None for r in answers.values())
            user = next(iter(answers.values())).user
            for name in self.kinds:
                value = answers[name].value if name in answers else None
                about = record, number, where, Status.SKIPPED if skips else None
                self._answer(name, user, value, about, options.get(name, {}))
        for response in suggestions(record, where):
            is_read = response.question in self.kinds and response.value is not None
            if is_read and self.export.remarks.wants("predictions"):
                about = record, number, where, None
                self._answer(
                    response.question, response.user or _SUGGESTER, response.value, about, {}
                )

    def _options(self, users: list[dict[str, Response]]) -> dict[str, dict[str, Json]]:
        ranked: dict[str, dict[str, Json]] = {}
        for given in users:
            for name, response in given.items():
                if self.kinds.get(name) == "ranking":
                    for option, _ in _ranks(response.value):
                        ranked.setdefault(name, {})[str(option)] = option
        return ranked

    def _answer(
        self,
        name: str,
        user: Json,
        value: Json,
        about: tuple[Record, int, str, Status | None],
        options: dict[str, Json],
    ) -> None:
        record, number, where, status = about
        kind, answered_by = self.kinds[name], _kind(value)
        if answered_by and answered_by not in _WAYS[kind].values:
            raise IaaError(
                f"{where}: {brief(value)} is no answer to {name!r}, which takes {_WAYS[kind].words}"
            )
        names = item_of(record, number, self.export), user
        fields = {**record, "user_id": user}
        several = {"labels": False, "lists": True}.get(kind)
        question = self.export.question(name, _WAYS[kind].kind, several)
        if kind == "ranking":
            ranks = _ranks(value) or [(option, None) for option in options.values()]
            left = None if answered_by else status or Status.EMPTY
            for option, rank in ranks:
                rated = () if left is not None else (rank,)
                self.export.add(
                    question, *names, rated, number, status=left, fields=fields, option=option
                )
            return
        if kind == "spans":
            self._show(names[0], record)
        parts = (value if isinstance(value, list) else [value]) if answered_by else []
        answer = [_span(part, where) for part in parts] if answered_by == "spans" else parts
        self.export.add(question, *names, answer, number, status=status, fields=fields)
        if value == [] and status is None:
            self.export.responded.add(question.annotators[-1])

    def _show(self, item: object, record: Record) -> None:
        """Record the text of a record: its field "text", or its only text field."""
        fields = record.get("fields")
        texts = {
            name: text
            for name, text in (fields.items() if isinstance(fields, dict) else ())
            if isinstance(text, str)
        }
        if "text" in texts or len(texts) == 1:
            text = texts["text"] if "text" in texts else next(iter(texts.values()))
            self.texts.see(item, text)
            self.export.add_text(item, text_from_characters(text))


def _by_user(responses: Iterable[Response]) -> list[dict[str, Response]]:
    times: Counter[tuple[str, str]] = Counter()
    users: dict[tuple[str, int], dict[str, Response]] = {}
    for response in responses:
        user = str(response.user)
        again = times[user, response.question]
        times[user, response.question] += 1
        users.setdefault((user, again), {})[response.question] = response
    return list(users.values())


def _ranks(value: Json) -> list[tuple[Json, Json]]:
    return [
        (part.get("value"), part.get("rank")) if isinstance(part, dict) else (part, place)
        for place, part in enumerate(value if isinstance(value, list) else [], start=1)
    ]


def _span(part: Json, where: str) -> Span:
    span = keyed(part, where)
    return span_of(span["start"], span["end"], span["label"], where)
