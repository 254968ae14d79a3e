"""A file means to a scan what it means to `read`: the same ratings, or a refusal, never others."""

from __future__ import annotations

import datetime
import gzip
import lzma
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import iaa_jax as iaa
from tests.scale.test_scan import assert_same
from tests.taken import one_of

HEAD = "item,annotator,label"
ROWS = [
    f"{item},{who},{label}"
    for item, labels in enumerate(["yes yes", "yes no", "no no", "no yes", "yes yes", "no no"], 1)
    for who, label in zip(("ann", "bob"), labels.split(), strict=True)
]
PLAIN = "\n".join([HEAD, *ROWS, ""])


def rows(*changes: str) -> str:
    """The table with something else in its rows for something."""
    text = PLAIN.removeprefix(HEAD)
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return HEAD + text


def as_read(*files: Path, **options: object) -> None:
    found = iaa.scan(list(files), **options)
    read = iaa.read(list(files), keep=options.pop("by", None), **options)
    assert_same(found, iaa.data.compress(read))
    assert found.attrs["skipped"] == read.attrs["skipped"]


@pytest.mark.parametrize(
    ("case", "text"),
    one_of(
        2,
        {
            "zeros before numbers": rows("\n1,", "\n01,") + "1,ann,no\n1,bob,no\n",
            "blanks around cells": rows(",bob,", " , bob,", "yes\n", "\tyes\xa0\n"),
            "line breaks in cells": rows("\n2,", '\n" 2\n",', ",ann,no", ',"ann\n",no'),
            "line breaks of two systems": rows("\n2,ann", '\n"2\r\nb",ann', "\n2,", '\n"2\nb",'),
            "quoted cells": rows("yes", '"a ""yes"", surely"', "ann", "'ann'"),
            "words for nothing": rows("1,ann,yes", "1,ann,NA", "2,bob,no", "2,bob,."),
            "rows of nobody": PLAIN + ",,\n9,,\n,ann,\n9,bob,\n",
            "numbers written twice": rows("yes", "1", "bob,no", "bob,2.0", "ann,no", "ann,2"),
            "true and false": rows("yes", "True", "no\n", "False\n"),
            "decimal commas": PLAIN.replace(",", ";")
            .replace("yes", "1,5")
            .replace("no\n", "2,5\n"),
            "vertical bars": PLAIN.replace(",", "|"),
            "a title": "Of 2024\n\n" + PLAIN,
            "rows that begin like comments": rows("\n1,", "\n#1,"),
            "blank lines": rows("\n3,ann", "\n\n\n3,ann") + "\n",
            "carriage returns": PLAIN.replace("\n", "\r\n"),
            "usual names of columns": PLAIN.replace(HEAD, " ID ,Worker,Answer"),
            "a column without a name": PLAIN.replace("\n", ",\n"),
            "labels that differ in case": rows("bob,yes", "bob,YES"),
            "other scripts": rows("ann", "Änne 漢", "yes", "😀"),
            "brackets": rows("yes", "[", "no\n", "{\n"),
        }.items(),
    ),
)
def test_text(case: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(text.encode())
    as_read(file)
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    as_read(file)
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(text.encode("utf-16")))
    as_read(packed)


