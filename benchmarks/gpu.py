"""Replicates, intervals and gold labels on a GPU, beside what the host does.

python benchmarks/gpu.py [--quick] [--write] [--device cpu]

Each row is printed when it is there. Where JAX has no GPU its cells say so. ``--quick`` takes small
sizes, and sends the CPU the way of a GPU unless ``--device gpu`` is given: it says that all runs,
and nothing of speed. ``--write`` puts the table into README.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CalledProcessError
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from large_results import OnDevice
from processes import printed
from results import Note, Target
from writing import README, rewritten, table

BOTH = ("float64", "float32")


class Work(NamedTuple):
    """What a process of its own measures: a row for each of its ``words``."""

    kind: str
    words: tuple[str, ...]
    items: int
    labels: int
    count: int
    most: tuple[float, ...]
    """Seconds at most, of each row."""
    dtypes: tuple[str, ...] = BOTH
    annotators: int = 5


COEFFICIENTS = "{count:,} replicates of all coefficients, {items:,} x 5, {labels} labels"
INTERVALS = "automatic intervals of all by {count:,} draws, {items:,} x 5, {labels} labels, counted"
TWO_WAY = "{count:,} two-way replicates of all coefficients, {items:,} x 5, {labels} labels"
FIT = "Dawid-Skene to 1e-8, {items:,} items by 5 of {annotators} annotators, {labels} labels"
FITS = "{count} replicates of it"

FULL = (
    Work("items", (COEFFICIENTS,), 1_000_000, 10, 10_000, (0.25,)),
    Work("intervals", (INTERVALS,), 1_000_000, 10, 2_000, (0.3,)),
    Work("two-way", (TWO_WAY,), 100_000, 5, 1_000_000, (1.0,)),
    Work("fits", (FIT, FITS), 100_000, 5, 200, (0.3, 3.0), ("float64",), 500),
)
QUICK = (
    Work("items", (COEFFICIENTS,), 500, 2, 128, (0.25,)),
    Work("intervals", (INTERVALS,), 500, 2, 128, (0.3,)),
    Work("two-way", (TWO_WAY,), 200, 2, 128, (1.0,)),
    Work("fits", (FIT, FITS), 200, 3, 4, (0.3, 3.0), ("float64",), 12),
)


def gpu(quick: bool, device: str | None = None) -> Iterator[OnDevice | Note]:
    """Rows of each work on the device, and then on the CPU in double precision."""
    reasons: list[str] = []
    for where in (device or ("cpu" if quick else "gpu"), "host"):
        for work in QUICK if quick else FULL:
            dtypes = BOTH[:1] if where == "host" else work.dtypes
            rows = [_row(work, *each, where) for each in _cells(work, dtypes)]
            found = _found(work, dtypes, where)
            if isinstance(found, str):
                reasons.append(found)
                yield from rows
            else:
                yield from (row.measured(**each) for row, each in zip(rows, found, strict=True))
    if reasons:
        yield Note(f"Not measured: {'; '.join(dict.fromkeys(reasons))}.")


def _cells(work: Work, dtypes: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    return ((number, dtype) for number in range(len(work.words)) for dtype in dtypes)


def _row(work: Work, number: int, dtype: str, where: str) -> OnDevice:
    target = Target() if where == "host" else Target(seconds=work.most[number])
    words = work.words[number].format(**work._asdict())
    device = "CPU, the host draws" if where == "host" else f"{where.upper()}, draws itself"
    return OnDevice(words, device, dtype, target)


def _found(work: Work, dtypes: tuple[str, ...], where: str) -> list[dict[str, object]] | str:
    """What was measured, or why nothing was."""
    sizes: tuple[object, ...] = (work.items, work.labels, work.count, ",".join(dtypes), where)
    child = ("gpu_work.py", work.kind, *sizes)
    if work.kind == "fits":
        child = ("gpu_fits.py", work.items, work.annotators, work.labels, work.count, where)
    try:
        found = printed(*child)
    except CalledProcessError as error:  # the others are still worth their time
        return f"{work.kind} by {where} ended with {error.returncode}"
    return str(found["unmeasured"]).split(":")[0] if isinstance(found, dict) else found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--device", choices=("gpu", "cpu"), help="what draws by itself")
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    asked = parser.parse_args()
    if asked.write and (asked.quick or asked.device == "cpu"):
        parser.error("README.md takes full sizes, of a GPU")
    results: list[OnDevice | Note] = []
    for result in gpu(asked.quick, asked.device):
        lines = table([result]).split("\n")
        if results:
            lines = ["", *lines] if isinstance(result, Note) else lines[-1:]
        print("\n".join(lines), flush=True)
        results.append(result)
    if asked.write:
        page = rewritten(README.read_text(encoding="utf-8"), {"gpu": f"\n{table(results)}\n"})
        README.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
