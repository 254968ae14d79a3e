"""A file that changes while it is read: one of its states is read, or it is refused."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pandas as pd
import pytest

from iaa_jax import IaaError, read
from tests.archives import packed

Write = Callable[..., Path]

ROWS = [
    {"item": i, "annotator": k + 1, "label": (k + 1) % 3 + 1} for i in range(9) for k in range(3)
]
TURNED = [{name: row[name] for name in ("item", "label", "annotator")} for row in ROWS]
OPENS = 5  # more than any format takes


FORMATS: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "t.csv": lambda rows: rows.to_csv(index=False).encode(),
    "t.csv.gz": lambda rows: gzip.compress(rows.to_csv(index=False).encode()),
    "t.json": lambda rows: rows.to_json(orient="records").encode(),
    "t.jsonl": lambda rows: rows.to_json(orient="records", lines=True).encode(),
    "t.parquet": lambda rows: rows.to_parquet(),
    "t.zip": lambda rows: packed({"t.csv": rows.to_csv(index=False)}),
}


@contextmanager
def refusing(message: str) -> Iterator[None]:
    """Let what is inside be refused with a message, if at all."""
    try:
        yield
    except IaaError as error:
        if message not in str(error):
            raise


def changes_before(monkeypatch: pytest.MonkeyPatch, count: int, change: Callable[[], None]) -> None:
    """Change a file before a file is opened for the so-and-so-many-th time."""
    opened, opens = Path.open, [0]

    def watched(self: Path, *args: Any, **options: Any) -> IO[Any]:
        opens[0] += 1
        if opens[0] == count:
            change()
        return opened(self, *args, **options)

    monkeypatch.setattr(Path, "open", watched)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("before", range(2, OPENS + 1))
@pytest.mark.parametrize("way", ["in place", "replaced"])
def test_rewritten_between_two_looks(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str, before: int, way: str
) -> None:
    old, new = (FORMATS[name](pd.DataFrame(rows)) for rows in (ROWS, TURNED))
    expected = read(write(old, name))
    path = write(old, name)

    def change() -> None:
        if way == "replaced":
            os.replace(write(new, f"other-{name}"), path)
        else:
            path.write_bytes(new)

    changes_before(monkeypatch, before, change)
    with refusing(f"{name} was changed while it was read: another program still writes it"):
        assert read(path).identical(expected)


@pytest.mark.parametrize("size", [600_000, 100])
def test_written_on_while_the_rows_are_read(write: Write, size: int) -> None:
    rows = [f"{item},{who},x\n" for item in range(size) for who in "ab"]
    path = write("item,annotator,label\n" + "".join(rows))
    changed = []

    def progress(done: int, total: int) -> None:
        if not changed:
            changed.append(done)
            with path.open("r+b") as file:
                file.seek(-5, io.SEEK_END)
                file.write(b",b,y\n")

    with refusing("t.csv was changed while it was read: another program still writes it"):
        assert read(path, progress=progress)["label"].values.tolist() == ["x"]
