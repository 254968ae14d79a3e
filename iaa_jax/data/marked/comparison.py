"""Comparisons of spans: where each applies, and the data that its kernels take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.wording import Note


class Unfit(NamedTuple):
    """Why a comparison does not apply, and what to do instead; with a marking that shows it."""

    reason: str
    marking: int | None = None


def _shares_of_pairs(markings: Markings, columns: int) -> int:
    return columns**2 * 2 * markings.labels


@dataclass(frozen=True)
class Comparison:
    """A comparison of what annotators marked; call it for the data of a kernel.

    Attributes
    ----------
    data : callable
        ``(documents, identified, **numbers)`` gives the data (document, column, ...), NaN where an
        annotator has not seen a document. If ``identified``, columns are annotators or slots, so
        that these can be weighted; otherwise two columns may stand for all. ``numbers`` are the
        keyword arguments of the coefficient.
    unfit : callable
        Why markings cannot be compared; None where they can.
    cells : callable
        Size of a document's data, from the markings and the number of columns.
    weighs_annotators : bool
        Whether annotators can be weighted. Where all annotators of a document enter at once, none
        can be drawn or left out.
    notes : callable
        Notes on the markings for this comparison.
    """

    data: Callable[..., Floats]
    unfit: Callable[[Markings], Unfit | None] = lambda _: None
    cells: Callable[[Markings, int], int] = _shares_of_pairs
    weighs_annotators: bool = True
    notes: Callable[[Markings], tuple[Note, ...]] = lambda _: ()

    def __call__(self, documents: Documents, identified: bool, **numbers: float) -> Floats:
        """The data of a kernel."""
        return self.data(documents, identified, **numbers)


def data_of_pairs(documents: Documents, both: Floats, identified: bool) -> Floats:
    """Lay out what pairs match and mark (pair, 2, label) by columns, NaN where not seen.

    The shape is (document, column, column, 2, label). Where annotators need not be identified, two
    columns stand for all pairs of a document and hold the sums over them.
    """
    pairs = documents.pairs
    many, columns = documents.marked.shape
    if identified:
        data = np.zeros((many, columns, columns, *both.shape[1:]))
        data[documents.marked < 0] = np.nan
        data[pairs.document, pairs.first_column, pairs.second_column] = both
        data[pairs.document, pairs.second_column, pairs.first_column] = both
        return data
    data = np.zeros((many, 2, 2, *both.shape[1:]))
    begins = np.searchsorted(pairs.document, np.arange(many + 1))
    paired = begins[1:] > begins[:-1]
    if paired.any():
        data[paired, 0, 1] = data[paired, 1, 0] = np.add.reduceat(both, begins[:-1][paired])
    data[~paired] = np.nan
    return data
