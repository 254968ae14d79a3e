"""Weighs evidence on the roles of a table's columns: items, annotators, labels, a consensus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.io.layout.sample import SCALE, SampledColumn, distinct, side_by_side

DENSE = 1_000_000  # maximum number of possible pairs of values; beyond it, an approximation is used
PAIR = 2  # minimum number of ratings, or of columns, that can be compared
SURE = 3.0  # number of standard errors at which a difference counts as certain
ROUNDED = 0.0051  # maximum rounding error of a mean
SPLIT = 3  # minimum number of rows with disagreement from which a consensus, or means, are inferred
MOST_LABELS = 60  # maximum number of labels for which a consensus is sought
FAINT = 0.1  # columns with a clearly smaller alpha are taken for different questions
APART = 0.2  # minimum difference between alpha within one question and alpha of all columns
ODDS = 20.0  # a column with higher odds of being a consensus is not taken for an annotator


def share_of_pairs(one: Integers, other: Integers) -> tuple[float, float]:
    """Return the number of distinct pairs per row, and the share of values of ``one`` in several.

    Rows with an empty cell do not count.

    Examples
    --------
    >>> share_of_pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))
    (0.75, 0.5)
    """
    both = (one >= 0) & (other >= 0)
    if not both.any():
        return 0.0, 0.0
    key = one[both].astype(np.int64) * (int(other.max()) + 1) + other[both]
    pairs = distinct(key)
    times = np.bincount(pairs // (int(other.max()) + 1))
    return len(pairs) / int(both.sum()), float((times > 1).sum() / (times > 0).sum())


def design(one: Integers, other: Integers) -> float:
    """Return how far the number of repeated pairs lies below chance, in standard errors.

    Items and annotators have few repeated pairs, because nobody rates an item twice. Pairs of other
    columns repeat as often as the frequencies of their values imply.

    Examples
    --------
    >>> grid = np.repeat(np.arange(5), 5), np.tile(np.arange(5), 5)
    >>> bool(design(*grid) > 2)
    True
    """
    both = (one >= 0) & (other >= 0)
    one, other = one[both].astype(np.int64), other[both].astype(np.int64)
    total = len(one)
    if total == 0:
        return 0.0
    first, second = np.bincount(one), np.bincount(other)
    if len(first) * len(second) <= DENSE:
        seen = -np.expm1(-np.outer(first, second) / total)
        expected = total - float(seen.sum())
    else:
        expected = float((first / total) @ first) * float((second / total) @ second) / 2
    repeated = total - len(distinct(one * len(second) + other))
    return float((expected - repeated) / np.sqrt(max(expected, 1.0)))


def follows(one: Integers, other: Integers) -> bool:
    """Tell whether each value of ``one`` has a single value of ``other``, and some values recur.

    Examples
    --------
    >>> (
    ...     follows(np.array([0, 0, 1]), np.array([5, 5, 6])),
    ...     follows(np.array([0, 0]), np.array([1, 2])),
    ... )
    (True, False)
    """
    known = one >= 0
    one, other = one[known], other[known] + 1
    size = int(one.max(initial=-1)) + 1
    number = len(distinct(one))
    pairs = len(distinct(one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other))
    return size > 0 and number < len(one) and pairs == number


def agreement(groups: Integers, cells: SampledColumn) -> tuple[float, float]:
    """Return alpha of a column within groups of rows, and its ratio to its standard error.

    Alpha is Krippendorff's: of ranks if the column has many distinct numbers, otherwise nominal.
    The standard error assumes chance agreement.
    """
    return agreement_of(
        groups, cells.values(), cells.numbers is not None and cells.distinct > SCALE
    )


def agreement_of(groups: Integers, values: Floats, ranked: bool) -> tuple[float, float]:
    """Return alpha of values within groups, and its ratio to its standard error under chance."""
    known = (groups >= 0) & ~np.isnan(values)
    groups, values = groups[known], values[known]
    size = np.bincount(groups)
    is_shared = size[groups] > 1
    groups, values = groups[is_shared], values[is_shared]
    total = len(values)
    if total < 2:
        return float("nan"), 0.0
    size = np.bincount(groups).astype(np.float64)
    weight = np.where(size > 1, 1 / np.maximum(size - 1, 1), 0)
    if ranked:
        _, place, times = np.unique(values, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(times) - (times - 1) / 2)[place]
        sums = np.bincount(groups, ranks)
        squares = np.bincount(groups, ranks**2)
        within = (2 * (size * squares - sums**2) * weight).sum() / total
        expected = 2 * ranks.var() * total / (total - 1)
    else:
        _, codes = np.unique(values, return_inverse=True)
        labels = int(codes.max()) + 1
        key, times = np.unique(groups.astype(np.int64) * labels + codes, return_counts=True)
        alike = np.bincount(key // labels, times.astype(np.float64) ** 2, minlength=len(size))
        within = ((size**2 - alike) * weight).sum() / total
        share = np.bincount(codes) / total
        expected = (1 - (share**2).sum()) * total / (total - 1)
    if expected <= 0:
        return float("nan"), 0.0
    alpha = float(1 - within / expected)
    return alpha, float(alpha * np.sqrt((size - 1).clip(0).sum()))


def is_faint(alpha: float, further: int) -> bool:
    """Tell whether alpha is below `FAINT` by more than chance.

    ``further`` is the number of ratings, without the first of each item.

    Examples
    --------
    >>> is_faint(0.0, 400), is_faint(0.0, 40), is_faint(-0.9, 40)
    (True, False, True)
    """
    error = max(1, further) ** -0.5
    return bool(alpha + (error if error < FAINT else SURE * error) < FAINT)


def agreement_beside(columns: Sequence[SampledColumn]) -> tuple[float, float]:
    """Return alpha among columns taken as annotators, and its ratio to its standard error.

    For numbers, alpha is the larger of nominal alpha and alpha of ranks.
    """
    rows, values, _ = stacked(columns)
    numbers = all(column.numbers is not None for column in columns)
    return max(agreement_of(rows, values, ranked) for ranked in {False, numbers})


def stacked(columns: Sequence[SampledColumn]) -> tuple[Integers, Floats, bool]:
    """Return the row and value of each cell of columns, and whether the values form a scale."""
    rows = np.tile(np.arange(len(columns[0].codes)), len(columns))
    if all(column.numbers is not None for column in columns):
        values = np.concatenate([column.values() for column in columns])
        return rows, values, len(np.unique(values[~np.isnan(values)])) > SCALE
    codes = side_by_side(columns).ravel()
    return rows, np.where(codes < 0, np.nan, codes), False


def is_mean(column: SampledColumn, others: Sequence[SampledColumn]) -> bool:
    """Tell whether a column surely holds the rounded means of the others; text is disregarded."""
    grid = np.array([other.numbers_alone for other in others])
    grid = np.where(np.isfinite(grid), grid, np.nan)
    numbers = column.numbers_alone
    known = np.isfinite(numbers) & (~np.isnan(grid)).any(axis=0)
    grid, numbers = grid[:, known], numbers[known]
    if not grid.shape[1]:
        return False
    differ = np.nanmax(grid, axis=0) > np.nanmin(grid, axis=0)
    near = np.abs(np.nanmean(grid, axis=0) - numbers) <= max(ROUNDED, _step(numbers))
    return bool(differ.sum() >= SPLIT and near.all() and (numbers[differ] % 1 != 0).any())


def _step(values: Floats) -> float:
    """Return the maximum rounding error of numbers with at most one decimal, otherwise 0."""
    return 0.0501 if np.allclose(values * 10, np.round(values * 10)) else 0.0


def odds_of_consensus(own: Integers, times: Integers, *, may_follow: bool = True) -> float:
    """Return the odds that a column is a consensus of the others rather than a further annotator.

    ``own`` has the label of each row (-1 if empty). ``times``, of shape (label, row), is the number
    of other columns with this label. A consensus either is filled only in rows where the others
    differ, or, if ``may_follow``, always has their majority label. An annotator has the majority
    label only as often as others do. A column that is empty in most rows in which the others differ
    is no consensus.
    """
    complete = times.sum(axis=0) >= PAIR
    own, times = own[complete], times[:, complete]
    if not times.size:
        return 0.0
    differ = (times > 0).sum(axis=0) > 1
    if 2 * (own[differ] >= 0).sum() < differ.sum():
        return 0.0
    if (own >= 0).any() and (own < 0).any() and not (own[~differ] >= 0).any():
        share = float(differ.mean())
        return share ** -float((own >= 0).sum()) if 0 < share < 1 else 0.0
    if not may_follow:
        return 0.0
    best, mode = times.max(axis=0), times.argmax(axis=0)
    clear = differ & ((times == best).sum(axis=0) == 1) & (own >= 0)
    agreed = (own >= 0) & ~differ
    if clear.sum() < SPLIT or (own != mode)[clear | agreed].any():
        return 0.0
    as_most = best[clear].sum() / times[:, clear].sum()
    return float(as_most ** -float(clear.sum()))


def groups_of_labels(labels_of: Mapping[str, Set[object]]) -> list[list[str]]:
    """Group columns that share labels, directly or through others, the largest group first.

    Numbers with fractions are seldom equal, so all columns with fractions form one group.

    Examples
    --------
    >>> groups_of_labels({"a": {1, 2}, "b": {"x"}, "c": {2, 3}, "d": {3}})
    [['a', 'c', 'd'], ['b']]
    """
    group_of = {name: name for name in labels_of}

    def first_of(name: str) -> str:
        while group_of[name] != name:
            group_of[name] = name = group_of[group_of[name]]
        return name

    first_with: dict[object, str] = {}
    for name, labels in labels_of.items():
        for label in labels:
            other = first_with.setdefault(float if _is_fraction(label) else label, name)
            first, second = first_of(other), first_of(name)
            group_of[second] = first
    groups: dict[str, list[str]] = {}
    for name in labels_of:
        groups.setdefault(first_of(name), []).append(name)
    return sorted(groups.values(), key=len, reverse=True)


def _is_fraction(label: object) -> bool:
    return isinstance(label, float) and label % 1 != 0
