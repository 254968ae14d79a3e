"""Where records begin: the fast scan, the csv module and pandas must agree."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from iaa_jax import IaaError
from iaa_jax.io.table import content as module
from iaa_jax.io.table.content import SAMPLE, content, records

TEXT = b"id,a,b\n1,x,y\n2,y,y\n"


@given(st.text(alphabet='a,"\n \t', max_size=30))
def test_the_scan_finds_what_the_csv_module_finds(text: str) -> None:
    data = text.encode()
    scanned = module._scanned(data, ",")
    if scanned is not None:
        parsed = module._parsed(data, ",")
        for one, other in zip(scanned, parsed, strict=True):
            # a line such as '" "' is one cell for the scan, and blank for the csv module
            assert one[scanned.cells > 1].tolist() == other[parsed.cells > 1].tolist()


@given(
    st.lists(
        st.lists(st.text(alphabet='ab,;"\n é\t|', max_size=5), min_size=2, max_size=4), min_size=1
    ),
    st.sampled_from(",;\t|"),
    st.booleans(),
)
def test_written_tables_are_scanned(rows: list[list[str]], delimiter: str, quote: bool) -> None:
    text = io.StringIO(newline="")
    style = csv.QUOTE_ALL if quote else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator="\n", quoting=style).writerows(rows)
    data = text.getvalue().encode()
    found = module._scanned(data, delimiter)
    assert found is not None
    assert found.cells.tolist() == [len(row) for row in rows]
    starts = np.cumsum([1] + [1 + sum(cell.count("\n") for cell in row) for row in rows[:-1]])
    assert found.lines.tolist() == starts.tolist()


@given(st.text(alphabet='a"\n', max_size=30))
def test_the_last_whole_record_ends_where_quotes_are_even(text: str) -> None:
    data = text.encode()
    ends = [
        k + 1 for k, letter in enumerate(text) if letter == "\n" and text[:k].count('"') % 2 == 0
    ]
    assert module.last_end(data) == max(ends, default=0)
    assert (module.line_ends(data) + 1).tolist() == ends


@pytest.mark.parametrize(
    "data",
    [b'a,b\n5" nail,x\n6" nail,y\n', b'a,b\n"x" ,y\n1,2\n', b'a,b\n"x,y\n', b'a,b\nx"",y\n'],
)
def test_unusual_quotes_are_left_to_the_csv_module(data: bytes) -> None:
    assert module._scanned(data, ",") is None
    assert records(data, ",") is not None


def test_quotes_inside_cells_are_plain_characters() -> None:
    found = records(b'a,b\n5" nail,x\n6" nail,y\n', ",")
    assert found.cells.tolist() == [2, 2, 2]
    assert found.lines.tolist() == [1, 2, 3]


def test_very_long_cells() -> None:
    before = csv.field_size_limit()
    found = records(b'a,b\n x"' + b"y" * 200_000 + b",1\n", ",")
    assert found.cells.tolist() == [2, 2]
    assert csv.field_size_limit() == before


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_newlines_of_every_system(tmp_path: Path, end: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT.decode().replace("\n", end).encode())
    assert content(path) == TEXT


def test_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT)
    assert content(path) == TEXT


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(pack(TEXT))  # type: ignore[operator]
    assert content(path) == TEXT
    assert content(path, 8) == b"id,a,b\n"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(IaaError, match=r"t\.csv is compressed and cannot be unpacked"):
        content(path)


def test_a_sample_holds_whole_lines_and_characters(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,é\n" * SAMPLE, encoding="utf-8")
    sample = content(path, SAMPLE)
    assert SAMPLE - 5 <= len(sample) <= SAMPLE
    assert sample.endswith("é\n".encode())
    path.write_text("é" * SAMPLE + ",b\n1,2\n", encoding="utf-8")
    assert content(path, SAMPLE).endswith(b"1,2\n")
