"""Compile time apart from steady state: first calls of fresh processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from processes import printed
from results import Compiled, Traced


def compiling(quick: bool) -> Iterator[Compiled | Traced]:
    """Each in three processes: without a cache, one that fills it, and one that finds it full.

    Then every coefficient by itself, compiled whatever its size.
    """
    cases = [
        ("alpha without interval, 100 x 3", (100, 3, 4, "none")),
        ("8 coefficients with BCa intervals, 100 x 3", (100, 3, 4, "bca")),
    ]
    if not quick:
        cases.append(("8 coefficients with BCa intervals, 10,000 x 5", (10_000, 5, 5, "bca")))
    for work, arguments in cases:
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder)
            fresh = printed("first_call.py", *arguments)
            printed("first_call.py", *arguments, cache=cache)
            cached = printed("first_call.py", *arguments, cache=cache)
        yield Compiled(
            work,
            fresh["first"],
            fresh["xla"],
            cached["first"],
            cached["xla"],
            min(fresh["later"], cached["later"]),
            fresh["programs"],
        )
    for found in printed("compile_each.py", *([3] if quick else [])):
        yield Traced(**found)
