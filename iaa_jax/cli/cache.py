"""Compiled code kept between runs of the program, through JAX's own environment variables."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

VARIABLE = "IAA_JAX_CACHE_DIR"

# by default JAX keeps only code that took a second to compile; ours takes less
_SETTINGS = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}
_TROUBLE = "Error (reading|writing) persistent compilation cache entry"


def keep_compiled() -> None:
    """Set the folder in which JAX keeps compiled code, before JAX is imported.

    By default this is a cache folder of the user. ``IAA_JAX_CACHE_DIR`` names another folder; an
    empty value turns the cache off. The user's own settings of JAX are kept. A read-only folder is
    not used.
    """
    if "JAX_COMPILATION_CACHE_DIR" in os.environ:
        return
    setting = os.environ.get(VARIABLE)
    if setting == "":
        return
    folder = Path(setting) if setting is not None else _user_folder()
    if folder is None or not _can_write(folder):
        return
    os.environ["JAX_COMPILATION_CACHE_DIR"] = str(folder)
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    # without the cache, for instance if the disk is full, the program is only slower
    warnings.filterwarnings("ignore", message=_TROUBLE)


def _user_folder() -> Path | None:
    from platformdirs import user_cache_path

    try:
        return user_cache_path("iaa_jax", appauthor=False) / "compiled"
    except RuntimeError:  # no home folder
        return None


def _can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
