"""Text as JSON: what is read, and why not."""

from __future__ import annotations

import json
from collections import Counter

from iaa_jax._errors import brief
from iaa_jax.io.table.cells import MISSING
from iaa_jax.io.table.json_fields import Json, Record


class RepeatedKeyError(ValueError):
    """A key that stands more than once in one object."""


def _to_object(pairs: list[tuple[str, Json]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        reason = (
            f"the key {key!r} occurs more than once in one object, {brief(record)}; of equal keys "
            "only the last would be read: keep one, or rename them"
        )
        raise RepeatedKeyError(reason)
    return record


DECODER = json.JSONDecoder(object_pairs_hook=_to_object)
"""Reads JSON in which no key repeats."""


def why_not(error: ValueError | RecursionError) -> str:
    """Why a text is not read that the decoder refuses."""
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg} (column {error.colno})"
    if isinstance(error, RepeatedKeyError):
        return str(error)
    if isinstance(error, RecursionError):
        return "this is nested too deeply to be a rating"
    return "a number has thousands of figures; write it as text if it is a name"


def is_word(value: Json) -> bool:
    """Tell whether a value is text that is neither a truth value nor a usual gap."""
    if not isinstance(value, str) or value.strip() in MISSING:
        return False
    return value.strip().casefold() not in ("true", "false")
