"""Batches of weights through coefficients: the only place with jit, vmap, devices and batch sizes.

What it is asked takes and gives NumPy arrays. `Problem` is one coefficient on one table of rating
patterns; `estimates`, `influences`, `bootstrap` and `over_rows` ask questions of several at once.
What is asked more rarely (`curvature`, `permutation`, `studentized`, `units`) is imported where it
is asked.
"""

from __future__ import annotations

from iaa_jax.engine.drawing import Clusters, Resampling, bootstrap_rows, sampled_rows
from iaa_jax.engine.drivers import bootstrap, estimates, influences
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import CodedRatings, PatternTable, Problem
from iaa_jax.engine.route import over_rows

__all__ = [
    "Clusters",
    "CodedRatings",
    "PatternTable",
    "Prepared",
    "Problem",
    "Resampling",
    "bootstrap",
    "bootstrap_rows",
    "estimates",
    "influences",
    "over_rows",
    "sampled_rows",
]
