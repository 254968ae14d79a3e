"""Choices for an annotator's repeated ratings of an item, and messages that offer them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from iaa_jax._errors import brief
from iaa_jax.wording import keyword
from iaa_jax.wording.spelling import command

DUPLICATES = ("error", "first", "last", "combine", "apart", "votes")
"""What to do if an annotator rated an item twice: refuse it, keep one rating, unite the labels into
a set, attribute later ratings to new annotators, or count all as votes.
"""

REPEATS = ("keep", "error", "first", "last")
"""The choices for a table from `iaa_jax.read_long`: keep all, refuse them, or keep one rating."""

_ON_PURPOSE = {
    "combine": "combine them into one set of labels with {option}",
    "apart": "treat the later ones as ratings by additional annotators with {option} (as 'iaa "
    "annotators --repeats' does, to measure how far annotators agree with themselves)",
    "votes": "for gold labels, count each as a vote with {option}",
    "keep": "keep them all with {option}",
}


class DistinguishingColumn(NamedTuple):
    """A column that distinguishes repeated ratings, such as a column of rounds.

    ``items`` are the other columns that name items. ``is_kept`` says whether the caller keeps the
    column.
    """

    column: str
    values: tuple[str, ...]
    items: tuple[str, ...]
    is_kept: bool

    @property
    def item(self) -> tuple[str, ...]:
        """The columns that together name items without repeated ratings."""
        return *self.items, self.column

    def ways(self) -> tuple[str, ...]:
        """Return advice on how to keep all ratings, compare two values, or read only one of them.

        Examples
        --------
        >>> from iaa_jax.wording.spelling import in_python, respelled
        >>> for way in DistinguishingColumn("Round", ("1", "2"), ("id",), False).ways():
        ...     print(respelled(way, in_python))
        'Round' tells the repeats apart: keep them as different items with item='id,Round'
        compare the two with iaa.compare(ratings, by='Round')
        measure one 'Round' alone: leave the other out with exclude='Round=1'
        """
        every = (
            f"{brief(self.column)} tells the repeats apart: keep them as different items with "
            f"{keyword('item', ','.join(self.item))}"
        )
        alone = self.one_alone()
        if alone is None:
            return (every,)
        return every, f"compare the two with {command('compare', '--by', self.column)}", alone

    def one_alone(self) -> str | None:
        """Return advice on how to read the ratings of one of two values.

        None if there are more than two values, or if the column is kept.
        """
        if self.is_kept or len(self.values) > 2:
            return None
        left_out = keyword("exclude", f"{self.column}={self.values[0]}")
        return f"measure one {brief(self.column)} alone: leave the other out with {left_out}"


def ways_out(choices: Collection[str] = DUPLICATES) -> str:
    """Return advice on repeated ratings, with every choice except to refuse them.

    Examples
    --------
    >>> from iaa_jax.wording.spelling import in_python, respelled
    >>> respelled(ways_out(("error", "first", "last")), in_python)
    "keep one of each with duplicates='first' or duplicates='last'"
    """
    one_each, *others = _remedies(choices)
    if not others:
        return one_each
    listed = ", ".join(others[:-1])
    either = f"{listed}, or {others[-1]}" if listed else others[-1]
    return f"{one_each}; or, if they are meant, {either}"


def ways_of(choices: Collection[str] = DUPLICATES) -> list[str]:
    """Return the advice of `ways_out` as a list of remedies, for `iaa_jax.wording.with_ways`.

    Examples
    --------
    >>> len(ways_of(("error", "first", "last"))), len(ways_of())
    (1, 4)
    """
    one_each, *others = _remedies(choices)
    return [one_each, *others[:-1], *(f"or {last}" for last in others[-1:])]


def _remedies(choices: Collection[str]) -> list[str]:
    one_each = " or ".join(_option(name) for name in ("first", "last") if name in choices)
    on_purpose = {name: text for name, text in _ON_PURPOSE.items() if name in choices}
    return [
        f"keep one of each with {one_each}",
        *(text.format(option=_option(name)) for name, text in on_purpose.items()),
    ]


def _option(name: str) -> str:
    return keyword("duplicates", name)
