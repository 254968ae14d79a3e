"""Advice on files that may not fit in memory, given before they are read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from iaa_jax.wording import named

_TABLES = {".parquet", ".pq", ".csv", ".tsv", ".tab", ".psv", ".txt", ".dat"}
_CGROUP = Path("/sys/fs/cgroup")


def advice_on(files: Sequence[str]) -> str:
    """Return advice on tables larger than the free memory; "" if they fit."""
    size = sum(map(_size, files))
    free = free_memory()
    if not size > free:
        return ""
    return (
        f"the files hold {_gigabytes(size)}, and {_gigabytes(free)} of memory are free: if that "
        f"does not suffice, {named('scan')} counts items with the same ratings together, in little "
        "memory"
    )


def free_memory() -> float:
    """Return the available memory in bytes; infinite if unknown."""
    free = [float("inf")]
    with suppress(OSError, ValueError, IndexError):  # Linux
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
        (available,) = (line.split()[1] for line in lines if line.startswith("MemAvailable:"))
        free.append(1024.0 * int(available))
    with suppress(OSError, ValueError):  # a container may have less memory
        limit, used = (
            int((_CGROUP / f"memory.{name}").read_text(encoding="utf-8"))
            for name in ("max", "current")
        )
        free.append(float(limit - used))
    return min(free)


def _size(file: str) -> int:
    path = Path(file)
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    if not suffixes or suffixes[-1].lower() not in _TABLES:
        return 0
    with suppress(OSError):
        return os.stat(path).st_size
    return 0


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:,.1f} GB"
