"""The pages about secondary labels: what they say of given results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import page
from iaa_jax.pages import Page
from iaa_jax.pages.saving import content_of
from tests.analyses.doubles.made import made, made_rows, ratings_of


@pytest.fixture(scope="module")
def results() -> dict[str, xr.Dataset]:
    ratings = ratings_of(made_rows(20, 3, 4, seed=3), "abcd")
    curve = iaa.sweep(ratings, p=21, replicates=50)
    return {
        "curve": curve,
        "classes": iaa.doubles.item_classes(ratings),
        "items": iaa.doubles.item_curves(ratings, p=curve),
        "patterns": iaa.doubles.patterns(ratings, p=(0.5, 0.75, 1.0)),
        "label_pairs": iaa.doubles.labels(ratings, top=2),
    }


def flat(page: Page) -> str:
    return " ".join(str(page).split())


def test_the_whole_page(results: dict[str, xr.Dataset]) -> None:
    text = flat(page(*results.values()))
    counts = results["classes"]["count"].values[:, 3]
    doubles = float(results["curve"].doubles)
    for said in (
        "If every pair of ratings were identical, the coefficient would be 1 at p = 1",
        f"Two labels {doubles:.0f} of 60 ratings ({100 * doubles / 60:.1f} %)",
        "p Estimate 95 % at this p 95 % at every p Ceiling",
        f"4 better at p = 0.5 {counts[0]:.0f} {5 * counts[0]:.1f} % {counts[1]:.0f} ",
        "{ab,cb} ",
        "(1 - p)^2 ",
        "Labels named together Ratings Items Class 4 Gain, p = 0.5 Gain, p = 1",
        "Shown: 11 of 21 points;",
        "intervals: bootstrap over items (BCa), 50 resamples, seed 0",
        "Of 6 pairs of labels used, the 2 most frequent are shown.",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("low", "high", "conclusion", "said"),
    [
        (-0.3, -0.1, "falls", "falls by 0.200 as secondary labels count more"),
        (0.1, 0.3, "rises", "rises by 0.200 as secondary labels count more"),
        (-0.3, 0.1, "unclear", "is not shown to change as secondary labels count more"),
        (np.nan, np.nan, "estimated", "a change of -0.200."),
    ],
)
def test_the_answer(
    results: dict[str, xr.Dataset], low: float, high: float, conclusion: str, said: str
) -> None:
    change = 0.2 if conclusion == "rises" else -0.2
    figures = {"at_one": 0.5, "at_half": 0.5 + change, "change": change}
    figures |= {"change_ci_low": low, "change_ci_high": high}
    curve = results["curve"].assign({name: ((), value) for name, value in figures.items()})
    text = flat(page(curve.assign_attrs(conclusion=conclusion)))
    assert text.startswith("Augmented kappa ")
    assert said in text
    assert "0.500 at p = 1 (secondary labels ignored)" in text
    if conclusion in ("falls", "rises"):
        assert "(95 % interval 0.10 to 0.30)" in text


def test_a_curve_without_an_end() -> None:
    rows = [[("a", "b"), ("a", None)], [("a", None), ("a", "b")], [("a", "b"), ("a", "b")]]
    text = flat(iaa.page(iaa.sweep(ratings_of(rows, "ab"), p=5, interval=None)))
    assert "Augmented kappa is undefined at p = 1 or p = 0.5" in text
    assert "Undefined at 1 of 5 points: the coefficient is 0/0" in text


def test_a_curve_for_each_label() -> None:
    curve = iaa.sweep(made(30, 3, 4, seed=1), "specific_agreement", p=3, replicates=50)
    shown = iaa.page(curve)
    assert [table.id for table in shown.tables] == ["labels"]
    assert not shown.pictures
    assert "Specific agreement of each label over p" in flat(shown)


def test_the_picture(results: dict[str, xr.Dataset]) -> None:
    curve = results["curve"].assign_attrs(files='["folder/d$a$.csv"]')
    (picture,) = page(curve).pictures
    np.testing.assert_array_equal(picture.curves[0].y, curve.estimate)
    np.testing.assert_array_equal(picture.bands[0].low, curve.band_low)
    (largest,) = picture.marks
    assert (largest.x, largest.y) == (float(curve.p_at_maximum), float(curve.maximum))
    text = content_of(page(curve), ".svg").decode()
    assert f">d$a$.csv: {float(curve.doubles):.0f} of 60 ratings" in text
    assert f"largest: {float(curve.maximum):.3f} at p = " in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("item_classes", "change class when normalised"),
        ("item_curves", "Items with a figure above 0.6:"),
        ("patterns", "Two ratings Pairs Share Credit p = 0.5 p = 0.75 p = 1"),
        ("labels", "Gain: change of the coefficient"),
    ],
)
def test_pages_of_single_functions(name: str, said: str, tmp_path: Any) -> None:
    result = getattr(iaa.doubles, name)(made(30, 3, 4, seed=1))
    assert said in flat(iaa.page(result))
    result.to_netcdf(tmp_path / "result.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "result.nc", engine="scipy") as read:
        assert flat(iaa.page(read.load())) == flat(iaa.page(result))
