"""Ways to damage a table, a text, and bytes: each says what it did."""

from __future__ import annotations

import codecs
import json
import math
import random
import unicodedata
from collections.abc import Callable

from tests.fuzz.tables import Cell, Table

VALUES: tuple[Cell, ...] = (
    "", " ", "NA", "N/A", "null", "NULL", "None", "none", "nan", "-", "?", ".", "*", "#N/A",
    "[null]", "0", "1", "-1", "+1", "1.0", "1.50", "007", "1e3", "1e-9", "1e400", "-1e400", "inf",
    "50 %", "1,5", "1,000", "1.000,5", "1_000", "0x1F", "\u0663", "\uff19", "\xb2", "\u2167",
    "\xbd", str(2**53), str(2**53 + 1), str(2**63), str(-(2**63)), "9" * 30, "9" * 5000,
    "500000000", "-Infinity", "True", "false", "yes", "no", "2024-01-05", "01/02/2003", "12:30",
    "1 2", "JOY", "Joy ", "caf\xe9", "cafe\u0301", "\ufb01", "\uff21", "\xdf", "\u0130",
    "\U0001f600", "joy\u200b", "\u200b", "\xa0joy", "joy\xad", "\ufeffjoy", "\u202ejoy", "\u3000",
    "\x1b[31mjoy", "\x07", "\x85", "\u2028", "a\rb", "a\nb", "a\tb", "a,b", "a;b", "a|b", '"joy"',
    'a"b', "'joy'", "\u201cjoy\u201d", "=1+1", "@joy", "[1, 2]", '["joy"]', "[]", "[joy]", "{}",
    '{"a": 1}', "[[1]]", "joy;joy", ";", "x" * 1000, "item", "annotator", "Total",
)  # fmt: skip

TYPED: tuple[Cell, ...] = (
    None, True, False, 0, 1, -1, 1.0, 1.5, 10**20, -(10**400), math.nan, math.inf, "", "joy", [],
    {},
    [1, 2], ["joy"], [None], [["joy"]], {"label": "joy"}, {"a": {"b": 1}}, [{"label": "joy"}, {}],
    "1",
)  # fmt: skip


def _place(table: Table, random: random.Random) -> tuple[int, int]:
    row = random.randrange(len(table.rows))
    return row, random.randrange(max(1, len(table.rows[row])))


def _set(table: Table, row: int, column: int, value: Cell) -> str:
    if column >= len(table.rows[row]):
        table.rows[row].append("")
    before = table.rows[row][column]
    table.rows[row][column] = value
    return f"row {row + 1}, column {column + 1}: {_brief(before)} -> {_brief(value)}"


def _brief(value: Cell) -> str:
    text = ascii(value) if not (isinstance(value, int) and abs(value) > 10**30) else "a huge number"
    return text if len(text) < 60 else f"{text[:50]}... ({len(text)})"


def change_value(table: Table, random: random.Random) -> str:
    return _set(table, *_place(table, random), random.choice(VALUES))


def change_type(table: Table, random: random.Random) -> str:
    return _set(table, *_place(table, random), random.choice(TYPED))


def respell_value(table: Table, random: random.Random) -> str:
    row, column = _place(table, random)
    text = str(table.rows[row][column]) if table.rows[row] else ""
    ways: tuple[Callable[[str], str], ...] = (
        str.upper, str.capitalize, lambda t: f" {t} ", lambda t: t[::-1], lambda t: t * 2,
        lambda t: t[:1], lambda t: f"{t}.0", lambda t: f"-{t}", lambda t: f"0{t}",
        lambda t: f"{t},0",
        lambda t: f"{t}\u200b", lambda t: f"\u00a0{t}", lambda t: unicodedata.normalize("NFD",
        f"{t}é"),
        lambda t: f'"{t}"', lambda t: f"{t}\n", lambda t: f"{t}?", lambda t: t[:-1],
    )  # fmt: skip
    return _set(table, row, column, random.choice(ways)(text))


def change_column(table: Table, random: random.Random) -> str:
    _, column = _place(table, random)
    value = random.choice(VALUES)
    for row in table.rows:
        row[column : column + 1] = [value]
    return f"column {column + 1}: {_brief(value)} in each row"


def copy_value(table: Table, random: random.Random) -> str:
    row, column = _place(table, random)
    return _set(table, *_place(table, random), table.rows[row][column] if table.rows[row] else "")


def change_row(table: Table, random: random.Random) -> str:
    rows, number = table.rows, random.randrange(len(table.rows))
    way = random.choice(
        ("drop", "double", "swap", "shorten", "lengthen", "empty", "header", "move")
    )
    if way == "drop" and len(rows) > 1:
        del rows[number]
    elif way == "double":
        rows.insert(random.randrange(len(rows)), [*rows[number]])
    elif way == "swap":
        other = random.randrange(len(rows))
        rows[number], rows[other] = rows[other], rows[number]
    elif way == "shorten":
        del rows[number][random.randrange(max(1, len(rows[number]))) :]
    elif way == "lengthen":
        rows[number].append(random.choice(VALUES))
    elif way == "empty":
        rows.insert(number, ["" for _ in table.header])
    elif way == "header":
        rows.insert(number, [*table.header])
    else:
        rows.append(rows.pop(number))
    return f"{way} row {number + 1}"


