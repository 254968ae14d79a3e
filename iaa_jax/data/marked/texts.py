"""Divide texts of documents into places: the characters, tokens or UTF-16 units that spans count.

A text is a string. If its places are not characters but tokens or UTF-16 units, each place ends
with a separator that no text contains, so that one string holds all places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

SEPARATOR = "\x1f"  # "unit separator"
_SHOWN = "\u241f"  # the visible symbol that replaces the separator in a text


def text_from_characters(text: str) -> str:
    """Return a text whose places are its characters."""
    return text.replace(SEPARATOR, _SHOWN)


def text_from_tokens(tokens: Iterable[str]) -> str:
    """Return a text whose places are tokens, with blanks between them."""
    return "".join(f"{text_from_characters(token)} {SEPARATOR}" for token in tokens)


def text_from_utf16(text: str) -> str:
    """Return a text whose places are its units of UTF-16; some characters have two units.

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
    """Return the position of the character at each UTF-16 unit of a text, and the text's length.

    Examples
    --------
    >>> characters_of_utf16("a😀b")
    [0, 1, 1, 2, 3]
    """
    units = (place for place, part in enumerate(text) for _ in range(1 + (part > "\uffff")))
    return [*units, len(text)]


def places_of(text: str) -> Sequence[str]:
    """Return the string at each place of a text.

    Examples
    --------
    >>> [*places_of(text_from_tokens(["In", "Rome"]))], [*places_of("Rome")]
    (['In ', 'Rome '], ['R', 'o', 'm', 'e'])
    """
    return text.split(SEPARATOR)[:-1] if SEPARATOR in text else text


_AROUND = 60
"""Maximum number of characters of context on each side of a span."""


def in_context(places: Sequence[str], parts: Sequence[Sequence[int]]) -> str:
    """Return a span in brackets, with some context; ``parts`` are the (start, end) of its parts.

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
    """Return the number of the first places that fit into the context."""
    lengths = accumulate(map(len, places[:_AROUND]))
    return sum(length <= _AROUND for length in lengths)
