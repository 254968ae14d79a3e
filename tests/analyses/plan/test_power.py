"""Plans to rule out a value: at the pilot's estimate, and averaged over what it leaves open."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import iaa_jax as iaa
from iaa_jax.analyses.plan.goal import Goal
from iaa_jax.analyses.plan.simulated import mark_designs
from tests.analyses.plan.pilots import ratings

FAST: dict[str, Any] = {"simulations": 0, "replicates": 0}


def test_needed_for_power() -> None:
    data = ratings(90, 3, 8)
    found = iaa.plan(data, null=0.3, power=0.9, **FAST)
    needed, true = int(found.needed_items), float(found.estimate)
    near = iaa.plan(data, null=0.3, power=0.9, items=[needed - 1, needed], per_item=[3], **FAST)
    assert near.power.values[0, 0] < 0.9 <= near.power.values[1, 0]
    gap = true - 0.3
    assert needed == math.ceil(near.variance.item() * ((1.959964 + 1.281552) / gap) ** 2)


@pytest.mark.parametrize(("power", "assurance"), [(0.5, 0.8), (0.8, None), (0.99, 0.6)])
def test_statistics_3_planned_items_have_the_power_as_surely_as_asked(
    power: float, assurance: float | None
) -> None:
    """The true value is normal around the pilot's estimate, with the pilot's standard error."""
    data = ratings(200, 3, 8)
    how: dict[str, Any] = {"null": 0.2, "power": power, "assurance": assurance}
    planned = int(iaa.plan(data, **how, **FAST).planned_items)
    found = iaa.plan(data, **how, items=[planned - 1, planned], per_item=[3], **FAST)
    assured = found.assured_power.values[:, 0]
    assert assured[0] < power <= assured[1] + 1e-9
    error, reach = found.standard_error.values[:, 0], 1.959964
    open_ = float(found.pilot_standard_error)
    true = float(found.estimate) + open_ * np.random.default_rng(0).normal(size=400_000)
    have = [norm.cdf((true - 0.2) / one - reach) >= power for one in error]
    assert np.mean(have[1]) == pytest.approx(assurance or 0.65, abs=0.01)


def test_a_value_that_the_pilot_does_not_exceed_is_out_of_reach() -> None:
    found = iaa.plan(ratings(60, 3, 8), null=0.95, simulations=0, replicates=100)
    assert math.isnan(float(found.needed_items))
    assert math.isnan(float(found.needed_annotators))
    assert np.isnan(found.items_needed.values).all()
    assert np.isnan(float(found.needed_items_high))
    assert np.isnan(found.power.values).all()


def test_near_one_the_interval_stays_below_one() -> None:
    rows = [["a", "a", "a"], ["b", "b", "b"]] * 30 + [["a", "b", "a"]]
    found = iaa.plan(iaa.from_wide(rows), null=0.9, simulations=300, replicates=50)
    assert found.attrs["scale"] == "sqrt(1 - x)"
    own = iaa.krippendorff_alpha(iaa.from_wide(rows))
    assert (found.pilot_low.item(), found.pilot_high.item()) == (
        own.ci_low.item(),
        own.ci_high.item(),
    )
    planned = int(found.planned_items)
    at = found.assured_power.sel(items=planned, annotators=3)
    assert float(at) == pytest.approx(0.8, abs=0.01)
    simulated = found.simulated_assured_power.sel(items=planned, annotators=3)
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
        "half_width": (dims, formula),
        "simulated_half_width": (dims, simulated),
        "simulated_differs": (dims, differs),
    }
    found = mark_designs(SimpleNamespace(goal=goal), variables)["reaches_half_width"][1]  # type: ignore[arg-type]
    assert found.tolist() == [[0, 0, 0], [1, 0, 1], [1, 1, 1]]

    goal = replace(goal, half_width=None, null=0.5)
    simulated[1] = [0.8, 0.7, 0.9]
    variables = {
        "half_width": (dims, formula),
        "assured_power": (dims, np.array([[0.17] * 3, [0.815] * 3, [0.915] * 3])),
        "simulated_assured_power": (dims, simulated),
        "simulated_differs": (dims, differs),
    }
    found = mark_designs(SimpleNamespace(goal=goal), variables)["reaches_power"][1]  # type: ignore[arg-type]
    # .815 lacks .37 standard normal units, which .915 makes up for
    assert found.tolist() == [[0, 0, 0], [1, 0, 1], [1, 1, 1]]
