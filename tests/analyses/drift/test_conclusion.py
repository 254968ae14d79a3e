"""The conclusion of a study of drift, from its p-values and estimates."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.drift.conclusion import conclude
from iaa_jax.wording import Note
from tests.analyses.drift.studies import study, times
from tests.noted import notes_of


def with_p(by: str, left: float = 0.5, **p_values: float) -> xr.Dataset:
    """A study with other p-values; others are 0.5, ``left`` what findings leave of others."""
    names = ("", "change_", "slope_", "deviation_", "label_")
    given = {f"{name}p_value": p_values.get(name.rstrip("_") or "all", 0.5) for name in names}
    beside = xr.full_like(study(by).left_over_p_value, left)
    return study(by).assign(given).assign(left_over_p_value=beside)


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
            ["step", "not_excluded", "other_annotators"],
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
    assert (conclusion, codes) == ("deviation", ["deviation", "not_excluded"])
    conclusion, codes = concluded("part", left=0.01, all=0.01, change=0.01, deviation=0.01)
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


def test_the_finding_that_explains_the_others_is_said_and_they_with_it() -> None:
    both = {"all": 0.01, "change": 0.01, "slope": 0.01}
    result = with_p("day", **both)
    result.left_over_p_value.loc[{"finding": "step", "given": "slope"}] = 0.01
    notes = conclude(result, times("day"))[1]
    assert [one.code for one in notes[:2]] == ["step", "explained"]
    (trend,) = notes[1].values["found"]
    assert trend.code == "beside_slope"
    assert (trend.values["p"], trend.values["left"]) == (0.01, 0.5)
    assert trend.values["change"] == float(result.period_change)
    beside = note("trend", "day", left=0.01, **both)
    assert beside.values["what"] == "Krippendorff's alpha"
    result = with_p("day", **both).assign(finding_share=("finding", [0.7, 0.3, 0.0]))
    assert conclude(result.assign_attrs(stretches=6), times("day"))[0] == "trend"
    # in few stretches a step within one of them makes a line
    assert conclude(result.assign_attrs(stretches=5), times("day"))[0] == "step_or_trend"


def test_a_step_and_a_trend_that_explain_as_much_are_told_as_one_or_the_other() -> None:
    both = {"all": 0.01, "change": 0.01, "slope": 0.01}
    even = with_p("day", **both).assign(finding_share=("finding", [0.45, 0.55, 0.0]))
    conclusion, notes = conclude(even, times("day"))
    assert conclusion == "step_or_trend"
    assert [one.code for one in notes[:3]] == ["either", "step", "trend"]
    assert notes[0].values["forms"] == [Note("a_step"), Note("a_trend")]
    # neither explains the other away, so both are there
    both_there = even.assign(left_over_p_value=xr.full_like(even.left_over_p_value, 0.01))
    conclusion, notes = conclude(both_there, times("day"))
    assert conclusion == "step"
    assert [one.code for one in notes[:2]] == ["step", "trend"]
    # ... and where one does, it is said
    even.left_over_p_value.loc[{"finding": "slope", "given": "step"}] = 0.9
    even.left_over_p_value.loc[{"finding": "step", "given": "slope"}] = 0.01
    assert conclude(even, times("day"))[0] == "step"


def test_a_last_batch_by_itself_and_a_step_before_it_are_the_same() -> None:
    same = with_p("batch", all=0.01, change=0.01, deviation=0.01)
    same = same.assign(finding_z=("finding", [1.0, 4.0, 4.0]))
    same = same.assign(finding_share=("finding", [0.0, 0.7, 0.3]))
    conclusion, notes = conclude(same, times("batch"))
    assert conclusion == "step_or_deviation"
    assert [one.code for one in notes[:3]] == ["either", "step", "deviation"]


@pytest.mark.parametrize("by", [["b1", "b2", "b3", "b4", "b5", "b6"], list(range(6))])
def test_one_bad_batch_is_no_step(by: list[object]) -> None:
    """Alphas .6 .6 -.1 .6 .6 .6: the third differs, and that explains the step after it."""
    agreeing = {".6": ["aa"] * 16 + ["bb"] * 16 + ["ab"] * 4 + ["ba"] * 4}
    agreeing["-.1"] = ["aa"] * 9 + ["bb"] * 9 + ["ab"] * 11 + ["ba"] * 11
    order = (".6", ".6", "-.1", ".6", ".6", ".6")
    rows = [list(cell) for batch in order for cell in 3 * agreeing[batch]]
    ratings = iaa.from_wide(rows).assign_coords(batch=("item", np.repeat(by, 120)))
    result = iaa.drift(ratings, "batch", replicates=100, permutations=399)
    assert result.attrs["conclusion"] == "deviation"
    assert str(result.deviation_at.values) in ("b3", "2.0")
    assert float(result.change_p_value) < 0.05
    (explained,) = notes_of(result, "explained")
    (step,) = explained.values["found"]
    assert step.code == "beside_step"
    assert step.values["left"] > 0.5
    left = result.left_over_p_value
    assert float(left.sel(finding="deviation", given="step")) < 0.05


def test_unanimous_ratings_have_no_interval_and_say_so() -> None:
    ratings = iaa.from_wide([["a", "a"], ["b", "b"]] * 60)
    ratings = ratings.assign_coords(batch=("item", np.arange(120) // 30))
    result = iaa.drift(ratings, "batch", interval="bca", replicates=100, permutations=19)
    (caution,) = notes_of(result, "nothing_disagrees")
    assert caution == Note("nothing_disagrees", {"where": "", "there": ""}, "caution")
    for name in ("ci_low", "ci_high", "band_low", "band_high"):
        assert np.isnan(result[name]).all()
    assert (result.estimate == 1).all()


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
        trend = notes[0].values["trend"]
        assert (trend.values["alone"] == Note("trend_alone")) == (low > 0)


def test_the_same_annotators() -> None:
    result = with_p("day", all=0.01, change=0.01).assign(panel_change=0.05)
    notes = conclude(result, times("day"))[1]
    assert notes[-1] == Note("same_annotators", {"moved": 0.05})
    none = conclude(result.assign(panel_change=0.0), times("day"))[1]
    assert none[-1].code == "same_annotators_as_often"


def test_no_tests_were_asked_for() -> None:
    result = study(permutations=0)
    assert result.attrs["conclusion"] == "untested"
    assert [one.code for one in notes_of(result)][:2] == ["not_tested", "trend_bounds"]


def test_windows_that_are_too_narrow() -> None:
    (narrow,) = notes_of(study(bandwidth=0.5), "too_narrow")
    assert narrow.values["reach"] == 0.5
    assert narrow.values["usual"] > 5


@pytest.mark.parametrize("interval", ["bca", "percentile"])
def test_referee_8_a_band_ends_where_the_coefficient_does(interval: str) -> None:
    rng = np.random.default_rng(8)
    first = np.where(rng.random(120) < 0.5, "a", "b")
    other = np.where(rng.random(120) < 0.06, np.where(first == "a", "b", "a"), first)
    ratings = iaa.from_wide(np.column_stack([first, other]))
    ratings = ratings.assign_coords(batch=("item", np.arange(120) // 20))
    result = iaa.drift(ratings, "batch", interval=interval, replicates=100, permutations=0)
    assert float(result.band_high.max()) == 1.0
    uncut = result.estimate + result.attrs["band_factor"] * result.standard_error
    assert result.attrs["band_cut"] == int((uncut > 1).sum()) > 0
    said = " ".join(str(iaa.page(result)).split())
    count = result.attrs["band_cut"]
    assert f"together; cut at the ends of the coefficient's range in {count} of them." in said


@pytest.mark.parametrize(("low", "high", "unlike"), [(-0.2, 0.01, True), (-0.2, -0.01, False)])
def test_an_interval_over_0_beside_a_small_p_is_explained(
    low: float, high: float, unlike: bool
) -> None:
    ends = {"period_change_ci_low": low, "period_change_ci_high": high}
    result = with_p("day", all=0.01, slope=0.01).assign(ends)
    (trend,) = [note for note in conclude(result, times("day"))[1] if note.code == "trend"]
    assert trend.values["p"] == 0.01
    assert trend.values["unlike"] == (Note("unlike_p", {"alpha": 0.05}) if unlike else "")
