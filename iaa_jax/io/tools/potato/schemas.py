"""Infers Potato's questions (schemas) from the answers to them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from iaa_jax.data.labels import parse_number
from iaa_jax.io.export.answers import text_of
from iaa_jax.io.export.json_records import Json
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.times import time_of
from iaa_jax.io.tools.potato.forms import ItemAnswers

_CHOSEN = (True, "true", "True")
_NOT_CHOSEN = (None, False, "", "false", "False")
_TYPED = "free_response"  # the option of a typed text


class Schemas:
    """The questions, as inferred from all answers together.

    Attributes
    ----------
    single : set of str
        Schemas that take one option: scales, schemas in which one option replaced another, and
        schemas with an answer that Potato inferred.
    typed : set of tuple
        Options that are filled in or set rather than ticked, as pairs of schema and name.
    marked : set of str
        Schemas of spans.
    """

    def __init__(self, found: Sequence[ItemAnswers]) -> None:
        values: dict[tuple[str, str], set[str]] = {}
        self.single: set[str] = set()
        self.marked = {schema for answers in found for schema in answers.spans}
        names: dict[str, set[str]] = {}
        for answers in found:
            self.single.update(answers.final)
            for schema, options in answers.labels.items():
                for name, value in chosen_of(options).items():
                    names.setdefault(schema, set()).add(name)
                    known = values.setdefault((schema, name), set())
                    if len(known) < 2:
                        known.add(text_of(value))
            self.single.update(
                str(change.get("schema_name"))
                for change in answers.changes
                if change.get("action") == "select"
                and change.get("old_label") not in (None, "", change.get("label_name"))
            )
        self.single.update(
            schema
            for schema, known in names.items()
            if all(parse_number(name) is not None for name in known)
        )
        self.single &= {*names}
        self.typed = {key for key, known in values.items() if len(known) > 1}

    def answer(self, schema: str, answers: ItemAnswers, export: Export) -> list[str]:
        """Return the labels that count as the answer to a schema."""
        chosen = chosen_of(answers.labels.get(schema, {}))
        if len(chosen) > 1:
            chosen.pop(_TYPED, None)
        has_several, is_read = len(chosen) > 1, export.options.question in (None, schema)
        if has_several and schema in self.single:
            last = _last(schema, chosen, answers)
            chosen = {} if last is None else {last: chosen[last]}
            if last is None and is_read:
                export.remarks.notice("potato_unclear")
        elif has_several and is_read:
            export.remarks.notice("potato_several")
        return [self._text(schema, name, value) for name, value in chosen.items()]

    def _text(self, schema: str, name: str, value: Json) -> str:
        written = value not in _CHOSEN and (
            (schema, name) in self.typed or name.endswith(text_of(value)) or name == _TYPED
        )
        return text_of(value) if written or not name else name


def chosen_of(options: Mapping[str, Json]) -> dict[str, Json]:
    """Return the options that were chosen."""
    return {
        name: value
        for name, value in options.items()
        if not isinstance(value, (dict, list)) and value not in _NOT_CHOSEN
    }


def _last(schema: str, chosen: Mapping[str, Json], answers: ItemAnswers) -> str | None:
    final = answers.final.get(schema)
    if final:
        fits = [name for name, value in chosen.items() if final in (name, value)]
        return fits[0] if len(fits) == 1 else None
    last, latest = None, -math.inf
    for change in answers.changes:
        label, time = change.get("label_name"), time_of(change.get("timestamp"))
        is_choice = change.get("action") in ("select", "update") and label in (*chosen,)
        if is_choice and change.get("schema_name") == schema and time >= latest:
            last, latest = str(label), time
    return last
