"""Where the time of the large commands goes, step by step."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from crowds import WITHOUT, Crowd, brighter, cifar10n, data_folder
from processes import CHILDREN, guarded
from results import Note, Step

RUNS = 2


def steps(quick: bool) -> Iterator[Step | Note]:
    """A column a command; compiled code comes from the cache."""
    data = data_folder()
    if data is None or quick:
        yield Note(WITHOUT if data is None else "Not run with --quick.")
        return
    with tempfile.TemporaryDirectory() as folder:
        crowds = (cifar10n(data, Path(folder)), brighter(data, Path(folder)))
        found = [_steps(crowd, Path(folder)) for crowd in crowds]
    works = tuple(crowd.name.removeprefix("iaa agree, ") for crowd in crowds)
    for step in found[0]:
        yield Step(step, tuple(one[step] for one in found), works)


def _steps(crowd: Crowd, folder: Path) -> dict[str, float]:
    """The steps of the shortest of some runs, and what the command takes with nobody watching."""
    cache, output = folder / "cache", folder / "steps.json"
    command = ("-m", "iaa_jax", "agree", *crowd.arguments)
    guarded(crowd.bytes, *command, cache=cache)  # fills the cache
    alone = min(guarded(crowd.bytes, *command, cache=cache)["seconds"] for _ in range(RUNS))
    watched = (str(CHILDREN / "agree_steps.py"), str(output), *crowd.arguments)
    best, record = float("inf"), {}
    for _ in range(RUNS):
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
