"""The text of a file, whole and in blocks, and its records."""

from __future__ import annotations

import bz2
import csv
import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from iaa_jax import IaaError
from iaa_jax.io.table.content import SAMPLE, blocks, content
from iaa_jax.io.table.splitting import rows

TEXT = b"id,a,b\n1,x,y\n2,y,y\n"


def text_in_blocks(path: Path, size: int, encoding: str | None = None) -> bytes:
    found = list(blocks(path, size, encoding))
    assert all(0 < len(block) <= size for block in found)
    return b"".join(found)


@given(
    st.lists(st.sampled_from([*"ab,", "\n", "\r", "\r\n", '"', "\u00e9", "\u3000"]), max_size=40),
    st.integers(8, 20),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
)
def test_blocks_are_the_text_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, letters: list[str], size: int, encoding: str
) -> None:
    text = "".join(letters).replace("\u3000", "-" if encoding == "latin-1" else "\u3000")
    path = tmp_path_factory.mktemp("blocks") / "t.csv"
    path.write_bytes(text.encode(encoding))
    told = "latin-1" if encoding == "latin-1" else None
    assert text_in_blocks(path, size, told) == content(path, encoding=told)
    assert content(path, encoding=told).decode() == text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize(
    "bad", [b"\0", b"\xff", b"\xc3", b"\xc3\n", b"\xe3\x80", b"\x80\x80", "\u00e9".encode()[:1]]
)
@pytest.mark.parametrize("after", [b"", b"\r\n1,2\n"])
def test_blocks_that_are_no_text(tmp_path: Path, bad: bytes, after: bytes) -> None:
    path = tmp_path / "t.csv"
    for before in range(20):
        path.write_bytes(b"\n" * before + bad + after)
        with pytest.raises(IaaError) as whole:
            content(path)
        with pytest.raises(IaaError) as cut:
            text_in_blocks(path, 8)
        assert str(cut.value) == str(whole.value)
        assert f"line {before + 1}" in str(cut.value)


def test_very_long_cells() -> None:
    before = csv.field_size_limit()
    found = list(rows(["a,b\n", ' x"' + "y" * 200_000 + ",1\n"], ","))
    assert [(line, len(row)) for line, row in found] == [(1, 2), (2, 2)]
    assert csv.field_size_limit() == before


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
