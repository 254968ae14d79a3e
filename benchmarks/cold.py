"""Whole processes from cold: imports, help, and `iaa agree`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from crowds import small
from processes import wall
from results import Line, Target
from timing import in_turn

PEER = "import jax, xarray"


def cold(quick: bool) -> Iterator[Line]:
    """The command line against the import of what it stands on, and against Python itself."""
    with tempfile.TemporaryDirectory() as folder:
        crowd = small(Path(folder))
        agree = ["-m", "iaa_jax", "agree", *crowd.arguments]
        work = f"{crowd.name}, intervals, whole process"
        empty = (Path(folder) / f"empty{number}" for number in range(100))
        for name, target, call in (
            ("import iaa_jax", Target(), lambda: wall(["-c", "import iaa_jax"])),
            ("iaa --help", Target(), lambda: wall(["-m", "iaa_jax", "--help"])),
            (f"{work}, first run", Target(1 / 1.6), lambda: wall(agree, next(empty))),
            (f"{work}, cached", Target(1 / 1.6), lambda: wall(agree, Path(folder) / "cache")),
        ):
            ours, theirs, limit = in_turn(
                1 if quick else 7, call, lambda: wall(["-c", PEER]), lambda: wall(["-c", "pass"])
            )
            yield Line(name, ours, PEER, theirs, target, "python -c pass", limit)
