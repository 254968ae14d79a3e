"""Reads the answer in a field of a form: labels, spans, or neither.

Forms of Amazon's crowd elements (MTurk, SageMaker) store answers as objects, other forms as text
or lists.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from iaa_jax.io.export.answers import Span, span_of
from iaa_jax.io.export.json_records import Json

Told = Literal["labels", "spans", "text", "objects"]
"""The kind of an answer in a field; text and objects cannot be compared."""

_LONG = 200  # maximum length of a label
_ENTITY = ("startOffset", "endOffset", "label")
_NOTHING: Sequence[Json] = (None, "", [], {})
_LONGEST = 1 << 24  # length below which a cell is parsed as JSON


def field_of(text: str) -> Json:
    """Return a cell's value if it is a JSON list or object, otherwise its text.

    Examples
    --------
    >>> field_of('["a", "b"]'), field_of("[a]")
    (['a', 'b'], '[a]')
    """
    if text[:1] in ("[", "{") and len(text) < _LONGEST:
        try:
            value: Json = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return value
    return text


def kind_of(value: Json) -> Told | None:
    """Return the kind of answer in a field; None if there is none.

    Examples
    --------
    >>> kind_of({"label": "a"}), kind_of({"a": True, "b": False}), kind_of([]), kind_of([[1, 2]])
    ('labels', 'labels', None, 'objects')
    """
    value = _inner(value)
    if value in _NOTHING:
        return None
    if isinstance(value, str) and (len(value) > _LONG or "\n" in value):
        return "text"
    if _is_ticked(value) or _are_labels(value):
        return "labels"
    return "spans" if _are_entities(value) else "objects"


def kind_of_all(values: Iterable[Json]) -> Told | None:
    """Return the common kind of all answers in a field; None if there is no answer.

    Examples
    --------
    >>> kind_of_all(["so", "so " * 99]), kind_of_all(["so", [[1]]])
    ('text', 'objects')
    """
    kinds = {kind for kind in map(kind_of, values) if kind is not None}
    return None if not kinds else one_kind(kinds)


def one_kind(kinds: Collection[Told]) -> Told:
    """Return the common kind of answers.

    If some answers are labels and all others text, the common kind is "text". Any other mixture is
    "objects". If there are no kinds, the result is "labels".
    """
    if {*kinds} == {"labels", "text"}:
        return "text"
    return next(iter(kinds), "labels") if len(kinds) < 2 else "objects"


def labels_of(value: Json) -> list[Json]:
    """Return the labels in a field.

    Several check boxes yield the names of the ticked boxes; a single check box yields "true" or
    "false".

    Examples
    --------
    >>> labels_of({"labels": ["a", "b"]}), labels_of({"a": True, "b": False}), labels_of("a")
    (['a', 'b'], ['a'], ['a'])
    >>> labels_of({"on": True}), labels_of(False), labels_of("")
    (['true'], ['false'], [])
    """
    value = _inner(value)
    if _is_ticked(value) and isinstance(value, dict):
        if len(value) > 1:
            return [name for name, is_on in value.items() if is_on]
        value = next(iter(value.values()))
    if isinstance(value, bool):
        return [str(value).lower()]
    if isinstance(value, list):
        return value
    return [] if value in _NOTHING else [value]


def spans_of(value: Json, where: str) -> list[Span]:
    """Return the spans in a field."""
    spans = _inner(value)
    return [
        span_of(span["startOffset"], span["endOffset"], span["label"], where)
        for span in (spans if isinstance(spans, list) else [])
        if isinstance(span, dict)
    ]


def _inner(value: Json) -> Json:
    if isinstance(value, dict):
        for name in ("labels", "label", "entities"):
            if name in value and not _are_entities([value]):
                return value[name]
    return value


def _is_ticked(value: Json) -> bool:
    return isinstance(value, dict) and {*map(type, value.values())} == {bool}


def _are_labels(value: Json) -> bool:
    parts = value if isinstance(value, list) else [value]
    return not any(isinstance(part, (list, dict)) for part in parts)


def _are_entities(value: Json) -> bool:
    return isinstance(value, list) and all(
        isinstance(part, dict) and all(name in part for name in _ENTITY) for part in value
    )
