"""The page of Prodigy's blocks where tasks have sets of labels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.pages import render
from iaa_jax.pages.content import RENDERERS
from iaa_jax.pages.records import record

ROWS = [
    [["news"], ["news", "sport"]],
    [["sport"], ["sport"]],
    [[], ["arts"]],
    [["news"], ["news"]],
    [["arts", "news"], None],
] * 5


@pytest.fixture(scope="module")
def result() -> xr.Dataset:
    return iaa.prodigy(iaa.from_sets(ROWS), replicates=60)


def test_each_label_has_its_figures(result: xr.Dataset) -> None:
    assert dict(result.sizes) == {"label": 3, "coefficient": 3}
    assert (int(result.annotations), int(result.examples)) == (45, 25)
    assert result.present_ratings.sel(label="news").item() == 25
    alone = iaa.per_label(iaa.from_sets(ROWS), ["gwet_ac2"], interval=None)
    assert result.estimate.sel(coefficient="gwet_ac2").values == pytest.approx(
        alone.estimate.values[:, 0]
    )


def test_the_answer_names_the_lowest_and_the_highest(result: xr.Dataset) -> None:
    alpha = result.estimate.sel(coefficient="krippendorff_alpha")
    lowest, highest = (str(alpha.label[at].item()) for at in alpha.values.argsort()[[0, -1]])
    assert f"alpha is lowest for {lowest}" in " ".join(str(iaa.page(result)).split())
    one = iaa.prodigy(iaa.data.keep_labels(iaa.from_sets(ROWS), ["news"]), interval=None)
    assert "alpha of news is" in " ".join(str(iaa.page(one)).split())
    assert highest in str(iaa.page(result))


@pytest.mark.parametrize("form", RENDERERS)
def test_every_form_has_the_figures_of_labels(result: xr.Dataset, form: str) -> None:
    text = render(iaa.page(result), form)
    for label in ("arts", "news", "sport"):
        assert label in text


@pytest.mark.parametrize("width", [50, 70])
def test_it_fits_the_terminal(
    result: xr.Dataset, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, str(iaa.page(result)).splitlines())) <= width


def test_a_file_holds_the_result(result: xr.Dataset, tmp_path: Path) -> None:
    json.dumps(record(iaa.page(result).results), allow_nan=False)
    result.to_netcdf(tmp_path / "result.nc", engine="scipy")
    again = xr.load_dataset(tmp_path / "result.nc", engine="scipy")
    assert str(iaa.page(again)) == str(iaa.page(result))


def test_numbers_are_refused() -> None:
    with pytest.raises(iaa.IaaError, match=r"single labels, of label sets or of spans"):
        iaa.prodigy(iaa.from_values([[1.5, 2.0], [2.5, 3.0]]))
