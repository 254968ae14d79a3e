"""The protocol that readers of annotation tools implement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source


class Tool(Protocol):
    """A reader of the exports of an annotation tool.

    Attributes
    ----------
    name, title : str
        The name of the format, such as "label_studio", and the tool's name in its usual spelling.
    summary : str
        Which files of the tool are read, in one line.
    known_by : str
        How these files are recognised, in one line.
    example : str
        The arguments of an example command line after "iaa"; "convert ..." if only spans are read.

    Notes
    -----
    A tool may also have a method `take`, with the signature of `choose`. If the caller names the
    format, `take` returns files that the tool reads although their content does not identify it.
    """

    name: str
    title: str
    summary: str
    known_by: str
    example: str

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the files that the tool wrote, recognised by their content; never raise."""

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Add the content of these files to the export."""
