"""What a comparison of spans is: where it applies, and the data that its kernels take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.wording import Note


class Unfit(NamedTuple):
    """Why spans cannot be compared in a way, and how to go on; with a marking that shows it."""

    reason: str
    marking: int | None = None


def _shares_of_pairs(markings: Markings, columns: int) -> int:
    return columns**2 * 2 * markings.labels


@dataclass(frozen=True)
class Comparison:
    """How what annotators marked is compared: call it for the data of a kernel.

    Attributes
    ----------
    data : callable
        ``(documents, identified, **numbers)`` gives the data (document, column, ...), NaN in the
        columns of who has not seen a document. ``identified`` asks for columns that are annotators,
        or slots, so that these can be weighted; without it two columns may stand for all. The
        numbers are those that the coefficient takes by name.
    unfit : callable
        Says of markings why they cannot be compared; None where they can.
    cells : callable
        Cells of the data of a document, of the markings and the number of columns.
    weighs_annotators : bool
        Whether the data can be identified. Where all annotators of a document enter at once, they
        can be neither drawn nor left out.
    notes : callable
        What to know of the markings as they are compared here.
    """

    data: Callable[..., Floats]
    unfit: Callable[[Markings], Unfit | None] = lambda _: None
    cells: Callable[[Markings, int], int] = _shares_of_pairs
    weighs_annotators: bool = True
    notes: Callable[[Markings], tuple[Note, ...]] = lambda _: ()

    def __call__(self, documents: Documents, identified: bool, **numbers: float) -> Floats:
        """The data."""
        return self.data(documents, identified, **numbers)


def data_of_pairs(documents: Documents, both: Floats, identified: bool) -> Floats:
    """What pairs share and hold (pair, 2, label) by pair of columns, NaN where nobody saw it.

    (document, column, column, 2, label); where annotators need not be told apart, two columns
    stand for all pairs of a document: what these share is the sum over the pairs.
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
