"""The public names: one table, its stub, what loads when, and one grammar of signatures."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax._names import MODULES, SUBMODULES
from iaa_jax.catalog import NAMES

STUB = Path(iaa_jax.__file__).with_suffix(".pyi")

COEFFICIENT_KEYWORDS = (
    "weights",
    "weights_on",
    "level",
    "distance",
    "p",
    "interval",
    "sampling",
    "confidence",
    "replicates",
    "seed",
    "undefined",
    "dtype",
)


def loaded_after(code: str) -> set[str]:
    """Top-level packages that a fresh process has loaded after running the code."""
    report = "import sys; print('\\n'.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import iaa_jax", {"jax", "xarray", "numpy", "pandas", "scipy", "rich", "typer"}),
        ("from iaa_jax import IaaError", {"jax", "xarray", "numpy", "pandas", "scipy"}),
        ("import iaa_jax.kernels", {"jax", "xarray", "pandas"}),
        ("import iaa_jax; iaa_jax.kernels.fleiss_kappa", {"jax", "xarray", "pandas"}),
        ("import iaa_jax.catalog", {"jax", "xarray", "pandas"}),
        ("import iaa_jax; iaa_jax.from_wide([['a', 'a'], ['a', 'b']])", {"jax"}),
    ],
)
def test_what_stays_unloaded(code: str, absent: set[str]) -> None:
    assert loaded_after(code) & absent == set()


def test_help_loads_neither_jax_nor_xarray() -> None:
    code = (
        "import contextlib, io\n"
        "from iaa_jax.cli.app import main\n"
        "import sys; sys.argv = ['iaa', '--help']\n"
        "shown = io.StringIO()\n"
        "with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):\n"
        "    main()\n"
        "assert 'agree' in shown.getvalue()"
    )
    assert loaded_after(code) & {"jax", "xarray", "numpy", "pandas", "scipy"} == set()


def test_every_public_name_loads() -> None:
    assert len(set(iaa_jax.__all__)) == len(iaa_jax.__all__)
    for name in iaa_jax.__all__:
        assert getattr(iaa_jax, name) is not None
    assert dir(iaa_jax) == sorted(iaa_jax.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'cohens_kapa'"):
        _ = iaa_jax.cohens_kapa
    assert not hasattr(iaa_jax, "np")


def test_each_coefficient_of_the_catalogue_is_public() -> None:
    named = {name for name, module in MODULES.items() if module == "iaa_jax.measure.named"}
    assert named == set(NAMES)


def test_the_stub_says_the_same() -> None:
    names: dict[str, str] = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names.update({alias.asname or alias.name: str(node.module) for alias in node.names})
    expected = {**MODULES, **dict.fromkeys(SUBMODULES, "iaa_jax")}
    assert names == expected


def test_the_version_is_that_of_the_installed_package() -> None:
    assert iaa_jax.__version__ == metadata.version("iaa_jax")


@pytest.mark.parametrize("name", NAMES)
def test_coefficients_share_their_keywords(name: str) -> None:
    function = getattr(iaa_jax, name)
    first, *others = inspect.signature(function).parameters.values()
    assert first.name == "ratings"
    assert {parameter.kind for parameter in others} == {inspect.Parameter.KEYWORD_ONLY}
    assert {parameter.name for parameter in others} >= set(COEFFICIENT_KEYWORDS)
    assert function.__name__ == name


@pytest.mark.parametrize("name", sorted(set(MODULES) - {"IaaError"}))
def test_public_functions_are_documented_and_explicit(name: str) -> None:
    function = getattr(iaa_jax, name)
    assert inspect.getdoc(function)
    kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds
