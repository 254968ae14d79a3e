"""``iaa missing``: gaps that are filled, items that are weighted, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.analyses.made import random_rows

FEW = ("--points", "2", "--imputations", "3")
WIDE = ("table.csv", *FEW, "--annotators", "ann,ben,cy")


@pytest.fixture(autouse=True)
def table(folder: Path) -> None:
    lines = ["item,ann,ben,cy,source,p"]
    for number, row in enumerate(random_rows(12, annotators=3, missing=0.8)):
        row[2 * (number % 3 == 0)] = None
        cells = ",".join(cell or "" for cell in row)
        lines.append(f"t{number},{cells},{'web' if number % 3 else 'news'},0.5")
    (folder / "table.csv").write_text("\n".join(lines))


def test_gaps_are_filled(iaa, ran) -> None:
    done = ran("missing", *WIDE, "--above", "0.2", "--json", "m.json")
    assert "With the gaps filled" in done.stdout
    found = json.loads(Path("m.json").read_text())
    assert found["least"] <= found["as_rated"] <= found["greatest"]
    assert iaa("missing", *WIDE, "--require", "least>=0.99").exit_code == 3


def test_items_are_weighted_as_well(iaa, ran) -> None:
    text = " ".join(ran("missing", *WIDE, "--by", "source").stdout.split())
    assert "With rated items weighted to stand for all items" in text
    assert "With the gaps filled" in text
    assert "Items of each group with two ratings or more" in text
    known = iaa("missing", *WIDE, "--probability", "p")
    assert "weights change nothing" in " ".join(known.stdout.split())


def test_both_at_once_are_refused(iaa) -> None:
    done = iaa("missing", *WIDE, "--by", "source", "--probability", "p")
    assert done.exit_code == 2
    assert "--by" in done.stderr
    assert "--probability" in done.stderr
