"""Plans from pilots: needed items, power, costs, looks, simulation, refusals."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.conclusion import conclude
from tests.analyses.plan.pilots import drawn, ratings
from tests.noted import notes_of

FAST: dict[str, Any] = {"simulations": 0, "replicates": 0}


def numbers(items: int, annotators: int, seed: int) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(items, 1))
    return iaa.from_values(own + 0.7 * rng.normal(size=(items, annotators)))


def fixed_by(result: xr.Dataset) -> str:
    """Why annotators per item stay as they are."""
    (note,) = notes_of(result, "fixed")
    return str(note.values["why"].code)


def test_the_pilots_own_design_has_the_pilots_standard_error() -> None:
    data = ratings(60, 4, 1)
    for name in ("krippendorff_alpha", "fleiss_kappa"):
        found = iaa.plan(data, name, items=[60], per_item=[4], **FAST)
        known = getattr(iaa, name)(data, interval="normal")
        assert found.standard_error.item() == pytest.approx(known.standard_error.item(), rel=1e-9)
        assert found.estimate.item() == known.estimate.item()
        own = getattr(iaa, name)(data)
        assert float(found.pilot_half_width) == pytest.approx(float(own.ci_high - own.ci_low) / 2)


def test_a_pilot_several_times_over_plans_the_same() -> None:
    """The variance of an item stays; only n - 1 for n knows that there are more."""
    rows = drawn(50, 3, 2)
    one, four = (
        iaa.plan(iaa.from_wide(np.tile(rows, (k, 1))), "percent_agreement", items=[500], **FAST)
        for k in (1, 4)
    )
    factor = math.sqrt((50 / 49) / (200 / 199))
    assert one.standard_error.values == pytest.approx(factor * four.standard_error.values, rel=1e-9)
    assert four.pilot_standard_error.item() == pytest.approx(
        one.pilot_standard_error.item() / 2 / factor, rel=1e-9
    )


def test_a_single_number_of_annotators_is_the_planned_one() -> None:
    data = ratings(150, 4, 5)
    usual = iaa.plan(data, half_width=0.03, per_item=[2, 4], **FAST)
    two = iaa.plan(data, half_width=0.03, per_item=[2], **FAST)
    assert (usual.planned_annotators.item(), two.planned_annotators.item()) == (4, 2)
    assert two.planned_items.item() == usual.items_planned.sel(annotators=2).item()
    note = conclude(two).notes[0]
    assert note.values["per_item"] == 2
    assert note.code == "items_for_width"
    assert note.values["items"] == two.planned_items.item() > usual.planned_items.item()
    four = iaa.plan(data, half_width=0.03, per_item=[4], **FAST)
    assert four.planned_items.item() == usual.planned_items.item()


def test_weighted_items_are_repeated_items() -> None:
    rows = drawn(40, 3, 3)
    times = np.arange(40) % 3 + 1
    light = iaa.from_wide(rows).assign(item_weight=("item", times.astype(float)))
    plain = iaa.from_wide(np.repeat(rows, times, axis=0))
    one, other = (iaa.plan(data, items=[100, 300], **FAST) for data in (light, plain))
    assert one.standard_error.values == pytest.approx(other.standard_error.values, rel=1e-9)


@pytest.mark.slow
def test_the_truth_of_many_sets() -> None:
    """Standard errors planned from pilots are those of sets of the planned design."""
    planned = np.mean(
        [
            iaa.plan(
                ratings(150, 4, 100 + k), "fleiss_kappa", items=[80], per_item=[3, 6], **FAST
            ).standard_error.values[0]
            for k in range(12)
        ],
        axis=0,
    )
    for place, size in enumerate((3, 6)):
        sets = [
            float(iaa.fleiss_kappa(ratings(80, size, 500 + k), interval=None).estimate)
            for k in range(200)
        ]
        truth = np.std(sets, ddof=1)
        # 4 % Monte-Carlo error of the truth, and what 12 pilots leave
        assert planned[place] == pytest.approx(truth, rel=0.13)


def test_simulated_and_formula_agree_where_the_model_holds() -> None:
    found = iaa.plan(
        ratings(2000, 5, 7), half_width=0.06, null=0.4, items=[100, 300], simulations=2000
    )
    simulated = found.simulated_standard_error.values
    done = ~np.isnan(simulated)
    assert done.sum() >= 3
    assert simulated[done] == pytest.approx(found.standard_error.values[done], rel=0.08)
    assert found.simulated_power.values[done] == pytest.approx(found.power.values[done], abs=0.06)
    assert found.simulated_half_width.values[done] == pytest.approx(
        found.half_width.values[done], rel=0.05
    )
    assert found.attrs["model"] == "Dirichlet-multinomial"
    assert not notes_of(found, "model_does_not_fit")


def test_the_needed_items_just_suffice() -> None:
    data = ratings(90, 3, 8)
    planned = iaa.plan(data, half_width=0.04, **FAST).planned_items.item()
    near = [int(planned) - 1, int(planned)]
    found = iaa.plan(data, half_width=0.04, items=near, per_item=[3], **FAST)
    assert found.half_width.values[0, 0] > 0.04 >= found.half_width.values[1, 0]
    assert found.items_planned.item() == planned
    assert found.ratings_planned.item() == 3 * planned
    needed = found.variance.item() * (1.959964 / 0.04) ** 2
    assert found.needed_items == math.ceil(needed)


def test_statistics_3_a_half_width_is_kept_as_surely_as_asked() -> None:
    """The variances of the pilot and of a sample as independent ones of normal values."""
    data, h = ratings(90, 3, 8), 0.04
    found = iaa.plan(data, half_width=h, **FAST)
    sure = iaa.plan(data, half_width=h, assurance=0.95, **FAST)
    assert sure.planned_items > found.planned_items > found.needed_items
    telling, planned = float(found.telling_items), int(found.planned_items)
    degrees = 2 / (1 / telling - 1 / 90)
    rng = np.random.default_rng(0)
    of_pilot = rng.chisquare(degrees, 200_000) / degrees
    of_sample = rng.chisquare(degrees * planned / 90, 200_000) / (degrees * planned / 90)
    variance = found.variance.sel(annotators=3).item()
    # the true variance is what the pilot's is divided by its own error
    half_width = 1.959964 * np.sqrt(variance / planned * of_sample / of_pilot)
    assert np.mean(half_width <= h) == pytest.approx(0.8, abs=0.01)


def test_further_annotators_come_from_a_model_and_the_pilots_own_do_not() -> None:
    found = iaa.plan(ratings(60, 3, 8), per_item=[2, 3, 6], simulations=200, replicates=0)
    row = np.flatnonzero(found["items"] == int(found.planned_items))[0]
    assert found.simulated_on_model.values[row].tolist() == [0, 0, 1]
    own = found.simulated_half_width.values[row, :2] / found.half_width.values[row, :2]
    assert own == pytest.approx(1, abs=0.05)
    assert found.simulated_differs.values[row, :2].tolist() == [0, 0]
    assert found.reaches_half_width.values[row, 1]


def test_the_interval_of_needed_items_holds_the_needed_items() -> None:
    found = iaa.plan(ratings(80, 3, 11), simulations=0)
    assert (found.items_needed_low <= found.items_needed).all()
    assert (found.items_needed <= found.items_needed_high).all()
    assert found.needed_items_low < found.needed_items < found.needed_items_high
    assert found.between_share_low <= found.between_share <= found.between_share_high


def test_seeds_and_what_does_not_depend_on_them() -> None:
    data = ratings(70, 3, 12)
    before = data.copy(deep=True)
    one, again, other = (iaa.plan(data, simulations=100, seed=seed) for seed in (1, 1, 2))
    xr.testing.assert_identical(one, again)
    assert other.attrs["seed"] == 2
    assert float(one.needed_items) == float(other.needed_items)
    assert float(one.needed_items_low) != float(other.needed_items_low)
    xr.testing.assert_identical(data, before)


def test_numbers_come_from_a_normal_model() -> None:
    options: dict[str, Any] = {"per_item": [4, 5], "items": [100], "level": "interval"}
    found = iaa.plan(numbers(60, 4, 1), simulations=192, replicates=0, **options)
    simulated = found.simulated_standard_error.values
    assert simulated == pytest.approx(found.standard_error.values, rel=0.2)
    assert found.attrs["model"] == "normal, a mean per item"


def test_a_figure_that_moves_with_its_ratings_keeps_them() -> None:
    with pytest.raises(iaa.IaaError, match=r"cannot be varied.* depends on the number of ratings"):
        iaa.plan(numbers(60, 4, 1), "icc1k", per_item=[2, 3], **FAST)


def test_two_annotators() -> None:
    data = ratings(100, 2, 15)
    cohen = iaa.plan(data, "cohen_kappa", **FAST)
    assert cohen.annotators.values.tolist() == [2]
    assert fixed_by(cohen) == "of_two_annotators"
    alpha = iaa.plan(data, **FAST)
    assert alpha.annotators.values.tolist() == [2]
    assert fixed_by(alpha) == "two_ratings_alone"
    asked = iaa.plan(data, per_item=[2, 4], simulations=0)
    assert asked.attrs["components"] == "model"
    assert asked.items_needed.values[0] == alpha.items_needed.item()
    # without a third rating anything from no help to all help is open
    low, high = asked.items_needed_low.values[1], asked.items_needed_high.values[1]
    assert low < asked.items_needed.values[0] / 5
    assert high > asked.items_needed.values[0]


def test_the_model_knows_which_ratings_are_missing() -> None:
    """The law of its items: as many ratings as there are, they agree as the pilot's do."""
    gap = np.random.default_rng(5).random(300) < 0.5
    labels, values = drawn(300, 3, 6).astype(float), numbers(300, 3, 6).value.values.copy()
    labels[gap, 2] = values[gap, 2] = np.nan
    for data in (iaa.from_wide(labels, labels=[0, 1, 2]), iaa.from_values(values)):
        found = iaa.plan(data, per_item=[5], items=[300], simulations=50, replicates=0)
        assert found.simulated_on_model.item() == 1
        assert found.simulated_estimate.item() == pytest.approx(found.estimate.item(), abs=0.05)


