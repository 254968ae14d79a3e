"""How often each annotator gives each label, beside the others on the same items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares


class LabelUsers(NamedTuple):
    """Figures of annotators and labels (annotator, label), NaN of who shares no item."""

    given: Floats  # share of the annotator's ratings with the label
    by_others: Floats  # share of the others' ratings of the same items, each item counted once
    standard_error: Floats  # of the difference, over items

    @property
    def difference(self) -> Floats:
        """How much more often an annotator gives a label than the others."""
        return self.given - self.by_others

    @property
    def p_value(self) -> Floats:
        """Of no difference, by the normal distribution."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(2 * ndtr(-np.abs(self.difference / self.standard_error)))


def label_users(tables: Rated) -> LabelUsers:
    """Who gives which label more often than the others; of sets each label by itself."""
    shares = label_shares(tables, sets_as_labels=False)
    row, slot, annotator = tables.slot_codes.ratings()
    size = np.bincount(row, minlength=len(tables.slot_codes.codes))
    shared = size[row] > 1
    row, slot, annotator = row[shared], slot[shared], annotator[shared]
    code, weight = tables.slot_codes.codes[row, slot], tables.identified_table.count[row]
    items = _sums(annotator, weight, tables.annotators)
    figures = np.full((3, tables.annotators, shares.shape[1]), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        for label, share in enumerate(shares.T):
            own = share[code]
            others = (_sums(row, own, len(size))[row] - own) / (size[row] - 1)
            given, beside, square = (
                _sums(annotator, weight * part, tables.annotators) / items
                for part in (own, others, (own - others) ** 2)
            )
            variance = np.maximum(square - (given - beside) ** 2, 0.0)
            # one more item of which nothing is known: a spread of 0 is no certainty
            error = np.sqrt((variance * items + 1) / items / np.maximum(items - 1, 1))
            figures[:, :, label] = given, beside, error
    return LabelUsers(*figures)


def _sums(place: Integers, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(place, values, minlength=size), dtype=np.float64)
