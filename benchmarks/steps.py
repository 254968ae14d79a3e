"""Where the time of the large commands goes, step by step."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from crowds import WITHOUT, Crowd, brighter, cifar10n, data_folder, small
from processes import CHILDREN, guarded
from results import Note, Step


def steps(quick: bool) -> Iterator[Step | Note]:
    """A column a command; compiled code comes from the cache."""
    data = data_folder()
    if data is None and not quick:
        yield Note(WITHOUT)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        crowds = [small(folder)] if quick else [cifar10n(data, folder), brighter(data, folder)]
        columns = [_steps(crowd, folder, 1 if quick else 2) for crowd in crowds]
    works = tuple(crowd.name.removeprefix("iaa agree, ") for crowd in crowds)
    for step in columns[0]:
        yield Step(step, tuple(column[step] for column in columns), works)


def _steps(crowd: Crowd, folder: Path, runs: int) -> dict[str, float]:
    """The steps of the shortest of some runs, and what the command takes with nobody watching."""
    cache, output = folder / "cache", folder / "steps.json"
    command = ("-m", "iaa_jax", "agree", *crowd.arguments)
    if runs > 1:
        guarded(crowd.bytes, *command, cache=cache)  # fills the cache
    alone = min(guarded(crowd.bytes, *command, cache=cache)["seconds"] for _ in range(runs))
    watched = (str(CHILDREN / "agree_steps.py"), str(output), *crowd.arguments)
    best, record = float("inf"), {}
    for _ in range(runs):
        whole = guarded(crowd.bytes, *watched, cache=cache)
        if whole["ended"]:
            raise RuntimeError(whole["ended"])
        if whole["seconds"] < best:
            best = whole["seconds"]
            record = json.loads(output.read_text(encoding="utf-8"))
    return {
        **record["parts"],
        "end of the process": best - record["ended"],
        "**all steps**": best,
        "**the command itself**": alone,
        "in all, fetching compiled code": record["xla"],
    }
