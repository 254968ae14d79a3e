"""The items that an interval of a given width takes: with these, it has that width."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError

FIGURE = "share of y"


def median_of(
    seed: int, name: str, rated: int, people: int, *, items: int = 1500, sets: int = 6, **given
) -> float:
    """The median of a figure of sets of so many rated items and people, who differ."""
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(sets):
        truth = rng.random(items) < 0.4
        judge = np.where(rng.random(items) < 0.85, truth, rng.random(items) < 0.6)
        bias = np.resize([-0.08, 0.0, 0.08], people)
        yes = rng.random((items, people)) < np.where(truth[:, None], 0.85, 0.15) + bias
        codes = np.column_stack([judge, yes]).astype(int)
        codes[rng.permutation(items)[rated:], 1:] = -1
        result = iaa.judged_scores(made(codes), "annotator 1", **given).sel(figure=FIGURE)
        if name == "width":
            told.append(float(result["corrected_ci_high"] - result["corrected_ci_low"]))
        else:
            told.append(float(result[name]))
    return float(np.median(told))


def made(codes: np.ndarray) -> xr.Dataset:
    return iaa.from_wide([[("n", "y", None)[code] for code in row] for row in codes.tolist()])


@pytest.mark.parametrize("these", [False, True])
def test_so_many_items_give_the_width(these: bool) -> None:
    given = {"sampling": iaa.Sampling(annotators="fixed"), "these_items": these}
    needed = median_of(1, "items_needed", 60, 3, half_width=0.04, **given)
    assert needed > 150
    assert median_of(1, "people_needed", 60, 3, half_width=0.04, **given) == 3
    assert median_of(2, "width", int(needed), 3, **given) == pytest.approx(0.08, rel=0.1)


def test_where_people_are_the_error_more_of_them_are_needed() -> None:
    needed, people = (
        median_of(3, name, 100, 6, half_width=0.055) for name in ("items_needed", "people_needed")
    )
    assert people > 6
    assert median_of(4, "width", int(needed), int(people)) == pytest.approx(0.11, rel=0.1)
    # no number of items does it by the six
    assert median_of(5, "width", 1500, 6) > 0.11


@pytest.mark.parametrize("kind", ["fixed", "random"])
def test_the_width_of_today_takes_what_there_is(kind: str) -> None:
    codes = np.random.default_rng(6).integers(0, 2, (300, 4))
    codes[70:, 1:] = -1
    given = {"sampling": iaa.Sampling(annotators=kind)}
    told = iaa.judged_scores(made(codes), "annotator 1", **given).sel(figure=FIGURE)
    width = float(told["corrected_ci_high"] - told["corrected_ci_low"]) + 1e-9
    for asked, takes in ((width, (70, 3)), (width / 100, (np.inf, np.inf))):
        result = iaa.judged_scores(made(codes), "annotator 1", half_width=asked / 2, **given)
        own = result.sel(figure=FIGURE)
        assert (float(own["items_needed"]), float(own["people_needed"])) == takes


@pytest.mark.parametrize("width", [0.0, -1.0, np.inf, np.nan])
def test_a_width_is_above_0(width: float) -> None:
    codes = np.ones((40, 3), dtype=int)
    with pytest.raises(IaaError, match="half_width must be above 0"):
        iaa.judged_scores(made(codes), "annotator 1", half_width=width)
