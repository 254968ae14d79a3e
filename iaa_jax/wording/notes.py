"""Notes on a result: codes, with the values that their sentences contain."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Level = Literal["info", "caution"]


@dataclass(frozen=True)
class Note:
    """A remark on a result: a code for programs, and values that a template puts into a sentence.

    A value is a number, a text, another note (for a part of the sentence), or a list of values.
    ``about`` names the rows of the result that the note concerns; it is empty if the note concerns
    all rows.

    Examples
    --------
    >>> Note("few_items", {"items": 7}, "caution")
    Note(code='few_items', values={'items': 7}, level='caution', about=())
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    level: Level = "info"
    about: tuple[str, ...] = ()

    def on(self, names: Iterable[str]) -> Note:
        """Return a copy of the note that concerns the rows in ``names``."""
        return replace(self, about=tuple(names))

    def listed(self, name: str) -> Sequence[object]:
        """Return a value as a list; a single value becomes a list of length one."""
        value = self.values[name]
        return value if isinstance(value, (list, tuple)) else [value]

    def __hash__(self) -> int:
        return hash((self.code, dump_notes([self])))


def dump_notes(notes: Iterable[Note]) -> str:
    """Return notes as JSON text, for the attributes of a Dataset.

    Examples
    --------
    >>> dump_notes([Note("few_items", {"items": 7})])
    '[{"code": "few_items", "values": {"items": 7}, "level": "info"}]'
    """
    return json.dumps([_json_value(note) for note in notes], ensure_ascii=False)


def load_notes(text: str) -> list[Note]:
    """Read notes from the JSON text of `dump_notes`; an empty text gives an empty list.

    Examples
    --------
    >>> load_notes(dump_notes([Note("few_items", {"items": 7})]))
    [Note(code='few_items', values={'items': 7}, level='info', about=())]
    """
    restored = map(_restored, json.loads(text or "[]"))
    return [note for note in restored if isinstance(note, Note)]


def _json_value(value: object) -> object:
    if isinstance(value, Note):
        record = {"code": value.code, "values": _json_value(value.values), "level": value.level}
        return record | ({"about": list(value.about)} if value.about else {})
    if isinstance(value, Mapping):
        return {str(name): _json_value(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(part) for part in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def _restored(value: object) -> object:
    if isinstance(value, dict):
        if value.keys() >= {"code", "values", "level"}:
            values = {name: _restored(part) for name, part in value["values"].items()}
            return Note(value["code"], values, value["level"], tuple(value.get("about", ())))
        return {name: _restored(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_restored(part) for part in value]
    return value