DAMAGED: Mapping[str, tuple[str | bytes, str]] = {
    "short row": (PLAIN + "7,ann\n", r"table.csv line 14: 2 cells where the header names 3"),
    "long row": (PLAIN + "7,ann,no,no\n", r"table.csv line 14: 4 cells where the header na"),
    "open quote": (PLAIN + '7,ann,"no\n', r"table.csv line 14: Value with unterminated quo"),
    "NUL": (PLAIN + "7,ann,n\0o\n", "table.csv line 14: a NUL byte"),
    "late NUL": (PLAIN + "7,ann,no\n" * (1 << 13) + "\0,ann,no\n", "table.csv: a NUL byte"),
    "latin-1": (
        PLAIN.encode() + b"7,ann,\xfc\n",
        "table.csv line 14: byte 1.. .* is not UTF-8",
    ),
    "late latin-1": (
        PLAIN.encode() + b"7,ann,no\n8,ann,no\n" * (1 << 11) + b"7,ann,\xfc\n",
        "table.csv line 4110: .* not utf-8",
    ),
    "line ends of two kinds": (
        PLAIN + PLAIN.removeprefix(HEAD).lstrip().replace("\n", "\r\n"),
        "table.csv has lines that end in different ways",
    ),
    "no rows": (HEAD + "\n", "no row has a label in 'label'"),
    "nothing": ("", "table.csv is empty"),
    "one column": (PLAIN.replace(",", ""), "table.csv has a single column"),
    "names over two lines": (PLAIN.replace("item", '"item\n"'), "spans several lines"),
    "a column twice": (f"{HEAD},label\n1,ann,no,no\n1,bob,no,no\n", "not unique"),
    "another column": (PLAIN.replace("label", "lable"), "(?s)'label'.*'lable'"),
    "no annotator": (PLAIN + "7,NA,yes\n", r"1 rating without 'annotator'.*table.csv row 13"),
    "no item": (PLAIN + " ,ann,yes\n", "1 rating without 'item'"),
    "twice": (PLAIN + "1,ann,no\n", "already rated the item, such as item '1' by 'ann'"),
    "lists": (
        PLAIN.replace("yes", '"[""a"", ""b""]"').replace("no\n", "[]\n"),
        "'label' holds lists of labels",
    ),
    "xz": (lzma.compress(PLAIN.encode()), "only gzip can be scanned among compressed files"),
    "gzip cut short": (
        gzip.compress(PLAIN.encode())[:-9],
        "table.csv is compressed and cannot",
    ),
}
"""Faults of a file: its content, and words of the message."""


