"""Import directions between the parts of the package, read from the source of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "iaa_jax"

BASE = {"_types", "_errors"}

# What each part may import of the others; importing itself is always allowed.
MAY_IMPORT: dict[str, set[str]] = {
    "__init__": set(),
    "_types": set(),
    "_errors": set(),
    "kernels": BASE,
    "catalog": BASE | {"kernels"},
    "engine": BASE | {"kernels", "catalog"},
    "data": BASE,
    "io": BASE | {"data"},
    "report": BASE | {"data"},
    "metrics": BASE | {"kernels", "catalog", "engine", "data"},
    "studies": BASE | {"kernels", "catalog", "engine", "data", "metrics"},
    "demo": set(),
    "__main__": {"cli"},
}
MAY_IMPORT["cli"] = set(MAY_IMPORT) - {"__init__", "__main__"}

# Third-party packages that a part never imports, not even inside a function.
NEVER: dict[str, set[str]] = {
    "__init__": {"jax", "numpy", "pandas", "scipy", "xarray", "rich", "typer"},
    "_types": {"pandas", "xarray"},
    "_errors": {"jax", "numpy", "pandas", "xarray"},
    "kernels": {"jax", "pandas", "xarray"},
    "catalog": {"jax", "pandas", "xarray"},
    "engine": {"pandas", "xarray"},
    "data": {"jax"},
    "io": {"jax"},
    "report": {"jax"},
}

# The one file that picks between NumPy and JAX.
MAY_IMPORT_JAX = {"iaa_jax.kernels.namespace"}

# Inside io, every other file is one tool's reader: readers share these and nothing of each other.
SHARED_BY_READERS = {"iaa_jax.io.base", "iaa_jax.io.table"}
KNOWS_READERS = {"iaa_jax.io", "iaa_jax.io.base"}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """The part of the package that a module belongs to: iaa_jax.io.long belongs to io."""
    names = module.split(".")
    return names[1] if len(names) > 1 else "__init__"


def imported(source: str) -> Iterator[str]:
    """Every module that the source imports, at any depth, as absolute dotted names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "." * node.level + (node.module or "")
            elif node.module == "iaa_jax":
                yield from (f"iaa_jax.{alias.name}" for alias in node.names)
            elif node.module == "iaa_jax.io":
                yield from (f"iaa_jax.io.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""
        elif isinstance(node, ast.Call) and node.args:
            called = ast.unparse(node.func).rpartition(".")[2]
            target = node.args[0]
            if called in {"import_module", "__import__"} and isinstance(target, ast.Constant):
                yield str(target.value)


def _readers_share(module: str, target: str) -> bool:
    return module in KNOWS_READERS | {target} or any(
        f"{target}.".startswith(f"{name}.") for name in SHARED_BY_READERS
    )


def violations(module: str, source: str) -> list[str]:
    """What a module imports against the rules, one sentence each."""
    part = part_of(module)
    if part not in MAY_IMPORT:
        return [f"{module} belongs to no known part: give {part!r} its place in MAY_IMPORT"]
    found = []
    for target in imported(source):
        top = target.split(".")[0]
        if target.startswith("."):
            found.append(f"{module} imports {target} relatively")
        elif top in NEVER.get(part, set()) and not (top == "jax" and module in MAY_IMPORT_JAX):
            found.append(f"{module} imports {target}, which {part} never does")
        elif top != "iaa_jax" or target == "iaa_jax.__version__":
            continue
        elif target == "iaa_jax":
            if part != "cli":
                found.append(f"{module} imports the public face of the package")
        elif part_of(target) != part and part_of(target) not in MAY_IMPORT[part]:
            found.append(f"{module} imports {target}: {part} may not import {part_of(target)}")
        elif part_of(target) == part == "io" and not _readers_share(module, target):
            found.append(f"{module} imports {target}: readers share base and table only")
    return found


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@pytest.mark.parametrize("module", MODULES)
def test_imports_follow_the_layers(module: str) -> None:
    assert violations(module, MODULES[module].read_text(encoding="utf-8")) == []


def test_every_folder_has_its_place() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders <= set(MAY_IMPORT)


def test_the_parts_have_no_cycle() -> None:
    done: set[str] = set()
    while len(done) < len(MAY_IMPORT):
        free = {part for part, below in MAY_IMPORT.items() if below <= done} - done
        assert free, f"a cycle among {sorted(set(MAY_IMPORT) - done)}"
        done |= free


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("iaa_jax.kernels.alpha", "import xarray as xr"),
        ("iaa_jax.kernels.alpha", "from jax import numpy as jnp"),
        ("iaa_jax.kernels.alpha", "def f():\n    import jax.numpy"),
        ("iaa_jax.kernels.alpha", "from iaa_jax.engine.compiled import run"),
        ("iaa_jax.kernels.alpha", "from iaa_jax import data"),
        ("iaa_jax.kernels.namespace", "import pandas"),
        ("iaa_jax.catalog", "from iaa_jax.engine import drivers"),
        ("iaa_jax.engine.drivers", "import pandas as pd"),
        ("iaa_jax.engine.drivers", "from iaa_jax.metrics import agreement"),
        ("iaa_jax.data.build", "if True:\n    import jax"),
        ("iaa_jax.data.build", "import importlib\nimportlib.import_module('jax')"),
        ("iaa_jax.data.build", "from iaa_jax.io import read"),
        ("iaa_jax.data.build", "from .schema import validate"),
        ("iaa_jax.io.long", "from iaa_jax.io.wide import read"),
        ("iaa_jax.io.long", "from iaa_jax.io import wide"),
        ("iaa_jax.io.table", "from iaa_jax.io.wide import read"),
        ("iaa_jax.report.tables", "from iaa_jax.metrics import agreement"),
        ("iaa_jax.metrics", "from iaa_jax.cli.app import main"),
        ("iaa_jax.metrics", "import iaa_jax as iaa"),
        ("iaa_jax.metrics", "from iaa_jax import krippendorff_alpha"),
        ("iaa_jax", "import numpy as np"),
        ("iaa_jax", "from iaa_jax.metrics import agreement"),
        ("iaa_jax.helpers.strings", ""),
    ],
)
def test_the_check_finds_a_bad_import(module: str, source: str) -> None:
    assert len(violations(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("iaa_jax.kernels.namespace", "import jax.numpy"),
        ("iaa_jax.kernels.alpha", "from iaa_jax.kernels.counts import rating_statistics"),
        ("iaa_jax.engine.drivers", "import jax\nfrom iaa_jax import kernels"),
        ("iaa_jax.metrics", "import xarray\nfrom iaa_jax import __version__"),
        ("iaa_jax.io.long", "from iaa_jax.io.base import Reader\nimport iaa_jax.io.table"),
        ("iaa_jax.cli.agree", "import iaa_jax as iaa\nfrom iaa_jax.metrics import agreement"),
    ],
)
def test_the_check_lets_a_good_import_pass(module: str, source: str) -> None:
    assert violations(module, source) == []