def change_columns(table: Table, random: random.Random) -> str:
    number, other = (random.randrange(len(table.header)) for _ in range(2))
    every = [table.header, *table.rows]
    way = random.choice(("drop", "double", "swap", "empty"))
    for row in every:
        if max(number, other) >= len(row):
            continue
        if way == "drop":
            del row[number]
        elif way == "double":
            row.insert(other, row[number])
        elif way == "swap":
            row[number], row[other] = row[other], row[number]
        else:
            row.insert(number, "")
    return f"{way} column {number + 1} ({other + 1})"


def change_header(table: Table, random: random.Random) -> str:
    number = random.randrange(len(table.header))
    before = table.header[number]
    names = ("", "id", "label", "item", "annotator", "text", "gold", "1", before.upper(),
    f" {before} ",
             f"{before}\u200b", f"{before}\n", f"{before}.a", "a*", "a,b", "slot", "key", "value",
             "\x1b[1m")  # fmt: skip
    table.header[number] = random.choice(names)
    return f"header {before!r} -> {table.header[number]!a}"


def transpose(table: Table, random: random.Random) -> str:
    width = max(len(row) for row in [table.header, *table.rows])
    every = [[*row, *[""] * (width - len(row))] for row in [table.header, *table.rows]]
    turned = [[row[k] for row in every] for k in range(width)]
    table.header, table.rows = [str(cell) for cell in turned[0]], turned[1:] or [[""]]
    return "transposed"


def shuffle_column(table: Table, random: random.Random) -> str:
    _, column = _place(table, random)
    rows = [row for row in table.rows if len(row) > column]
    cells = [row[column] for row in rows]
    random.shuffle(cells)
    for row, cell in zip(rows, cells, strict=True):
        row[column] = cell
    return f"column {column + 1} shuffled"


OPTIONS: dict[str, tuple[object, ...]] = {
    "format": ("long", "wide", "counts", "one_hot", "contingency", "transposed", "csv"),
    "item": ("item", "text_id", "item,annotator", "nothing", "*", []),
    "annotator": ("annotator", "ann", "label", ""),
    "label": ("label", "ben", "scores", "lab*"),
    "annotators": ("ann,ben", "a*", "*", "ann,ann", "label", ["eve", "ben"]),
    "labels": ("joy,fear,anger", "1,2,3,5", ["joy"], "a,a", [1.0, "1"], "", "anger,fear,joy,NA"),
    "counts": ("n_*", "ann,ben", "*"), "one_hot": ("is.*", "ann,ben"), "multi_hot": ("is.*", "*"),
    "anonymous": (True, False), "separator": (";", ",", "", " ", "o"), "secondary": ("other",
    "label"),
    "duplicates": ("first", "last", "error", "apart", "votes"),
    "missing": ("joy", "1,2", ["0", 1.0], "-1,?", ""),
    "records": ("data.rows", "data", "rows", "k1", ""), "keep": ("label", "batch", "*", "item"),
    "encoding": ("utf-8", "latin-1", "utf-16", "cp1252", "utf-7", "cp037", "shift_jis", "punycode",
                 "idna", "unicode_escape", "hex", "utf-8-sig", "utf-32", "raw_unicode_escape"),
    "file_pattern": ("{annotator}.csv", "*", "*.{annotator}*", "[", "{annotator}{annotator}", "?*"),
}  # fmt: skip


def change_option(table: Table, random: random.Random) -> str:
    if table.options and random.random() < 0.4:
        name = random.choice([*table.options])
        return f"without {name}={table.options.pop(name)!r}"
    name = random.choice([*OPTIONS])
    table.options[name] = random.choice(OPTIONS[name])
    return f"with {name}={table.options[name]!r}"


OF_TABLES = (
    change_value, change_value, change_value, change_type, respell_value, respell_value,
    change_column,
    copy_value, change_row, change_row, change_columns, change_header, transpose, shuffle_column,
    change_option,
)  # fmt: skip


def _line(text: str, random: random.Random) -> tuple[int, list[str]]:
    lines = text.splitlines(keepends=True) or [""]
    return random.randrange(len(lines)), lines


