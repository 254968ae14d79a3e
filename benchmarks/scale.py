"""More ratings than memory: rows a second and peak memory, in processes of their own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from large_results import Rate
from processes import CHILDREN, GIGABYTE, guarded
from results import Note

from iaa_jax._thresholds import UNITED_TOGETHER as TOGETHER

PROCESS = 4 * GIGABYTE
"""Bytes at which a process is ended, far above what is wanted."""

WORKERS = 2

RATINGS, FLEET = 1e12, 1000
"""What is worked out on paper: so many ratings, and workers."""

KILLED = 1 / 3
"""Of the time that two workers take, when one of them is killed."""


def scale(quick: bool) -> Iterator[Rate | Note]:
    """A table that is far larger than what each process may hold, and a tenth of it, in memory."""
    rows = 1_000_000 if quick else 100_000_000
    with tempfile.TemporaryDirectory() as name:
        yield from _large(Path(name) / "large", rows)
        yield from _sample(Path(name) / "sample", rows // 10)


def _large(folder: Path, rows: int) -> Iterator[Rate | Note]:
    _child("scale_data.py", folder, rows)
    limits = {name: _work("read", folder / name)["seconds"] for name in ("side", "apart")}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    together, dask = "an item in one file", "2 workers of 2 GB"
    for work, function, layout in (
        (f"iaa.scan, {together}", "scan", "side"),
        (f"iaa.scan(items_whole=True), {together}", "scan_whole", "side"),
        ("iaa.scan, a file an annotator", "scan", "apart"),
        (f"iaa.from_dask(items_whole=True), {together}, {dask}", "dask_whole", "side"),
        (f"iaa.from_dask, {together}, {dask}", "dask", "side"),
        (f"iaa.from_dask, a file an annotator, {dask}", "dask", "apart"),
    ):
        one = found[function, layout] = _work(function, folder / layout)
        first = found["scan", "side"]["digits"]
        wanted = (5e6, 1.3 * GIGABYTE) if function.startswith("scan") else (None, None)
        yield _rate(work, one, limits[layout], first, *wanted)
    again = _work("dask", folder / "apart", one["seconds"] * KILLED)
    yield _rate(f"{work}, one killed on the way", again, limits["apart"], first)
    task = _work("tasks", folder / "side")["seconds"]
    yield on_paper(found["dask_whole", "side"], found["dask", "apart"], task)


def _sample(folder: Path, rows: int) -> Iterator[Rate]:
    _child("scale_data.py", folder, rows)
    folder = folder / "apart"
    limit = _work("read", folder)["seconds"]
    plain = _work("in_memory", folder)
    yield _rate("pandas and iaa.data.compress, one process", plain, limit)
    yield _rate("iaa.scan", _work("scan", folder), limit, plain["digits"])
    found = _work("dask", folder)
    yield _rate("iaa.from_dask, 2 workers", found, limit, plain["digits"])
    found = _work("dask", folder, found["seconds"] * KILLED)
    yield _rate("iaa.from_dask, 2 workers, one killed on the way", found, limit, plain["digits"])


def on_paper(whole: Mapping[str, Any], apart: Mapping[str, Any], task: float) -> Note:
    """What far more ratings would cost by what was measured; a ``task`` takes Dask seconds."""
    partitions, items = (RATINGS / whole["rows"] * whole[name] for name in ("partitions", "items"))
    tally = whole["tally"]
    tasks = partitions * (3 + 1 / (TOGETHER - 1))  # what occurs, counts, hashes; and the unions

    def cost(each: Mapping[str, Any]) -> str:
        hours = WORKERS * each["seconds"] / each["rows"] * RATINGS / FLEET / 3600
        # of what a worker made, the share that it keeps is not sent
        sent = each["sent"] / (1 - 1 / WORKERS) / each["rows"] * RATINGS
        return f"{hours:.1f} hours and {sent / 1e12:.2f} TB sent, {sent / FLEET / 1e9:.2f} GB each"

    return Note(
        f"On paper, by the figures of {WORKERS} workers: {RATINGS:,.0f} ratings of {items:,.0f} "
        f"items, in {partitions:,.0f} partitions, on {FLEET:,} workers of one core. Items whole: "
        f"{cost(whole)}; every item in several partitions: {cost(apart)}. A tally takes "
        f"{tally / 1e3:.0f} KB ({whole['patterns']:,} patterns), all of them "
        f"{tally * partitions / 1e12:.2f} TB; the last step holds {TOGETHER + 1} of them, "
        f"{tally * (TOGETHER + 1) / 1e6:.1f} MB. Dask's one scheduler takes {1e3 * task:.2f} ms a "
        f"task, {tasks * task / 3600:.1f} hours, and fewer for larger partitions. A shuffle of so "
        "many has not been tried."
    )


def _rate(
    work: str,
    found: dict[str, Any],
    limit: float,
    digits: str | None = None,
    least: float | None = None,
    most: float | None = None,
) -> Rate:
    """A row; ``digits`` are those that it has to have."""
    same = None if digits is None else found["digits"] == digits
    rows, seconds = found["rows"], found["seconds"]
    return Rate(f"{work}, {rows:,} rows", rows, seconds, limit, found["peak"], same, least, most)


def _work(function: str, folder: Path, *killed: float) -> dict[str, Any]:
    output = folder.parent / "found.json"
    _child("scale_work.py", function, folder, output, *killed)
    return json.loads(output.read_text(encoding="utf-8"))


def _child(script: str, *arguments: object) -> None:
    done = guarded(PROCESS, str(CHILDREN / script), *map(str, arguments))
    if done["ended"]:
        raise RuntimeError(done["ended"])
