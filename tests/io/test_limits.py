"""Files that unpack to more than memory holds, pipes that never end, and lines without an end."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from iaa_jax import IaaError, read
from iaa_jax.io.table import content, delimited, splitting
from tests.archives import packed
from tests.room import in_memory

Write = Callable[..., Path]

ROWS = "item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
HUGE = ROWS.encode() + b",,\n" * 2_000_000  # 6 MB


@pytest.fixture(scope="module")
def packed_files() -> dict[str, bytes]:
    return {
        "t.csv.gz": gzip.compress(HUGE),
        "t.csv.bz2": bz2.compress(HUGE, 1),
        "t.csv.xz": lzma.compress(HUGE, preset=0),
        "t.zip": packed({"0.csv": HUGE}),
        "t.jsonl.gz": gzip.compress(b'{"item": 1}\n' * 500_000),
        "t.json.gz": gzip.compress(b" " * 6_000_000),
        "zeros.csv.gz": gzip.compress(bytes(6_000_000)),
        "utf.csv.gz": gzip.compress(HUGE.decode().encode("utf-16")),
        "two.zip": packed({"0.csv": HUGE[:1_500_000], "1.csv": HUGE[:1_500_000]}),
        "gz.zip": packed({"0.csv": gzip.compress(HUGE)}),
    }


def test_packed_files_are_unpacked_up_to_a_limit(
    write: Write, packed_files: dict[str, bytes]
) -> None:
    for name, data in packed_files.items():
        with pytest.raises(IaaError, match=r"holds more than 2 MB.* as in max_megabytes=20"):
            read(write(data, name), max_megabytes=2)


def test_what_is_allowed_is_read(write: Write, packed_files: dict[str, bytes]) -> None:
    for name in ("t.csv.gz", "t.zip"):
        assert read(write(packed_files[name], name), max_megabytes=7).sizes["item"] == 2
    # a plain file is as large as it is
    assert read(write(HUGE), max_megabytes=1).sizes["item"] == 2


def test_a_bomb_takes_little_memory(write: Write) -> None:
    path = write(gzip.compress(b"1,a,x\n" * 20_000_000, 1), "t.csv.gz")
    with in_memory(40_000_000), pytest.raises(IaaError, match="holds more than 3 MB"):
        read(path, max_megabytes=3)


@pytest.mark.slow
def test_a_parquet_file_whose_rows_take_far_more_room_than_it(write: Write) -> None:
    frame = pd.DataFrame({"item": [1] * 200_000, "annotator": "a" * 50, "label": "x" * 50})
    path = write(frame.to_parquet(), "t.parquet")
    assert path.stat().st_size < 100_000
    with pytest.raises(IaaError, match="holds more than 5 MB"):
        read(path, max_megabytes=5)
    frame = pd.DataFrame({"item": [1, 2] * 1000, "annotator": ["a"] * 1000 + ["b"] * 1000})
    frame["label"] = pd.Categorical(["x" * 1_000_000] * 2000)
    path = write(frame.to_parquet(), "t.parquet")
    with in_memory(60_000_000):  # of 2 GB if each row had a text of its own
        assert read(path, duplicates="first").sizes["label"] == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device of POSIX")
def test_devices_that_never_end() -> None:
    with in_memory(20_000_000), pytest.raises(IaaError, match="/dev/zero holds more than 3 MB"):
        read("/dev/zero", max_megabytes=3)


def test_standard_input_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HUGE)))
    with pytest.raises(IaaError, match="standard input holds more than 3 MB"):
        read("-", max_megabytes=3)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "2", None])
def test_a_limit_is_a_whole_number(write: Write, limit: object) -> None:
    with pytest.raises(IaaError, match="max_megabytes must be a whole number of 1 or more"):
        read(write(ROWS), max_megabytes=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x" * 3_000_000, "t.csv line 1: longer than 1 MB, which is no row of a table"),
        ("x," * 1_500_000, "t.csv line 1: longer than 1 MB, which is no row of a table"),
        (f"{ROWS}3,a,{'x' * 3_000_000}\n", "t.csv: line 6: a cell of more than 1 MB"),
        (f"{ROWS}3,a,{'x' * 3_000_000}", "t.csv: line 6: a cell of more than 1 MB"),
        (f'{ROWS}3,a,"{"x," * 1_500_000}"\n', "t.csv: line 6: a cell of more than 1 MB"),
        (f'{ROWS}3,a,"x\n{ROWS * 80_000}', "t.csv: line 6: a cell of more than 1 MB"),
    ],
)
def test_lines_without_an_end(
    write: Write, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    for module in (content, delimited, splitting):
        monkeypatch.setattr(module, "LONGEST", 1_000_000)
    path = write(text)
    with in_memory(12 * len(text)), pytest.raises(IaaError) as caught:
        read(path)
    assert message in str(caught.value)


def test_the_longest_line_is_far_longer_than_any_row() -> None:
    assert content.LONGEST == 1 << 24


ADVICE = "there is not enough memory to read this; leave rows and fields that are not needed out"
SHORT_OF_MEMORY = """
import resource, sys
import iaa_jax
from iaa_jax.cli.app import main
iaa_jax.read(sys.argv[1])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20),) * 2)
sys.argv = ["iaa", "agree", sys.argv[2]]
main()
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured on Linux")
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_memory_that_ends_is_said_in_a_line(tmp_path: Path, ending: str) -> None:
    rows = [f'{{"item": {k // 3}, "annotator": "a{k % 3}", "label": "x"}}' for k in range(300_000)]
    small, large = tmp_path / f"small.{ending}", tmp_path / f"large.{ending}"
    for path, some in ((small, rows[:6]), (large, rows)):
        text = "\n".join(some) if ending == "jsonl" else f"[{','.join(some)}]"
        path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SHORT_OF_MEMORY, small, large],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(f"iaa: {large}: {ADVICE}")
    assert done.stderr.count("\n") == 1


def test_memory_that_ends_in_python(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def ends(*_: object) -> None:
        raise MemoryError

    paths = [write(ROWS, f"{k}.csv") for k in range(4)]
    monkeypatch.setattr(delimited, "_explained", ends)
    with pytest.raises(IaaError, match=ADVICE) as caught:
        read(paths)
    assert str(caught.value).startswith(f"{paths[0]}, {paths[1]}, {paths[2]} and 1 more: ")
