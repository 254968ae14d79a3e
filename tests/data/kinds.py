"""Tables in every kind of structure that users hold, made of plain columns of Python values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse
import xarray as xr

BIG = 900000000000207008  # a code of SNOMED: floats do not tell it from the next one
Columns = Mapping[str, Sequence[Any]]

CONTENTS: dict[str, Columns] = {
    "codes": {
        "ann": [BIG, BIG + 1, BIG, None, BIG + 1, BIG],
        "bob": [BIG, BIG + 1, BIG + 1, BIG, BIG, None],
        "cy": [BIG + 1, BIG + 1, BIG, BIG, None, BIG],
    },
    "full codes": {
        "ann": [BIG, BIG + 1, BIG, BIG + 1],
        "bob": [BIG, BIG + 1, BIG + 1, BIG + 1],
        "cy": [BIG, BIG, BIG + 1, BIG + 1],
    },
    "whole": {"ann": [1, 2, 3, None], "bob": [1, 3, 3, 2], "cy": [None, 2, 3, 2]},
    "an empty column": {"ann": [1, 2, None], "bob": [1, 1, 2], "cy": [None, None, None]},
    "full": {"ann": [1, 2, 3, 2], "bob": [1, 3, 3, 2]},
    "halves": {"ann": [0.5, 1.0, 2.5, None], "bob": [0.5, 2.5, 2.5, 1.0]},
    "texts": {"ann": ["yes", "no", None, "no"], "bob": ["yes", "yes", "no", "no"]},
    "full texts": {"ann": ["yes", "no", "no"], "bob": ["yes", "yes", "no"]},
    "truths": {"ann": [True, False, None], "bob": [True, True, False]},
    "full truths": {"ann": [True, False, True], "bob": [True, True, False]},
}
WHOLE = ("whole", "full", "an empty column")
INTS = ("codes", "full codes", *WHOLE)
NUMBERS = (*WHOLE, "halves")
TEXTS = ("texts", "full texts")
TRUTHS = ("truths", "full truths")
ALL = (*INTS, "halves", *TEXTS, *TRUTHS)


class Kind(NamedTuple):
    """How to make it of columns, what it can hold, and whether it names its columns."""

    make: Callable[[Columns], Any]
    holds: Sequence[str] = ALL
    named: bool = True


def rows(columns: Columns) -> list[list[Any]]:
    return [list(row) for row in zip(*columns.values(), strict=True)]


def objects(columns: Columns) -> np.ndarray:
    table = np.empty((len(next(iter(columns.values()))), len(columns)), dtype=object)
    for k, column in enumerate(columns.values()):
        table[:, k] = column
    return table


def masked(columns: Columns) -> Any:
    """Gaps are masked; what stands behind the mask is a value like any other."""
    cells = objects(columns)
    gaps = np.vectorize(lambda cell: cell is None, otypes=[bool])(cells)
    cells[gaps] = cells[~gaps][0]
    return np.ma.array(np.array(cells.tolist()), mask=gaps)


def matrix(cells: Any) -> np.ndarray:
    """NumPy would do without matrices, and says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(cells)


def frame(columns: Columns) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(list(c), dtype=object) for name, c in columns.items()})


def as_type(dtype: Any) -> Callable[[Columns], pd.DataFrame]:
    return lambda columns: pd.DataFrame(
        {name: pd.array(list(column), dtype=dtype) for name, column in columns.items()}
    )


def as_arrow(kind: pa.DataType) -> Callable[[Columns], pd.DataFrame]:
    def make(columns: Columns) -> pd.DataFrame:
        arrays = {name: pa.array(list(column)).cast(kind) for name, column in columns.items()}
        return pd.DataFrame({n: pd.array(a, dtype=pd.ArrowDtype(kind)) for n, a in arrays.items()})

    return make


def as_decimals(columns: Columns) -> pd.DataFrame:
    kind = pd.ArrowDtype(pa.decimal128(20, 1))
    decimals = {
        name: [None if cell is None else Decimal(str(cell)) for cell in column]
        for name, column in columns.items()
    }
    return pd.DataFrame({name: pd.array(column, kind) for name, column in decimals.items()})


def mixed(columns: Columns) -> pd.DataFrame:
    """Columns without gaps are int64 or uint64, those with gaps Int64."""
    plain = iter([np.int64, np.uint64, np.int64])
    return pd.DataFrame(
        {
            name: pd.array(list(column), dtype="Int64")
            if None in column
            else np.array(column, dtype=next(plain))
            for name, column in columns.items()
        }
    )


def labelled(columns: Columns) -> xr.DataArray:
    cells = objects(columns)
    coords = {"annotator": list(columns)}
    return xr.DataArray(cells, dims=("item", "annotator"), coords=coords)


