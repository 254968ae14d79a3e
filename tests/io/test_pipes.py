"""What comes through a pipe is read once, and then as a file is."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read
from tests.archives import packed
from tests.io.alike import alike

TEXT = "item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n"
JSON = '[{"item": 1, "annotator": "a", "label": "x"}, {"item": 1, "annotator": "b", "label": "y"}]'


@pytest.mark.parametrize("data", [TEXT.encode(), packed({"t.csv": TEXT}), JSON.encode()])
def test_standard_input(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    file = read(write(data, "t.json" if data.startswith(b"[") else "t.csv"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert alike(read("-"), file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of POSIX")
def test_named_pipes(tmp_path: Path, write: Callable[..., Path]) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(TEXT))
    writer.start()
    ratings = read([path])
    writer.join()
    assert alike(ratings, read(write(TEXT)))


def test_messages_name_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{TEXT}2,b,y\n".encode())))
    with pytest.raises(IaaError, match=r"standard input line 6 \(item 2, annotator 'b'\) repea"):
        read("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(IaaError, match="standard input is empty"):
        read("-")
