"""Describe a comparison of spans: to which markings it applies, and the data for its kernels.

A marking is all that an annotator marked in a document, and a kernel the function that computes a
coefficient from the data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings
from iaa_jax.wording import Note


class Unfit(NamedTuple):
    """The reason why a comparison does not apply, with a remedy, and a marking as an example."""

    reason: str
    marking: int | None = None


def _shares_of_pairs(markings: Markings, columns: int) -> int:
    return columns**2 * 2 * markings.labels


@dataclass(frozen=True)
class Comparison:
    """A comparison of what annotators marked; calling it returns the data of a kernel.

    Attributes
    ----------
    data : callable
        ``data(documents, identified, **numbers)`` returns the data (document, column, ...), NaN if
        an annotator has not seen a document. If ``identified``, columns are annotators or slots
        (positions of a document's annotators), so that annotators can be weighted; otherwise the
        data may have two columns, however many annotators there are.
    unfit : callable
        ``unfit(markings)`` returns the reason why the markings cannot be compared, or None.
    cells : callable
        ``cells(markings, columns)`` returns the number of cells of a document's data.
    weighs_annotators : bool
        Whether annotators can be weighted.
    notes : callable
        ``notes(markings)`` returns the notes on the markings for this comparison.
    """

    data: Callable[..., Floats]
    unfit: Callable[[Markings], Unfit | None] = lambda _: None
    cells: Callable[[Markings, int], int] = _shares_of_pairs
    weighs_annotators: bool = True
    notes: Callable[[Markings], tuple[Note, ...]] = lambda _: ()

    def __call__(self, documents: Documents, identified: bool, **numbers: float) -> Floats:
        """Return the data of documents."""
        return self.data(documents, identified, **numbers)


def data_of_pairs(documents: Documents, both: Floats, identified: bool) -> Floats:
    """Return the data (document, column, column, 2, label) of counts ``both`` (pair, 2, label).

    A pair has two counts for each label: of matches, and of what its annotators marked. The rows of
    an annotator who has not seen the document are NaN. Unless ``identified``, two columns stand for
    all pairs of a document, and have the sums over these pairs, or NaN if there is no pair.
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
