"""Ratings slot by slot, with the annotator beside each, give what the dense table gives."""

from __future__ import annotations

from typing import Any

import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from iaa_jax import kernels
from iaa_jax.catalog import CATALOG
from tests.kernels.cases import (
    KERNELS,
    MEASURES,
    allowed,
    hard_mass,
    run,
    slots_of,
    soft_mass,
    weights,
)
from tests.kernels.test_transforms import ALL, PAIR, SHAPE, call, case
from tests.oracles import davies_fleiss_kappa, mean_pairwise_cohen_kappa

CROWD = (40, 12, 3)
PAIRWISE = ("mean_pairwise_cohen_kappa", "davies_fleiss_kappa")


@pytest.fixture(autouse=True)
def _float64() -> Any:
    with jax.enable_x64(True):
        yield


def crowd(seed: int) -> tuple[Any, dict[str, Any]]:
    """Twelve annotators, of whom a few rate each item; one rates nothing."""
    mass = soft_mass(seed, CROWD, 0.7)
    mass[:2, 3:] = np.nan
    mass[:, 5] = np.nan
    return mass, weights(seed, CROWD)


def same(found: Any, wanted: Any, tolerance: float = 1e-13) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(
            np.asarray(one), np.asarray(other), rtol=tolerance, atol=tolerance
        )


@pytest.mark.parametrize("order", [None, 1])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_slots_are_the_dense_table(name: str, weighted: bool, order: int | None) -> None:
    data, given = case(name)
    if not weighted:
        given.pop("annotator_weight")
    slots, annotator_of = slots_of(data, order)
    same(call(name, slots, annotator_of=annotator_of, **given), call(name, data, **given))


@pytest.mark.parametrize("name", [name for name in MEASURES if allowed(name, 3)])
def test_slots_of_a_crowd(name: str) -> None:
    mass, given = crowd(0)
    slots, annotator_of = slots_of(mass, 0)
    assert slots.shape[1] < mass.shape[1]
    same(run(name, slots, annotator_of=annotator_of, **given), run(name, mass, **given))


@pytest.mark.parametrize("name", PAIRWISE)
def test_first_and_second_annotator_keep_their_places(name: str) -> None:
    """An asymmetric agreement between labels: rows are the annotator who comes first."""
    mass, given = crowd(2)
    matrix = np.array([[1, 0.9, 0.1], [0.2, 1, 0.6], [0.0, 0.3, 1]])
    slots, annotator_of = slots_of(mass, 5)
    found = run(name, slots, annotator_of=annotator_of, label_agreement=matrix, **given)
    same(found, run(name, mass, label_agreement=matrix, **given))


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_compiled_without_looking_at_numbers(name: str) -> None:
    """Under jit, vmap and grad; how many pairs meet is then not known."""
    row = CATALOG.get(name)
    values = name.endswith(("values", "interval", "ratio"))
    values = values or (row is not None and row.measure.takes_values)
    two = row is not None and row.measure.annotators == 2
    shape = PAIR if two else SHAPE
    data = hard_mass(1, shape)
    if values:
        data = np.where(np.isnan(data[..., 0]), np.nan, np.argmax(data, axis=2))
    given = weights(1, shape)
    slots, annotator_of = slots_of(data)
    kernel = KERNELS[name]

    def estimate(data: Any, annotator_of: Any, w: Any, v: Any) -> Any:
        found = kernel(data, item_weight=w, annotator_weight=v, annotator_of=annotator_of)
        return jnp.sum(found.estimate)

    w, v = given["item_weight"], given["annotator_weight"]
    wanted = np.sum(kernel(data, item_weight=w, annotator_weight=v).estimate)
    rows = np.stack([w, np.ones_like(w)])

    def dense(w: Any, v: Any) -> Any:
        return jnp.sum(kernel(data, item_weight=w, annotator_weight=v).estimate)

    @jax.jit
    def together(annotator_of: Any, rows: Any, v: Any) -> Any:
        """All three in one program, which compiles once."""
        slope = jax.value_and_grad(estimate, argnums=(2, 3))(slots, annotator_of, rows[0], v)
        batch = jax.vmap(estimate, in_axes=(None, None, 0, None))(slots, annotator_of, rows, v)
        return *slope, batch, jax.grad(dense, argnums=(0, 1))(rows[0], v)

    compiled, slopes, batch, wanted_slopes = together(annotator_of, rows, v)
    np.testing.assert_allclose(compiled, wanted, atol=1e-12)
    np.testing.assert_allclose(batch[0], wanted, atol=1e-12)
    for one, other in zip(slopes, wanted_slopes, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-10)


