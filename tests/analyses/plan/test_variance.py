"""The variance of an item by its ratings: left out, extrapolated, and by a model of items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.analyses.plan.error_model import ErrorModel
from iaa_jax.analyses.plan.model import fit_dirichlet, model_of
from iaa_jax.analyses.plan.pilot import curve_of, pilot_of, quantiles, replicates_of_pilot
from iaa_jax.analyses.plan.thinning import thin_pilot
from iaa_jax.analyses.plan.variance import (
    fit_components,
    fit_one_size,
    fit_two_sizes,
    from_covariances,
    spread_of,
)
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import one_coefficient
from tests.analyses.made import random_rows, wide
from tests.analyses.plan.pilots import drawn, ratings
from tests.oracles.plan import subset_variance, two_label_variance

FAST: dict[str, Any] = {"simulations": 0, "replicates": 0}


def test_leaving_ratings_out_is_all_subsets() -> None:
    rows = random_rows(4, items=30, annotators=5, missing=0.0)
    resolver = Resolver(Rated.of(wide(rows)))
    found = thin_pilot(resolver, one_coefficient(resolver, "percent_agreement"), 0).variances
    assert sorted(found) == [2, 3, 4, 5]
    for size, variance in found.items():
        assert variance == pytest.approx(subset_variance(rows, size), rel=1e-9)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa"])
def test_uneven_panels_plan_for_even_ones(name: str) -> None:
    """However a coefficient weighs items by their ratings, the plan is that of an even pilot."""
    rows = drawn(3000, 5, 31).astype(float)
    uneven, panel = rows.copy(), np.random.default_rng(1).choice([2, 3, 3, 4, 5], 3000)
    uneven[np.arange(5) >= panel[:, None]] = np.nan
    one, even = (
        iaa.plan(iaa.from_wide(part, labels=[0, 1, 2]), name, per_item=[3], **FAST)
        for part in (uneven, rows[:, :3])
    )
    assert one.variance.item() == pytest.approx(even.variance.item(), rel=0.04)
    assert one.items_needed.item() == one.needed_items
    assert one.items_planned.item() == one.planned_items


def exact(ratings: int, shares: tuple[float, ...] = (0.5, 0.9)) -> xr.Dataset:
    """Counts in the very proportions of a model: an item takes label 1 with chance p."""
    counts = np.array([[k, ratings - k] for k in range(ratings + 1)])
    ways = np.array([math.comb(ratings, k) for k in range(ratings + 1)], dtype=float)
    chance = sum(ways * p ** counts[:, 0] * (1 - p) ** counts[:, 1] for p in shares)
    data = iaa.from_counts(counts, labels=[1, 0])
    return data.assign_coords(item=np.arange(len(counts))).assign(
        item_weight=("item", 1e6 * chance / len(shares))
    )


@pytest.mark.parametrize("pilot", [4, 7])
def test_extrapolation_is_exact_where_ratings_may_change_places(pilot: int) -> None:
    sizes = [2, 3, 5, 10, 40]
    found = iaa.plan(exact(pilot), "percent_agreement", per_item=sizes, items=[100], **FAST)
    truth = [two_label_variance((0.5, 0.9), size) for size in sizes]
    assert found.variance.values == pytest.approx(truth, rel=1e-4)
    assert found.attrs["components"] == "pilot"


def test_three_ratings_leave_one_number_open() -> None:
    sizes = [2, 3, 5, 10]
    found = iaa.plan(exact(3), "percent_agreement", per_item=sizes, items=[100], **FAST)
    truth = np.array([two_label_variance((0.5, 0.9), size) for size in sizes])
    assert found.attrs["components"] == "pilot and model"
    assert found.variance.values[:2] == pytest.approx(truth[:2], rel=1e-4)
    resolver = Resolver(Rated.of(exact(3)))
    asked = one_coefficient(resolver, "percent_agreement")
    curve, _ = curve_of(resolver, asked, pilot_of(resolver, asked), wanted=False, seed=0)
    assert curve is not None
    low, high = curve.components.bounds(np.array(sizes, dtype=float))
    assert (low <= truth + 1e-3).all()
    assert (truth <= high + 1e-3).all()
    assert (low[2:] < high[2:]).all()
    assert low[:2] == pytest.approx(high[:2])


def test_components_of_known_covariances() -> None:
    parts = from_covariances(0.1, 0.2, 0.5)
    assert parts == pytest.approx((0.1, 0.4, 0.4))
    sizes = (2, 3, 4, 6)
    variances = {m: parts[0] + parts[1] / m + parts[2] / (m * (m - 1)) for m in sizes}
    found = fit_components(sizes, np.array(list(variances.values())))
    assert found.fitted == pytest.approx(parts)
    share = (0.2 - 0.1) / (0.5 - 0.2)
    for other in (fit_two_sizes(variances[2], variances[3], share), fit_one_size(0.5, 0.4, share)):
        assert other.variance(np.array([2.0, 3.0, 9.0])) == pytest.approx(
            found.variance(np.array([2.0, 3.0, 9.0]))
        )
    assert found.between_shares(2) == pytest.approx((0.2, 0.2))


def test_what_the_pilot_leaves_open_covers_the_truth() -> None:
    """Intervals of V from pilots of 80 items hold the truth about as often as they say."""
    size = 5
    resolver = Resolver(Rated.of(ratings(20_000, size, 1)))
    truth = spread_of(one_coefficient(resolver, "fleiss_kappa").problem).variance
    held = []
    for k in range(25):
        resolver = Resolver(Rated.of(ratings(80, 4, 3000 + k)))
        asked = one_coefficient(resolver, "fleiss_kappa")
        pilot = pilot_of(resolver, asked)
        curve, _ = curve_of(resolver, asked, pilot, wanted=False, seed=0)
        low, high = replicates_of_pilot(pilot, curve, ErrorModel(80, 4), 128, k).variances(size)
        held.append(quantiles(low, 0.95)[0] <= truth <= quantiles(high, 0.95)[1])
    assert np.mean(held) > 0.8


def test_the_fit_of_the_prior() -> None:
    rng = np.random.default_rng(5)
    shares = rng.dirichlet([0.5, 1.0, 2.0], 4000)
    counts = np.array([rng.multinomial(6, one) for one in shares], dtype=float)
    assert fit_dirichlet(counts, np.ones(4000)) == pytest.approx([0.5, 1.0, 2.0], rel=0.12)
    weighted = fit_dirichlet(counts[:500], np.full(500, 3.0))
    assert weighted == pytest.approx(
        fit_dirichlet(np.repeat(counts[:500], 3, 0), np.ones(1500)), rel=1e-3
    )


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa"])
def test_the_models_table_is_what_its_draws_are(name: str) -> None:
    resolver = Resolver(Rated.of(ratings(40, 3, 20)))
    asked = one_coefficient(resolver, name)
    model = model_of(resolver, asked.problem, 0)
    table = model.problem(3, 1000.0)
    assert table.table.count.sum() == pytest.approx(1000)
    listed = spread_of(table)
    pooled = spread_of(model.pilot.problem(model.draw_ratings(3), 1000.0))  # type: ignore[attr-defined]
    assert pooled.estimate == pytest.approx(listed.estimate, abs=0.05)
    assert pooled.variance == pytest.approx(listed.variance, rel=0.1)


@pytest.mark.parametrize("name", ["conger_kappa", "fleiss_kappa"])
def test_annotators_left_out_or_ratings_left_out_say_the_same(name: str) -> None:
    """Of exchangeable annotators; the one is exact for coefficients that ask who rated."""
    data = ratings(600, 5, 14)
    alpha = iaa.plan(data, items=[200], per_item=[2, 3, 5, 8], **FAST)
    other = iaa.plan(data, name, items=[200], per_item=[2, 3, 5, 8], **FAST)
    assert other.attrs["components"] == "pilot"
    assert other.standard_error.values == pytest.approx(alpha.standard_error.values, rel=0.06)


def test_labels_in_order_are_numbers_where_that_fits_better() -> None:
    rng = np.random.default_rng(6)
    mean = rng.normal(3, 1, (150, 1))
    rows = np.clip(np.rint(mean + rng.normal(0, 0.4, (150, 4))), 1, 5).astype(int)
    data = iaa.from_wide(rows, labels=[3, 1, 5, 2, 4])
    found = iaa.plan(data, level="interval", simulations=128, replicates=0)
    assert found.attrs["model"] == "normal, a mean per item"
    simulated = found.simulated_estimate.values
    assert simulated[~np.isnan(simulated)] == pytest.approx(found.estimate.item(), abs=0.1)
    nominal = iaa.plan(ratings(150, 3, 1), simulations=10, replicates=0)
    assert nominal.attrs["model"] == "Dirichlet-multinomial"
