"""Annotators whose ratings have more or less of a quantity, such as a label, than the others'."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Columns, Floats, Integers
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labels import label_shares
from iaa_jax.measure.shared.versus_others import VersusOthers

SURE = 0.05
"""Maximum probability, over all tests, of naming any annotator if all annotators are alike."""

FEWEST = 20
"""Minimum number of compared ratings of an annotator who is named."""

RATIO = 1.5
"""Minimum ratio between an annotator's and the others' frequency of a label (the larger over the
smaller one) for a note that names the label."""

USES = 8
"""Minimum number of items with a label, by the annotator or by the others on average, for a note
that names the label."""


class Amount(NamedTuple):
    """The mean of a quantity in an annotator's ratings and in the others', on the same items."""

    annotator: int
    more: bool
    p_value: float  # adjusted for the number of tests
    items: float
    own: float  # per rating
    others: float
    label: int = -1

    @property
    def difference(self) -> float:
        """The absolute difference, summed over all items."""
        return self.items * abs(self.own - self.others)


def find_differing(
    ratings: VersusOthers, values: Floats, ratio: float, uses: float = 0.0
) -> Iterator[Amount]:
    """Yield annotators whose values differ significantly, by a factor of at least ``ratio``.

    An annotator's sum is compared with the sum of the others' means; the larger sum must be at
    least ``uses``. If one of three annotators differs, each of the other two also differs from the
    mean of the remaining two. So the annotator with the largest difference comes first, and the
    next ones are tested without the ratings by the annotators already named.
    """
    amounts = _differing(ratings, values, ratio, uses)
    of_named = np.zeros(len(ratings.item), dtype=bool)
    for amount in sorted(amounts, key=lambda amount: -amount.difference):
        rows = ratings.rows_of(amount.annotator)
        on_items = np.isin(ratings.item, ratings.item[rows])
        if (on_items & of_named).any():
            kept = on_items & ~of_named
            retested = _differing(ratings.taken(kept), values[kept], ratio, uses)
            if amount[:2] not in {other[:2] for other in retested}:
                continue
        of_named[rows] = True
        yield amount


def _differing(
    ratings: VersusOthers, values: Floats, ratio: float, uses: float
) -> Iterator[Amount]:
    own, others, number = ratings.compared(values)
    least, most = np.minimum(own, others), np.maximum(own, others)
    named = (number >= FEWEST) & (most > 0) & (most >= uses) & (most >= ratio * least)
    p_value = 2 * ratings.annotators * _one_sided(ratings, values, own > others)
    for annotator in np.flatnonzero(named & (p_value < SURE)).tolist():
        items = float(number[annotator])
        yield Amount(
            annotator,
            bool(own[annotator] > others[annotator]),
            float(p_value[annotator]),
            items,
            float(own[annotator]) / items,
            float(others[annotator]) / items,
        )


def _one_sided(ratings: VersusOthers, values: Floats, more: NDArray[np.bool_]) -> Floats:
    """Return p-values by annotator: of higher values where ``more`` is true, else of lower ones."""
    above = ratings.above_others_if_comparable(values)
    return ratings.p_of_annotators(np.where(more[ratings.annotator], above, -above))


def find_label_preferences(
    ratings: VersusOthers, codes: Integers, shares: Floats
) -> Iterator[list[Amount]]:
    """Yield the labels that an annotator gave significantly more or less often than the others.

    Each list is for one annotator and one direction, with the largest difference first.
    ``shares`` (code, label) is the share of each label in a rating. The p-values are multiplied by
    the number of labels and by twice the number of annotators.
    """
    known: dict[tuple[int, bool], list[Amount]] = {}
    labels = shares.shape[1]
    for label in range(labels):
        for amount in find_differing(ratings, shares[codes, label], RATIO, USES):
            if (p_value := amount.p_value * labels) < SURE:
                of_label = amount._replace(label=label, p_value=p_value)
                known.setdefault(amount[:2], []).append(of_label)
    for amounts in known.values():
        yield sorted(amounts, key=lambda amount: -amount.difference)


@dataclass(frozen=True)
class LabelUsers:
    """Ratings, and the shares (code, label) of labels in them; labels of a set have shares of 1."""

    ratings: VersusOthers
    codes: Integers
    shares: Floats

    @classmethod
    def of(cls, tables: Rated) -> Self:
        """Return all ratings; if none is comparable, items with two ratings are compared too."""
        row, slot, annotator = tables.slot_codes.ratings()
        weight = tables.identified_table.count
        ratings = VersusOthers(
            item=row, annotator=annotator, weight=weight, annotators=tables.annotators
        )
        if not ratings.comparable.any():
            ratings = replace(ratings, compare_pairs=True)
        shares = label_shares(tables, sets_as_labels=False)
        return cls(ratings, tables.slot_codes.codes[row, slot], shares)

    def figures(self) -> Columns:
        """Return the share of a label in an annotator's and the others' ratings, and the p-value.

        The arrays are (annotator, label), with NaN for annotators who cannot be compared.
        """
        names = "given", "given_by_others", "given_p_value"
        figures = []
        for share in self.shares.T:
            values = share[self.codes]
            own, others, number = self.ratings.compared(values)
            p_value = np.minimum(2 * _one_sided(self.ratings, values, own > others), 1.0)
            with np.errstate(invalid="ignore", divide="ignore"):
                row = own / number, others / number, np.where(number > 0, p_value, np.nan)
            figures.append(row)
        return dict(zip(names, np.array(figures).transpose(1, 2, 0), strict=True))
