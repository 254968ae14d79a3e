"""The study of plans: its tables are the package's figures, and the written one says what holds."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from tests.analyses.plan.pilots import labelled

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(FOLDER))
    from levels import plan

    return plan


def test_true_variances_are_those_of_large_sets(study: Any) -> None:
    large = labelled(60_000, 3, 1, (0.8, 0.2))
    error = float(iaa.krippendorff_alpha(large, interval="normal").standard_error)
    assert study.ALONE[".8/.2"].true_variance == pytest.approx(60_000 * error**2, rel=0.03)


@pytest.mark.parametrize("name", [".5/.5", ".5/.3/.2", ".5/.5, 40 documents of 5, +- .1"])
def test_tables_plan_as_the_package_does(
    study: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(study, "COMPARED", 1.0)
    world = replace((study.ALONE | study.DOCUMENTS)[name], items=80)
    monkeypatch.setattr(study.World, "true_variance", 0.5)
    for index in range(2):
        rng = np.random.default_rng([1, index])
        assert study.plan_by_tables(world, 0.1, rng)["as iaa.plan"]


def test_the_committed_table_has_the_limits_that_are_promised() -> None:
    text = (FOLDER / "levels" / "plan.md").read_text(encoding="utf-8")
    table = [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| ")]
    rows = {
        row[0]: {
            key: float(value.split(" ")[0].replace(",", ""))
            for key, value in zip(table[0][1:], row[1:], strict=True)
            if value
        }
        for row in table[2:]
    }
    assert rows[".8/.2"]["cannot tell"] < 10
    assert rows[".8/.2"]["near, of those told"] > 80
    assert rows[".93/.07"]["cannot tell"] > 85
    for name, row in rows.items():
        assert row["told and not near"] < 20, name
        assert row["interval holds"] > 88, name


def test_statistics_3_the_committed_table_of_plans_keeps_what_they_promise() -> None:
    """Fresh samples of the planned size; numbers with long tails are said to fail."""
    with (FOLDER / "plans.csv").open(encoding="utf-8") as file:
        rows = {row["cell"]: row for row in csv.DictReader(file)}
    of_power = {name for name in rows if name.startswith("power")}
    for name, row in rows.items():
        assert int(row["pilots"]) >= 200, name
        if name in of_power:
            assert float(row["planned, all"]) <= 2 * float(row["needed"]), name
        elif "lognormal" not in name:
            assert 70 < float(row["kept"]) < 96, name
            assert float(row["kept"]) > float(row["before kept"]) + 10, name
    for name in (".8/.2, 60 items", ".5/.5, 60 items", "four labels, 60 items"):
        row = rows[f"power: {name}"]
        assert float(row["planned"]) <= 2 * float(row["needed"]), name
        assert float(row["has the power"]) > 65, name
    controls = rows["crowd, 300 items and 5 control items"]
    assert float(controls["few_items_decide"]) > 95
