"""Arrow and the csv module, which explains, give the same: cells, lines and refusals."""

from __future__ import annotations

import csv
import gzip
import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, strategies as st

from iaa_jax import IaaError, read
from iaa_jax.io.table import delimited
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.coded import coded_cells, item_names, known_cells, text_column
from iaa_jax.io.table.content import Piped
from iaa_jax.io.table.source import Source
from tests.io.alike import alike

Write = Callable[..., Path]

SPLIT = delimited._split
LONG = "item,annotator,label\n"


class Way:
    """One of the two ways to split text, and whether Arrow was the one."""

    def __init__(self, *, arrow: bool, block: int) -> None:
        self.arrow, self.block, self.was_arrow = arrow, block, False

    def split(self, *given: object) -> object:
        columns = SPLIT(*given) if self.arrow else None  # type: ignore[arg-type]
        self.was_arrow |= columns is not None
        return columns

    def outcome(self, work: Callable[[], object]) -> object:
        """What the work gives, or the message that refuses it."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(delimited, "BLOCK", self.block)
            patch.setattr(delimited, "SHORT", 0)
            patch.setattr(delimited, "_split", self.split)
            try:
                return work()
            except IaaError as error:
                return str(error)


def cells_and_lines(data: bytes) -> object:
    source = Source(Piped("t.csv", data))
    names = list(dict.fromkeys(delimited.head(source).names))
    table = delimited.table(source, names)
    columns = [known_cells(table.column(name), BLANK)[0] for name in names]
    lines = [table.where(row) for row in range(table.rows)]
    return [(codes.tolist(), cells) for codes, cells in columns], lines


def both(data: bytes, block: int) -> tuple[object, bool]:
    """What both ways give, and whether Arrow could."""
    quickly = Way(arrow=True, block=block)
    found = quickly.outcome(lambda: cells_and_lines(data))
    assert found == Way(arrow=False, block=block).outcome(lambda: cells_and_lines(data))
    return found, quickly.was_arrow


cell = st.text(alphabet='ab01.7\u00e9 \t\v"\n,\u3000\u0085', max_size=12)
tables = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.tuples(*[cell] * width), min_size=2, max_size=40)
)
block_sizes = st.one_of(st.integers(100, 400), st.just(1 << 20))


@given(
    tables,
    block_sizes,
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_tables_as_they_are_written(
    table: list[tuple[str, ...]], block: int, newline: str, style: int
) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=newline, quoting=style).writerows(  # type: ignore[arg-type]
        [[f"c{place}" for place in range(len(table[0]))], *table]
    )
    found, was_arrow = both(text.getvalue().encode(), block)
    assert isinstance(found, tuple)
    columns, _ = found
    assert was_arrow or any(len(str(row).encode()) > block - 50 for row in table)
    for (codes, cells), column in zip(columns, zip(*table, strict=True), strict=True):
        stripped = [text.strip() for text in column]
        assert [cells[code] if code >= 0 else "" for code in codes] == stripped
        assert cells == [text for text in dict.fromkeys(stripped) if text]


PIECES = [
    *"ab1;,, \t'#\\\v\f",
    *',,""',
    "\n",
    "\n",
    "\r",
    "\r\n",
    '""',
    '",',
    '\n"',
    "\u00e9",
    "\u3000",
]
BYTES = [piece.encode() for piece in PIECES] + [b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf"]
DAMAGED = st.one_of(
    st.lists(st.sampled_from(BYTES[:-4]), max_size=60),
    st.lists(st.sampled_from(BYTES), max_size=30),
).map(b"".join)


@given(
    st.sampled_from([b"", b"a,b\n", b"\n\na\tb\n", b'"a\nx",b\r\n']), DAMAGED, st.integers(8, 100)
)
@example(b"a,b\n", b'1,2\n"', 1000)
@example(b"a,b\n", b'1,"x', 1000)
@example(b"a\tb\n", b"1\t2\n\t \t\n \n", 1000)
@example(b"a,b\n", b'1,"x"y"z\n1,x""\n', 1000)
@example(b"a,b\n", b'1,2\n" "\n""\n', 1000)
@example(b"a,b\n", b"\xef\xbb\xbf1,2\n" * 20, 8)
def test_whatever_stands_in_the_file(header: bytes, rest: bytes, block: int) -> None:
    both(header + rest, block)


def test_a_newline_in_quotes_where_a_block_ends() -> None:
    rows = "".join(f'{k},"x\ny{k}"\n' for k in range(30))
    plain = "".join(f"{k},x\n" for k in range(30))
    expected = both(f"a,b\n{plain}{rows}".encode(), 1 << 20)
    for block in range(40, 120):
        assert both(f"a,b\n{plain}{rows}".encode(), block) == expected


@pytest.mark.parametrize(
    "cells",
    [
        ["b", "a", "b", "c"],  # a byte each
        ["é", "e", "é"],
        ["b", "", "a", "b"],
        ["10", "10", "2", "10"],  # runs
        ["3", None, None, "3"],
        ["", ""],
    ],
)
@pytest.mark.parametrize("part", [1, 2, 4])
def test_cells_are_numbered_by_their_first_rows(cells: list[str | None], part: int) -> None:
    known = list(dict.fromkeys(cell for cell in cells if cell))
    expected = [known.index(cell) if cell else -1 for cell in cells]
    for kind in (pa.string(), pa.dictionary(pa.int32(), pa.string())):
        parts = [cells[k : k + part] for k in range(0, len(cells), part)]
        column = [coded_cells(pa.array(rows, pa.string()).cast(kind)) for rows in parts]
        (codes, distinct), _ = known_cells(column, BLANK)
        assert (codes.tolist(), distinct) == (expected, known)


@given(st.lists(st.text("aé19", max_size=3), max_size=8))
@example(["a9", "a10", "a10", "a9"])
@example(["9", "10", "10", "11"])
def test_ids_in_order_are_numbered_as_others_are(ids: list[str]) -> None:
    for rows in (ids, sorted(ids), sorted(ids, key=lambda text: (len(text.encode()), text))):
        codes, names = item_names(text_column(rows))
        found = ["" if code < 0 else str(names[code]) for code in codes.tolist()]
        assert found == rows
        assert [str(name) for name in names] == list(dict.fromkeys(filter(None, rows)))


def test_blanks_are_those_of_python() -> None:
    letters = [chr(k) for k in range(sys.maxunicode + 1) if not 0xD800 <= k < 0xE000]
    (codes, cells), _ = known_cells(text_column([f"x{letter}" for letter in letters]), BLANK)
    assert [cells[code] for code in codes] == [f"x{letter}".strip() for letter in letters]


TRICKY = {
    "plain": LONG + "1,ann,x\n1,bob, y\n2,ann,\n2,bob,NA\n 1,cy,é",
    "tabs": "id\tann\tbob\n007\t1\t1.0\n7\t\t2\n\xa07.0\t2\t1\n",
    "zeros": LONG + "07,a,1\n07,b,1.0\n7,a,01\n7,b,2\n0,a,1\n0,b,1\n00,a,1\n00,b,2\n",
    "commas": "item;annotator;label\n1;a;3,5\n1;b;4\n2;a;4\n2;b;4,25\n",
    "mixed": LONG + "1,a,1\n1,b,x\n2,a,1.0\n2,b,x\n",
    "missing": LONG + "1,a,*\n1,b,.\n1,c,null\n1,d,x\n1,e,y\n2,NA,\n,,\nNA,a,x\nNA,b,-1\n",
    "returns": (LONG + "1,a,x\n1,b,y\n\n").replace("\n", "\r\n"),
    "mixed returns": LONG + "1,a,x\r\n1,b,y\n2,a,x\r\n",
    "old returns": (LONG + "1,a,x\n1,b,y\n").replace("\n", "\r"),
    "a return inside": LONG + "1,a,x\n1,b,\ry\n",
    "mark": "\ufeff" + LONG + "1,a,x\n1,b,y\n",
    "blank lines": LONG + "1,a,x\n\n1,b,y\n \t\n2,a,x\n\n\n",
    "blank lines at the end": LONG + "1,a,x\n1,b,y\n\n\n\n",
    "blanks at the end": LONG + "1,a,x\n1,b,y\n \n",
    "quotes": LONG + '1,"a",x\n1,b,"x"\n2,a,"y"""\n2,b,"1\n2"\n',
    "quoted": LONG + '"1",a,"x"\n1,b," x "\n2,"a","y"""\n"2",b,""\n3,a,"1,2"\n3,"b",""""\n',
    "quoted returns": (LONG + '"1",a,"x"\n1,b,y\n2,"a","y"\n').replace("\n", "\r\n"),
    "quoted text": 'item,"te""xt",annotator,label\n' + "".join(
        f'{k},"some, text\n""{k}"" {"more " * (k % 9)}",{a},{k % 3}\n'
        for k in range(40) for a in "ab"
    ),
    "stray quotes": LONG + '1,5" nail,x\n1,b,y\n2,5" nail,x\n',
    "open quotes": LONG + '1,a,x\n1,b,"y\n2,a,x\n',
    "ragged": LONG + "1,a,x\n1,b\n1,c,d,e\n",
    "balanced": LONG + "1,a,x\n1,b\n1,c,x,y\n2,b,x\n",
    "zero byte": LONG + "1,a,x\n1,b,\0y\n",
    "repeats": LONG + "1,a,x\n1,b,y\n1,a,y\n",
    "words": LONG + "".join(
        f"{'x' * k}{i}{'é' * (k % 3)},{'annotator' * (k % 4)}{a},{'label' * (i % 4)}{a}\n"
        for i in range(4) for k in range(40) for a in range(3)
    ),
    "long cells": LONG + "".join(f"{'text ' * k},{a},x\n" for k in range(1, 100) for a in "ab"),
    "huge cells": LONG + "".join(f"{'text ' * 300}{k},{a},x\n" for k in range(9) for a in "ab"),
    "many": LONG + "".join(f"{i % 700},rater {i // 700},{i * i % 5}\n" for i in range(7000)),
    "shuffled": LONG + "".join(
        f"{i * 7919 % 7001 // 7},{i * 7919 % 7001 % 7 + 1},label {i % 100}\n" for i in range(6999)
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", TRICKY)
@pytest.mark.parametrize("options", [{}, {"missing": "-1"}, {"duplicates": "last"}])
def test_tricky_files(write: Write, name: str, options: dict[str, str]) -> None:
    path = write(TRICKY[name])
    for block in (1 << 20, 60, 4000):
        arrow = Way(arrow=True, block=block)
        quickly = arrow.outcome(lambda: read(path, **options))  # type: ignore[arg-type]
        slowly = Way(arrow=False, block=block).outcome(lambda: read(path, **options))  # type: ignore[arg-type]
        if isinstance(quickly, str):
            assert quickly == slowly
        else:
            assert quickly.identical(slowly)  # type: ignore[attr-defined]
            for coordinate in ("item", "annotator", "label"):
                one, other = (np.asarray(d[coordinate]) for d in (quickly, slowly))  # type: ignore[index]
                assert one.dtype == other.dtype
                assert one.tolist() == other.tolist()
        if block == 1 << 20:
            refused = {"a return inside", "open quotes", "ragged", "balanced", "zero byte"}
            assert arrow.was_arrow == (name not in refused)


def test_other_encodings_and_packed_files(write: Write) -> None:
    text = LONG + "".join(f"ü{k},{a},x\n" for k in range(50) for a in "ab")
    plain = read(write(text))
    for data, options in (
        (gzip.compress(text.encode()), {}),
        (text.encode("utf-16"), {}),
        (text.encode("latin-1"), {"encoding": "latin-1"}),
    ):
        assert alike(read(write(data, "u.csv"), **options), plain)  # type: ignore[arg-type]


def test_a_packed_file_that_breaks_off(write: Write) -> None:
    text = LONG + "".join(f"{k * 7919 % 10007},{a},x\n" for k in range(40_000) for a in "ab")
    path = write(gzip.compress(text.encode())[:-20_000])
    with pytest.raises(IaaError, match=r"t\.csv is compressed and cannot be unpacked"):
        read(path)


def test_what_arrow_cannot_split_is_split_all_the_same(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "BLOCK", 100)
    path = write(LONG + "1,a,x\n1,b,y\n2,a," + "z" * 1000 + "\n")
    assert read(path).sizes["label"] == 3


def test_chunks_of_one_column_are_one(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"t{k % 2000}", f"a{k // 2000}", f"{k % 7}") for k in range(20_000)]
    path = write(LONG + "".join(",".join(row) + "\n" for row in rows))
    threads, cores = threading.active_count(), pa.cpu_count()
    whole = read(path)
    monkeypatch.setattr(delimited, "BLOCK", 20_000)
    assert alike(read(path), whole)
    assert threading.active_count() == threads
    pa.set_cpu_count(1)
    try:
        assert alike(read(path), whole)
    finally:
        pa.set_cpu_count(cores)
    assert whole["item"].values.tolist() == [f"t{k}" for k in range(2000)]
    values = whole["label"].values[whole["primary"].values]
    assert all(values[int(item[1:]), int(rater[1:])] == int(label) for item, rater, label in rows)
