"""Thresholds for naming annotators, for advice to merge labels, and for rounding errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats

ANNOTATOR_RATINGS = 20
"""Minimum number of compared ratings of an annotator who is called the best or the weakest.

A share of one half has a standard error of 0.11 with 20 ratings.
"""

ROUNDING = 1e-12
"""Maximum rounding error of an estimate or a standard error whose exact value is 0."""


DOCUMENTS = 10
"""Minimum number of documents of an annotator of spans who is called the best or the weakest."""


def enough_to_name(ratings: Floats, documents: Floats | None = None) -> NDArray[np.bool_]:
    """Tell which annotators have enough ratings to be named; none if fewer than two have enough.

    For spans, ``ratings`` are numbers of spans, and annotators also need enough ``documents``.

    Examples
    --------
    >>> enough_to_name(np.array([40.0, 3, 20])), enough_to_name(np.array([40.0, 3, 19]))
    (array([ True, False,  True]), array([False, False, False]))
    """
    enough = np.asarray(ratings) >= ANNOTATOR_RATINGS
    if documents is not None:
        enough &= np.asarray(documents) >= DOCUMENTS
    return enough & bool(enough.sum() > 1)


def without_rounding(error: Floats) -> Floats:
    """Replace standard errors that are only rounding error by 0."""
    error = np.asarray(error)
    return np.where(error < ROUNDING, 0.0, error)


def worth_merging(
    gain: Floats, error: Floats, agreement: Floats | float, share_lost: Floats
) -> NDArray[np.bool_]:
    """Tell whether the gain from merging labels exceeds its standard error, and exceeds the loss.

    Gain and loss are compared as shares. The gain is the share of the disagreement beyond chance
    (1 - agreement) that merging removes; the loss is the share of the information in the labels
    that is lost.

    Examples
    --------
    >>> gain, error, lost = np.array([0.002, 0.1, 0.1]), 0.01, np.array([0.1, 0.2, 0.3])
    >>> worth_merging(gain, error, 0.6, lost)
    array([False,  True, False])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        share_gained = gain / (1 - np.asarray(agreement))
        return np.asarray((gain > without_rounding(error)) & (share_gained > share_lost))
