"""What coefficients of spans are made of, by the name that their rows of the catalogue give it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.strict import strict_matches, units_of_markings


class Shares(NamedTuple):
    """What two annotators share, and what each of them holds.

    Attributes
    ----------
    shared : callable
        Of markings and pairs of them: what both share, twice, as each has it: (pair, label).
    held : callable
        Of markings: what each holds: (marking, label).
    """

    shared: Callable[[Markings, Pairs], Floats]
    held: Callable[[Markings], Floats]


Comparison = Callable[[Documents, bool], Floats]
"""From documents to the data (document, column, ...) of a kernel; the flag asks for columns that
are annotators, or slots, so that these can be weighted."""


def of_pairs(shares: Shares) -> Comparison:
    """Shares by pair of columns: (document, column, column, label, 2), NaN where nobody saw it.

    Where annotators need not be told apart, two columns stand for all pairs of a document: what
    these share is the sum over the pairs.
    """

    def compare(documents: Documents, identified: bool) -> Floats:
        pairs, markings = documents.pairs, documents.markings
        held = shares.held(markings)
        shared, held = shares.shared(markings, pairs), held[pairs.first] + held[pairs.second]
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


def f1(matches: Callable[[Markings, Pairs], Floats]) -> Shares:
    """Of units that match with equal labels: twice the matches, and the units of each."""
    return Shares(lambda markings, pairs: 2 * matches(markings, pairs), units_of_markings)


SHARES: Mapping[str, Shares] = MappingProxyType(
    {
        "strict": f1(strict_matches),
    }
)
"""What annotators share, by the name of its comparison."""

COMPARISONS: Mapping[str, Comparison] = MappingProxyType(
    {
        **{name: of_pairs(shares) for name, shares in SHARES.items()},
    }
)
"""Every comparison by its name."""
