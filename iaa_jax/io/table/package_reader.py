"""Reads a file of a statistics package in a separate process, and writes it as Arrow.

``python package_reader.py SPSS`` (or ``R``) reads standard input and writes standard output.
"""

from __future__ import annotations

import io
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

_MEMORY = 1 << 30
_FAR = 1e11  # seconds, about 3000 years
_FROM_1582 = 12_219_379_200


def main(package: str) -> int:
    """Write a data set as Arrow to standard output."""
    import pyarrow as pa

    read = {"SPSS": _read_spss, "R": _read_r}[package]
    data = sys.stdin.buffer.read()
    try:
        frame, information = read(data)
        columns = pa.Table.from_pandas(frame, preserve_index=False)
    except Exception as error:  # a damaged file may raise any error
        sys.stderr.write(str(error) or type(error).__name__)
        return 1
    columns = columns.replace_schema_metadata({"told": json.dumps(information)})
    with pa.ipc.new_stream(sys.stdout.buffer, columns.schema) as stream:
        stream.write_table(columns)
    return 0


def _read_spss(data: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
    import pyreadstat

    _limit_memory()

    def read(*, user_missing: bool) -> tuple[pd.DataFrame, Any]:
        pair: tuple[pd.DataFrame, Any] = pyreadstat.read_sav(
            io.BytesIO(data), disable_datetime_conversion=True, user_missing=user_missing
        )
        return pair

    frame, metadata = read(user_missing=True)
    declared: dict[str, list[Any]] = {}
    if metadata.missing_ranges:
        stored, frame = frame, read(user_missing=False)[0]
        for name in metadata.missing_ranges:
            cells = stored[name][frame[name].isna() & stored[name].notna()]
            declared |= {name: cells.tolist()} if len(cells) else {}
    for name, kind in metadata.original_variable_types.items():
        if re.match(r"([AEJS]?DATE|DATETIME|YMDHMS|MOYR|QYR|WKYR)", kind or ""):
            frame[name] = _dates(frame[name].to_numpy(dtype=float))
    labelled = [str(name) for name in frame if name in metadata.variable_value_labels]
    return frame, {"labelled": labelled, "declared": declared}


def _dates(seconds: Any) -> Any:
    """Return seconds since 1582 as times; unchanged if some are 3000 years or more from 1970."""
    import numpy as np

    since = seconds - _FROM_1582
    if (np.abs(since[~np.isnan(since)]) >= _FAR).any():
        return seconds
    return _times(since, {}, seconds=1)


def _read_r(data: bytes) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Read a data frame, with its row names as a column unless they are numbers."""
    import warnings

    import pandas as pd
    import rdata

    _limit_memory()
    warnings.simplefilter("ignore")  # rdata warns of classes that it reads as their base types
    known: dict[str | bytes, Any] = {
        **rdata.conversion.DEFAULT_CLASS_MAP,
        "factor": _levels,
        "ordered": _levels,
        "Date": partial(_times, seconds=86_400),
        "POSIXct": partial(_times, seconds=1),
    }
    frame = rdata.read_rds(io.BytesIO(data), constructor_dict=known)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError("it holds no data frame: saveRDS(as.data.frame(data), ...) in R writes one")
    names = frame.index
    frame = frame.reset_index(drop=True)
    if not pd.api.types.is_integer_dtype(names):
        frame.insert(0, "row.names", names.astype(str))
    return frame, {"labelled": [], "declared": {}}


def _levels(codes: Any, attributes: Mapping[str, Any]) -> Any:
    """Return a factor as text."""
    import numpy as np

    levels = np.array([*attributes["levels"], None], dtype=object)
    code = np.ma.filled(codes, 0)
    return levels[np.where(code > 0, code - 1, len(levels) - 1)]


def _times(
    numbers: Any,
    attributes: Mapping[str, Any],  # noqa: ARG001 - as rdata calls it
    *,
    seconds: int,
) -> Any:
    """Return days or seconds since 1970 as times."""
    import numpy as np

    since: Any = np.ma.filled(np.ma.asarray(numbers, dtype=float), np.nan) * seconds
    known = np.abs(since) < _FAR
    times = np.full(since.shape, np.datetime64("NaT", "us"))
    times[known] = np.rint(since[known] * 1e6).astype(np.int64).view("datetime64[us]")
    return times


def _limit_memory() -> None:
    """Limit the memory that is available from here on, if the system is Linux."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):  # the memory in use is known only on Linux
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = pages * resource.getpagesize() + _MEMORY
    resource.setrlimit(
        resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
