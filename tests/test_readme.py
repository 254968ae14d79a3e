"""What README.md shows is what happens: its Python example, its command line, its two commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import iaa_jax
from tests.compilation import as_for_a_user
from tests.markdown import blocks, run_python

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the repository, with the data that the page has saved there."""
    folder = tmp_path_factory.mktemp("elsewhere")
    done = run("demo", "--save", "pandalm.csv", folder=folder)
    assert "`iaa demo --save pandalm.csv`" in README.read_text(encoding="utf-8")
    assert done.startswith("Wrote pandalm.csv")
    return folder


def run(*arguments: str, folder: Path) -> str:
    """What the program prints."""
    done = subprocess.run(
        [sys.executable, "-m", "iaa_jax", *arguments],
        cwd=folder,
        env=as_for_a_user() | {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_python_example_is_true(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("COLUMNS", "80")
    assert run_python(README) == 1


def test_it_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").split()) <= 1_100


CONSOLE = [
    part for block in blocks(README, "console") for part in block.text.split("$ ") if part.strip()
]


@pytest.mark.parametrize("part", CONSOLE, ids=lambda part: " ".join(part.split()[1:3]))
def test_the_command_lines_are_true(part: str, elsewhere: Path) -> None:
    command, _, text = part.partition("\n")
    program, *arguments = shlex.split(command)
    assert program == "iaa"
    expected = text.splitlines()
    shown = expected.index("...") if "..." in expected else None  # what follows is left out
    assert [line.rstrip() for line in run(*arguments, folder=elsewhere).splitlines()][
        :shown
    ] == expected[:shown]


@pytest.mark.parametrize("name", ["demo", "test"])
def test_the_commands_are_marked_and_start_from_nothing(name: str) -> None:
    text = README.read_text(encoding="utf-8")
    (command,) = re.findall(rf"^<!-- command: {name} -->\n```bash\n(.+)\n```$", text, re.MULTILINE)
    assert command.startswith("python3 -m venv ")


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {iaa_jax.__version__}\n" in citation
    assert f"version = {{{iaa_jax.__version__}}}" in README.read_text(encoding="utf-8")
