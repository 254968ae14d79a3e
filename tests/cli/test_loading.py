"""What commands load: what they do not need stays out, by groups of modules."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

from iaa_jax.analyses import ANALYSES
from iaa_jax.cli import app
from iaa_jax.engine.devices import plugins_there
from tests.program import WIDE, environment
from tests.taken import one_of

HEAVY = ("jax", "jaxlib", "xarray", "pandas", "numpy", "scipy")

UNUSED = {
    "compiled code": ("jax", "jaxlib", "iaa_jax.engine.compiled"),
    "what xarray asks for": ("dask",),
    "more ratings than memory": ("duckdb", "iaa_jax.scale"),
    "exports of tools": ("iaa_jax.io.tools", "iaa_jax.io.export.judgements"),
    "files of other kinds": (
        *("iaa_jax.io.table.json_records", "iaa_jax.io.table.parquet", "iaa_jax.io.table.xlsx"),
        *("pyarrow.parquet", "openpyxl"),
    ),
    "spans": ("iaa_jax.data.marked", "iaa_jax.data.spans", "iaa_jax.measure.ratings.compared"),
    "gold labels": ("iaa_jax.kernels.labelling", "iaa_jax.catalog.labelling"),
    "pages in files": ("iaa_jax.pages.csv", "iaa_jax.pages.drawing", "matplotlib"),
    "slow parts of SciPy": ("scipy.linalg", "scipy.optimize", "scipy.stats"),
}
"""What no command on a small table needs, unless it is named below."""

COMMANDS = {
    "agree": ("agree", "wide.csv"),
    "items": ("items", "wide.csv"),
    "annotators": ("annotators", "wide.csv"),
    "labels": ("labels", "wide.csv"),
    "gold": ("gold", "wide.csv"),
    "compare": ("compare", "wide.csv", "again.csv"),
}
NEEDED = {"gold": ("gold labels",)}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("agree", "--help"),
        ("coefficients", "--help"),
    ],
)
def test_what_needs_no_data_loads_nothing_heavy(folder: Path, arguments: tuple[str, ...]) -> None:
    assert below(loaded(folder, *arguments), HEAVY) == set()


def test_the_catalogue_needs_no_jax(folder: Path) -> None:
    assert below(loaded(folder, "coefficients"), ("jax", "jaxlib", "scipy")) == set()


@pytest.mark.parametrize("command", one_of(2, COMMANDS))
def test_small_tables_need_nothing_of_other_work(folder: Path, command: str) -> None:
    (folder / "again.csv").write_text(WIDE)
    found = loaded(folder, *COMMANDS[command])
    for work, modules in UNUSED.items():
        if work not in NEEDED.get(command, ()):
            assert below(found, modules) == set(), work
    if command == "agree":
        assert below(found, ("scipy.sparse",)) == set()
    others = {f"iaa_jax.analyses.{row.folder}" for row in ANALYSES if command not in row.commands}
    assert below(found, others) == set()


@pytest.mark.skipif(plugins_there(), reason="JAX is asked where it works")
def test_gold_labels_of_a_crowd_need_no_jax(folder: Path) -> None:
    """Votes of few annotators an item are listed: SciPy adds them up."""
    rows = [
        f"{item},{(7 * item + k * k) % 160},{'ab'[item % 3 == k]}"
        for item in range(320)
        for k in range(3)
    ]
    (folder / "crowd.csv").write_text("\n".join(["item,annotator,label", *rows]))
    model = ("--method", "dawid_skene", "--replicates", "40")
    found = loaded(folder, "gold", "crowd.csv", *model)
    assert below(found, UNUSED["compiled code"]) == set()


def test_readers_of_other_packages_may_need_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    for before, readers, after in (
        ({}, [], {"dask": None}),
        ({}, ["one"], {}),
        ({"xarray": 0}, [], {"xarray": 0}),  # which has looked for it already
    ):
        process = SimpleNamespace(modules=before)
        monkeypatch.setattr(app, "sys", process)
        monkeypatch.setattr(app, "entry_points", lambda group, readers=readers: readers)
        app._hide_dask()
        assert process.modules == after


def loaded(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command loads."""
    code = (
        "import atexit, sys\n"
        "there = lambda: [name for name, module in sys.modules.items() if module is not None]\n"
        "atexit.register(lambda: print(*there(), file=sys.stderr))\n"
        "from iaa_jax.cli.app import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    found = set(done.stderr.split())
    assert "iaa_jax.cli.app" in found
    return found


def below(names: set[str], groups: Iterable[str]) -> set[str]:
    """Return the modules that are, or lie in, one of the groups."""
    return {name for name in names if any(f"{name}.".startswith(f"{group}.") for group in groups)}
