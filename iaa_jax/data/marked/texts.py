"""Texts of documents by place: what stands at each place that spans are counted in.

A text is a string. Where its places are not its characters (tokens, or units of UTF-16) each of
them ends with a separator that no text holds: so it can be kept as one string, and be taken apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SEPARATOR = "\x1f"  # "unit separator"
_SHOWN = "\u241f"  # its picture, where a text holds one


def of_characters(text: str) -> str:
    """A text whose places are its characters."""
    return text.replace(SEPARATOR, _SHOWN)


def of_tokens(tokens: Iterable[str]) -> str:
    """A text whose places are tokens, with blanks between them."""
    return "".join(f"{of_characters(token)} {SEPARATOR}" for token in tokens)


def of_utf16(text: str) -> str:
    """A text whose places are its units of UTF-16: some characters take two.

    Examples
    --------
    >>> [*places_of(of_utf16("a😀b"))]
    ['a', '😀', '', 'b']
    """
    text = of_characters(text)
    if text.isascii() or max(text) <= "\uffff":
        return text
    second = SEPARATOR + SEPARATOR
    return "".join(part + (second if part > "\uffff" else SEPARATOR) for part in text)


def characters_of_utf16(text: str) -> list[int]:
    """The character of a text at each of its units of UTF-16, and their number behind the last.

    Examples
    --------
    >>> characters_of_utf16("a😀b")
    [0, 1, 1, 2, 3]
    """
    units = (place for place, part in enumerate(text) for _ in range(1 + (part > "\uffff")))
    return [*units, len(text)]


def places_of(text: str) -> Sequence[str]:
    """What stands at each place of a text.

    Examples
    --------
    >>> [*places_of(of_tokens(["In", "Rome"]))], [*places_of("Rome")]
    (['In ', 'Rome '], ['R', 'o', 'm', 'e'])
    """
    return text.split(SEPARATOR)[:-1] if SEPARATOR in text else text
