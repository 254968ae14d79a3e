"""Sums over all items equal sums from parts of items, or from a few items at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import _thresholds
from iaa_jax.engine import (
    CodedRatings,
    Prepared,
    Problem,
    Resampling,
    bootstrap,
)
from iaa_jax.engine.flat import Sums, flat_statistics
from tests.engine.test_studentized import DATA, every_problem


def many() -> xr.Dataset:
    """Few labels on many patterns, so that parts of items are fewer than patterns."""
    rng = np.random.default_rng(5)
    table = rng.integers(0, 4, (3_000, 5)).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    return iaa.from_wide(table)


def problems() -> Iterator[tuple[str, Problem]]:
    for kind, several in DATA.items():
        for name, problem in several:
            yield f"{kind}/{name}", problem
    for name, problem in every_problem(many()):
        yield f"many/{name}", problem
    for name, problem in every_problem(many(), weights="linear"):
        yield f"linear/{name}", problem


PROBLEMS = {name: problem for name, problem in problems() if problem.factored}


@pytest.mark.parametrize("name", PROBLEMS)
def test_sums(name: str) -> None:
    problem = PROBLEMS[name]
    found = Prepared([problem], estimates_only=True).summed(problem)
    expected = Prepared([problem]).summed(problem)
    for field, value in expected._asdict().items():
        np.testing.assert_allclose(
            getattr(found, field), value, rtol=1e-13, atol=1e-12, err_msg=field
        )


@pytest.mark.parametrize("name", ["conger_kappa", "mean_pairwise_cohen_kappa", "augmented_kappa"])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.0, 1.0, 1.0]])
def test_parts_of_items_are_what_is_summed(name: str, weights: list[float] | None) -> None:
    """All patterns are laid out only where what an item has as a whole depends on who rated it."""
    problem = dict(every_problem(many()))[name]
    if weights is not None:
        problem = replace(problem, annotator_weight=np.array(weights))
    expected = Prepared([problem]).summed(problem)
    laid_out: list[int] = []
    assert isinstance(problem.ratings, CodedRatings)
    lay_out = problem.ratings.lay_out

    def counting(codes: np.ndarray) -> np.ndarray:
        laid_out.append(len(codes))
        return lay_out(codes)

    coded = CodedRatings(problem.ratings.codes, counting)
    found = Prepared([replace(problem, ratings=coded)], estimates_only=True).summed(
        replace(problem, ratings=coded)
    )
    for value, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-13)
    whole = name == "conger_kappa" and weights is not None
    assert (max(laid_out) >= len(coded.codes)) == whole


OF_PARTS = {"conger_kappa", "mean_pairwise_cohen_kappa", "davies_fleiss_kappa", "augmented_kappa"}


@pytest.mark.parametrize("kind", ["many", "linear"])
@pytest.mark.parametrize("name", sorted(OF_PARTS))
def test_statistics_of_parts_are_those_of_patterns(
    monkeypatch: pytest.MonkeyPatch, kind: str, name: str
) -> None:
    """As a matrix, as sums under weights, and as derivatives."""
    monkeypatch.setattr("iaa_jax._thresholds.MANY_PATTERNS", 0)
    problem = PROBLEMS[f"{kind}/{name}"]
    found, plain = Prepared([problem]).statistics(problem), flat_statistics(problem)
    assert found.parts is not None
    assert len(found.rows) < len(plain.dense)
    assert found.layout == plain.layout
    np.testing.assert_allclose(found.dense, plain.dense, rtol=1e-13, atol=1e-13)
    rng = np.random.default_rng(1)
    weights = rng.random(len(plain.dense))
    np.testing.assert_allclose(found.sums(weights).dense, plain.sums(weights).dense, rtol=1e-12)
    gradient = Sums(rng.normal(size=(2, plain.columns)), np.zeros((2, 0)), ())
    np.testing.assert_allclose(
        found.by_pattern(gradient), plain.by_pattern(gradient), rtol=1e-11, atol=1e-12
    )


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("annotators", [False, True])
def test_replicates_by_parts(
    monkeypatch: pytest.MonkeyPatch, compiled: bool, annotators: bool
) -> None:
    """Beside coefficients that are no sums over parts; counts and fractions, drawn alike."""
    if compiled:
        monkeypatch.setattr("iaa_jax._thresholds.NUMPY_CELLS", -1)
    several = dict(every_problem(many()))
    names = [*sorted(OF_PARTS), "percent_agreement"]
    problems = [
        several[name] for name in names if several[name].measure.identified or not annotators
    ]
    for kind in ("multinomial", "dirichlet"):
        drawn: list[list[np.ndarray]] = []
        for least in (0, 1 << 30):
            monkeypatch.setattr("iaa_jax._thresholds.MANY_PATTERNS", least)
            sampling = Resampling(kind, annotators=annotators)
            drawn.append(bootstrap(Prepared(problems), replicates=70, seed=2, resampling=sampling))
        for by_parts, plain in zip(*drawn, strict=True):
            np.testing.assert_allclose(by_parts, plain, rtol=1e-11, atol=1e-12)


def test_patterns_of_many_annotators_are_not_taken_apart() -> None:
    """4,005 pairs of annotators, with a part of each of 6,000 patterns, are 24 million parts."""
    rng = np.random.default_rng(2)
    rows = np.where(rng.random((6000, 90)) < 0.6, 0, rng.integers(0, 2, (6000, 90)))
    for annotators, of_parts in ((90, False), (12, True)):
        problem = dict(every_problem(iaa.from_wide(rows[:, :annotators])))["conger_kappa"]
        assert len(problem.table.count) >= _thresholds.MANY_PATTERNS
        assert (Prepared([problem]).statistics(problem).parts is not None) is of_parts


@pytest.mark.parametrize("name", [n for n, p in PROBLEMS.items() if not p.measure.identified])
def test_columns_that_do_not_count_change_no_statistic(name: str) -> None:
    """Whatever stands in them; of ratings that may change places columns are no annotators."""
    problem = PROBLEMS[name]
    if problem.annotator_of is not None:
        pytest.skip("ratings by slot have no such columns")
    extra = np.repeat(problem.data[:, :1], 3, axis=1)
    wider = replace(
        problem,
        ratings=np.concatenate([problem.data, extra], axis=1),
        annotator_weight=np.append(problem.weight, np.zeros(3)),
        annotators=problem.columns + 3,
    )
    flat, other = flat_statistics(replace(problem, ratings=problem.data)), flat_statistics(wider)
    np.testing.assert_allclose(other.dense, flat.dense, rtol=1e-12, atol=1e-14)
