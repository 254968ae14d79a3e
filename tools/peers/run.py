"""Run other programs on every table: python tools/peers/run.py.

Each program gets an environment of its own (``--environments FOLDER`` keeps the environments, and
reuses existing ones). Its values are written to tests/reference/peers.csv, with which
tools/conformance.py compares our values.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.reference.peers import PATH, PeerValue, peer_tables  # noqa: E402

CALLS = Path(__file__).with_name("calls.py")

REQUIREMENTS: Mapping[str, tuple[str, ...]] = {
    "krippendorff": ("krippendorff",),
    "irrCAC (Python)": ("irrCAC",),
    "statsmodels": ("statsmodels",),
    "scikit-learn": ("scikit-learn",),
    "nltk": ("nltk",),
    "crowd-kit": ("crowd-kit",),
}
"""Packages to install for each program; the first is the program itself."""


def environment(program: str, folder: Path) -> Path:
    """Make the environment of a program if there is none, and return its Python."""
    env_folder = folder / REQUIREMENTS[program][0]
    python = env_folder / "bin" / "python"
    if not python.exists():
        venv.create(env_folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS[program]]
    subprocess.run(install, check=True)
    return python


def run(program: str, python: Path, tables: str) -> list[dict[str, Any]]:
    """Return every value of a program, in its own environment."""
    command = [str(python), str(CALLS), program]
    done = subprocess.run(command, input=tables, capture_output=True, text=True, check=True)
    made: list[dict[str, Any]] = json.loads(done.stdout)
    return made


def version(program: str, python: Path) -> str:
    """Return the version of a program in its environment."""
    code = f"import importlib.metadata as m; print(m.version({REQUIREMENTS[program][0]!r}))"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main() -> None:
    """Run all programs, and write their values."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--environments", type=Path, help="a folder for the environments")
    chosen = parser.parse_args()
    tables = json.dumps([table._asdict() for table in peer_tables().values()])
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (chosen.environments or Path(temporary)).resolve()
        for program in REQUIREMENTS:
            python = environment(program, folder)
            known = version(program, python)
            for made in run(program, python, tables):
                value = made.pop("value")
                text = value if isinstance(value, str) else f"{value:.10g}"
                rows.append(PeerValue(program, known, **made, value=text))
            print(f"{program} {known}: {sum(row.program == program for row in rows):,} values")
    with PATH.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows([PeerValue._fields, *rows])


if __name__ == "__main__":
    main()
