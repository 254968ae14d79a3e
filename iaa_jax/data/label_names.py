"""Give all spellings of a number one name, even among text labels and in different files."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from iaa_jax.data.label_values import parse_number
from iaa_jax.wording import Note

_NO_FRACTION = re.compile(r"(?<=\d)\.0*$")
_ZERO_FIRST = re.compile(r"[+-]?0\d")
_COMMA = re.compile(r"[+-]?\d*,(\d{1,2}|\d{4,})")  # a decimal comma, not a thousands separator
_MOST = 5  # maximum number of numbers whose spellings a note lists


def bare(text: str) -> str:
    """Return a whole number without decimal point and zeros after it; other texts are unchanged.

    Examples
    --------
    >>> bare("1.0"), bare("01.00"), bare("1.50"), bare("v1.0")
    ('1', '01', '1.50', 'v1.0')
    """
    return text if _exact(text) is None else _NO_FRACTION.sub("", text.strip())


def names_by_value(texts: Iterable[str]) -> dict[str, str]:
    """Return the name of each text that spells a number, with one name for each number.

    The name is the text itself without the decimals of a whole number, so that codes such as "01"
    are kept. If any number is written in several ways, all names are plain numbers.

    Examples
    --------
    >>> names_by_value(["1", "1.0", "none"])
    {'1': '1', '1.0': '1'}
    >>> names_by_value(["01", "02", "x"]), names_by_value(["01", "02", "2"])
    ({'01': '01', '02': '02'}, {'01': '1', '02': '2', '2': '2'})
    """
    numbers = _ways(texts)
    names = {text: bare(text) for spellings in numbers.values() for text in spellings}
    if len(numbers) < len({*names.values()}):
        for number, spellings in numbers.items():
            plain = str(parse_number(spellings[0]))
            # a number keeps its spelling if it has more digits than a float
            names |= dict.fromkeys(
                spellings, plain if Decimal(plain) == number else bare(spellings[0])
            )
    return names


def names_as_declared(texts: Iterable[str], declared: Sequence[str]) -> dict[str, str]:
    """Return the declared label of each text that spells a number, if a declared label matches.

    If two declared labels are the same number, such as "01" and "1", each matches only its own
    spelling.

    Examples
    --------
    >>> names_as_declared(["1", "2.0", "3", "x"], ["1.0", "02", "x"])
    {'1': '1.0', '2.0': '02'}
    >>> names_as_declared(["1.0", "01"], ["01", "1"])
    {'1.0': '1', '01': '01'}
    """
    single_spellings = {
        number: spellings[0] for number, spellings in _ways(declared).items() if len(spellings) == 1
    }
    written = {bare(name): name for spellings in _ways(declared).values() for name in spellings}
    names = {}
    for number, spellings in _ways(texts).items():
        for text in spellings:
            name = written.get(bare(text), single_spellings.get(number))
            if name is not None:
                names[text] = name
    return names


def note_on_one(texts: Iterable[str], *, numbers: bool = False) -> list[Note]:
    """Return a note if different spellings of a number were read as one label.

    If all labels are ``numbers``, only leading zeros are noted, as in "01" and "1".
    """
    groups = []
    for spellings in _ways(texts).values():
        written = list(dict.fromkeys(map(bare, spellings)))
        if len({bool(_ZERO_FIRST.match(way)) for way in written} if numbers else written) > 1:
            groups.append(written)
    return _noted("labels_of_one_number", groups)


def note_on_several(names: Iterable[str]) -> list[Note]:
    """Return a note if spellings of the same number are different labels, as with decimal commas.

    Examples
    --------
    >>> [note.code for note in note_on_several(["3,5", "3.5", "none"])]
    ['labels_of_number_apart']
    >>> note_on_several(["1,000", "1", "none"])
    []
    """
    groups: dict[Decimal, list[str]] = {}
    for name in dict.fromkeys(_maybe(names)):
        number = _exact(name.replace(",", ".") if _COMMA.fullmatch(name) else name)
        if number is not None:
            groups.setdefault(number, []).append(name)
    return _noted("labels_of_number_apart", [group for group in groups.values() if len(group) > 1])


def _exact(text: str) -> Decimal | None:
    number = parse_number(text)
    return None if number is None or math.isinf(number) else Decimal(text.strip())


def _maybe(texts: Iterable[str]) -> list[str]:
    """Return the texts that do not begin with a letter, since only these may spell numbers."""
    return [text for text in texts if not text[:1].isalpha()]


def _ways(texts: Iterable[str]) -> dict[Decimal, list[str]]:
    spellings: dict[Decimal, list[str]] = {}
    for text in _maybe(texts):
        number = _exact(text)
        if number is not None:
            spellings.setdefault(number, []).append(text)
    return spellings


def _noted(code: str, groups: Sequence[Sequence[str]]) -> list[Note]:
    if not groups:
        return []
    more = len(groups) - _MOST
    values = {
        "groups": [Note("ways_of_number", {"ways": list(ways)}) for ways in groups[:_MOST]],
        "more": Note("more_numbers", {"numbers": more}) if more > 0 else "",
        "count": len(groups),
    }
    return [Note(code, values, "caution")]
