"""Scores of how close two ratings are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.magnitude import rescale
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares

_MOST_CODES = 4096
"""Maximum number of distinct ratings for a table of their closeness."""

Closeness = Callable[[Integers, Integers], Floats]
"""A function from the codes of two ratings to their closeness."""


def has_numbers(tables: Rated) -> bool:
    """Tell whether ratings are numbers, or labels that are numbers."""
    return tables.kind is Kind.NUMBERS or tables.label_names.dtype.kind in "iuf"


def closeness_of(tables: Rated, score: str) -> Closeness:
    """Return the closeness function that ``score`` names.

    "match" is 1 for the same label and 0 for different labels. For soft and double labels it is the
    sum over labels of the products of their shares, and for sets the share of common labels
    (Jaccard). "distance" is the negative squared difference of numbers, or of the ranks of other
    labels, so that the annotator with the smaller root mean square error is closer.
    """
    if score == "distance":
        numbers = tables.distinct_numbers if tables.kind is Kind.NUMBERS else tables.labels
        if not has_numbers(tables):
            numbers = np.arange(len(numbers))
        moderate, _ = rescale(np.asarray(numbers, dtype=np.float64), "differences")
        return lambda x, y: -((moderate[x] - moderate[y]) ** 2)
    if tables.kind in (Kind.LABELS, Kind.NUMBERS):
        return lambda x, y: (x == y).astype(np.float64)
    shares = label_shares(tables, sets_as_labels=False)
    if len(shares) > _MOST_CODES:
        raise IaaError(
            f"{len(shares):,} different ratings are too many to compare all pairs of them: merge "
            "rare labels, or keep fewer (keep_labels)"
        )
    common = shares @ shares.T
    if tables.kind is Kind.SETS:
        size = shares.sum(axis=1)
        either = size[:, None] + size[None, :] - common
        common = np.where(either > 0, common / np.where(either > 0, either, 1.0), 1.0)
    return lambda x, y: common[x, y]
