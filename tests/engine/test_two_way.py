"""Replicates over items and annotators: by sums of panels, and from ratings row by row."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from iaa_jax import _thresholds
from iaa_jax.data.slots import in_slots
from iaa_jax.engine import Prepared, Resampling, bootstrap
from iaa_jax.engine.batch_sizes import formula_weighs, from_ratings
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.groups_alike import ALIKE, MANY_ALIKE, TOGETHER, groups_alike
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from tests.engine.real import made
from tests.engine.test_studentized import every_problem

BOTH = Resampling(annotators=True)

USUAL = ("krippendorff_alpha", "conger_kappa")


def weighed() -> dict[str, Prepared]:
    """Every coefficient whose statistics weigh annotators."""
    ratings = made(40, 4)
    resolver = Resolver(Rated.of(ratings))
    told_apart = {
        name: with_identities(resolver, problem) for name, problem in every_problem(ratings)
    }
    return {
        name: Prepared([problem])
        for name, problem in told_apart.items()
        if from_ratings(problem) and not formula_weighs(problem)
    }


WEIGHED = weighed()

BY_PANEL = [
    name
    for name, prepared in WEIGHED.items()
    if all(formula_weighs(problem) for problem in prepared.weighed_by_formula().problems)
]


@pytest.mark.parametrize("name", BY_PANEL)
def test_sums_by_panel_are_rows_from_ratings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    jax.clear_caches()
    ways = {"on NumPy": (128, 1 << 23), "compiled": (128, -1), "from ratings": (0, -1)}
    for way, (sums, cells) in ways.items():
        if way == "compiled" and name not in USUAL:
            continue
        monkeypatch.setattr(_thresholds, "SUMS_BY_PANEL", sums)
        monkeypatch.setattr(_thresholds, "NUMPY_CELLS", cells)
        monkeypatch.setattr(_thresholds, "ROWS_SHARING", 10**9)
        TRACES.clear()
        drawn += bootstrap(WEIGHED[name], replicates=150, seed=3, resampling=BOTH)
        assert TRACES["factored_rows"] == (way == "compiled")
        assert TRACES["kernel_rows"] == (way == "from ratings")
    for of_sums in drawn[:-1]:
        np.testing.assert_allclose(of_sums, drawn[-1], rtol=1e-12, atol=1e-12)


def test_few_coefficients_are_worked_out_from_ratings_a_row() -> None:
    """Of numbers, no rating can weigh and say nothing; Hubert's asks all annotators at once."""
    others = {*WEIGHED} - {*BY_PANEL}
    assert all(name.startswith("icc") or name == "hubert_kappa" for name in others)


@pytest.mark.parametrize(("sums", "cells"), [(0, 1 << 24), (128, 0)])
def test_many_sums_are_not_made(sums: int, cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_thresholds, "SUMS_BY_PANEL", sums)
    monkeypatch.setattr(_thresholds, "PANEL_SUMS", cells)
    for prepared in WEIGHED.values():
        assert prepared.weighed_by_formula().problems == prepared.problems


def test_who_is_told_apart_by_slot_is_weighed_from_ratings() -> None:
    ratings = in_slots(made(40, 4))
    problem = with_identities(
        resolver := Resolver(Rated.of(ratings)), resolver.request(USUAL[0]).problem
    )
    assert problem.annotator_of is not None
    assert Prepared([problem]).weighed_by_formula().problems == (problem,)


def test_another_table_of_the_bucket_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other items, other gaps and as many panels up to a power of two."""
    monkeypatch.setattr(_thresholds, "NUMPY_CELLS", -1)
    jax.clear_caches()
    for seed in range(3):
        TRACES.clear()
        resolver = Resolver(Rated.of(made(60, 3, seed=seed)))
        problem = with_identities(resolver, resolver.request(USUAL[0]).problem)
        bootstrap(Prepared([problem]), replicates=150, seed=seed, resampling=BOTH)
        assert seed == 0 or not TRACES


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in WEIGHED],
)
def test_rows_in_groups_are_those_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    jax.clear_caches()
    monkeypatch.setattr(_thresholds, "SUMS_BY_PANEL", 0)
    for sharing, program in ((10**9, "kernel_rows"), (1, "kernel_rows_alike")):
        monkeypatch.setattr(_thresholds, "ROWS_SHARING", sharing)
        TRACES.clear()
        drawn += bootstrap(WEIGHED[name], replicates=150, seed=3, resampling=BOTH)
        assert TRACES[program] == 1
    np.testing.assert_allclose(drawn[0], drawn[1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("sharing", "program"), [(10**9, "kernel_rows"), (1, "kernel_rows_alike")])
def test_forms_with_the_same_statistics_are_one_program(
    sharing: int, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_thresholds, "ROWS_SHARING", sharing)
    forms = ("icc2", "icc3", "icc2k", "icc3k")
    alone = [bootstrap(WEIGHED[name], replicates=150, seed=3, resampling=BOTH)[0] for name in forms]
    resolver = Resolver(Rated.of(made(40, 4)))
    every = dict(every_problem(made(40, 4)))
    together = Prepared([with_identities(resolver, every[name]) for name in forms])
    jax.clear_caches()
    TRACES.clear()
    drawn = bootstrap(together, replicates=150, seed=3, resampling=BOTH)
    assert TRACES[program] == 1
    for one, other in zip(alone, drawn, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_groups_hold_every_row_once() -> None:
    rng = np.random.default_rng(1)
    several = {1: 1, 70: 3, 1024: 126, 1000: 7, 20_000: 126}
    fractions = [rng.random((vectors, 5)) for vectors in several.values()]
    whole = [rng.integers(0, 6, (vectors, 5)) * 1.0 for vectors in several.values()]
    far = [each * 10.0**12 for each in whole]  # no key holds them
    for rows, distinct in zip([*several] * 3, fractions + whole + far, strict=True):
        weights = distinct[rng.integers(0, len(distinct), rows)]
        groups = groups_alike(weights)
        if 4 * len(np.unique(weights, axis=0)) > rows:
            assert groups is None
            continue
        assert groups is not None
        assert len(groups.rows) % TOGETHER == 0
        taken = groups.rows.reshape(-1)[groups.place]
        assert np.array_equal(taken, np.arange(rows))
        width = groups.rows.shape[1]
        assert width == (MANY_ALIKE if rows == 20_000 else ALIKE)
        assert np.array_equal(np.repeat(groups.annotators, width, axis=0)[groups.place], weights)
