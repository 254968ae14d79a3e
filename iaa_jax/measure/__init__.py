"""Coefficients on ratings: requests, sampling, intervals, and results.

This file has the options that functions and commands share, and what makes functions of them. They
import nothing heavy.
"""

from iaa_jax.measure.options.declared import public, select
from iaa_jax.measure.options.interval import Interval
from iaa_jax.measure.options.interval_options import COMPUTED, IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.options.sampling import Sampling

__all__ = [
    "COMPUTED",
    "Interval",
    "IntervalOptions",
    "LabelOptions",
    "Sampling",
    "public",
    "select",
]
