"""Find and merge texts that hardly differ: in case, Unicode form, blanks or invisible characters.

Names of items and annotators may also differ only in how whole numbers are written. Texts that
hardly differ stay different, unless the user names the differences to ignore.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from iaa_jax._checks import check_names
from iaa_jax._errors import IaaError, shown
from iaa_jax.data.factorize import Column
from iaa_jax.wording import Note, named

Lists = list[tuple[str | None, ...]]

JOINT = " | "
"""Separator between the parts of an id that is made of several columns or fields."""

_WHOLE = re.compile(r"0*(\d+)(?:\.0*)?")
_BETWEEN = r"(?:^| \| )"  # the beginning of a part of an id
# a whole number in an unusual spelling
_ODD = re.compile(rf"{_BETWEEN}(0\d+(\.0*)?|\d+\.0*)( \| |$)", re.MULTILINE)
_ODD_BLANKS = re.compile(r"[\t\v\f\r\x1c-\x1f]|  |^ | $", re.MULTILINE)


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _seen(text: str) -> str:
    """Return a text without invisible characters, with single blanks between words."""
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(text.split())


def _number(text: str) -> str:
    """Return a whole number without leading zeros and decimals; other texts are unchanged.

    If an id is made of several columns, this applies to each part.
    """
    parts = text.split(JOINT)
    return JOINT.join(match[1] if (match := _WHOLE.fullmatch(part)) else part for part in parts)


CHANGES: Mapping[str, Callable[[str], str]] = {
    "blanks": _seen,
    "form": _composed,
    "case": str.casefold,
}
"""For each kind of difference, a function that removes such differences from a text."""

OF_IDS: Mapping[str, Callable[[str], str]] = {**CHANGES, "numbers": _number}
"""Functions for names of items and annotators: `CHANGES`, and one for spellings of numbers.

Labels need no such function, since numbers among labels are parsed.
"""


def check_differences(option: str, value: str | Sequence[object] | None) -> tuple[str, ...]:
    """Return the differences to ignore that an option names, in the order of their removal."""
    check_names(option, () if value is None else value)
    parts = value.split(",") if isinstance(value, str) else value
    wanted = [
        part.strip() if isinstance(part, str) else part for part in (() if parts is None else parts)
    ]
    changes = OF_IDS if option == "merge_ids" else CHANGES
    unknown = [name for name in wanted if name not in changes]
    if unknown or (value is not None and not wanted):
        raise IaaError(
            f"{named(option)} takes {', '.join(changes)}, one or several, not {shown(unknown)}"
        )
    return tuple(name for name in changes if name in wanted)


def key_of(text: str, differences: Sequence[str] = tuple(CHANGES)) -> str:
    r"""Return the key of a text; texts have the same key if they differ only in ``differences``.

    Examples
    --------
    >>> key_of("Yes\u200b  Sir"), key_of("Yes", ["blanks"])
    ('yes sir', 'Yes')
    """
    for name in differences:
        text = OF_IDS[name](text)
    # the change to lower case may have undone the normal form
    return _composed(text) if "form" in differences else text


def notes_on(differences: Sequence[str]) -> list[Note]:
    """Return the notes that put differences into words."""
    return [Note(f"difference_{name}") for name in differences]


def alike(texts: Sequence[str]) -> list[list[int]]:
    """Return groups of texts that hardly differ, as lists of positions.

    Examples
    --------
    >>> alike(["Yes", "no", "yes"])
    [[0, 2]]
    """
    return _groups(_keys(texts))


def _keys(texts: Sequence[str]) -> Sequence[str]:
    """Return the key of each text; ASCII texts are processed together, which is much faster."""
    together = "\n".join(texts)
    if not together.isascii() or _ODD_BLANKS.search(together):
        return [*map(key_of, texts)]
    keys = together.casefold().split("\n")
    return keys if len(keys) == len(texts) else [*map(key_of, texts)]


def alike_numbers(texts: Sequence[str]) -> list[list[int]]:
    """Return groups of texts that spell the same whole number, as lists of positions.

    Examples
    --------
    >>> alike_numbers(["1", "2", "01", "1.0", "a"])
    [[0, 2, 3]]
    >>> alike_numbers(["007 | May", "7 | May", "7 | June"])
    [[0, 1]]
    """
    return _groups([*map(_number, texts)]) if _ODD.search("\n".join(texts)) else []


def _groups(keys: Sequence[str]) -> list[list[int]]:
    """Return groups of positions with the same key; empty keys are ignored."""
    if len({*keys}) == len(keys):
        return []
    groups: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return [group for key, group in groups.items() if key and len(group) > 1]


def differences(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the differences that must be ignored for similar texts to become equal.

    Examples
    --------
    >>> differences(["Yes", "yes"]), differences(["Yes", "yes  "])
    (('case',), ('blanks', 'case'))
    """
    for name, change in OF_IDS.items():
        if len({change(text) for text in texts}) == 1:
            return (name,)
    # a difference is needed if texts stay different when all other differences are ignored
    needed = [
        name
        for name in CHANGES
        if len({key_of(text, [other for other in CHANGES if other != name]) for text in texts}) > 1
    ]
    return tuple(needed) or tuple(CHANGES)


def merged_columns(
    columns: Sequence[Column], merge: Sequence[str], declared: Sequence[object] | None = None
) -> list[Column]:
    """Return columns in which texts that differ only in the differences ``merge`` are merged.

    Examples
    --------
    >>> merged_columns([(np.array([0, 1, 1]), ["Yes", "yes"])], ["case"])
    [(array([0, 0, 0]), ['yes'])]
    """
    if not merge:
        return list(columns)
    times: Counter[str] = Counter()
    for codes, cells in columns:
        counts = np.bincount(codes[codes >= 0], minlength=len(cells)).tolist()
        times.update(dict(zip(map(str, cells), counts, strict=True)))
    spelling = _spellings(times, merge, declared)
    merged: list[Column] = []
    for codes, cells in columns:
        known: dict[str, int] = {}
        spelt = [spelling[str(cell)] for cell in cells]
        # a text without visible characters is a missing value
        places = [known.setdefault(text, len(known)) if text else -1 for text in spelt]
        merged.append((np.array([*places, -1])[codes], list(known)))
    return merged


def merged_lists(
    lists: Lists, merge: Sequence[str], declared: Sequence[object] | None = None
) -> Lists:
    """Return lists in which labels that differ only in the differences ``merge`` are merged."""
    if not merge:
        return lists
    members = Counter(member for group in lists for member in group if member is not None)
    spelling = _spellings(members, merge, declared)
    return [tuple(m if m is None else spelling[m] for m in group) for group in lists]


def _spellings(
    times: Mapping[str, int], merge: Sequence[str], declared: Sequence[object] | None
) -> dict[str, str]:
    """Return the spelling for each text: a declared one, or else the first of the most frequent."""
    chosen: dict[str, str] = {}
    for text in sorted(times, key=lambda text: -times[text]):
        chosen.setdefault(key_of(text, merge), text)
    if not all(chosen):
        chosen[""] = ""
    kept: dict[str, str] = {}
    for text in map(str, declared or ()):
        key = key_of(text, merge)
        if kept.setdefault(key, text) != text:
            raise IaaError(
                f"{named('merge_labels')} merges the declared labels {shown([kept[key], text])}: "
                "declare only one of them"
            )
    chosen |= kept
    return {text: chosen[key_of(text, merge)] for text in times}
