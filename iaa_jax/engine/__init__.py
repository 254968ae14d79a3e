"""Batches of weights through coefficients: the only place with jit, vmap, devices and batch sizes.

Everything here takes and gives NumPy arrays. `Problem` is one coefficient on one table of rating
patterns; `estimates`, `influences`, `bootstrap` and `over_rows` ask questions of several at once.
"""

from __future__ import annotations

from iaa_jax.engine.curvature import Curvature, curvatures, evaluated
from iaa_jax.engine.drivers import bootstrap, estimates, influences, over_rows
from iaa_jax.engine.permutation import permuted
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import Problem, Table
from iaa_jax.engine.resampling import ITEMS, Clusters, Resampling, sampled_rows
from iaa_jax.engine.studentized import bootstrap_with_errors
from iaa_jax.engine.units import left_out, left_out_rows, unit_influences
from iaa_jax.engine.weights import bootstrap_rows, jackknife_rows

__all__ = [
    "ITEMS",
    "Clusters",
    "Curvature",
    "Prepared",
    "Problem",
    "Resampling",
    "Table",
    "bootstrap",
    "bootstrap_rows",
    "bootstrap_with_errors",
    "curvatures",
    "estimates",
    "evaluated",
    "influences",
    "jackknife_rows",
    "left_out",
    "left_out_rows",
    "over_rows",
    "permuted",
    "sampled_rows",
    "unit_influences",
]
