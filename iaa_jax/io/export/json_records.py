"""The records of a JSON file one after the other, so that a large export need not fit into memory.

A record a line is read line by line. Other files are held as text, and their records are made one
by one: an array is not in memory as objects.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

from iaa_jax._errors import IaaError, brief, shown
from iaa_jax.io.table.content import LONGEST, beginning_of
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.json_fields import Json as Json
from iaa_jax.io.table.json_large import ShortValues, TooLongError, check_room
from iaa_jax.io.table.source import Source

Record = dict[str, Json]

BLOCK = 1 << 20
START = 1 << 16  # bytes that nearly always hold a whole record
MOST = 1 << 24  # ... and that are looked at, at most
_SPACE = re.compile(r"[ \t\n\r]*")


def lines_or_records(source: Source) -> str:
    """What a record of the file stands in: "line" or "record"."""
    return "record" if _start(source) == "[" else "line"


def json_records(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Record]]:
    """The records of a file and their numbers from 1: lines, or those of an array.

    A document of one object is one record. Raises what is wrong with the file, and where.
    """
    if _start(source) != "[":
        first = first_record(source, at_once=True)
        whole = first is None
        yield from _of_text(source, progress) if whole else _of_lines(source, progress)
    else:
        yield from _of_text(source, progress)


def first_record(source: Source, *, at_once: bool = False) -> Record | None:
    """The first record of a file; None if it is no JSON of records. Never raises.

    With `at_once` it must stand in a line of its own.
    """
    found = source.once("first record", lambda: _first(source))
    if found is None or (at_once and not found[1]):
        return None
    return found[0]


def listed(value: Json, where: str) -> list[Json]:
    """A list, which may be absent."""
    if value is None or isinstance(value, list):
        return value or []
    msg = f"{where}: {brief(value)} where a list is needed"
    raise IaaError(msg)


def keyed(value: Json, where: str) -> Record:
    """An object, which may be absent."""
    if value is None or isinstance(value, dict):
        return value or {}
    msg = f"{where}: {brief(value)} where an object with named fields is needed"
    raise IaaError(msg)


def _start(source: Source) -> str:
    """The first character that is no blank."""
    return source.once(
        "start", lambda: beginning_of(source.raw(START), source.encoding).lstrip()[:1]
    )


def _first(source: Source) -> tuple[Record, bool] | None:
    size = START
    while size <= MOST:
        try:
            data = source.raw(size)
        except IaaError:
            return None
        text = beginning_of(data, source.encoding)
        place = _space(text, 0)
        is_array = text[place : place + 1] == "["
        place = _space(text, place + is_array)
        if text[place : place + 1] != "{":
            return None
        try:
            record, end = _ANY.raw_decode(text, place)  # a key that repeats is refused later
        except json.JSONDecodeError:
            if len(data) < size:
                return None
            size *= 8
            continue
        except (ValueError, RecursionError):
            return None
        rest = text[end : end + 1]
        in_line = not is_array and "\n" not in text[place:end] and rest in ("", "\n", "\r")
        return record, in_line
    return None


def _of_lines(source: Source, progress: Progress | None) -> Iterator[tuple[int, Record]]:
    number, read = 0, 0
    begun: list[bytes] = []  # of the line that is not at its end
    total = source.size()
    for block in source.blocks(BLOCK):
        whole, newline, last = block.rpartition(b"\n")
        lines: list[str] = []
        if newline:
            lines = b"".join([*begun, whole]).decode().split("\n")
            begun = []
        begun.append(last)
        for line in lines:
            number += 1
            if line and not line.isspace():
                yield number, _parsed(line, source, number)
        read += len(block)
        if progress is not None and total:
            progress(min(read, total), total)
    rest = b"".join(begun).decode()
    if rest and not rest.isspace():
        yield number + 1, _parsed(rest, source, number + 1)


def _parsed(line: str, source: Source, number: int) -> Record:
    if len(line) > LONGEST:
        check_room(source, line.encode())
    try:
        record, end = _DECODER.raw_decode(line) if line[0] == "{" else (None, 0)
        if end < len(line):  # blanks around it, or no object alone
            record = _DECODER.decode(line)
    except json.JSONDecodeError as error:
        msg = f": this is not JSON: {error.msg} (column {error.colno})"
    except RecursionError:
        msg = " is nested too deeply to be a judgement"
    except ValueError as error:
        msg = f" {_reason(error)}"
    else:
        if isinstance(record, dict):
            return record
        return _object(record, f"{source} line {number}")
    msg = f"{source} line {number}{msg}"
    raise IaaError(msg)


def _of_text(source: Source, progress: Progress | None) -> Iterator[tuple[int, Record]]:
    """The records of an array, or objects that follow one another over any lines."""
    text = source.content().decode()
    place = _space(text, 0)
    is_array = text.startswith("[", place)
    place = _space(text, place + is_array)
    number = 0
    values = ShortValues(text, _DECODER)
    while place < len(text) and not (is_array and text[place] == "]"):
        number += 1
        where = f"{source} record {number}"
        try:
            record, place = values.at(place)
        except TooLongError:
            check_room(source, text[place:].encode())
            record, place = _DECODER.raw_decode(text, place)
        except json.JSONDecodeError as error:
            msg = f"{source} line {error.lineno}: this is not JSON: {error.msg}"
            raise IaaError(msg) from None
        except RecursionError:
            msg = f"{where} is nested too deeply to be a judgement"
            raise IaaError(msg) from None
        except ValueError as error:
            msg = f"{where} {_reason(error)}"
            raise IaaError(msg) from None
        yield number, _object(record, where)
        place = _space(text, place)
        if progress is not None:
            progress(place, len(text))
        if not is_array:
            continue
        if text.startswith(",", place):
            place = _space(text, place + 1)
        elif not text.startswith("]", place):
            line = text.count("\n", 0, place) + 1
            msg = (
                f"{source} line {line}: this is not JSON: a comma or ] is missing after record "
                f"{number}"
            )
            raise IaaError(msg)
    if is_array and text[place : place + 1] != "]":
        msg = f"{source} ends within its records, after record {number}: export it again"
        raise IaaError(msg)
    if is_array and _space(text, place + 1) < len(text):
        line = text.count("\n", 0, _space(text, place + 1)) + 1
        msg = f"{source} line {line}: text after the end of the records: is this one export?"
        raise IaaError(msg)
    if progress is not None:
        progress(len(text), len(text))


def _object(value: Json, where: str) -> Record:
    if isinstance(value, dict):
        return value
    msg = (
        f"{where}: {type(value).__name__} where an object with named fields is needed: "
        f"{shown([value])}"
    )
    raise IaaError(msg)


def _space(text: str, place: int) -> int:
    """Where the next character stands that is no blank."""
    return cast("re.Match[str]", _SPACE.match(text, place)).end()


class _RepeatedKey(ValueError):
    """A key that stands more than once in one object."""


def _to_object(pairs: list[tuple[str, Json]]) -> Record:
    record = dict(pairs)
    if len(record) < len(pairs):
        key = next(key for key, times in Counter(k for k, _ in pairs).items() if times > 1)
        raise _RepeatedKey(key)
    return record


def _reason(error: ValueError) -> str:
    if isinstance(error, _RepeatedKey):
        return (
            f"has the key {error.args[0]!r} more than once in one object; of equal keys only the "
            "last would be read: keep one, or rename them"
        )
    return "holds a number of thousands of figures; write it as text if it is a name"


_ANY = json.JSONDecoder()
_DECODER = json.JSONDecoder(object_pairs_hook=_to_object)
