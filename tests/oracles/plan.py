"""The variance of an item by its ratings, by loops over all sets of ratings.

Hoeffding, W. (1948). A class of statistics with asymptotically normal distribution. Annals of
Mathematical Statistics 19(3), 293-325. doi:10.1214/aoms/1177730196.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def percent_agreement(ratings: Sequence[object]) -> float:
    """The share of an item's pairs of ratings that are the same."""
    pairs = list(combinations(ratings, 2))
    return sum(one == other for one, other in pairs) / len(pairs)


def subset_variance(rows: Sequence[Sequence[object]], ratings: int) -> float:
    """V of percent agreement with so many ratings per item: all subsets, each item n - 1 free."""
    by_item = [[percent_agreement(subset) for subset in combinations(row, ratings)] for row in rows]
    mean = sum(sum(one) / len(one) for one in by_item) / len(by_item)
    squares = sum(sum((x - mean) ** 2 for x in one) / len(one) for one in by_item)
    return squares / (len(by_item) - 1)


def two_label_variance(shares: Sequence[float], ratings: int) -> float:
    """V of percent agreement where item i takes label 1 with chance p_i, all items as likely.

    From the moments of the pairs: the variance of a mean over pairs of ratings of which 2, 1 or 0
    are shared.
    """
    m = ratings
    n = len(shares)
    same = [p * p + (1 - p) ** 2 for p in shares]
    triple = [p**3 + (1 - p) ** 3 for p in shares]  # two pairs that share a rating both agree
    mean = sum(same) / n
    both = mean
    one = sum(triple) / n
    none = sum(s * s for s in same) / n
    expected = (2 * both + 4 * (m - 2) * one + (m - 2) * (m - 3) * none) / (m * (m - 1))
    return expected - mean * mean
