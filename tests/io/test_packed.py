"""Files packed alone or in archives: read as what they are unpacked, and whole or not at all."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.archives import packed
from tests.fuzz.packing import ARCHIVES, cut, packed_alone
from tests.fuzz.said import said
from tests.fuzz.shapes import tarred
from tests.fuzz.workbooks import workbook
from tests.io.samples import HERE

Write = Callable[..., Path]

ROWS = {who: [[k, who, "xy"[k * n % 2]] for k in range(6)] for n, who in enumerate("abc", 1)}
HEADER = ["item", "annotator", "label"]


def text(*rows: list[object]) -> bytes:
    return "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


FILES = {f"{who}.csv": text(HEADER, *rows) for who, rows in ROWS.items()}
FLAT = text(HEADER, *(row for rows in ROWS.values() for row in rows))
STORED = zipfile.ZIP_STORED
KINDS = {
    **{f"t{ending}": make(FILES) for ending, make in ARCHIVES.items()},
    "t.csv.gz": gzip.compress(FLAT[:60]) + gzip.compress(FLAT[60:]),
    "t.csv.bz2": bz2.compress(FLAT[:60]) + bz2.compress(FLAT[60:]),
    "t.csv.xz": lzma.compress(FLAT[:60]) + bytes(8) + lzma.compress(FLAT[60:]),
    "packed.zip": packed({f"{name}.bz2": bz2.compress(data) for name, data in FILES.items()}),
    # the list of its members ends as that of the archive that it holds
    "nested.zip": packed({**FILES, "d.zip": packed({"a.csv": FILES["a.csv"]}, STORED)}, STORED),
    "t.xlsx": workbook({"s": [HEADER, *ROWS["a"], *ROWS["b"], *ROWS["c"]]}),
}


def test_what_was_cut_is_refused(write: Write) -> None:
    for name, data in KINDS.items():
        whole = iaa.read(write(data, name))
        assert whole.sizes["annotator"] == 3, name
        dice = random.Random(0)
        places = dice.sample(range(len(data)), 40)
        if name.endswith(".tar"):  # within and between headers, up to the block of zeros at its end
            places = [*range(0, 3584, 512), *[len(cut(name, data, dice)) for _ in range(40)]]
        for place in places:
            path = write(data[:place], name)
            try:
                read = iaa.read(path)
            except IaaError as error:
                assert name in str(error)  # noqa: PT017
            else:
                msg = f"{name} was read when cut at {place}: {dict(read.sizes)}"
                raise AssertionError(msg)


def test_the_end_of_an_archive(write: Write) -> None:
    tar, whole = tarred(FILES), iaa.read(write(KINDS["t.zip"], "t.zip"))
    end = len(tar.rstrip(b"\0")) // 512 * 512 + 512
    for name, data in {
        "t.tar": tar[: end + 512],  # GNU tar warns of a lone block of zeros
        "s.tar": tar + bytes(20_000),
        "t.tar.gz": gzip.compress(tar) + bytes(512),
        "t.tar.bz2": bz2.compress(tar) + bytes(512),
        "t.zip": KINDS["t.zip"] + bytes(512),
    }.items():
        assert iaa.read(write(data, name)).equals(whole), name
    lists = KINDS["t.zip"].split(b"PK\x01\x02")
    lists[-2] = lists[-2][:28] + (4 + len(lists[-1].split(b"PK")[0])).to_bytes(1) + lists[-2][29:]
    other = {"d.csv": text(HEADER, *([k, "d", label] for k, _, label in ROWS["a"]))}
    for name, data in {
        "t.tar": tar[:end],  # nothing says that there were not more
        "s.tar": tar + tarred(other),
        "header.tar": tar[:2048] + b"?" + tar[2049:],
        "t.zip": KINDS["t.zip"] + packed(other),
        "s.zip": KINDS["t.zip"] + b"?",
        "list.zip": b"PK\x01\x02".join(lists),  # the last member is said to be words on another
        "t.csv.gz": gzip.compress(FLAT) + b"?",
        "t.csv.bz2": bz2.compress(FLAT) + b"?",
        "s.csv.bz2": bz2.compress(FLAT[:60]) + b"?" + bz2.compress(FLAT[60:])[1:],
        "t.csv.xz": lzma.compress(FLAT) + b"?",
        "t.xlsx": KINDS["t.xlsx"] + packed(other),
    }.items():
        with pytest.raises(IaaError, match=rf"{name}.*(cut|damaged|follows|[Nn]ot|Invalid|before)"):
            iaa.read(write(data, name))


def test_a_packed_member_counts_as_what_it_is(tmp_path: Path) -> None:
    """Documents and annotators are named by files and folders, whose packing says nothing."""
    dice = random.Random(1)
    folders = sorted(path for path in HERE.glob("*/*") if path.is_dir())
    assert {path.parent.name for path in folders} >= {"brat", "inception", "doccano", "mmax2"}
    for number, path in enumerate(folders):
        copy = tmp_path / str(number) / path.name
        shutil.copytree(path, copy)
        files = sorted(file for file in copy.rglob("*") if file.is_file())
        for file in dice.sample(files, max(1, len(files) // 2)):
            name, data = packed_alone(file.name, file.read_bytes(), dice)
            file.with_name(name).write_bytes(data)
            file.unlink()
        for function in (iaa.read, iaa.read_spans):
            try:
                plain = said(function(path))
            except IaaError:
                with pytest.raises(IaaError):
                    function(copy)
            else:
                assert said(function(copy)) == plain, path


def test_a_pattern_of_names_and_a_file_beside_its_packed_one(tmp_path: Path) -> None:
    for who, label in (("ann", "x"), ("ben", "y")):
        data = text(["item", "label"], [1, label], [2, "x"])
        (tmp_path / f"{who}.csv.gz").write_bytes(gzip.compress(data))
    for pattern in ("{annotator}.csv", "{annotator}.csv.gz"):
        ratings = iaa.read(tmp_path, file_pattern=pattern, item="item", label="label")
        assert ratings["annotator"].values.tolist() == ["ann", "ben"]
    (tmp_path / "ann.csv").write_bytes(text(["item", "label"], [1, "x"], [2, "y"]))
    with pytest.raises(IaaError, match=r"'ann\.csv', 'ann\.csv\.gz' have the same name"):
        iaa.read(tmp_path, item="item", label="label")
