"""Coefficients whose name says that annotators are random: what is random, and which interval."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError, Interval, Sampling
from iaa_jax.catalog import CATALOG
from iaa_jax.kernels.icc_intervals import icc2_interval
from tests.noted import notes_of

BY_NAME = ["icc2", "icc2k"]
RANDOM, FIXED = Sampling(annotators="random"), Sampling(annotators="fixed")


def numbers(annotators: int = 3, items: int = 40, seed: int = 0) -> np.ndarray:
    stream = np.random.default_rng(seed)
    shared = stream.normal(size=(items, 1)) + 0.4 * stream.normal(size=annotators)
    return shared + 0.5 * stream.normal(size=(items, annotators))


def ends(result: xr.Dataset) -> list[float]:
    return [float(result.ci_low), float(result.ci_high)]


def test_the_catalogue_names_them() -> None:
    assert [row.name for row in CATALOG.values() if row.random_annotators] == BY_NAME


@pytest.mark.parametrize("name", BY_NAME)
def test_annotators_are_random_by_default(name: str) -> None:
    ratings = iaa.from_values(numbers())
    found = getattr(iaa, name)(ratings)
    assert ends(found) == ends(getattr(iaa, name)(ratings, sampling=RANDOM))
    assert found.attrs["sampling_annotators"] == "random"
    assert found.random.item() == "items and annotators"
    assert found.interval.item() == "widened_large_sample"
    fixed = getattr(iaa, name)(ratings, sampling=FIXED)
    assert fixed.random.item() == "items"
    assert fixed.interval.item() == "kurtosis_t"
    assert np.ptp(ends(fixed)) < 0.6 * np.ptp(ends(found))
    assert ends(found)[1] < 1


def test_each_row_says_what_was_random() -> None:
    ratings = iaa.from_values(numbers())
    found = iaa.agreement(ratings).set_coords(["random", "interval"])
    for name in found.coefficient.values.tolist():
        row, alone = found.sel(coefficient=name), getattr(iaa, name)(ratings)
        by_name = name in BY_NAME
        assert row.random.item() == ("items and annotators" if by_name else "items")
        assert ends(row) == pytest.approx(ends(alone), rel=1e-12)
        assert row.interval.item() == alone.interval.item()
    (note,) = notes_of(found, "annotators_by_name")
    assert list(note.about) == BY_NAME
    assert not notes_of(iaa.agreement(ratings, sampling=FIXED), "annotators_by_name")
    assert not notes_of(iaa.agreement(ratings, sampling=RANDOM), "annotators_by_name")


def test_two_annotators_have_an_interval() -> None:
    value = numbers(2)
    found = iaa.icc2(iaa.from_values(value))
    assert found.interval.item() == found.attrs["interval"] == "widened_large_sample"
    assert found.ci_low < found.estimate < found.ci_high
    assert np.isnan(found.standard_error)
    assert not notes_of(found, "f_of_few_annotators")


def test_two_unlike_annotators_are_in_doubt() -> None:
    """They do not show how others differ: the interval held the truth in 76 to 87 %."""
    value = numbers(2, seed=1)
    assert iaa.icc2(iaa.from_values(value)).doubt.item() == ""
    value[:, 1] *= 3
    found = iaa.agreement(iaa.from_values(value), ["icc2", "icc3"])
    assert found.doubt.values.tolist() == ["unlike_annotators", ""]
    (note,) = notes_of(found, "unlike_annotators")
    assert note.values["p_value"] < 0.05
    three = np.concatenate([value, value[:, :1] * 2], axis=1)
    assert iaa.icc2(iaa.from_values(three)).doubt.item() != "unlike_annotators"


def test_each_interval_over_annotators_can_be_named() -> None:
    value = numbers(4)
    value[:, 1] *= 3
    ratings = iaa.from_values(value)
    for name, least in (("icc2", -1 / 3), ("icc2k", -np.inf)):
        measured = getattr(iaa, name)
        plain, widened = (
            ends(measured(ratings, interval=f"{how}_large_sample"))
            for how in ("modified", "widened")
        )
        assert widened[0] < plain[0]
        assert widened[1] >= plain[1]
        assert widened[0] >= least
        assert ends(measured(ratings)) == widened


def test_a_note_says_that_f_of_two_annotators_is_rough() -> None:
    value = numbers(2)
    found = iaa.icc2(iaa.from_values(value), interval="f")
    wanted = icc2_interval(value, np.ones(len(value)), 0.95)
    np.testing.assert_allclose(ends(found), [wanted.low, wanted.high])
    assert found.interval.item() == found.attrs["interval"] == "f"
    assert np.isnan(found.standard_error)
    (note,) = notes_of(found, "f_of_few_annotators")
    assert note.level == "caution"
    assert note.values == {"annotators": 2, "held": 0.69}
    asked = iaa.icc2(iaa.from_values(value), interval="f", sampling=RANDOM)
    assert ends(found) == ends(asked)


def test_f_is_over_random_annotators_and_says_where_they_are_few() -> None:
    for annotators, held in ((3, 0.78), (6, 0.9), (12, None)):
        ratings = iaa.from_values(numbers(annotators))
        found = iaa.agreement(ratings, ["icc1", "icc2", "krippendorff_alpha"], interval="f")
        assert found.random.values.tolist() == ["items", "items and annotators", "items"]
        assert np.isnan(found.ci_low.values).tolist() == [False, False, True]
        notes = notes_of(found, "f_of_few_annotators")
        assert [note.values["held"] for note in notes] == ([held] if held else [])
    with pytest.raises(IaaError, match="over random annotators is for icc2, icc2k, not for icc1"):
        iaa.icc1(ratings, interval="f", sampling=RANDOM)


@pytest.mark.parametrize(
    "how", ["abc", "studentized", Interval("t", standard_error="grouped_jackknife")]
)
def test_intervals_about_items_alone_take_annotators_as_fixed(how: str | Interval) -> None:
    ratings = iaa.from_values(numbers())
    found = iaa.icc2(ratings, interval=how)
    assert found.random.item() == "items"
    assert ends(found) == ends(iaa.icc2(ratings, interval=how, sampling=FIXED))


def test_replicates_are_drawn_over_both() -> None:
    ratings = iaa.from_values(numbers())
    drawn = iaa.bootstrap(ratings, ["icc1", "icc2"], replicates=400)
    assert drawn.random.values.tolist() == ["items", "items and annotators"]
    alone = iaa.bootstrap(ratings, "icc2", replicates=400)
    np.testing.assert_array_equal(drawn.replicates.sel(coefficient="icc2"), alone.replicates)
    assert alone.attrs["sampling_annotators"] == "random"
    fixed = iaa.bootstrap(ratings, "icc1", replicates=400)
    np.testing.assert_array_equal(drawn.replicates.sel(coefficient="icc1"), fixed.replicates)
    found = iaa.bootstrap.intervals(drawn)
    for name, how in (("icc1", "bca"), ("icc2", Interval("t", transform="range"))):
        wanted = getattr(iaa, name)(ratings, interval=how, replicates=400)
        np.testing.assert_allclose(ends(found.sel(coefficient=name)), ends(wanted))
    above = iaa.bootstrap.probability_above(drawn, 0.5).probability.isel(cut_off=0)
    np.testing.assert_allclose(above[1], iaa.bootstrap.probability_above(alone, 0.5).probability[0])


def test_groups_and_clusters_too() -> None:
    value = numbers(items=60)
    ratings = iaa.from_values(value).assign_coords(document=("item", np.arange(60) // 3))
    found = iaa.icc2(ratings, sampling=Sampling(cluster="document"))
    assert found.random.item() == "clusters and annotators"
    halves = ratings.assign_coords(half=("item", np.arange(60) // 30))
    groups = iaa.agreement_by(halves, "half", ["icc1", "icc2"])
    assert groups.random.values.tolist() == [["items", "items and annotators"]] * 2
    np.testing.assert_allclose(
        ends(groups.isel(group=0, coefficient=1)), ends(iaa.icc2(iaa.from_values(value[:30])))
    )


def test_few_drawn_annotators_do_not_show_every_kind() -> None:
    """Of six annotators of whom one in five guesses none may: 73 % held, and nobody could tell."""
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=(60, 1))
    codes = np.where(rng.random((60, 12)) < 0.8, truth, rng.integers(3, size=(60, 12)))
    random = iaa.Sampling(annotators="random")
    for annotators, doubt in ((9, "few_annotators"), (12, "")):
        found = iaa.krippendorff_alpha(iaa.from_wide(codes[:, :annotators]), sampling=random)
        assert found.doubt.item() == doubt
    for annotators, told in ((9, True), (12, False)):
        found = iaa.icc2(iaa.from_values(numbers(annotators)))
        assert bool(notes_of(found, "kinds_not_shown")) is told


def test_an_interval_far_wider_than_its_standard_error_says_why() -> None:
    rng = np.random.default_rng(3)
    item = (rng.random((400, 1)) < 0.3) * np.exp(2.5 * rng.normal(size=(400, 1)))
    far = iaa.krippendorff_alpha(iaa.from_values(item * np.exp(0.5 * rng.normal(size=(400, 3)))))
    width = float(far.ci_high - far.ci_low) / (2 * 1.96 * float(far.standard_error))
    assert width > 2
    (note,) = notes_of(far, "far_tails")
    assert note.values["times"] == pytest.approx(width, abs=0.06)
    assert not notes_of(iaa.krippendorff_alpha(iaa.from_values(numbers(3))), "far_tails")
