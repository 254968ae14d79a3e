"""A page: the answer, and blocks below it; shown, printed and written to files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from iaa_jax.pages.blocks import Block, Facts, Picture, Table, Text
from iaa_jax.pages.commands import Commands, Repeated
from iaa_jax.pages.rendering import render
from iaa_jax.wording import Note, Words
from iaa_jax.wording.spelling import in_python

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True)
class Page:
    """One result, or several that belong together, for people to read.

    Attributes
    ----------
    title : str or Note
        What it is about.
    answer : sequence of Note
        The result in short, from its conclusion.
    blocks : sequence of blocks
        In the order in which they are read.
    words : mapping
        The template of each code that the notes use; those that its analysis has for all its pages
        are added by `iaa_jax.page`.
    results : mapping
        The Datasets that the page is made from, by their names in JSON.
    commands : Commands
        What it knows of the commands that it advises.
    sections : mapping
        Pages that stand below it, by their names in files: a page with any is a report.
    """

    title: Text
    answer: Sequence[Note]
    blocks: Sequence[Block]
    words: Words = field(default_factory=dict)
    results: Mapping[str, xr.Dataset] = field(default_factory=dict)
    commands: Commands = field(default_factory=Commands)
    sections: Mapping[str, Page] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        """Its tables, the main one first; those of sections have ids that begin with theirs."""
        own = [block for block in self.blocks if isinstance(block, Table)]
        below = [
            table if table.id == name else replace(table, id=f"{name}_{table.id}")
            for name, section in self.sections.items()
            for table in section.tables
        ]
        return [*own, *below]

    @property
    def pictures(self) -> list[Picture]:
        """Its pictures."""
        own = [block for block in self.blocks if isinstance(block, Picture)]
        return [*own, *(each for section in self.sections.values() for each in section.pictures)]

    @property
    def brief(self) -> Page:
        """What a terminal shows of it: of a report the answer, and how the ratings were read."""
        if not self.sections:
            return self
        # an answer that asks for the level has the levels behind it
        shown = [b for b in self.blocks if isinstance(b, Facts) or getattr(b, "id", "") == "levels"]
        return replace(self, blocks=shown, sections={})

    def repeating(self, repeated: Repeated) -> Page:
        """The page, whose commands repeat what was said of the files."""
        below = {name: section.repeating(repeated) for name, section in self.sections.items()}
        commands = replace(self.commands, repeated=repeated)
        return replace(self, commands=commands, sections=below)

    def __str__(self) -> str:
        """The page as a terminal shows it."""
        return render(self, "terminal")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """The page in a notebook."""
        bundle = {"text/plain": str(self), "text/markdown": render(self, "markdown")}
        if find_spec("jinja2") is not None:
            from iaa_jax.pages.html import fragment

            bundle["text/html"] = fragment(self, in_python)
        return bundle

    def to_dataframe(self, table: str | None = None) -> pd.DataFrame:
        """A table of the page as a pandas DataFrame, with all rows, and columns as in CSV files.

        Parameters
        ----------
        table : str, optional
            Which table, by its ``id``; the first by default.

        Raises
        ------
        IaaError
            If the page has no such table.
        """
        import pandas as pd

        from iaa_jax.pages.csv import file_columns, table_of

        return pd.DataFrame(dict(file_columns(table_of(self, table))))

    def save(self, path: str | os.PathLike[str], table: str | None = None) -> None:
        """Write the page to a file, in the form that its ending names.

        Neither files that its results were read from nor sheets that people filled in are replaced.

        Parameters
        ----------
        path : str or path
            Ends in ``.html``, ``.md`` or ``.tex`` (the page), ``.csv`` (a table), ``.json`` (the
            results), ``.png``, ``.svg`` or ``.pdf`` (the picture); or a folder, for a CSV file per
            table. In CSV files an apostrophe stands before what a spreadsheet would take for a
            formula, also after a comma, semicolon or tab in a text, and texts that differ stay
            different; JSON has all texts as they are.
        table : str, optional
            Which table to write to a CSV file; the first by default.

        Raises
        ------
        IaaError
            If the ending is unknown, the page has no such part, or something would be lost.
        """
        from iaa_jax.pages.saving import save

        save(self, os.fspath(path), table)
