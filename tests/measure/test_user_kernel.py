"""A coefficient unknown to the package works in every analysis."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import kernels

ROWS = 40
GRID = (0.5, 0.6, 0.75, 1.0)


def overlap(mass: Any, *, item_weight: Any = None, annotator_weight: Any = None) -> Any:
    """The mean over items of the root of agreement: no quadratic in p, no sum of products."""
    xp = np if isinstance(mass, np.ndarray) and isinstance(item_weight, np.ndarray) else jnp
    rated = ~xp.isnan(mass[..., 0])
    filled = xp.where(rated[..., None], mass, 0.0)
    both = (rated[:, 0] & rated[:, 1]).astype(filled.dtype)
    agree = (filled[:, 0] * filled[:, 1]).sum(axis=-1)
    # a root has no derivative at 0
    root = xp.where(agree > 0, xp.sqrt(xp.where(agree > 0, agree, 1.0)), 0.0)
    total = (item_weight * both).sum()
    value = (item_weight * both * root).sum() / total
    return kernels.Agreement(value, value, 0 * value, xp.zeros((), dtype=xp.int32))


@pytest.fixture(scope="module")
def ratings() -> xr.Dataset:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 4, ROWS)
    rows = {"item": [], "annotator": [], "label": [], "second": []}
    for item in range(ROWS):
        for who in ("ann", "bob"):
            label = first[item] if rng.random() < 0.7 else rng.integers(0, 4)
            second = (label + 1) % 4 if rng.random() < 0.4 else None
            for name, value in zip(rows, (item, who, f"l{label}", second), strict=True):
                rows[name].append(f"l{value}" if name == "second" and value is not None else value)
    return iaa.from_long(rows, secondary="second")


def by_hand(ratings: xr.Dataset, p: float, weight: np.ndarray) -> float:
    mass = iaa.data.mass(ratings, p=p).values
    total = value = 0.0
    for (one, other), w in zip(mass, weight, strict=True):
        total += w
        value += w * float(np.sqrt(np.dot(one, other)))
    return value / total


def test_through_agreement_sweep_influence_bootstrap_and_diagnosis(ratings: xr.Dataset) -> None:
    ones = np.ones(ROWS)
    whole = by_hand(ratings, 1.0, ones)
    found = iaa.agreement(ratings, [overlap], replicates=200)
    assert float(found.estimate[0]) == pytest.approx(whole, abs=1e-12)

    swept = iaa.sweep(ratings, overlap, p=GRID, replicates=200)
    wanted = [by_hand(ratings, p, ones) for p in GRID]
    np.testing.assert_allclose(swept.estimate.sel(p=list(GRID)), wanted, atol=1e-12)
    assert (swept.band_low <= swept.ci_low + 1e-12).all()

    influence = iaa.influence(ratings, overlap)
    left_out = []
    for item in range(ROWS):
        weight = ones.copy()
        weight[item] = 0.0
        left_out.append(by_hand(ratings, 1.0, weight) - whole)
    # a mean over items: the first order is the whole change, but for the n - 1
    np.testing.assert_allclose(influence.change * ROWS / (ROWS - 1), left_out, atol=1e-10)
    np.testing.assert_allclose(influence.influence.sum(), 0, atol=1e-10)

    drawn = iaa.bootstrap(ratings, overlap, replicates=400, seed=1)
    error = float(found.standard_error[0])
    assert float(drawn.replicates.std()) == pytest.approx(error, rel=0.12)
    assert float(drawn.replicates.mean()) == pytest.approx(whole, abs=4 * error / 20)

    items = iaa.items(ratings, overlap)
    by_item = items.influence.sortby("item")
    np.testing.assert_allclose(by_item, influence.influence.sortby("item"), atol=1e-12)

    groups = ratings.assign_coords(batch=("item", np.arange(ROWS) % 2))
    by_batch = iaa.agreement_by(groups, "batch", [overlap], interval=None)
    odd = by_hand(ratings, 1.0, (np.arange(ROWS) % 2).astype(float))
    estimates = by_batch.estimate.squeeze().values.tolist()
    assert odd == pytest.approx(estimates[1], abs=1e-12)


def test_a_kernel_for_jax_alone_keeps_its_digits(ratings: xr.Dataset) -> None:
    def jax_only(mass: Any, *, item_weight: Any = None) -> Any:
        return overlap(jnp.asarray(mass), item_weight=jnp.asarray(item_weight))

    found = iaa.agreement(ratings, [jax_only], interval=None)
    whole = by_hand(ratings, 1.0, np.ones(ROWS))
    assert float(found.estimate[0]) == pytest.approx(whole, abs=1e-13)
