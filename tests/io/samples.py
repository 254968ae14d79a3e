"""Samples of exports: those beside the tests, and those that the data folder has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from iaa_jax.io.base import Options
from iaa_jax.io.choosing import ToolFiles
from iaa_jax.io.request import FileRequest

HERE = Path(__file__).parent / "samples"
DATA = os.environ.get("IAA_JAX_DATA")


def samples(*, vendored: bool = False) -> list[Path]:
    """What was exported at once each: a file, or a folder."""
    return [*_in(HERE), *(_in(Path(DATA).parent / "formats") if DATA and not vendored else [])]


def _in(folder: Path) -> Iterator[Path]:
    for tool in sorted(folder.iterdir()) if folder.is_dir() else []:
        if tool.is_dir():
            yield from (each for each in sorted(tool.iterdir()) if each.suffix != ".md")


def name_of(path: Path) -> str:
    """A sample as tests name it."""
    return f"{path.parent.name}/{path.name}"


def questions(path: Path) -> Iterator[tuple[str, int]]:
    """The questions of an export, and how many judgements each has."""
    asked = FileRequest(path, Options())
    with asked.opened() as chosen:
        if isinstance(chosen, ToolFiles):
            for question in chosen.export(asked.options).questions.values():
                yield question.name, len(question.items)
