"""Rows of weights drawn on devices (here the CPU), and errors of their moments."""

from __future__ import annotations

from collections.abc import Callable

import jax
import numpy as np

from iaa_jax.engine import PatternTable, Resampling
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.drawing import ITEMS
from iaa_jax.engine.on_device import DeviceDraws, computing_on
from iaa_jax.engine.on_device.counts import DeviceMultinomial
from iaa_jax.engine.on_device.gammas import DeviceDirichlet
from iaa_jax.engine.precision import scope

Rows = np.ndarray


def cpu_as_gpu() -> Computing:
    """Make CPU devices take the code path of a GPU."""
    return computing_on("gpu", devices=jax.local_devices())


def rows_of(
    tables: tuple[PatternTable, ...],
    numbers: np.ndarray,
    seed: int = 21,
    resampling: Resampling = ITEMS,
) -> list[Rows]:
    """Weights (replicate, pattern) of each table, without what fills it up."""
    draws = DeviceDraws(cpu_as_gpu(), tables, seed, resampling, "float64")
    rows = [np.asarray(part) for part in draws.weights(numbers)]
    pairs = list(zip(rows, tables, strict=True))
    assert all(np.all(part[:, len(table.count) :] == 0) for part, table in pairs)
    return [part[:, : len(table.count)] for part, table in pairs]


def rows_by(plan: DeviceMultinomial | DeviceDirichlet, totals: np.ndarray, number: int) -> Rows:
    """Rows of one plan, all with the same totals of groups."""
    with scope("float64"), jax.threefry_partitionable(True):
        keys = jax.vmap(lambda row: jax.random.fold_in(jax.random.key(5), row))(np.arange(number))
        filled = np.zeros((number, max(64, len(totals)) if len(totals) > 1 else 1))
        filled[:, : len(totals)] = totals
        of_plan: Callable[..., jax.Array] = jax.jit(lambda plan, *of: plan.rows(*of))
        return np.asarray(of_plan(plan, keys, filled))


def errors_of_moments(rows: Rows, mean: np.ndarray, covariance: np.ndarray) -> float:
    """How far means and covariances of rows are from these, in errors of theirs, at most."""
    centred = rows - mean
    error = np.sqrt(np.diag(covariance) / len(rows))
    apart = np.abs(centred.mean(axis=0)) / np.where(error > 0, error, 1.0)
    products = centred[:, :, None] * centred[:, None, :]
    spread = products.std(axis=0) / np.sqrt(len(rows))
    wide = np.abs(products.mean(axis=0) - covariance) / np.where(spread > 0, spread, 1.0)
    return float(max(apart.max(), wide.max()))
