"""Plans from pilots: needed items, power, costs, looks, simulation, refusals."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.projection import Projection
from iaa_jax.analyses.plan.simulated import mark_designs
from iaa_jax.engine.compiled import TRACES
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
        reach = float(known.ci_high - known.estimate)
        assert float(found.pilot_half_width) == pytest.approx(reach, rel=1e-9)


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


def test_weighted_items_are_repeated_items() -> None:
    rows = drawn(40, 3, 3)
    times = np.arange(40) % 3 + 1
    light = iaa.from_wide(rows).assign(item_weight=("item", times.astype(float)))
    plain = iaa.from_wide(np.repeat(rows, times, axis=0))
    one, other = (iaa.plan(data, items=[100, 300], **FAST) for data in (light, plain))
    assert one.standard_error.values == pytest.approx(other.standard_error.values, rel=1e-9)


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
    needed = iaa.plan(data, half_width=0.04, **FAST).needed_items.item()
    near = [int(needed) - 1, int(needed)]
    found = iaa.plan(data, half_width=0.04, items=near, per_item=[3], **FAST)
    assert found.half_width.values[0, 0] > 0.04 >= found.half_width.values[1, 0]
    assert found.items_needed.item() == needed
    assert found.ratings_planned.item() == 3 * needed


def test_needed_for_power() -> None:
    data = ratings(90, 3, 8)
    found = iaa.plan(data, null=0.3, power=0.9, **FAST)
    needed, true = int(found.needed_items), float(found.estimate)
    near = iaa.plan(data, null=0.3, power=0.9, items=[needed - 1, needed], per_item=[3], **FAST)
    assert near.power.values[0, 0] < 0.9 <= near.power.values[1, 0]
    gap = true - 0.3
    assert needed == math.ceil(near.variance.item() * ((1.959964 + 1.281552) / gap) ** 2)
    low = true - 1.281552 * float(found.pilot_standard_error)
    assert float(found.cautious_estimate) == pytest.approx(low, abs=1e-6)
    assert float(found.cautious_items) > needed
    assert (found.cautious_power < found.power).all()
    assert found.planned_items == found.cautious_items
    # so near the lower end of the pilot's interval the cautious guess takes far too many
    near = iaa.plan(data, null=low - 0.001, **FAST)
    assert near.cautious_items > 1000 * near.needed_items
    assert near.planned_items == near.needed_items


def test_a_value_that_the_pilot_does_not_exceed_is_out_of_reach() -> None:
    found = iaa.plan(ratings(60, 3, 8), null=0.95, simulations=0, replicates=100)
    assert math.isnan(float(found.needed_items))
    assert math.isnan(float(found.needed_annotators))
    assert np.isnan(found.items_needed.values).all()
    assert math.isinf(float(found.needed_items_high))
    assert (found.power.values < 0.5).all()


def test_near_one_the_interval_stays_below_one() -> None:
    rows = [["a", "a", "a"], ["b", "b", "b"]] * 30 + [["a", "b", "a"]]
    found = iaa.plan(iaa.from_wide(rows), null=0.9, simulations=300, replicates=50)
    assert found.attrs["scale"] == "sqrt(1 - x)"
    root = math.sqrt(1 - found.estimate.item())
    reach = 1.281552 * found.pilot_standard_error.item() / (2 * root)
    assert found.cautious_estimate.item() == pytest.approx(1 - (root + reach) ** 2, abs=1e-6)
    needed = int(found.needed_items)
    at = found.power.sel(items=needed, annotators=3)
    assert float(at) == pytest.approx(0.8, abs=0.01)
    simulated = found.simulated_power.sel(items=needed, annotators=3)
    assert float(simulated) == pytest.approx(0.8, abs=0.1)
    assert iaa.plan(ratings(60, 3, 8), null=0.2, **FAST).attrs["scale"] == "plain"


def test_two_goals_are_answered_each_alone() -> None:
    data = ratings(60, 3, 8)
    both = iaa.plan(data, null=0.95, half_width=0.06, simulations=64, replicates=50)
    width = iaa.plan(data, half_width=0.06, simulations=64, replicates=50)
    assert math.isnan(both.needed_items)
    assert math.isnan(both.needed_items_null)
    for end in ("", "_low", "_high"):
        assert both[f"needed_items_half_width{end}"] == width[f"needed_items{end}"]
    assert both.items_needed_half_width.values == pytest.approx(width.items_needed.values)
    assert both.best_items == width.best_items
    assert both["items"].values.tolist() == width["items"].values.tolist()
    reached = iaa.plan(data, null=0.25, half_width=0.06, **FAST)
    parts = reached.planned_items_half_width, reached.planned_items_null
    assert reached.planned_items == max(map(float, parts))


def test_a_design_is_marked_only_if_formula_and_simulation_reach_the_target() -> None:
    """By hand: 3 annotators agree with the formula, 4 are a quarter wider, 5 narrower."""
    goal = Goal(0.05, None, 0.8, 0.95)
    dims = ("items", "annotators")
    formula = np.array([[0.052, 0.045, 0.052], [0.049, 0.041, 0.049], [0.044, 0.039, 0.04]])
    nothing = np.full((3, 3), np.nan)
    simulated, differs = nothing.copy(), nothing.copy()
    simulated[1], differs[1] = [0.0505, 0.041 * 1.25, 0.04], [0, 1, 1]
    variables = {
        "standard_error": (dims, formula / goal.z),
        "simulated_half_width": (dims, simulated),
        "simulated_differs": (dims, differs),
    }
    pilot = SimpleNamespace(estimate=0.7, error=0.2, population=math.inf)
    found = mark_designs(Projection(pilot, None, goal), variables)["reaches_half_width"][1]  # type: ignore[arg-type]
    assert found.tolist() == [[0, 0, 0], [1, 0, 1], [1, 1, 1]]

    goal = replace(goal, half_width=None, null=0.5)
    error = np.array([[0.2, 0.2, 0.2], [0.07, 0.07, 0.07], [0.06, 0.06, 0.06]])
    simulated[1] = [0.8, 0.7, 0.9]
    variables = {
        "standard_error": (dims, error),
        "simulated_power": (dims, simulated),
        "simulated_differs": (dims, differs),
    }
    found = mark_designs(Projection(pilot, None, goal), variables)["reaches_power"][1]  # type: ignore[arg-type]
    # power .815 at .07; it lacks .37 standard normal units, which .06 (power .915) makes up for
    assert found.tolist() == [[0, 0, 0], [1, 0, 1], [1, 1, 1]]


def test_further_annotators_come_from_a_model_and_the_pilots_own_do_not() -> None:
    found = iaa.plan(ratings(60, 3, 8), per_item=[2, 3, 6], simulations=200, replicates=0)
    row = np.flatnonzero(found["items"] == int(found.planned_items))[0]
    assert found.simulated_on_model.values[row].tolist() == [0, 0, 1]
    own = found.simulated_half_width.values[row, :2] / found.half_width.values[row, :2]
    assert own == pytest.approx(1, abs=0.05)
    assert found.simulated_differs.values[row, :2].tolist() == [0, 0]
    assert found.reaches_half_width.values[row, 1]


def test_a_finite_population_needs_fewer() -> None:
    data = ratings(100, 3, 9)
    free, part = (
        iaa.plan(data, half_width=0.03, population=size, simulations=100, replicates=50)
        for size in (None, 800)
    )
    expected = 1 / (1 / free.needed_items.item() + 1 / 800)
    assert part.needed_items.item() == pytest.approx(expected, abs=1)
    assert part["items"].max() <= 800
    whole = iaa.plan(data, population=100, items=[100], per_item=[3], **FAST)
    assert whole.standard_error.item() == 0


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


def test_the_order_of_items_and_annotators_does_not_matter() -> None:
    rows = drawn(60, 4, 13)
    rng = np.random.default_rng(0)
    turned = rows[rng.permutation(60)][:, rng.permutation(4)]
    one, other = (iaa.plan(iaa.from_wide(part), **FAST) for part in (rows, turned))
    assert one.items_needed.values == pytest.approx(other.items_needed.values)


def test_numbers_come_from_a_normal_model() -> None:
    options: dict[str, Any] = {"per_item": [4, 5], "items": [100], "level": "interval"}
    found = iaa.plan(numbers(60, 4, 1), simulations=192, replicates=0, **options)
    simulated = found.simulated_standard_error.values
    assert simulated == pytest.approx(found.standard_error.values, rel=0.2)
    assert found.attrs["model"] == "normal, a mean per item"


def test_a_figure_that_moves_with_its_ratings_keeps_them() -> None:
    with pytest.raises(iaa.IaaError, match=r"cannot be varied.* depends on how many ratings"):
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


def test_pilots_with_gaps_and_single_ratings() -> None:
    rng = np.random.default_rng(3)
    rows = drawn(200, 5, 16).astype(float)
    rows[rng.random(rows.shape) < 0.3] = np.nan
    rows[:20, 1:] = np.nan
    data = iaa.from_wide(rows, labels=[0, 1, 2])
    found = iaa.plan(data, simulations=50, replicates=50)
    rated = int((~np.isnan(rows)).any(axis=1).sum())
    assert found.pilot_items == rated
    assert not float(found.pilot_annotators).is_integer()
    (single,) = notes_of(found, "single_ratings")
    assert single.values["share"] == pytest.approx(1 - ((~np.isnan(rows)).sum(1) > 1).sum() / rated)
    known = iaa.krippendorff_alpha(data, interval="normal")
    assert float(found.pilot_standard_error) == pytest.approx(float(known.standard_error))
    assert (np.diff(found.items_needed.values) < 0).all()
    assert found.needed_items < found.uneven_items  # without those of single ratings
    conger = iaa.plan(data, "conger_kappa", simulations=50, replicates=0)
    assert fixed_by(conger) == "few_complete"
    assert conger.needed_items == conger.uneven_items  # panels stay as they are
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
    expected = 20 * items_dear.items_needed + items_dear.ratings_planned
    assert items_dear.cost_planned.values == pytest.approx(expected.values)


def test_looks_on_the_way() -> None:
    data = ratings(80, 3, 19)
    found = iaa.plan(data, half_width=0.05, looks=4, **FAST)
    boundaries = iaa.interim_looks(4).z.values
    assert found.look_z.values == pytest.approx(boundaries)
    assert found.look_half_width.values[-1] <= 0.05
    assert found.look_half_width.values[0] > found.look_half_width.values[1] > 0.05
    inflated = float(found.needed_items) * (boundaries[-1] / 1.959964) ** 2
    assert found.look_items.values[-1] == pytest.approx(inflated, abs=2)
    shown = iaa.plan(data, null=0.3, looks=3, spending="pocock", **FAST)
    assert shown.look_items.values[-1] > shown.needed_items


def test_another_pilot_of_the_size_traces_nothing() -> None:
    iaa.plan(ratings(60, 3, 21), simulations=64, replicates=64)
    iaa.plan(ratings(60, 4, 21), **FAST)  # the figures of a pilot of four annotators itself
    before = dict(TRACES)
    iaa.plan(ratings(60, 3, 22), simulations=64, replicates=64, seed=3, half_width=0.1)
    iaa.plan(ratings(70, 4, 23), simulations=64, replicates=64, null=0.2, per_item=[2, 6])
    assert dict(TRACES) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"half_width": 0}, "half_width must be above 0"),
        ({"half_width": float("nan")}, "half_width must be above 0"),
        ({"power": 0.8}, "for ruling out a value: give null= as well"),
        ({"null": 0.3, "power": 1.0}, "power must lie between 0 and 1"),
        ({"null": 0.3, "power": 0.01}, "chance alone"),
        ({"null": 1.0}, "below 1"),
        ({"items": [1, 100]}, "items takes whole numbers of 2 or more"),
        ({"items": []}, "items takes whole numbers"),
        ({"per_item": [2.5]}, "per_item takes whole numbers"),
        ({"population": 1}, "population"),
        ({"population": 29}, "smaller than the 30 rated items"),
        ({"cost_item": -1}, "costs"),
        ({"cost_rating": 0}, "costs"),
        ({"simulations": -1}, "simulations must be a whole number"),
        ({"replicates": 2.5}, "replicates must be a whole number"),
        ({"confidence": 2}, "confidence"),
        ({"seed": -1}, "seed"),
        ({"looks": 0}, "looks are a number"),
        ({"coefficient": "cohens_kapa"}, "cohens_kapa"),
        ({"coefficient": "specific_agreement"}, "one figure per label"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(iaa.IaaError, match=message):
        iaa.plan(ratings(30, 3, 24), **{**FAST, **options})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "a"], ["b", "b"], ["a", "a"]], "Krippendorff's alpha is 1.000"),
        ([["a", "a"], ["a", "a"]], "undefined"),
        ([["a", "b"], ["a", None], ["b", None]], "fewer than two items"),
    ],
)
def test_pilots_that_tell_nothing(rows: list[list[str | None]], message: str) -> None:
    with pytest.raises(iaa.IaaError, match=message):
        iaa.plan(iaa.from_wide(rows), **FAST)


def test_a_small_pilot_is_said_to_be_small() -> None:
    found = iaa.plan(ratings(20, 3, 25), simulations=0, replicates=50)
    (small,) = notes_of(found, "small_pilot")
    assert small.values == {"items": 20}


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
