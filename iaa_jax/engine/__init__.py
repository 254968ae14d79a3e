"""Batches of weights through coefficients: the only place with jit, vmap, devices and batch sizes.

Everything here takes and gives NumPy arrays. `Problem` is one coefficient on one table of rating
patterns; `estimates`, `influences`, `bootstrap` and `over_rows` ask questions of several at once.
"""

from __future__ import annotations

from iaa_jax.engine.drivers import Prepared, bootstrap, estimates, influences, over_rows
from iaa_jax.engine.problem import Problem, Table
from iaa_jax.engine.weights import bootstrap_rows, jackknife_rows

__all__ = [
    "Prepared",
    "Problem",
    "Table",
    "bootstrap",
    "bootstrap_rows",
    "estimates",
    "influences",
    "jackknife_rows",
    "over_rows",
]
