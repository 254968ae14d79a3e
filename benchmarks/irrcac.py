"""Against irrCAC, which needs an older NumPy and so an environment of its own.

python benchmarks/irrcac.py [--environment FOLDER] [--python PYTHON]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
import xarray as xr
from processes import CHILDREN
from results import Line, Note
from tables import ratings_table
from timing import seconds

import iaa_jax as iaa

REQUIREMENTS = ("irrCAC==0.4.4", "scipy==1.12.0", "numpy<2", "pandas>=2.2.2,<3")

PYTHONS = ((3, 9), (3, 12))
"""The oldest and the newest Python with builds of these."""

COEFFICIENTS = {
    "fleiss": "fleiss_kappa",
    "gwet": "gwet_ac1",
    "krippendorff": "krippendorff_alpha",
}

CLOSE = {"estimate": 1e-6, "standard_error": 1e-4}
"""Differences allowed; irrCAC's standard error of alpha with missing ratings is a little larger."""


def irrcac(
    quick: bool, environment: Path | None = None, python: str | None = None
) -> Iterator[Line | Note]:
    """Estimates and standard errors (no replicates, as there), the figures compared as well."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            interpreter = installed(environment or Path(folder) / "irrcac", python)
        except RuntimeError as error:
            yield Note(f"irrCAC could not be installed: {error}")
            return
        for items in (1_000, 10_000):
            table = ratings_table(items, 5, 5, 0.1)
            file = Path(folder) / f"{items}.npy"
            np.save(file, table)
            yield from _compared(interpreter, file, table, 2 if quick else 5)


def _compared(interpreter: Path, file: Path, table: np.ndarray, runs: int) -> Iterator[Line]:
    def peer() -> dict[str, Any]:
        command = [str(interpreter), str(CHILDREN / "irrcac_side.py"), str(file), str(runs)]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    def ours(name: str) -> xr.Dataset:
        return getattr(iaa, name)(iaa.from_wide(table), interval="normal")

    found = peer()
    best = {}
    for theirs, name in COEFFICIENTS.items():
        result = ours(name)
        for figure, most in CLOSE.items():
            difference = abs(float(result[figure]) - found[theirs][figure])
            if not difference <= most:
                raise RuntimeError(
                    f"{figure} of {name}: {float(result[figure])}, irrCAC {found[theirs]}"
                )
        best[theirs] = min(seconds(partial(ours, name)) for _ in range(runs))
    again = peer()
    for theirs, name in COEFFICIENTS.items():
        yield Line(
            f"{name} with standard error, {len(table):,} x 5, 10 % missing",
            best[theirs],
            f"irrCAC {theirs}",
            min(found[theirs]["seconds"], again[theirs]["seconds"]),
        )


def installed(
    environment: Path,
    python: str | None = None,
    requirements: Sequence[str] = REQUIREMENTS,
    module: str = "irrCAC.raw",
) -> Path:
    """The interpreter of an environment with a peer, made anew unless it is there."""
    interpreter = environment / "bin" / "python"
    if not interpreter.exists():
        _run([python or _suitable_python(), "-m", "venv", str(environment)])
    check = [str(interpreter), "-I", "-c", f"import {module}"]
    if subprocess.run(check, capture_output=True).returncode:
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([str(interpreter), *install, *requirements])
        _run(check)
    return interpreter


def _suitable_python() -> str:
    oldest, newest = PYTHONS
    if oldest <= sys.version_info[:2] <= newest:
        return sys.executable
    for minor in range(newest[1], oldest[1] - 1, -1):
        if found := shutil.which(f"python3.{minor}"):
            return found
    raise RuntimeError(f"it needs Python 3.{oldest[1]} to 3.{newest[1]}: name one with --python")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])}: {' '.join(done.stderr.split())[-300:]}")


def main() -> None:
    from writing import table

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environment", type=Path, help="folder of the environment, kept")
    parser.add_argument("--python", help="the interpreter to make it with")
    asked = parser.parse_args()
    print(table([*irrcac(False, asked.environment, asked.python)]))


if __name__ == "__main__":
    main()
