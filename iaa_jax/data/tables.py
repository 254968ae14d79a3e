"""Convert the tables of users to pandas and NumPy, before a constructor reads them.

Objects that are not tables, or are ambiguous, are refused with a suggestion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set as AbstractSet
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import xarray as xr

from iaa_jax._errors import IaaError, brief
from iaa_jax._types import Values
from iaa_jax.data.label_values import EXACT
from iaa_jax.data.usual_names import ANNOTATOR, ITEM, usual_name

TableLike = pd.DataFrame | xr.DataArray | Values | Iterable[Iterable[object]]
"""The type of a user's table: a frame of pandas, polars or Arrow, an array, or rows of cells."""

FrameLike = pd.DataFrame | Mapping[str, Iterable[object]] | Iterable[Mapping[str, object]]
"""The type of a user's table with named columns: a frame, columns, or rows as mappings."""


def as_table(table: object) -> Any:
    """Convert a table to a DataFrame, an array or a list of rows.

    An object without rows is returned unchanged, for the caller to refuse.

    Examples
    --------
    >>> import pyarrow
    >>> as_table(pyarrow.table({"ann": [1, None], "bob": [1, 2]}))["ann"].tolist()
    [1, <NA>]
    """
    if isinstance(table, pd.DataFrame):
        return _with_categories(table)
    if isinstance(table, np.ndarray):
        return _plain_array(table)
    if isinstance(table, xr.DataArray):
        return _from_data_array(table)
    _refuse(table)
    if is_arrow(table):
        return _from_arrow(table)
    if hasattr(table, "__array__"):
        return _plain_array(_as_array(table))
    if hasattr(table, "to_pandas"):
        return as_table(table.to_pandas())
    if isinstance(table, Iterable) and not isinstance(table, (str, bytes)):
        return [_row(row) for row in table]
    return table


def as_frame(frame: object) -> pd.DataFrame:
    """Convert a table whose columns have names to a DataFrame, for `from_long`.

    Examples
    --------
    >>> as_frame({"item": [9007199254740993, None], "label": ["x", "y"]})["item"].tolist()
    [9007199254740993, <NA>]
    """
    if isinstance(frame, xr.DataArray):
        raise IaaError(
            "a DataArray is no table with a row for each rating: give "
            "array.to_dataframe('label').reset_index(), or the array itself to from_wide"
        )
    if isinstance(frame, Mapping) and not isinstance(frame, xr.Dataset):
        return _framed({name: _column(cells) for name, cells in frame.items()})
    _refuse(frame)
    if isinstance(frame, pd.DataFrame):
        return _with_categories(frame)
    if is_arrow(frame):
        return _from_arrow(frame)
    if hasattr(frame, "to_pandas"):
        return as_frame(frame.to_pandas())
    if hasattr(frame, "__array__") and not isinstance(frame, (np.ndarray, pd.Series)):
        frame = _as_array(frame)
    return _framed(list(frame) if isinstance(frame, Iterator) else frame)


def unmask(array: Values) -> Values:
    """Return a masked array as an array of objects, with None for masked cells."""
    cells = np.ma.getdata(array).astype(object)
    cells[np.ma.getmaskarray(array)] = None
    return np.asarray(cells)


def _framed(frame: Any) -> pd.DataFrame:
    try:
        table = _exactly(frame)
    except (TypeError, ValueError):
        raise IaaError(
            f"cannot make a table of {type(frame).__name__}: give a DataFrame or a dict of lists"
        ) from None
    return _with_categories(table)


def are_inexact(floats: pd.Series) -> bool:
    """Tell whether floats are so large that they may differ from the original whole numbers."""
    return bool((floats.abs() >= np.float64(EXACT)).any())


def _exactly(frame: Any) -> pd.DataFrame:
    try:
        table = pd.DataFrame(frame)
    except UnicodeEncodeError:  # invalid text is refused later, in a message with its position
        return pd.DataFrame(frame, dtype=object)
    # pandas turns whole numbers in a column with gaps into floats, which may change them
    floats = [place for place, dtype in enumerate(table.dtypes) if dtype.kind == "f"]
    beyond = [place for place in floats if are_inexact(table.iloc[:, place])]
    if beyond:
        exact = pd.DataFrame(frame, dtype=object)
        for place in beyond:
            table.isetitem(place, _whole_numbers(exact.iloc[:, place]))
    return table


