"""List the comparisons of spans, by the names that the catalogue of coefficients uses.

A marking is all that an annotator marked in a document, a unit is one or several spans with a
label, and a place is a position in a document, such as a character or a token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.data.marked.coincidences import BINARY, MEETINGS, VALUES
from iaa_jax.data.marked.comparison import Comparison, data_of_pairs
from iaa_jax.data.marked.counts import MATCHES, Match
from iaa_jax.data.marked.disorder.figures import GammaComparison
from iaa_jax.data.marked.documents import Documents, Markings, Pairs
from iaa_jax.data.marked.segments import SIMILARITY, WINDOWS
from iaa_jax.data.marked.squared import SQUARED


class Shares(NamedTuple):
    """Functions for the numerator and the denominator of an F1.

    Attributes
    ----------
    matched : callable
        ``matched(markings, pairs)`` returns twice the number of matches (pair, label).
    marked : callable
        ``marked(markings)`` returns the number of units or places in each marking (marking, label).
    """

    matched: Callable[[Markings, Pairs], Floats]
    marked: Callable[[Markings], Floats]


def by_pair(shares: Shares) -> Comparison:
    """Return the comparison whose data have the numerator and denominator of each pair."""

    def compare(documents: Documents, identified: bool) -> Floats:
        pairs, markings = documents.pairs, documents.markings
        marked = shares.marked(markings)
        matched, marked = (
            shares.matched(markings, pairs),
            marked[pairs.first] + marked[pairs.second],
        )
        return data_of_pairs(documents, np.stack([matched, marked], axis=1), identified)

    return Comparison(compare)


def f1(match: Match, *, repeated: bool = False) -> Shares:
    """Return the `Shares` of an F1; duplicates within a marking count once, unless ``repeated``."""

    def counted(markings: Markings) -> Markings:
        return markings if repeated else markings.distinct

    return Shares(
        lambda markings, pairs: 2 * match.matched(counted(markings), pairs),
        lambda markings: match.marked(counted(markings)),
    )


def gain(more: Shares, less: Shares) -> Shares:
    """Return the `Shares` of the difference between the F1 of a lenient and of a strict match."""
    return Shares(
        lambda markings, pairs: more.matched(markings, pairs) - less.matched(markings, pairs),
        less.marked,
    )


SHARES: Mapping[str, Shares] = MappingProxyType(
    {
        **{name: f1(match) for name, match in MATCHES.items()},
        **{f"{name} multiset": f1(match, repeated=True) for name, match in MATCHES.items()},
        **{
            f"partial_gain{suffix}": gain(
                *(f1(MATCHES[match], repeated=bool(suffix)) for match in ("partial", "strict"))
            )
            for suffix in ("", " multiset")
        },
    }
)
"""The `Shares` of each F1, by the name of its comparison."""

COMPARISONS: Mapping[str, Comparison] = MappingProxyType(
    {
        **{name: by_pair(shares) for name, shares in SHARES.items()},
        "squared": SQUARED,
        "values": VALUES,
        "binary": BINARY,
        "meetings": MEETINGS,
        "gamma": GammaComparison().as_comparison(),
        "boundaries": SIMILARITY,
        **WINDOWS,
    }
)
