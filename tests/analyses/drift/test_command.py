"""The command ``iaa drift``: what it reads, prints, writes and refuses."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import iaa_jax
from iaa_jax.cli.app import app
from tests.analyses.drift.studies import ratings
from tests.program import PLAIN

FAST = ("--replicates", "100", "--permutations", "99")


@pytest.fixture
def falling(folder: Path) -> str:
    """The study of the fall as a long table, with a time of each rating."""
    study = ratings()
    names, labels = study["annotator"].values, study["label"].values
    with (folder / "falling.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "annotator", "label", "day", "stamp", "batch", "part"])
        for item in range(study.sizes["item"]):
            one = study.isel(item=item)
            day = str(one["day"].values)[:10]
            for hour, code in enumerate(one["primary"].values):
                if code >= 0:
                    cells = [f"m{item}", names[hour], labels[code], day, f"{day} {9 + hour}:00"]
                    writer.writerow([*cells, one["batch"].item(), one["part"].item()])
    return "falling.csv"


def told(output: str) -> str:
    return " ".join(output.split())


def test_the_answer_the_table_and_what_to_know(ran: Any, falling: str) -> None:
    done = ran("drift", falling, "--by", "day", *FAST)
    said = told(done.output)
    for part in (
        "Krippendorff's alpha fell from 0.853 before 2024-04-05 to 0.",
        "run again with --keep-annotators ann,bob, who rated in both",
        "By day (dates, read from text)",
        "weighted by nearness (--bandwidth ",
        "Shown: 12 of 50 windows; all are in CSV and JSON files (--output and --json)",
    ):
        assert part in said
    assert max(map(len, done.output.splitlines())) <= 100


def test_an_order_that_is_given(iaa: Any, falling: str) -> None:
    said = told(iaa("drift", falling, "--by", "part", *FAST).output)
    assert "in order of first appearance: pilot, second, main, last; --order sets another" in said
    assert " fell " not in said
    given = iaa("drift", falling, "--by", "part", "--order", "last,main,second,pilot", *FAST)
    assert "batches in the order given" in told(given.output)
    assert "before 'second' to 0.844 from that batch on" in told(given.output)
    lacking = iaa("drift", falling, "--by", "part", "--order", "last,main", *FAST)
    assert lacking.exit_code == 1
    assert "iaa: --order leaves out: 'pilot', 'second'; 'part' holds" in lacking.output


def test_times_of_ratings_become_the_middle(ran: Any, falling: str) -> None:
    written = json.loads(ran("drift", falling, "--by", "stamp", *FAST, "--json", "-").stdout)
    assert written["points"][0]["point"] == "2024-03-01T10:00:00"
    assert "middle_times" in [note["code"] for note in written["notes"]]


def test_without_intervals(ran: Any, falling: str) -> None:
    done = ran("drift", falling, "--by", "day", "--interval", "none", "--permutations", "99")
    said = told(done.output)
    assert "alpha fell from 0.853 before 2024-04-05 to 0." in said
    assert "the straight trend of -0." in said
    assert "- to -" not in said


def test_the_json_is_the_library(ran: Any, falling: str) -> None:
    options = ("--seed", "5", "--points", "7", "--coefficient", "fleiss_kappa")
    done = ran("drift", falling, "--by", "day", *FAST, *options, "--json", "-")
    written = json.loads(done.stdout)
    study = iaa_jax.drift(
        ratings(), "day", "fleiss_kappa", points=7, seed=5, replicates=100, permutations=99
    )
    for name in ("estimate", "ci_low", "band_high", "effective_items"):
        np.testing.assert_allclose(
            [row[name] for row in written["points"]], study[name], atol=1e-12
        )
    np.testing.assert_allclose([row["z"] for row in written["cuts"]], study.z, atol=1e-12)
    for name in ("slope", "p_value", "change_before", "panel_change"):
        assert written[name] == pytest.approx(float(study[name]))
    assert written["conclusion"] == study.attrs["conclusion"]
    assert written["change_at"] == str(study.change_at.values)[:19]
    assert written["points"][0]["point"] == "2024-03-01T00:00:00"
    assert written["provenance"]["unit"] == "day"
    assert written["provenance"]["options"]["by"] == "day"
    assert [row["annotator"] for row in written["annotators"]] == ["ann", "bob", "cleo", "dora"]


def test_the_items_as_they_stand(iaa: Any, folder: Path, program: Any) -> None:
    for file in ("wide.csv", "-"):
        text = (folder / "wide.csv").read_text()
        done = CliRunner(env=PLAIN).invoke(app, ["drift", file, "--by", "order", *FAST], text)
        assert done.exit_code == 0, done.output
        assert "no step was looked for" in told(done.output).lower()
        assert "By order (the items in their order, each a batch)" in told(done.output)


WRONG_USAGE = ("--bandwidth must be a number", "must end in .md")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "nosuch"), "has no column 'nosuch'"),
        (("--by", "time"), "or give --by order for the items in their order"),
        (("--by", "annotator"), "is along annotator"),
        (("--by", "day", "--bandwidth", "soon"), "--bandwidth must be a number"),
        (("--by", "batch", "--bandwidth", "3"), "--by batch are batches"),
        (("--by", "day", "--interval", "abc"), "is not available here"),
        (("--by", "day", "--plot", "x.txt"), "must end in .md"),
        (("--by", "day", "--json", "nosuch/x.json"), "there is no folder"),
        (("--by", "day", "--coefficient", "icc1"), "needs ratings that are numbers"),
    ],
)
def test_refusals(iaa: Any, falling: str, arguments: tuple[str, ...], said: str) -> None:
    done = iaa("drift", falling, *arguments, *FAST)
    assert done.exit_code == (2 if said in WRONG_USAGE else 1)
    assert said in done.output
    first, *ways = done.output.strip().splitlines()
    assert first.startswith(("iaa: ", "Usage: ")) or said in WRONG_USAGE
    assert all(way.startswith("  - ") for way in ways)


def test_the_one_column_of_dates_is_taken(iaa: Any, falling: str, folder: Path) -> None:
    text = (folder / falling).read_text()
    (folder / "one.csv").write_text(re.sub(r"(?<=,)[-0-9]+ \d+:00", "x", text))
    done = iaa("drift", "one.csv", *FAST)
    assert done.stdout == iaa("drift", "one.csv", "--by", "day", *FAST).stdout
    assert "'day' holds the dates: --by names another column" in done.stderr
    done = iaa("drift", falling, *FAST)  # which has two
    assert done.exit_code == 1
    assert "has no column 'time', the default of --by; its columns are" in done.stderr
