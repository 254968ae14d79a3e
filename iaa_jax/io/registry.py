"""Which readers there are, in a row each: those of tables and of annotation tools alike.

A row is the name of a format and where its reader is found. It is all that plugs a reader in: from
it come `iaa_jax.formats`, the choices of ``--format``, and the files that `iaa_jax.read` takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from iaa_jax.io.base import Reader

GROUP = "iaa_jax.readers"
"""The entry points through which other packages add readers."""

READERS: dict[str, str] = {
    "long": "iaa_jax.io.table.long:READER",
    "wide": "iaa_jax.io.table.wide:READER",
    "counts": "iaa_jax.io.table.counts:READER",
    "one_hot": "iaa_jax.io.table.one_hot:READER",
    "contingency": "iaa_jax.io.table.contingency:READER",
    "transposed": "iaa_jax.io.table.transposed:READER",
}
"""The readers of this package, in the order in which they are asked whether they know a file.

Tools go before tables: they know their files by marks that no table has.
"""


def readers() -> Iterator[Reader]:
    """Load the readers one after the other: those of this package, then those of others."""
    for target in READERS.values():
        module, _, name = target.partition(":")
        yield cast("Reader", getattr(import_module(module), name))
    for entry in sorted(entry_points(group=GROUP)):
        reader = cast("Reader", entry.load())
        if reader.name not in READERS:
            yield reader
