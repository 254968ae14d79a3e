"""What a reader of an annotation tool is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from iaa_jax.io.export.judgements import Export
from iaa_jax.io.table.source import Source


class Tool(Protocol):
    """Reads what an annotation tool exports.

    Attributes
    ----------
    name, title : str
        The format, as in "label_studio", and the tool as people write it.
    summary : str
        Which of its files are read, in a line.
    known_by : str
        How these are recognised, in a line.
    example : str
        What a command line may look like, after "iaa": "convert ..." where all is spans.

    Notes
    -----
    A tool may have a method `take` like `choose`, for files without its marks that are its own if
    the caller says so by the format.
    """

    name: str
    title: str
    summary: str
    known_by: str
    example: str

    def choose(self, sources: Sequence[Source]) -> Sequence[Source]:
        """The files that the tool wrote, by their content; never raise."""

    def read(self, sources: Sequence[Source], export: Export) -> None:
        """Add what stands in these files."""
