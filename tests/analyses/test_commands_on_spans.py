"""``iaa agree``, ``compare``, ``drift`` and ``plan`` of exports that hold spans alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analyses.marked import units
from tests.oracles import strict_f1

FAST = ("--replicates", "100")
TESTED = (*FAST, "--permutations", "99")


@pytest.fixture(autouse=True)
def exports(folder: Path) -> None:
    """A folder of doccano for each of two sets, a file for each annotator."""
    for name, seed in (("first", 1), ("second", 2)):
        (folder / name).mkdir()
        for who in ("ann", "bob", "cleo"):
            records = [
                {"id": place, "text": "x" * 200, "label": marks[who], "batch": place // 10}
                for place, marks in enumerate(units(40, seed).values())
            ]
            lines = "".join(f"{json.dumps(record)}\n" for record in records)
            (folder / name / f"{who}.jsonl").write_text(lines)


def f1(seed: int, documents: slice = slice(None)) -> float:
    return strict_f1.f1([*units(40, seed).values()][documents])


def test_agree(iaa) -> None:
    names = ("--coefficients", "span_f1,partial_span_f1")
    done = iaa(
        "agree", "first", *names, *FAST, "--require", "span_f1.estimate>=0.9", "--json", "a.json"
    )
    assert done.exit_code == 3
    assert "required span_f1.estimate >= 0.9, but it is" in done.stderr
    found = json.loads(Path("a.json").read_text())["coefficients"]
    assert found["span_f1"]["estimate"] == pytest.approx(f1(1))
    assert found["span_f1"]["estimate"] < found["partial_span_f1"]["estimate"]
    assert "Expected" not in done.stdout
    for random in (("--cluster", "batch"), ("--random-annotators",)):
        assert iaa("agree", "first", "--coefficients", "span_f1", *FAST, *random).exit_code == 0


def test_compare(ran) -> None:
    text = " ".join(ran("compare", "first", "second", *TESTED, "--json", "c.json").stdout.split())
    assert "an item is a document here" in text
    assert "Strict F1 of the units with each label" in text
    found = json.loads(Path("c.json").read_text())["coefficients"]["span_f1"]
    assert found["difference"] == pytest.approx(f1(2) - f1(1))
    halves = ran("compare", "first", "--by", "batch", "--between", "0,3", *TESTED)
    assert f"'batch 3': {f1(1, slice(10)):.3f} and " in " ".join(halves.stdout.split())


def test_drift_and_plan(ran) -> None:
    done = ran("drift", "first", "--by", "batch", *TESTED)
    assert f"{f1(1, slice(10)):.3f}" in done.stdout
    done = ran("plan", "first", "--half-width", "0.1", "--simulations", "50", *FAST)
    assert "Strict F1" in done.stdout
