"""Alpha over numbers as labels or ranks: rows of sorted ratings have the figures of the kernels."""

from __future__ import annotations

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.ordered_values import KERNELS
from iaa_jax.engine.route import Route
from iaa_jax.measure import LabelOptions
from iaa_jax.measure.resolver import Resolver
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
    resolver = Resolver(ratings, LabelOptions(level=level))
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
