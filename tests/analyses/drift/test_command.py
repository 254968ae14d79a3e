"""The command ``iaa drift``: what it prints, advises, writes, draws and refuses."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import iaa_jax
from iaa_jax.analyses.drift.command import with_times
from iaa_jax.cli.app import app
from iaa_jax.cli.reading import Reading
from tests.program import PLAIN

FAST = ("--replicates", "100", "--permutations", "99")


def write(path: Path, later: float, items: int = 240, panel: bool = True) -> str:
    """A long table: three people on 60 days; from day 36 on they see the truth less often."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, items)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "annotator", "label", "day", "stamp", "batch"])
        for item in range(items):
            day = item * 60 // items
            quality = 0.9 if day < 36 else later
            third = "cleo" if day < 36 or not panel else "dora"
            for hour, who in enumerate(("ann", "bob", third)):
                code = truth[item] if rng.random() < quality else rng.integers(0, 3)
                date = np.datetime64("2024-03-01") + day
                writer.writerow(
                    [
                        f"m{item}",
                        who,
                        "xyz"[code],
                        date,
                        f"{date} {9 + hour}:00",
                        f"b {day // 6 + 1}",
                    ]
                )
    return str(path.name)


@pytest.fixture
def falling(folder: Path) -> str:
    return write(folder / "falling.csv", 0.5)


@pytest.fixture
def steady(folder: Path) -> str:
    return write(folder / "steady.csv", 0.9, panel=False)


def told(output: str) -> str:
    return " ".join(output.split())


def test_a_fall_and_who_changed(iaa: Any, falling: str) -> None:
    found = iaa("drift", falling, "--by", "day", *FAST)
    assert found.exit_code == 0, found.output
    said = told(found.output)
    for part in (
        "Krippendorff's alpha by day (text as dates)",
        "Krippendorff's alpha fell from 0.8",
        "(p = 0.010; the place at roughly 95 %: between 2024-0",
        "guidelines, annotators, sources",
        "Who rated changed there too: 3",
        "cleo 33 % to ",
        "1 stopped, 1 began",
        "--keep-annotators ann,bob",
        "As a straight trend it falls by",
        "per day. A step looks like a trend",
        "Shown: 12 of 50 windows",
        "Around: items within",
        "shuffles times among items, 99 times, seed 0",
    ):
        assert part in said
    assert max(map(len, found.output.splitlines())) <= 100


def test_no_drift(iaa: Any, steady: str) -> None:
    found = iaa("drift", steady, "--by", "batch", *FAST)
    assert found.exit_code == 0, found.output
    said = told(found.output)
    for part in (
        "by batch (batches in natural order)",
        "No drift can be shown",
        "a steady fall of more than",
        "excluded at 95 %",
        "steps tried is from",
        "chance alone may make such steps",
    ):
        assert part in said
    assert "Who rated" not in said
    batches = [line[:4].strip() for line in found.output.splitlines() if line.startswith("b ")]
    assert batches == [f"b {number}" for number in range(1, 11)]


def test_names_in_no_known_order(iaa: Any, falling: str, folder: Path) -> None:
    text = (folder / falling).read_text()
    for number, name in enumerate(["pilot", "second", "main", "last"]):
        for batch in range(10):
            if batch * 4 // 10 == number:
                text = text.replace(f",b {batch + 1}\n", f",{name}\n")
    (folder / "named.csv").write_text(text)
    found = iaa("drift", "named.csv", "--by", "batch", *FAST)
    said = told(found.output)
    assert "order: as they first appear: pilot, second, main, last; --order says another" in said
    assert "in the order in which the batches first appear in the file" in said
    assert " fell " not in said
    assert "straight trend" not in said
    given = iaa("drift", "named.csv", "--by", "batch", "--order", "last,main,second,pilot", *FAST)
    assert "batches in the order given" in told(given.output)
    assert "alpha rose from" in told(given.output)


def test_windows_that_are_too_narrow(iaa: Any, falling: str) -> None:
    found = iaa("drift", falling, "--by", "day", "--bandwidth", "0.5", *FAST)
    assert "No window holds enough items: --bandwidth 0.5 is too narrow" in told(found.output)


def test_nothing_that_varies(iaa: Any, folder: Path) -> None:
    lines = ["item,ann,bob", *(f"i{place},yes,yes" for place in range(60))]
    (folder / "same.csv").write_text("\n".join(lines))
    found = iaa("drift", "same.csv", "--item", "item", "--annotators", "ann,bob", "--by", "order")
    assert found.exit_code == 0, found.output
    said = told(found.output)
    assert "No test could be made" in said
    assert "largest of" not in said
    assert "excluded" not in said


