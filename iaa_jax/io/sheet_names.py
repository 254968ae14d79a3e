"""Names of items and labels in a sheet that somebody filled in with a spreadsheet program."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable
from decimal import Decimal

from iaa_jax._errors import brief, shown, suggestion

# a program that takes an id for a number writes no exponent before digits are lost
_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")


class UnknownNameError(Exception):
    """A cell that names nothing, or one of several alike; its text ends a sentence."""

    def __init__(self, text: str, *, ambiguous: bool) -> None:
        super().__init__(text)
        self.ambiguous = ambiguous


class SheetNames:
    """Names as a sheet spells them: first exactly, then in other letters, then as numbers.

    Examples
    --------
    >>> names = SheetNames(["Yes", "no", "07"], str)
    >>> names.find("no"), names.find(" YES "), names.find("7.0")
    ('no', 'Yes', '07')
    >>> names.respelled
    {' YES ': 'Yes', '7.0': '07'}
    """

    def __init__(self, names: Iterable[Hashable], written: Callable[[str], str]) -> None:
        self.names = list(names)
        texts = {str(name): name for name in self.names}
        # as a sheet writes it goes before as it is
        self._exact = texts | {written(str(name)): name for name in self.names}
        self._folded = _groups(self._exact, _folded)
        self._numbers = _groups(texts, _number)
        self.respelled: dict[str, str] = {}

    def find(self, cell: str) -> Hashable:
        """The name that a cell means.

        Raises
        ------
        UnknownNameError
            If there is none, or if it may be either of several.
        """
        if cell in self._exact:
            return self._exact[cell]
        number = _number(cell)
        alike = self._folded.get(_folded(cell)) or (
            [] if number is None else self._numbers.get(number, [])
        )
        if len(alike) == 1:
            self.respelled[cell] = str(alike[0])
            return alike[0]
        if alike:
            text = f"{brief(cell)}, which may be {shown(alike)}"
            raise UnknownNameError(text, ambiguous=True)
        text = f"{brief(cell)}{suggestion(cell, self._exact)}"
        raise UnknownNameError(text, ambiguous=False)


def _groups(
    texts: dict[str, Hashable], key: Callable[[str], Hashable | None]
) -> dict[Hashable, list[Hashable]]:
    """Different names by what a key makes of their texts."""
    groups: dict[Hashable, list[Hashable]] = {}
    for text, name in texts.items():
        if (made := key(text)) is not None and name not in groups.setdefault(made, []):
            groups[made].append(name)
    return groups


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _number(text: str) -> Decimal | None:
    return Decimal(text.replace(",", ".")) if _NUMBER.fullmatch(text.strip()) else None
