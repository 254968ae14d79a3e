"""The pages of whole projects, executed: files, commands in order, and what they print."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pandas as pd
import pytest

from tests.markdown import FENCE

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs" / "data"


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


def run_as_told(page: str, folder: Path, request: pytest.FixtureRequest) -> int:
    """Run a page's files and commands in the folder, check the output; return their number."""
    iaa = request.getfixturevalue("iaa")
    path = ROOT / "docs" / page
    ran = 0
    for fence in FENCE.finditer(path.read_text(encoding="utf-8")):
        language, text = fence[1], fence[2]
        if language == "toml":
            (folder / "iaa.toml").write_text(text)
        if language == "py":
            exec(compile(text, str(path), "exec"), {})
        for line, told in commands_of(text) if language == "console" else ():
            command, _, code = line.partition("; echo")
            done = iaa(*shlex.split(command)[1:])
            assert done.exit_code == (int(told.pop()) if code else 0), done.stderr
            printed = in_one_line(done.stdout + done.stderr)
            for each in told:
                assert in_one_line(each) in printed, command
            ran += 1
    return ran


def test_the_project_runs_as_the_page_tells_it(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in (DATA / "convabuse").glob("*.csv"):
        shutil.copy(file, folder)
    monkeypatch.chdir(folder)
    assert run_as_told("project.md", folder, request) == 13
    gold = pd.read_csv("gold.csv", dtype=str)
    assert (gold.decided_by == "adjudicated").sum() == 60
    assert len(gold) == 600


def test_an_export_becomes_gold_labels_as_the_page_tells_it(
    request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "docs" / "data").mkdir(parents=True)
    shutil.copy(DATA / "leoka_team_11.json.gz", folder / "docs" / "data")
    monkeypatch.chdir(folder)
    assert run_as_told("from-export-to-gold.md", folder, request) == 7
    assert Path("sheet.xlsx").is_file()
