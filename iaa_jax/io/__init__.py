"""Readers: from the files of annotators and annotation tools to ratings.

``registry`` has a row for each reader, ``base`` says what one is, ``reading`` chooses and runs it;
``table`` holds the readers of plain tables, ``tools`` those of annotation tools.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from iaa_jax.io.reading import read
    from iaa_jax.io.reading_long import read_long
    from iaa_jax.io.reading_spans import read_spans
    from iaa_jax.io.registry import formats

__all__ = ["formats", "read", "read_long", "read_spans"]

DUPLICATES = ("error", "first", "last", "combine", "apart")
"""What to do if an annotator rated an item twice."""

REPEATS = ("keep", "error", "first", "last")
"""What a long table does then, in which every judgement may stand."""

SKIPPED = ("missing", "category", "drop")
"""What an item counts as that an annotator skipped."""

_MODULES = {
    "formats": "registry",
    "read": "reading",
    "read_long": "reading_long",
    "read_spans": "reading_spans",
}


def __getattr__(name: str) -> object:
    """Load the functions on first use: who only asks which readers there are needs neither."""
    if name in __all__:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
