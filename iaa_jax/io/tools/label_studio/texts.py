"""How long the texts of tasks are, in the unit of spans: that of JavaScript, 16 bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from iaa_jax.io.export.answers import text_of
from iaa_jax.io.export.json_records import Json, Record


class Texts:
    """Finds the field of the data that spans are in, as the interface is not in the export.

    It is the one where the text of spans stands at their places.
    """

    def __init__(self, *, kept: bool = False) -> None:
        self._texts: dict[str, dict[str, str]] = {}
        self._kept = kept
        self._lengths: dict[str, dict[str, int]] = {}
        self._found: Counter[str] = Counter()
        self._spans = 0
        self._last: dict[str, int] = {}

    def see(self, task: Record) -> None:
        """Measure the texts of a task."""
        data = task.get("data")
        for name, text in data.items() if isinstance(data, dict) else ():
            if isinstance(text, str):
                size = len(text) if text.isascii() else len(_units(text)) // 2
                item = text_of(task.get("id"))
                self._lengths.setdefault(name, {})[item] = size
                if self._kept:
                    self._texts.setdefault(name, {})[item] = text

    def look(self, task: Record, span: Mapping[str, Json]) -> None:
        """Look where the text of a span stands."""
        data, marked, start, end = (
            task.get("data"),
            *(span.get(name) for name in ("text", "start", "end")),
        )
        if not (isinstance(data, dict) and isinstance(marked, str) and marked):
            return
        if type(start) is not int or type(end) is not int:
            return
        self._spans += 1
        item = text_of(task.get("id"))
        self._last[item] = max(end, self._last.get(item, 0))
        for name, text in data.items():
            if isinstance(text, str):
                part = text[start:end] if text.isascii() else _units(text)[2 * start : 2 * end]
                self._found[name] += part == (marked if text.isascii() else _units(marked))

    def lengths(self) -> dict[str, int]:
        """The lengths of tasks; none if they are not certain."""
        return self._lengths.get(self._name(), {})

    def texts(self) -> dict[str, str]:
        """The texts of tasks, likewise, where they are kept."""
        return self._texts.get(self._name(), {})

    def beyond(self) -> int:
        """How many tasks have a span that ends beyond their text."""
        known = self._lengths.get(self._likely(), {})
        return sum(end > known.get(item, end) for item, end in self._last.items())

    def _likely(self) -> str:
        """The field in which the text of most spans stands; empty if there is none."""
        found = self._found.most_common(1)
        return found[0][0] if found and 2 * found[0][1] > self._spans else ""

    def _name(self) -> str:
        """The field; empty if it is not certain."""
        known = self._lengths.get(name := self._likely(), {})
        return name if all(end <= known.get(item, 0) for item, end in self._last.items()) else ""


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
