"""Further columns of the files, kept beside the ratings: texts, batches, times, teams.

A column goes along the axis that it describes: items where each has one value, else annotators
where each has one, else the ratings themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.coordinates import lay_out
from iaa_jax.data.labels import EXACT
from iaa_jax.data.storage import CODING, STORAGES, further_votes
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import BLANK, Rows, names as as_names
from iaa_jax.io.table.columns import check_columns, split_names
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.states import notes_on_states
from iaa_jax.wording import named

_NONE = np.zeros(0, dtype=np.intp)

RESERVED = ("item", "annotator", "label", "slot", *STORAGES, "item_weight", "annotator_of", CODING)
"""What ratings have of their own."""


@dataclass(frozen=True)
class Belonging:
    """Of which item and annotator the rows of a table are, as places along these axes.

    Attributes
    ----------
    items, annotators : array (row,), optional
        -1 for none; None where rows are not of one item, or nobody knows of whom they are.
    ratings : arrays (rating,)
        Row, item and annotator of each rating; none where a row holds several.
    """

    items: Integers | None = None
    annotators: Integers | None = None
    ratings: tuple[Integers, Integers, Integers] = (_NONE, _NONE, _NONE)

    @classmethod
    def one_an_item(cls, rows: Integers, count: int) -> Belonging:
        """Of a table of so many rows, some of which are the items in their order."""
        items = np.full(count, -1, dtype=np.int64)
        items[rows] = np.arange(len(rows))
        return cls(items)


def kept_columns(
    source: Source, options: Options, roles: Mapping[str, Sequence[str | None]], way_out: str = ""
) -> list[str]:
    """The columns to keep, but for those that ratings have anyway.

    ``roles`` are the columns of "item" and "annotator", which give ratings these coordinates, and
    those that hold the ratings, by what a message says of them; ``way_out`` is what else to do.
    """
    bearers = {name: role for role in reversed(list(roles)) for name in roles[role]}
    if options.keeps_all:
        # of an item of several columns each describes it
        parts = {*roles.get("item", ())} if len({*roles.get("item", ())}) > 1 else set()
        others = [
            name for name in head(source).names if name and (name not in bearers or name in parts)
        ]
        return [name for name in dict.fromkeys(others) if name not in RESERVED]
    if not options.keep:
        return []
    wanted = list(dict.fromkeys(split_names(options.keep, head(source).names)))
    check_columns(source, head(source).names, wanted)
    names = []
    for name in wanted:
        if name in ("item", "annotator") and list(roles.get(name, ())) == [name]:
            continue
        bearer = bearers.get(name, "item")
        if bearer not in ("item", "annotator"):
            raise IaaError(
                f"column {name!r} {bearer}, and these cannot be kept or grouped by as well: groups "
                "by a rating agree by the grouping itself; name a column that describes items or "
                f"annotators{way_out}"
            )
        if name in RESERVED:
            raise IaaError(
                f"{source}: the column {name!r} cannot be kept under its name, which ratings use "
                "themselves; rename it in the file"
            )
        names.append(name)
    return names


def add_columns(
    ratings: xr.Dataset,
    table: Rows,
    names: Sequence[str],
    rows: Callable[[], Belonging],
    states: Sequence[str] = (),
) -> xr.Dataset:
    """Ratings with columns of their table as coordinates.

    And with notes on what columns of ``states`` say of them.
    """
    if not (names or states):
        return ratings
    belonging = rows()
    if states and len(belonging.ratings[0]):
        notes = notes_on_states(ratings, table, states, belonging.ratings[0])
        ratings = add_notes(ratings, (), (), notes)
    return ratings.assign_coords(
        {name: _coordinate(ratings, table, name, belonging) for name in names}
    )


def _coordinate(
    ratings: xr.Dataset, table: Rows, name: str, rows: Belonging
) -> tuple[str | tuple[str, str], Values]:
    codes, values = valued(*table.column(name, BLANK))
    for axis, positions in (("item", rows.items), ("annotator", rows.annotators)):
        if positions is not None:
            one_each = _one_each(positions, codes, ratings.sizes[axis])
            if one_each is not None:
                return axis, spread(one_each, values)
    # rows of one item or one annotator each have got a value each

    of_rows, items, annotators = rows.ratings
    if further_votes(ratings) is None:
        key = items.astype(np.int64) * ratings.sizes["annotator"] + annotators
        places = pd.Series(np.arange(len(key)))
        first = places.groupby(key, sort=False).transform("first").to_numpy()
        different = np.flatnonzero(codes[of_rows] != codes[of_rows[first]])
        if different.size:
            row, before = of_rows[different[0]], of_rows[first[different[0]]]
            raise IaaError(
                f"the rows of a set of labels differ in the column {name!r}, as {table.where(row)} "
                f"and {table.where(before)}: it cannot be kept with {named('duplicates')} as they "
                "are"
            )
    return lay_out(ratings, items, annotators, spread(codes[of_rows], values))


def valued(codes: Integers, cells: Sequence[object]) -> tuple[Integers, Values]:
    """A column by its distinct values: numbers where all cells are, else text."""
    numbers = [_number(str(cell)) for cell in cells]
    if not numbers or None in numbers:
        return as_names((codes, [str(cell) for cell in cells]))
    values, same = np.unique(np.array(numbers, dtype=np.float64), return_inverse=True)
    are_whole = (values % 1 == 0).all()
    return np.append(same, -1)[codes], values.astype(np.int64) if are_whole else values


def _number(text: str) -> float | None:
    """The number that a text spells; "007", "1_000" and what floats cannot hold are names."""
    figures = text.lstrip("+-")
    if "_" in text or (figures.startswith("0") and figures != "0" and figures[1:2] != "."):
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < EXACT else None


def _one_each(positions: Integers, codes: Integers, count: int) -> Integers | None:
    """The value of each place, -1 for none; None where one has several."""
    rows = np.flatnonzero((positions >= 0) & (codes >= 0))
    values = np.full(count, -1, dtype=np.int64)
    values[positions[rows[::-1]]] = codes[rows[::-1]]  # the last write wins: the first row
    return values if np.array_equal(values[positions[rows]], codes[rows]) else None


def spread(codes: Integers, values: Values) -> Values:
    """The values that codes stand for; "" for none, NaN among numbers."""
    if values.dtype == object:
        return np.append(values, "")[codes]
    if (codes < 0).any():
        return np.append(values.astype(np.float64), math.nan)[codes]
    return values[codes]
