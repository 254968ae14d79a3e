"""A new analysis is one folder and one row, a new coefficient one kernel and one row.

Both are added to a copy of the package; what is generated is generated anew, and the toys must be
wherever their elders are: in the help, the results, JSON, Markdown, the documentation, and the
properties that every coefficient and every analysis are held to.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).parents[1]
TOY = ROOT / "tests" / "toy"
COPIED = ("iaa_jax", "tests", "tools", "docs", "pyproject.toml")

ANALYSIS_ROW = '    Analysis("shares", ("shares",), {"shares": "study"}),\n'
COEFFICIENT_ROW = """\
    Coefficient(
        name="maxwell_re",
        title="Maxwell's RE",
        summary="Agreement beyond one half.",
        equation="RE = 2 A_o - 1",
        range="-1 to 1",
        bounds=(-1.0, 1.0),
        undefined="no item with two ratings",
        sources="{maxwell1977}",
        example=0.4,
        measure=_exchangeable(maxwell.maxwell_re),
        takes_weights=False,
    ),
"""
WORK = """@article{maxwell1977,
  author = {Maxwell, A. E.},
  year = {1977},
  title = {Coefficients of agreement between observers and their interpretation},
  journal = {British Journal of Psychiatry},
  doi = {10.1192/bjp.130.1.79},
}

"""
TABLE = "item,ann,bob\n" + "".join(
    f"{k},{'x' if k % 9 else 'z'},{'xy'[k % 7 == 0]}\n" for k in range(27)
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with both toys plugged in."""
    root = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, root / name)
    package = root / "iaa_jax"
    shutil.copytree(TOY / "shares", package / "analyses" / "shares")
    insert(package / "analyses" / "__init__.py", "ANALYSES = (\n", ANALYSIS_ROW)
    shutil.copy(TOY / "kernel.py", package / "kernels" / "maxwell.py")
    imports = ("from iaa_jax import kernels\n", "from iaa_jax.kernels import maxwell\n")
    insert(package / "catalog" / "nominal.py", *imports)
    insert(package / "catalog" / "nominal.py", "ROWS = (\n", COEFFICIENT_ROW)
    insert(package / "catalog" / "works.bib", "  license = {Apache-2.0},\n}\n\n", WORK)
    (root / "table.csv").write_text(TABLE)
    run(root, "tools/generate.py")
    return root


def insert(file: Path, after: str, text: str) -> None:
    content = file.read_text(encoding="utf-8")
    assert content.count(after) == 1, (file, after)
    file.write_text(content.replace(after, after + text), encoding="utf-8")


def run(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment(root),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}


COMMANDS = """
import json, sys
from typer.testing import CliRunner
from iaa_jax.cli.app import app
for line in sys.stdin:
    done = CliRunner().invoke(app, json.loads(line), prog_name="iaa")
    print(json.dumps([done.exit_code, done.stdout, done.output]), flush=True)
"""


@pytest.fixture(scope="module")
def iaa(copy: Path) -> Iterator[Callable[..., str]]:
    """The commands of the copy, one after another in one process that has loaded it."""
    with subprocess.Popen(
        [sys.executable, "-c", COMMANDS],
        cwd=copy,
        env=environment(copy),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield partial(printed_by, process.stdin, process.stdout)
        process.stdin.close()


def printed_by(commands: IO[str], answers: IO[str], *arguments: str) -> str:
    commands.write(json.dumps(arguments) + "\n")
    commands.flush()
    code, printed, everything = json.loads(answers.readline())
    assert code == 0, everything[-3000:]
    return printed


@pytest.mark.slow
def test_the_analysis_is_in_the_help(iaa: Callable[..., str]) -> None:
    assert "Say how often each label is used." in iaa("--help")
    assert "--keep-labels" in iaa("shares", "--help-all")


def test_the_analysis_prints_and_writes_every_form(copy: Path, iaa: Callable[..., str]) -> None:
    printed = iaa("shares", "table.csv", *("--output", "page.md"), *("--output", "table.tex"))
    assert "Some labels are rare." in printed
    assert "| label | Share |" in (copy / "page.md").read_text(encoding="utf-8")
    assert "| z | 5.6 % |" in (copy / "page.md").read_text(encoding="utf-8")
    assert r"5.6 \%" in (copy / "table.tex").read_text(encoding="utf-8")
    record = json.loads(iaa("shares", "table.csv", "--json", "-"))
    assert record["conclusion"] == "rare"
    assert record["labels"]["z"]["share"] == pytest.approx(3 / 54)
    assert iaa("shares", "table.csv", "--output", "-.csv").startswith("label,share\n")


def test_the_analysis_is_a_function_with_a_page(copy: Path) -> None:
    code = "import iaa_jax as iaa; print(iaa.page(iaa.shares(iaa.read('table.csv'))))"
    assert "Rare: y, z." in run(copy, "-c", code)


def test_both_are_in_the_documentation_and_for_editors(copy: Path) -> None:
    assert "`iaa shares`" in (copy / "docs" / "commands.md").read_text(encoding="utf-8")
    assert "Maxwell's RE" in (copy / "docs" / "coefficients.md").read_text(encoding="utf-8")
    stub = (copy / "iaa_jax" / "__init__.pyi").read_text(encoding="utf-8")
    assert "def shares(" in stub
    assert "def maxwell_re(" in stub


def test_the_coefficient_is_measured_and_told(iaa: Callable[..., str]) -> None:
    assert "maxwell_re" in iaa("coefficients")
    rows = json.loads(iaa("agree", "table.csv", "--interval", "none", "--json", "-"))
    row = rows["coefficients"]["maxwell_re"]
    assert row["estimate"] == pytest.approx(2 * row["observed"] - 1)
    assert "Maxwell's RE" in iaa(
        *("compare", "table.csv", "table.csv", "--coefficients", "maxwell_re"),
        *("--interval", "none", "--permutations", "19"),
    )


@pytest.mark.slow
def test_both_are_held_to_the_properties(copy: Path) -> None:
    laws = (
        "tests/kernels/test_laws.py",
        "tests/kernels/test_transforms.py",
        "tests/analyses/test_rows.py",
    )
    said = run(copy, "-m", "pytest", "-q", "-n0", *laws, "-k", "maxwell_re or shares", "-rA")
    passed = [line for line in said.splitlines() if line.startswith("PASSED")]
    assert sum("maxwell_re" in line for line in passed) > 10
    assert any("shares" in line for line in passed)
