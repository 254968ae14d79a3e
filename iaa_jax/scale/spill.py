"""The folder for what does not fit into memory, and those of runs that were killed.

A library installs no handlers of signals, and nothing is heard of a SIGKILL. So a run holds a lock
on its folder, which ends with its process however that ends, and the next run removes the folders
that nobody holds.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: folders of killed runs stay
    fcntl = None  # type: ignore[assignment]

PREFIX, LOCK = "iaa_scan_", "lock"

_NEW = 60.0
"""Seconds within which the lock of a new folder may not be held yet."""


@contextmanager
def spill_folder() -> Iterator[str]:
    """A folder that is removed at the end, and locked until then."""
    remove_left()
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder,
        open(Path(folder, LOCK), "wb") as lock,
    ):
        _take(lock)
        yield folder


def remove_left() -> None:
    """Remove the folders of one's own runs that ended without removing them."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            is_old = time.time() - status.st_mtime > _NEW
            if status.st_uid != os.getuid() or not is_old or folder.is_symlink():
                continue
            with open(folder / LOCK, "r+b") as lock:
                if _take(lock):
                    shutil.rmtree(folder, ignore_errors=True)


def _take(lock: IO[bytes]) -> bool:
    """Whether a lock was free, which is held from now on."""
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held by another run, or not to be had in this file system
        return False
    return True
