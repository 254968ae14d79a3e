"""Verbal scales: the word of a coefficient, and the probability of each band of the scale.

A band is a range of coefficients with the same word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from iaa_jax._checks import check_choice
from iaa_jax._types import Floats, Values
from iaa_jax.catalog.scales import SCALES, Scale


def scale_named(name: str) -> Scale:
    """Return a scale by its name.

    Raises
    ------
    IaaError
        If no scale has that name.
    """
    check_choice("scale", name, SCALES)
    return SCALES[name]


def words_of(estimate: ArrayLike, scale: str = "landis_koch") -> Values:
    """Return the word for each coefficient on a scale; "" for NaN.

    Parameters
    ----------
    estimate : array
        Coefficients.
    scale : str
        Name of a scale in `iaa_jax.catalog.scales`.

    Examples
    --------
    >>> words_of([0.4, 0.41, -0.1]).tolist()
    ['fair', 'moderate', 'poor']
    """
    named_scale = scale_named(scale)
    numbers = np.asarray(estimate, dtype=np.float64)
    words = [
        "" if np.isnan(x) else named_scale.words[named_scale.band_of(x)]
        for x in numbers.reshape(-1)
    ]
    return np.array(words, dtype=str).reshape(numbers.shape)


def normal_shares(
    estimate: ArrayLike, standard_error: ArrayLike, scale: str = "landis_koch"
) -> Floats:
    """Return the probability of each band, by a truncated normal distribution (Gwet 2014).

    The distribution is truncated at -1 and 1. For an estimate below -1 or above 1, it is not
    truncated on that side.

    Parameters
    ----------
    estimate, standard_error : array
        The coefficients and their standard errors. If either is NaN, so are the probabilities.
    scale : str
        Name of a scale in `iaa_jax.catalog.scales`.

    Returns
    -------
    array (..., band)
        From the worst band to the best. If the standard error is 0, the band of the estimate has
        probability 1.

    Examples
    --------
    >>> normal_shares(0.775, 0.143, "fleiss").round(3).tolist()
    [0.005, 0.452, 0.543]
    """
    from scipy.special import ndtr

    named_scale = scale_named(scale)
    middle, error = np.broadcast_arrays(
        np.asarray(estimate, dtype=np.float64), np.asarray(standard_error, dtype=np.float64)
    )
    # some estimates, such as the reliability of a mean, may lie outside [-1, 1]
    low = np.where(middle < -1, -np.inf, -1.0)
    high = np.where(middle > 1, np.inf, 1.0)
    inner = [np.full(middle.shape, bound) for bound in named_scale.bounds]
    edges = np.stack([low, *inner, high], axis=-1)
    safe = np.where(error > 0, error, 1.0)[..., None]
    cumulative = ndtr((np.clip(edges, low[..., None], high[..., None]) - middle[..., None]) / safe)
    probability = np.diff(cumulative, axis=-1) / (cumulative[..., -1:] - cumulative[..., :1])
    sure = _indicator(middle, named_scale)
    known = ~np.isnan(middle) & ~np.isnan(error)
    probability = np.where((error == 0)[..., None], sure, probability)
    return np.where(known[..., None], probability, np.nan)


def replicate_shares(replicates: ArrayLike, scale: str = "landis_koch") -> Floats:
    """Return the share of the defined bootstrap replicates in each band.

    Parameters
    ----------
    replicates : array (replicate, ...)
        Replicates of a coefficient; NaN where undefined.
    scale : str
        Name of a scale in `iaa_jax.catalog.scales`.

    Returns
    -------
    array (..., band)
        From the worst band to the best; NaN if no replicate is defined.

    Examples
    --------
    >>> replicate_shares([0.1, 0.3, 0.5, 0.5], "fleiss").tolist()
    [0.5, 0.5, 0.0]
    """
    named_scale = scale_named(scale)
    drawn = np.asarray(replicates, dtype=np.float64)
    counted = np.nansum(_indicator(drawn, named_scale), axis=0)
    defined = (~np.isnan(drawn)).sum(axis=0)[..., None]
    return np.where(defined > 0, counted / np.maximum(defined, 1), np.nan)


def _indicator(numbers: Floats, scale: Scale) -> Floats:
    bands = np.zeros(numbers.shape, dtype=np.intp)
    for bound, side in zip(scale.bounds, scale.closed, strict=True):
        bands += numbers >= bound if side == "left" else numbers > bound
    indicator = np.eye(len(scale.words))[bands]
    return np.where(np.isnan(numbers)[..., None], np.nan, indicator)
