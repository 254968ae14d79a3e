"""Keep further columns of a table, such as texts, batches, times or teams, as coordinates.

A column becomes a coordinate along items if each item has one value, otherwise along annotators if
each annotator has one value, otherwise along items and annotators, with a value for each rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr
from pandas.api.types import is_hashable

from iaa_jax._checks import check_names
from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.cells import flat_column
from iaa_jax.data.coordinates import lay_out
from iaa_jax.data.label_values import text_of
from iaa_jax.data.labels import Where
from iaa_jax.data.storage import CODING, STORAGES, further_votes
from iaa_jax.wording import named

_NONE = np.zeros(0, dtype=np.intp)

RESERVED = ("item", "annotator", "label", "slot", *STORAGES, "item_weight", "annotator_of", CODING)
"""Names of variables of ratings Datasets, which a kept column must not have."""

Valued = tuple[Integers, Values]
"""A column as the code of each row's value (-1: empty), and the distinct values."""


@dataclass(frozen=True)
class Belonging:
    """The items and annotators that the rows of a table belong to, as positions along these axes.

    Attributes
    ----------
    items, annotators : array (row,), optional
        The item of each row, and the annotator of each row; -1 for none. An array is None if a row
        can
    belong to several. ratings : arrays (rating,)
        Row, item and annotator of each rating; empty if rows hold several ratings.
    """

    items: Integers | None = None
    annotators: Integers | None = None
    ratings: tuple[Integers, Integers, Integers] = (_NONE, _NONE, _NONE)

    @classmethod
    def one_an_item(cls, rows: Integers, count: int) -> Belonging:
        """Return the object for a table of ``count`` rows, if item i is in row ``rows[i]``."""
        items = np.full(count, -1, dtype=np.int64)
        items[rows] = np.arange(len(rows))
        return cls(items)


def wanted_columns(
    keep: str | Sequence[str] | None,
    known: Sequence[str],
    names: Sequence[str] = (),
    labels: Sequence[str | None] = (),
) -> list[str]:
    """Return the columns of a frame to keep; columns of labels and reserved names are refused.

    ``known`` are all columns, and ``labels`` the columns of labels. ``names`` are the columns of
    item or annotator names. If such a column has a reserved name, it is left out without an error.
    If there are ``labels``, "*" stands for all columns except labels and reserved names.
    """
    if keep is None:
        return []
    if isinstance(keep, str) and keep == "*" and labels:
        return [name for name in known if name not in {*labels, *RESERVED}]
    check_names("keep", keep)
    for name in (keep,) if isinstance(keep, str) else keep:
        if name in labels:
            raise IaaError(
                f"column {name!r} holds labels, which cannot be kept as well: within groups of "
                "ratings with the same label, agreement is perfect by construction"
            )
        if name in RESERVED and name in known and name not in names:
            raise IaaError(
                f"the column {name!r} cannot be kept under its name, which a variable of ratings "
                "has; rename it"
            )
    kept = [keep] if isinstance(keep, str) else list(dict.fromkeys(keep))
    return [name for name in kept if name not in RESERVED or name not in names]


def with_kept(
    ratings: xr.Dataset, table: pd.DataFrame, names: Sequence[str], rows: Belonging, where: Where
) -> xr.Dataset:
    """Return ratings with further columns of their source table as coordinates."""
    return ratings.assign_coords(
        {name: coordinate(ratings, name, _valued(table[name]), rows, where) for name in names}
    )


def _valued(column: pd.Series) -> Valued:
    cells = pd.Series(flat_column(column))
    if getattr(column.dtype, "kind", "O") == "M" and isinstance(column.dtype, np.dtype):
        cells = column
    if not all(map(is_hashable, cells)):  # lists and the like
        cells = cells.map(str).where(cells.notna())
    codes, values = pd.factorize(cells)
    if values.dtype.kind in "iufM":
        return codes, np.asarray(values)
    texts = np.empty(len(values), dtype=object)
    texts[:] = [text_of(value) for value in values]
    empty = np.append(texts == "", False)  # the last is for codes below 0
    return np.where(empty[codes], -1, codes), texts


def coordinate(
    ratings: xr.Dataset, name: str, column: Valued, rows: Belonging, where: Where
) -> tuple[str | tuple[str, str], Values]:
    """Return a column as a coordinate: its dimensions, and its values along them.

    ``where`` describes a row in messages.
    """
    codes, values = column
    for axis, positions in (("item", rows.items), ("annotator", rows.annotators)):
        if positions is not None:
            one_each = _one_each(positions, codes, ratings.sizes[axis])
            if one_each is not None:
                return axis, spread(one_each, values)
    # the column describes neither items nor annotators, so it has a value for each rating
    of_rows, items, annotators = rows.ratings
    if further_votes(ratings) is None:
        key = items.astype(np.int64) * ratings.sizes["annotator"] + annotators
        places = pd.Series(np.arange(len(key)))
        first = places.groupby(key, sort=False).transform("first").to_numpy()
        different = np.flatnonzero(codes[of_rows] != codes[of_rows[first]])
        if different.size:
            row, before = of_rows[different[0]], of_rows[first[different[0]]]
            raise IaaError(
                f"the rows of a label set differ in the column {name!r}, such as {where(row)} and "
                f"{where(before)}: it cannot be kept with this value of {named('duplicates')}"
            )
    return lay_out(ratings, items, annotators, spread(codes[of_rows], values))


def _one_each(positions: Integers, codes: Integers, count: int) -> Integers | None:
    """Return the value code of each position (-1: none); None if a position has several values."""
    rows = np.flatnonzero((positions >= 0) & (codes >= 0))
    values = np.full(count, -1, dtype=np.int64)
    values[positions[rows[::-1]]] = codes[rows[::-1]]  # written backwards: the first row stays
    return values if np.array_equal(values[positions[rows]], codes[rows]) else None


def spread(codes: Integers, values: Values) -> Values:
    """Return the values that codes stand for; a missing value is "", NaN or NaT."""
    if values.dtype == object:
        return np.append(values, "")[codes]
    if values.dtype.kind == "M":
        return np.append(values, np.datetime64("NaT"))[codes]
    if (codes < 0).any():
        return np.append(values.astype(np.float64), math.nan)[codes]
    return values[codes]
