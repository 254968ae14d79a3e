"""Kernels under jit, vmap and grad, in the user's dtype."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.compilation import as_for_a_user
from tests.kernels.cases import (
    KERNELS,
    MEASURES,
    VALUES,
    agreement_matrix,
    allowed,
    codes_to_values,
    hard_mass,
    run,
    soft_mass,
    weights,
)
from tests.taken import one_of

SHAPE = (13, 3, 4)
PAIR = (17, 2, 3)
ALL = [*MEASURES, *(f"values {level}" for level in VALUES)]


def case(name: str, seed: int = 0) -> tuple[Any, dict[str, Any]]:
    """Data and keywords for a measure."""
    if name.startswith("values "):
        value = codes_to_values(hard_mass(seed, SHAPE), np.array([0.0, 1.0, 2.5, 40.0]))
        return value, weights(seed, SHAPE)
    shape = SHAPE if allowed(name, SHAPE[1]) else PAIR
    given: dict[str, Any] = weights(seed, shape)
    if not name.endswith("ordinal"):
        given["label_agreement"] = agreement_matrix(seed, shape[2], symmetric=True)
    mass = hard_mass if name.endswith("all_agree") else soft_mass
    return mass(seed, shape), given


def call(name: str, data: Any, **given: Any) -> Any:
    if name.startswith("values "):
        return VALUES[name.removeprefix("values ")].kernel(data, **given)
    return run(name, data, **given)


@pytest.fixture(autouse=True)
def _float64() -> Any:
    with jax.enable_x64(True):
        yield


@cache
def compiled(name: str) -> tuple[Any, Any]:
    """What a measure gives where everything is traced, and its slopes by data and by weights."""
    data, given = case(name)
    rest = {k: v for k, v in given.items() if k == "label_agreement"}

    def estimate(data: Any, item_weight: Any, annotator_weight: Any, rest: Any) -> Any:
        found = call(name, data, item_weight=item_weight, annotator_weight=annotator_weight, **rest)
        return jnp.sum(found.estimate), found

    slopes = jax.jit(jax.grad(estimate, argnums=(0, 1, 2), has_aux=True))
    gradients, found = slopes(data, given["item_weight"], given["annotator_weight"], rest)
    return found, gradients


@pytest.mark.parametrize("name", one_of(3, ALL))
def test_jit_is_eager(name: str) -> None:
    data, given = case(name)
    eager = call(name, data, **given)
    assert isinstance(eager.estimate, np.ndarray | np.floating)
    for one, other in zip(compiled(name)[0], eager, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", one_of(3, ALL))
def test_vmap_is_a_loop_and_one_row_of_traced_weights_is_eager(name: str) -> None:
    """The data are NumPy's; the weights of items alone are traced."""
    data, given = case(name)
    rng = np.random.default_rng(8)
    rows = rng.integers(0, 3, (6, len(data))).astype(float)
    rows[:, :3] += 1
    rest = {key: value for key, value in given.items() if key != "item_weight"}

    def one(row: Any) -> Any:
        return call(name, data, item_weight=row, **rest)

    alone, batched = jax.jit(lambda rows: (one(rows[0]), jax.vmap(one)(rows)))(rows)
    looped = [one(row) for row in rows]
    for index, part in enumerate(batched):
        wanted = np.stack([np.asarray(found[index]) for found in looped])
        np.testing.assert_allclose(part, wanted, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(alone[index], wanted[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", one_of(3, ALL))
def test_gradients_are_finite_with_missing_data(name: str) -> None:
    data, given = case(name)
    assert np.isnan(data).any()
    _, gradients = compiled(name)
    for gradient in gradients:
        assert np.all(np.isfinite(gradient))
    # the derivative by a weight is the slope of the kernel itself
    direction = np.random.default_rng(1).normal(size=len(given["item_weight"]))
    step = 1e-6
    up, down = (
        call(name, data, **{**given, "item_weight": given["item_weight"] + sign * step * direction})
        for sign in (1, -1)
    )
    slope = np.sum(np.asarray(up.estimate) - np.asarray(down.estimate)) / (2 * step)
    np.testing.assert_allclose(gradients[1] @ direction, slope, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("name", ALL)
def test_dtype_is_the_users(name: str) -> None:
    data, given = case(name)
    exact = call(name, data, **given)
    small = call(name, data.astype(np.float32), **given)
    assert np.asarray(small.estimate).dtype == np.float32
    tolerance = 1e-5 if not name.endswith("ratio") else 1e-4
    np.testing.assert_allclose(small.estimate, exact.estimate, atol=tolerance)


def test_negative_weights_are_neither_refused_nor_masked() -> None:
    mass = hard_mass(0, SHAPE, gaps=0.0)
    weight = np.ones(SHAPE[0])
    weight[0] = -0.5
    for name in MEASURES:
        if allowed(name, 3) and not name.endswith("all_agree"):
            found = np.asarray(run(name, mass, item_weight=weight).estimate)
            other = np.asarray(run(name, mass, item_weight=np.maximum(weight, 0)).estimate)
            assert np.all(np.isfinite(found))
            assert np.any(found != other)


@pytest.mark.parametrize("name", KERNELS)
def test_wrong_shapes_are_refused_at_trace_time(name: str) -> None:
    measure = MEASURES.get(name)
    values = measure is None and not name.endswith(("ordinal", "alpha"))
    data, _ = case("percent_agreement") if not values else case("values interval")
    if measure is not None and measure.annotators == 2:
        data = data[:, :2]
    with pytest.raises(ValueError, match="item_weight"):
        KERNELS[name](data, item_weight=np.ones(3))
    with pytest.raises(ValueError, match="annotator_weight"):
        KERNELS[name](data, annotator_weight=np.ones(9))


def test_two_annotators_are_asked_for() -> None:
    with pytest.raises(ValueError, match="two annotators, got 3"):
        KERNELS["cohen_kappa"](hard_mass(0, SHAPE))


def test_in_a_users_own_float32_process() -> None:
    """The user's JAX configuration decides, and importing the package changes nothing in it."""
    program = """
import jax, jax.numpy as jnp, numpy as np
from iaa_jax import kernels
before = jax.config.jax_enable_x64
mass = np.eye(3)[np.random.default_rng(0).integers(0, 3, (50, 4))]
mass[0, 0] = np.nan
estimate = jax.jit(lambda w: kernels.fleiss_kappa(mass, item_weight=w).estimate)
found = estimate(jnp.ones(50))
assert found.dtype == jnp.float32, found.dtype
assert abs(found - kernels.fleiss_kappa(mass).estimate) < 1e-6
import iaa_jax as iaa
wide = iaa.from_wide(np.random.default_rng(0).integers(0, 3, (50, 4)))
result = iaa.fleiss_kappa(wide, replicates=100)
assert result.estimate.dtype == np.float64
assert jax.config.jax_enable_x64 == before == False
assert jnp.ones(1).dtype == jnp.float32
print("fine")
"""
    environment = as_for_a_user()
    environment.pop("JAX_ENABLE_X64", None)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.stdout.strip() == "fine", done.stderr
