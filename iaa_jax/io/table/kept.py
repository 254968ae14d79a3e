"""Keeps further columns of the files as coordinates of the ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.kept_columns import RESERVED, Belonging, coordinate
from iaa_jax.data.labels import EXACT
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import BLANK, Rows, names as as_names
from iaa_jax.io.table.columns import check_columns, split_names
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.states import notes_on_states


def kept_columns(
    source: Source, options: Options, roles: Mapping[str, Sequence[str | None]], way_out: str = ""
) -> list[str]:
    """Return the columns to keep, except those that ratings have anyway.

    ``roles`` has columns by role: "item", "annotator", or the reason why its columns cannot be
    kept, such as "holds the ratings of an annotator". ``way_out`` is advice at the end of the
    error.
    """
    bearers = {name: role for role in reversed(list(roles)) for name in roles[role]}
    if options.keeps_all:
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
                f"column {name!r} {bearer}, which cannot be kept or grouped by as well: "
                "ratings grouped by themselves agree because of the grouping; name a column that "
                f"describes items or annotators{way_out}"
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
    """Return ratings with columns of their table as coordinates.

    ``states`` are columns that may mark ratings as rejected; notes on such ratings are added.
    """
    if not (names or states):
        return ratings
    belonging = rows()
    if states and len(belonging.ratings[0]):
        notes = notes_on_states(ratings, table, states, belonging.ratings[0])
        ratings = add_notes(ratings, (), (), notes)
    return ratings.assign_coords(
        {
            name: coordinate(
                ratings, name, valued(*table.column(name, BLANK)), belonging, table.where
            )
            for name in names
        }
    )


def valued(codes: Integers, cells: Sequence[object]) -> tuple[Integers, Values]:
    """Return codes and values: numbers if all cells are numbers, otherwise text."""
    numbers = [_number(str(cell)) for cell in cells]
    if not numbers or None in numbers:
        return as_names((codes, [str(cell) for cell in cells]))
    values, same = np.unique(np.array(numbers, dtype=np.float64), return_inverse=True)
    are_whole = (values % 1 == 0).all()
    return np.append(same, -1)[codes], values.astype(np.int64) if are_whole else values


def _number(text: str) -> float | None:
    """Return the number in a text; None for "007", "1_000" and numbers that floats may round."""
    figures = text.lstrip("+-")
    if "_" in text or (figures.startswith("0") and figures != "0" and figures[1:2] != "."):
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if abs(number) < EXACT else None
