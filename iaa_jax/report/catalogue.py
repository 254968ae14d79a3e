"""The catalogue of coefficients as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from iaa_jax.report.text import put


class Entry(Protocol):
    """What is told of a coefficient."""

    @property
    def name(self) -> str:
        """Its name in options and results."""

    @property
    def title(self) -> str:
        """Its name in prose."""

    @property
    def summary(self) -> str:
        """What it is, in a sentence or two."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Further names."""

    @property
    def equation(self) -> str:
        """Its formula."""

    @property
    def range(self) -> str:
        """The values it can take."""

    @property
    def undefined(self) -> str:
        """When it has no value."""

    @property
    def source(self) -> str:
        """Where it was published."""

    @property
    def doi(self) -> str:
        """The publication's DOI."""


def print_catalogue(console: Console, entries: Iterable[Entry]) -> None:
    """Print a line or two for each coefficient.

    Parameters
    ----------
    console
        Where to print.
    entries
        Rows of the catalogue.
    """
    for entry in entries:
        aliases = f" (also {', '.join(entry.aliases)})" if entry.aliases else ""
        console.print(f"{entry.name}{aliases}")
        put(console, Padding(f"{entry.title}. {entry.summary}", (0, 0, 0, 4)))
    console.print("\nMore on one of them: iaa coefficients NAME")


def print_coefficient(console: Console, entry: Entry, facts: Mapping[str, str]) -> None:
    """Print all that the catalogue says of one coefficient.

    Parameters
    ----------
    console
        Where to print.
    entry
        Its row of the catalogue.
    facts
        Further lines: heading and text.
    """
    console.print(f"{entry.title}\n{entry.summary}\n")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("Name", ", ".join((entry.name, *entry.aliases)))
    grid.add_row("Equation", entry.equation)
    grid.add_row("Range", entry.range)
    grid.add_row("Undefined", entry.undefined)
    for heading, text in facts.items():
        grid.add_row(heading, text)
    grid.add_row("Source", f"{entry.source}. https://doi.org/{entry.doi}")
    put(console, grid)
