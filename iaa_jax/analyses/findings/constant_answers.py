"""Find annotators who always give the same answer, and report them as a group."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import betaln

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings

_SEVERAL = 3
"""Minimum number of annotators in a group."""


def one_answer(ratings: LongRatings, sure: float) -> Iterator[Cause]:
    """Find annotators who always give one answer, although the others do not on these items.

    Of the annotators named, less than the share ``sure`` is expected to be named by chance
    (Benjamini and Hochberg 1995).
    """
    tested, constant, p_value = _by_chance(ratings)
    order = np.argsort(p_value, kind="stable")
    limits = sure * np.arange(1, len(order) + 1) / max(len(tested), 1)
    below = np.flatnonzero(p_value[order] <= limits)
    named = constant[order[: below[-1] + 1]] if len(below) else constant[:0]
    if len(named) < _SEVERAL:
        return
    rows = np.flatnonzero(np.isin(ratings.annotator, named))
    codes = np.unique(ratings.code[rows])
    yield Cause(
        "one_answer",
        float(p_value[order[below[-1]]] * len(tested) / len(named)),
        float(ratings.times[rows].sum()),
        label=int(codes[0]) if ratings.are_labels and len(codes) == 1 else -1,
        rows=rows,
        annotators=tuple(named.tolist()),
        values={"annotators": float(len(named)), "of_annotators": float(len(tested))},
    )


def _by_chance(ratings: LongRatings) -> tuple[Integers, Integers, Floats]:
    """Return tested annotators, annotators who always gave one answer, and p-values of the latter.

    The p-value is the probability that all ratings have the same answer as the first. It comes from
    a beta-binomial distribution, given the others' ratings with this answer.
    """
    partners, size = np.nan_to_num(ratings.others_there), ratings.annotators
    number = ratings.by_annotator(partners > 0)
    low, high = np.full(size, ratings.codes), np.full(size, -1)
    np.minimum.at(low, ratings.annotator, ratings.code)
    np.maximum.at(high, ratings.annotator, ratings.code)
    others = ratings.by_annotator(partners)
    rating, code, share = ratings.others
    same = code == ratings.code[rating]
    rating = rating[same]
    weight = share[same] * partners[rating] * ratings.times[rating]
    alike = np.bincount(ratings.annotator[rating], weight, size)
    tested = np.flatnonzero(number >= FEWEST)
    constant = tested[low[tested] == high[tested]]
    has, has_not = alike[constant] + 1, others[constant] - alike[constant] + 1
    further = number[constant] - 1
    return tested, constant, np.exp(betaln(has + further, has_not) - betaln(has, has_not))
