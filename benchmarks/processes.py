"""Python processes of the package's source tree, and what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
CHILDREN = Path(__file__).parent / "children"

GIGABYTE = 10**9


def environment(cache: Path | None = None) -> dict[str, str]:
    """The variables of a child; without a folder for the cache, nothing compiled is kept.

    Bytecode is, as that of an installed package.
    """
    others = ("JAX_COMP", "PYTHONDONTWRITEBYTECODE")
    cleared = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    path = os.pathsep.join(part for part in (str(ROOT), os.environ.get("PYTHONPATH")) if part)
    setting = "" if cache is None else str(cache)
    return {**cleared, "PYTHONPATH": path, "IAA_JAX_CACHE_DIR": setting}


def wall(arguments: list[str], cache: Path | None = None) -> float:
    """Wall seconds of a Python process."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment(cache),
    )
    return time.perf_counter() - start


def printed(
    child: str, *arguments: object, cache: Path | None = None, python: str = sys.executable
) -> Any:
    """What a child script prints as JSON."""
    found = subprocess.run(
        [python, str(CHILDREN / child), *map(str, arguments)],
        check=True,
        stdout=subprocess.PIPE,
        env=environment(cache),
    )
    return json.loads(found.stdout)


def guarded(limit: int, *command: str, cache: Path | None = None) -> Mapping[str, Any]:
    """Seconds and peak memory of a Python process that is ended above ``limit`` bytes."""
    return printed("guard.py", limit, *command, cache=cache)
