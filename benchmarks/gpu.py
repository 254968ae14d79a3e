"""Replicates that a GPU draws and works out, beside those that the CPU does.

python benchmarks/gpu.py [--quick] [--write] [--device cpu]

Where JAX has no GPU its cells say so. ``--device cpu`` sends the CPU the way of a GPU: it says that
all runs, and nothing of speed. ``--write`` puts the table into README.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from large_results import OnDevice
from processes import printed
from results import Note, Target
from writing import README, rewritten, table

DTYPES = ("float64", "float32")

FULL = (("items", 1_000_000, 10, 10_000, 1.0), ("two-way", 100_000, 5, 1_000_000, 10.0))
QUICK = (("items", 500, 2, 128, 1.0), ("two-way", 200, 2, 128, 10.0))
"""What is drawn, of how many items and labels, how often, and in how many seconds at most."""


def gpu(quick: bool, device: str = "gpu") -> Iterator[OnDevice | Note]:
    """A row for each precision, on the device and on the CPU; each in a process of its own."""
    reason = ""
    for kind, items, labels, replicates, most in QUICK if quick else FULL:
        what = "two-way replicates" if kind == "two-way" else "replicates"
        work = f"{replicates:,} {what} of all coefficients, {items:,} x 5, {labels} labels"
        for where in (device, "host"):
            target = Target() if where == "host" else Target(seconds=most)
            for dtype in DTYPES:
                row = OnDevice(work, f"{where.upper()}, draws itself", dtype, target)
                if where == "host" or not reason:
                    found = printed("gpu_work.py", kind, items, labels, replicates, dtype, where)
                    reason = found.pop("unmeasured", reason)
                    row = row.measured(**found)
                yield row
    if reason:
        yield Note(f"Not measured on a GPU: {reason.split(':')[0]}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--device", default="gpu", choices=("gpu", "cpu"), help="what draws")
    parser.add_argument("--write", action="store_true", help="put the table into README.md")
    asked = parser.parse_args()
    if asked.write and (asked.quick or asked.device != "gpu"):
        parser.error("README.md takes full sizes, of a GPU")
    made = table([*gpu(asked.quick, asked.device)])
    print(made)
    if asked.write:
        page = rewritten(README.read_text(encoding="utf-8"), {"gpu": f"\n{made}\n"})
        README.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
