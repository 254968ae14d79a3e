"""A file that was copied seems to be of one annotator more: its judgements tell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from iaa_jax import read, read_spans


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two annotators, the copy of one's file that a browser makes, and a backup of it."""
    for name in ("ann", "bob"):
        (tmp_path / f"{name}.jsonl").write_text(prodigy(name, 5))
    (tmp_path / "ann (1).jsonl").write_text(prodigy("ann", 5))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "bob.jsonl").write_text(prodigy("bob", 5))
    return tmp_path


def prodigy(name: str, items: int, time: float | None = 9.0) -> str:
    # the answers are the same: what tells annotators apart is when they gave them
    at = {} if time is None else {"_timestamp": time + len(name) + ord(name[0])}
    tasks = (
        {"_input_hash": number, "label": "X", "_view_id": "classification", "answer": "accept"}
        for number in range(items)
    )
    return "\n".join(json.dumps(task | at) for task in tasks)


def test_copies_are_named(folder: Path) -> None:
    first, second = read(folder).attrs["notices"].split("\n")
    alike = "gave equal answers to everything (5 answers each): if one file is a copy, leave it out"
    assert first == f"'{folder.name}/ann (1)', '{folder.name}/ann' {alike}"
    assert second == f"'{folder.name}/bob', 'old/bob' {alike}"


def test_few_answers_without_times_may_be_alike(tmp_path: Path) -> None:
    for items, is_said in ((19, False), (20, True)):
        for name in ("ann", "bob"):
            (tmp_path / f"{name}.jsonl").write_text(prodigy(name, items, None))
        assert (
            "gave equal answers to everything" in str(read(tmp_path).attrs.get("notices"))
        ) is is_said


def test_annotators_of_one_file_may_agree(tmp_path: Path) -> None:
    rows = [
        json.loads(line) | {"_annotator_id": name}
        for name in ("ann", "bob")
        for line in prodigy("x", 30).splitlines()
    ]
    path = tmp_path / "both.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert "alike" not in str(read(path).attrs.get("notices"))


def test_copies_of_spans_are_named(tmp_path: Path) -> None:
    for name in ("ann", "copy"):
        (tmp_path / name).mkdir()
        for number in range(20):
            (tmp_path / name / f"{number}.ann").write_text("T1\tX 0 2\tso\n")
            (tmp_path / name / f"{number}.txt").write_text("so it is")
    assert "'ann', 'copy' gave equal answers to everything" in read_spans(tmp_path).attrs["notices"]
