"""The closeness of two ratings."""

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
"""Number of distinct ratings above which no table of their closeness is made."""

Closeness = Callable[[Integers, Integers], Floats]
"""The closeness of two ratings, from their codes."""


def closeness_of(tables: Rated, score: str) -> Closeness:
    """Return the closeness that a score names.

    "match" is 1 for the same label and 0 for another, the common mass of soft or double labels, and
    the share of common labels of sets (Jaccard). "distance" is the negative squared difference of
    numbers: the annotator with the smaller root mean square error is closer.
    """
    if score == "distance":
        numbers = tables.distinct_numbers if tables.kind is Kind.NUMBERS else tables.labels
        moderate, _ = rescale(np.asarray(numbers, dtype=np.float64), "differences")
        return lambda x, y: -((moderate[x] - moderate[y]) ** 2)
    if tables.kind in (Kind.LABELS, Kind.NUMBERS):
        return lambda x, y: (x == y).astype(np.float64)
    shares = label_shares(tables, sets_as_labels=False)
    if len(shares) > _MOST_CODES:
        raise IaaError(
            f"{len(shares):,} different ratings are too many to compare each two of them: merge "
            "rare labels, or keep fewer (keep_labels)"
        )
    common = shares @ shares.T
    if tables.kind is Kind.SETS:
        size = shares.sum(axis=1)
        either = size[:, None] + size[None, :] - common
        common = np.where(either > 0, common / np.where(either > 0, either, 1.0), 1.0)
    return lambda x, y: common[x, y]
