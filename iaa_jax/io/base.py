"""What a reader is, and the registry of readers.

A reader is an object with a `name`, a one-line `summary`, and the methods `can_open` and `read`.
Other packages add readers through the entry point group ``iaa_jax.readers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Protocol, cast

import xarray as xr

from iaa_jax.io.table.head import Progress
from iaa_jax.io.table.source import Source

GROUP = "iaa_jax.readers"

# The readers of this package in the order in which they are asked: name -> module and object.
BUILT_IN: dict[str, str] = {
    "long": "iaa_jax.io.table.long:READER",
    "wide": "iaa_jax.io.table.wide:READER",
    "counts": "iaa_jax.io.table.counts:READER",
    "one_hot": "iaa_jax.io.table.one_hot:READER",
    "contingency": "iaa_jax.io.table.contingency:READER",
    "transposed": "iaa_jax.io.table.transposed:READER",
}


@dataclass(frozen=True)
class Options:
    """What the caller of `read` said about the files; None where nothing was said."""

    item: str | Sequence[str] | None = None
    annotator: str | None = None
    label: str | None = None
    secondary: str | None = None
    annotators: str | Sequence[str] | None = None
    labels: Sequence[object] | None = None
    question: str | None = None
    duplicates: str = "error"
    skipped: str = "missing"
    counts: str | Sequence[str] | None = None
    one_hot: str | Sequence[str] | None = None
    multi_hot: str | Sequence[str] | None = None
    anonymous: bool = False
    separator: str | None = None
    missing: Sequence[object] | None = None
    progress: Progress | None = None

    def said(self) -> list[str]:
        """Name the options about columns that the caller gave."""
        names = (
            "item", "annotator", "label", "secondary", "annotators", "counts", "one_hot",
            "multi_hot", "anonymous", "separator",
        )  # fmt: skip
        return [name for name in names if getattr(self, name) not in (None, False)]


class Reader(Protocol):
    """Reads the files of one format."""

    name: str
    summary: str

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:
        """Tell whether the files look like this format; never raise."""

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read ratings, with the attributes `read_as` and `skipped`."""


def readers() -> Iterator[Reader]:
    """Load the readers one after the other: those of this package, then those of others."""
    for target in BUILT_IN.values():
        module, _, name = target.partition(":")
        yield cast("Reader", getattr(import_module(module), name))
    for entry in sorted(entry_points(group=GROUP)):
        reader = cast("Reader", entry.load())
        if reader.name not in BUILT_IN:
            yield reader