def _whole_numbers(cells: pd.Series) -> Any:
    """Return whole numbers as integers of pandas, which allow gaps; other cells are unchanged."""
    if not all(isinstance(cell, (int, np.integer)) for cell in cells.dropna()):
        return cells
    try:
        return pd.array(cells.tolist(), dtype="Int64")
    except OverflowError:
        return cells


def _column(cells: Any) -> Any:
    if isinstance(cells, np.ma.MaskedArray):
        whole = cells.dtype.kind in "iu"
        data = np.ma.getdata(cells), np.ma.getmaskarray(cells)
        return pd.arrays.IntegerArray(*data) if whole else unmask(cells)
    if isinstance(cells, (np.ndarray, pd.Series, pd.Index, str, bytes)):
        return cells
    if is_arrow(cells):
        arrow = cells.to_arrow() if hasattr(cells, "to_arrow") else cells
        return _from_arrow(pa.table({"column": arrow}))["column"].array
    if hasattr(cells, "__array__") and not isinstance(cells, pd.api.extensions.ExtensionArray):
        return _as_array(cells)
    return list(cells) if isinstance(cells, Iterator) else cells


def _with_categories(frame: pd.DataFrame) -> pd.DataFrame:
    coded = [
        place
        for place, dtype in enumerate(frame.dtypes)
        if isinstance(dtype, pd.ArrowDtype) and pa.types.is_dictionary(dtype.pyarrow_dtype)
    ]
    if not coded:
        return frame
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    for place in coded:
        cells = pa.chunked_array(pa.array(columns[place].array))
        columns[place] = pd.Series(cells.to_pandas().array, frame.index)
    return pd.concat(columns, axis=1, keys=range(len(columns))).set_axis(frame.columns, axis=1)


def _plain_array(array: Values) -> Values:
    """Return a NumPy array without special types: matrices and unusual floats are converted."""
    if array.dtype.names is not None:
        raise IaaError("a structured array has columns of its own: give pandas.DataFrame(array)")
    if isinstance(array, np.matrix):
        array = np.asarray(array)
    # JAX's floats of two bytes, and the long doubles of some machines
    if array.dtype.kind == "V" or (array.dtype.kind == "f" and array.dtype.itemsize > 8):
        return _cast(array)
    return array


def _cast(array: Values) -> Values:
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise IaaError(
            f"cells of the type {array.dtype} are neither numbers nor text: convert them"
        ) from None


def _as_array(table: Any) -> Values:
    try:
        return np.asarray(table)
    except Exception as error:  # conversions may raise anything
        raise IaaError(
            f"a {_kind(table)} cannot be converted to an array of NumPy ({brief(str(error))}): "
            "convert it first"
        ) from None


def _from_data_array(array: xr.DataArray) -> Any:
    """Return a DataArray with coordinates as a frame of items x annotators, others as an array.

    The usual names of dimensions show which dimension holds the items; by default, the first does.
    """
    dims = [str(name) for name in array.dims]
    if len(dims) != 2:
        return _plain_array(array.values)
    if usual_name(dims, ANNOTATOR) == dims[0] or usual_name(dims, ITEM) == dims[1]:
        array = array.T
    if not any(name in array.indexes for name in array.dims):
        return _plain_array(array.values)
    items, annotators = (array.get_index(name) for name in array.dims)
    if array.dims[1] not in array.indexes:
        annotators = pd.Index([f"annotator {number}" for number in range(1, len(annotators) + 1)])
    return pd.DataFrame(array.values, index=items, columns=annotators)


def is_arrow(table: object) -> bool:
    """Tell whether an object offers its data as Arrow, and is no Series or Index of pandas."""
    methods = ("__arrow_c_stream__", "__arrow_c_array__", "to_arrow")
    return not isinstance(table, (pd.Series, pd.Index)) and any(hasattr(table, w) for w in methods)


