"""Columns that findings ask about: dates, kinds of items, the length of a text."""

from __future__ import annotations

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Values
from iaa_jax.analyses.findings.items import MOST_GROUPS
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.dates import holds_dates
from iaa_jax.measure.shared.times import Times, times_of

_LONG = 20
"""Characters from which values of a column that hardly repeat are texts."""

_LENGTHS = ("short", "medium", "long")


def dates_of(ratings: Rated, by: str | None) -> Times | None:
    """The times of the items by the column that is named, or by one that holds dates."""
    if by is not None:
        return times_of(ratings, by, continuous=True)
    for name, coordinate in ratings.dataset.coords.items():
        of_items = coordinate.dims[:1] == ("item",) and coordinate.ndim <= 2 and name != "item"
        if not of_items or not holds_dates(str(name), coordinate.values):
            continue
        try:
            return times_of(ratings, str(name), continuous=True)
        except IaaError:  # nobody named it: dates that cannot be read are no dates
            continue
    return None


def kinds_of_items(ratings: Rated, times: Times | None) -> dict[str, Values]:
    """The columns of items that name groups of them, and the lengths of their texts."""
    columns: dict[str, Values] = {}
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
        elif len(distinct) > 1:
            columns[name] = np.array(texts, dtype=object)
    return columns


def _by_length(lengths: Values) -> Values:
    number = lengths.astype(np.float64)
    first, second = np.quantile(number, [1 / 3, 2 / 3])
    place = (number > first).astype(int) + (number > second)
    named: Values = np.array(_LENGTHS, dtype=object)[place]
    return named


def _is_empty(value: object) -> bool:
    return value is None or bool(value != value)
