"""Where a command's results go: the terminal, and files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from iaa_jax._errors import IaaError

STANDARD_OUTPUT = "-"


def console(*, stderr: bool = False) -> Console:
    """A console that prints names from the data as they stand: no markup, no highlighting."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def check_target(target: str | None, sources: Sequence[str] = ()) -> None:
    """Refuse a file that cannot or should not be written, before the work is done for nothing."""
    if target is None or target == STANDARD_OUTPUT:
        return
    path = Path(target)
    if any(path.resolve() == Path(source).resolve() for source in sources):
        message = f"{target} holds the ratings: name another file to write to"
        raise IaaError(message)
    if path.is_dir():
        message = f"{target} is a folder; name a file to write to"
        raise IaaError(message)
    if not path.parent.is_dir():
        message = f"cannot write {target}: there is no folder {path.parent}"
        raise IaaError(message)
    if not os.access(path.parent, os.W_OK):
        message = f"cannot write {target}: the folder {path.parent} is not open to writing"
        raise IaaError(message)


def write_json(record: Mapping[str, Any], target: str) -> None:
    """Write a record as JSON to a file, or to standard output for "-"."""
    text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if target != STANDARD_OUTPUT:
        write_whole(Path(target), text.encode("utf-8", errors="backslashreplace"))
        return
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(record, indent=2, allow_nan=False) + "\n"
    sys.stdout.write(text)
    sys.stdout.flush()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is never there in part."""
    path = path.resolve()  # a link stays one: what it points to is replaced
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a device or a pipe cannot be replaced
        return
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The file's own permissions, or those that a new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
