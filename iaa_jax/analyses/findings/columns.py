"""Columns that may explain disagreement: dates, kinds of items, and lengths of texts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.analyses.findings.causes import FEWEST
from iaa_jax.data.kind import Kind
from iaa_jax.data.provenance import columns_of_items
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.dates import columns_of_dates
from iaa_jax.measure.shared.times import Times, times_of

MOST_GROUPS = 12
"""Maximum number of a column's groups that count as kinds of items; more may be clusters."""

_LARGE, _ALONE = 0.1, 5.0
"""A group is no cluster if it has more than this share of the items, and is more than this many
times as large as the mean group: its value may mean "no document".
"""

_LONG = 20
"""Minimum median length of texts."""

_REPEATED = 0.9
"""Maximum number of distinct values per item in a column of clusters."""

_MADE = 0.1
"""A column is made from the ratings if they predict it with at most this share of chance errors."""

_LENGTHS = ("short", "medium", "long")

_LISTS = ("[]", "{}")
"""First and last characters of cells with several values."""


@dataclass(frozen=True)
class ItemGroups:
    """Groups of items with the same value in a column.

    Attributes
    ----------
    names : list of str
        The distinct values of the column, sorted.
    codes : numpy.ndarray
        The index of each item's value in ``names``; -1 if the cell is empty.
    """

    names: list[str]
    codes: Integers

    @classmethod
    def of(cls, texts: list[str]) -> ItemGroups:
        """Return groups of items by text; items with empty texts are in no group."""
        names = sorted({*texts} - {""})
        code_of = {text: code for code, text in enumerate(names)}
        return cls(names, np.array([code_of.get(text, -1) for text in texts]))

    @property
    def are_kinds(self) -> bool:
        """Whether groups are few enough to be kinds of items."""
        return 1 < len(self.names) <= MOST_GROUPS

    @property
    def that_belong_together(self) -> Integers:
        """Codes, with -1 in groups that are too large for clusters."""
        if not self.names:
            return self.codes
        number = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))
        large = number > max(_LARGE * number.sum(), _ALONE * number.mean())
        return np.where(large[self.codes], -1, self.codes)

    @property
    def clusters(self) -> Integers:
        """Index of each item's cluster; an item without one is a cluster by itself."""
        codes = self.that_belong_together
        alone = len(self.names) + np.arange(len(codes))
        return np.unique(np.where(codes < 0, alone, codes), return_inverse=True)[1]


def dates_of(ratings: Rated, by: str | None) -> Times | None:
    """Return the items' times, from the named column or the first column of dates."""
    if by is not None:
        return times_of(ratings, by, continuous=True)
    for name in columns_of_dates(ratings.dataset):
        try:
            return times_of(ratings, name, continuous=True)
        except IaaError:  # the caller did not name this column
            continue
    return None


def kinds_of_items(ratings: Rated, times: Times | None) -> dict[str, ItemGroups]:
    """Return groups of items by the values of columns, and by the lengths of texts in them.

    Columns made from the answers, such as the majority, are left out.
    """
    columns: dict[str, ItemGroups] = {}
    for name, (_, values) in ratings.along("item").items():
        if name == "item" or (times is not None and name == times.by):
            continue
        if values.dtype.kind not in "OUbiu":
            continue
        texts = ["" if _is_empty(value) else str(value) for value in values.tolist()]
        distinct = {*texts} - {""}
        if len(distinct) > max(MOST_GROUPS, len(texts) / 2):
            lengths = np.array([len(text) for text in texts])
            if np.median(lengths) >= _LONG:
                columns[f"length of {name}"] = _by_length(lengths)
        if 1 < len(distinct) <= max(MOST_GROUPS, _REPEATED * len(texts)):
            groups = ItemGroups.of(texts)
            if not _is_made(ratings, texts, groups):
                columns[name] = groups
    return columns


def key_of(ratings: Rated) -> set[str]:
    """Return the columns that identify the items."""
    return {*columns_of_items(ratings.dataset)}


def _is_made(ratings: Rated, texts: list[str], groups: ItemGroups) -> bool:
    """Return whether cells are answers or lists of answers, or follow from answers."""
    cells = [text for text in texts if text]
    if sum(text[0] + text[-1] in _LISTS for text in cells) > len(cells) / 2:
        return True
    return _are_labels(ratings, groups) or _follows(ratings.exchangeable_of_items, groups.codes)


def _are_labels(ratings: Rated, groups: ItemGroups) -> bool:
    """Return whether groups are labels that somebody gave to nearly all their items."""
    names = [*map(str, ratings.label_names.tolist())] if ratings.kind is Kind.LABELS else []
    if not {*groups.names} <= {*names}:
        return False
    inside, codes = groups.codes >= 0, ratings.codes.codes
    label = np.array([names.index(text) for text in groups.names])[groups.codes]
    has_label = np.array([(codes == code).any(axis=1) for code in range(len(names))])
    missed = (~has_label[label, np.arange(len(label))])[inside].mean()
    by_chance = 1 - has_label[:, inside].mean(axis=1)[label[inside]].mean()
    return bool(missed <= _MADE * by_chance)


def _follows(pattern: Integers, group: Integers) -> bool:
    """Return whether items with the same answers are nearly always in the same group."""
    number = np.bincount(pattern, group >= 0)
    inside = (group >= 0) & (number[pattern] > 1)
    if inside.sum() < FEWEST:
        return False
    groups = int(group.max()) + 1
    cells, count = np.unique(pattern[inside] * groups + group[inside], return_counts=True)
    largest = np.zeros(len(number))
    np.maximum.at(largest, cells // groups, count)
    unknown = inside.sum() - np.bincount(group[inside]).max()
    return bool(unknown and inside.sum() - largest.sum() <= _MADE * unknown)


def _by_length(lengths: Integers) -> ItemGroups:
    first, second = np.quantile(lengths, [1 / 3, 2 / 3])
    third = (lengths > first).astype(int) + (lengths > second)
    return ItemGroups.of([_LENGTHS[number] for number in third.tolist()])


def _is_empty(value: object) -> bool:
    return value is None or bool(value != value)
