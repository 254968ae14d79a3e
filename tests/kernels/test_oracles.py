"""Kernels against the oracles: gaps, soft masses, weights, and any agreement between labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from iaa_jax.catalog import CATALOG
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
from tests.oracles import (
    COEFFICIENTS,
    augmented_kappa,
    krippendorff_alpha,
    krippendorff_alpha_of_values,
    mean_pairwise_cohen_kappa,
    percent_agreement,
    specific_agreement,
)
from tests.taken import one_of


def as_cells(mass: np.ndarray) -> list[list[dict[int, float] | None]]:
    return [
        [
            None if np.isnan(row[0]) else {k: float(m) for k, m in enumerate(row) if m}
            for row in item
        ]
        for item in mass
    ]


def oracle(name: str, mass: np.ndarray, given: dict[str, Any]) -> Any:
    labels = list(range(mass.shape[2]))
    keywords: dict[str, Any] = {"labels": labels}
    for weight in ("item_weight", "annotator_weight"):
        if weight in given:
            keywords[weight] = given[weight].tolist()
    if "label_agreement" in given:
        table = given["label_agreement"]
        keywords["agreement"] = lambda a, b: float(table[a, b])
    cells = as_cells(mass)
    row, _, variant = name.partition("/")
    option, _, choice = variant.partition("=")
    if row == "percent_agreement" and option == "average":
        return percent_agreement(cells, aggregation=choice, **keywords)
    if row == "augmented_kappa":
        return augmented_kappa(cells, **({option: choice} if option else {}), **keywords)
    if option == "undefined_pairs":
        return mean_pairwise_cohen_kappa(cells, undefined_pairs=choice, **keywords)
    if choice == "ordinal":
        keywords.pop("agreement", None)
        return krippendorff_alpha(cells, level="ordinal", **keywords)
    if row == "specific_agreement":
        keywords.pop("agreement", None)
        if choice == "ratings":
            keywords["weighting"] = choice
        found = [specific_agreement(cells, label, **keywords) for label in labels]
        return type(found[0])(*(np.array(part) for part in zip(*found, strict=True)))
    return COEFFICIENTS[row](cells, **keywords)


def same(ours: Any, theirs: Any) -> None:
    np.testing.assert_allclose(ours.estimate, theirs.estimate, rtol=0, atol=1e-12)
    defined = np.asarray(ours.code) == 0
    for field in ("observed", "expected"):
        found, wanted = getattr(ours, field), getattr(theirs, field)
        if field == "expected" and np.all(np.isnan(wanted)):
            assert np.all(np.asarray(found)[defined] == 0)  # no chance term
            continue
        scale = max(1.0, float(np.max(np.abs(np.asarray(wanted)[defined]), initial=0)))
        np.testing.assert_allclose(
            np.asarray(found)[defined], np.asarray(wanted)[defined], rtol=0, atol=1e-12 * scale
        )


def test_every_coefficient_has_an_oracle() -> None:
    of_labels = {name for name in CATALOG if name in MEASURES}
    assert of_labels - {"specific_agreement"} <= set(COEFFICIENTS)


CASES = [
    pytest.param(name, shape, kind, id=f"{name}-{shape}-{kind}")
    for name in MEASURES
    for shape in SHAPES
    for kind in ("hard", "soft")
    # rounding decides whether two soft masses are the same
    if allowed(name, shape[1]) and not (kind == "soft" and name.endswith("all_agree"))
]


@pytest.mark.parametrize("seed", one_of(2, range(2)))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "shape", "kind"), CASES)
def test_kernel_is_its_oracle(
    name: str, shape: tuple[int, int, int], kind: str, weighted: bool, seed: int
) -> None:
    mass = (hard_mass if kind == "hard" else soft_mass)(seed, shape)
    given = weights(seed, shape) if weighted else {}
    same(run(name, mass, **given), oracle(name, mass, given))
    symmetric = not MEASURES[name].ordered_pairs
    if name.endswith(("ordinal", "all_agree")) or name.startswith("specific_agreement"):
        return
    given["label_agreement"] = agreement_matrix(seed, shape[2], symmetric=symmetric)
    same(run(name, mass, **given), oracle(name, mass, given))


@pytest.mark.parametrize("name", MEASURES)
def test_exchangeable_ratings_see_the_symmetric_part(name: str) -> None:
    shape = (17, 2, 3)
    mass = soft_mass(3, shape)
    matrix = agreement_matrix(3, shape[2])
    found = run(name, mass, label_agreement=matrix)
    mirrored = run(name, mass, label_agreement=(matrix + matrix.T) / 2)
    if MEASURES[name].ordered_pairs:
        assert abs(found.estimate - mirrored.estimate) > 1e-6
    else:
        np.testing.assert_allclose(found.estimate, mirrored.estimate, atol=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", one_of(2, range(5)))
@pytest.mark.parametrize("level", VALUES)
def test_alpha_over_numbers(level: str, seed: int, weighted: bool) -> None:
    shape = (15, 4, 6)
    numbers = np.array([0.0, 0.5, 1.0, 2.5, 100.0, 1e6])
    value = codes_to_values(hard_mass(seed, shape), numbers)
    given = weights(seed, shape) if weighted else {}
    rows = [[None if np.isnan(x) else float(x) for x in row] for row in value]
    keywords = {name: weight.tolist() for name, weight in given.items()}
    theirs = krippendorff_alpha_of_values(rows, level=level, **keywords)
    ours = VALUES[level].kernel(value, **given)
    np.testing.assert_allclose(ours.estimate, theirs.estimate, rtol=0, atol=2e-12)


@pytest.mark.parametrize("level", VALUES)
def test_alpha_over_numbers_is_alpha_over_labels(level: str) -> None:
    from iaa_jax.kernels.label_agreement import interval_distance, ratio_distance

    shape = (40, 3, 5)
    numbers = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    mass = hard_mass(7, shape)
    distance = {"interval": interval_distance, "ratio": ratio_distance}.get(level)
    given = {} if distance is None else {"label_agreement": 1 - distance(numbers)}
    over_labels = run(f"krippendorff_alpha/level={level}", mass, **given)
    over_values = VALUES[level].kernel(codes_to_values(mass, numbers))
    for one, other in zip(over_labels, over_values, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("spread", [1e-1, 1e-3, 1e-5])
def test_ratio_alpha_of_numbers_near_each_other(spread: float) -> None:
    """Relative differences that are small: nothing may be lost against the whole."""
    rng = np.random.default_rng(0)
    value = 300 * (1 + spread * (rng.normal(size=(30, 1)) + 0.5 * rng.normal(size=(30, 3))))
    theirs = krippendorff_alpha_of_values(value.tolist(), level="ratio")
    ours = VALUES["ratio"].kernel(value)
    np.testing.assert_allclose(ours.estimate, theirs.estimate, rtol=0, atol=1e-10)
