"""Changes of a file that change no rating: order of rows and keys, quotes, ends of lines, marks."""

from __future__ import annotations

import codecs
import json
import random
from collections.abc import Callable

from tests.fuzz.packing import ARCHIVES, archived, packed_alone, some_packed
from tests.fuzz.shape_mutants import members_of
from tests.fuzz.tables import rows_of, written

Change = Callable[[bytes, random.Random], bytes]


def _quoted(data: bytes, dice: random.Random) -> bytes:
    return written(*rows_of(data), quoted=True)


def _windows(data: bytes, dice: random.Random) -> bytes:
    return written(*rows_of(data), end="\r\n")


def _old_mac(data: bytes, dice: random.Random) -> bytes:
    return written(*rows_of(data), end="\r")


def _windows_lines(data: bytes, dice: random.Random) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _mark(data: bytes, dice: random.Random) -> bytes:
    return codecs.BOM_UTF8 + data


def _wide_signs(data: bytes, dice: random.Random) -> bytes:
    """UTF-16 or UTF-32 with its mark, in either order of bytes."""
    name, mark = dice.choice(
        (
            ("utf-16-le", codecs.BOM_UTF16_LE),
            ("utf-16-be", codecs.BOM_UTF16_BE),
            ("utf-32-le", codecs.BOM_UTF32_LE),
            ("utf-32-be", codecs.BOM_UTF32_BE),
        )
    )
    return mark + data.decode().encode(name)


def _blank_lines(data: bytes, dice: random.Random) -> bytes:
    return data + b"\n" * dice.choice((1, 2, 7))


def _no_last_end(data: bytes, dice: random.Random) -> bytes:
    return data.rstrip(b"\n")


def _other_separator(data: bytes, dice: random.Random) -> bytes:
    rows, separator = rows_of(data)
    inside = {sign for row in rows for cell in row for sign in cell}
    free = [sign for sign in ",;\t|" if sign not in inside and sign != separator]
    return written(rows, dice.choice(free)) if free else data


def _order_of_rows(data: bytes, dice: random.Random) -> bytes:
    (header, *rows), separator = rows_of(data)
    dice.shuffle(rows)
    return written([header, *rows], separator)


def _order_of_columns(data: bytes, dice: random.Random) -> bytes:
    rows, separator = rows_of(data)
    order = [*range(len(rows[0]))]
    dice.shuffle(order)
    return written([[row[k] for k in order] for row in rows], separator)


def _indented(data: bytes, dice: random.Random) -> bytes:
    end = dice.choice(("\n", "\r\n"))
    return json.dumps(json.loads(data), indent=3).replace("\n", end).encode()


def _order_of_keys(data: bytes, dice: random.Random) -> bytes:
    """Keys in another order; lists as they are."""

    def turned(value: object) -> object:
        if isinstance(value, dict):
            keys = [*value]
            dice.shuffle(keys)
            return {key: turned(value[key]) for key in keys}
        return [turned(each) for each in value] if isinstance(value, list) else value

    try:
        return json.dumps(turned(json.loads(data))).encode()
    except json.JSONDecodeError:  # lines of records
        lines = data.decode().split("\n")
        return "\n".join(
            json.dumps(turned(json.loads(line))) if line.strip() else line for line in lines
        ).encode()


OF_TEXT: dict[str, Change] = {
    "a mark of byte order": _mark,
    "blank lines at the end": _blank_lines,
    "no end of the last line": _no_last_end,
    "UTF-16 or UTF-32": _wide_signs,
}
OF_TABLES: dict[str, Change] = {
    "lines end as on Windows": _windows,
    "all cells quoted": _quoted,
    "lines end as on old Macs": _old_mac,
    "another separator": _other_separator,
}
OF_HEADED: dict[str, Change] = {
    "rows in another order": _order_of_rows,
    "columns in another order": _order_of_columns,
}
OF_JSON: dict[str, Change] = {
    "keys in another order": _order_of_keys,
    "lines end as on Windows": _windows_lines,
}
OF_WHOLE_JSON: dict[str, Change] = {"indented": _indented}
LAST = {**OF_TEXT, "lines end as on old Macs": _old_mac, "lines end as on Windows": _windows}
"""Changes after which a file can be changed no more as what it is."""


def changes_of(name: str, *, headed: bool) -> dict[str, Change]:
    """The changes that leave a file of this name what it is."""
    if name.endswith(".json"):
        return OF_TEXT | OF_JSON | OF_WHOLE_JSON
    if name.endswith(".jsonl"):
        return OF_TEXT | OF_JSON
    if name.endswith((".tsv", ".csv", ".txt")):
        separators = {} if name.endswith(".tsv") else {"another separator": _other_separator}
        tables = {key: change for key, change in OF_TABLES.items() if key != "another separator"}
        return OF_TEXT | tables | separators | (OF_HEADED if headed else {})
    return {}


def changes_of_export(name: str) -> dict[str, Change]:
    """The same of an export: places in texts count their signs, and tabs have no quotes."""
    if name.endswith(".tsv"):
        return {**OF_TEXT, "lines end as on Windows": _windows_lines}
    return changes_of(name, headed=False) if name.endswith((".json", ".jsonl", ".csv")) else {}


def repacked(name: str, data: bytes, dice: random.Random) -> bytes | None:
    """An archive with its members in another order, some of them packed; None for what is none."""
    if not name.endswith((".tar.gz", ".zip")):
        return None
    members = [*members_of(name, data).items()]
    dice.shuffle(members)
    kept = some_packed(dict(members), dice) if dice.random() < 0.5 else dict(members)
    return ARCHIVES[".zip" if name.endswith(".zip") else ".tar.gz"](kept)


def packed_or_archived(name: str, data: bytes, dice: random.Random) -> tuple[str, bytes]:
    """A file packed by itself, or in an archive, with its new name."""
    if dice.random() < 0.5:
        return packed_alone(name, data, dice)
    return archived(name.rpartition(".")[0], {name: data}, dice)
