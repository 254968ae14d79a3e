"""Names in quotes, with escapes for letters that may be mistaken for others."""

from __future__ import annotations

import unicodedata

_ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC"})  # alphabets that share forms of letters


def escaped(text: str) -> str:
    r"""Write a name in quotes, with escapes for what may look like another letter or is invisible.

    Examples
    --------
    >>> print(escaped("M\u00fcdigkeit"), escaped("cafe\u0301"), escaped("j\u043ey"))
    'Müdigkeit' 'cafe\u0301' 'j\u043ey'
    """
    alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in text}
    if len(alphabets & _ALIKE) > 1:
        return ascii(text)
    return "".join(
        each
        if each.isascii() or (each.isalpha() and unicodedata.is_normalized("NFKC", each))
        else ascii(each)[1:-1]
        for each in repr(text)
    )
