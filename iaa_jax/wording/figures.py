"""Figures of results: declared once, for tables, files and documentation."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Literal, TypeVar

from iaa_jax.wording.templates import Words, joined

Result = TypeVar("Result")

Kind = Literal[
    "label",
    "text",
    "word",
    "count",
    "estimate",
    "signed",
    "short",
    "share",
    "probability",
    "interval",
    "share_interval",
    "range",
    "p",
    "span",
    "time",
]
"""The kind of a column, which decides its format, its alignment, and what may be cut."""

ENDS = ("ci_low", "ci_high")
"""Endings of the variables that hold the ends of an interval."""

ERROR_AND_ENDS = ("standard_error", *ENDS)

MEANT = "="
"""The footnote of a figure whose footnote is its meaning."""

_WIDTH = 96


@dataclass(frozen=True)
class Figure:
    """A figure of a result.

    Attributes
    ----------
    name : str
        Name of the variable, and its key in JSON and CSV.
    meaning : str
        What the figure means, in a few words, without a full stop.
    kind : str
        The format of its cells.
    heading : str
        Heading of its column; empty if the figure is in files only, or if the heading is a name
        from the data.
    beside : tuple of str
        Endings of accompanying variables, such as its standard error, named ``NAME_ENDING``.
    decimals : int
        Number of decimals of its cells, if its kind has decimals.
    footnote : str
        Template of the footnote below its table; `MEANT` repeats the meaning.
    """

    name: str
    meaning: str
    kind: Kind = "estimate"
    heading: str = ""
    beside: tuple[str, ...] = ()
    decimals: int = 3
    footnote: str = ""

    @property
    def note(self) -> str:
        """The code of the footnote on this figure."""
        return f"{self.name}_footnote"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all variables that the figure declares."""
        return (self.name, *(f"{self.name}_{ending}" for ending in self.beside))

    @property
    def entry(self) -> str:
        """The entry of the figure in the documentation, beginning with its name."""
        several = ", ".join(f"``_{ending}``" for ending in self.beside)
        return f"``{self.name}``{f' (and {several})' if several else ''}: {self.meaning}"


def by_name(figures: Iterable[Figure]) -> Mapping[str, Figure]:
    """Return figures by the names of their variables.

    Examples
    --------
    >>> by_name([Figure("p_value", "two-sided", "p", "p")])["p_value"].meaning
    'two-sided'
    """
    return {figure.name: figure for figure in figures}


def footnotes(figures: Iterable[Figure]) -> Words:
    """Return the templates of footnotes, by code.

    Examples
    --------
    >>> footnotes([Figure("share", "of all ratings", footnote=MEANT), Figure("rank", "from 1")])
    {'share_footnote': 'of all ratings.'}
    """
    return joined(
        *(
            {figure.note: f"{figure.meaning}." if figure.footnote == MEANT else figure.footnote}
            for figure in figures
            if figure.footnote
        )
    )


def gives(
    figures: Mapping[str, Iterable[Figure]] | ModuleType,
) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """Write the figures of a function's result into its docstring, in place of their key.

    ``figures`` may be the module that declares them; its tables' names are the keys.

    Examples
    --------
    >>> @gives({"FIGURES": [Figure("p_value", "two-sided")]})
    ... def test():
    ...     '''Test.
    ...
    ...     Along ``coefficient``:
    ...
    ...     FIGURES
    ...     '''
    >>> print(test.__doc__.splitlines()[-2])
        - ``p_value``: two-sided
    """
    tables = figures if isinstance(figures, Mapping) else vars(figures)

    def documented(function: Callable[..., Result]) -> Callable[..., Result]:
        lines = []
        for line in (function.__doc__ or "").split("\n"):
            if line.strip() not in tables:
                lines.append(line)
                continue
            margin = line[: len(line) - len(line.lstrip())]
            for figure in tables[line.strip()]:
                lines += textwrap.wrap(
                    f"- {figure.entry}",
                    _WIDTH,
                    initial_indent=margin,
                    subsequent_indent=f"{margin}  ",
                    break_on_hyphens=False,
                )
        function.__doc__ = "\n".join(lines)
        return function

    return documented
