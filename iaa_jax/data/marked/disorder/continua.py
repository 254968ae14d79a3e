"""Define continua (documents with a line of units for each annotator), and how far units differ.

The dissimilarity d of two units u and v has a positional and a categorical part::

    d_pos(u, v) = delta ((|start_u - start_v| + |end_u - end_v|) / (length_u + length_v))^2
    d_cat(u, v) = delta D[label_u, label_v]
    d(u, v)     = alpha d_pos(u, v) + beta d_cat(u, v)

Delta is the dissimilarity of a unit and an empty unit, and D has the distances between labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.documents import Markings


@dataclass(frozen=True)
class Continua:
    """Units of several continua, each of the same number of annotators.

    ``number`` is the number of continua, and ``annotators`` the number of annotators in each.
    Arrays are (unit,); units of a continuum are contiguous.
    """

    number: int
    annotators: int
    continuum: Integers
    annotator: Integers
    start: Floats
    end: Floats
    label: Integers

    @property
    def units(self) -> NDArray[np.intp]:
        """The number of units of each continuum."""
        return np.bincount(self.continuum, minlength=self.number)


@dataclass(frozen=True)
class Dissimilarity:
    """The dissimilarity of two units, a function of their places and labels.

    Attributes
    ----------
    alpha, beta : float
        Weights of the positional and of the categorical part.
    empty : float
        Delta, the dissimilarity of a unit and an empty unit.
    labels : array (label, label), optional
        D, the distances between labels; None if labels are nominal.
    """

    alpha: float = 3.0
    beta: float = 1.0
    empty: float = 1.0
    labels: Floats | None = None

    def positional(self, continua: Continua, first: Integers, second: Integers) -> Floats:
        """Return d_pos of pairs of units."""
        start, end = continua.start, continua.end
        moved = np.abs(start[first] - start[second]) + np.abs(end[first] - end[second])
        length = end - start
        return np.asarray(self.empty * (moved / (length[first] + length[second])) ** 2)

    def categorical(self, continua: Continua, first: Integers, second: Integers) -> Floats:
        """Return d_cat of pairs of units."""
        one, other = continua.label[first], continua.label[second]
        differ = one != other if self.labels is None else self.labels[one, other]
        return np.asarray(self.empty * differ)

    def __call__(self, continua: Continua, first: Integers, second: Integers) -> Floats:
        """Return d of pairs of units."""
        places = self.alpha * self.positional(continua, first, second)
        return places + self.beta * self.categorical(continua, first, second)


@dataclass(frozen=True)
class Stretches:
    """The distinct units of each marking (an annotator's spans in a document), sorted by place.

    A discontinuous unit extends from its first place to its last. ``begins`` (marking + 1,) is
    where the units of each marking begin.
    """

    begins: NDArray[np.intp]
    start: Floats
    end: Floats
    label: Integers


def stretches_of(markings: Markings) -> Stretches:
    """Return the distinct units of markings, each from its first place to its last."""
    markings = markings.distinct
    units = markings.units
    start, end = (each.astype(np.float64) for each in markings.extents)
    order = np.lexsort([units.label_of, end, start, units.marking_of])
    return Stretches(units.begins, start[order], end[order], units.label_of[order])


def joined(several: Sequence[Continua]) -> Continua:
    """Join continua, which have equal numbers of annotators, into one batch."""
    numbers = np.cumsum([0, *(continua.number for continua in several)])
    shifted = [each.continuum + before for each, before in zip(several, numbers, strict=False)]
    return Continua(
        int(numbers[-1]),
        several[0].annotators,
        np.concatenate(shifted),
        *(
            np.concatenate([getattr(each, name) for each in several])
            for name in ("annotator", "start", "end", "label")
        ),
    )
