"""What a scan spilled goes with it, however it ends; and columns and files that it cannot take."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import iaa_jax as iaa
from iaa_jax.scale import database

WAITS = """
import signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it, and so does what nohup starts
from iaa_jax.scale.database import spill_folder
before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
if sys.argv[1] == "program":
    from iaa_jax.cli.interrupts import listen
    listen()
with spill_folder() as folder:
    open(f"{folder}/spilled", "w").close()
    assert sys.argv[1] == "program" or before == {n: signal.getsignal(n) for n in before}
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_run_that_was_ended_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(database, "_NEW", -1.0)
    for who, name, is_left in (
        ("program", "SIGTERM", False),
        ("program", "SIGHUP", False),
        ("program", "SIGINT", False),
        ("library", "SIGINT", False),
        ("library", "SIGTERM", True),  # which a library does not hear
        ("program", "SIGKILL", True),
    ):
        child = subprocess.Popen(
            [sys.executable, "-c", WAITS, who],
            env={**os.environ, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert child.stdout is not None
        folder = Path(child.stdout.readline().strip())
        assert folder.parent == tmp_path
        database.remove_left()
        assert (folder / "spilled").exists(), "of a run that goes on nothing is removed"
        child.send_signal(getattr(signal, name))
        child.communicate(timeout=30)
        assert folder.exists() == is_left, (who, name)
        database.remove_left()
        assert not folder.exists()


def test_words_for_what_cannot_be_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"item": [1, 1, 2, 2], "annotator": [*"abab"], "label": [*"xxxy"]}
    text = "item,annotator,label\n1,a,x\n1,b,x\n2,a,x\n2,b,y\n"
    monkeypatch.chdir(tmp_path)
    Path("s3:/h").mkdir(parents=True)
    for name in ("t.csv", "s3:/h/x.csv", "a\\*b.csv", "\udcff.csv"):
        Path(name).write_text(text)
    pq.write_table(pa.table({**columns, "File_Row_Number": [1] * 4}), "number.parquet")
    pq.write_table(pa.table({**columns, "": [1] * 4}), "nameless.parquet")
    assert iaa.scan("s3://h/x.csv").equals(
        iaa.scan("t.csv").assign_attrs(iaa.scan("s3:/h/x.csv").attrs)
    )
    assert iaa.scan("nameless.parquet")["item_weight"].values.tolist() == [1, 1]
    for options, words in (
        ({"paths": "number.parquet"}, "'file_row_number', and the file has a column of this name"),
        ({"paths": "nameless.parquet", "item": ""}, "without a name"),
        ({"paths": "t.csv", "by": 'a"b'}, r"no column 'a\"b' \(named by by\)"),
        ({"paths": "a\\*b.csv"}, "rename it without backslashes"),
        ({"paths": "\udcff*.csv"}, "its name is not valid UTF-8: rename it"),
    ):
        with pytest.raises(iaa.IaaError, match=words):
            iaa.scan(**options)


def test_a_long_parquet_file_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 1_000_000
    table = pa.table(
        {"item": pa.array(range(rows)), "annotator": ["a"] * rows, "label": ["x"] * rows}
    )
    pq.write_table(table, tmp_path / "t.parquet")
    monkeypatch.setattr(
        "iaa_jax.io.table.parquet._plain", lambda batch: batch if len(batch) < 5000 else 1 / 0
    )
    with pytest.raises(iaa.IaaError, match=r"more than 15 MB.*max_megabytes=150; or .* iaa\.scan"):
        iaa.read(tmp_path / "t.parquet", max_megabytes=15)
