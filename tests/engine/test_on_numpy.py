"""Formulas on NumPy for all rows at once: the numbers of compiled code, for every kernel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine import Prepared, Problem, influences, on_numpy
from iaa_jax.engine.rows import RowEvaluator
from iaa_jax.measure.request import LabelOptions, Resolver
from tests.engine.real import made
from tests.engine.test_studentized import DATA, every_problem, values

ROWS = 7


def problems() -> Iterator[tuple[str, Problem]]:
    """Every coefficient on all kinds of ratings, levels and weights of labels, crowds too."""
    for kind, several in DATA.items():
        for name, problem in several:
            yield f"{kind}/{name}", problem
    for level in ("ordinal", "interval", "ratio"):
        for name, problem in every_problem(made(25, 4), level=level):
            yield f"{level}/{name}", problem
        for name, problem in every_problem(values() + 1.0, level=level):
            yield f"numbers/{level}/{name}", problem
    for name, problem in every_problem(made(25, 4), weights="linear"):
        yield f"linear/{name}", problem


PROBLEMS = {name: problem for name, problem in problems() if problem.factored}


def weights_of(problem: Problem, seed: int = 3) -> np.ndarray:
    """Rows of weights: counts, draws with patterns that are gone, one with nothing at all."""
    count = problem.table.count
    rng = np.random.default_rng(seed)
    rows = count * rng.integers(0, 3, (ROWS, len(count)))
    rows[0], rows[-1] = count, 0.0
    return rows


def compiled_and_not(monkeypatch: pytest.MonkeyPatch, prepared: Prepared) -> list[RowEvaluator]:
    tables = [prepared.problems[0].table]
    evaluators = []
    for most in (-1, 1 << 40):
        monkeypatch.setattr(on_numpy, "MOST_CELLS", most)
        evaluators.append(RowEvaluator(prepared, tables, ROWS, "float64"))
    assert [each.on_numpy for each in evaluators] == [False, True]
    return evaluators


def assert_same(found: np.ndarray, expected: np.ndarray, within: float) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_allclose(found, expected, rtol=within, atol=within)


@pytest.mark.parametrize("name", PROBLEMS)
def test_estimates(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    problem = PROBLEMS[name]
    rows = (weights_of(problem),)
    compiled, batched = compiled_and_not(monkeypatch, Prepared([problem]))
    with compiled.scope():
        (expected,) = compiled(rows)
    (found,) = batched(rows)
    assert_same(found, np.asarray(expected), 1e-12)


@pytest.mark.parametrize("name", PROBLEMS)
def test_slopes(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    problem = PROBLEMS[name]
    rows = (weights_of(problem)[:3],)
    compiled, batched = compiled_and_not(monkeypatch, Prepared([problem]))
    with compiled.scope():
        (expected,) = compiled.slopes(rows)
    (found,) = batched.slopes(rows)
    defined = ~np.isnan(expected[0])
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.shape == theirs.shape
        scale = np.abs(theirs[defined]).max(initial=1.0)
        assert_same(mine[defined] / scale, theirs[defined] / scale, 1e-11)


@pytest.mark.parametrize("name", PROBLEMS)
def test_influences(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    results = []
    for most in (-1, 1 << 40):
        monkeypatch.setattr(on_numpy, "MOST_CELLS", most)
        results.append(influences(Prepared([PROBLEMS[name]]))[0])
    shown = PROBLEMS[name].table.count > 0
    expected, found = (each[..., shown] for each in results)
    scale = np.nanmax(np.abs(expected), initial=1.0)
    assert_same(found / scale, expected / scale, 1e-11)


def test_several_share_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = made(40, 4)
    resolver = Resolver(ratings, LabelOptions())
    names = ["krippendorff_alpha", "fleiss_kappa", "specific_agreement", "gwet_ac1"]
    prepared = Prepared([resolver.request(name).problem for name in names])
    compiled, batched = compiled_and_not(monkeypatch, prepared)
    rows = (weights_of(prepared.problems[0]),)
    with compiled.scope():
        expected = compiled(rows)
    for mine, theirs in zip(batched(rows), expected, strict=True):
        assert_same(mine, np.asarray(theirs), 1e-12)


def test_annotator_weights_of_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_numpy, "MOST_CELLS", -1)
    ratings = made(40, 4)
    names = ["conger_kappa", "mean_pairwise_cohen_kappa", "hubert_kappa"]
    options = {
        "replicates": 100,
        "sampling": iaa.Sampling(annotators="random"),
        "interval": "percentile",
    }
    expected = iaa.agreement(ratings, names, **options)
    monkeypatch.setattr(on_numpy, "MOST_CELLS", 1 << 40)
    found = iaa.agreement(ratings, names, **options)
    for name in ("estimate", "ci_low", "ci_high", "standard_error"):
        assert_same(found[name].values, expected[name].values, 1e-12)