KINDS: dict[str, Kind] = {
    "lists": Kind(rows, named=False),
    "tuples": Kind(lambda c: tuple(map(tuple, rows(c))), named=False),
    "rows one by one": Kind(lambda c: iter(rows(c)), named=False),
    "list of arrays": Kind(lambda c: list(objects(c)), named=False),
    "list of int64 arrays": Kind(
        lambda c: list(np.array(rows(c), dtype=np.int64)), ("full", "full codes"), named=False
    ),
    "list of JAX arrays": Kind(
        lambda c: [jnp.array(row) for row in rows(c)], ("full", "full truths"), named=False
    ),
    "list of Arrow arrays": Kind(lambda c: [pa.array(row) for row in rows(c)], named=False),
    "list of polars Series": Kind(lambda c: [pl.Series(row) for row in rows(c)], named=False),
    "array of objects": Kind(objects, named=False),
    "array of int64": Kind(
        lambda c: np.array(rows(c), dtype=np.int64), ("full", "full codes"), named=False
    ),
    "array of uint64": Kind(
        lambda c: np.array(rows(c), dtype=np.uint64), ("full", "full codes"), named=False
    ),
    "array of int8": Kind(lambda c: np.array(rows(c), dtype=np.int8), ("full",), named=False),
    "array of float64": Kind(lambda c: np.array(rows(c), dtype=np.float64), NUMBERS, named=False),
    "array of float32": Kind(lambda c: np.array(rows(c), dtype=np.float32), NUMBERS, named=False),
    "array of float16": Kind(lambda c: np.array(rows(c), dtype=np.float16), NUMBERS, named=False),
    "array of long doubles": Kind(
        lambda c: np.array(rows(c), dtype=np.longdouble), NUMBERS, named=False
    ),
    "array of bool": Kind(lambda c: np.array(rows(c)), ("full truths",), named=False),
    "array of text": Kind(lambda c: np.array(rows(c)), ("full texts",), named=False),
    "array of StringDType": Kind(
        lambda c: np.array(rows(c), dtype=np.dtypes.StringDType()), ("full texts",), named=False
    ),
    "matrix": Kind(lambda c: matrix(rows(c)), ("full", "full codes"), named=False),
    "matrix of objects": Kind(lambda c: matrix(objects(c)), named=False),
    "masked array": Kind(masked, named=False),
    "masked objects": Kind(lambda c: np.ma.array(masked(c), dtype=object), named=False),
    "JAX int32": Kind(lambda c: jnp.array(rows(c)), ("full",), named=False),
    "JAX float32": Kind(
        lambda c: jnp.array(np.array(rows(c), dtype=np.float32)), NUMBERS, named=False
    ),
    "JAX bfloat16": Kind(
        lambda c: jnp.array(np.array(rows(c), dtype=np.float32), dtype=jnp.bfloat16),
        NUMBERS,
        named=False,
    ),
    "JAX bool": Kind(lambda c: jnp.array(rows(c)), ("full truths",), named=False),
    "DataFrame of objects": Kind(frame),
    "DataFrame as pandas makes it": Kind(
        lambda c: pd.DataFrame(dict(c)), [name for name in ALL if name != "codes"]
    ),
    "DataFrame of int64": Kind(as_type("int64"), ("full", "full codes")),
    "DataFrame of several kinds": Kind(mixed, INTS),
    "DataFrame of Int64": Kind(as_type("Int64"), INTS),
    "DataFrame of UInt64": Kind(as_type("UInt64"), INTS),
    "DataFrame of Int8": Kind(as_type("Int8"), WHOLE),
    "DataFrame of Float64": Kind(as_type("Float64"), NUMBERS),
    "DataFrame of Float32": Kind(as_type("Float32"), NUMBERS),
    "DataFrame of boolean": Kind(as_type("boolean"), TRUTHS),
    "DataFrame of string": Kind(as_type("string"), TEXTS),
    "DataFrame of str": Kind(as_type("str"), ("full texts",)),  # its gaps are text in pandas 2
    "DataFrame of category": Kind(as_type("category")),
    "DataFrame of Sparse": Kind(as_type(pd.SparseDtype("int64", 1)), ("full", "full codes")),
    "DataFrame of int64[pyarrow]": Kind(as_type("int64[pyarrow]"), INTS),
    "DataFrame of uint64[pyarrow]": Kind(as_type("uint64[pyarrow]"), INTS),
    "DataFrame of double[pyarrow]": Kind(as_type("double[pyarrow]"), NUMBERS),
    "DataFrame of bool[pyarrow]": Kind(as_type("bool[pyarrow]"), TRUTHS),
    "DataFrame of string[pyarrow]": Kind(as_type("string[pyarrow]"), TEXTS),
    "DataFrame of Arrow's string": Kind(as_type(pd.ArrowDtype(pa.string())), TEXTS),
    "DataFrame of Arrow's large_string": Kind(as_type(pd.ArrowDtype(pa.large_string())), TEXTS),
    "DataFrame of Arrow's dictionary": Kind(
        as_arrow(pa.dictionary(pa.int8(), pa.string())), TEXTS
    ),
    "DataFrame of Arrow's decimal": Kind(as_decimals, (*INTS, "halves")),
    "polars DataFrame": Kind(lambda c: pl.DataFrame(dict(c))),
    "polars DataFrame of UInt64": Kind(
        lambda c: pl.DataFrame(dict(c), schema=dict.fromkeys(c, pl.UInt64)), INTS
    ),
    "polars DataFrame of Decimal": Kind(
        lambda c: pl.DataFrame(dict(c)).cast(pl.Decimal(30, 1)), (*INTS, "halves")
    ),
    "polars DataFrame of Categorical": Kind(
        lambda c: pl.DataFrame(dict(c), schema=dict.fromkeys(c, pl.Categorical)), TEXTS
    ),
    "pyarrow Table": Kind(lambda c: pa.table(dict(c))),
    "pyarrow Table in pieces": Kind(
        lambda c: pa.concat_tables(
            [pa.table(dict(c)).slice(0, 2), pa.table(dict(c)).slice(2)]
        )
    ),
    "pyarrow Table of a dictionary": Kind(
        lambda c: pa.table({n: pa.array(v).dictionary_encode() for n, v in c.items()}), TEXTS
    ),
    "pyarrow RecordBatch": Kind(lambda c: pa.RecordBatch.from_pydict(dict(c))),
    "xarray DataArray": Kind(labelled),
    "xarray DataArray, turned": Kind(lambda c: labelled(c).T),
    "xarray DataArray without names": Kind(
        lambda c: xr.DataArray(objects(c)), named=False
    ),
}  # fmt: skip
"""Tables of items x annotators that are taken."""


