"""Running the program: in this process, and as a program of its own in a clean environment."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

import iaa_jax
from iaa_jax.cli.app import app
from tests import json_records

ROOT = Path(iaa_jax.__file__).parents[1]

# What would make rich or typer believe in a terminal, or in another width.
PLAIN = dict.fromkeys(
    ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE", "COLUMNS", "TERM")
)

WIDE = """\
item,ann,bob,cleo
1,x,x,x
2,y,y,x
3,x,y,
4,y,y,y
5,x,,
6,z,z,z
7,x,x,y
"""


def advised(text: str) -> list[list[str]]:
    """The arguments of the commands below the sentences of a page, as a shell takes them."""
    lines = (line.strip() for line in text.splitlines() if line.startswith("    "))
    return [shlex.split(line)[1:] for line in lines if line.startswith("iaa ")]


def widest(text: str) -> int:
    """The longest line, but for commands, which nothing breaks."""
    return max(len(line) for line in text.splitlines() if not line.startswith("    iaa "))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of a test, with the small table wide.csv in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wide.csv").write_text(WIDE)
    return tmp_path


@pytest.fixture
def iaa(folder: Path):
    """The program within this process: call it with arguments, and variables of its own."""

    def run(*arguments: str, **variables: str):
        done = CliRunner(env=PLAIN | variables).invoke(app, list(arguments), prog_name="iaa")
        json_records.hold(arguments, done.exit_code, done.stdout)
        return done

    return run


@pytest.fixture
def ran(iaa):
    """The program for calls that must succeed."""

    def run(*arguments: str, **variables: str):
        done = iaa(*arguments, **variables)
        assert done.exit_code == 0, done.output
        return done

    return run


@pytest.fixture
def program(folder: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """The program as a process of its own, in an environment that holds next to nothing."""
    return partial(run_in, folder)


def run_in(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "iaa_jax", *arguments],
        cwd=folder,
        env=environment(folder) | variables,
        capture_output=True,
        check=False,
        timeout=300,
    )


def environment(folder: Path) -> dict[str, str]:
    names = ("PATH", "SYSTEMROOT", "XLA_FLAGS")  # the last: how quickly it compiles
    kept = {name: os.environ[name] for name in names if name in os.environ}
    return kept | {
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(ROOT),
        "IAA_JAX_CACHE_DIR": str(folder / "cache"),
    }
