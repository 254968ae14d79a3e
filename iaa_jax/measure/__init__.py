"""Measurement of coefficients on ratings, with standard errors and intervals.

This file exports the options that functions and commands share, and the decorator `public`, which
turns these options into keyword arguments. Importing it loads no large package.
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
