"""The command ``iaa sweep``: what it prints, writes, draws and refuses."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax
from tests.analyses.doubles.made import made_rows, ratings_of

OPTIONS = ("--item", "item", "--annotator", "who", "--label", "label", "--replicates", "200")
SECOND = ("--secondary", "second")
ROWS = made_rows(60, 3, 4, seed=3, gaps=0.05)


@pytest.fixture
def table(folder: Path) -> str:
    with (folder / "doubles.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "who", "label", "second"])
        for place, row in enumerate(ROWS):
            for who, cell in enumerate(row):
                if cell is not None:
                    writer.writerow([f"m{place}", f"ann{who}", cell[0], cell[1] or ""])
    return "doubles.csv"


def test_the_report(ran: Any, table: str) -> None:
    found = ran("sweep", table, *OPTIONS, *SECOND)
    for part in (
        "secondary labels ignored) to",
        "Two labels",
        "95 % at every p",
        "Ceiling",
        "4 better at p = 0.5",
        "{ab,cb}",
        "(1 - p)^2",
        "Labels named together",
        "If every pair of ratings were identical",
    ):
        assert part in " ".join(found.output.split())
    assert max(map(len, found.output.splitlines())) <= 100


def test_the_json_is_the_library(ran: Any, table: str) -> None:
    found = ran("sweep", table, *OPTIONS, *SECOND, "--points", "11", "--seed", "5", "--json", "-")
    written = json.loads(found.stdout)
    ratings = ratings_of(ROWS, "abcd")
    curve = iaa_jax.sweep(ratings, p=11, replicates=200, seed=5)
    points = written["curve"]["points"]
    for name in ("p", "estimate", "ci_low", "band_high", "ceiling", "standard_error"):
        np.testing.assert_allclose([row[name] for row in points], curve[name], atol=1e-12)
    assert written["curve"]["at_half"] == pytest.approx(float(curve.at_half))
    classes = iaa_jax.doubles.item_classes(ratings)
    rows = written["classes"]["items"]
    assert [row["item"] for row in rows] == [f"m{item}" for item in classes.item.values]
    assert [row["moved"] for row in rows] == classes.moved.values.tolist()
    assert len(written["patterns"]["patterns"]) == 11
    assert written["conclusion"] == curve.attrs["conclusion"]
    assert written["provenance"]["seed"] == 5
    assert written["provenance"]["options"]["points"] == 11


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_picture(ran: Any, table: str, folder: Path, suffix: str) -> None:
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for name in ("one", "two"):
        ran("sweep", table, *OPTIONS, *SECOND, "--plot", f"{name}.{suffix}")
    one, two = ((folder / f"{name}.{suffix}").read_bytes() for name in ("one", "two"))
    assert one.startswith(starts[suffix])
    assert one == two
    assert "matplotlib.pyplot" not in sys.modules


def test_other_coefficients_and_options(iaa: Any, ran: Any, table: str) -> None:
    found = iaa(
        "sweep", table, *OPTIONS, *SECOND, "--coefficient", "fleiss_kappa", "--interval", "none"
    )
    assert "Fleiss' kappa goes from" in found.output
    assert "95 % at every p" not in found.output
    found = iaa("sweep", table, *OPTIONS, *SECOND, "--coefficient", "specific_agreement")
    assert "Specific agreement of each label over p" in found.output
    found = ran("sweep", table, *OPTIONS, *SECOND, "--normalize", "ceiling", "--pool", "components")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ((), 1, "one label each: if there is a second, name it with --secondary"),
        (
            (*SECOND, "--plot", "curve.gif"),
            2,
            "must end in .md, .tex, .html, .csv, .xlsx, .json, .png",
        ),
        ((*SECOND, "--json", "doubles.csv"), 2, "holds the ratings"),
        ((*SECOND, "--normalize", "cosine"), 2, "not one of: none, ceiling"),
        ((*SECOND, "--coefficient", "fleiss_kappa", "--pool", "components"), 2, "has no option"),
        ((*SECOND, "--points", "1"), 2, "or equal to 2"),
    ],
)
def test_refusals(iaa: Any, table: str, arguments: tuple[str, ...], code: int, said: str) -> None:
    found = iaa("sweep", table, *OPTIONS, *arguments)
    assert found.exit_code == code
    assert said in " ".join(found.stderr.split())
    assert "Traceback" not in found.output


@pytest.mark.slow
def test_real_dermatologists(ran: Any, folder: Path, data_folder: Path) -> None:
    """Ranked differential diagnoses: the first label, and the second where one is named.

    Nobody knows which dermatologist wrote what. Alpha of single first labels is in FIGURES.json.
    """
    source = data_folder / "dermatology_ddx"
    cases = json.loads((source / "dermatology_selectors_cases0-1297.json").read_text())
    with (folder / "cases.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["case", "label", "second"])
        for place, case in enumerate(cases):
            for ranks in case:
                flat = [condition for group in ranks for condition in group]
                if len(ranks[0]) == 1:
                    writer.writerow([place, flat[0], flat[1] if len(flat) > 1 else ""])
    found = ran(
        *("sweep", "cases.csv", "--item", "case", "--label", "label", "--secondary", "second"),
        *("--anonymous", "--coefficient", "krippendorff_alpha", "--replicates", "100"),
        *("--points", "11", "--level", "nominal"),
        *("--json", "-", "--top", "3"),
    )
    written = json.loads(found.stdout)
    curve = written["curve"]
    assert round(curve["at_one"], 3) == 0.572
    assert curve["p_at_maximum"] == 1
    assert curve["doubles"] == 2232
    assert written["conclusion"] == "falls"
    assert curve["change"] < -0.1
    # what is lost towards p = 0.5 is arithmetic: of what is within reach, as much is agreed on
    shares = [row["share_of_ceiling"] for row in curve["points"]]
    assert abs(shares[0] - shares[-1]) < 0.01 < max(shares) - shares[-1]
    assert sum(row["pairs"] for row in written["patterns"]["patterns"]) > 10_000
    whole = iaa_jax.from_ranked(cases, p=0.6, anonymous=True)
    assert int(iaa_jax.summary(whole).ratings) == 6439
    figure = iaa_jax.krippendorff_alpha(whole, interval=None)
    assert 0.4 < float(figure.estimate) < 0.55
