"""Evaluate coefficients at batches of weights; only this package uses jit, vmap and devices.

All arrays in and out are NumPy arrays. A `Problem` is one coefficient on one table of rating
patterns; `estimates`, `influences`, `bootstrap` and `over_rows` evaluate several problems together.
Rarer tasks (`curvature`, `permutation`, `studentized`, `units`) are imported from their modules.
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
