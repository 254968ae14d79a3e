"""The table of levels: its rows are those of the study, and tests hold their level."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    from levels import __main__ as study

    return study


def test_the_written_table_has_a_row_for_each_test_at_its_level(study: Any) -> None:
    with (FOLDER / "levels.csv").open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert [row["null"] for row in table] == [*study.rows()]
    for row in table:
        if row["null"].startswith("POWER"):
            continue
        found, of = int(row["found"]), int(row["data_sets"])
        # 6.5 %, and what chance may add to it in so many data sets
        assert found / of <= 0.065 + 3 * np.sqrt(0.065 * 0.935 / of), row["null"]


def test_a_row_counts_data_sets_of_streams_of_their_own(study: Any) -> None:
    """Of 200 tosses about half; the same again; and no more than the time allows."""
    hits, of = study.share(lambda draw: bool(draw.random() < 0.5), 200, 60.0)
    assert of == 200
    assert abs(hits - 100) < 4 * np.sqrt(50)
    assert study.share(lambda draw: bool(draw.random() < 0.5), 200, 60.0) == (hits, of)
    assert study.share(lambda _: None, 5, 60.0) == (0, 0)
    assert study.share(lambda _: True, 5, 0.0) == (1, 1)
