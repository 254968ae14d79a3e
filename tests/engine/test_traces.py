"""A compile budget: new numbers, names and sizes within a bucket do not recompile."""

from __future__ import annotations

import jax
import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.engine import Prepared, bootstrap
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.padding import bucket, pad
from iaa_jax.measure.ratings.rated import Rated
from tests.engine.real import asked


@pytest.fixture
def _nothing_is_compiled() -> None:
    """What other tests compiled must not hide a trace."""
    jax.clear_caches()


def ratings(items: int, seed: int, names: list[str] | None = None) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    primary = rng.integers(0, 3, (items, 3))
    secondary = (primary + rng.integers(1, 3, (items, 3))) % 3
    secondary[rng.random((items, 3)) < 0.5] = -1
    made = iaa.from_wide(primary, labels=[0, 1, 2])
    made["secondary"] = (("item", "annotator"), secondary.astype(made.primary.dtype))
    made.attrs["task"] = "primary_secondary"
    return made if names is None else made.assign_coords(annotator=names)


def run(data: xr.Dataset, **options: float) -> None:
    for name in ("weights", None):
        keywords = {"weights": "linear"} if name else {}
        iaa.agreement(data, replicates=100, **options, **keywords)
    iaa.krippendorff_alpha(data, level="interval", replicates=100, **options)


@pytest.mark.usefixtures("_nothing_is_compiled")
def test_one_trace() -> None:
    """Other seeds, values of p, names of annotators and sizes in one bucket: one trace."""
    first = ratings(140, 0)
    run(first)
    before = dict(TRACES)
    patterns = set()
    for seed, p in ((1, 0.5), (12345, 0.9)):
        run(first, seed=seed, p=p)
    run(ratings(140, 0, list("xyz")))
    for items in (128, 134, 141):
        data = ratings(items, items)
        patterns.add(len(asked(data)[0].problem.table.count))
        run(data)
    assert len(patterns) > 1
    assert dict(TRACES) == before


@pytest.mark.usefixtures("_nothing_is_compiled")
def test_a_new_bucket_traces_once() -> None:
    def rows(items: int) -> Prepared:
        rng = np.random.default_rng(items)
        values = iaa.from_values(rng.normal(size=(items, 3)))
        from iaa_jax.measure.requests.resolver import Resolver

        return Prepared([Resolver(Rated.of(values)).request("krippendorff_alpha").problem])

    bootstrap(rows(70), replicates=64, seed=0)
    before = TRACES["factored_rows"]
    for items in (65, 80, 96):
        bootstrap(rows(items), replicates=64, seed=0)
    assert TRACES["factored_rows"] == before
    bootstrap(rows(97), replicates=64, seed=0)
    assert TRACES["factored_rows"] == before + 1


@pytest.mark.usefixtures("_nothing_is_compiled")
def test_a_kernel_of_the_users_traces_once() -> None:
    from iaa_jax import kernels

    def share_of_first(mass, *, item_weight=None, annotator_weight=None, label_agreement=None):
        return kernels.percent_agreement(mass[..., :1], item_weight=item_weight)

    data = ratings(140, 0)
    found = iaa.agreement(data, [share_of_first, "fleiss_kappa"], replicates=100)
    assert found.coefficient.values.tolist() == ["share_of_first", "fleiss_kappa"]
    assert np.isfinite(found.standard_error).all()
    before = dict(TRACES)
    for seed in range(3):
        iaa.agreement(data, [share_of_first, "fleiss_kappa"], replicates=100, seed=seed)
    assert dict(TRACES) == before


@pytest.mark.parametrize("items", [1, 63, 64, 65, 96, 97, 1000, 123_456])
def test_buckets(items: int) -> None:
    size = bucket(items)
    assert size >= items
    assert size == 64 or size <= 1.5 * items
    assert bucket(size) == size
    rows = np.ones((min(items, 70), 2))
    assert pad(rows, np.nan).shape == (bucket(len(rows)), 2)