def _from_arrow(table: Any) -> pd.DataFrame:
    """Return a table of Arrow or polars as a frame; whole numbers stay whole in spite of gaps."""
    try:
        # polars converts its text in a way that pandas understands
        arrow = pa.table(table.to_arrow() if hasattr(table, "to_arrow") else table)
        fields = [field.with_type(_signed(field.type)) for field in arrow.schema]
        cast = arrow.cast(pa.schema(fields, arrow.schema.metadata))
        frame: pd.DataFrame = cast.to_pandas(types_mapper=_kept_type)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise IaaError(
            f"a {_kind(table)} is no table with a row for each item and a column for each "
            f"annotator that pandas can hold ({brief(str(error))}): give such a table, as "
            "pandas.DataFrame(...)"
        ) from None
    return frame


def _signed(kind: pa.DataType) -> pa.DataType:
    """Return a type whose categories have signed codes: some versions of Arrow refuse others."""
    if not pa.types.is_dictionary(kind) or pa.types.is_signed_integer(kind.index_type):
        return kind
    return pa.dictionary(pa.int64(), kind.value_type, kind.ordered)


def _kept_type(kind: pa.DataType) -> pd.ArrowDtype | None:
    return pd.ArrowDtype(kind) if pa.types.is_integer(kind) else None


def _row(row: Any) -> Any:
    if isinstance(row, (list, tuple, str, bytes, np.ndarray)):
        return row
    for kind, refusal in _ROWS:
        if isinstance(row, kind):
            raise IaaError(refusal)
    if is_arrow(row):
        return row.to_pylist() if hasattr(row, "to_pylist") else list(row)
    return _as_array(row) if hasattr(row, "__array__") else row


_ROWS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (
        (Mapping, pd.Series),
        "the cells of a row have names: give pandas.DataFrame(rows), whose columns are the "
        "annotators",
    ),
    (
        (pd.DataFrame, xr.Dataset),
        "a list of tables is no table: join them by pandas.concat(tables, axis=1) if each has the "
        "ratings of some annotators, and pandas.concat(tables) if each has some items",
    ),
    (AbstractSet, "a set has no order that tells annotators apart: give a list of its cells"),
)


def _refuse(table: object) -> None:
    for is_such, refusal in _REFUSALS:
        if is_such(table):
            raise IaaError(f"a {_kind(table)} {refusal}")


def _kind(table: object) -> str:
    """Return the library and the type of an object, as in "polars LazyFrame"."""
    library = type(table).__module__.split(".")[0]
    name = type(table).__name__
    return name if library == "builtins" else f"{library} {name}"


_REFUSALS: tuple[tuple[Callable[[object], bool], str], ...] = (
    (
        lambda table: isinstance(table, xr.Dataset) and "task" in table.attrs,
        "with a task holds ratings already: give it to the functions of ratings",
    ),
    (
        lambda table: isinstance(table, xr.Dataset),
        "holds several tables: give one variable of it, or a DataFrame made by "
        "dataset.to_dataframe(), with .reset_index() where a row is a rating",
    ),
    (
        lambda table: hasattr(table, "toarray") and hasattr(table, "nnz"),
        "does not distinguish 0 from an empty cell: give table.toarray() if cells that are not "
        "stored are 0",
    ),
    (
        lambda table: hasattr(table, "__dask_graph__"),
        "is not computed yet: give table.compute(), or give rows of ratings to from_dask",
    ),
    (
        lambda table: hasattr(table, "collect"),
        "is not computed yet: give table.collect()",
    ),
    (
        lambda table: isinstance(table, (pd.Series, pd.Index)),
        "is one column: give a table, which for a column of lists is "
        "pandas.DataFrame(column.tolist(), column.index)",
    ),
    (
        lambda table: isinstance(table, Mapping),
        "has keys that may be annotators or items: give pandas.DataFrame(table) if they are "
        "annotators, and pandas.DataFrame.from_dict(table, orient='index') if they are items",
    ),
    (
        lambda table: isinstance(table, AbstractSet),
        "has no order, and keeps only one of equal rows: give a list of rows",
    ),
)
