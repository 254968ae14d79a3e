"""Notes on a result besides its figures: codes, with the values for their sentences."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Level = Literal["info", "caution"]


@dataclass(frozen=True)
class Note:
    """A code with values: programs can act on it, and a template turns it into a sentence.

    A value is a number, a text, a list of these, or a note that is part of the sentence. ``about``
    names the rows of the result that the note concerns; it is empty if it concerns all rows.

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
        """Return the note as one about these rows of a result."""
        return replace(self, about=tuple(names))

    def listed(self, name: str) -> Sequence[object]:
        """Return a value that is a list."""
        value = self.values[name]
        return value if isinstance(value, (list, tuple)) else [value]

    def __hash__(self) -> int:
        return hash((self.code, dump_notes([self])))


def dump_notes(notes: Iterable[Note]) -> str:
    """Write notes as JSON text, as the attributes of a Dataset keep them.

    Examples
    --------
    >>> dump_notes([Note("few_items", {"items": 7})])
    '[{"code": "few_items", "values": {"items": 7}, "level": "info"}]'
    """
    return json.dumps([_json_value(note) for note in notes], ensure_ascii=False)


def load_notes(text: str) -> list[Note]:
    """Read notes from the JSON text of `dump_notes`; none from an empty text.

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
