"""Formulas on NumPy for all rows at once equal compiled code, for every kernel."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine import (
    PatternTable,
    Prepared,
    Problem,
)
from iaa_jax.engine.prepared import tables_of
from iaa_jax.engine.route import Route
from tests.engine.real import made
from tests.engine.test_studentized import DATA, every_problem, values

ROWS = 7


def problems() -> Iterator[tuple[str, list[tuple[str, Problem]]]]:
    """Every coefficient on all kinds of ratings, levels and weights of labels, crowds too."""
    yield from DATA.items()
    for level in ("ordinal", "interval", "ratio"):
        yield level, every_problem(made(25, 4), level=level)
        yield f"numbers, {level}", every_problem(values() + 1.0, level=level)
    yield "linear", every_problem(made(25, 4), weights="linear")


PROBLEMS = {
    kind: {name: problem for name, problem in several if problem.factored}
    for kind, several in problems()
}


def weights_of(table: PatternTable, seed: int = 3) -> np.ndarray:
    """Rows of weights: counts, draws with patterns that are gone, one with nothing at all."""
    rng = np.random.default_rng(seed)
    rows = table.count * rng.integers(0, 3, (ROWS, len(table.count)))
    rows[0], rows[-1] = table.count, 0.0
    return rows


def compiled_and_not(
    monkeypatch: pytest.MonkeyPatch, problems: Sequence[Problem]
) -> tuple[Route, Route, tuple[np.ndarray, ...]]:
    """Both ways to work the problems out, and weights of all their tables."""
    tables = tables_of(problems)
    evaluators = []
    for most in (-1, 1 << 40):
        monkeypatch.setattr("iaa_jax._thresholds.NUMPY_CELLS", most)
        evaluators.append(Route(Prepared(problems), tables, ROWS, "float64"))
    compiled, batched = evaluators
    assert compiled.compiles
    assert not batched.compiles
    return compiled, batched, tuple(weights_of(table) for table in tables)


def assert_same(found: np.ndarray, expected: np.ndarray, within: float, what: str = "") -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected), err_msg=what)
    np.testing.assert_allclose(found, expected, rtol=within, atol=within, err_msg=what)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_estimates(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    compiled, batched, rows = compiled_and_not(monkeypatch, [*PROBLEMS[kind].values()])
    with compiled.scope():
        expected = [np.asarray(each) for each in compiled(rows)]
    for name, mine, theirs in zip(PROBLEMS[kind], batched(rows), expected, strict=True):
        assert_same(np.asarray(mine), theirs, 1e-12, name)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROBLEMS)
def test_slopes(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    compiled, batched, rows = compiled_and_not(monkeypatch, [*PROBLEMS[kind].values()])
    rows = tuple(part[:3] for part in rows)
    with compiled.scope():
        expected = compiled.slopes(rows)
    for name, mine, theirs in zip(PROBLEMS[kind], batched.slopes(rows), expected, strict=True):
        defined = ~np.isnan(theirs.estimate)
        for part, other in zip(mine, theirs, strict=True):
            assert part.shape == other.shape, name
            scale = np.abs(other[defined]).max(initial=1.0)
            assert_same(part[defined] / scale, other[defined] / scale, 1e-11, name)


@pytest.mark.parametrize("kind", PROBLEMS)
def test_slopes_of_few_rows_at_once(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    _, batched, rows = compiled_and_not(monkeypatch, [*PROBLEMS[kind].values()])
    rows = tuple(part[:3] for part in rows)
    expected = batched.slopes(rows)
    monkeypatch.setattr("iaa_jax._thresholds.ROWS_TOGETHER", 1)
    for mine, theirs in zip(batched.slopes(rows), expected, strict=True):
        for part, other in zip(mine, theirs, strict=True):
            assert_same(part, other, 1e-12)


def test_slopes_of_many_sums_take_little_memory() -> None:
    """Alpha of 40 labels has 3,242 sums, of which each row would have a square of slopes."""
    rng = np.random.default_rng(0)
    ratings = iaa.from_wide(
        np.clip(rng.integers(0, 40, (300, 1)) + rng.integers(0, 3, (300, 3)), 0, 39)
    )
    tracemalloc.start()
    try:
        iaa.krippendorff_alpha(ratings, level="ordinal", interval="studentized", replicates=64)
        assert tracemalloc.get_traced_memory()[1] < 2e8
    finally:
        tracemalloc.stop()
