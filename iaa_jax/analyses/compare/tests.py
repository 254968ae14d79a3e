"""The interval of a difference, and what tests say of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from iaa_jax.analyses.compare.figures import NO_SPREAD, Compared
from iaa_jax.kernels import intervals
from iaa_jax.measure.interval import IntervalOptions
from iaa_jax.measure.spread import Spread, ends_of, few_defined
from iaa_jax.measure.uncertainty import ONE_SIDED
from iaa_jax.measure.words import note_text


class Ends(NamedTuple):
    """Both ends of the interval of a difference, and what there is to say."""

    low: float
    high: float
    note: str


def ends_of_difference(one: Compared, options: IntervalOptions) -> Ends:
    """The interval of a difference; NaN where its spread is unknown."""
    if options.interval is not None and one.unseen is not None:
        return Ends(*one.unseen.ends(options.confidence), "")
    if options.interval is None or not np.isfinite(one.error):
        return Ends(np.nan, np.nan, "")
    estimate = np.asarray(one.difference)
    spread = Spread(np.asarray(one.error), one.degrees, np.asarray(one.skewness), one.replicates)
    low, high = ends_of(estimate, spread, options.form, options.confidence)
    if options.method == "bca" and one.replicates is not None:
        aside = abs(float(intervals.bias_correction(estimate, one.replicates)))
        if aside > ONE_SIDED:
            note = (
                "nearly all replicates lie on one side of the difference: it is biased on so few "
                "items, and a BCa interval would not hold it"
            )
            return Ends(np.nan, np.nan, note)
    drawn = one.replicates if options.resampled else None
    few = few_defined(drawn, options.confidence)
    return Ends(float(low), float(high), note_text(filter(None, [few])))


class DifferenceTests(NamedTuple):
    """What tests say of one difference."""

    z: float
    p_value: float
    exchanged: float
    equivalence: float


def difference_tests(
    one: Compared, margin: float | None, *, of_clusters: bool = False
) -> DifferenceTests:
    """Whether the difference is 0, by its standard error and by exchanges; or small.

    Clusters are few: Student's t stands for the normal distribution.
    """
    from scipy.special import ndtr, stdtr

    def below(statistic: float) -> float:
        return float(stdtr(one.degrees, statistic) if of_clusters else ndtr(statistic))

    difference, error = one.difference, one.error
    exchanged = np.nan
    if one.exchanged is not None and np.isfinite(difference):
        near = 1e-9 * max(abs(difference), 1e-3)
        # an exchange that leaves a figure undefined counts against a difference
        far = np.isnan(one.exchanged) | (np.abs(one.exchanged) >= abs(difference) - near)
        exchanged = float((1 + far.sum()) / (1 + len(far)))
    if one.unseen is not None:
        nothing = abs(difference) <= NO_SPREAD
        p_value = exchanged if np.isfinite(exchanged) else (1.0 if nothing else np.nan)
        alike = np.nan if margin is None else one.unseen.equivalence(margin)
        return DifferenceTests(np.nan, p_value, exchanged, alike)
    if not np.isfinite(difference) or not np.isfinite(error):
        return DifferenceTests(np.nan, np.nan, exchanged, np.nan)
    equivalence = np.nan
    z = difference / error
    if margin is not None:
        equivalence = max(
            below((difference - margin) / error), below(-(difference + margin) / error)
        )
    return DifferenceTests(z, 2 * below(-abs(z)), exchanged, equivalence)
