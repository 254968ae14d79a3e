"""docs/project.md, executed: its files, its commands in order, and what they print."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest

from tests.markdown import FENCE

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "project.md"
DATA = ROOT / "docs" / "data" / "convabuse"


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def commands_of(block: str) -> list[tuple[str, list[str]]]:
    """Each command with what the page says it prints, without what it leaves out."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    told = [part.split("\n", 1) for part in parts]
    return [
        (line, [each for each in rest.split("\n") if each.strip() not in ("", "...")])
        for line, rest in told
    ]


def test_the_project_runs_as_the_page_tells_it(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iaa = request.getfixturevalue("iaa")
    for file in DATA.glob("*.csv"):
        shutil.copy(file, folder)
    monkeypatch.chdir(folder)
    ran = 0
    for found in FENCE.finditer(PAGE.read_text(encoding="utf-8")):
        language, text = found[1], found[2]
        if language == "toml":
            (folder / "iaa.toml").write_text(text)
        if language == "py":
            exec(compile(text, str(PAGE), "exec"), {})
        for line, told in commands_of(text) if language == "console" else ():
            command, _, code = line.partition("; echo")
            done = iaa(*shlex.split(command)[1:])
            assert done.exit_code == (int(told.pop()) if code else 0), done.stderr
            printed = in_one_line(done.stdout + done.stderr)
            for each in told:
                assert in_one_line(each) in printed, command
            ran += 1
    assert ran == 13
    gold = pd.read_csv("gold.csv", dtype=str)
    assert (gold.decided_by == "adjudicated").sum() == 60
    assert len(gold) == 600
