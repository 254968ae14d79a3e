"""Argilla: records of 2.x, nested or flattened (also from the Hub), and those of 1.x.

No form tells how a question was asked: its answers do, or the settings that `to_disk` writes
(``.argilla/settings.json``), where that file is named too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.export.form_fields import kind_of
from iaa_jax.io.export.json_records import Json, Record
from iaa_jax.io.export.judgements import Export, Kind, Span, Status, span_of
from iaa_jax.io.export.records import (
    enter,
    first_of,
    item_of,
    keyed,
    listed,
    name_items,
    records_of,
)
from iaa_jax.io.table.source import Source

_RESPONSES, _SUGGESTION = ".responses", ".suggestion"
_OLD_SUGGESTION, _OLD_AGENT = "-suggestion", "-suggestion-metadata"
_IDS = ("id", "external_id", "_server_id")
_SUGGESTER = "suggestion"  # where no agent is named
_STATES = (None, "submitted", "draft", "discarded")
_READ = {
    "labels": {"labels", "text"},
    "lists": {"lists"},
    "number": {"number"},
    "ranking": {"ranking", "lists"},
    "spans": {"spans"},
}
_NAMES = {
    "labels": "a label",
    "lists": "a list of labels",
    "number": "a number",
    "ranking": "a ranking",
    "spans": "spans",
}
_ASKED: dict[str, Kind] = {
    "labels": "labels",
    "lists": "labels",
    "number": "number",
    "ranking": "number",
    "spans": "spans",
}
_OF_SETTINGS = {
    "label_selection": "labels",
    "multi_label_selection": "lists",
    "rating": "number",
    "ranking": "ranking",
    "span": "spans",
    "text": "text",
}


class Response(NamedTuple):
    """What a user answered to a question; a suggestion has its agent for a user."""

    question: str
    user: Json
    value: Json
    status: Json


class Argilla:
    """Reads records of Argilla."""

    name = "argilla"
    title = "Argilla"
    summary = "Argilla: records of 1.x and 2.x as JSON, JSONL or Parquet"
    known_by = "records with `fields` and `responses`, or lists `....responses` and `....users`"
    example = "records.json"

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The files of records, and of their settings."""
        records = [source for source in sources if _is_record(first_of(source))]
        return [s for s in sources if s in records or _types(s)] if records else []

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Read the records: first how each question was answered, then the answers."""
        types = {name: kind for source in sources for name, kind in _types(source).items()}
        files = [source for source in sources if not _types(source)]
        first = first_of(files[0])
        id_of = next((name for name in _IDS if first.get(name) is not None), "")
        name_items(id_of, files, export)
        export.annotators_from = "user_id"
        reading = _Reading(export, _kinds(files, types, export))
        for source in files:
            where = enter(source, export)
            for number, record in records_of(source, export.options.progress):
                reading.add(record, number, f"{where} {number}")


TOOL = Argilla()


def _is_record(record: Record) -> bool:
    if isinstance(record.get("fields"), dict) and "responses" in record:
        return isinstance(record["responses"], (dict, list))
    return any(
        (name.endswith(_RESPONSES) and f"{name}.users" in record)
        or f"{name}{_OLD_AGENT}" in record
        or _is_old(value)
        for name, value in record.items()
    )


def _is_old(value: Json) -> bool:
    """Whether a column of 1.x holds responses: objects in a list, or lists in an object."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and {"user_id", "value", "status"} <= first.keys()


def _types(source: Source) -> dict[str, str]:
    """How each question is asked, if this file has the settings of a data set."""
    settings = first_of(source)
    questions = settings.get("questions")
    if not (isinstance(questions, list) and "fields" in settings):
        return {}
    types = {}
    for question in questions:
        inner = question.get("settings") if isinstance(question, dict) else None
        if isinstance(question, dict) and isinstance(inner, dict):
            types[str(question.get("name"))] = _OF_SETTINGS.get(str(inner.get("type")), "objects")
    return types


