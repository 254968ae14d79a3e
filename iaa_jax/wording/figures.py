"""Declarations of figures (the named values of results) for tables, files and documentation."""

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
"""The kind of a column, which decides the format and alignment of its cells."""

ENDS = ("ci_low", "ci_high")
"""Suffixes of the names of variables that hold the lower and upper end of an interval."""

ERROR_AND_ENDS = ("standard_error", *ENDS)

MEANT = "="
"""Value of `Figure.footnote` that stands for the meaning of the figure."""

_WIDTH = 96


@dataclass(frozen=True)
class Figure:
    """A named value of a result, such as an estimate: its meaning and its format.

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
        Suffixes of the variables that accompany it (``NAME_SUFFIX``), such as a standard error.
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
        return (self.name, *(f"{self.name}_{suffix}" for suffix in self.beside))

    @property
    def entry(self) -> str:
        """The entry of the figure in the documentation, beginning with its name."""
        suffixes = ", ".join(f"``_{suffix}``" for suffix in self.beside)
        return f"``{self.name}``{f' (and {suffixes})' if suffixes else ''}: {self.meaning}"


def by_name(figures: Iterable[Figure]) -> Mapping[str, Figure]:
    """Return a mapping from the name of each figure to the figure.

    Examples
    --------
    >>> by_name([Figure("p_value", "two-sided", "p", "p")])["p_value"].meaning
    'two-sided'
    """
    return {figure.name: figure for figure in figures}


def footnotes(figures: Iterable[Figure]) -> Words:
    """Return the templates of the footnotes on figures, by code.

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
    """Return a decorator that lists the figures of a function's result in its docstring.

    A line of the docstring that consists of a key of ``figures`` is replaced by the entries of the
    figures under this key. If ``figures`` is a module, the keys are the names of its variables.

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
