"""Rows that do not count, as every command is told of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.program import advised

ROWS = [
    f"{item},{who},{'xy'[(k + n) % 3 == 0]},{'rejected' if (k, n) in ((1, 0), (4, 1)) else 'ok'}"
    for k, item in enumerate("abcdefgh")
    for n, who in enumerate(("ann", "bob", "cleo"))
]
TOLD = ("--exclude", "status=rejected", "--exclude", "annotator=bob")


@pytest.fixture
def data(folder: Path) -> Path:
    file = folder / "r.csv"
    file.write_text("\n".join(["item,annotator,label,status", *ROWS]) + "\n")
    return file


COMMANDS = ["agree", "items", "labels", "annotators", "gold", "missing", "convert"]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_say_what_was_left_out(iaa, data, command: str) -> None:
    done = iaa(command, "r.csv", *TOLD)
    assert done.exit_code == 0, done.output
    said = " ".join((done.stdout + done.stderr).split())
    assert "2 rows with 'status' = 'rejected'; 7 rows with 'annotator' = 'bob'" in said


def test_results_know_it_and_next_steps_repeat_it(iaa, data) -> None:
    record = json.loads(iaa("agree", "r.csv", *TOLD, "--json", "-").stdout)
    assert record["provenance"]["options"]["exclude"] == list(TOLD[1::2])
    assert record["data"]["annotators"] == 2
    commands = advised(iaa("agree", "r.csv", *TOLD).stdout)
    assert commands
    for words in commands:
        assert [*words[2:6]] == list(TOLD)
        assert iaa(*words).exit_code == 0


def test_it_is_refused_with_words_of_the_command_line(iaa, data) -> None:
    done = iaa("agree", "r.csv", "--exclude", "status=reject")
    assert done.exit_code == 1
    said = " ".join(done.stderr.split())
    assert "(named by --exclude status=reject)" in said
    assert "did you mean 'rejected'?" in said
    assert "--exclude" in iaa("agree", "r.csv", "--exclude", "status").stderr
    assert iaa("agree", "r.csv", "--scan", *TOLD).exit_code != 0
