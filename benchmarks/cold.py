"""Whole processes: imports, help, and `iaa agree` from cold, with time and peak memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from cases import ratings_table
from timing import Line

HERE = Path(__file__).parent.parent


def processes(quick: bool) -> Iterator[Line]:
    """The command line against the import of what it stands on."""
    runs = 2 if quick else 5
    imports = seconds(["-c", "import jax, xarray"], runs)
    yield Line(
        "import iaa_jax",
        seconds(["-c", "import iaa_jax"], runs),
        "import jax, xarray",
        imports,
        "-",
    )
    yield Line(
        "iaa --help", seconds(["-m", "iaa_jax", "--help"], runs), "import jax, xarray", imports, "-"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        table = ratings_table(2_000, 5, 4, 0.0).astype(int)
        names = [f"annotator{k}" for k in range(5)]
        frame = pd.DataFrame(table, columns=names)
        frame.insert(0, "item", np.arange(len(table)))
        frame.to_csv(file, index=False)
        command = ["-m", "iaa_jax", "agree", str(file)]
        first = seconds(command, 1, cache=str(Path(folder) / "cold"), warm_up=False)
        again = seconds(command, runs, cache=str(Path(folder) / "warm"))
        work = "iaa agree, 10,000 ratings, intervals, whole process"
        yield Line(f"{work}, first run", first, "import jax, xarray", imports, "1/5 or more")
        yield Line(f"{work}, cached", again, "import jax, xarray", imports, "1/3 or more")


def seconds(
    arguments: list[str], runs: int, cache: str | None = None, warm_up: bool = True
) -> float:
    """Median wall seconds of a Python process."""
    environment = {**os.environ, "PYTHONPATH": str(HERE)}
    if cache is not None:
        environment["IAA_JAX_CACHE_DIR"] = cache
    taken = []
    for run in range(runs + warm_up):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment
        )
        if run or not warm_up:
            taken.append(time.perf_counter() - start)
    return sorted(taken)[len(taken) // 2]


def peak_memory() -> int:
    """Largest memory of any child process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