def test_pilots_with_gaps_and_single_ratings() -> None:
    rng = np.random.default_rng(3)
    rows = drawn(200, 5, 16).astype(float)
    rows[rng.random(rows.shape) < 0.3] = np.nan
    rows[:20, 1:] = np.nan
    data = iaa.from_wide(rows, labels=[0, 1, 2])
    found = iaa.plan(data, simulations=50, replicates=50)
    ratings = (~np.isnan(rows)).sum(axis=1)
    assert found.pilot_items == (ratings > 1).sum()
    assert not float(found.pilot_annotators).is_integer()
    (single,) = notes_of(found, "single_ratings")
    assert single.values["items"] == (ratings == 1).sum()
    twice = iaa.plan(data.isel(item=ratings > 1), simulations=50, replicates=50)
    for name in ("items_planned", "half_width", "needed_items", "pilot_standard_error"):
        np.testing.assert_allclose(found[name], twice[name], err_msg=name)
    assert (np.diff(found.items_needed.values) < 0).all()
    conger = iaa.plan(data, "conger_kappa", simulations=50, replicates=0)
    assert fixed_by(conger) == "few_complete"
    assert conger.attrs["model"] == ""


def test_label_sets_and_own_functions() -> None:
    rng = np.random.default_rng(4)
    held = rng.random((60, 1, 4)) < 0.4
    sets = rng.random((60, 3, 4)) < 0.1 + 0.8 * held
    rows = [[set(np.flatnonzero(one).tolist()) for one in item] for item in sets]
    assert float(iaa.plan(iaa.from_sets(rows), distance="masi", **FAST).needed_items) > 0

    def own(mass: Any, *, item_weight: Any = None, annotator_weight: Any = None) -> Any:
        return iaa.kernels.fleiss_kappa(
            mass, item_weight=item_weight, annotator_weight=annotator_weight
        )

    data = ratings(60, 4, 17)
    mine = iaa.plan(data, own, **FAST)
    theirs = iaa.plan(data, "fleiss_kappa", **FAST)
    assert float(mine.needed_items) == float(theirs.needed_items)


