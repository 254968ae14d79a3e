"""Whether a pilot can tell how many items it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.error_model import ErrorModel
from iaa_jax.analyses.plan.pilot import pilot_of, replicates_of_pilot
from iaa_jax.analyses.plan.pilot_adequacy import LEAST_DEGREES, MOST, half_widths
from iaa_jax.engine.drawing import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from iaa_jax.wording.formats import short
from tests.analyses.plan.pilots import labelled
from tests.noted import notes_of


def plans(share: float, number: int, **options: object) -> list[xr.Dataset]:
    """Plans from pilots of 60 items of which so many have the second label."""
    found = []
    for seed in range(number):
        pilot = labelled(60, 3, seed, (1 - share, share))
        found.append(iaa.plan(pilot, simulations=0, per_item=[3], replicates=200, **options))
    return found


def told(result: xr.Dataset) -> bool:
    return bool(result.attrs["conclusion"] != "pilot_too_small")


def test_pilots_with_a_rare_label_cannot_tell_and_others_can() -> None:
    assert np.mean([told(one) for one in plans(0.07, 10)]) < 0.3
    assert np.mean([told(one) for one in plans(0.5, 5)]) == 1
    assert np.mean([told(one) for one in plans(0.2, 15)]) > 0.7


def test_a_pilot_that_cannot_tell_says_what_would_and_that_can() -> None:
    cannot = [one for one in plans(0.07, 7) if not told(one)]
    found = cannot[0]
    assert float(found.half_width_doubt) > MOST
    (note,) = notes_of(found, "too_few_telling")
    assert note.values["wanted"] == found.wanted_items > found.pilot_items
    assert notes_of(found, "cannot_tell")
    assert not notes_of(found, "items_for_width")
    said = " ".join(str(iaa.page(found)).split())
    assert said.startswith("For an interval of ±0.05: this pilot cannot tell")
    assert f"annotate {int(found.wanted_items):,} items in all" in said
    assert "Fewest ratings" not in said
    size = int(np.median([float(one.wanted_items) for one in cannot]))
    assert 100 < size < 400
    larger = [
        iaa.plan(labelled(size, 3, 50 + seed, (0.93, 0.07)), simulations=0, per_item=[3])
        for seed in range(6)
    ]
    assert np.mean([told(one) for one in larger]) > 0.6


def test_a_narrow_interval_of_a_pilot_that_cannot_tell_is_no_reason_to_stop() -> None:
    found = next(one for one in plans(0.07, 3, half_width=0.9) if not told(one))
    assert found.pilot_half_width < 0.9
    assert notes_of(found, "cannot_tell")


def test_telling_items_are_those_on_which_the_variance_stands() -> None:
    """By hand: of percent agreement U is 1 - p or -p, of 4 items that differ and 36 that do not."""
    rows = [["a", "b"]] * 4 + [["a", "a"]] * 36
    found = iaa.plan(iaa.from_wide(rows), "percent_agreement", simulations=0, replicates=0)
    squares = np.array([0.9**2] * 4 + [0.1**2] * 36)
    assert float(found.telling_items) == pytest.approx(squares.sum() ** 2 / (squares**2).sum())


def test_without_replicates_nothing_is_said_of_doubt() -> None:
    found = iaa.plan(labelled(60, 3, 0, (0.93, 0.07)), simulations=0, replicates=0)
    assert math.isnan(found.half_width_doubt)
    assert found.attrs["conclusion"] == "annotate"


def test_replicates_are_centred_on_the_pilot() -> None:
    """Draws with replacement from few items that tell something show too little variance."""
    resolver = Resolver(Rated.of(labelled(60, 3, 1, (0.9, 0.1))))
    pilot = pilot_of(resolver, one_coefficient(resolver, None))
    drawn = replicates_of_pilot(pilot, None, ErrorModel(60, 3), 200, 0)
    assert drawn.estimate.mean() == pytest.approx(pilot.estimate)
    assert np.exp(np.log(drawn.variance).mean()) == pytest.approx(pilot.variance)


def test_a_pilot_just_above_the_value_cannot_tell() -> None:
    pilot = labelled(60, 3, 3, (0.5, 0.5))
    estimate = float(iaa.krippendorff_alpha(pilot, interval=None).estimate)
    found = iaa.plan(pilot, null=estimate - 0.02, simulations=0)
    assert found.attrs["conclusion"] == "pilot_too_small"
    (note,) = notes_of(found, "null_too_near")
    assert math.isnan(found.planned_items)
    assert math.isnan(found.needed_items)
    is_huge = float(found.wanted_items) > 30 * float(found.pilot_items)
    assert note.values["advice"].code == ("too_near_to_plan" if is_huge else "annotate_then_plan")
    # a true value .02 above: with a chance of .8 three times the items are then enough
    gap, error = 0.02, float(found.pilot_standard_error)
    root, assured = math.sqrt(3), 0.38532047
    errors = assured * root / (root - 1) + 0.84162123
    assert found.wanted_items == math.ceil(60 * (errors * error / gap) ** 2)


@pytest.mark.slow
def test_three_annotators_do_not_show_that_annotators_do_not_differ() -> None:
    """Where what they bring was estimated as 0, all these were told to annotate so many items."""
    no_difference = []
    for seed in range(20):
        pilot = labelled(60, 3, seed, (0.5, 0.5))
        how = {"sampling": iaa.Sampling(annotators="random"), "simulations": 0, "replicates": 200}
        found = iaa.plan(pilot, half_width=0.2, **how)
        if float(found.from_annotators) == 0:
            no_difference.append(found)
    assert len(no_difference) >= 3
    assert np.mean([told(one) for one in no_difference]) < 0.4
    in_doubt = next(one for one in no_difference if not told(one))
    (note,) = notes_of(in_doubt, "too_few_annotators")
    assert note.values["wanted"] > 3
    assert notes_of(in_doubt, "cannot_tell")


def test_few_annotators_are_in_doubt_without_replicates_too() -> None:
    """Three that were estimated not to differ had any number of degrees of freedom there."""
    how = {"sampling": iaa.Sampling(annotators="random"), "simulations": 0, "half_width": 0.2}
    pilots = [labelled(60, 3, seed, (0.5, 0.5)) for seed in range(6)]
    plans = [[iaa.plan(one, replicates=count, **how) for count in (0, 200)] for one in pilots]
    for undrawn, drawn in plans:
        assert float(undrawn.pilot_degrees) == float(drawn.pilot_degrees)
    in_doubt = [one for one, _ in plans if not told(one) and float(one.from_annotators) == 0]
    assert in_doubt
    assert notes_of(in_doubt[0], "too_few_annotators")


@pytest.mark.parametrize(("documents", "enough"), [(12, False), (30, True)])
def test_few_documents_cannot_tell(documents: int, enough: bool) -> None:
    pilot = labelled(5 * documents, 3, 1, (0.5, 0.5))
    pilot = pilot.assign_coords(document=("item", np.arange(5 * documents) // 5))
    found = iaa.plan(pilot, sampling=iaa.Sampling(cluster="document"), simulations=0)
    assert (float(found.pilot_degrees) >= LEAST_DEGREES) == enough
    assert told(found) == enough
    if not enough:
        (note,) = notes_of(found, "too_few_telling")
        assert note.values["clusters"].values["clusters"] >= LEAST_DEGREES + 1


def test_items_are_planned_by_an_interval_that_keeps_to_its_error() -> None:
    """Ten who guess at a label of 4 %: no plan by the error keeps the width, the wanted items do.

    The interval of so many times the items is that of a pilot with each of them so many times.
    """

    def guessed(items: int, seed: int) -> xr.Dataset:
        return iaa.from_wide(np.random.default_rng([seed, items]).random((items, 10)) < 0.04)

    kept = []
    for seed in range(6):
        pilot = guessed(60, seed)
        found = iaa.plan(pilot, half_width=0.03, simulations=0, replicates=200)
        assert found.attrs["conclusion"] == "pilot_too_small"
        wanted = int(found.wanted_items)
        of_wanted = iaa.plan(guessed(wanted, seed), half_width=0.03, simulations=0, replicates=200)
        kept.append(float(of_wanted.pilot_half_width) <= 0.03)
        if kept[-1] and told(of_wanted):
            # the interval is there: what its error says of fewer items is not said
            assert of_wanted.attrs["conclusion"] == "pilot_suffices"
            assert math.isnan(of_wanted.planned_items)
            assert "of samples would be precise" not in str(iaa.page(of_wanted))
    assert np.mean(kept) > 0.6
    resolver = Resolver(Rated.of(pilot))
    request = one_coefficient(resolver, None)
    half_width = half_widths(request, IntervalOptions(), Resampling(), 60)
    thrice = iaa.krippendorff_alpha(xr.concat([pilot] * 3, "item"))
    assert half_width(180) == pytest.approx(float(thrice.ci_high - thrice.ci_low) / 2)
    # nor do variance components forecast one
    assert np.isnan(iaa.variance(pilot).half_width).all()
    assert np.isfinite(iaa.variance(labelled(60, 3, 1, (0.5, 0.5))).half_width).any()
    said = " ".join(str(iaa.page(found)).split())
    assert f"{short(round(float(found.times_wider), 1))} times as wide" in said
    assert f"annotate {int(found.wanted_items):,} items in all" in said


def test_a_pilot_of_one_far_item_asks_for_no_number_that_nothing_holds() -> None:
    """Its variance asked for more items than a whole number has bits for."""
    values = np.array([[1, 1.2]] * 10 + [[0.8, 1.1], [0.9, 0.7], [40, 44]])
    found = iaa.plan(iaa.from_values(values + np.linspace(0, 1, 13)[:, None]))
    assert found.attrs["conclusion"] == "pilot_too_small"
    assert (found["items"] <= 10**12).all()
