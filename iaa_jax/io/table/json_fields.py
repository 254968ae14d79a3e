"""Decodes JSON, and names the fields of its records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from iaa_jax._errors import IaaError, brief

MOST_COLUMNS = 100_000  # maximum number of columns
SAMPLE_CELLS = 1_000_000  # maximum number of cells from which a layout is inferred
FEWEST = 20  # minimum number of records from which a layout is inferred
ROOM = 50_000_000  # maximum number of cells of a table that is nearly empty
EMPTY = 20  # a nearly empty table has more cells than this per filled cell

Path = tuple[str | int, ...]
Tree = dict[str | int, "Tree"]  # the fields within each field
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Record = dict[str, Json]


class RepeatedKeyError(ValueError):
    """A key that occurs more than once in an object."""


def _to_object(pairs: list[tuple[str, Json]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        ((key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise RepeatedKeyError(
            f"the key {key!r} occurs more than once in one object, {brief(record)}; of equal keys "
            "only the last would be read: keep one, or rename them"
        )
    return record


DECODER = json.JSONDecoder(object_pairs_hook=_to_object)
"""Decoder of JSON that refuses repeated keys."""


def why_not(error: ValueError | RecursionError) -> str:
    """Return why the decoder refused a text."""
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg} (column {error.colno})"
    if isinstance(error, RepeatedKeyError):
        return str(error)
    if isinstance(error, RecursionError):
        return "this is nested too deeply to be a rating"
    return "a number has thousands of digits; write it as text if it is a name"


def fields_of(records: Iterable[dict[str, Json]], where: Callable[[int], str]) -> dict[str, Path]:
    """Return the path of each field by its name; names of inner fields have dots."""
    tree: Tree = {}
    count = filled = row = 0
    for row, record in enumerate(records):
        inside: list[tuple[Tree, Json]] = [(tree, record)]
        while inside:
            node, value = inside.pop()
            parts = _parts(value)
            filled += len(parts)
            for key, part in parts:
                if key not in node:
                    node[key] = {}
                    count += 1
                    if count > MOST_COLUMNS:
                        _refuse_many(tree, where(row))
                if type(part) is dict or type(part) is list:
                    inside.append((node[key], part))
    _refuse_empty(row + 1, count, filled, where)
    fields: dict[str, Path] = {str(name): (name,) for name in tree}
    for name, node in tree.items():
        for path in _paths((name,), node):
            dotted = ".".join(map(str, path))
            if fields.setdefault(dotted, path) != path:
                raise IaaError(
                    f"{dotted!r} names two fields of the records: one by itself, and one inside "
                    f"{str(name)!r}; rename one of them"
                )
    return fields


def _parts(value: Json) -> Collection[tuple[str | int, Json]]:
    """Return the parts of a value that are fields; a list of single values has none."""
    if isinstance(value, list) and not any(isinstance(part, (dict, list)) for part in value):
        return ()
    return contents_of(value)


def contents_of(value: Json) -> Collection[tuple[str | int, Json]]:
    """Return the contents of an object by key, or of a list by index."""
    if isinstance(value, dict):
        return value.items()
    return [*enumerate(value)] if isinstance(value, list) else ()


def _paths(path: Path, node: Tree) -> Iterator[Path]:
    """Yield the paths to all fields below a node, each before the fields inside it."""
    ahead = [((*path, key), inner) for key, inner in reversed(node.items())]
    while ahead:
        path, node = ahead.pop()
        yield path
        ahead += [((*path, key), inner) for key, inner in reversed(node.items())]


def _refuse_many(tree: Tree, where: str) -> None:
    sizes = {name: sum(1 for _ in _paths((name,), node)) for name, node in tree.items()}
    most = max(sizes, key=lambda name: sizes[name])
    raise IaaError(
        f"{where}: more than {MOST_COLUMNS:,} fields with names of their own, most of them in "
        f"{most!r}; each position in a list of objects is a column: write a record for each "
        "rating, or leave this field out of the file"
    )


def _refuse_empty(records: int, fields: int, filled: int, where: Callable[[int], str]) -> None:
    """Refuse records whose table would be huge and nearly empty."""
    if records * fields > max(ROOM, EMPTY * filled):
        raise IaaError(
            f"{where(0)} and the {records - 1:,} after it have {fields:,} different fields, "
            f"and each record only {filled / records:.0f} of them: give the same fields "
            "to all, as item, annotator and label; names of items or annotators must be values, "
            "not names of fields"
        )


@dataclass
class Stand:
    """The values of a field, with the numbers of the records that have it."""

    rows: list[int]
    values: list[Json]


def stands_of(records: Iterable[Json], fields: Mapping[str, Path]) -> tuple[int, dict[str, Stand]]:
    """Return the number of records, and the values of each field."""
    stands = {name: Stand([], []) for name in fields}
    tree: dict[str | int, Any] = {}
    for name, path in fields.items():
        node = tree
        for part in path[:-1]:
            node = node.setdefault(part, (None, {}))[1]
        _, inner = node.get(path[-1], (None, {}))
        node[path[-1]] = stands[name], inner
    count = 0
    for row, record in enumerate(records):
        count = row + 1
        inside = [(tree, record)]
        while inside:
            below, value = inside.pop()
            for key, inner_value in contents_of(value):
                if key not in below:
                    continue
                stand, inner = below[key]
                if stand is not None:
                    stand.rows.append(row)
                    stand.values.append(inner_value)
                if inner:
                    inside.append((inner, inner_value))
    return count, stands


def value_in(value: Json, path: Path) -> Json:
    """Return the value of a record at the end of a path; None if there is none."""
    for part in path:
        value = value_at(value, part)
    return value


def value_at(value: Json, part: str | int) -> Json:
    """Return the value of an object by key, or of a list by index; None if there is none."""
    if isinstance(value, dict):
        return value.get(str(part))
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return None


def cell_text(value: Json) -> str | None:
    """Convert a value to text; None for null and NaN.

    Examples
    --------
    >>> cell_text(1.0), cell_text(True), cell_text([1, "a"]), cell_text(None)
    ('1.0', 'True', '[1, "a"]', None)
    """
    if type(value) is str or value is None:
        return value
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
