"""From a number to a mutant: which table, in which files, and what was done to them."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tests.archives import packed
from tests.fuzz.mutations import OF_TABLES, change_bytes, change_json, change_text, encode
from tests.fuzz.packing import archived, cut, some_packed
from tests.fuzz.shape_mutants import damaged
from tests.fuzz.shapes import JOIN, shape_of
from tests.fuzz.tables import (
    ENDINGS,
    LAYOUTS,
    PACKERS,
    TEXTS,
    Options,
    Table,
    delimited,
    parquet,
)
from tests.fuzz.workbooks import workbook

STRAY = "\N{LATIN SMALL LETTER E WITH ACUTE}\x1b[31m/../a.csv"

OF_SHAPES = 0.4
"""The share of mutants that are no single plain table."""


@dataclass(frozen=True)
class Mutant:
    """Files, the options to read them with, and how they came about."""

    number: int
    layout: str
    container: str
    files: Mapping[str, bytes]
    options: Options
    steps: tuple[str, ...]
    paths: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    cut: bool = False
    """Whether a part of an archive is lost, so that nothing of it may be read."""

    def write(self, folder: Path) -> list[Path]:
        """Put the files into a folder."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        names = self.paths or [Path(name).parts[0] for name in self.files]
        return list(dict.fromkeys(folder / name for name in names))

    def options_in(self, folder: Path) -> Options:
        """The options, with the file that is joined where it was written."""
        joined = self.options.get(JOIN)
        return self.options if joined is None else {**self.options, JOIN: folder / str(joined)}

    def __str__(self) -> str:
        lines = [f"mutant {self.number}: {self.layout} in {self.container}, {self.options}"]
        lines += [f"  {step}" for step in self.steps]
        lines += [f"  {name}: {data[:600]!r}" for name, data in self.files.items()]
        return "\n".join(lines)


def mutant(number: int) -> Mutant:
    """The mutant of this number: the same each time."""
    dice = random.Random(number)
    if dice.random() < OF_SHAPES:
        name, files, options, done = damaged(dice)
        shape = shape_of(name)
        return Mutant(number, name, "its files", files, options, done, shape.paths, shape.questions)
    layout = dice.choice([*LAYOUTS])
    table = LAYOUTS[layout].copy()
    kind = dice.choice(["csv", "csv", *ENDINGS])
    steps: list[str] = []
    places = dice.choices(
        ("table", "text", "bytes", "files"), (6, 3, 2, 1), k=dice.choice((1, 1, 1, 2, 3))
    )
    for _ in range(places.count("table")):
        try:
            steps.append(dice.choice(OF_TABLES)(table, dice))
        except (IndexError, ValueError):  # what it would change is gone
            steps.append("nothing")
        if not table.rows or not table.header:
            break
    one = Mutant(number, layout, kind, {}, table.options, ())
    if dice.random() < 0.15 and kind in TEXTS:
        return _of_several(one, table, places, steps, dice)
    data = _file(table, kind, places, steps, dice)
    ending = ENDINGS[kind]
    if dice.random() < 0.1:
        name, pack = PACKERS[dice.choice([*PACKERS])]
        data, ending = pack(data), ending + name
        one = replace(one, container=f"{kind}{name}")
        if "bytes" in places and dice.random() < 0.5:
            data, step = change_bytes(data, dice)
            steps.append(step)
    if "files" in places:
        ending = dice.choice(
            (".csv", ".tsv", ".json", ".jsonl", ".txt", ".parquet", "", ".CSV", ".zip", ".dat")
        )
        steps.append(f"ends in {ending!r}")
    return replace(one, files={f"t{ending}": data}, steps=tuple(steps))


def _file(
    table: Table, kind: str, places: list[str], steps: list[str], dice: random.Random
) -> bytes:
    if kind == "xlsx":
        data = workbook({"sheet": [table.header, *table.rows]}, merged=dice.random() < 0.2)
    elif kind == "parquet":
        try:
            data = parquet(table)
        except (ValueError, TypeError, OverflowError, ArithmeticError):  # it cannot hold them
            data = delimited(table).encode()
            steps.append("no Parquet")
    else:
        try:
            text = TEXTS[kind](table)
        except ValueError:  # a number that is too long to write
            text = "1" * 5000
        for _ in range(places.count("text")):
            change = change_json if kind in ("json", "keyed", "records") else change_text
            text, step = change(text, dice)
            steps.append(step)
        data = text.encode("utf-8", "surrogatepass")
        if "bytes" in places and dice.random() < 0.3:
            data, step = encode(text, dice)
            steps.append(step)
            if dice.random() < 0.5:
                table.options["encoding"] = step.removeprefix("as ")
    for _ in range(places.count("bytes")):
        data, step = change_bytes(data, dice)
        steps.append(step)
    return data


def _of_several(
    one: Mutant, table: Table, places: list[str], steps: list[str], dice: random.Random
) -> Mutant:
    """Several files, of which each has some rows, or a zip archive of them."""
    half = max(1, len(table.rows) // 2)
    parts = [replace(table, rows=table.rows[:half]), replace(table, rows=table.rows[half:])]
    ending = ENDINGS[one.container]
    files = {
        f"{name}{ending}": _file(part, one.container, places, steps, dice)
        for name, part in zip(("ann", "ben"), parts, strict=True)
    }
    if dice.random() < 0.2:
        table.options["file_pattern"] = "{annotator}" + ending
        steps.append("annotators by files")
    if dice.random() < 0.5:
        return replace(one, container=f"{one.container} twice", files=files, steps=tuple(steps))
    if dice.random() < 0.3:
        files = some_packed(files, dice)
    name, data = archived("t", files, dice)
    if "files" in places:
        name = "t.zip"
        data, step = _change_archive(files, dice)
        steps.append(step)
    if "bytes" in places and dice.random() < 0.5:
        data, step = change_bytes(data, dice)
        steps.append(step)
    elif "files" not in places and dice.random() < 0.3:
        one, data = replace(one, cut=True), cut(name, data, dice)
        steps.append(f"cut at {len(data)}")
    kind = f"{one.container} in {name}"
    return replace(one, container=kind, files={name: data}, steps=tuple(steps))


def _change_archive(files: Mapping[str, bytes], dice: random.Random) -> tuple[bytes, str]:
    first = next(iter(files))
    way = dice.choice(
        ("folders", "stray", "hidden", "twice", "nested", "empty", "names", "office", "method")
    )
    members = dict(files)
    if way == "folders":
        members = {f"a/b/{name}": data for name, data in files.items()}
    elif way == "stray":
        members |= {"__MACOSX/._ann.csv": b"\0\1", "readme.md": b"# about"}
    elif way == "hidden":
        members[".hidden.csv"] = b"item,annotator,label\n"
    elif way == "nested":
        members["inner.zip"] = packed(files)
    elif way == "empty":
        members = {} if dice.random() < 0.5 else {**files, "empty.csv": b""}
    elif way == "names":
        members[
            dice.choice(
                (STRAY, "/abs.csv", "//x.csv", "a\\b.csv", "C:/t.csv", " .csv", "\n.csv", ".csv/")
            )
        ] = files[first]
    elif way == "office":
        members["[Content_Types].xml"] = b"<x/>"
    whole = packed(members, dice.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_STORED)))
    if way == "twice":
        names = [*files]
        whole = whole.replace(names[-1].encode(), names[0].encode())
    return whole, f"archive: {way}"


def options_of(mutant: Mutant) -> str:
    """The options as keywords."""
    return json.dumps(mutant.options, default=str, ensure_ascii=True)
