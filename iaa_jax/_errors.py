"""The package's exceptions, and the codes and texts of reasons why a result is undefined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from reprlib import Repr
from typing import Self

from iaa_jax.wording.spelling import Spelling, in_python, keywords_in, respelled

DEFINED = 0
NO_PAIRABLE_ITEM = 1
NO_EXPECTED_DISAGREEMENT = 2
NO_SHARED_ITEM = 3
NO_DEFINED_PAIR = 4
LABEL_NOT_USED = 5
NO_COMPLETE_ITEM = 6
ONE_ITEM = 7
NO_VARIANCE = 8
NO_VARIANCE_OF_MEANS = 9
NO_COMMON_LABEL = 10
NOTHING_MARKED = 11
NO_COMMON_UNIT = 12
NOTHING_ALIGNED = 13
NO_BOUNDARY = 14
NO_WINDOW = 15
TOO_FAR_APART = 16
FEW_ITEMS_COUNT = 17
SEVERAL_LABELS = 18

REASONS: dict[int, str] = {
    DEFINED: "",
    NO_PAIRABLE_ITEM: "no item has two ratings",
    NO_EXPECTED_DISAGREEMENT: (
        "expected disagreement is 0 (every rating that counts fell on one label, or labels do not "
        "differ), so agreement beyond chance is 0/0"
    ),
    NO_SHARED_ITEM: "no two annotators have enough items in common",
    NO_DEFINED_PAIR: "the coefficient is 0/0 for every pair of annotators",
    LABEL_NOT_USED: "nobody used this label on an item with two ratings",
    NO_COMPLETE_ITEM: "no item was rated by every annotator",
    ONE_ITEM: "only one item counts, so nothing shows how items differ",
    NO_VARIANCE: (
        "nothing varies (all ratings that count are the same number, or annotators differ by "
        "constants only), so the items' share of the variance is 0/0"
    ),
    NO_VARIANCE_OF_MEANS: (
        "the mean ratings of the items do not differ (no variance above 0 is left), so their "
        "reliability is undefined"
    ),
    NO_COMMON_LABEL: (
        "no label was used by both annotators, so their agreement chart has no area (0/0)"
    ),
    NOTHING_MARKED: "nobody marked anything in a document that two annotators saw (0/0)",
    NO_COMMON_UNIT: "no units of two annotators overlap here (0/0)",
    NOTHING_ALIGNED: "no two units that count are aligned with each other (0/0)",
    NO_BOUNDARY: "nobody set a boundary in a document that two annotators saw (0/0)",
    NO_WINDOW: "no document that two annotators saw is longer than a window (0/0)",
    TOO_FAR_APART: (
        "the numbers span more decades than compiled code can compare: call the kernel on them "
        "without jit"
    ),
    FEW_ITEMS_COUNT: (
        "the weights of the items with two ratings are fractions that sum to less than two items, "
        "too few to correct for chance"
    ),
    SEVERAL_LABELS: (
        "the masses of a rating sum to more than 1, as those of a label set do, and this formula "
        "is for one label per rating"
    ),
}


class IaaError(ValueError):
    """Input that cannot be used: the message says what is wrong, where, and how to go on.

    Options in the message are marked by `iaa_jax.wording.keyword` or `named`. ``str(error)`` spells
    them as keywords of a Python call.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)

    def __str__(self) -> str:
        return self.spelled(in_python)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def message(self) -> str:
        """The message with its options marked, from which another error can be made."""
        return str(self.args[0]) if self.args else ""

    def reworded(self, message: str) -> Self:
        """Return an error of the same type with another message."""
        return type(self)(message)

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options that the message mentions."""
        return tuple(keywords_in(self.message))

    def spelled(self, spelling: Spelling, between: str = "; ") -> str:
        """Return the message, with its options spelt by ``spelling``.

        If the message offers several remedies, ``between`` precedes each of them.
        """
        return respelled(self.message, spelling, between)


class MissingColumnError(IaaError):
    """A column is missing from a file."""


class RepeatedError(IaaError):
    """Several ratings of an item by the same annotator.

    ``item`` names the columns that together would tell the repeated ratings apart, if there are
    any, and ``ways`` are the remedies that these columns allow.
    """

    def __init__(
        self, message: str = "", item: tuple[str, ...] = (), ways: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.item, self.ways = item, ways

    def reworded(self, message: str) -> Self:
        """Return an error of the same type with another message."""
        return type(self)(message, self.item, self.ways)


class LayoutError(IaaError):
    """A table whose layout is unclear.

    ``wide`` takes names of annotators, and returns the options that read a table with a column for
    each of them. It returns None if the names do not suffice.
    """

    def __init__(
        self,
        message: str = "",
        wide: Callable[[Sequence[str]], Mapping[str, object] | None] = lambda _: None,
    ) -> None:
        super().__init__(message)
        self.wide = wide

    def reworded(self, message: str) -> Self:
        """Return an error of the same type with another message."""
        return type(self)(message, self.wide)


class OptionError(IaaError):
    """Options that have unusable values, make no sense together, or have no effect."""


_LEAST_PART, _ALIKE, _WITH_PART = 4, 0.8, 3
"""Limits of suggestions by a part of a name.

A part must have the similarity ``_ALIKE`` to a misspelt name of ``_LEAST_PART`` letters or more,
and must equal a shorter one. At most ``_WITH_PART`` names are suggested.
"""

_brief = Repr()
_brief.maxstring = _brief.maxother = _brief.maxlong = 120


def brief(thing: object) -> str:
    """Return a value as text for a message; a long text is cut in the middle.

    Examples
    --------
    >>> brief("t1"), len(brief("x" * 1000))
    ("'t1'", 120)
    """
    return _brief.repr(thing)


def suggestion(wrong: object, known: Iterable[object]) -> str:
    """Return a question that suggests known names for a misspelt one; "" if no name is near.

    Examples
    --------
    >>> suggestion("tonne", ["tone", "topic"]), suggestion("x", ["tone"])
    ("; did you mean 'tone'?", '')
    """
    close = near(wrong, known)
    return f"; did you mean {' or '.join(map(brief, close))}?" if close else ""


def near(wrong: object, known: Iterable[object]) -> list[str]:
    """Return up to two known names spelt alike, or else up to three of which a part is spelt alike.

    Examples
    --------
    >>> near("Tonne", ["tone", "topic"]), near("kapa", ["cohen_kappa"])
    (['tone'], ['cohen_kappa'])
    >>> near("gpt", ["ann hate", "gpt hate"])
    ['gpt hate']
    """
    names = {str(name).casefold(): str(name) for name in reversed(list(known))}
    close = get_close_matches(str(wrong).casefold(), names, n=2)
    close = close or _with_part_like(str(wrong).casefold(), list(names)[::-1])
    return [names[name] for name in close]


def _with_part_like(wrong: str, known: list[str]) -> list[str]:
    alike = _ALIKE if len(wrong) >= _LEAST_PART else 1.0
    parts = {name: re.findall(r"[^\W_]+", name) for name in known}
    return [name for name in known if get_close_matches(wrong, parts[name], cutoff=alike)][
        :_WITH_PART
    ]


def shown(things: Iterable[object], limit: int = 5) -> str:
    """Return the first things as text, with commas between them, and the number of the others.

    Examples
    --------
    >>> shown(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    everything = list(things)
    text = ", ".join(brief(thing) for thing in islice(everything, limit))
    more = len(everything) - limit
    return f"{text} and {more:,} more" if more > 0 else text
