"""Coefficients on ratings: requests, what is random, intervals, and results.

Here are the options that functions and commands share, and what makes functions of them; nothing
heavy is imported for these.
"""

from iaa_jax.measure.declared import public, select
from iaa_jax.measure.interval import Interval
from iaa_jax.measure.interval_options import COMPUTED, IntervalOptions
from iaa_jax.measure.label_options import LabelOptions
from iaa_jax.measure.sampling import Sampling

__all__ = [
    "COMPUTED",
    "Interval",
    "IntervalOptions",
    "LabelOptions",
    "Sampling",
    "public",
    "select",
]
