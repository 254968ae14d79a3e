"""Text as JSON: what is read, which keys repeat, and what is beyond a table."""

from __future__ import annotations

import json
from collections import Counter

from iaa_jax.io.table.cells import MISSING
from iaa_jax.io.table.json_fields import Json

Repeated = tuple[dict[str, Json], str]  # an object, and a key that stands more than once in it


class NoTable(ValueError):
    """JSON that is beyond what a table of ratings holds, or Python reads."""


def parse(text: str | bytes) -> tuple[Json, list[Repeated]]:
    """Read JSON, and find the objects in which a key stands more than once."""
    repeated: list[Repeated] = []

    def to_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        record = dict(pairs)
        if len(record) < len(pairs):
            count = Counter(key for key, _ in pairs)
            repeated.append((record, next(key for key in count if count[key] > 1)))
        return record

    try:
        return json.loads(text, object_pairs_hook=to_object), repeated
    except RecursionError:
        reason = "is nested too deeply to be a table of ratings"
    except json.JSONDecodeError:
        raise
    except ValueError:
        reason = "holds a number of thousands of figures; write it as text if it is a name"
    raise NoTable(reason)


def is_word(value: Json) -> bool:
    """Tell whether a value is text that is neither a truth value nor a usual gap."""
    if not isinstance(value, str) or value.strip() in MISSING:
        return False
    return value.strip().casefold() not in ("true", "false")