def test_times_of_ratings_become_the_middle(iaa: Any, falling: str, folder: Path) -> None:
    found = iaa("drift", falling, "--by", "stamp", *FAST)
    assert found.exit_code == 0, found.output
    assert "differ in stamp: the middle one is taken" in told(found.output)
    reading = Reading((falling,))
    ratings, note = with_times(reading.ratings(), reading, "stamp")
    assert note
    assert str(ratings["stamp"].values[0])[:16] == "2024-03-01T10:00"


@pytest.mark.parametrize("columns", ["50", "80"])
def test_a_narrow_terminal(falling: str, columns: str) -> None:
    arguments = ["drift", falling, "--by", "day", "--permutations", "0", "--interval", "normal"]
    found = CliRunner(env={**PLAIN, "COLUMNS": columns}).invoke(app, arguments)
    assert found.exit_code == 0, found.output
    assert max(map(len, found.output.splitlines()[3:])) <= int(columns)
    assert "Not shown at this width" in told(found.output)


def test_without_intervals(iaa: Any, falling: str) -> None:
    found = iaa("drift", falling, "--by", "day", "--interval", "none", "--permutations", "99")
    assert found.exit_code == 0, found.output
    said = told(found.output)
    assert "As a straight trend it falls by" in said
    assert " over the whole time (p = 0.010)" in said
    assert "- to -" not in said


def test_the_json_is_the_library(iaa: Any, falling: str) -> None:
    options = ("--seed", "5", "--points", "7", "--coefficient", "fleiss_kappa")
    found = iaa("drift", falling, "--by", "day", *FAST, *options, "--json", "-")
    assert found.exit_code == 0, found.output
    written = json.loads(found.stdout)
    reading = Reading((falling,))
    ratings, _ = with_times(reading.ratings(), reading, "day")
    study = iaa_jax.drift(
        ratings, "day", "fleiss_kappa", points=7, seed=5, replicates=100, permutations=99
    )
    for name in ("estimate", "ci_low", "band_high", "effective_items"):
        np.testing.assert_allclose(
            [row[name] for row in written["points"]], study[name], atol=1e-12
        )
    np.testing.assert_allclose([row["z"] for row in written["cuts"]], study.z, atol=1e-12)
    for name in ("slope", "p_value", "change_before", "panel_change"):
        assert written[name] == pytest.approx(float(study[name]))
    assert written["change_at"] == str(study.change_at.values)[:19]
    assert written["points"][0]["point"] == "2024-03-01T00:00:00"
    assert written["unit"] == "day"
    assert written["provenance"]["options"]["by"] == "day"
    assert [row["annotator"] for row in written["annotators"]] == ["ann", "bob", "cleo", "dora"]


def test_the_items_as_they_stand(iaa: Any, folder: Path) -> None:
    found = iaa("drift", "wide.csv", "--by", "order", *FAST)
    assert found.exit_code == 0, found.output
    assert "no step was looked for" in told(found.output).lower()


def test_a_picture(iaa: Any, falling: str, folder: Path) -> None:
    pytest.importorskip("matplotlib")
    for by, name in (("day", "curve.svg"), ("batch", "batches.svg")):
        found = iaa("drift", falling, "--by", by, *FAST, "--plot", name)
        assert found.exit_code == 0, found.output
        drawn = (folder / name).read_text()
        for part in ("Krippendorff", "step: 0.", "all items", f"by {by}"):
            assert part in drawn


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--by", "nosuch"), "has no column 'nosuch'"),
        ((), "give --by order for the items as they stand"),
        (("--by", "annotator"), "stands along annotator"),
        (("--by", "day", "--bandwidth", "soon"), "bandwidth is a number"),
        (("--by", "batch", "--bandwidth", "3"), "are batches"),
        (("--by", "day", "--interval", "abc"), "cannot be had here"),
        (("--by", "day", "--plot", "x.txt"), "must end in .png"),
        (("--by", "day", "--json", "nosuch/x.json"), "there is no folder"),
        (("--by", "day", "--coefficient", "icc1"), "needs ratings that are numbers"),
    ],
)
def test_refusals(iaa: Any, falling: str, arguments: tuple[str, ...], said: str) -> None:
    found = iaa("drift", falling, *arguments, *FAST)
    assert found.exit_code == 1
    assert said in found.output
    assert len(found.output.strip().splitlines()) == 1


def test_dates_that_are_none(iaa: Any, falling: str, folder: Path) -> None:
    text = (folder / falling).read_text().replace("2024-03-02,", "soon,")
    (folder / "bad.csv").write_text(text)
    found = iaa("drift", "bad.csv", "--by", "day", *FAST)
    assert found.exit_code == 1
    assert "holds dates, but also 'soon' (item m4)" in found.output


def test_a_pipe_cannot_be_read_twice(program: Any, falling: str) -> None:
    found = program("drift", "-", "--by", "day")
    assert found.returncode == 1
