"""The page of Prodigy's blocks where tasks have sets of labels."""

from __future__ import annotations

import pytest
import xarray as xr

import iaa_jax as iaa

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
