"""Alpha over numbers as labels or ranks: rows of sorted ratings equal the kernels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.ordered_values import KERNELS, OrderedValues
from iaa_jax.engine.route import Route
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from tests.engine.test_on_numpy import ROWS, assert_same, compiled_and_not, weights_of

KINDS = ("distinct", "tied", "alike", "never two")


def problem(kind: str, level: str, columns: int = 3) -> Problem:
    """Numbers with gaps, where all differ, or some are the same, or all."""
    rng = np.random.default_rng(5)
    numbers = np.add.outer(rng.normal(size=40), rng.normal(size=columns) / 4)
    if kind != "distinct":
        numbers = np.round(numbers) if kind == "tied" else np.ones_like(numbers)
    numbers[rng.random(numbers.shape) < 0.3] = np.nan
    if kind == "never two":
        numbers[:, 1:] = np.nan
        numbers[0] = 1.0  # what has no pair at all is refused
    ratings = iaa.from_values(numbers)
    resolver = Resolver(Rated.of(ratings), LabelOptions(level=level))
    return resolver.request("krippendorff_alpha").problem


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_have_the_figures_of_the_kernels(
    monkeypatch: pytest.MonkeyPatch, kind: str, level: str
) -> None:
    asked = problem(kind, level)
    assert asked.measure.kernel in KERNELS
    compiled, ordered, rows = compiled_and_not(monkeypatch, [asked])
    with compiled.scope():
        (expected,) = (np.asarray(each) for each in compiled(rows))
    (found,) = ordered(rows)
    assert_same(np.asarray(found), expected, 1e-12, kind)


def by_whole_numbers(values: np.ndarray, weight: np.ndarray, level: str) -> float:
    """Alpha of two ratings an item, in whole numbers of any size; twice the mid-ranks as ranks."""
    items = [int(each) for each in weight]
    _, code = np.unique(values, return_inverse=True)
    codes = code.reshape(values.shape).tolist()
    number = [0] * (int(code.max()) + 1)
    for (first, second), times in zip(codes, items, strict=True):
        number[first] += times
        number[second] += times
    total = sum(number)
    if level == "nominal":
        within = sum(2 * times * (a != b) for (a, b), times in zip(codes, items, strict=True))
        pairs = sum(each * (total - each) for each in number)
    else:
        below, rank = 0, []
        for each in number:
            rank.append(2 * below + each)
            below += each
        within = sum(
            2 * times * (rank[a] - rank[b]) ** 2 for (a, b), times in zip(codes, items, strict=True)
        )
        first, second = (
            sum(n * r**power for n, r in zip(number, rank, strict=True)) for power in (1, 2)
        )
        pairs = 2 * (total * second - first**2)
    return float(1 - Fraction(within * (total - 1), pairs))


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
@pytest.mark.parametrize("items", [300, 3_000, 40_000])
@pytest.mark.parametrize("digits", [2, 9])
def test_large_data_are_what_whole_numbers_give(items: int, digits: int, level: str) -> None:
    rng = np.random.default_rng(items)
    values = np.round(rng.normal(size=(items, 1)) + rng.normal(size=(items, 2)) / 3, digits)
    asked = Resolver(Rated.of(iaa.from_values(values)), LabelOptions(level=level)).request(
        "krippendorff_alpha"
    )
    assert asked.problem.measure.kernel in KERNELS
    table = asked.problem.table
    rows = rng.poisson(table.count, (3, len(table.count))).astype(float)
    found = OrderedValues(asked.problem).estimates(rows)
    ratings = np.asarray(asked.problem.data)
    wanted = [by_whole_numbers(ratings, row, level) for row in rows]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-13)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_annotators_weigh_as_in_the_kernels(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    asked = problem("tied", level)
    asked.weight[:] = (0.5, 2.0, 1.0)
    compiled, ordered, rows = compiled_and_not(monkeypatch, [asked])
    with compiled.scope():
        (expected,) = (np.asarray(each) for each in compiled(rows))
    assert_same(np.asarray(ordered(rows)[0]), expected, 1e-12, level)


def test_short_floats_and_slopes_are_compiled() -> None:
    asked = problem("tied", "ordinal")
    weights = (weights_of(asked.table),)
    for dtype, slopes in (("float32", False), ("float64", True)):
        route = Route(Prepared([asked]), [asked.table], ROWS, dtype, slopes=slopes)
        assert route.compiles
    with route.scope():
        assert np.isfinite(route.slopes(weights)[0].estimate[0])
