"""JSON that would take far more memory as objects of Python than as text.

An object of Python takes 50 to 200 bytes, and may stand for two signs. So of a long array, or of
many lines, the text is kept, and its records are made anew wherever they are gone through; and what
must be made as a whole is weighed before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NoReturn, cast, overload

from iaa_jax._errors import IaaError
from iaa_jax.io.table.content import LONGEST, MEGABYTE
from iaa_jax.io.table.json_fields import Json
from iaa_jax.io.table.json_text import parse
from iaa_jax.io.table.source import Source
from iaa_jax.wording import keyword

LARGE = 1 << 24
"""Bytes of text that may take a hundred times as much as objects."""

PART = 1 << 20  # signs of text of which records are made at a time
_DEFAULT = 1000  # megabytes that are allowed where nobody says how many
_SPACE = re.compile(r"[ \t\n\r]*")
_FILLED = re.compile(r"^.*\S", re.MULTILINE)
_SHORT = 16  # signs within which a number or a word may have been cut

Record = dict[str, Json]


def room_of(data: bytes) -> int:
    """How many bytes JSON takes at most as objects, beside its text; by its signs, in no time.

    Examples
    --------
    >>> room_of(b"{}," * 1000) > 64_000, room_of(b'"a long text"') < 500
    (True, True)
    """
    objects, lists, commas, colons, quotes = (
        data.count(sign) for sign in (b"{", b"[", b",", b":", b'"')
    )
    # bytes in Python 3.11 to 3.14: an empty object, one of five fields, a further field; a list
    # with its first places; a place with a number; a text
    return (
        64 * objects
        + 120 * min(objects, colons)
        + 40 * max(colons - 5 * objects, 0)
        + 88 * lists
        + 40 * commas
        + 56 * max(quotes // 2 - colons, 0)
        + (width(data) + 1) * len(data)
    )


def width(data: bytes) -> int:
    """The bytes of each sign in a text of Python, which its widest one decides."""
    if data.isascii():
        return 1
    return 4 if re.search(rb"[\xf0-\xf7]", data) else 2


def check_room(source: Source, data: bytes) -> bytes:
    """Refuse JSON that takes more than twice the memory that is allowed for its text."""
    if len(data) > LARGE:
        check_memory(source, len(data), room_of(data), "JSON", "write a record a line (.jsonl), ")
    return data


def check_memory(source: Source, size: int, room: int, kind: str, instead: str = "") -> None:
    """Refuse text of a kind that takes more than twice the memory that is allowed for it."""
    allowed = _DEFAULT if source.allowed is None else source.allowed.megabytes
    if room > 2 * allowed * MEGABYTE:
        needed = -(-room // (2 * MEGABYTE))
        msg = (
            f"{source}: {size // MEGABYTE:,} MB of {kind} in so many parts may take "
            f"{room // MEGABYTE:,} MB of memory; {instead}leave out what is not needed, or, if "
            "there is that much, allow it, as in "
            f"{keyword('max_megabytes', -(-needed // 1000) * 1000)}"
        )
        raise IaaError(msg)


class TooLongError(ValueError):
    """A single record that is longer than any cell of a table may be."""


class ShortValues:
    """The values in a text, read one by one, none of which may be longer than a cell may be.

    The decoder never sees more of the text than that: so much is all that it can make of it.
    """

    def __init__(self, text: str, decoder: json.JSONDecoder) -> None:
        self.text, self.decoder = text, decoder
        self._start, self._part = 0, text[:LONGEST]

    def at(self, place: int) -> tuple[Any, int]:
        """The value that begins at a place, and where it ends."""
        part = self._part
        is_last = self._start + len(part) == len(self.text)
        try:
            value, end = self.decoder.raw_decode(part, place - self._start)
        except json.JSONDecodeError as error:
            is_cut = error.msg.startswith("Unterminated") or error.pos > len(part) - _SHORT
            if is_last or (self._start == place and not is_cut):
                raise json.JSONDecodeError(error.msg, self.text, self._start + error.pos) from None
        else:
            if end < len(part) or is_last:
                return value, self._start + end
        if self._start == place:
            raise TooLongError
        self._start, self._part = place, self.text[place : place + LONGEST]
        return self.at(place)


class LargeRecords(Sequence[Record]):
    """The records of an array, or of lines, made anew whenever they are gone through."""

    def __init__(self, source: Source, text: str) -> None:
        self.source, self.text = source, text
        self.is_array = text.startswith("[", self._space(0))
        self._between: str | None = None  # what stands between two records of the array
        self._size: int | None = None

    def __len__(self) -> int:
        if self._size is None:
            self._size = sum(map(len, self.parts()))
        return self._size

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        if isinstance(place, slice):
            return list(islice(self, *place.indices(len(self))))
        return next(islice(self, place, None))

    def __iter__(self) -> Iterator[Record]:
        for some in self.parts():
            yield from some

    def where(self, row: int) -> str:
        """Say where a record stands."""
        if self.is_array:
            return f"{self.source} record {row + 1}"
        found = next(islice(_FILLED.finditer(self.text), row, None), None)
        return f"{self.source} line {self._line(found.start() if found else len(self.text))}"

    def parts(self) -> Iterator[list[Record]]:
        """The records, some thousands at a time."""
        text, number = self.text, 0
        place = self._space(self._space(0) + self.is_array)
        while place < len(text) and not (self.is_array and text[place] == "]"):
            some, place = self._at_once(place) or self._one_by_one(place, number)
            number += len(some)
            yield some
        if self.is_array and self._space(place + 1) < len(text):
            line = self._line(self._space(place + 1))
            msg = f"{self.source} line {line}: this is not JSON: Extra data"
            raise IaaError(msg)
        if self.is_array and not text.startswith("]", place):
            msg = f"{self.source} ends within its records, after record {number}: export it again"
            raise IaaError(msg)
        self._size = number

    def _at_once(self, place: int) -> tuple[list[Record], int] | None:
        """The records of a part of the text, if these are plain, and where the next one begins.

        What reads as records between brackets ends where a record does.
        """
        part = self.text[place : place + PART]
        if self.is_array:
            end = part.rfind(self._between) + 1 if self._between else 0
            lines = [part[:end]]
        else:
            is_last = place + len(part) == len(self.text)
            end = len(part) if is_last else part.rfind("\n") + 1
            lines = [line for line in part[:end].split("\n") if line and not line.isspace()]
        if not end:
            return None
        try:
            records, repeated = parse(f"[{','.join(lines)}]")
        except ValueError:
            return None
        if not isinstance(records, list) or not all(type(each) is dict for each in records):
            return None
        if repeated or (not self.is_array and len(records) != len(lines)):
            return None
        after = self._space(place + end)
        next_one = self._space(after + 1) if self.is_array else after
        return cast("list[Record]", records), next_one

    def _one_by_one(self, place: int, number: int) -> tuple[list[Record], int]:
        """Some records, and where the next one begins; says what is wrong with one, and where."""
        text, some = self.text, list[Record]()
        repeated: list[str] = []

        def to_object(pairs: list[tuple[str, Json]]) -> Record:
            record = dict(pairs)
            if len(record) < len(pairs):
                known = [key for key, _ in pairs]
                repeated.append(next(key for key in known if known.count(key) > 1))
            return record

        values = ShortValues(text, json.JSONDecoder(object_pairs_hook=to_object))
        begins = place
        while place < len(text) and not (self.is_array and text[place] == "]"):
            start, where = place, number + len(some)
            record, end = self._value(values, place, where)
            if repeated:
                self._refuse(
                    where,
                    f": the key {repeated[0]!r} occurs more than once in one object; of equal keys "
                    "only the last would be read: keep one, or rename them",
                )
            if not isinstance(record, dict):
                kind = type(record).__name__
                self._refuse(where, f": {kind} where an object with named fields is needed")
            some.append(record)
            place = self._space(end)
            if self.is_array:
                place = self._after(place, where + 1)
                if self._between is None and text[place : place + 1] == "{":
                    self._between = self._separator(start, end, place)
                    break
            elif place < len(text) and ("\n" in text[start:end] or "\n" not in text[end:place]):
                self._refuse(where, ": this is not JSON: a record and nothing else in a line")
            if place - begins > PART:
                break
        return some, place

    def _separator(self, start: int, end: int, following: int) -> str:
        """What ends a record and begins the next one, up to the name of its first field."""
        last = len(self.text[start:end].rstrip("}]"))
        quote = self.text.find('"', following + 2, following + 100)
        return self.text[start + last : max(quote, following + 1)]

    def _after(self, place: int, number: int) -> int:
        """Where the next record of an array begins, or its end stands."""
        if self.text.startswith(",", place):
            return self._space(place + 1)
        if place < len(self.text) and self.text[place] != "]":
            msg = (
                f"{self.source} line {self._line(place)}: this is not JSON: a comma or ] is "
                f"missing after record {number}"
            )
            raise IaaError(msg)
        return place

    def _value(self, values: ShortValues, place: int, number: int) -> tuple[Json, int]:
        try:
            return values.at(place)
        except json.JSONDecodeError as error:
            msg = f"{self.source} line {error.lineno}: this is not JSON: {error.msg}"
            raise IaaError(msg) from None
        except TooLongError:
            reason = too_long()
        except RecursionError:
            reason = " is nested too deeply to be a rating"
        except ValueError:
            reason = " holds a number of thousands of figures; write it as text if it is a name"
        return self._refuse(number, reason)

    def _refuse(self, number: int, reason: str) -> NoReturn:
        msg = f"{self.where(number)}{reason}"
        raise IaaError(msg)

    def _space(self, place: int) -> int:
        return cast("re.Match[str]", _SPACE.match(self.text, place)).end()

    def _line(self, place: int) -> int:
        return self.text.count("\n", 0, place) + 1


def too_long() -> str:
    """Why a record is refused that is longer than a cell may be."""
    return (
        f" is longer than {LONGEST // MEGABYTE} MB, which is no rating; write a record for each, "
        "or leave out what is not needed"
    )