@pytest.mark.parametrize(("content", "words"), DAMAGED.values(), ids=DAMAGED)
def test_damaged_text(content: str | bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(iaa.IaaError, match=words):
        iaa.scan(file, label="label")


ITEM, WHO = np.repeat(np.arange(20), 2), np.tile([0, 1], 20)
CODE = np.random.default_rng(1).integers(0, 2, 40)


def columns(**changed: object) -> Mapping[str, object]:
    usual = {"item": ITEM, "annotator": [f"u{who}" for who in WHO], "label": CODE}
    return usual | changed


DAY = datetime.datetime(2024, 1, 31)


@pytest.mark.parametrize(
    "changed",
    {
        "annotators are numbers": {"annotator": WHO},
        "small numbers": {"label": pa.array(CODE, pa.int8())},
        "labels with NaN": {"label": np.where(ITEM < 3, np.nan, CODE)},
        "items with NaN": {
            "item": np.where(ITEM == 3, np.nan, ITEM),
            "label": pa.array([None if i == 3 else "x" for i in ITEM]),
        },
        "single precision": {"label": pa.array(CODE / 10, pa.float32())},
        "bytes": {"label": [b"no" if code else b"yes" for code in CODE]},
        "decimals": {"label": [Decimal(int(code)) / 2 for code in CODE]},
        "true and false": {"label": CODE > 0},
        "dictionaries": {"label": pa.array([f"L{c}" for c in CODE]).dictionary_encode()},
        "beyond what floats hold": {"item": ITEM + 2**53, "label": CODE + 2**53},
        "beyond 63 bits": {"item": pa.array(ITEM.astype(np.uint64) + 2**63, pa.uint64())},
        "dates": {"label": [(DAY + datetime.timedelta(int(c))).date() for c in CODE]},
        "times": {"item": [DAY + datetime.timedelta(hours=int(i)) for i in ITEM]},
        "capital letters": {"Note": CODE},
    }.values(),
)
def test_columns_of_parquet(changed: Mapping[str, object], tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    parquet.write_table(pa.table(columns(**changed)), file)
    as_read(file)


@pytest.mark.parametrize(
    "by",
    [
        {"day": [None if i % 7 == 0 else int(i % 5) for i in ITEM]},
        {"day": ["" if i % 7 == 0 else f"d{99 - i % 5}" for i in ITEM]},
        {"day": [DAY + datetime.timedelta(int(i) // 4) for i in ITEM]},
        {"day": ITEM // 5 / 4, 'a "b"': [f"{i:03}" for i in 9 - ITEM // 9]},
        {"team": [f"team {who}" for who in WHO]},
    ],
)
def test_columns_that_are_kept(by: Mapping[str, object], tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    parquet.write_table(pa.table(columns(**by)), file)
    read = iaa.read(file, keep=list(by))
    of_items = [name for name in by if read[name].dims == ("item",)]
    assert_same(iaa.scan(file, by=list(by)), iaa.data.compress(read, by=of_items))


@pytest.mark.parametrize(
    "others",
    {
        "another order of columns": {
            name: columns()[name] for name in ("label", "annotator", "item")
        },
        "a further column": columns(note=CODE),
        "items as text": columns(item=[f"{i} " for i in ITEM]),
        "items as floats": columns(item=ITEM.astype(float), annotator=[f"v{w}" for w in WHO]),
        "labels as text": columns(label=[f"{c}.0" for c in CODE], annotator=[f"v{w}" for w in WHO]),
        "no label at all": columns(label=pa.nulls(40)),
        "short floats": columns(label=pa.array(CODE / 10, pa.float32())),
    }.values(),
)
def test_files_that_differ(others: Mapping[str, object], tmp_path: Path) -> None:
    """Of one kind or of two, and with a part without rows beside them."""
    first, second = pa.table(columns()), pa.table(others)
    cut = second if "v0" in second["annotator"].to_pylist() else second.slice(20)
    parquet.write_table(first.slice(0, 20) if cut.num_rows < 40 else first, tmp_path / "0.parquet")
    parquet.write_table(cut, tmp_path / "1.parquet")
    as_read(tmp_path / "0.parquet", tmp_path / "1.parquet")
    cut.to_pandas().to_csv(tmp_path / "2.csv", index=False)
    as_read(tmp_path / "0.parquet", tmp_path / "2.csv")
    parquet.write_table(first.slice(0, 0), tmp_path / "3.parquet")
    (tmp_path / "4.csv").write_text(HEAD + "\n")
    files = [tmp_path / name for name in ("0.parquet", "1.parquet", "3.parquet", "4.csv")]
    whole = iaa.scan(files)
    assert_same(whole, iaa.scan(files[:2]))
    assert "4.csv' have no rows; if they are damaged, their ratings" in whole.attrs["notices"]


def test_short_floats_are_what_they_are_written_as(tmp_path: Path) -> None:
    """Beside longer ones, in files of their own, and in frames."""
    files = [tmp_path / name for name in ("single.parquet", "double.parquet")]
    for who, (file, kind) in enumerate(zip(files, (pa.float32(), pa.float64()), strict=True)):
        given = {"item": ITEM[::2], "annotator": [f"u{who}"] * 20}
        table = pa.table({**given, "label": pa.array(CODE[who::2] / 10, kind)})
        parquet.write_table(table, file)
    for ratings in (
        iaa.read(files),
        iaa.scan(files),
        iaa.from_long(columns(label=(CODE / 10).astype(np.float32))),
        iaa.from_long(columns(label=(CODE / 10).astype(np.float16))),
    ):
        assert ratings.label.values.tolist() == [0.0, 0.1]
    as_read(*files)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    parquet.write_table(pa.table(columns(label=[b"\xff", b"a"] * 20)), file)
    for reader in (iaa.read, iaa.scan):
        with pytest.raises(iaa.IaaError, match=r"bytes that are not text|not valid UTF8"):
            reader(file)


def test_damaged_parquet(tmp_path: Path) -> None:
    file, damaged = tmp_path / "0.parquet", tmp_path / "1.parquet"
    parquet.write_table(pa.table(columns()), file)
    content = file.read_bytes()
    for wrong in (b"", content[:100], content[:-20], content[:60] + bytes(200) + content[260:]):
        damaged.write_bytes(wrong)
        with pytest.raises(iaa.IaaError, match=r"1\.parquet"):
            iaa.scan([file, damaged])
    parquet.write_table(pa.table(columns(Label=CODE)), file)
    with pytest.raises(iaa.IaaError, match="does not distinguish the columns 'label', 'Label'"):
        iaa.scan(file)
    parquet.write_table(pa.table(columns()).drop_columns("label"), damaged)
    parquet.write_table(pa.table(columns()), file)
    with pytest.raises(iaa.IaaError, match=r"1\.parquet has no column 'label'"):
        iaa.scan([file, damaged])
