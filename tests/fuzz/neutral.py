"""Changes of a file that change no rating: order of rows and keys, quotes, ends of lines, marks."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections.abc import Callable

from tests.archives import packed
from tests.fuzz.shape_mutants import members_of
from tests.fuzz.shapes import tarred

Change = Callable[[bytes, random.Random], bytes]


def _rows(data: bytes) -> tuple[list[list[str]], str]:
    text = data.decode()
    separator = "\t" if "\t" in text else ","
    return [*csv.reader(io.StringIO(text), delimiter=separator)], separator


def _written(rows: list[list[str]], separator: str, quoting: int = csv.QUOTE_MINIMAL) -> bytes:
    target = io.StringIO()
    csv.writer(target, delimiter=separator, quoting=quoting, lineterminator="\n").writerows(rows)  # type: ignore[arg-type]
    return target.getvalue().encode()


def _quoted(data: bytes, dice: random.Random) -> bytes:
    return _written(*_rows(data), csv.QUOTE_ALL)


def _windows(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _old_mac(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"\n", b"\r")


def _mark(data: bytes, dice: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + data


def _utf16(data: bytes, dice: random.Random) -> bytes:
    return data.decode().encode("utf-16")


def _blank_lines(data: bytes, dice: random.Random) -> bytes:
    return data + b"\n\n"


def _no_last_end(data: bytes, dice: random.Random) -> bytes:
    return data.rstrip(b"\n")


def _other_separator(data: bytes, dice: random.Random) -> bytes:
    rows, _ = _rows(data)
    return _written(rows, dice.choice(";\t"))


def _order_of_rows(data: bytes, dice: random.Random) -> bytes:
    (header, *rows), separator = _rows(data)
    dice.shuffle(rows)
    return _written([header, *rows], separator)


def _order_of_columns(data: bytes, dice: random.Random) -> bytes:
    rows, separator = _rows(data)
    order = [*range(len(rows[0]))]
    dice.shuffle(order)
    return _written([[row[k] for k in order] for row in rows], separator)


def _indented(data: bytes, dice: random.Random) -> bytes:
    return json.dumps(json.loads(data), indent=3).encode()


def _escaped(data: bytes, dice: random.Random) -> bytes:
    """Keys in another order; lists as they are."""

    def turned(value: object) -> object:
        if isinstance(value, dict):
            keys = [*value]
            dice.shuffle(keys)
            return {key: turned(value[key]) for key in keys}
        return [turned(each) for each in value] if isinstance(value, list) else value

    lines = data.decode().splitlines() if data.count(b"\n") > 1 else [data.decode()]
    return "\n".join(json.dumps(turned(json.loads(line))) for line in lines).encode()


OF_TEXT: dict[str, Change] = {
    "lines end as on Windows": _windows,
    "a mark of byte order": _mark,
    "blank lines at the end": _blank_lines,
    "no end of the last line": _no_last_end,
    "UTF-16": _utf16,
}
OF_TABLES: dict[str, Change] = {
    "all cells quoted": _quoted,
    "lines end as on old Macs": _old_mac,
}
OF_COMMAS: dict[str, Change] = {"another separator": _other_separator}
OF_HEADED: dict[str, Change] = {
    "rows in another order": _order_of_rows,
    "columns in another order": _order_of_columns,
}
OF_JSON: dict[str, Change] = {"keys in another order": _escaped}
OF_WHOLE_JSON: dict[str, Change] = {"indented": _indented}


def changes_of(name: str, *, headed: bool) -> dict[str, Change]:
    """The changes that leave a file of this name what it is."""
    if name.endswith(".json"):
        return OF_TEXT | OF_JSON | OF_WHOLE_JSON
    if name.endswith(".jsonl"):
        return OF_TEXT | OF_JSON
    if name.endswith(".tsv"):
        return OF_TEXT | OF_TABLES | (OF_HEADED if headed else {})
    if name.endswith(".csv"):
        return OF_TEXT | OF_TABLES | OF_COMMAS | (OF_HEADED if headed else {})
    return {}


def repacked(name: str, data: bytes, dice: random.Random) -> bytes | None:
    """An archive with its members in another order; None for what is none."""
    if not name.endswith((".tar.gz", ".zip")):
        return None
    members = [*members_of(name, data).items()]
    dice.shuffle(members)
    if name.endswith(".zip"):
        return packed(dict(members))
    return gzip.compress(tarred(dict(members)), mtime=0)
