"""Whether the best annotator is shown to be more accurate than others, of as many as there are.

The best and the weakest of many lie far apart by luck alone. The difference of two is compared with
the studentized range of as many annotators (Tukey 1953; of unequal numbers of items Kramer 1956).
Its variance is that of annotators who are right equally often, so that near 100 % few errors are no
certainty: of the same items b + c, where one of the two is right (McNemar 1947).

Kramer, C. Y. (1956). Extension of multiple range tests to group means with unequal numbers of
replications. Biometrics 12(3). https://doi.org/10.2307/3001469
McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or
percentages. Psychometrika 12(2). https://doi.org/10.1007/BF02295996
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from iaa_jax._types import Floats, Integers

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Rightness:
    """By pattern of items, what each annotator gets right for each label that may be gold.

    ``item``, ``annotator``, ``label`` and ``share`` are of ratings one after the other;
    ``probability`` (pattern, label) is that of each gold label, 0 where there is none; ``units``
    (unit, pattern) has the items of each cluster, or is None where items are drawn one by one.
    """

    item: Integers
    annotator: Integers
    label: Integers
    share: Floats
    probability: Floats
    count: Floats
    units: csr_array | None

    def of(self, annotator: int) -> tuple[Floats, Floats]:
        """Right (pattern, gold label), and rated (pattern,)."""
        own = np.flatnonzero(self.annotator == annotator)
        right = np.zeros(self.probability.shape)
        np.add.at(right, (self.item[own], self.label[own]), self.share[own])
        rated = np.bincount(self.item[own], self.share[own], len(self.probability))
        return right, rated.astype(np.float64)


def apart_from(best: int, accuracy: Floats, right: Rightness) -> Floats:
    """How many standard errors each annotator is below the best; NaN without an accuracy."""
    own, rated = right.of(best)
    known = right.count * (right.probability.sum(axis=1) > 0)
    size = float(known @ rated)
    apart = np.full(len(accuracy), np.nan)
    for other in np.flatnonzero(~np.isnan(accuracy)).tolist():
        if other == best:
            continue
        of_other, rated_too = right.of(other)
        number = float(known @ rated_too)
        both = (accuracy[best] * size + accuracy[other] * number) / (size + number)
        off = (own - both * rated[:, None]) / size - (of_other - both * rated_too[:, None]) / number
        error = np.sqrt(_variance(off, right))
        gap = accuracy[best] - accuracy[other]
        apart[other] = gap / error if gap > _ROUNDING else 0.0
    return apart


def _variance(off: Floats, right: Rightness) -> float:
    """Of a sum that is expected to be 0: its parts by unit, squared, and gold labels as drawn."""
    mean = (right.probability * off).sum(axis=1)
    drawn = (right.probability * off**2).sum(axis=1) - mean**2
    together = right.count @ mean**2 if right.units is None else ((right.units @ mean) ** 2).sum()
    return float(together + right.count @ drawn)


def reach_of(annotators: int, confidence: float) -> float:
    """How many standard errors two of so many are apart when they are shown to be."""
    if annotators < 2:
        return np.nan
    if annotators == 2:
        return float(-ndtri((1 - confidence) / 2))
    from scipy.stats import studentized_range  # takes long to import

    return float(studentized_range.ppf(confidence, annotators, np.inf) / np.sqrt(2))
