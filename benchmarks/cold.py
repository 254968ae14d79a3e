"""Whole processes from cold: imports, help, and `iaa agree`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from crowds import WITHOUT, cifar10n, data_folder, small
from processes import wall
from results import Line, Note, Target
from timing import in_turn

PEER = "import jax, xarray"


def cold(quick: bool) -> Iterator[Line | Note]:
    """The command line against the import of what it stands on, and against Python itself."""
    with tempfile.TemporaryDirectory() as name:
        folder, data = Path(name), data_folder()
        yield _line("import iaa_jax", Target(), partial(wall, ["-c", "import iaa_jax"]), quick)
        yield _line("iaa --help", Target(), partial(wall, ["-m", "iaa_jax", "--help"]), quick)
        works = [(small(folder), Target(1 / 1.6))]
        if data is None:
            yield Note(WITHOUT)
        elif not quick:
            works.append((cifar10n(data, folder), Target(1 / 5)))
        for crowd, target in works:
            agree = ["-m", "iaa_jax", "agree", *crowd.arguments]
            work = f"{crowd.name}, intervals, whole process"
            yield _line(f"{work}, first run", target, partial(_first_run, agree), quick)
            with tempfile.TemporaryDirectory() as cache:
                yield _line(f"{work}, cached", target, partial(wall, agree, Path(cache)), quick)


def _line(work: str, target: Target, call: Callable[[], float], quick: bool) -> Line:
    ours, theirs, limit = in_turn(
        1 if quick else 7, call, partial(wall, ["-c", PEER]), partial(wall, ["-c", "pass"])
    )
    return Line(work, ours, PEER, theirs, target, "python -c pass", limit)


def _first_run(command: list[str]) -> float:
    with tempfile.TemporaryDirectory() as empty:
        return wall(command, Path(empty))
