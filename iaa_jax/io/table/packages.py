"""Reads data sets of Stata, SPSS and R as tables: values as stored, not their labels.

SPSS and R files are read in a separate process, because damaged files may crash the libraries that
read them, or exhaust the memory.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from iaa_jax._errors import IaaError, brief
from iaa_jax.data.cells import as_written
from iaa_jax.io.table.head import DeclaredMissing, FileColumns, Head, Progress
from iaa_jax.io.table.json_fields import cell_text
from iaa_jax.io.table.parquet import SAMPLE, as_texts
from iaa_jax.io.table.source import Source
from iaa_jax.wording import Note

_READER = Path(__file__).with_name("package_reader.py")
_SECONDS = 120


class _Library(NamedTuple):
    """The library that reads a format, and advice if it is missing."""

    library: str
    otherwise: str


_LIBRARIES = {
    "SPSS": _Library("pyreadstat", "save it as CSV or for Stata (File > Save as)"),
    "R": _Library("rdata", 'write it as CSV: write.csv(data, "data.csv", row.names = FALSE) in R'),
}


class _Stored(NamedTuple):
    """A data set with None for missing cells, and other information in its file.

    Attributes
    ----------
    columns : pyarrow.Table
    labelled : list of str
        The columns with value labels.
    declared : dict
        Cells that the file declares missing, by column.
    """

    columns: pa.Table
    labelled: list[str]
    declared: Mapping[str, DeclaredMissing]


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    columns, labelled, declared = _stored(source)
    if not columns.num_rows:
        raise IaaError(f"{source} has columns but no rows")
    cells = [
        [cell_text(value) or "" for value in column.to_pylist()]
        for column in columns[:SAMPLE].columns
    ]
    note = Note("read_stored_values", {"columns": labelled}) if labelled else None
    rows = [list(row) for row in zip(*cells, strict=True)]
    return Head(columns.column_names, rows, note=note, declared=declared)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read the wanted columns."""
    columns = _stored(source).columns
    if progress is not None:
        progress(columns.num_rows, columns.num_rows)
    return as_texts(source, columns.select(list(dict.fromkeys(wanted))))


def _stored(source: Source) -> _Stored:
    return source.once("stored", lambda: _read(source))


def _read(source: Source) -> _Stored:
    start = source.start(4)
    package = "SPSS" if start in (b"$FL2", b"$FL3") else "R" if source.suffix == ".rds" else "Stata"
    frame, information = _read_stata(source) if package == "Stata" else _read_apart(source, package)
    columns = pd.DataFrame({str(name): _plain(frame[name]) for name in frame})
    cells = {name: [*map(_written, values)] for name, values in information["declared"].items()}
    declared = {n: DeclaredMissing(len(each), [*dict.fromkeys(each)]) for n, each in cells.items()}
    return _Stored(
        pa.Table.from_pandas(columns, preserve_index=False), information["labelled"], declared
    )


def _read_apart(source: Source, package: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    of, (library, otherwise) = f"file of {package}", _LIBRARIES[package]
    if find_spec(library) is None:
        raise IaaError(
            f"{source}: a {of} is read with {library}: pip install 'iaa_jax[stats]', or {otherwise}"
        )
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(_READER), package],
            input=source.raw(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise IaaError(f"{source} is not read as a {of} within {_SECONDS} seconds") from None
    except OSError as error:
        raise IaaError(
            f"{source}: the process that reads a {of} does not begin ({brief(error)})"
        ) from None
    with suppress(pa.ArrowInvalid):
        if not done.returncode:
            columns = pa.ipc.open_stream(done.stdout).read_all()
            return columns.to_pandas(), json.loads(columns.schema.metadata[b"told"])
    raise IaaError(_damaged(source, package, done.stderr.decode("utf-8", "replace")))


def _read_stata(source: Source) -> tuple[pd.DataFrame, dict[str, Any]]:
    from pandas.io.stata import StataReader  # it is slow to load

    data = source.raw()

    def reader(**options: Any) -> Any:
        return StataReader(io.BytesIO(data), convert_categoricals=False, **options)

    try:
        # pandas warns of unusual names
        with warnings.catch_warnings(action="ignore"):
            plain = reader()
            frame = plain.read()
            labelled = [str(name) for name in frame if plain.value_labels().get(str(name))]
            empty = [n for n in frame if frame[n].dtype.kind == "f" and frame[n].isna().any()]
            declared: dict[str, list[str]] = {}
            for name, column in reader(convert_missing=True).read(columns=empty).items():
                # ".a" to ".z" are declared missing values, "." is an empty cell
                kinds = [str(cell) for cell in column[frame[name].isna()] if str(cell) != "."]
                declared |= {str(name): kinds} if kinds else {}
    except MemoryError:
        raise
    except Exception as error:  # a damaged file may raise any error
        raise IaaError(_damaged(source, "Stata", str(error) or type(error).__name__)) from None
    return frame, {"labelled": labelled, "declared": declared}


def _damaged(source: Source, package: str, reason: str) -> str:
    reason = " ".join(reason.split()) or "it is damaged"
    return f"{source} cannot be read as a file of {package}: {brief(reason)}"


def _written(value: object) -> str:
    return str(int(value) if isinstance(value, float) and value % 1 == 0 else value)


def _plain(column: pd.Series) -> pd.Series:
    """Return a column as integers if all are whole; 32-bit floats get their printed decimals."""
    if column.dtype.kind != "f":
        return column
    numbers = as_written(column.to_numpy()) if column.dtype == np.float32 else column.to_numpy()
    known = numbers[~np.isnan(numbers)]
    with np.errstate(invalid="ignore"):  # an infinite value has no remainder
        whole = bool((known % 1 == 0).all()) and bool((np.abs(known) < 1 << 53).all())
    return pd.Series(numbers).astype("Int64" if whole else "Float64")
