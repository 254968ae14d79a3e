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


def test_the_python_example_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run_python(README) == 1


def test_the_command_line_is_true() -> None:
    (block,) = blocks(README, "console")
    command, _, expected = block.text.partition("\n")
    prompt, program, *arguments = shlex.split(command)
    assert (prompt, program) == ("$", "iaa")
    done = subprocess.run(
        [sys.executable, "-m", "iaa_jax", *arguments],
        cwd=ROOT,
        env=as_for_a_user() | {"COLUMNS": "80", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.rstrip() for line in done.stdout.splitlines()] == expected.splitlines()


@pytest.mark.parametrize("name", ["demo", "test"])
def test_the_commands_are_marked_and_start_from_nothing(name: str) -> None:
    text = README.read_text(encoding="utf-8")
    (command,) = re.findall(rf"^<!-- command: {name} -->\n```bash\n(.+)\n```$", text, re.MULTILINE)
    assert command.startswith("python3 -m venv ")


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {iaa_jax.__version__}\n" in citation
    assert f"version = {{{iaa_jax.__version__}}}" in README.read_text(encoding="utf-8")
