"""Return cautions about odd labels and items, such as misspelt labels or several labels in one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import islice

import numpy as np
import xarray as xr

from iaa_jax.data.label_values import scores_of_one
from iaa_jax.data.notices.ambiguous import TABLE, gaps_among, label_counts, way_of
from iaa_jax.data.notices.similar import key_of
from iaa_jax.data.provenance import columns_of_items
from iaa_jax.data.storage import array_of
from iaa_jax.data.usual_names import named_like_means, named_like_totals
from iaa_jax.wording import Note, as_list

NAMED = 3  # maximum number of names that are quoted
QUOTED = 40  # maximum number of characters of a quoted name
RARE = 0.05  # maximum share of numbers among texts, or texts among numbers, that may be errors
SEPARATED = ("long", "wide", TABLE)  # layouts that allow several labels in one cell
ENOUGH = 4  # number of items up to which no item counts as odd

SHORTEST, LONGEST = 3, 40  # minimum and maximum length of a label that may be misspelt
RARELY, SHARE = 2, 0.01  # maximum number and share of ratings with a misspelt label
TIMES = 10  # minimum ratio of the ratings with the correct label to those with the misspelt one
MOST = 1000  # maximum number of labels; more may be free texts
DECLARED = 8  # maximum number of labels that a note advises to declare by name
MANY = 20  # maximum number of rare labels; more are free texts
CODE = 4  # maximum number of letters of a code, such as NNP and NNPS

SURE = ";|\n"  # separators that labels hardly ever contain
SEPARATORS = f"{SURE},/+"
_TYPED = {"\n": r"\n"}  # a line break, as users type it in an option

_LIKE_NUMBER = re.compile(
    r"[+-]?[.,_]?\d[\d.,_]*([eE][+-]?\d+)?\s?%?|[+-]?inf(inity)?", re.IGNORECASE
)
_WHOLE = re.compile(r"\d+(\.0*)?")  # also 1.0, since there is another caution about its spelling
_LIKE_LIST = re.compile(r"[\[{].*|.*[\]}]", re.DOTALL)


def odd_notices(
    ratings: xr.Dataset, declared: Sequence[object] | None, layout: str, separator: str | None
) -> list[Note]:
    """Return cautions about odd labels and items."""
    items, notes = array_of(ratings, "item"), []
    if declared is None and (labels := array_of(ratings, "label")).dtype == object:
        counts = dict(zip(labels.tolist(), label_counts(ratings).tolist(), strict=True))
        notes = [*_other_kinds(counts), *_close_labels(counts, layout, separator)]
    if items.dtype == object and items.size:
        notes += _items(items.tolist())
        last = str(items[-1])
        if named_like_totals(last) or named_like_means(last):
            values = {"item": last, "way": _way_out_of_totals(ratings, last)}
            notes.append(Note("item_of_totals", values, "caution"))
    return notes


def _way_out_of_totals(ratings: xr.Dataset, item: str) -> Note:
    """Return a note on how to leave an item out: by its column, if a single column names items."""
    columns = columns_of_items(ratings)
    if len(columns) != 1:
        return Note("leave_it_out")
    return Note("exclude_rows", {"rows": f"{columns[0]}={item}"})


def _other_kinds(counts: Mapping[str, float]) -> list[Note]:
    """Return cautions about labels like lists, and rare numbers among texts or vice versa."""
    texts = list(counts)
    numbers = [text for text in texts if _LIKE_NUMBER.fullmatch(text)]
    words = [text for text in texts if _LIKE_NUMBER.fullmatch(text) is None]
    ratings = [sum(map(counts.__getitem__, labels)) for labels in (words, numbers)]
    # frequent labels are not errors; rare labels of the other kind may be
    rare = 0 < min(ratings) <= max(1, RARE * sum(ratings))
    fewer = [words, numbers][int(np.argmin(ratings))] if rare else []
    gaps = {texts[place] for place in gaps_among(texts)}  # there is another caution about these
    odd = {
        "labels_no_numbers" if fewer is words else "labels_like_numbers": [
            text for text in fewer if text not in gaps
        ],
        "labels_like_lists": [text for text in texts if _LIKE_LIST.fullmatch(text)],
    }
    return [Note(code, _counted(some, counts), "caution") for code, some in odd.items() if some]


def _close_labels(
    counts: Mapping[str, float], layout: str, declared_separator: str | None
) -> list[Note]:
    notes = []
    if pairs := misspelt(counts) if len(counts) <= MOST else []:
        near = [
            Note(
                "label_near",
                {"label": text, "ratings": int(counts[text]), "other": other,
                 "others": int(counts[other])},
            )
            for text, other in pairs[:NAMED]
        ]  # fmt: skip
        more = len(pairs) - NAMED
        further = Note("more_labels_near", {"labels": more}) if more > 0 else ""
        values: dict[str, object] = {"near": near, "more": further, "count": len(pairs)}
        notes.append(Note("labels_misspelt", values, "caution"))
    if declared_separator is None and layout in SEPARATED:
        separator, joint_labels = joined(list(counts))
        scores = [*scores_of_one(list(counts))]
        if scores and all(text in scores or _LIKE_NUMBER.fullmatch(text) for text in counts):
            values = {**_counted(scores, counts), "most": scores[0][scores[0].index("/") :]}
            notes.append(Note("labels_of_scores", values, "caution"))
        elif joint_labels:
            way = way_of("separator", layout, separator)
            values = {**_counted(joint_labels, counts), "separator": separator, "way": way}
            one = Note("joined_as_one", {"every": as_list(counts)})
            values["one"] = one if len(counts) <= DECLARED else Note("joined_as_one_of_many")
            notes.append(Note("labels_joined", values, "caution"))
    return notes


def _counted(texts: Sequence[str], counts: Mapping[str, float]) -> dict[str, object]:
    named = [
        Note("label_escaped", {"label": text[:QUOTED], "ratings": int(counts[text])})
        for text in texts[:NAMED]
    ]
    more = len(texts) - NAMED
    others = [Note("more_labels", {"labels": more})] if more > 0 else []
    return {"labels": [*named, *others], "count": len(texts)}


def _items(names: Sequence[str]) -> list[Note]:
    """Return a caution about items whose names are not whole numbers, if nearly all names are."""
    few = max(1, len(names) // 20) if len(names) > ENOUGH else 0
    others = [*islice((name for name in names if not _WHOLE.fullmatch(name)), few + 1)]
    if not 0 < len(others) <= few:
        return []
    escaped = [Note("id_escaped", {"id": name[:QUOTED]}) for name in others[:NAMED]]
    return [Note("items_no_numbers", {"names": escaped, "count": len(others)}, "caution")]


def misspelt(counts: Mapping[str, float]) -> list[tuple[str, str]]:
    """Return rare labels that may be misspelt, each with a common label one character away.

    Examples
    --------
    >>> misspelt({"joy": 250, "jpy": 1, "fear": 90, "tears": 1})
    [('jpy', 'joy')]
    """
    most = min(RARELY, SHARE * sum(counts.values()))
    rare = [
        text
        for text, count in counts.items()
        if 0 < count <= most and SHORTEST <= len(text) <= LONGEST
    ]
    if len(rare) > MANY:
        return []
    pairs = []
    for text in rare:
        common = [
            other
            for other in counts
            if counts[other] >= TIMES * counts[text]
            and len(other) >= SHORTEST
            and abs(len(other) - len(text)) <= 1
            and not _apart(text, other)
        ]
        # since lengths differ by at most 1, this similarity allows one different character
        pairs += [
            (text, other) for other in get_close_matches(text, common, 1, 1 - 1 / len(text) - 1e-9)
        ]
    return pairs


def _apart(text: str, other: str) -> bool:
    """Tell whether similar texts are not misspelt: they have different numbers, or are codes."""
    numbered = bool(re.search(r"\d", text)) and bool(re.search(r"\d", other))
    if numbered and re.sub(r"\d", "", text) == re.sub(r"\d", "", other):
        return True
    codes = max(len(text), len(other)) <= CODE and text.upper() == text and other.upper() == other
    return codes or key_of(text) == key_of(other)


def joined(texts: Sequence[str]) -> tuple[str, list[str]]:
    """Return a separator, and the labels that seem to be several labels joined by it.

    A label seems joined if all its parts are also labels. For a semicolon, a bar or a line break,
    it is enough if several labels share a part with others. If there are very many labels, they may
    be free texts; then more than half of them must consist of parts that are labels or are shared.

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
        joint_labels = [text for text, parts in parts_of.items() if known.issuperset(parts)]
        linked = [text for text, parts in parts_of.items() if not known.isdisjoint(parts)]
        if len(texts) > MOST:
            joint_labels = joint_labels if 2 * len(joint_labels) > len(texts) else []
        elif separator in SURE and len(linked) > 1:
            joint_labels = linked
        if joint_labels:
            return _TYPED.get(separator, separator), joint_labels
    return "", []