@pytest.mark.parametrize("name", [*PAIRWISE, "conger_kappa", "krippendorff_alpha"])
def test_on_another_array_library(name: str) -> None:
    mass, given = crowd(3)
    slots, annotator_of = slots_of(mass)
    as_strict = {key: array_api_strict.asarray(value) for key, value in given.items()}
    found = run(
        name,
        array_api_strict.asarray(slots),
        annotator_of=array_api_strict.asarray(annotator_of),
        **as_strict,
    )
    assert isinstance(found.estimate, type(array_api_strict.asarray(0.0)))
    wanted = run(name, mass, **given)
    np.testing.assert_allclose(float(found.estimate), wanted.estimate, atol=1e-12)


def test_who_rates_is_not_asked_where_it_does_not_matter() -> None:
    mass, _ = crowd(4)
    slots, annotator_of = slots_of(mass)
    with_names = kernels.fleiss_kappa(slots, annotator_of=annotator_of)
    same(with_names, kernels.fleiss_kappa(slots))
    assert abs(kernels.conger_kappa(slots).estimate - kernels.conger_kappa(mass).estimate) > 1e-3


@pytest.mark.parametrize("name", PAIRWISE)
def test_common_items_that_a_pair_needs(name: str) -> None:
    mass, _ = crowd(6)
    cells = [
        [
            None if np.isnan(row[0]) else {k: float(m) for k, m in enumerate(row) if m}
            for row in item
        ]
        for item in mass
    ]
    oracle = {
        "mean_pairwise_cohen_kappa": mean_pairwise_cohen_kappa,
        "davies_fleiss_kappa": davies_fleiss_kappa,
    }[name]
    kernel = KERNELS[name]
    slots, annotator_of = slots_of(mass)
    traced = jax.jit(lambda least: kernel(jnp.asarray(mass), min_common=least))
    for min_common in (1, 2, 3, 6):
        wanted = oracle(cells, labels=list(range(CROWD[2])), min_common=min_common)
        found = kernel(mass, min_common=min_common)
        np.testing.assert_allclose(found.estimate, wanted.estimate, atol=1e-12)
        same(kernel(slots, annotator_of=annotator_of, min_common=min_common), found)
        same(traced(min_common), found)


def test_refusals_name_shapes() -> None:
    mass, _ = crowd(0)
    slots, annotator_of = slots_of(mass)
    with pytest.raises(ValueError, match=r"annotator_of must be \(items, slots\)"):
        kernels.fleiss_kappa(slots, annotator_of=annotator_of[:, :1])
    with pytest.raises(ValueError, match=r"annotator_weight must be \(annotators,\)"):
        kernels.fleiss_kappa(slots, annotator_of=annotator_of, annotator_weight=np.ones((2, 2)))
    with pytest.raises(ValueError, match="the number of annotators is unknown"):
        jax.jit(lambda who: kernels.conger_kappa(jnp.asarray(slots), annotator_of=who))(
            annotator_of
        )
    with pytest.raises(ValueError, match="takes two annotators, got 12"):
        kernels.cohen_kappa(slots, annotator_of=annotator_of)


def test_one_slot_has_no_pairs() -> None:
    mass = np.full((4, 1, 2), 0.5)
    for name in PAIRWISE:
        found = KERNELS[name](mass, annotator_of=np.array([[0], [1], [2], [0]]))
        assert np.isnan(found.estimate)
        assert found.code != 0


def test_ratio_alpha_compares_all_columns_at_once_where_it_is_compiled() -> None:
    rng = np.random.default_rng(3)
    value = np.exp(rng.normal(size=(30, 6)))
    value[rng.random(value.shape) < 0.5] = np.nan
    value[:3, :4] = 0.0
    weight = rng.uniform(0.2, 2.0, 6)

    def estimate(weight: Any) -> Any:
        return kernels.krippendorff_alpha_ratio(value, annotator_weight=weight).estimate

    wanted = estimate(weight)
    found, slope = jax.jit(jax.value_and_grad(estimate))(jnp.asarray(weight))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)
    for place in range(6):
        step = 1e-5 * np.eye(6)[place]
        near = (estimate(weight + step) - estimate(weight - step)) / 2e-5
        np.testing.assert_allclose(slope[place], near, atol=1e-8)
