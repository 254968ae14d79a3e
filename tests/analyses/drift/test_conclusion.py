"""What a study of drift comes to, from its p-values and figures."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
import xarray as xr

from iaa_jax.analyses.drift.conclusion import conclude
from iaa_jax.wording import Note
from tests.analyses.drift.studies import study, times
from tests.noted import notes_of


def with_p(by: str, **p_values: float) -> xr.Dataset:
    """A study with other p-values; those that are not given are 0.5."""
    names = ("", "change_", "slope_", "deviation_", "label_")
    given = {f"{name}p_value": p_values.get(name.rstrip("_") or "all", 0.5) for name in names}
    return study(by).assign(given)


def concluded(by: str, **p_values: float) -> tuple[str, list[str]]:
    conclusion, notes = conclude(with_p(by, **p_values), times(by))
    return conclusion, [note.code for note in notes]


def note(code: str, by: str, **p_values: float) -> Note:
    notes = conclude(with_p(by, **p_values), times(by))[1]
    return next(one for one in notes if one.code == code)


def test_a_planted_fall() -> None:
    result = study()
    assert result.attrs["conclusion"] == "step"
    (step,) = notes_of(result, "step")
    assert step.values["before"] == float(result.change_before)
    assert step.values["p_value"] == 0.01
    assert step.values["moved"].code == "fell"
    assert step.values["at"].values == {"date": str(result.change_at.values)[:10]}
    (who,) = notes_of(result, "other_annotators")
    assert who.values["further"] == Note("again_with", {"names": ["ann", "bob"]})
    assert who.values["moves"][-1].values == {"stopped": 1, "began": 1}


@pytest.mark.parametrize(
    ("p_values", "conclusion", "codes"),
    [
        ({"all": 0.3}, "no_drift", ["no_drift", "trend_bounds", "largest_step"]),
        ({"all": 0.01, "change": 0.01}, "step", ["step", "other_annotators"]),
        (
            {"all": 0.01, "change": 0.02, "slope": 0.01, "deviation": 0.03},
            "step",
            ["step", "trend", "other_annotators"],
        ),
        ({"all": 0.01, "slope": 0.01}, "trend", ["trend"]),
        ({"all": 0.01, "deviation": 0.01}, "deviation", ["deviation"]),
        ({"all": 0.05}, "unclear", ["unclear"]),
        (
            {"all": 0.01, "slope": 0.01, "label": 0.001},
            "trend",
            ["labels_differ", "trend"],
        ),
        ({"all": np.nan}, "untested", ["cannot_test", "trend_bounds"]),
    ],
)
@pytest.mark.parametrize("by", ["day", "batch"])
def test_the_p_values_decide(
    by: str, p_values: dict[str, float], conclusion: str, codes: list[str]
) -> None:
    assert concluded(by, **p_values) == (conclusion, codes)


def test_batches_in_no_known_order_have_no_step_in_time() -> None:
    conclusion, codes = concluded("part", all=0.01, change=0.01, deviation=0.01)
    assert (conclusion, codes) == ("deviation", ["deviation", "step_as_seen", "other_annotators"])
    assert concluded("part", all=0.01, change=0.01)[0] == "step"
    assert note("largest_step", "part", all=0.3).values["order"] == Note("as_seen")
    assert note("largest_step", "batch", all=0.3).values["order"] == ""


def test_two_batches_are_compared() -> None:
    result = study("half")
    assert result.attrs["conclusion"] == "two_differ"
    figures = notes_of(result, "two_differ")[0].values["figures"]
    assert [one.values["estimate"] for one in figures] == result.estimate.values.tolist()
    assert concluded("half", all=0.3) == ("two_alike", ["two_alike"])
    assert concluded("half", all=0.01, change=0.01) == (
        "two_differ",
        ["two_differ", "other_annotators"],
    )


def test_what_a_trend_suggests() -> None:
    alone = {"all": 0.01, "slope": 0.01}
    assert note("trend", "day", **alone).values["tail"] == Note("slow_change")
    assert note("trend", "day", **alone, label=0.001).values["tail"] == ""
    beside = note("trend", "day", **alone, change=0.01)
    assert beside.values["tail"] == Note("step_or_trend")
    assert beside.values["what"] == Note("it")


def test_trends_that_are_excluded() -> None:
    result = with_p("day", all=0.3)
    for low, high, codes in (
        (-0.1, 0.2, ["steady_fall", "steady_rise"]),
        (0.1, 0.2, ["steady_rise"]),
    ):
        ends = {"period_change_ci_low": low, "period_change_ci_high": high}
        notes = conclude(result.assign(ends), times("day"))[1]
        (bounds,) = (one for one in notes if one.code == "trend_bounds")
        assert [one.code for one in bounds.values["bounds"]] == codes
        assert bool(bounds.values["wide"]) == (high - low > 0.2)


def test_the_same_annotators() -> None:
    result = with_p("day", all=0.01, change=0.01).assign(panel_change=0.05)
    notes = conclude(result, times("day"))[1]
    assert notes[-1] == Note("same_annotators", {"moved": 0.05})


def test_no_tests_were_asked_for() -> None:
    result = study(permutations=0)
    assert result.attrs["conclusion"] == "untested"
    assert [one.code for one in notes_of(result)][:2] == ["not_tested", "trend_bounds"]


def test_windows_that_are_too_narrow() -> None:
    (narrow,) = notes_of(study(bandwidth=0.5), "too_narrow")
    assert narrow.values["reach"] == 0.5
    assert narrow.values["usual"] > 5


@pytest.mark.parametrize("by", ["day", "batch", "part", "half"])
def test_a_file_holds_the_result(by: str) -> None:
    result = study(by)
    again = xr.open_dataset(BytesIO(bytes(result.to_netcdf(engine="scipy"))), engine="scipy")
    assert again.attrs["conclusion"] == result.attrs["conclusion"]
    assert notes_of(again) == notes_of(result)
    np.testing.assert_allclose(again.estimate, result.estimate)