class Refused(NamedTuple):
    """How to make it of columns, and what its refusal says of how to go on."""

    make: Callable[[Columns], Any]
    words: str


REFUSED: dict[str, Refused] = {
    "xarray Dataset": Refused(
        lambda c: labelled(c).to_dataset("annotator"), r"\.to_dataframe\(\)|\.to_array\(\)"
    ),
    "SciPy csr_array": Refused(lambda c: scipy.sparse.csr_array(rows(c)), r"\.toarray\(\)"),
    "SciPy csr_matrix": Refused(lambda c: scipy.sparse.csr_matrix(rows(c)), r"\.toarray\(\)"),
    "SciPy coo_array": Refused(lambda c: scipy.sparse.coo_array(rows(c)), r"\.toarray\(\)"),
    "dict of lists": Refused(lambda c: {n: list(v) for n, v in c.items()}, r"pandas\.DataFrame\("),
    "dict of tuples": Refused(lambda c: dict(enumerate(map(tuple, rows(c)))), "DataFrame"),
    "list of dicts": Refused(lambda c: frame(c).to_dict("records"), r"pandas\.DataFrame\("),
    "list of Series": Refused(
        lambda c: [row for _, row in frame(c).iterrows()], r"pandas\.DataFrame\("
    ),
    "list of DataFrames": Refused(lambda c: [frame(c)[[name]] for name in c], r"pandas\.concat"),
    "Series of lists": Refused(lambda c: pd.Series(rows(c)), r"pandas\.DataFrame\("),
    "Index of tuples": Refused(lambda c: pd.Index(rows(c)), "DataFrame"),
    "polars Series of lists": Refused(lambda c: pl.Series(rows(c)), r"pandas\.DataFrame\(|table"),
    "pyarrow ChunkedArray": Refused(lambda c: pa.chunked_array([rows(c)]), "table"),
    "polars LazyFrame": Refused(lambda c: pl.LazyFrame(dict(c)), r"\.collect\(\)"),
    "structured array": Refused(
        lambda c: frame(c).astype("int64").to_records(index=False), r"pandas\.DataFrame\("
    ),
    "set of rows": Refused(lambda c: set(map(tuple, rows(c))), "list of rows"),
    "list of sets": Refused(lambda c: list(map(set, rows(c))), "list"),
    "text": Refused(lambda c: "yes", "table"),
    "list of texts": Refused(lambda c: ["yes", "no"], "table"),
    "number": Refused(lambda c: 5, "table"),
    "nothing": Refused(lambda c: None, "table"),
}
"""What is no table of items x annotators, or one that may mean two things."""
