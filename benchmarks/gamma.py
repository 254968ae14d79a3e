"""Gamma against pygamma-agreement, which has an environment of its own.

python benchmarks/gamma.py [--quick] [--environment FOLDER] [--python PYTHON]

Both draw at least 30 chance continua, and more until the same precision of 5 % is reached.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from irrcac import installed
from processes import CHILDREN, ROOT
from results import Line, Note, Target

REQUIREMENTS = ("pygamma-agreement==0.5.9",)

Rows = list[tuple[str, str, int, int]]

EXAMPLE: Rows = [
    *(("Alex", *row) for row in (("1", 2, 9), ("2", 11, 17), ("5", 24, 30))),
    *(("Alex", *row) for row in (("6", 32, 36), ("6", 36, 44), ("7", 44, 60))),
    *(("Paul", *row) for row in (("1", 2, 9), ("3", 11, 17), ("5", 19, 25), ("6", 32, 44))),
    *(("Suzan", *row) for row in (("1", 2, 9), ("4", 11, 17), ("5", 21, 27))),
    *(("Suzan", *row) for row in (("6", 32, 36), ("6", 36, 40), ("6", 40, 44))),
]
"""The example of pygamma-agreement's own tests."""


def gamma(
    quick: bool, environment: Path | None = None, python: str | None = None
) -> Iterator[Line | Note]:
    """Warm and first calls, of both ways in which the peer aligns."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            home = environment or Path(folder) / "pygamma"
            interpreter = installed(home, python, REQUIREMENTS, "pygamma_agreement")
        except RuntimeError as error:
            yield Note(f"pygamma-agreement could not be installed: {error}")
            return
        works = {"3 annotators, 16 units (its own example)": (EXAMPLE, 12)}
        if not quick:
            works["2 annotators, 1,000 units each"] = (made(2, 1000), 2)
            works["3 annotators, 100 units each"] = (made(3, 100), 2)
        for work, (rows, runs) in works.items():
            file = Path(folder) / "spans.csv"
            with file.open("w", newline="") as target:
                csv.writer(target).writerows(rows)
            yield from _compared(interpreter, file, work, runs)


def _compared(interpreter: Path, file: Path, work: str, runs: int) -> Iterator[Line]:
    ours = _timed([sys.executable, str(CHILDREN / "gamma_side.py"), str(file), str(3 * runs)], file)
    for kind in ("exact", "fast"):
        side = str(CHILDREN / "pygamma_side.py")
        theirs = _timed([str(interpreter), side, str(file), kind, str(runs)], file)
        again = _timed(
            [sys.executable, str(CHILDREN / "gamma_side.py"), str(file), str(3 * runs)], file
        )
        above = theirs["observed"] - ours["observed"]  # "fast" misses the best alignment at times
        if above < -1e-5 or (kind == "exact" and above > 1e-5):
            raise RuntimeError(
                f"disorder of {work}: {ours['observed']}, pygamma-agreement {theirs}"
            )
        if abs(ours["gamma"] - theirs["gamma"]) > 6 * ours["error"]:
            raise RuntimeError(f"gamma of {work}: {ours['gamma']}, pygamma-agreement {theirs}")
        peer = f"pygamma-agreement, {kind}"
        both = [*ours["seconds"][1:], *again["seconds"][1:]]
        target = Target(ratio=10) if kind == "exact" else Target()
        yield Line(f"{work}, warm", min(both), peer, min(theirs["seconds"][1:]), target)
        first = min(ours["seconds"][0], again["seconds"][0])
        yield Line(f"{work}, first call", first, peer, theirs["seconds"][0])


def _timed(command: list[str], file: Path) -> dict[str, Any]:
    out = file.with_suffix(".json")
    where = os.environ | {"PYTHONPATH": str(ROOT)} if command[0] == sys.executable else None
    subprocess.run([*command, str(out)], check=True, capture_output=True, env=where)
    found: dict[str, Any] = json.loads(out.read_text())
    return found


def made(annotators: int, units: int) -> Rows:
    """Marks that were moved, left out, or given another label by each annotator."""
    rng = np.random.default_rng(1)
    starts = np.cumsum(rng.integers(3, 15, units))
    truth = [(int(start), int(rng.integers(3, 12)), int(rng.integers(4))) for start in starts]
    rows: Rows = []
    for annotator in range(annotators):
        for start, length, label in truth:
            if rng.random() < 0.9:
                begin = max(start + int(rng.integers(-3, 4)), 0)
                own = label if rng.random() < 0.8 else int(rng.integers(4))
                rows.append((f"a{annotator}", "wxyz"[own], begin, begin + length))
    return rows


def main() -> None:
    from writing import table

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the peer's example alone")
    parser.add_argument("--environment", type=Path, help="folder of the environment, kept")
    parser.add_argument("--python", help="the interpreter to make it with")
    asked = parser.parse_args()
    print(table([*gamma(asked.quick, asked.environment, asked.python)]))


if __name__ == "__main__":
    main()
