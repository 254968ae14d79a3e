"""Damaged and hostile files are refused in a sentence, whatever the libraries make of them."""

from __future__ import annotations

import csv
import io
import json
import struct
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from iaa_jax import IaaError, read
from iaa_jax.io.table import delimited
from tests.archives import packed

Write = Callable[..., Path]
Refused = Callable[..., str]

ROWS = "item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"


@pytest.mark.parametrize("encoding", ["zlib", "hex", "rot13", "undefined", "idna", "Punycode"])
def test_encodings_that_are_none_of_text(write: Write, encoding: str) -> None:
    with pytest.raises(IaaError, match=f"there is no encoding '{encoding}'; usual ones are utf-8"):
        read(write(ROWS), encoding=encoding)


def parquet(rows: int = 400, **options: object) -> bytes:
    numbers = np.arange(rows)
    frame = pd.DataFrame(
        {
            "item": [f"item {k // 2}" for k in numbers],
            "annotator": [f"annotator {k % 2}" for k in numbers],
            "label": [f"label {k * 7 % 5} é" for k in numbers],
        }
    )
    return frame.to_parquet(**options)


@pytest.mark.parametrize("compression", [None, "snappy"])
def test_damaged_parquet(write: Write, compression: str | None) -> None:
    whole = parquet(compression=compression)
    random = np.random.default_rng(5)
    refused = 0
    for _ in range(150):
        data = bytearray(whole)
        for place in random.integers(4, len(data), size=3):
            data[place] ^= 1 << int(random.integers(8))
        try:
            read(write(bytes(data), "t.parquet"))
        except IaaError as error:
            refused += "cannot be read as Parquet" in str(error)
    assert refused > 20


def test_parquet_whose_body_is_gone(write: Write) -> None:
    whole = parquet(4000, compression=None)
    footer = struct.unpack("<I", whole[-8:-4])[0] + 8
    for hole in (b"\0", b"\xff", b"\x7f"):
        data = b"PAR1" + hole * (len(whole) - footer - 4) + whole[-footer:]
        with pytest.raises(IaaError, match=r"t\.parquet cannot be read as Parquet: "):
            read(write(data, "t.parquet"))


def test_parquet_whose_text_is_none(write: Write) -> None:
    data = parquet(compression=None).replace("é".encode(), b"\xe9 ")
    with pytest.raises(IaaError, match=r"t\.parquet cannot be read as Parquet: .*UTF8"):
        read(write(data, "t.parquet"))


RECORD = '{"item": 1, "annotator": "a", "label": %s}'
FIGURES = "1" * 5000


@pytest.mark.parametrize(
    ("name", "text", "where"),
    [
        ("t.json", f"[{RECORD % FIGURES}]", "t.json record 1: a number has thousands of digits"),
        (
            "t.jsonl",
            f"{RECORD % 1}\n{RECORD % FIGURES}\n",
            "t.jsonl line 2: a number has thousands of digits",
        ),
        ("t.json", "[" * 100_000, "t.json record 1: this is nested too deeply"),
        ("t.json", '{"a":' * 100_000, "t.json: this is nested too deeply"),
        ("t.jsonl", "[" * 100_000, "t.jsonl record 1: this is nested too deeply"),
        (
            "t.jsonl",
            f"{RECORD % 1}\n" + '{"a":' * 100_000,
            "t.jsonl line 2: this is nested too deeply",
        ),
        (
            "t.json",
            f"{RECORD % 1}\n" + RECORD % ("[" * 100_000 + "]" * 100_000),
            "t.json line 2: this is nested too deeply",
        ),
    ],
)
def test_json_beyond_what_python_reads(write: Write, name: str, text: str, where: str) -> None:
    with pytest.raises(IaaError) as caught:
        read(write(text, name))
    assert where in str(caught.value)


def test_a_list_in_a_cell_beyond_what_python_reads(refused: Refused) -> None:
    assert "cannot tell how the table is laid out" in refused(f"id,scores\n1,[{FIGURES}]\n2,[3]\n")


def test_json_as_deep_as_python_reads(write: Write) -> None:
    for depth in (100, 500, sys.getrecursionlimit() - 150):
        value = "[" * depth + "{}" + "]" * depth
        text = json.dumps([{"item": 1, "annotator": who, "label": "x"} for who in "ab"])
        path = write(text.replace('"x"', f'"x", "more": {value}'), "t.json")
        assert read(path).sizes["item"] == 1


def test_a_zip_archive_of_a_later_version(write: Write) -> None:
    data = bytearray(packed({"t.csv": ROWS}))
    entry = data.find(b"PK\x01\x02")
    data[entry + 6 : entry + 8] = struct.pack("<H", 148)
    with pytest.raises(IaaError, match=r"not a readable zip archive: zip file version 14\.8"):
        read(write(bytes(data), "t.zip"))


def test_readers_of_long_cells_leave_one_another_and_the_csv_module_as_they_were() -> None:
    """Each step of one reader stands between two of another, as threads may have it."""
    before = csv.field_size_limit()
    text = "a,b\n" + f"{'x' * 200_000},y\n" * 2
    first, second = (delimited.rows(io.StringIO(text), ",") for _ in range(2))
    next(first), next(second)
    first.close()
    assert [len(row[0]) for _, row in second] == [200_000, 200_000]
    assert csv.field_size_limit() == before


def test_long_cells_in_threads(write: Write) -> None:
    cells = [f'"{letter}\n{letter * 200_000}"' for letter in "xyz"]
    files = [write(ROWS + f"3,a,{cell}\n3,b,x\n,,\n", f"{k}.csv") for k, cell in enumerate(cells)]
    with ThreadPoolExecutor(8) as pool:
        assert all(ratings.sizes["item"] == 3 for ratings in pool.map(read, files * 4))


@pytest.mark.parametrize("name", ["//x.csv", "/x.csv", "a//x.csv", "../x.csv", "a\\x.csv"])
def test_members_of_any_name_are_read(write: Write, name: str) -> None:
    assert read(write(packed({name: ROWS}), "t.zip")).sizes["item"] == 2


@pytest.mark.parametrize("columns", [[], (), "", ","])
def test_options_that_name_no_column(refused: Refused, columns: object) -> None:
    for option in ("item", "annotators", "counts", "one_hot"):
        assert "a list of columns is empty: name a column" in refused(ROWS, **{option: columns})


def test_half_of_a_pair_of_surrogates_in_a_list(write: Write) -> None:
    cells = ('"[""\\ud800""]"', '"[""x""]"')
    rows = [f"{item},{who},{cells[item]}\n" for item in range(2) for who in "ab"]
    ratings = read(write("item,annotator,label\n" + "".join(rows)))
    assert (
        "looks like a list" in ratings.attrs["notices"]
        or "look like lists" in ratings.attrs["notices"]
    )
