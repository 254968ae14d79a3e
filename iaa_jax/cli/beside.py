"""Columns of the files beside the ratings: texts, batches, kinds of annotators."""

from __future__ import annotations

import math
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from iaa_jax._errors import IaaError, shown
from iaa_jax.cli.reading import Reading

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.io.table.tables import Tables

Values = np.ndarray[Any, np.dtype[Any]]


def with_columns(
    ratings: xr.Dataset,
    reading: Reading,
    names: Sequence[str],
    of_ratings: bool = False,
) -> xr.Dataset:
    """Add columns of the files to the ratings as coordinates.

    A column with one value an item goes along ``item``; else one with one value an annotator goes
    along ``annotator``. Columns that the ratings have as coordinates already are left as they are.
    ``of_ratings`` takes one that differs by rating along both.
    """
    wanted = [name for name in dict.fromkeys(names) if name not in ratings.coords]
    if not wanted:
        return ratings
    raters = {str(name) for name in ratings["annotator"].values.tolist()}
    own = [name for name in wanted if name in raters]
    if own and str(ratings.attrs.get("read_as", "")).startswith("wide"):
        message = (
            f"column {own[0]!r} holds the ratings of an annotator: items grouped by a rating agree "
            "on it by the grouping itself; name a column that describes items"
        )
        raise IaaError(message)
    from iaa_jax.io.files import STANDARD_INPUT, sources

    for file in reading.files:
        if file == STANDARD_INPUT or not stat.S_ISREG(Path(file).stat().st_mode):
            message = f"{file} is a pipe, which cannot be read twice: name a file to keep columns"
            raise IaaError(message)
    from iaa_jax.io.table.opening import head
    from iaa_jax.io.table.tables import tables

    with ExitStack() as stack:
        files, _ = sources(
            list(reading.files),
            stack,
            file_pattern=reading.file_pattern,
            encoding=reading.encoding,
            records=reading.records,
        )
        found_names = head(files[0]).names
        who = _annotator_column(reading, found_names)
        ids = list(_item_columns(reading, found_names))
        needed = {name for group in ids for name in group} | ({who} if who else set())
        columns = [*dict.fromkeys([*wanted, *sorted(needed - set(wanted))])]
        found = tables(files, columns, "--keep, --text or --by", None)
        items = _item_of_rows(ratings, found, ids)
        annotators = None if who is None else _places(found, who, ratings["annotator"].values)
        added: dict[str, Any] = {}
        for name in wanted:
            cells = _cells(found, name)
            along, clash = _along(items, cells, ratings["item"].values)
            axis = "item"
            if along is None and annotators is not None:
                along, other = _along(annotators, cells, ratings["annotator"].values)
                axis, clash = "annotator", f"item {clash}, and annotator {other}"
            elif along is None:
                clash = f"item {clash}"
            if along is None and annotators is not None and of_ratings:
                added[name] = _of_ratings(ratings, items, annotators, cells)
                continue
            if along is None:
                message = (
                    f"column {name!r} describes ratings, and cannot be kept beside items or "
                    f"annotators: {clash}"
                )
                raise IaaError(message)
            added[name] = (axis, along)
    return ratings.assign_coords(added)


def _annotator_column(reading: Reading, names: Sequence[str]) -> str | None:
    from iaa_jax.io.table.columns import ANNOTATOR, usual

    if reading.anonymous or reading.annotators is not None:
        return None
    return reading.annotator or usual(names, ANNOTATOR)


