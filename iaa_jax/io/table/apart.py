"""Data sets that other libraries read in a process of their own, with limits on memory and time.

They are compiled code without a guard against damaged files, or unpack whatever a file says: of
2,000 damaged files of SPSS some end the process that reads them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from iaa_jax._errors import IaaError, brief
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.stored import StoredValues

_READER = Path(__file__).with_name("package_reader.py")
_SECONDS = 120


class Package(NamedTuple):
    """A statistics package, the library that reads its files, and what to do without it."""

    key: str
    title: str
    library: str
    otherwise: str


def read_apart(source: Source, package: Package) -> StoredValues:
    """The values of a file, read once, whether that works or not."""

    def tried() -> StoredValues | IaaError:
        try:
            return _read(source, package)
        except IaaError as error:
            return error

    found = source.once(package.key, tried)
    if isinstance(found, IaaError):
        raise found
    return found


def _read(source: Source, package: Package) -> StoredValues:
    of = f"file of {package.title}"
    if find_spec(package.library) is None:
        msg = (
            f"{source}: a {of} is read with {package.library}: pip install 'iaa_jax[stats]', or "
            f"{package.otherwise}"
        )
        raise IaaError(msg)
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(_READER), package.key],
            input=source.raw(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        msg = f"{source} is not read as a {of} within {_SECONDS} seconds"
        raise IaaError(msg) from None
    except OSError as error:
        msg = f"{source}: the process that reads a {of} does not begin ({brief(error)})"
        raise IaaError(msg) from None
    if done.returncode:
        reason = " ".join(done.stderr.decode("utf-8", "replace").split()) or "it is damaged"
        msg = f"{source} cannot be read as a {of}: {brief(reason)}"
        raise IaaError(msg)
    try:
        columns = pa.ipc.open_stream(done.stdout).read_all()
    except pa.ArrowInvalid:
        msg = f"{source} cannot be read as a {of}: it is damaged"
        raise IaaError(msg) from None
    told = json.loads(columns.schema.metadata[b"told"])
    return StoredValues.of(columns.to_pandas(), told["labelled"], told["declared"])
