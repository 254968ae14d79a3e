"""Kernels as values: what can be done with one beside calling it."""

from __future__ import annotations

import pydoc
import re
from dataclasses import FrozenInstanceError, replace

import jax
import numpy as np
import pytest

from iaa_jax import kernels
from iaa_jax._errors import DEFINED
from iaa_jax._names import MODULES
from iaa_jax.kernels.kappa import mean_pairwise_cohen_kappa_zero
from tests.kernels.cases import KERNELS, MEASURES, agreement_matrix, hard_mass, takes_values


def test_aliases_are_the_same_value_or_differ_in_name_alone() -> None:
    assert kernels.bennett_s is kernels.randolph_kappa is kernels.pabak is kernels.brennan_prediger
    for name, other in (("scott_pi", "fleiss_kappa"), ("gwet_ac1", "gwet_ac2")):
        alias, kernel = getattr(kernels, name), getattr(kernels, other)
        assert alias.name == name
        assert replace(alias, name=other, summary=kernel.summary) == kernel


def test_a_kernel_cannot_be_changed_but_made_anew() -> None:
    with pytest.raises(FrozenInstanceError):
        kernels.fleiss_kappa.name = "mine"  # type: ignore[misc]
    assert mean_pairwise_cohen_kappa_zero != kernels.mean_pairwise_cohen_kappa
    assert len({kernels.scott_pi, replace(kernels.scott_pi), kernels.fleiss_kappa}) == 2


def test_a_kernel_can_be_static_under_jit() -> None:
    traces = []

    @jax.jit
    def of(mass: np.ndarray) -> jax.Array:
        traces.append(1)
        return kernels.fleiss_kappa(mass).estimate

    run = jax.jit(lambda kernel, mass: kernel(mass).estimate, static_argnums=0)
    mass = hard_mass(0, (13, 3, 4))
    with jax.enable_x64(True):
        assert run(kernels.fleiss_kappa, mass) == of(mass)
        assert run(replace(kernels.fleiss_kappa), mass) == jax.jit(kernels.scott_pi)(mass).estimate
    assert run._cache_size() == len(traces) == 1


def test_what_it_says_of_itself() -> None:
    kernel = kernels.mean_pairwise_cohen_kappa
    assert repr(kernel) == "<Kernel mean_pairwise_cohen_kappa of pair_statistics>"
    said = pydoc.plain(pydoc.render_doc(kernel))
    assert "common items that a pair of annotators needs" in said
    assert "Mean of Cohen's kappa over pairs: see `iaa_jax.mean_pairwise_cohen_kappa`." in said
    for name in set(MEASURES) & set(KERNELS):
        assert KERNELS[name].__name__ == name
        assert f"see `iaa_jax.{name}`" in (KERNELS[name].__doc__ or "")


def test_what_it_points_to_exists() -> None:
    for name, kernel in KERNELS.items():
        assert set(re.findall(r"see `iaa_jax\.(\w+)`", kernel.__doc__ or "")) <= set(MODULES), name
    own = replace(kernels.fleiss_kappa, name="own", summary="My coefficient")
    assert (own.__doc__ or "").startswith("My coefficient.\n")


@pytest.mark.parametrize("name", sorted({*KERNELS} - {"cohen_kappa", "bangdiwala_b"}))
def test_no_item_and_no_rating(name: str) -> None:
    """They are undefined, also by slot, where ratings do not tell how many annotators there are."""
    shape = (4, 3) if takes_values(name) else (4, 3, 2)
    empty = np.full(shape, np.nan)
    nobody = KERNELS[name](empty, annotator_of=np.full((4, 3), -1))
    for found in (KERNELS[name](empty[:0]), nobody):
        assert np.all(np.isnan(found.estimate))
        assert np.all(found.code != DEFINED)


def test_an_agreement_between_labels_may_be_a_list() -> None:
    mass, matrix = hard_mass(0, (13, 3, 4)), agreement_matrix(0, 4, symmetric=True)
    found = kernels.fleiss_kappa(mass, label_agreement=matrix.tolist())
    assert found == kernels.fleiss_kappa(mass, label_agreement=matrix)


def test_arguments_that_a_kernel_does_not_take() -> None:
    mass = hard_mass(0, (13, 3, 4))
    with pytest.raises(TypeError, match="fleiss_kappa takes no min_common"):
        kernels.fleiss_kappa(mass, min_common=3)
    with pytest.raises(ValueError, match="icc1 takes no label_agreement"):
        kernels.icc1(mass[..., 0], label_agreement=np.eye(3))
    fewer = kernels.mean_pairwise_cohen_kappa(mass[:4], min_common=9)
    assert np.isnan(fewer.estimate)