def change_text(text: str, random: random.Random) -> tuple[str, str]:
    number, lines = _line(text, random)
    line = lines[number]
    at = random.randrange(len(text) + 1)
    signs = ",;\t|\"'[]{}: \n\r\\0-."
    sign, other = random.choice(signs), random.choice(signs)
    way = random.choice(
        ("insert", "insert", "remove", "swap sign", "swap all", "newlines", "title", "blank line",
        "end",
         "trailing", "drop line", "double line", "half line", "comment", "sep", "escape", "cut",
         "footer",
         "quote line", "spaces", "double")
    )  # fmt: skip
    if way == "insert":
        text = text[:at] + sign + text[at:]
    elif way == "remove":
        text = text[:at] + text[at + 1 :]
    elif way == "swap sign":
        text = text[:at] + text[at:].replace(sign, other, 1)
    elif way == "swap all":
        text = text.replace(sign, other)
    elif way == "newlines":
        text = text.replace("\n", random.choice(("\r\n", "\r", "\n\n", "\r\r\n", "\x0b", "\u2028")))
    elif way == "end":
        text = text.rstrip("\n")
    elif way == "trailing":
        text = text.replace("\n", f"{sign}\n")
    elif way == "sep":
        text = f"sep={sign}\n{text}"
    elif way == "escape":
        text = text[:at] + random.choice(("\\u0000", "\\ud800", "\\n", '\\"', "&amp;")) + text[at:]
    elif way == "cut":
        text = text[:at]
    elif way == "double":
        text += text
    elif way == "spaces":
        text = text.replace(",", random.choice((", ", " ,", "  ,  ")))
    else:
        lines[number : number + 1] = {
            "title": ["Ratings of 2024\n", line], "blank line": [" \n", line], "drop line": [],
            "double line": [line, line], "half line": [line[: len(line) // 2]],
            "comment": [f"# {line}"], "footer": [line, "Total,18\n"],
            "quote line": ['"' + line.rstrip("\n") + '"\n'],
        }[way]  # fmt: skip
        text = "".join(lines)
    return text, f"{way} at {at} (line {number + 1}), {sign!r} {other!r}"


def change_json(text: str, random: random.Random) -> tuple[str, str]:
    """Change the structure of a document; damage it as text where it is none."""
    try:
        document = json.loads(text)
    except ValueError:
        return change_text(text, random)
    places = []
    inside = [document]
    while inside:
        value = inside.pop()
        if isinstance(value, (dict, list)):
            keys = [*value] if isinstance(value, dict) else [*range(len(value))]
            places += [(value, key) for key in keys]
            inside += [value[key] for key in keys]
    way = random.choice(
        ("wrap list", "wrap key", "drop", "type", "move up", "nest", "double key", "deep")
    )
    if not places:
        return json.dumps([document]), "wrap list"
    holder, key = random.choice(places)
    if way == "wrap list":
        return json.dumps([document]), way
    if way == "wrap key":
        return json.dumps({random.choice(("data", "items", "", "1")): document}), way
    if way == "double key":
        at = text.find('"', random.randrange(len(text)))
        pair = random.choice(('"label": "joy", ', '"item": 1, ', '"": 0, ', '"a": '))
        return text[: max(at, 0)] + pair + text[max(at, 0) :], way
    if way == "drop":
        del holder[key]
    elif way == "type":
        holder[key] = random.choice(TYPED)
    elif way == "move up" and isinstance(holder[key], (dict, list)) and holder[key]:
        inner = holder[key]
        holder[key] = inner[next(iter(inner))] if isinstance(inner, dict) else inner[0]
    elif way == "nest":
        holder[key] = random.choice(([holder[key]], {"value": holder[key]}))
    elif way == "deep":
        deep: object = holder[key]
        for _ in range(random.choice((3, 50, 300))):
            deep = [deep]
        holder[key] = deep
    return json.dumps(document), f"{way} {key!a}"


ENCODINGS = ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "cp1252",
    "utf-7", "shift_jis", "cp037")  # fmt: skip


def encode(text: str, random: random.Random) -> tuple[bytes, str]:
    name = random.choice(ENCODINGS)
    return text.encode(name, "replace"), f"as {name}"


def change_bytes(data: bytes, random: random.Random) -> tuple[bytes, str]:
    at = random.randrange(len(data) + 1)
    end = min(len(data), at + random.choice((1, 1, 2, 5, 20, 100)))
    way = random.choice(("flip", "flip", "byte", "cut", "remove", "double", "insert", "nul",
    "bom", "swap", "move", "many"))  # fmt: skip
    changed = bytearray(data)
    if way == "flip" and at < len(data):
        changed[at] ^= 1 << random.randrange(8)
    elif way == "byte" and at < len(data):
        changed[at] = random.randrange(256)
    elif way == "cut":
        del changed[at:]
    elif way == "remove":
        del changed[at:end]
    elif way == "double":
        changed[at:at] = data[at:end] * random.choice((1, 2, 30))
    elif way == "insert":
        changed[at:at] = random.randbytes(random.choice((1, 2, 8)))
    elif way == "nul":
        changed[at:at] = b"\0" * random.choice((1, 4))
    elif way == "bom":
        changed[at:at] = random.choice((codecs.BOM_UTF8, codecs.BOM_UTF16, codecs.BOM_UTF32))
    elif way == "swap":
        changed[at:end] = data[at:end][::-1]
    elif way == "move":
        changed = bytearray(data[:at] + data[end:] + data[at:end])
    elif data:
        for _ in range(10):
            changed[random.randrange(len(data))] = random.randrange(256)
    return bytes(changed), f"{way} at byte {at} to {end}"
