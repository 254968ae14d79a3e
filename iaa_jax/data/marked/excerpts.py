"""Excerpts of a document's text: a stretch with its context, from blank to blank."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.texts import places_of

CONTEXT = 60
"""Maximum number of characters of context on each side."""

MOST = 400
"""Maximum number of characters shown of a long stretch: a few sentences."""


class Excerpt(NamedTuple):
    """A stretch of a document: its first place, the first place after it, and its text.

    ``goes_on`` says whether the text continues after it.
    """

    start: int
    end: int
    places: Sequence[str] = ""
    goes_on: bool = False

    @property
    def text(self) -> str:
        """The text of the stretch; empty where it is not known."""
        return "".join(self.places)

    def character(self, place: int) -> int:
        """The character of the stretch at which a place begins."""
        return sum(map(len, self.places[: max(0, place - self.start)]))


def around(text: str, start: int, end: int) -> Excerpt:
    """A stretch with its context.

    Examples
    --------
    >>> around("Anna met Bob in Rome", 9, 12).text
    'Anna met Bob in Rome'
    """
    places = places_of(text)
    if end > len(places):
        return Excerpt(start, end)  # no text, or another document's
    low = start - _reach(places[max(0, start - CONTEXT) : start][::-1], CONTEXT)
    high = end + _reach(places[end : end + CONTEXT], CONTEXT)
    while 0 < low < start and not any(map(_has_blank, places[low - 1 : low + 1])):
        low += 1
    while end < high < len(places) and not any(map(_has_blank, places[high - 1 : high + 1])):
        high -= 1
    return Excerpt(low, high, places[low:high], high < len(places))


def busiest(text: str, start: int, end: int, at: Integers, weight: Floats) -> tuple[int, int]:
    """The part of a long stretch that has the most weight at the given places.

    Ties go to the first part. A stretch that is short, or whose text is unknown, is returned whole.

    Examples
    --------
    >>> busiest("word " * 200, 0, 1000, np.array([5, 500, 520]), np.ones(3))
    (500, 900)
    """
    places = places_of(text)
    characters = np.array([0, *accumulate(map(len, places[start:end]))])
    if end > len(places) or characters[-1] <= MOST:
        return start, end
    order = np.argsort(at, kind="stable")
    offset = characters[np.clip(at[order] - start, 0, end - start)]
    sums = np.append(0.0, np.cumsum(weight[order]))
    last = np.searchsorted(offset, offset + MOST, side="right")
    first = start + int(
        np.clip(at[order] - start, 0, end - start)[np.argmax(sums[last] - sums[: len(order)])]
    )
    reached = np.searchsorted(characters, characters[first - start] + MOST, side="right") - 1
    return first, start + int(reached)


def _reach(places: Sequence[str], most: int) -> int:
    """How many of the first places fit into this number of characters."""
    sizes = np.cumsum([*map(len, places)])
    return int(np.searchsorted(sizes, most, side="right"))


def _has_blank(place: str) -> bool:
    return any(map(str.isspace, place))
