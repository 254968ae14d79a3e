"""What coefficients of spans are made of, by the name that their rows of the catalogue give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.strict import strict_matches, units_of_markings

Shares = Callable[[Markings, Pairs], tuple[Floats, Floats]]
"""Of each pair of markings: twice what they share, and what both hold, (pair, label) each."""

Comparison = Callable[[Documents, bool], Floats]
"""From documents to the data (document, column, ...) of a kernel; the flag asks for columns that
are annotators, or slots, so that these can be weighted."""


def of_pairs(shares: Shares) -> Comparison:
    """Shares by pair of columns: (document, column, column, label, 2), NaN where nobody saw it.

    Where annotators need not be told apart, two columns stand for all pairs of a document: what
    these share is the sum over the pairs.
    """

    def compare(documents: Documents, identified: bool) -> Floats:
        pairs = documents.pairs
        shared, held = shares(documents.markings, pairs)
        both = np.stack([shared, held], axis=-1)
        many, columns = documents.marked.shape
        if identified:
            data = np.zeros((many, columns, columns, *both.shape[1:]))
            data[documents.marked < 0] = np.nan
            data[pairs.document, pairs.first_column, pairs.second_column] = both
            data[pairs.document, pairs.second_column, pairs.first_column] = both
            return data
        sums = np.zeros((many, *both.shape[1:]))
        np.add.at(sums, pairs.document, both)
        data = np.zeros((many, 2, 2, *both.shape[1:]))
        data[:, 0, 1] = data[:, 1, 0] = sums
        data[(documents.marked >= 0).sum(axis=1) < 2] = np.nan
        return data

    return compare


def f1(matches: Callable[[Markings, Pairs], Floats]) -> Comparison:
    """Of units that match with equal labels: twice the matches, and the units of both."""

    def shares(markings: Markings, pairs: Pairs) -> tuple[Floats, Floats]:
        units = units_of_markings(markings)
        return 2 * matches(markings, pairs), units[pairs.first] + units[pairs.second]

    return of_pairs(shares)


COMPARISONS: Mapping[str, Comparison] = MappingProxyType(
    {
        "strict": f1(strict_matches),
    }
)
"""Every comparison by its name."""
