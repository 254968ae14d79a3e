"""A page: an answer (the results in brief) and blocks. It can be shown, printed and saved."""

from __future__ import annotations

import os

import pandas as pd

from iaa_jax.pages.content import PageContent, render
from iaa_jax.wording.spelling import in_python


class Page(PageContent):
    """One result, or several that belong together, for people to read."""

    def __str__(self) -> str:
        """Return the page as a terminal shows it."""
        return render(self, "terminal")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002
        """Show the page in a notebook."""
        from iaa_jax.pages.html import fragment

        return {
            "text/plain": str(self),
            "text/markdown": render(self, "markdown"),
            "text/html": fragment(self, in_python),
        }

    def to_dataframe(self, table: str | None = None) -> pd.DataFrame:
        """Return a table of the page as a DataFrame, with all rows and the columns of CSV files.

        Parameters
        ----------
        table : str, optional
            The ``id`` of the table; the first table by default.

        Raises
        ------
        IaaError
            If the page has no such table.
        """
        import pandas as pd

        from iaa_jax.pages.csv import file_columns, table_of

        return pd.DataFrame(dict(file_columns(table_of(self, table))))

    def save(self, path: str | os.PathLike[str], table: str | None = None) -> None:
        """Write the page to a file, in the format of its ending.

        Files of ratings that were read, and decisions that people filled in, are never overwritten.

        Parameters
        ----------
        path : str or path
            Ends in ``.html``, ``.md`` or ``.tex`` (the page), ``.csv`` (a table), ``.xlsx`` (all
            tables), ``.json`` (the results), ``.png``, ``.svg`` or ``.pdf`` (the first picture); or
            a folder, for a CSV file per table. In CSV files, an apostrophe precedes what a
            spreadsheet would take for a formula, at the beginning of a text or after a comma,
            semicolon or tab within it. Different texts stay different. JSON files have all texts
            unchanged.
        table : str, optional
            The table to write to a CSV file; the first by default. If it is the sheet to fill in, a
            workbook has only this sheet and the first table.

        Raises
        ------
        IaaError
            If the ending is unknown, the page has no such part, or writing would destroy data.
        """
        from iaa_jax.pages.saving import save

        save(self, os.fspath(path), table)
