"""Yields the records of a JSON file one by one.

Files with one record per line are read line by line. Other files are held as text, and their
records are parsed one by one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NoReturn, cast

from iaa_jax._errors import IaaError, shown
from iaa_jax.io.table.content import LONGEST, beginning_of
from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.json_fields import DECODER, Json, Record, why_not
from iaa_jax.io.table.json_memory import LARGE, check_json_memory
from iaa_jax.io.table.source import Source

BLOCK = 1 << 20
START = 1 << 16  # number of bytes that usually contain a record
MOST = 1 << 24  # maximum number of bytes searched for the first record
_SPACE = re.compile(r"[ \t\n\r]*")
_BETWEEN = re.compile(r"[ \t\n\r]*(,?)[ \t\n\r]*")
_ANY = json.JSONDecoder()


def lines_or_records(source: Source) -> str:
    """Return what messages count to locate a record of this file: "line" or "record"."""
    first = source.once("first record", lambda: _first(source))
    return "line" if first is not None and first[1] else "record"


def json_records(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Record]]:
    """Yield the records of a file with their numbers from 1.

    A document of one object is one record.
    """
    for number, value in json_values(source, progress):
        if type(value) is not dict:
            object_of(value, f"{source} {lines_or_records(source)} {number}")
        yield number, cast("Record", value)


def json_values(source: Source, progress: Progress | None = None) -> Iterator[tuple[int, Json]]:
    """Yield the values of a file with their numbers from 1, objects or not."""
    in_lines = lines_or_records(source) == "line"
    return (_line_values if in_lines else _text_values)(source, progress)


def first_record(source: Source) -> Record | None:
    """Return the first record of a file; None if it has no JSON records. Never raises."""
    first = source.once("first record", lambda: _first(source))
    return None if first is None else first[0]


def object_of(value: Json, where: str) -> Record:
    """Return a value as a record; refuse one that is not an object."""
    if isinstance(value, dict):
        return value
    raise IaaError(
        f"{where}: {type(value).__name__} where an object with named fields is needed: "
        f"{shown([value])}"
    )


def _first(source: Source) -> tuple[Record, bool] | None:
    """Return the first record, and whether it is on a line of its own."""
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
            record, end = _ANY.raw_decode(text, place)
        except json.JSONDecodeError:
            if len(data) < size:
                return None
            size *= 8
            continue
        except (ValueError, RecursionError):
            return None
        following = text[end : end + 1]
        return record, not is_array and "\n" not in text[place:end] and following in (
            "",
            "\n",
            "\r",
        )
    return None


def _line_values(source: Source, progress: Progress | None) -> Iterator[tuple[int, Json]]:
    number, read, total = 0, 0, source.size()
    begun: list[bytes] = []  # the beginning of an unfinished line
    blocks: Iterable[bytes] = source.blocks(BLOCK)
    # read in full, so that no file is open if the caller's objects exhaust the memory
    if 0 < total <= LARGE:
        blocks = [*blocks]
    for block in blocks:
        whole, newline, last = block.rpartition(b"\n")
        lines: list[str] = []
        if newline:
            lines = b"".join([*begun, whole]).decode().split("\n")
            begun = []
        begun.append(last)
        for line in lines:
            number += 1
            if line and not line.isspace():
                yield number, _line_value(line, source, number)
        read += len(block)
        if progress is not None and total:
            progress(min(read, total), total)
    unfinished = b"".join(begun).decode()
    if unfinished and not unfinished.isspace():
        yield number + 1, _line_value(unfinished, source, number + 1)


def _line_value(line: str, source: Source, number: int) -> Json:
    if len(line) > LONGEST:
        check_json_memory(source, line.encode())
    try:
        record, end = DECODER.raw_decode(line) if line[0] == "{" else (None, 0)
        if end < len(line):
            record = DECODER.decode(line)
    except (ValueError, RecursionError) as error:
        raise IaaError(f"{source} line {number}: {why_not(error)}") from None
    return record


def _text_values(source: Source, progress: Progress | None) -> Iterator[tuple[int, Json]]:
    """Yield the values of an array, or objects that follow one another.

    The decoder gets at most as much text as a cell may hold, which limits its memory. For a longer
    value, the memory for all remaining text is estimated first.
    """
    text = source.content().decode()
    place = _space(text, 0)
    is_array = text.startswith("[", place)
    place = _space(text, place + is_array)
    start, part, number = 0, text[:LONGEST], 0
    while place < len(text) and not (is_array and text[place] == "]"):
        is_last = start + len(part) == len(text)
        try:
            value, end = DECODER.raw_decode(part, place - start)
        except json.JSONDecodeError as error:
            if is_last:
                _refuse(source, text, start + error.pos, error.msg)
            end = len(part)
        except (ValueError, RecursionError) as error:
            raise IaaError(
                f"{source}{f' record {number + 1}' if is_array else ''}: {why_not(error)}"
            ) from None
        if end == len(part) and not is_last:  # the value may be longer than this part of the text
            is_whole = place == start
            if is_whole:
                check_json_memory(source, text[place:].encode())
            start, part = place, text[place : len(text) if is_whole else place + LONGEST]
            continue
        number += 1
        yield number, value
        between = cast("re.Match[str]", _BETWEEN.match(text, start + end))
        place = between.end()
        if progress is not None:
            progress(place, len(text))
        if is_array and place < len(text) and bool(between[1]) == (text[place] == "]"):
            reason = f"a comma and a record, or ], must follow record {number}"
            _refuse(source, text, place, reason)
        if not is_array and between[1]:
            _refuse(source, text, place, "Extra data")
    if is_array and place == len(text):
        raise IaaError(f"{source} ends within its records, after record {number}: export it again")
    if is_array and _space(text, place + 1) < len(text):
        _refuse(source, text, _space(text, place + 1), "text after the end of the records")
    if progress is not None:
        progress(len(text), len(text))


def _refuse(source: Source, text: str, place: int, reason: str) -> NoReturn:
    raise IaaError(f"{source} line {text.count(chr(10), 0, place) + 1}: this is not JSON: {reason}")


def _space(text: str, place: int) -> int:
    return cast("re.Match[str]", _SPACE.match(text, place)).end()
