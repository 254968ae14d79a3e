"""Readers, which turn the files of annotators and annotation tools into ratings.

``registry`` lists the readers, and ``choosing`` finds the reader of given files. ``table`` holds
readers of plain tables, ``tools`` readers of annotation tools' exports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use

if TYPE_CHECKING:
    from iaa_jax.io.reading_long import read_long
    from iaa_jax.io.reading_ratings import read
    from iaa_jax.io.reading_spans import read_spans
    from iaa_jax.io.registry import formats
else:
    __getattr__, __dir__ = on_first_use(
        __name__,
        {
            "registry": ("formats",),
            "reading_ratings": ("read",),
            "reading_long": ("read_long",),
            "reading_spans": ("read_spans",),
        },
    )

__all__ = ["formats", "read", "read_long", "read_spans"]
