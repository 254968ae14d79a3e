"""A process that reads a file of a statistics package and writes it as Arrow: see `apart`.

``python package_reader.py spss`` (or ``r``), from standard input to standard output.
"""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

_MEMORY = 4 << 30


def main(package: str) -> int:
    """The columns, and in their metadata the names of those with labels of their values."""
    import pyarrow as pa

    read = {"spss": _of_spss, "r": _of_r}[package]
    data = sys.stdin.buffer.read()
    try:
        frame, labelled = read(data)
        columns = pa.Table.from_pandas(frame, preserve_index=False)
    except Exception as error:  # whatever a damaged file makes of it
        sys.stderr.write(str(error) or type(error).__name__)
        return 1
    columns = columns.replace_schema_metadata({"labelled": "\0".join(labelled)})
    with pa.ipc.new_stream(sys.stdout.buffer, columns.schema) as stream:
        stream.write_table(columns)
    return 0


def _of_spss(data: bytes) -> tuple[pd.DataFrame, list[str]]:
    import pyreadstat

    _limit_memory()
    frame, told = pyreadstat.read_sav(io.BytesIO(data))
    return frame, [str(name) for name in frame if name in told.variable_value_labels]


def _of_r(data: bytes) -> tuple[pd.DataFrame, list[str]]:
    """A data frame, with the names of its rows as a column unless they only count."""
    import warnings

    import pandas as pd
    import rdata

    _limit_memory()
    warnings.simplefilter("ignore")  # of classes that are read as what they are made of
    known: dict[str | bytes, Any] = {
        **rdata.conversion.DEFAULT_CLASS_MAP,
        "factor": _levels,
        "ordered": _levels,
    }
    frame = rdata.read_rds(io.BytesIO(data), constructor_dict=known)
    if not isinstance(frame, pd.DataFrame):
        message = f"it holds no data frame but a {type(frame).__name__}"
        raise TypeError(message)
    names = frame.index
    frame = frame.reset_index(drop=True)
    if not pd.api.types.is_integer_dtype(names):
        frame.insert(0, "row.names", names.astype(str))
    return frame, []


def _levels(codes: Any, attributes: Mapping[str, Any]) -> Any:
    """A factor as texts: its codes count from 1, and lower ones, as some writers have, are none."""
    import numpy as np

    levels = np.array([*attributes["levels"], None], dtype=object)
    code = np.ma.filled(codes, 0)
    return levels[np.where(code > 0, code - 1, len(levels) - 1)]


def _limit_memory() -> None:
    """Of what is read from here on."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
