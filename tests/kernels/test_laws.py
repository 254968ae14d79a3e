"""Laws that every coefficient of the catalogue obeys, whatever the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.kernels.cases import (
    MEASURES,
    SHAPES,
    VALUES,
    agreement_matrix,
    allowed,
    codes_to_values,
    hard_mass,
    run,
    soft_mass,
    weights,
)

ORDERED = {name for name in MEASURES if name.endswith("ordinal")}
"""Measures that ask for the order of the labels."""


def shape_of(name: str, kind: str) -> tuple[int, int, int]:
    """More labels than annotators for single labels, fewer for shares, or two annotators."""
    more, fewer, two = SHAPES
    if not allowed(name, more[1]):
        return two
    return more if kind == "hard" else fewer


CASES = [
    pytest.param(name, shape_of(name, kind), kind, id=f"{name}-{kind}")
    for name in MEASURES
    for kind in ("hard", "soft")
    if not (kind == "soft" and name.endswith("all_agree"))
]
"""Other shapes are held by the oracles, as are the order of items and annotators, and scale."""

each = pytest.mark.parametrize(("name", "shape", "kind"), CASES)
each_of_several = pytest.mark.parametrize(
    ("name", "shape", "kind"), [case for case in CASES if case.values[1][1] > 2]
)
each_of_one_ratio = pytest.mark.parametrize(
    ("name", "shape", "kind"),
    [case for case in CASES if not case.values[0].startswith(("mean_pairwise", "augmented_kappa"))],
)
"""Not means of ratios."""


def data(shape: tuple[int, int, int], kind: str, seed: int = 11) -> Any:
    return (hard_mass if kind == "hard" else soft_mass)(seed, shape)


def same(found: Any, wanted: Any, atol: float = 1e-12) -> None:
    assert np.array_equal(found.code, wanted.code)
    for one, other in zip(found[:3], wanted[:3], strict=True):
        scale = max(1.0, float(np.nanmax(np.abs(other), initial=0)))
        np.testing.assert_allclose(one, other, rtol=0, atol=atol * scale)


@each
def test_names_of_labels(name: str, shape: tuple[int, int, int], kind: str) -> None:
    mass, given = data(shape, kind), weights(1, shape)
    order = np.arange(shape[2])[::-1] if name in ORDERED else np.roll(np.arange(shape[2]), 1)
    found = run(name, mass[..., order], **given)
    wanted = run(name, mass, **given)
    if MEASURES[name].per_label:
        wanted = type(wanted)(*(part[order] for part in wanted))
    same(found, wanted)


@each
def test_missing_is_the_subset(name: str, shape: tuple[int, int, int], kind: str) -> None:
    mass, given = data(shape, kind), weights(1, shape)
    rated = ~np.isnan(mass[..., 0]).all(axis=1)
    assert not rated.all()
    part = {**given, "item_weight": given["item_weight"][rated]}
    same(run(name, mass[rated], **part), run(name, mass, **given))


@each
def test_whole_weight_is_repetition(name: str, shape: tuple[int, int, int], kind: str) -> None:
    mass = data(shape, kind)
    times = np.random.default_rng(2).integers(0, 4, shape[0])
    times[:3] += 1
    found = run(name, mass, item_weight=times.astype(float))
    same(found, run(name, np.repeat(mass, times, axis=0)))


@each_of_several
def test_annotator_of_no_weight_is_deleted(
    name: str, shape: tuple[int, int, int], kind: str
) -> None:
    mass = data(shape, kind)
    weight = np.random.default_rng(3).uniform(0.5, 2, shape[1])
    weight[1] = 0.0
    found = run(name, mass, annotator_weight=weight)
    kept = np.delete(np.arange(shape[1]), 1)
    deleted = run(name, mass[:, kept], annotator_weight=weight[kept])
    same(found, deleted)
    if name == "hubert_kappa":
        return  # of items that all have rated
    # nor does one count who rated nothing
    weight[1], mass[:, 1] = 1.5, np.nan
    same(run(name, mass, annotator_weight=weight), deleted)


@each_of_one_ratio
def test_estimate_is_agreement_beyond_chance(
    name: str, shape: tuple[int, int, int], kind: str
) -> None:
    found = run(name, data(shape, kind), **weights(1, shape))
    beyond = (found.observed - found.expected) / (1 - found.expected)
    np.testing.assert_allclose(found.estimate, beyond, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", MEASURES)
def test_perfect_agreement_is_one(name: str) -> None:
    shape = shape_of(name, "hard")
    rng = np.random.default_rng(5)
    codes = np.append(np.arange(shape[2]), rng.integers(0, shape[2], shape[0]))
    mass = np.repeat(np.eye(shape[2])[codes][:, None, :], shape[1], axis=1)
    mass[0, 0] = np.nan
    given = {} if name in ORDERED else {"label_agreement": agreement_matrix(1, shape[2], True)}
    for keywords in ({}, given, {"item_weight": rng.uniform(0.5, 2, len(mass))}):
        found = run(name, mass, **keywords)
        assert np.all(found.estimate == 1.0)
        assert np.all(found.code == 0)


@pytest.mark.parametrize("level", VALUES)
def test_laws_over_numbers(level: str) -> None:
    shape = (14, 3, 5)
    kernel = VALUES[level].kernel
    value = codes_to_values(hard_mass(4, shape), np.array([0.0, 1.0, 2.0, 7.5, 30.0]))
    given = weights(4, shape)
    wanted = kernel(value, **given)
    rng = np.random.default_rng(0)
    order, turned = rng.permutation(shape[0]), np.roll(np.arange(shape[1]), 1)
    same(kernel(value[order], **{**given, "item_weight": given["item_weight"][order]}), wanted)
    moved = {**given, "annotator_weight": given["annotator_weight"][turned]}
    same(kernel(value[:, turned], **moved), wanted)
    rated = ~np.isnan(value).all(axis=1)
    same(kernel(value[rated], **{**given, "item_weight": given["item_weight"][rated]}), wanted)
    times = rng.integers(0, 3, shape[0])
    times[:3] += 1
    repeated = kernel(np.repeat(value, times, axis=0))
    same(kernel(value, item_weight=times.astype(float)), repeated)
    if level == "interval":
        shifted = kernel(1000.0 + 3.0 * value, **given)
        np.testing.assert_allclose(shifted.estimate, wanted.estimate, atol=1e-12)
    if level == "ratio":
        scaled = kernel(1000.0 * value, **given)
        np.testing.assert_allclose(scaled.estimate, wanted.estimate, atol=1e-12)
    if level in ("ordinal", "nominal"):
        stretched = kernel(np.exp(value), **given)
        np.testing.assert_allclose(stretched.estimate, wanted.estimate, atol=1e-12)
    agreed = np.repeat(value[:, :1], 3, axis=1)
    assert kernel(agreed).estimate == 1.0
