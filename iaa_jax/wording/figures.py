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
"""What a column holds. It decides how a cell is written, where it stands, and what may be cut."""

ENDS = ("ci_low", "ci_high")
"""The variables with the ends of an interval, behind the name of its figure."""

ERROR_AND_ENDS = ("standard_error", *ENDS)

MEANT = "="
"""A footnote that is the meaning of its figure."""

_WIDTH = 96


@dataclass(frozen=True)
class Figure:
    """A figure of a result.

    Attributes
    ----------
    name : str
        The variable that holds it, and its key in JSON and CSV.
    meaning : str
        What it is, in a few words, without a full stop.
    kind : str
        How its cells are written.
    heading : str
        What stands above its column; nothing where only files have it, or where names from the
        data stand there.
    beside : tuple of str
        Endings of the variables that stand beside it, as its standard error: ``NAME_ENDING``.
    decimals : int
        Decimals of its cells, where its kind has a number of them.
    footnote : str
        What stands below its table, a template; `MEANT` for its meaning.
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
        """The code of its footnote."""
        return f"{self.name}_footnote"

    @property
    def names(self) -> tuple[str, ...]:
        """All variables that it declares."""
        return (self.name, *(f"{self.name}_{ending}" for ending in self.beside))

    @property
    def entry(self) -> str:
        """What documentation says of it, its name first."""
        several = ", ".join(f"``_{ending}``" for ending in self.beside)
        return f"``{self.name}``{f' (and {several})' if several else ''}: {self.meaning}"


def by_name(figures: Iterable[Figure]) -> Mapping[str, Figure]:
    """Figures by the names of their variables.

    Examples
    --------
    >>> by_name([Figure("p_value", "two-sided", "p", "p")])["p_value"].meaning
    'two-sided'
    """
    return {figure.name: figure for figure in figures}


def footnotes(figures: Iterable[Figure]) -> Words:
    """The templates of what stands below tables, by codes.

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
    """Write the figures of a function's result into its docstring, where their key stands.

    ``figures`` may be the module that declares them: keys are the names of its tables.

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
