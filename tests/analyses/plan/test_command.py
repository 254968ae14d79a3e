"""The command ``iaa plan``: what it reads, prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax
from iaa_jax.wording.formats import interval

FAST = ("--simulations", "64", "--replicates", "64")
QUICK = {"simulations": 64, "replicates": 64}


def write(folder: Path, name: str = "pilot.csv", annotators: int = 3, items: int = 80) -> str:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, (items, 1))
    given = np.where(
        rng.random((items, annotators)) < 0.75, truth, rng.integers(0, 3, (items, annotators))
    )
    names = "abcdefgh"[:annotators]
    rows = [",".join([str(k), *("xyz"[code] for code in row)]) for k, row in enumerate(given)]
    (folder / name).write_text("\n".join([",".join(["item", *names]), *rows]) + "\n")
    return name


@pytest.fixture
def pilot(folder: Path) -> str:
    return write(folder)


def said(done: Any) -> str:
    """All text in one line."""
    assert done.exit_code == 0, done.output
    return " ".join(done.stdout.split())


def test_page_and_files_have_the_numbers_of_the_library(iaa, pilot, folder) -> None:
    options = ("--half-width", "0.06", "--looks", "3", *FAST)
    done = iaa("plan", pilot, *options, "--json", "out.json", "--output", "tables/")
    text = said(done)
    made = json.loads((folder / "out.json").read_text())
    known = iaa_jax.plan(iaa_jax.read(pilot), half_width=0.06, looks=3, **QUICK)
    assert made["conclusion"] == known.attrs["conclusion"] == "annotate"
    for name in ("estimate", "needed_items", "needed_items_low", "best_items", "between_share"):
        assert made[name] == known[name].item()
    planned = int(made["planned_items"])
    assert f"{planned} items with 3 annotators per item, {planned - 80} more than the pilot" in text
    assert "80 % of samples have an interval this narrow." in text
    with open(pilot, "a") as file:
        file.write("unrated,,,\n")
    text = said(iaa("plan", pilot, *options))
    assert f"{planned - 80} more than the 80 items of the pilot with two ratings or more" in text
    ends = interval([made[f"pilot_{end}"] for end in ("low", "high")])
    assert f"Pilot {made['estimate']:.3f} (95 % interval {ends})" in text
    (design,) = (row for row in made["items"] if row["items"] == planned)
    assert design["half_width"]["3"] == known.half_width.sel(items=planned, annotators=3).item()
    line = next(line for line in done.stdout.splitlines() if line.split()[:1] == [f"{planned}"])
    assert f"{design['half_width']['3']:.3f}*" in line
    assert [row["annotators"] for row in made["annotators"]] == known.annotators.values.tolist()
    assert [row["look_items"] for row in made["looks"]] == known.look_items.values.tolist()
    assert made["provenance"]["coefficient"] == "krippendorff_alpha"
    assert made["provenance"]["seed"] == 0
    assert made["provenance"]["options"]["half_width"] == 0.06
    assert {path.stem for path in (folder / "tables").iterdir()} == {
        "annotators",
        "designs",
        "half_widths",
        "looks",
        "simulated",
    }


def test_power_names_what_is_planned_and_the_looks(iaa, pilot) -> None:
    done = iaa("plan", pilot, "--null", ".394", "--power", ".9", "--looks", ".5,1", *FAST)
    text = said(done)
    known = iaa_jax.plan(iaa_jax.read(pilot), null=0.394, power=0.9, looks=[0.5, 1], **QUICK)
    planned = int(known.planned_items)
    assert f"To rule out 0.394 with 90 % power, annotate {planned:,} items" in text
    assert f"the pilot's {known.estimate.item():.3f} may be too high." in text
    assert "suffices" not in text
    row = next(line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["3"])
    assert row[1] == f"{planned:,}"
    assert "looks" in known.attrs["notes"]
    assert "Looks on the way" in text
    assert f"{known.look_half_width.values[0]:.3f} {known.look_single_half_width[0]:.3f}" in text


def test_uneven_panels_of_the_pilot(iaa, pilot, folder) -> None:
    """The advice has the table's number, and tells what unevenness costs."""
    lines = (folder / pilot).read_text().splitlines()
    lines[1:30] = [",".join([*line.split(",")[:3], ""]) for line in lines[1:30]]
    (folder / "uneven.csv").write_text("\n".join(lines) + "\n")
    done = iaa("plan", "uneven.csv", *FAST)
    text = said(done)
    row = next(line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["3"])
    assert f"annotate {row[1]} items with 3 annotators per item" in text
    assert "have 2 to 3 annotators, 2.638 on average" in text
    assert "instead of" not in text


