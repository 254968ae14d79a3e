"""Texts of documents, divided into the places in which spans are counted.

A text is a string. Where its places are not characters but tokens or UTF-16 units, each ends with a
separator that no text contains, so that one string holds them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

SEPARATOR = "\x1f"  # "unit separator"
_SHOWN = "\u241f"  # its visible symbol, where a text contains it


def text_from_characters(text: str) -> str:
    """A text whose places are its characters."""
    return text.replace(SEPARATOR, _SHOWN)


def text_from_tokens(tokens: Iterable[str]) -> str:
    """A text whose places are tokens, with blanks between them."""
    return "".join(f"{text_from_characters(token)} {SEPARATOR}" for token in tokens)


def text_from_utf16(text: str) -> str:
    """A text whose places are its units of UTF-16: some characters take two.

    Examples
    --------
    >>> [*places_of(text_from_utf16("a😀b"))]
    ['a', '😀', '', 'b']
    """
    text = text_from_characters(text)
    if text.isascii() or max(text) <= "\uffff":
        return text
    second = SEPARATOR + SEPARATOR
    return "".join(part + (second if part > "\uffff" else SEPARATOR) for part in text)


def characters_of_utf16(text: str) -> list[int]:
    """The character at each UTF-16 unit of a text, and the number of characters last.

    Examples
    --------
    >>> characters_of_utf16("a😀b")
    [0, 1, 1, 2, 3]
    """
    units = (place for place, part in enumerate(text) for _ in range(1 + (part > "\uffff")))
    return [*units, len(text)]


def places_of(text: str) -> Sequence[str]:
    """The string at each place of a text.

    Examples
    --------
    >>> [*places_of(text_from_tokens(["In", "Rome"]))], [*places_of("Rome")]
    (['In ', 'Rome '], ['R', 'o', 'm', 'e'])
    """
    return text.split(SEPARATOR)[:-1] if SEPARATOR in text else text


_AROUND = 60
"""Letters of context on each side of a span."""


def in_context(places: Sequence[str], parts: Sequence[Sequence[int]]) -> str:
    """A span in brackets, with some of the text around it.

    Examples
    --------
    >>> in_context(places_of("Ann and Bo live in Rome"), [[0, 3], [8, 10]])
    '[Ann] and [Bo] live in Rome'
    """
    (first, _), (_, last) = parts[0], parts[-1]
    begin, end = _reached(places[:first][::-1]), _reached(places[last:])
    text = "…" * (begin < first) + "".join(places[first - begin : first])
    for (start, stop), following in zip(parts, [*parts[1:], [last + end]], strict=True):
        span = "".join(places[start:stop])
        blanks = span[len(span.rstrip()) :]
        text += f"[{span.rstrip()}]{blanks}{''.join(places[stop : following[0]])}"
    return " ".join(text.split()) + "…" * (last + end < len(places))


def _reached(places: Sequence[str]) -> int:
    """Return the number of these places that are shown."""
    letters = accumulate(map(len, places[:_AROUND]))
    return sum(so_far <= _AROUND for so_far in letters)