def _responses(record: Record, where: str) -> Iterator[Response]:
    """The responses of a record, in whatever form it has them."""
    nested = record.get("responses") if "fields" in record else None
    if isinstance(nested, dict):
        for name, given in nested.items():
            for response in listed(given, where):
                part = keyed(response, where)
                yield Response(name, part.get("user_id"), part.get("value"), part.get("status"))
    elif isinstance(nested, list):
        for response in nested:
            part = keyed(response, where)
            for name, value in keyed(part.get("values"), where).items():
                answer = keyed(value, where).get("value")
                yield Response(name, part.get("user_id"), answer, part.get("status"))
    else:
        for name, column in record.items():
            if name.endswith(_RESPONSES) and f"{name}.users" in record:
                users = listed(record[f"{name}.users"], where)
                states = record.get(f"{name}.status")
                columns = users, listed(column, where), listed(states, where)
                yield from _parallel(name.removesuffix(_RESPONSES), *columns, where)
            elif isinstance(column, dict) and _is_old(column):
                columns = (
                    listed(column["user_id"], where),
                    listed(column["value"], where),
                    listed(column["status"], where),
                )
                yield from _parallel(name, *columns, where)
            elif isinstance(column, list) and _is_old(column):
                for response in column:
                    part = keyed(response, where)
                    yield Response(name, part.get("user_id"), part.get("value"), part.get("status"))


def _parallel(
    name: str, users: list[Json], values: list[Json], states: list[Json], where: str
) -> Iterator[Response]:
    """Responses in lists with a place for each user."""
    if len(users) != len(values) or len(states) not in (0, len(users)):
        msg = (
            f"{where}: {len(values)} answers to {name!r} by {len(users)} users, of which "
            f"{len(states)} have a status"
        )
        raise IaaError(msg)
    for place, (user, value) in enumerate(zip(users, values, strict=True)):
        yield Response(name, user, value, states[place] if states else None)


def _suggestions(record: Record, where: str) -> Iterator[Response]:
    """What models suggested."""
    nested = record.get("suggestions") if "fields" in record else None
    if isinstance(nested, dict):
        for name, value in nested.items():
            part = keyed(value, where)
            yield Response(name, part.get("agent"), part.get("value"), None)
    elif isinstance(nested, list):
        for value in nested:
            part = keyed(value, where)
            name = str(part.get("question_name"))
            yield Response(name, part.get("agent"), part.get("value"), None)
    else:
        for name, value in record.items():
            if name.endswith(_SUGGESTION):
                agent = record.get(f"{name}.agent")
                yield Response(name.removesuffix(_SUGGESTION), agent, value, None)
            elif name.endswith(_OLD_SUGGESTION) and f"{name}-metadata" in record:
                about = keyed(record[f"{name}-metadata"], where)
                yield Response(name.removesuffix(_OLD_SUGGESTION), about.get("agent"), value, None)


def _kinds(sources: Sequence[Source], types: dict[str, str], export: Export) -> dict[str, str]:
    """How each question was answered, by the settings or by the answers themselves."""
    found: dict[str, set[str]] = {}
    orders: dict[str, set[tuple[str, ...]]] = {}
    for source in sources:
        for number, record in records_of(source):
            for name, _, value, _ in _responses(record, f"{source} record {number}"):
                kind = _kind(value)
                found.setdefault(name, set()).update([kind] * bool(kind))
                if kind == "lists" and isinstance(value, list):
                    orders.setdefault(name, set()).add(tuple(map(str, value)))
    kinds = {}
    for name, of_answers in found.items():
        kind = "text" if "text" in of_answers else " and ".join(sorted(of_answers)) or "labels"
        kinds[name] = types.get(name, kind)
        if name not in types and kind == "lists" and _are_orders(orders[name]):
            kinds[name] = "ranking"
            export.notice("argilla_rankings")
        if kinds[name] not in _READ:
            export.leave_unread(name, kinds[name])
    return {name: kind for name, kind in kinds.items() if kind in _READ}


