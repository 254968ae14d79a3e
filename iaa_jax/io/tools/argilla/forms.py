"""Reads responses and suggestions in all forms that Argilla's records have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from iaa_jax._errors import IaaError
from iaa_jax.io.export.json_records import Json, Record, keyed, listed

_RESPONSES, _SUGGESTION = ".responses", ".suggestion"
_OLD_SUGGESTION, _OLD_AGENT = "-suggestion", "-suggestion-metadata"


class Response(NamedTuple):
    """A user's answer to a question; the question is "" if the user answered none."""

    question: str
    user: Json
    value: Json
    status: Json


def is_record(record: Record) -> bool:
    """Tell whether a record has one of Argilla's forms."""
    if isinstance(record.get("fields"), dict) and "responses" in record:
        return isinstance(record["responses"], (dict, list))
    return any(
        (name.endswith(_RESPONSES) and f"{name}.users" in record)
        or f"{name}{_OLD_AGENT}" in record
        or _is_old(value)
        for name, value in record.items()
    )


def _is_old(value: Json) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and {"user_id", "value", "status"} <= first.keys()


def responses(record: Record, where: str) -> Iterator[Response]:
    """Yield the responses of a record."""
    nested = record.get("responses") if "fields" in record else None
    if isinstance(nested, dict):
        for name, given in nested.items():
            for response in listed(given, where):
                part = keyed(response, where)
                yield Response(name, part.get("user_id"), part.get("value"), part.get("status"))
    elif isinstance(nested, list):
        for response in nested:
            part = keyed(response, where)
            values = keyed(part.get("values"), where)
            if not values:  # the user discarded the whole record
                yield Response("", part.get("user_id"), None, part.get("status"))
            for name, value in values.items():
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
    if len(users) != len(values) or len(states) not in (0, len(users)):
        raise IaaError(
            f"{where}: {len(values)} answers to {name!r} by {len(users)} users, of which "
            f"{len(states)} have a status"
        )
    for place, (user, value) in enumerate(zip(users, values, strict=True)):
        yield Response(name, user, value, states[place] if states else None)


def suggestions(record: Record, where: str) -> Iterator[Response]:
    """Yield the suggestions of models."""
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
