"""Convert the cells of tables to NumPy arrays, so that different cells stay different."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Values
from iaa_jax.data.label_values import EXACT, written_number
from iaa_jax.data.tables import unmask
from iaa_jax.wording.formats import counted


def flat_column(column: pd.Series) -> Values:
    """Return a column as a NumPy array: of numbers if no value changes, otherwise of objects.

    Examples
    --------
    >>> flat_column(pd.Series([1, None], dtype="Int64"))
    array([ 1., nan])
    >>> flat_column(pd.Series([2**53 + 1, None], dtype="Int64"))
    array([9007199254740993, <NA>], dtype=object)
    """
    kind = getattr(column.dtype, "kind", "O")
    if isinstance(column.dtype, np.dtype) and kind not in "mM":
        return np.asarray(column)
    if kind in "iu":
        known = column.dropna()
        if len(known) == len(column):
            return column.to_numpy(dtype=np.int64 if kind == "i" else np.uint64)
        if not len(known) or (known.min() > -EXACT and known.max() < EXACT):
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
    if kind == "f":
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return column.astype(object).to_numpy()


def frame_cells(table: pd.DataFrame) -> Values:
    """Return the cells of a frame: as numbers if one type represents all exactly, else as objects.

    Examples
    --------
    >>> frame_cells(pd.DataFrame({"a": [2**53 + 1], "b": [0.5]}))
    array([[9007199254740993, 0.5]], dtype=object)
    """
    columns = [flat_column(table.iloc[:, k]) for k in range(table.shape[1])]
    if columns and all(column.dtype.kind in "iuf" for column in columns):
        columns = _in_one_precision(columns)
        if _hold_all(columns):
            return np.column_stack(columns)
    cells = np.empty(table.shape, dtype=object)
    for k, column in enumerate(columns):
        cells[:, k] = column
    return cells


def array_cells(table: Values | Iterable[Iterable[object]]) -> Values:
    """Return the cells of an array, or of rows that have the same length."""
    if not isinstance(table, np.ndarray):
        try:
            rows = [list(row) if not isinstance(row, (str, bytes)) else None for row in table]
        except TypeError:
            rows = [None]
        if None in rows:
            raise IaaError(
                "ratings must be a table with a row for each item and a column for each annotator"
            )
        width = len(rows[0] or []) if rows else 0
        uneven = [k for k, row in enumerate(rows) if len(row or []) != width]
        if uneven:
            raise IaaError(
                f"{counted(len(uneven), 'row')} not as long as the first ({width:,} cells): "
                f"row {shown(uneven)}; write None where an item was not rated"
            )
        # cell by cell: np.array would turn [["a", None]] and [[1, "a"]] into text
        flat = (None if cell is np.ma.masked else cell for row in rows for cell in row or [])
        table = np.fromiter(flat, dtype=object, count=len(rows) * width).reshape(len(rows), width)
    if table.ndim != 2:
        raise IaaError(f"ratings must have two dimensions, items x annotators, not {table.ndim}")
    if np.ma.isMaskedArray(table):
        return unmask(table)
    return as_objects(table) if table.dtype.kind in "mM" else table


def as_objects(times: Values) -> Values:
    """Return times as objects, because NumPy would convert them to numbers."""
    return np.asarray(pd.Series(times.ravel()).astype(object)).reshape(times.shape)


def is_missing(cell: object) -> bool:
    """Tell whether a cell is empty: None, NaN, NaT or pandas.NA."""
    return cell is None or cell is pd.NA or (pd.api.types.is_scalar(cell) and cell != cell)


def _in_one_precision(columns: Sequence[Values]) -> list[Values]:
    """Convert short floats to the decimals that they print as, if other columns have longer floats.

    The same number in two precisions is then the same label.
    """
    sizes = {column.dtype.itemsize for column in columns if column.dtype.kind == "f"}
    if len(sizes) < 2:
        return list(columns)
    longest = max(sizes)
    return [
        as_written(column)
        if column.dtype.kind == "f" and column.dtype.itemsize < longest
        else column
        for column in columns
    ]


def as_written(column: Values) -> NDArray[np.float64]:
    """Return short floats as the decimals that they print as; whole numbers are unchanged.

    Examples
    --------
    >>> as_written(np.array([0.1, np.nan, 2**60], dtype=np.float32)).tolist()
    [0.1, nan, 1.152921504606847e+18]
    """
    codes, distinct = pd.factorize(column.astype(np.float32))
    short = distinct.astype(column.dtype)
    return np.array([*map(written_number, short), np.nan])[codes]


def _hold_all(columns: Sequence[Values]) -> bool:
    if np.result_type(*columns).kind != "f":
        return True
    return all(column.dtype.kind not in "iu" or floats_hold(column) for column in columns)


def floats_hold(column: Values) -> bool:
    """Tell whether all absolute values are below 2**53, so that floats hold whole numbers exactly.

    Examples
    --------
    >>> floats_hold(np.array([1, 2**53 - 1])), floats_hold(np.array([2**53]))
    (True, False)
    """
    return int(column.min(initial=0)) > -EXACT and int(column.max(initial=0)) < EXACT
