"""The pages of label sets, and of labels as present or absent: what they say of given results."""

from __future__ import annotations

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import page
from iaa_jax.pages import Page, render
from iaa_jax.pages.records import record
from iaa_jax.pages.saving import content_of
from tests.kernels.test_multi_label import TEN_ITEMS, TEN_LABELS


@pytest.fixture(scope="module")
def results() -> dict[str, xr.Dataset]:
    ratings = iaa.from_sets([list(map(list, row)) for row in TEN_ITEMS], labels=TEN_LABELS)
    functions = {"labels": iaa.per_label, "label_sets": iaa.label_sets}
    return {name: function(ratings, interval=None) for name, function in functions.items()}


@pytest.fixture(scope="module")
def with_intervals() -> xr.Dataset:
    ratings = iaa.from_sets([list(map(list, row)) for row in TEN_ITEMS], labels=TEN_LABELS)
    found = iaa.label_sets(ratings, replicates=50)
    return found.assign(band_ci_low=("band", [0.111]), band_ci_high=("band", [0.327]))


def flat(page: Page) -> str:
    return " ".join(str(page).split())


def test_the_whole_page(results: dict[str, xr.Dataset]) -> None:
    text = flat(page(*results.values()))
    for said in (
        "Label Given Alpha Specific Percent",
        "em 30.0 % 1.000 1.000 1.000 ",
        "Whole sets Estimate Observed Expected",
        "A_m 0.714 0.851 0.480 ",
        "0.7 to 1 80.0 % 62.5 %",
        "annotator 1 0.870 2 ",
        "ps fn 0.267 0 0 % ",
        "Two different sets of one label each still score 0.400.",
        "Expert Coder Index: mean agreement with the other annotators.",
        "Shown: 10 of 15 pairs of labels;",
    ):
        assert said in text
    assert "interval" not in text


def test_the_share_of_a_band_and_its_interval_are_in_percent(with_intervals: xr.Dataset) -> None:
    said = {
        "terminal": "80.0 %   11 % to 33 %  ",
        "markdown": "| 80.0 % | 11 % to 33 % |",
        "latex": r"& 80.0 \% & 11 \% to 33 \% &",
    }
    for form, row in said.items():
        assert row in render(iaa.page(with_intervals), form)


def test_files_hold_the_interval_of_a_band_as_plain_numbers(with_intervals: xr.Dataset) -> None:
    shown = iaa.page(with_intervals)
    header, line = content_of(shown, ".csv", "bands").decode().splitlines()
    assert header.startswith("band_low,band_high,band_share,band_ci_low,band_ci_high,")
    assert line.startswith("0.7,1.0,0.8,0.111,0.327,")
    (band,) = record(shown.results)["label_sets"]["bands"]
    assert (band["band_ci_low"], band["band_ci_high"]) == (0.111, 0.327)


def test_the_answer_names_who_gives_what_the_others_leave_out() -> None:
    rows = [[["x", "x / y"], ["x / y"], ["x / y"]], [["x", "z"], ["z"], ["z"]]] * 20
    shown = iaa.page(iaa.label_sets(iaa.from_sets(rows), interval=None))
    assert "annotator 1 gives 'x' in 100.0 % of ratings, the others in 0 %" in flat(shown)
    assert [note.code for note in shown.answer] == ["sets_lead", "label_users"]
    found = iaa.findings(iaa.from_sets(rows))
    assert (found["annotator"].values[0], found["label"].values[0]) == ("annotator 1", "x")
    table = iaa.annotators(iaa.from_sets(rows))
    assert table["leans_to"].values.tolist() == ["x", "", ""]


def test_so_many_labels_and_pairs(results: dict[str, xr.Dataset]) -> None:
    text = flat(page(*results.values(), top=2))
    assert "Shown: 2 of 6 labels, the most frequent first;" in text
    assert "Shown: 2 of 15 pairs of labels;" in text


def test_single_labels_have_no_answer_and_no_sets() -> None:
    ratings = iaa.from_wide([["a", "a"], ["b", "a"], ["c", "c"], ["b", "b"]] * 3)
    shown = iaa.page(iaa.per_label(ratings, replicates=50))
    assert [note.code for note in shown.answer] == ["one_label_each"]
    assert [table.id for table in shown.tables] == ["labels"]
    assert "Alpha 95 % interval Specific 95 % interval Percent" in flat(shown)
    header = content_of(shown, ".csv").decode().splitlines()[0]
    assert "percent_agreement_ci_low,percent_agreement_ci_high" in header
