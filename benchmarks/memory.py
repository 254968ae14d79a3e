"""Peak memory in child processes that are ended above a hard limit."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from cold import PEER
from crowds import WITHOUT, Crowd, brighter, cifar10n, data_folder, reports, toxic_spans
from processes import CHILDREN, GIGABYTE, guarded
from results import Guarded, Note


def memory(quick: bool) -> Iterator[Guarded | Note]:
    """Commands on real data, and works whose size would show if memory followed it."""
    with tempfile.TemporaryDirectory() as folder:
        if not quick:
            yield from _commands(Path(folder))
        items, values = (100_000, 10_000) if quick else (1_000_000, 100_000)
        few, most = (40, 200) if quick else (200, 2000)
        for replicates in (few, most):
            yield _work(
                f"8 coefficients with BCa intervals, {items:,} x 5, {replicates:,} replicates",
                ("bootstrap", items, replicates),
                GIGABYTE * 2,
                Path(folder) / "works",
            )
        sets = items // 10
        yield _work(
            f"A_m with its interval, {sets:,} x 5 x 28 labels",
            ("sets", sets, most),
            GIGABYTE * 2,
            Path(folder) / "works",
        )
        yield _work(
            f"interval alpha with its interval, {values:,} distinct values",
            ("interval", values, most),
            GIGABYTE,
            Path(folder) / "works",
        )


def _commands(folder: Path) -> Iterator[Guarded | Note]:
    data = data_folder()
    if data is None:
        yield Note(WITHOUT)
        return
    agree = cifar10n(data, folder), brighter(data, folder), toxic_spans(data)
    for crowd in (*agree, *reports(data, folder)):
        cache = folder / "-".join(crowd.name.split()[1:3])
        imports = min(guarded(crowd.bytes, "-c", PEER)["seconds"] for _ in range(3))
        yield _command(crowd, f"{crowd.name}, first run", cache, 1, imports)
        yield _command(crowd, f"{crowd.name}, cached", cache, 2, imports)


def _command(crowd: Crowd, work: str, cache: Path, runs: int, imports: float) -> Guarded:
    """The shortest time and the highest peak of several runs, beside the time of an import."""
    command = ("-m", "iaa_jax", crowd.command, *crowd.arguments)
    found = [guarded(crowd.bytes, *command, cache=cache) for _ in range(runs)]
    return Guarded(
        work,
        min(one["seconds"] for one in found),
        max(one["peak"] for one in found),
        crowd.bytes,
        crowd.seconds,
        next((one["ended"] for one in found if one["ended"]), ""),
        imports,
        crowd.imports,
    )


def _work(name: str, arguments: tuple[object, ...], limit: int, cache: Path) -> Guarded:
    command = [str(CHILDREN / "memory_work.py"), *map(str, arguments)]
    found = guarded(limit, *command, cache=cache)
    return Guarded(name, found["seconds"], found["peak"], limit, None, found["ended"])
