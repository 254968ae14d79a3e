"""Find annotators whose ratings are the same as another annotator's, and may be copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import SURE, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, Mask

_FEWEST, _TELLING = 50, 15
"""Minimum number of shared items of copies, and of shared items with unusual answers."""

_MOST_PAIRS = 1 << 25
"""Maximum number of pairs of ratings (about 1 GB)."""


def same_ratings(ratings: LongRatings, names: Sequence[str]) -> Iterator[Cause]:
    """Find groups of annotators who give the same ratings on all shared items.

    Items on which both give their most frequent answers do not count. On the other items, two
    annotators who did not copy are expected to agree as often as they agree with further
    annotators, or as the further annotators agree with one another, whichever is more often. The
    test needs at least two further annotators. The ``rows`` of a cause are the copies' ratings in
    this group and in all groups before it.
    """
    size = ratings.annotators
    first, second, times, same, tells = _pairs_of_ratings(ratings)
    if not len(first):
        return
    key, pair = np.unique(first * size + second, return_inverse=True)
    shared, telling, alike, different = (
        np.bincount(pair, times * values).astype(np.float64)
        for values in (np.ones(len(pair)), tells, tells & same, ~same)
    )
    suspected = (different == 0) & (telling >= _TELLING) & (shared >= _FEWEST)
    if not suspected.any():
        return
    ends = np.stack([key // size, key % size])
    group = _groups(size, ends[:, suspected], ends[:, different > 0])
    twice = np.empty(0, dtype=np.intp)
    for number_of_group in np.unique(group[ends[0, suspected]]):
        members = group == number_of_group
        inside = members[ends].sum(axis=0)
        of_further = [
            (alike[pairs].sum() + 1) / (telling[pairs].sum() + 1)
            if telling[pairs].sum()
            else np.nan
            for pairs in (~suspected & (inside == number) for number in (0, 1))
        ]
        fewest = telling[suspected & (inside == 2)].min()
        p_value = len(key) * max(of_further) ** fewest if np.isfinite(of_further).all() else 1.0
        if p_value < SURE:
            kept, *copies = np.flatnonzero(members).tolist()
            twice = np.concatenate([twice, _given_twice(ratings, np.flatnonzero(members))])
            yield Cause(
                "same_ratings",
                float(p_value),
                float(fewest),
                annotator=kept,
                group=", ".join(names[copy] for copy in copies),
                rows=twice,
                annotators=(kept, *copies),
            )


def _groups(size: int, same: Integers, different: Integers) -> Integers:
    """Join the pairs in ``same``, unless a group would then hold a pair in ``different``."""
    group = np.arange(size)
    for one, other in same.T:
        joined = np.isin(group, group[[one, other]])
        if not joined[different].all(axis=0).any():
            group[joined] = group[one]
    return group


def _pairs_of_ratings(
    ratings: LongRatings,
) -> tuple[Integers, Integers, Floats, Mask, Mask]:
    """Return pairs of ratings: annotators, weights, and which are equal or unusual.

    A pair is unusual if one of its ratings is not the most frequent answer of its annotator.
    """
    order = np.lexsort((ratings.annotator, ratings.item))
    item, who, code = (each[order] for each in (ratings.item, ratings.annotator, ratings.code))
    length = np.bincount(item)
    if float((length * (length - 1.0)).sum()) / 2 > _MOST_PAIRS:
        length = np.zeros(1, dtype=np.int64)
    usual = np.zeros(ratings.annotators, dtype=np.int64)
    keys, count = np.unique(who * ratings.codes + code, return_counts=True)
    rising = np.argsort(count, kind="stable")
    usual[keys[rising] // ratings.codes] = keys[rising] % ratings.codes
    telling = code != usual[who]
    left, right = [], []
    for offset in range(1, int(length.max(initial=0))):
        position = np.flatnonzero(item[offset:] == item[:-offset])
        left.append(position)
        right.append(position + offset)
    one, other = (np.concatenate([np.empty(0, np.intp), *part]) for part in (left, right))
    times = ratings.weight[item[one]]
    return who[one], who[other], times, code[one] == code[other], telling[one] | telling[other]


def _given_twice(ratings: LongRatings, members: Integers) -> Integers:
    """Return ratings of items that an earlier annotator of the group rated."""
    own = np.flatnonzero(np.isin(ratings.annotator, members))
    order = own[np.lexsort((ratings.annotator[own], ratings.item[own]))]
    again = np.append(False, ratings.item[order][1:] == ratings.item[order][:-1])
    return np.sort(order[again[: len(order)]])
