"""Unfolds lists inside JSON records: a row for each innermost object, with the fields around it.

The path to the lists is written as in "sentences[].responses[]". The fields of the innermost
objects keep their names; fields of enclosing objects are named by their paths, as in
"sentences.text". "sentences.#" is the position of the enclosing object: "1/2" is the second
sentence of record 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.usual_names import ITEM, usual_name
from iaa_jax.io.table.json_fields import Json, Path, Record
from iaa_jax.wording import named

LIST = "[]"
PLACE = "#"
OUTER = "record"  # prefix of an enclosing field with the same name as an inner one
DEEPEST = 8
MOST = 200  # maximum number of lists that are distinguished
SAMPLE = 1000  # number of records in which lists are sought

Around = dict[tuple[str, str], Json]  # the fields of enclosing objects, by prefix and name


def is_path(records: str | None) -> bool:
    """Tell whether the name of the records is a path through lists."""
    return records is not None and LIST in records


@dataclass(frozen=True)
class Unfolded:
    """The innermost objects, with the fields of enclosing objects.

    Attributes
    ----------
    rows : list of dict
        The fields of the innermost and enclosing objects.
    paths : list of (int, tuple)
        The record of each row, and the path below it.
    levels : list of dict
        For each level of enclosing objects, the outermost first: the column of each field.
    own : set of str
        The names of the fields of the innermost objects.
    lacking : int
        The number of enclosing objects without the list, or with an empty one.
    """

    rows: list[Record]
    paths: list[tuple[int, Path]]
    levels: list[dict[str, str]]
    own: set[str]
    lacking: int

    @property
    def place(self) -> str:
        """The column with the position of the enclosing object."""
        return self.levels[-1][PLACE]

    def item(self) -> tuple[str, ...] | None:
        """Return the columns with unique ids of the enclosing objects; None if there are none."""
        ids = [_usual(level, ITEM) for level in self.levels]
        for chosen in (ids[-1:], ids):
            columns = tuple(name for name in chosen if name is not None)
            if len(columns) == len(chosen) and self._tells_apart(columns):
                return columns
        return None

    def _tells_apart(self, columns: Sequence[str]) -> bool:
        of_place: dict[str, tuple[str, ...]] = {}
        for row in self.rows:
            values = [row.get(name) for name in columns]
            if not all(isinstance(value, (str, int)) and str(value).strip() for value in values):
                return False
            of_place[str(row[self.place])] = tuple(str(value).strip() for value in values)
        return len({*of_place.values()}) == len(of_place)


def unfold(records: Iterable[Record], way: str, where: Callable[[int], str]) -> Unfolded:
    """Return a row for each object at the end of a path.

    Examples
    --------
    >>> record = {"id": "d", "parts": [{"votes": [{"by": "a"}, {"by": "b"}]}]}
    >>> unfold([record], "parts[].votes[]", str).rows[1]
    {'by': 'b', 'id': 'd', '#': 1, 'parts.#': '1/1'}
    """
    parts = way.split(".")
    if not all(part.removesuffix(LIST) for part in parts):
        raise IaaError(
            f"{named('records')} takes a path such as 'sentences{LIST}.responses{LIST}', "
            f"not {brief(way)}"
        )
    inner: list[tuple[Record, Around]] = []
    paths: list[tuple[int, Path]] = []
    lacking = 0
    for number, record in enumerate(records):
        for fields, around, path in _inside(record, parts, number, where):
            if path is None:
                lacking += 1
            else:
                inner.append((fields, around))
                paths.append((number, path))
    if not inner:
        known = ", ".join(map(repr, lists_of(records)))
        raise IaaError(
            f"{where(0)}: {brief(way)}, named by {named('records')}, leads to no record; "
            f"{f'the lists of objects there are {known}' if known else 'there are no lists'}"
        )
    own_names = {name for fields, _ in inner for name in fields}
    columns = {
        (start, field): f"{OUTER}.{start}{field}" if start + field in own_names else start + field
        for _, around in inner
        for start, field in around
    }
    rows = [
        fields | {columns[key]: value for key, value in around.items()} for fields, around in inner
    ]
    starts = [start for start, field in columns if field == PLACE]
    levels = [
        {field: name for (at, field), name in columns.items() if at == start}
        for start in sorted(starts, key=len)
    ]
    return Unfolded(rows, paths, levels, own_names, lacking)


def _inside(
    record: Record, parts: Sequence[str], number: int, where: Callable[[int], str]
) -> Iterator[tuple[Record, Around, Path | None]]:
    """Yield the innermost objects of a record with the fields around them, and their paths.

    The path is None for a list that is missing or empty.
    """
    ahead: list[tuple[Json, int, Around, Path, str]] = [(record, 0, {}, (), str(number + 1))]
    while ahead:
        value, depth, around, path, place = ahead.pop()
        if depth == len(parts):
            fields: Record = (
                value if isinstance(value, dict) else {parts[-1].removesuffix(LIST): value}
            )
            yield fields, around, path
            continue
        if not isinstance(value, dict):
            kind = type(value).__name__
            raise IaaError(
                f"{where(number)}{_at(path)}: {kind} where an object with fields is needed"
            )
        name, is_list = parts[depth].removesuffix(LIST), parts[depth].endswith(LIST)
        start = "".join(f"{part.removesuffix(LIST)}." for part in parts[:depth])
        around = around | {(start, key): part for key, part in value.items() if key != name}
        if depth == 0 or parts[depth - 1].endswith(LIST):
            around[start, PLACE] = place if depth else number + 1
        inner = value.get(name)
        if inner is None or inner == []:
            yield {}, around, None
        elif not is_list:
            ahead.append((inner, depth + 1, around, (*path, name), place))
        elif isinstance(inner, (list, dict)):
            listed: list[tuple[str | int, Json]] = (
                [*enumerate(inner)]
                if isinstance(inner, list)
                else [(key, _keyed(key, each)) for key, each in inner.items()]
            )
            ahead += [
                (each, depth + 1, around, (*path, name, key), f"{place}/{count}")
                for count, (key, each) in reversed([*enumerate(listed, start=1)])
            ]
        else:
            kind = type(inner).__name__
            raise IaaError(f"{where(number)}{_at((*path, name))}: {kind} where a list is needed")


def _keyed(key: str, value: Json) -> Record:
    return {"key": key, **(value if isinstance(value, dict) else {"value": value})}


def _at(path: Path) -> str:
    return f" field {'.'.join(map(str, path))!r}" if path else ""


def lists_of(records: Iterable[Record]) -> dict[str, set[str]]:
    """Return the paths to lists of objects, and the fields of these objects.

    Examples
    --------
    >>> lists = lists_of([{"parts": [{"votes": [{"by": "a"}]}]}])
    >>> {way: sorted(fields) for way, fields in lists.items()}
    {'parts[]': ['votes'], 'parts[].votes[]': ['by']}
    """
    lists: dict[str, set[str]] = {}
    ahead: list[tuple[Json, str, int]] = [
        (record, "", 0) for record in reversed([*islice(records, SAMPLE)])
    ]
    while ahead:
        value, way, depth = ahead.pop()
        if not isinstance(value, dict) or depth == DEEPEST:
            continue
        for name, inner in value.items():
            if "." in name or LIST in name or not name:
                continue
            here = f"{way}.{name}" if way else name
            if isinstance(inner, dict):
                ahead.append((inner, here, depth + 1))
                continue
            parts = inner if isinstance(inner, list) else []
            objects = [each for each in parts if isinstance(each, dict)]
            here += LIST
            if objects and (here in lists or len(lists) < MOST):
                fields = lists.setdefault(here, set())
                fields.update(field for each in objects for field in each)
                ahead += [(each, here, depth + 1) for each in reversed(objects)]
    return lists


def _usual(columns: dict[str, str], known: Sequence[str]) -> str | None:
    best = usual_name(sorted(columns), known)
    return None if best is None else columns[best]
