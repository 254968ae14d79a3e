"""Batches of weights through coefficients: the only place with jit, vmap, devices and batch sizes.

Everything here takes and gives NumPy arrays. `Problem` is one coefficient on one table of rating
patterns; `estimates`, `influences`, `bootstrap` and `over_rows` ask questions of several at once.
"""

from __future__ import annotations

from iaa_jax.engine.curvature import LARGEST, cells_of_curvature, curvatures, estimates_at
from iaa_jax.engine.drawing import Clusters, Resampling, bootstrap_rows, sampled_rows
from iaa_jax.engine.drivers import bootstrap, estimates, influences, over_rows
from iaa_jax.engine.permutation import permute
from iaa_jax.engine.prepared import Prepared
from iaa_jax.engine.problem import CodedRatings, PatternTable, Problem
from iaa_jax.engine.studentized import bootstrap_with_errors
from iaa_jax.engine.units import leave_units_out, leave_units_out_rows, unit_influences

__all__ = [
    "LARGEST",
    "Clusters",
    "CodedRatings",
    "PatternTable",
    "Prepared",
    "Problem",
    "Resampling",
    "bootstrap",
    "bootstrap_rows",
    "bootstrap_with_errors",
    "cells_of_curvature",
    "curvatures",
    "estimates",
    "estimates_at",
    "influences",
    "leave_units_out",
    "leave_units_out_rows",
    "over_rows",
    "permute",
    "sampled_rows",
    "unit_influences",
]
