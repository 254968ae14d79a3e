"""Gold labels and sharpening give equal results on a device and on the host."""

from __future__ import annotations

import jax
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine.chunked import CHUNK, Chunks
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.precision import scope
from tests.engine.on_device.test_replicates import with_cpu_as_gpu


def crowd(items: int = 60, annotators: int = 130, votes: int = 4) -> xr.Dataset:
    """Of so many annotators that ratings are listed, one of whom rates every item."""
    rng = np.random.default_rng(4)
    truth, skill = rng.integers(0, 3, items), rng.uniform(0.5, 0.95, annotators)
    rows = []
    for item in range(items):
        for who in (0, *rng.choice(np.arange(1, annotators), votes, replace=False)):
            right = rng.random() < skill[who]
            label = truth[item] if right else rng.integers(0, 3)
            rows.append((item, f"w{who}", "xyz"[label]))
    return iaa.from_long(pd.DataFrame(rows, columns=["item", "annotator", "label"]))


def test_chunks_sum_what_each_index_has() -> None:
    rng = np.random.default_rng(2)
    index = rng.choice([0, 3, 4, 9], 3_000, p=[0.7, 0.2, 0.05, 0.05])
    values = rng.random((3_000, 2))
    with scope("float64"):
        chunks = Chunks.of(index)
        sums = np.asarray(chunks.sums(values, 12))
    assert np.bincount(index).max() > CHUNK**2
    assert len(chunks.levels) == 3
    for column in range(2):
        expected = np.bincount(index, values[:, column], 12)
        np.testing.assert_allclose(sums[:, column], expected, rtol=1e-14)


@pytest.mark.parametrize(
    "method",
    [
        "dawid_skene",
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("one_coin", "mace", "glad")),
    ],
)
def test_models_end_where_they_end_on_the_host(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_cpu_as_gpu(monkeypatch)
    ratings = crowd()
    jax.clear_caches()
    TRACES.clear()
    here, there = (
        iaa.gold(ratings, method, interval=None, leave_out=False, tol=1e-9, device=device)
        for device in (None, "gpu")
    )
    assert TRACES["fit_rows"] == 1
    assert there.attrs["device"] == "gpu"
    assert int(here.iterations) == int(there.iterations)
    np.testing.assert_allclose(there.probability, here.probability, atol=1e-7)
    np.testing.assert_allclose(there.skill, here.skill, atol=1e-7)


@pytest.mark.slow
def test_replicates_of_sharpening_are_fitted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cpu_as_gpu(monkeypatch)
    jax.clear_caches()
    TRACES.clear()
    here, there = (
        iaa.sharpen(crowd(), interval="percentile", replicates=60, device=device)
        for device in (None, "gpu")
    )
    assert TRACES["fit_rows"] == 1
    np.testing.assert_allclose(there.agreement, here.agreement)
    np.testing.assert_allclose(there.agreement_ci_low, here.agreement_ci_low, atol=0.1)
