"""Who gives more or less of something than the others on the same items, such as a label."""

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
"""The chance that annotators who are alike name any, over all that is asked of them."""

FEWEST = 20
"""Ratings from which an annotator is named."""

RATIO = 1.5
"""How many times as often one gives a label as the others, or they as he, to be named."""

USES = 8
"""Items with the label, by the annotator or by the others, from which that is said."""


class Amount(NamedTuple):
    """How much an annotator gives beside the others on the same items."""

    annotator: int
    more: bool
    p_value: float  # times the questions asked
    items: float
    own: float  # a rating
    others: float
    label: int = -1

    @property
    def difference(self) -> float:
        """How much more or less it is over all items."""
        return self.items * abs(self.own - self.others)


def find_differing(
    ratings: VersusOthers, values: Floats, ratio: float, uses: float = 0.0
) -> Iterator[Amount]:
    """Annotators whose values are so many times those of the others, or the others' theirs.

    The larger of both sums to ``uses`` at least. Of three the one who differs makes the others
    differ from their mean: who is farthest comes first, the next is asked about without him.
    """
    of_sure = np.zeros(len(ratings.item), dtype=bool)
    for amount in sorted(_differing(ratings, values, ratio, uses), key=lambda one: -one.difference):
        rows = ratings.rows_of(amount.annotator)
        beside = np.isin(ratings.item, ratings.item[rows])
        if (beside & of_sure).any():
            left = beside & ~of_sure
            again = _differing(ratings.taken(left), values[left], ratio, uses)
            if amount[:2] not in {each[:2] for each in again}:
                continue
        of_sure[rows] = True
        yield amount


def _differing(
    ratings: VersusOthers, values: Floats, ratio: float, uses: float
) -> Iterator[Amount]:
    """The same, each beside all others."""
    own, others, number = ratings.compared(values)
    least, most = np.minimum(own, others), np.maximum(own, others)
    told = (number >= FEWEST) & (most > 0) & (most >= uses) & (most >= ratio * least)
    p_value = 2 * ratings.annotators * _one_sided(ratings, values, own > others)
    for annotator in np.flatnonzero(told & (p_value < SURE)).tolist():
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
    """How sure it is of each annotator that the values are above the others', or below."""
    above = ratings.above_others_if_comparable(values)
    return ratings.p_of_annotators(np.where(more[ratings.annotator], above, -above))


def find_label_preferences(
    ratings: VersusOthers, codes: Integers, shares: Floats
) -> Iterator[list[Amount]]:
    """Of each annotator the labels that he surely gives less, or more, the most so first.

    ``shares`` (code, label) says how much of each label a code has. ``p_value`` is times twice the
    annotators and the labels.
    """
    known: dict[tuple[int, bool], list[Amount]] = {}
    labels = shares.shape[1]
    for label in range(labels):
        for amount in find_differing(ratings, shares[codes, label], RATIO, USES):
            if (p_value := amount.p_value * labels) < SURE:
                asked = amount._replace(label=label, p_value=p_value)
                known.setdefault(amount[:2], []).append(asked)
    for amounts in known.values():
        yield sorted(amounts, key=lambda amount: -amount.difference)


@dataclass(frozen=True)
class LabelUsers:
    """Ratings, and how much of each label they have; of sets each label by itself."""

    ratings: VersusOthers
    codes: Integers
    shares: Floats

    @classmethod
    def of(cls, tables: Rated) -> Self:
        """Those of all items; where nobody has two others, either of two beside the other."""
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
        """The share of ratings with a label, that of the others', and the p-value of no difference.

        Each (annotator, label), NaN of whoever cannot be told apart.
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
