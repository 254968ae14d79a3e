"""The process is its user's: importing and using the package changes no setting of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.program import environment

# What the libraries set when they are imported is theirs: NumPy and SciPy add filters.
LIBRARIES = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.optimize", "scipy.sparse", "pandas"),
    *("xarray", "pyarrow.csv", "jax.numpy", "array_api_compat", "typer", "rich.console"),
    *("openpyxl", "matplotlib.figure", "duckdb", "dask.dataframe"),
)

PROGRAM = """
import gc, importlib, locale, logging, os, pkgutil, signal, sys, warnings
import numpy as np

for name in {libraries}:
    importlib.import_module(name)

def settings():
    import jax
    return {{
        "filters": list(warnings.filters),
        "errors of numpy": np.geterr(),
        "printing of numpy": np.get_printoptions(),
        "environment": dict(os.environ),
        "locale": locale.setlocale(locale.LC_ALL),
        "signals": [signal.getsignal(s) for s in signal.valid_signals()],
        "logging": (logging.root.level, list(logging.root.handlers)),
        "hooks": (sys.excepthook, sys.displayhook, sys.getrecursionlimit(), gc.isenabled()),
        "jax": {{k: v for k, v in jax.config.values.items()}},
        "random": np.random.get_state()[1].tolist(),
        "display": sys.modules["pandas"].describe_option(_print_desc=False),
        "xarray": dict(sys.modules["xarray"].get_options()),
    }}

before = settings()
import iaa_jax as iaa
for found in pkgutil.walk_packages(iaa.__path__, "iaa_jax."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)

def check(what):
    after = settings()
    changed = [name for name in before if before[name] != after[name]]
    assert not changed, (what, changed)

check("import")
ratings = iaa.from_wide([[a, b, c] for a in "xyz" for b in "xy" for c in "xyz"])
iaa.agreement(ratings, replicates=50)
iaa.gold(ratings, "dawid_skene", replicates=50)
days = [f"{{day}}.{{month}}.2024" for month in range(1, 7) for day in (1, 17, 28)]
iaa.drift(ratings.assign_coords(day=("item", days)), by="day", replicates=50)
str(iaa.page(iaa.items(ratings)))
check("use")
print(iaa.__file__)
"""


def test_robustness_E_no_setting_of_the_process_changes(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(libraries=LIBRARIES)],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_robustness_E_importing_the_package_alone_adds_no_filter(tmp_path: Path) -> None:
    program = (
        "import warnings; before = list(warnings.filters); import iaa_jax; "
        "assert before == list(warnings.filters)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