def _kind(value: Json) -> str:
    """How a value answers; "" where it is nothing."""
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
    """Whether lists put the same options into different orders, as sets of labels would not."""
    return len(orders) > 1 and len({tuple(sorted(order)) for order in orders}) == 1


class _Reading:
    """Adds the answers of records, whose questions are known."""

    def __init__(self, export: Export, kinds: dict[str, str]) -> None:
        self.export = export
        self.kinds = kinds

    def add(self, record: Record, number: int, where: str) -> None:
        """Add what each user answered; what a response lacks was left out by its user."""
        users = _by_user(_responses(record, where))
        options = self._options(users)
        for given in users:
            states = [response.status for response in given.values()]
            odd = [state for state in states if state not in _STATES]
            if odd:
                msg = f"{where}: {brief(odd[0])} is no status of a response"
                raise IaaError(msg)
            if "draft" in states and not self.export.wants("drafts"):
                continue
            if not any(states):
                self.export.notice("argilla_without_status")
            skips = "discarded" in states or all(r.value is None for r in given.values())
            user = next(iter(given.values())).user
            for name in self.kinds:
                value = given[name].value if name in given else None
                about = record, number, where, Status.SKIPPED if skips else None
                self._answer(name, user, value, about, options.get(name, {}))
        for response in _suggestions(record, where):
            is_read = response.question in self.kinds and response.value is not None
            if is_read and self.export.wants("predictions"):
                about = record, number, where, None
                self._answer(
                    response.question, response.user or _SUGGESTER, response.value, about, {}
                )

    def _options(self, users: list[dict[str, Response]]) -> dict[str, dict[str, Json]]:
        """The options that somebody put into order in a record, by question."""
        found: dict[str, dict[str, Json]] = {}
        for given in users:
            for name, response in given.items():
                if self.kinds.get(name) == "ranking":
                    for option, _ in _ranks(response.value):
                        found.setdefault(name, {})[str(option)] = option
        return found

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
        if answered_by and answered_by not in _READ[kind]:
            msg = f"{where}: {brief(value)} as an answer to {name!r}, which takes {_NAMES[kind]}"
            raise IaaError(msg)
        names = item_of(record, number, self.export), user
        fields = {**record, "user_id": user}
        several = {"labels": False, "lists": True}.get(kind)
        question = self.export.ask(name, _ASKED[kind], several)
        if kind == "ranking":
            ranks = _ranks(value) or [(option, None) for option in options.values()]
            left = None if answered_by else status or Status.EMPTY
            self.export.add_ranking(question, *names, ranks, number, status=left, fields=fields)
            return
        parts = (value if isinstance(value, list) else [value]) if answered_by else []
        answer = [_span(part, where) for part in parts] if answered_by == "spans" else parts
        self.export.add(question, *names, answer, number, status=status, fields=fields)


def _by_user(responses: Iterable[Response]) -> list[dict[str, Response]]:
    """What each user answered, by question; an answer that is given again stands apart."""
    times: Counter[tuple[str, str]] = Counter()
    users: dict[tuple[str, int], dict[str, Response]] = {}
    for response in responses:
        user = str(response.user)
        again = times[user, response.question]
        times[user, response.question] += 1
        users.setdefault((user, again), {})[response.question] = response
    return list(users.values())


def _ranks(value: Json) -> list[tuple[Json, Json]]:
    """The options of a ranking, each with its rank."""
    return [
        (part.get("value"), part.get("rank")) if isinstance(part, dict) else (part, place)
        for place, part in enumerate(value if isinstance(value, list) else [], start=1)
    ]


def _span(part: Json, where: str) -> Span:
    span = keyed(part, where)
    return span_of(span["start"], span["end"], span["label"], where)
