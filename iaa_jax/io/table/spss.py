"""Data sets of SPSS (.sav, .zsav) as tables, which pyreadstat reads in a process of its own.

It is compiled code without a guard against damaged files: of 2,000 some end the process that reads
them. So that is another one, with a limit on its memory and its time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.head import Head, Progress
from iaa_jax.io.table.parquet import ParquetTable
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.stored import StoredValues

_READER = Path(__file__).with_name("spss_reader.py")
_SECONDS = 120


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    return _values(source).head(source)


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> ParquetTable:
    """Read the wanted columns."""
    return _values(source).table(source, wanted, progress)


def _values(source: Source) -> StoredValues:
    return source.once("spss", lambda: _read(source))


def _read(source: Source) -> StoredValues:
    if find_spec("pyreadstat") is None:
        msg = (
            f"{source}: files of SPSS are read with pyreadstat: pip install 'iaa_jax[stats]', or "
            "save it as CSV or for Stata (File > Save as)"
        )
        raise IaaError(msg)
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(_READER)],
            input=source.raw(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        msg = f"{source} is not read as a file of SPSS within {_SECONDS} seconds"
        raise IaaError(msg) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split()) or "it is damaged"
        msg = f"{source} cannot be read as a file of SPSS: {brief(reason)}"
        raise IaaError(msg)
    columns = pa.ipc.open_stream(done.stdout).read_all()
    labelled = (columns.schema.metadata or {}).get(b"labelled", b"").decode()
    return StoredValues.of(columns.to_pandas(), [name for name in labelled.split("\0") if name])
