"""Evaluate coefficients at many rows of item weights; jit, vmap and devices are used only here.

Functions take and return NumPy arrays. A `Problem` is one coefficient on one table of rating
patterns (sets of items with the same ratings).
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
