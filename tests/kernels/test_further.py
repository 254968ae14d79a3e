"""Hubert's kappa, Bangdiwala's B, van Oest's Ir2: published values and what they must equal."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from iaa_jax import kernels
from tests.kernels.cases import hard_mass
from tests.oracles.bangdiwala import b_by_bands


def table_mass(table: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """The mass of a two-annotator table, a cell an item, and its counts."""
    labels = len(table)
    eye = np.eye(labels)
    mass = np.array([[eye[i], eye[j]] for i in range(labels) for j in range(labels)])
    return mass, np.array(table, dtype=float).reshape(-1)


SEXUAL_FUN = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]
"""Agresti 1990, table 2.10, as in the R package vcd, whose agreement chart gives .146 and .498."""


@pytest.mark.parametrize(
    ("table", "printed"),
    [
        ([[81, 9], [9, 1]], 0.034),
        ([[118, 2], [5, 0]], 0.089),
        ([[472, 8], [20, 0]], 0.004),
    ],
)
def test_van_oests_own_tables(table: list[list[int]], printed: float) -> None:
    """Van Oest 2019, tables 4 and 5: the small sample is pulled up, the large one hardly."""
    mass, count = table_mass(table)
    found = kernels.van_oest_ir2(mass, item_weight=count)
    assert round(float(found.estimate), 3) == printed


def test_bangdiwala_of_a_published_chart() -> None:
    mass, count = table_mass(SEXUAL_FUN)
    assert round(float(kernels.bangdiwala_b(mass, item_weight=count).estimate), 3) == 0.146
    band = (1.0, 1 - 1 / 9)  # the chart's own default: labels next to each other
    apart = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    near = np.array([*band, 0.0, 0.0])[apart]
    found = kernels.bangdiwala_b(mass, item_weight=count, label_agreement=near).estimate
    assert round(float(found), 3) == 0.498
    np.testing.assert_allclose(found, b_by_bands(SEXUAL_FUN, band), rtol=1e-13)


def test_bangdiwala_of_ben_and_gerry() -> None:
    """Krippendorff's data with one rating removed: 16/121 of 25/121 in the R package irrCAC."""
    ben, gerry = "aabbdcccedda", "babbbccce-dd"
    both = [(x, y) for x, y in zip(ben, gerry, strict=True) if y != "-"]
    mass = np.eye(5)[np.array([["abcde".index(label) for label in pair] for pair in both])]
    np.testing.assert_allclose(kernels.bangdiwala_b(mass).estimate, 0.64, rtol=1e-13)


@pytest.mark.parametrize("power", [1, 2])
def test_bangdiwala_with_growing_bands(power: int) -> None:
    rng = np.random.default_rng(power)
    table = rng.integers(0, 9, (5, 5)).tolist()
    mass, count = table_mass(table)
    credit = 1 - (np.arange(5) / 4.0) ** power
    apart = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    found = kernels.bangdiwala_b(mass, item_weight=count, label_agreement=credit[apart])
    np.testing.assert_allclose(found.estimate, b_by_bands(table, credit), rtol=1e-12)


def test_bangdiwala_needs_a_label_of_both() -> None:
    mass, _ = table_mass([[0, 1], [0, 0]])
    found = kernels.bangdiwala_b(mass, item_weight=np.array([0.0, 4.0, 0.0, 0.0]))
    assert np.isnan(found.estimate)
    assert found.code != 0
    disjoint = kernels.bangdiwala_b(mass, item_weight=np.array([0.0, 4.0, 1.0, 0.0]))
    assert disjoint.estimate == 0.0


def test_hubert_by_hand() -> None:
    """Four items, three annotators: 2 of 4 unanimous, margins 3/4 1/4, 1/2 1/2, 1/2 1/2."""
    codes = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1]])
    expected = Fraction(3, 4) * Fraction(1, 4) + Fraction(1, 4) * Fraction(1, 4)
    wanted = (Fraction(1, 2) - expected) / (1 - expected)
    assert wanted == Fraction(1, 3)
    found = kernels.hubert_kappa(np.eye(2)[codes])
    np.testing.assert_allclose(found.estimate, float(wanted), rtol=1e-14)
    # pairs are not asked: half agreement of an item counts nothing
    assert found.observed == 0.5


def test_hubert_of_fleiss_diagnoses() -> None:
    """Five of Fleiss's 30 patients have six equal diagnoses (table 1 of the paper)."""
    from tests.reference import all_cases

    case = next(case for case in all_cases() if case.table == "fleiss-1971")
    codes = np.array(case.data) - 1
    found = kernels.hubert_kappa(np.eye(5)[codes])
    np.testing.assert_allclose(found.observed, 5 / 30, rtol=1e-14)
    # one margin for all gives .16580 (Moss 2024); own margins differ in the third place
    shares = np.bincount(codes.reshape(-1), minlength=5) / codes.size
    chance = float((shares**6).sum())
    assert round((5 / 30 - chance) / (1 - chance), 7) == 0.1657997
    assert abs(found.estimate - 0.1657997) < 5e-3


def test_only_the_number_of_annotators_counts_for_hubert() -> None:
    mass = hard_mass(1, (17, 3, 4))
    weight = np.array([0.5, 2.0, 1.0])
    plain, weighted = (
        kernels.hubert_kappa(mass),
        kernels.hubert_kappa(mass, annotator_weight=weight),
    )
    assert plain.estimate == weighted.estimate
    without = kernels.hubert_kappa(mass, annotator_weight=np.array([1.0, 0.0, 1.0]))
    wanted = kernels.cohen_kappa(mass[:, [0, 2]]).estimate
    np.testing.assert_allclose(without.estimate, wanted, rtol=1e-13)
