"""Hundreds of annotators, a few ratings per item: the same figures in every layout."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa
from iaa_jax import kernels
from iaa_jax.data.slots import in_grid
from iaa_jax.engine import compiled
from iaa_jax.engine.precision import scope
from iaa_jax.measure.ratings.rated import Rated

MEASURED = ("estimate", "observed", "expected", "standard_error", "ci_low", "ci_high", "pairs")


def crowd(
    seed: int,
    items: int = 400,
    annotators: int = 130,
    batch: int = 25,
    labels: int = 4,
    panel: int | None = None,
) -> NDArray[np.float64]:
    """Batches of items with three or four annotators each, as crowd work is handed out."""
    rng = np.random.default_rng(seed)
    table = np.full((items, annotators), np.nan)
    for start in range(0, items, batch):
        who = rng.choice(annotators, panel or rng.integers(3, 5), replace=False)
        truth = rng.integers(0, labels, (batch, 1))
        noise = rng.integers(0, labels, (batch, len(who)))
        answers = np.where(rng.random(noise.shape) < 0.7, truth, noise)
        answers = np.where(rng.random(noise.shape) < 0.1, np.nan, answers)
        table[start : start + batch, who] = answers
    return table


@pytest.fixture(scope="module")
def both() -> tuple[xr.Dataset, xr.Dataset]:
    ratings = iaa.from_wide(crowd(0))
    assert "slot" in ratings.dims
    return ratings, in_grid(ratings)


def same(one: xr.Dataset, other: xr.Dataset, tolerance: float = 1e-12) -> None:
    for name in MEASURED:
        np.testing.assert_allclose(one[name], other[name], rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize("kind", ["slots", "grid"])
def test_the_engine_may_lay_patterns_out_either_way(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Annotator by annotator or slot by slot is a matter of cost alone."""
    few = iaa.from_wide(crowd(1, annotators=7))
    names = ["conger_kappa", "mean_pairwise_cohen_kappa", "davies_fleiss_kappa"]
    usual = iaa.agreement(few, names, weights="quadratic", replicates=150)
    monkeypatch.setattr("iaa_jax._thresholds.SLOT_COST", 0 if kind == "slots" else 1e9)
    assert (Rated(few).compact_codes.annotator_of is None) == (kind == "grid")
    forced = iaa.agreement(few, names, weights="quadratic", replicates=150)
    same(usual, forced, 1e-11)


def test_more_common_items_asked(both: tuple[xr.Dataset, xr.Dataset]) -> None:
    slots, grid = both
    usual = iaa.mean_pairwise_cohen_kappa(slots, interval=None)
    strict = iaa.mean_pairwise_cohen_kappa(slots, min_common=20, interval=None)
    assert 0 < int(strict.pairs) < int(usual.pairs)
    same(strict, iaa.mean_pairwise_cohen_kappa(grid, min_common=20, interval=None))
    by_hand = []
    table = crowd(0)
    for a in range(table.shape[1]):
        for b in range(a):
            common = ~np.isnan(table[:, a]) & ~np.isnan(table[:, b])
            if common.sum() >= 20:
                pair = iaa.from_wide(table[common][:, [b, a]], labels=range(4))
                by_hand.append(float(iaa.cohen_kappa(pair, interval=None).estimate))
    assert float(strict.estimate) == pytest.approx(np.nanmean(by_hand), abs=1e-12)
    listed = iaa.agreement(slots, ["davies_fleiss_kappa"], min_common=20, interval=None)
    assert int(listed.pairs[0]) == int(strict.pairs)
    for wrong in (0, 1.5, True):
        with pytest.raises(iaa.IaaError, match="min_common must be a whole number of 1 or more"):
            iaa.agreement(slots, min_common=wrong)


def test_pairs_on_the_edge_of_the_common_items_have_no_interval() -> None:
    table = crowd(2)
    table[np.isnan(table).sum(axis=1) != 127] = np.nan  # three ratings, no gaps
    found = iaa.mean_pairwise_cohen_kappa(iaa.from_wide(table), min_common=17, replicates=100)
    assert np.isnan(found.ci_low)
    assert "share few items" in str(found.note.values)


def test_a_figure_whose_replicates_lie_on_one_side() -> None:
    """Kappas of a few items each are biased, and the replicates twice so."""
    rows = crowd(3, items=4000, annotators=900, batch=10, labels=8)
    ratings = iaa.from_wide(rows)
    found = iaa.mean_pairwise_cohen_kappa(ratings, replicates=200)
    assert np.isfinite(found.standard_error)
    assert np.isnan(found.ci_low)
    assert "one side" in str(found.note.values)
    turned = iaa.mean_pairwise_cohen_kappa(ratings, replicates=200, interval="basic")
    assert np.isfinite(turned.ci_low)
    assert "one side" in str(turned.note.values)


def test_users_coefficients_get_the_table_they_can_take(
    both: tuple[xr.Dataset, xr.Dataset],
) -> None:
    """A function without ``annotator_of`` gets a column for each annotator."""

    def dense(mass: Any, *, item_weight: Any = None, annotator_weight: Any = None) -> Any:
        assert mass.shape[1] == 130
        return kernels.conger_kappa(
            mass, item_weight=item_weight, annotator_weight=annotator_weight
        )

    def any_form(mass: Any, *, item_weight: Any = None, **further: Any) -> Any:
        assert mass.shape[1] == 130
        return kernels.conger_kappa(mass, item_weight=item_weight, **further)

    wanted = iaa.conger_kappa(both[0], interval="bca", replicates=64)
    for ratings in both:
        own = [dense, any_form, kernels.conger_kappa]
        found = iaa.agreement(ratings, own, interval="bca", replicates=64)
        for column in range(3):
            same(found.isel(coefficient=column).drop_vars("pairs").assign(pairs=-1), wanted, 1e-9)


def test_other_annotators_need_no_new_compilation() -> None:
    names = ["conger_kappa", "davies_fleiss_kappa", "mean_pairwise_cohen_kappa"]

    def measure(seed: int, annotators: int, least: int) -> None:
        table = crowd(seed, items=450, annotators=annotators, panel=3)
        iaa.agreement(iaa.from_wide(table), names, replicates=64, seed=seed, min_common=least)

    measure(5, 130, 2)
    before = dict(compiled.TRACES)
    for seed, annotators, least in ((6, 140, 3), (7, 180, 4), (8, 135, 2)):
        measure(seed, annotators, least)
    assert dict(compiled.TRACES) == before


def test_kernels_on_the_slot_form(both: tuple[xr.Dataset, xr.Dataset]) -> None:
    slots, _ = both
    mass = iaa.data.mass(slots)
    assert mass.dims == ("item", "slot", "label")
    with scope("float64"):
        found = kernels.conger_kappa(
            jnp.asarray(mass.values), annotator_of=jnp.asarray(slots.annotator_of.values)
        )
    wanted = iaa.conger_kappa(slots, interval=None)
    assert float(found.estimate) == pytest.approx(float(wanted.estimate), abs=1e-14)
