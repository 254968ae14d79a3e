"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from errno import EACCES, EISDIR
from pathlib import Path

PROJECT = "iaa.toml"
"""The options of a project, beside its data."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is never there in part."""
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files: all of them, or none where one cannot be written.

    Each goes through a temporary one beside it; these take their places when all are there.
    """
    ready: list[tuple[str, Path]] = []
    try:
        for path, content in contents.items():
            with naming(str(path)):
                place = Path(os.path.realpath(path))  # a link stays one: its target is replaced
                if place.is_dir():
                    raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
                if is_protected(place):
                    raise PermissionError(EACCES, "it is write-protected", str(path))
                if not place.exists() or place.is_file():  # no device, and no pipe
                    _prepare(place, content, ready)
        for temporary, place in ready:
            with naming(str(place)):
                os.replace(temporary, place)
        for path, content in contents.items():
            if path.exists() and not path.is_file():
                with naming(str(path)):
                    path.write_bytes(content)  # what cannot be replaced
    finally:
        for temporary, _ in ready:
            Path(temporary).unlink(missing_ok=True)


def is_protected(path: Path) -> bool:
    """Whether nobody may write to a file, which could be replaced nonetheless."""
    return path.is_file() and not path.stat().st_mode & 0o222


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Let errors of the system say which file they are about: a full disk names none."""
    try:
        yield
    except OSError as error:
        error.filename = file
        raise


def _prepare(path: Path, content: bytes, ready: list[tuple[str, Path]]) -> None:
    """Write a temporary file beside a place, which it is ready to take."""
    # the name is our own: one made of the file's may be longer than the system takes
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".iaa-")
    ready.append((temporary, path))
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(temporary, _mode(path))


def _mode(path: Path) -> int:
    """The file's own permissions, or those that a new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
