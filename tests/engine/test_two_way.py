"""Replicates over items and annotators: rows with annotator weights in common, and one by one."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from iaa_jax import _thresholds
from iaa_jax.engine import Prepared, Resampling, bootstrap
from iaa_jax.engine.batch_sizes import formula_weighs, from_ratings
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.evaluators import ALIKE, MANY_ALIKE, TOGETHER, groups_alike
from iaa_jax.measure.resolver import Resolver
from iaa_jax.measure.studies import with_identities
from tests.engine.real import made
from tests.engine.test_studentized import every_problem

BOTH = Resampling(annotators=True)

USUAL = ("krippendorff_alpha", "percent_agreement")
"""The others are slow."""


def weighed() -> dict[str, Prepared]:
    """Every coefficient whose statistics weigh annotators."""
    ratings = made(40, 4)
    resolver = Resolver(ratings)
    told_apart = {
        name: with_identities(resolver, problem) for name, problem in every_problem(ratings)
    }
    return {
        name: Prepared([problem])
        for name, problem in told_apart.items()
        if from_ratings(problem) and not formula_weighs(problem)
    }


WEIGHED = weighed()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in WEIGHED],
)
def test_rows_in_groups_are_those_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    jax.clear_caches()
    for sharing, program in ((10**9, "kernel_rows_two_way"), (1, "kernel_rows_alike")):
        monkeypatch.setattr(_thresholds, "ROWS_SHARING", sharing)
        TRACES.clear()
        drawn += bootstrap(WEIGHED[name], replicates=150, seed=3, resampling=BOTH)
        assert TRACES[program] == 1
    np.testing.assert_allclose(drawn[0], drawn[1], rtol=1e-12, atol=1e-12)


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


def test_another_seed_compiles_nothing() -> None:
    for seed in range(3):
        TRACES.clear()
        bootstrap(WEIGHED["krippendorff_alpha"], replicates=600, seed=seed, resampling=BOTH)
        assert seed == 0 or not TRACES
