"""Augmented kappa: the values of the paper, its identities, its options."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import IaaError, kernels
from iaa_jax.kernels.augmented import AugmentedFormula
from tests.analyses.doubles.made import TABLE_1, made, made_rows, ratings_of
from tests.oracles import augmented_kappa, cohen_kappa, primary_secondary

TO_CEILING = replace(kernels.augmented_kappa, formula=AugmentedFormula(to_ceiling=True))
OPTIONS = list(product(("none", "ceiling"), ("pairs", "components"), ("omit", "zero")))


def with_himself() -> Any:
    return ratings_of([[cell, cell] for cell in TABLE_1], "abcd")


def test_rb1_the_matrix_of_table_2() -> None:
    mass = iaa.data.mass(with_himself(), p=0.6).values[:, 0]
    wanted = [[0.6, 0.4, 0, 0], [0.4, 0.6, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0.4, 0.6, 0]]
    np.testing.assert_allclose(mass, wanted, atol=1e-15)
    np.testing.assert_allclose(mass.sum(axis=0), [1, 2.4, 1.6, 0], atol=1e-15)
    np.testing.assert_allclose(mass.mean(axis=0), [0.2, 0.48, 0.32, 0], atol=1e-15)


def test_rb2_an_annotator_against_himself() -> None:
    found = iaa.augmented_kappa(with_himself(), p=0.6, interval=None)
    assert float(found.observed) == pytest.approx(0.712, abs=1e-15)
    assert float(found.expected) == pytest.approx(0.3728, abs=1e-15)
    assert float(found.estimate) == pytest.approx((0.712 - 0.3728) / (1 - 0.3728), abs=1e-15)
    assert round(float(found.estimate), 4) == 0.5408
    ceiling = iaa.augmented_kappa(with_himself(), p=0.6, normalize="ceiling", interval=None)
    assert float(ceiling.estimate) == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_rb2_at_p_1_it_is_cohens_kappa_of_the_primary_labels(seed: int) -> None:
    rows = made_rows(annotators=2, seed=seed, gaps=0.1)
    primary = [[None if cell is None else (cell[0], None) for cell in row] for row in rows]
    found = iaa.augmented_kappa(ratings_of(rows, "abcd"), p=1.0, interval=None)
    wanted = cohen_kappa(primary_secondary(primary, 1.0), labels=list("abcd"))
    assert float(found.estimate) == pytest.approx(wanted.estimate, abs=1e-14)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize(("normalize", "pool", "undefined_pairs"), OPTIONS)
def test_rb5_every_option_is_its_oracle(
    normalize: str, pool: str, undefined_pairs: str, gaps: float
) -> None:
    options = {"normalize": normalize, "pool": pool, "undefined_pairs": undefined_pairs}
    rows = made_rows(12, 4, 3, seed=5, gaps=gaps)
    for row in rows:  # two annotators who always give one and the same label
        row[2] = row[3] = ("a", None)
    wanted = augmented_kappa(primary_secondary(rows, 0.7), labels=list("abc"), **options)
    found = iaa.augmented_kappa(ratings_of(rows, "abc"), p=0.7, interval=None, **options)
    for name in ("estimate", "observed", "expected"):
        assert float(found[name]) == pytest.approx(getattr(wanted, name), abs=1e-14)


def test_only_one_double_leaves_nothing_to_correct() -> None:
    """Every rating is the same double: under the ceiling that is 0/0, compiled or not."""
    import jax

    mass = np.tile([0.7, 0.3, 0.0], (9, 3, 1))
    for kernel, code in ((kernels.augmented_kappa, 0), (TO_CEILING, 4)):
        compiled = jax.jit(kernel)
        found = kernel(mass)
        assert int(found.code) == code
        assert float(found.observed) == pytest.approx(0.58)
        with jax.enable_x64(True):
            for p in np.linspace(0.5, 0.99, 50):
                rows = np.tile([p, 1 - p, 0.0], (9, 3, 1))
                weight = np.random.default_rng(0).uniform(0.5, 2, 9)
                traced = compiled(rows, item_weight=weight)
                assert int(traced.code) == code


def test_it_is_listed_where_ratings_can_be_divided() -> None:
    assert "augmented_kappa" in iaa.agreement(made(), interval=None).coefficient
    single = iaa.from_wide([["a", "a"], ["b", "a"], ["b", "b"]])
    assert "augmented_kappa" not in iaa.agreement(single, interval=None).coefficient
    assert float(iaa.augmented_kappa(single, interval=None).estimate) == pytest.approx(0.4)
    soft = iaa.from_ranked([[["a", "b"], ["a"]], [["b"], ["b"]], [["a"], ["b"]]], p=0.6)
    assert "augmented_kappa" in iaa.agreement(soft, interval=None).coefficient


def test_refusals() -> None:
    with pytest.raises(IaaError, match="normalize must be one of none, ceiling, not 'cosine'"):
        iaa.augmented_kappa(made(), normalize="cosine")
    counts = iaa.from_counts([[2, 0], [1, 1]])
    with pytest.raises(IaaError, match="needs to know who gave which rating"):
        iaa.augmented_kappa(counts)
