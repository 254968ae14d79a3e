"""What a figure has to stand on before it is named in a headline, or a step is advised by it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats

ANNOTATOR_RATINGS = 20
"""Ratings compared with others' from which an annotator is called the best or the weakest.

Of 20 ratings a share of one half has a standard error of 0.11: of fewer, whoever is at an end of
the list is there by luck more often than not.
"""

ROUNDING = 1e-12
"""What rounding may leave of 0, of a figure or of its standard error."""


DOCUMENTS = 10
"""Documents with spans below which an annotator's figure hangs on a few of them."""


def enough_to_name(ratings: Floats, documents: Floats | None = None) -> NDArray[np.bool_]:
    """Which annotators have enough ratings to be named; nobody where fewer than two have.

    Of spans, which are the ratings, enough ``documents`` as well.

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
    """Standard errors, those of rounding 0."""
    error = np.asarray(error)
    return np.where(error < ROUNDING, 0.0, error)


def worth_merging(
    gain: Floats, error: Floats, agreement: Floats | float, share_lost: Floats
) -> NDArray[np.bool_]:
    """Whether merges of labels gain more than their standard error, and more than they lose.

    Gain and loss are shares: of the disagreement beyond chance (1 - agreement) what goes, and of
    the information in the labels what goes.

    Examples
    --------
    >>> gain, error, lost = np.array([0.002, 0.1, 0.1]), 0.01, np.array([0.1, 0.2, 0.3])
    >>> worth_merging(gain, error, 0.6, lost)
    array([False,  True, False])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        share_gained = gain / (1 - np.asarray(agreement))
        return np.asarray((gain > without_rounding(error)) & (share_gained > share_lost))
