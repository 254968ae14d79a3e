"""From a number to a damaged shape, and what holds for it."""

from __future__ import annotations

import csv
import gzip
import random
import tarfile
import zipfile
import zlib
from io import BytesIO

from tests.archives import packed
from tests.fuzz.mutations import (
    OF_TABLES,
    change_bytes,
    change_json,
    change_option,
    change_text,
    encode,
)
from tests.fuzz.shapes import SHAPES, change_options, shape_of, tarred
from tests.fuzz.tables import Table, rows_of, written

_DAMAGED = (
    *(OSError, EOFError, ValueError, RuntimeError, NotImplementedError),
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error),
)
"""What archives that were changed before end in, here."""


def change(name: str, data: bytes, dice: random.Random) -> tuple[bytes, str]:
    """A file with one thing changed; of an archive or workbook, often one in a part of it."""
    if name.endswith((".zip", ".xlsx", ".tar.gz")) and dice.random() < 0.7:
        return _change_part(name, data, dice)
    if name.endswith((".csv", ".tsv")) and dice.random() < 0.5:
        return _change_table(data, dice)
    way = dice.choice(("text", "text", "text", "bytes", "encoding"))
    if name.endswith((".zip", ".xlsx", ".tar.gz")) or way == "bytes":
        return change_bytes(data, dice)
    try:
        text = data.decode()
    except UnicodeDecodeError:  # it was changed before
        return change_bytes(data, dice)
    if way == "encoding":
        return encode(text, dice)
    text, step = (change_json if name.endswith("json") else change_text)(text, dice)
    return text.encode("utf-8", "surrogatepass"), step


def _change_table(data: bytes, dice: random.Random) -> tuple[bytes, str]:
    """A cell, a row, a column or a name changed; bytes where there are none any more."""
    try:
        (header, *rows), separator = rows_of(data)
        table = Table([*header], [[*row] for row in rows])
        step = dice.choice([each for each in OF_TABLES if each is not change_option])(table, dice)
        return written([table.header, *table.rows], separator), step
    except (ValueError, IndexError, csv.Error):
        return change_bytes(data, dice)


def _change_part(name: str, data: bytes, dice: random.Random) -> tuple[bytes, str]:
    try:
        members = members_of(name, data)
        part = dice.choice([*members])
    except (*_DAMAGED, IndexError):
        return change_bytes(data, dice)
    way = dice.random()
    if way < 0.15:
        members.pop(part)
        step = f"without {part}"
    elif way < 0.3:
        members[dice.choice(("../a.csv", "in/b.csv", ".c.csv", "in/ann.txt"))] = members[part]
        step = f"{part} twice"
    else:
        members[part], step = change(part, members[part], dice)
        step = f"{part}: {step}"
    if name.endswith(".tar.gz"):
        return gzip.compress(tarred(members), mtime=0), step
    return packed(members), step


def members_of(name: str, data: bytes) -> dict[str, bytes]:
    """The files of an archive by name."""
    if name.endswith(".tar.gz"):
        with tarfile.open(fileobj=BytesIO(data)) as archive:
            files = [member for member in archive.getmembers() if member.isfile()]
            read = {member.name: archive.extractfile(member) for member in files}
            return {key: file.read() for key, file in read.items() if file is not None}
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {key: archive.read(key) for key in archive.namelist()}


def damaged(
    dice: random.Random,
) -> tuple[str, dict[str, bytes], dict[str, object], tuple[str, ...]]:
    """A shape by name, its files and options, and what was done to them."""
    name = dice.choice([*SHAPES])
    shape = shape_of(name)
    files, options, steps = dict(shape.files), dict(shape.options), []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        if dice.random() < 0.15:
            options, step = change_options(options, dice)
        elif dice.random() < 0.05 and len(files) > 1:
            step = f"without {(gone := dice.choice([*files]))}"
            files.pop(gone)
        else:
            which = dice.choice([*files])
            files[which], step = change(which, files[which], dice)
            step = f"{which}: {step}"
        steps.append(step)
    return name, files, options, tuple(steps)
