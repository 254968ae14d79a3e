"""Labels that are made like others: a letter apart from a common one, or several in one cell."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from iaa_jax.data.notices.alike import key_of

SHORTEST, LONGEST = 3, 40  # letters of a label that may be misspelt
FEWEST, SHARE = 2, 0.01  # ratings that it has at most, and their share of all
TIMES, TWICE = 10, 2  # as many ratings a label has that was meant; beside one with a stray sign
MOST = 1000  # labels of which each is compared with the others: where there are more, texts may be
MANY = 20  # labels so rare: where there are more, labels are free text
CODE = 4  # letters of a code, such as NNP and NNPS

SIGNS = {*string.punctuation} - {*"[]{}"}  # brackets are noted as lists

QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "\u201e": "\u201c", "\u00ab": "\u00bb"}

SURE = ";|\n"  # hardly anything else stands between labels
SEPARATORS = f"{SURE},/+"
_TYPED = {"\n": r"\n"}  # as an option takes it


def misspelt(counts: Mapping[str, float]) -> list[tuple[str, str]]:
    """Labels that hardly occur, each with a common one that is a character apart.

    Of few ratings each label hardly occurs; then one counts that holds a sign as no other does.

    Examples
    --------
    >>> misspelt({"joy": 250, "jpy": 1, "fear": 90, "tears": 1})
    [('jpy', 'joy')]
    >>> misspelt({"joy": 5, "jpy": 1, "fear": 5, "fe?r": 1})
    [('fe?r', 'fear')]
    """
    most = min(FEWEST, SHARE * sum(counts.values()))
    stray = _with_stray_signs(counts)
    rare = [text for text, count in counts.items() if 0 < count <= most or text in stray]
    rare = [text for text in rare if SHORTEST <= len(text) <= LONGEST]
    if len(rare) > MANY:
        return []
    found = []
    for text in rare:
        common = [
            other
            for other in counts
            if counts[other] >= (TWICE if text in stray else TIMES) * counts[text]
            and len(other) >= SHORTEST
            and abs(len(other) - len(text)) <= 1
            and not _apart(text, other)
        ]
        # of so similar lengths, this share of letters in common leaves one that is not
        found += [
            (text, other) for other in get_close_matches(text, common, 1, 1 - 1 / len(text) - 1e-9)
        ]
    return found


def _with_stray_signs(counts: Mapping[str, float]) -> set[str]:
    """Labels given once with a sign that no other label holds."""
    holders = Counter(sign for text in counts for sign in SIGNS.intersection(text))
    once = [text for text, count in counts.items() if count == 1]
    return {text for text in once if any(holders[sign] == 1 for sign in text)}


def _apart(text: str, other: str) -> bool:
    """Tell whether texts that are a letter apart are known to differ, or to be alike."""
    numbered = bool(re.search(r"\d", text)) and bool(re.search(r"\d", other))
    if numbered and re.sub(r"\d", "", text) == re.sub(r"\d", "", other):
        return True
    codes = max(len(text), len(other)) <= CODE and text.upper() == text and other.upper() == other
    return codes or key_of(text) == key_of(other)


def quoted(texts: Sequence[str]) -> list[str]:
    """Labels in quotation marks that are labels without these, too.

    Examples
    --------
    >>> quoted(["yes", '"yes"', "'no'"])
    ['"yes"']
    """
    plain = {*texts}
    return [
        text
        for text in texts
        if len(text) > 1 and QUOTES.get(text[0]) == text[-1] and text[1:-1].strip() in plain
    ]


def joined(texts: Sequence[str]) -> tuple[str, list[str]]:
    """A separator, and the labels that it seems to join: their parts are labels too.

    Of a semicolon or a bar it is enough that several labels have a part that others have. Of very
    many, which may be texts, most have to be joined, all parts of each known.

    Examples
    --------
    >>> joined(["joy", "fear", "joy;fear"])
    (';', ['joy;fear'])
    >>> joined(["a|b", "b|c", "a|c"]), joined(["yes/no", "maybe"])
    (('|', ['a|b', 'b|c', 'a|c']), ('', []))
    """
    for separator in SEPARATORS:
        parts_of = {
            text: parts
            for text in texts
            if separator in text
            and len(parts := [part.strip() for part in text.split(separator) if part.strip()]) > 1
        }
        if not parts_of:
            continue
        plain = {text for text in texts if text not in parts_of}
        uses = Counter(part for parts in parts_of.values() for part in set(parts))
        again = {part for part in uses if separator in SURE and uses[part] > 1}
        known = plain | again
        found = [text for text, parts in parts_of.items() if known.issuperset(parts)]
        linked = [text for text, parts in parts_of.items() if not known.isdisjoint(parts)]
        if len(texts) > MOST:
            found = found if 2 * len(found) > len(texts) else []
        elif separator in SURE and len(linked) > 1:
            found = linked
        if found:
            return _TYPED.get(separator, separator), found
    return "", []
