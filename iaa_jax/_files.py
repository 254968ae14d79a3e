"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is never there in part."""
    with naming(str(path)):
        _write(Path(os.path.realpath(path)), content)  # a link stays one: its target is replaced


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Let errors of the system say which file they are about: a full disk names none."""
    try:
        yield
    except OSError as error:
        error.filename = file
        raise


def _write(path: Path, content: bytes) -> None:
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a device or a pipe cannot be replaced
        return
    # the name is our own: one made of the file's may be longer than the system takes
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".iaa-")
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