def test_costs_choose_the_design() -> None:
    data = ratings(200, 5, 18)
    ratings_alone = iaa.plan(data, **FAST)
    items_dear = iaa.plan(data, cost_item=20, **FAST)
    assert ratings_alone.cost_planned.values == pytest.approx(ratings_alone.ratings_planned.values)
    assert items_dear.best_annotators > ratings_alone.best_annotators
    assert items_dear.best_cost == items_dear.cost_planned.min()
    expected = 20 * items_dear.items_planned + items_dear.ratings_planned
    assert items_dear.cost_planned.values == pytest.approx(expected.values)


def test_looks_on_the_way() -> None:
    data = ratings(80, 3, 19)
    found = iaa.plan(data, half_width=0.05, looks=4, **FAST)
    boundaries = iaa.plan.looks(4).z.values
    assert found.look_z.values == pytest.approx(boundaries)
    assert found.look_reach.values == pytest.approx(1.05 * boundaries)
    assert found.look_half_width.values[-1] <= 0.05
    assert found.look_half_width.values[0] > found.look_half_width.values[1] > 0.05
    inflated = float(found.planned_items) * (1.05 * boundaries[-1] / 1.959964) ** 2
    assert found.look_items.values[-1] == pytest.approx(inflated, abs=2)
    shown = iaa.plan(data, null=0.3, looks=3, spending="pocock", **FAST)
    assert shown.look_items.values[-1] > shown.planned_items


def test_dices_planned_from_a_pilot(data_folder: Path) -> None:
    """A pilot of 100 conversations with 4 ratings, against all 990 with about 73."""
    with gzip.open(data_folder / "dices_990/dices_990.json.gz") as file:
        instances = json.load(file)["instances"]
    order = {"No": 0, "Yes": 1, "Unsure": 2}
    every = [
        np.array([order[x] for x in one["annotations"]["safety"]["individual_human_scores"]])
        for one in instances
    ]
    rng = np.random.default_rng(11)

    def sample(items: np.ndarray, size: int) -> xr.Dataset:
        rows = [rng.permutation(every[item])[:size] for item in items]
        return iaa.from_wide(np.stack(rows), labels=[0, 1, 2])

    plans = [
        iaa.plan(
            sample(rng.choice(990, 100, replace=False), 4),
            per_item=[4, 7],
            simulations=0,
            replicates=0,
        ).items_needed.values
        for _ in range(12)
    ]
    for place, size in enumerate((4, 7)):
        items = int(np.median(plans, axis=0)[place])
        found = [
            float(
                iaa.krippendorff_alpha(
                    sample(rng.integers(0, 990, items), size), interval=None
                ).estimate
            )
            for _ in range(150)
        ]
        assert 1.959964 * np.std(found, ddof=1) == pytest.approx(0.05, rel=0.2)
