"""What a comparison of spans is: where it applies, and the data that its kernels take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings


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
    """

    data: Callable[..., Floats]
    unfit: Callable[[Markings], Unfit | None] = lambda _: None
    cells: Callable[[Markings, int], int] = _shares_of_pairs
    weighs_annotators: bool = True

    def __call__(self, documents: Documents, identified: bool, **numbers: float) -> Floats:
        """The data."""
        return self.data(documents, identified, **numbers)
