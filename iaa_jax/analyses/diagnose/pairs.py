"""How far each pair of annotators agrees on its common items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.diagnose.compared import (
    chance_disagreement,
    entries_of,
    inner,
    summed,
)
from iaa_jax.data.patterns import Codes
from iaa_jax.measure.annotator_pairs import meetings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_ANNOTATORS = 1000
"""Annotators beyond which there is no table of all pairs."""

_CELLS = 1 << 26


def too_many(annotators: int, labels: int) -> bool:
    """Whether a table of pairs would be too large."""
    return annotators > MOST_ANNOTATORS or annotators**2 * labels > _CELLS


def agreement_of_pairs(
    codes: Codes, count: Floats, annotators: int, shares: csr_array, disagreement: Floats | None
) -> dict[str, Floats]:
    """Shared items, agreement and Cohen's kappa (annotator, annotator).

    Rows are the first annotator of a disagreement that is not symmetric. The diagonal holds an
    annotator's own items; pairs without common items are NaN.
    """
    labels, pairs = shares.shape[1], annotators**2
    shared = np.zeros(pairs)
    disagreeing = np.zeros(pairs)
    margins = np.zeros((labels, pairs))  # of the first annotator of the two
    sizes = shares.sum(axis=1)
    towards = None if disagreement is None else np.asarray(shares @ disagreement)
    for rater, second_rater, code, second_code, weight in meetings(codes, count):
        for a, b, first, second in (
            (rater, second_rater, code, second_code),
            (second_rater, rater, second_code, code),
        ):
            pair = a * annotators + b
            row, label, share = entries_of(shares[second])
            if towards is None:
                distance = sizes[first] * sizes[second] - inner(shares[first], shares[second])
            else:
                near = towards[first[row], label] * share
                distance = summed(row, near, len(pair))
            shared += summed(pair, weight, pairs)
            disagreeing += summed(pair, weight * distance, pairs)
            row, label, share = entries_of(shares[first])
            cell = label * pairs + pair[row]
            margins += summed(cell, weight[row] * share, labels * pairs).reshape(labels, pairs)
    square = (annotators, annotators)
    of_first = margins.reshape(labels, *square)
    chance = chance_disagreement(of_first, of_first.swapaxes(1, 2), disagreement)
    items, observed = shared.reshape(square), disagreeing.reshape(square)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = np.where(items > 0, 1 - observed / items, np.nan)
        kappa = np.where((items > 0) & (chance > 0), 1 - observed * items / chance, np.nan)
    np.fill_diagonal(items, ratings_of_each(codes, count, annotators))
    np.fill_diagonal(agreement, np.nan)
    np.fill_diagonal(kappa, np.nan)
    return {"shared_items": items, "agreement": agreement, "kappa": kappa}


def distance_of_pairs(
    codes: Codes, count: Floats, annotators: int, values: Floats
) -> dict[str, Floats]:
    """For ratings that are numbers: shared items, and the mean squared difference."""
    shared = np.zeros(annotators**2)
    squares = np.zeros(annotators**2)
    for rater, second_rater, code, second_code, weight in meetings(codes, count):
        distance = weight * (values[code] - values[second_code]) ** 2
        for pair in (rater * annotators + second_rater, second_rater * annotators + rater):
            np.add.at(shared, pair, weight)
            np.add.at(squares, pair, distance)
    items = shared.reshape(annotators, annotators)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(items > 0, squares.reshape(items.shape) / items, np.nan)
    np.fill_diagonal(items, ratings_of_each(codes, count, annotators))
    return {"shared_items": items, "disagreement": mean}


def ratings_of_each(codes: Codes, count: Floats, annotators: int) -> Floats:
    """How many ratings each annotator gave."""
    rows, _, raters = codes.ratings()
    return np.bincount(raters, weights=count[rows], minlength=annotators).astype(np.float64)