def test_two_annotators_stay_two(iaa, folder) -> None:
    file = write(folder, "two.csv", annotators=2)
    text = said(iaa("plan", file, *FAST))
    assert "do not show what a third would add (--per-item" in text
    text = said(iaa("plan", file, "--per-item", "2,3", *FAST))
    assert "rest on a model of items" in text


def test_costs(iaa, pilot) -> None:
    text = said(iaa("plan", pilot, "--cost-item", "10", "--cost-rating", "0.5", *FAST))
    assert "Lowest cost in the table" in text
    assert "Ratings Cost" in text


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--power", "0.8"), 2, "give --null as well"),
        (("--items", "many"), 2, "whole numbers"),
        (("--looks", "often"), 2, "number of looks"),
        (("--spending", "all"), 2, "obrien_fleming"),
        (("--coefficient", "kapa"), 2, "kapa"),
        (("--assurance", "1"), 2, "--assurance must lie between 0 and 1"),
        (("--half-width", "0"), 2, "--half-width must be above 0"),
        (("--null", "2"), 2, "--null, must lie below 1"),
        (("--per-item", "2,151"), 2, "--per-item takes whole numbers from 2 to 150"),
        (("--looks", "0"), 2, "1 to 50"),
        (("--coefficient", "cohen_kappa"), 1, "two annotators"),
        (("--population", "50"), 1, "--population (50) is smaller than the 80 rated items"),
        (("--population", "0"), 2, "--population"),
        (("--cluster", "thread"), 1, "thread"),
        (("--random-annotators", "--looks", "3"), 1, "items by the same annotators"),
    ],
)
def test_wrong_usage(iaa, pilot, options, code, message) -> None:
    done = iaa("plan", pilot, *options, *FAST)
    assert done.exit_code == code
    text = done.output
    assert message in " ".join(text.replace("│", " ").split())
    assert "Traceback" not in done.output


def test_a_pilot_that_tells_nothing(iaa, folder) -> None:
    (folder / "same.csv").write_text("item,a,b\n1,x,x\n2,y,y\n3,x,x\n")
    done = iaa("plan", "same.csv")
    assert done.exit_code == 1
    assert done.stderr.startswith("iaa: no plan: annotators agree equally on")
    assert "krippendorff_alpha" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_clusters_and_random_annotators(iaa, pilot, folder) -> None:
    lines = (folder / pilot).read_text().splitlines()
    rows = [f"{line},{'document' if row == 0 else row // 3}" for row, line in enumerate(lines)]
    (folder / "documents.csv").write_text("\n".join(rows) + "\n")
    columns = ("documents.csv", "--annotators", "a,b,c")
    text = said(iaa("plan", *columns, "--cluster", "document", "--half-width", ".1", *FAST))
    sampling = iaa_jax.Sampling(cluster="document")
    ratings = iaa_jax.read(
        str(folder / "documents.csv"), annotators=["a", "b", "c"], keep=["document"]
    )
    known = iaa_jax.plan(ratings, half_width=0.1, sampling=sampling, **QUICK)
    clusters = int(known.planned_clusters)
    assert f"{int(known.planned_items)} items in {clusters} clusters by document" in text
    random = ("--random-annotators", "--half-width", ".01", "--json", "-")
    made = json.loads(iaa("plan", *columns, *random, *FAST).stdout)
    assert "too_few_annotators" in {note["code"] for note in made["notes"]}


def test_variance_says_what_the_function_finds(iaa: Any, pilot: str) -> None:
    options = ("--target", ".9", "--per-item", "2,3", "--items", "100", "--cost-rating", ".2")
    text = said(iaa("variance", pilot, *options))
    result = iaa_jax.variance(
        iaa_jax.read(pilot), target=0.9, per_item=[2, 3], items=[100], cost_rating=0.2
    )
    needed, share = int(result.needed_annotators), 100 * float(result.share[0])
    assert f"With {needed} annotators, shares of labels would be dependable" in text
    assert f"{share:.1f} % lies between items" in text
    assert f"{float(result.half_width[0, 1]):.3f}" in text
    assert " Error variance " in text
    enough = float(result.dependability[1]) - 1e-9
    once = said(iaa("variance", pilot, "--target", str(enough), "--per-item", "2,3"))
    assert "Fewer annotators would not reach" in once
    assert "would be dependable" not in once
