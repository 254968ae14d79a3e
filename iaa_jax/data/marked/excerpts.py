"""Cut excerpts from the text of a document: a stretch with some context, cut at blanks.

A place of a document is a character, a token or a UTF-16 unit (module `texts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.texts import places_of

CONTEXT = 60
"""Maximum number of characters of context on each side of a stretch."""

MOST = 400
"""Maximum number of characters that are shown of a long stretch (a few sentences)."""


class Excerpt(NamedTuple):
    """A stretch of a document.

    Attributes
    ----------
    start, end : int
        Its first place, and the first place after it.
    places : sequence of str
        The text at each of its places; empty if the text is unknown.
    goes_on : bool
        Whether the text of the document continues after it.
    """

    start: int
    end: int
    places: Sequence[str] = ""
    goes_on: bool = False

    @property
    def text(self) -> str:
        """The text of the stretch; empty if it is unknown."""
        return "".join(self.places)

    def character(self, place: int) -> int:
        """Return the position in `text` at which a place of the document begins."""
        return sum(map(len, self.places[: max(0, place - self.start)]))


def around(text: str, start: int, end: int) -> Excerpt:
    """Return the excerpt of a text with the stretch from ``start`` to ``end`` and its context.

    Examples
    --------
    >>> around("Anna met Bob in Rome", 9, 12).text
    'Anna met Bob in Rome'
    """
    places = places_of(text)
    if end > len(places):
        return Excerpt(start, end)  # the text is unknown, or belongs to another document
    low = start - _reach(places[max(0, start - CONTEXT) : start][::-1], CONTEXT)
    high = end + _reach(places[end : end + CONTEXT], CONTEXT)
    while 0 < low < start and not any(map(_has_blank, places[low - 1 : low + 1])):
        low += 1
    while end < high < len(places) and not any(map(_has_blank, places[high - 1 : high + 1])):
        high -= 1
    return Excerpt(low, high, places[low:high], high < len(places))


def busiest(text: str, start: int, end: int, at: Integers, weight: Floats) -> tuple[int, int]:
    """Return the start and end of the part of a long stretch that has the most weight.

    ``weight`` is the weight of each place in ``at``. If parts tie, the first is returned. A stretch
    that is short, or whose text is unknown, is returned whole.

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
    """Return how many of the first places fit into a number of characters."""
    sizes = np.cumsum([*map(len, places)])
    return int(np.searchsorted(sizes, most, side="right"))


def _has_blank(place: str) -> bool:
    return any(map(str.isspace, place))
