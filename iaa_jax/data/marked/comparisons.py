"""Comparisons of spans, by the names that rows of the catalogue use."""

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
    """What two annotators match, and what each of them marks.

    Attributes
    ----------
    matched : callable
        From markings and pairs of them: twice what both have in common, (pair, label).
    marked : callable
        From markings: what each contains, (marking, label).
    """

    matched: Callable[[Markings, Pairs], Floats]
    marked: Callable[[Markings], Floats]


def by_pair(shares: Shares) -> Comparison:
    """The comparison that lays shares out by pair of columns."""

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
    """Shares of an F1: duplicates within a marking count once, unless ``repeated``."""

    def counted(markings: Markings) -> Markings:
        return markings if repeated else markings.distinct

    return Shares(
        lambda markings, pairs: 2 * match.matched(counted(markings), pairs),
        lambda markings: match.marked(counted(markings)),
    )


def gain(more: Shares, less: Shares) -> Shares:
    """What a lenient match adds to a strict one, on the same units."""
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
"""Shares by the name of their comparison."""

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
"""Every comparison by its name."""