def _item_columns(reading: Reading, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """What may name the items, the likeliest first; no column stands for the row's number."""
    from iaa_jax.io.table.columns import ITEM, split, usual

    if reading.item is not None:
        item = reading.item[0] if len(reading.item) == 1 else list(reading.item)
        yield split(item, names)
        return
    taken = {reading.annotator, reading.label, *(reading.annotators or ())}
    best = usual([name for name in names if name not in taken], ITEM)
    if best is not None:
        yield (best,)
    if names[0] not in taken and names[0] != best:
        yield (names[0],)
    yield ()


def _item_of_rows(ratings: xr.Dataset, found: Tables, ids: Sequence[tuple[str, ...]]) -> Values:
    """The place of each row's item, -1 for none; the columns under which every item is found."""
    known = ratings["item"].values.tolist()
    for columns in ids:
        if columns:
            codes, names = found.items(columns)
            place = {str(name): position for position, name in enumerate(known)}
            lookup = [place.get(str(name), -1) for name in np.asarray(names).tolist()]
            of_row = np.array([*lookup, -1], dtype=np.intp)[np.asarray(codes)]
        elif len(known) == found.rows:
            of_row = np.arange(found.rows)
        else:
            continue
        if len(np.unique(of_row[of_row >= 0])) == len(known):
            return of_row
    message = (
        f"cannot tell which columns name the items {shown(known, 3)}: give --item to keep columns "
        "beside them"
    )
    raise IaaError(message)


def _places(found: Tables, column: str, names: Values) -> Values:
    place = {str(name): position for position, name in enumerate(names.tolist())}
    cells = _cells(found, column)
    return np.array([place.get(str(cell), -1) for cell in cells.tolist()], dtype=np.intp)


def _cells(found: Tables, name: str) -> Values:
    """The cells of a column, as numbers where all are; empty ones are "" (NaN among numbers)."""
    from iaa_jax.io.table.cells import BLANK

    codes, distinct = found.column(name, BLANK)
    numbers = [_number(cell) for cell in distinct]
    plain: Values
    if distinct and None not in numbers:
        plain = np.array([*numbers, math.nan], dtype=np.float64)
        whole = bool((np.asarray(codes) >= 0).all()) and bool((plain[:-1] % 1 == 0).all())
        return plain[codes].astype(np.int64) if whole else plain[codes]
    plain = np.array([*map(str, distinct), ""], dtype=object)
    return plain[codes]


def _number(cell: object) -> float | None:
    text = str(cell)
    try:
        number = float(text)
    except ValueError:
        return None
    # "007" and "1_000" are names
    plain = text.lstrip("+-")
    written = plain[:1] != "0" or plain in ("0",) or plain.startswith("0.")
    return number if math.isfinite(number) and written and "_" not in text else None


def _along(places: Values, cells: Values, names: Values) -> tuple[Values | None, str]:
    """One value a place, the first that is there; None and an example where there are several."""
    numbers = cells.dtype.kind in "if"
    told = (places >= 0) & (~np.isnan(cells) if numbers else cells != "")
    rows = np.flatnonzero(told)
    first = np.full(len(names), -1, dtype=np.intp)
    first[places[rows[::-1]]] = rows[::-1]
    apart = rows[cells[first[places[rows]]] != cells[rows]]
    if len(apart):
        place = places[apart[0]]
        one, other = (
            cells[row].item() if numbers else cells[row] for row in (first[place], apart[0])
        )
        return None, f"{names.tolist()[place]!r} has {one!r} and {other!r}"
    if (first < 0).any():
        empty = math.nan if numbers else ""
        cells = np.append(cells.astype(np.float64) if numbers else cells, empty)
    return cells[first], ""


def _of_ratings(
    ratings: xr.Dataset, items: Values, annotators: Values, cells: Values
) -> tuple[tuple[str, str], Values]:
    """A value for each rating, empty where there is none."""
    held = (items >= 0) & (annotators >= 0)
    items, places, axis = items[held], annotators[held], "annotator"
    if "annotator_of" in ratings:
        axis = "slot"
        places = (ratings["annotator_of"].values[items] == places[:, None]).argmax(axis=1)
    numbers = cells.dtype.kind in "if"
    shape = (ratings.sizes["item"], ratings.sizes[axis])
    values = np.full(shape, math.nan) if numbers else np.full(shape, "", dtype=object)
    values[items, places] = cells[held]
    return ("item", axis), values
