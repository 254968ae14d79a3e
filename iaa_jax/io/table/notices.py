"""What was read in one way and may be meant in another.

That is no error: the ratings are as the file says. It is noted for whoever meant something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.data.storage import TASKS, array_of, task_of
from iaa_jax.io.base import Options
from iaa_jax.io.table.columns import ANNOTATOR, usual_name
from iaa_jax.wording import Note

GROUPS = 5  # groups of labels that hardly differ, and columns, that are named

# Cells that say "nothing here" in other programs, without marks around them and in small letters.
_GAPS = frozenset(
    {
        "null", "nil", "none", "na", "n/a", "n.a", "nan", "nat", "missing", "undefined", "void",
        "unrated", "not rated", "not available", "not applicable", "no answer", "no label",
        "#n/a", "#na", "#null!", "#value!", "#ref!", "#div/0!", "#name?", "#num!",
        "-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", "?", "??", "???",
    }
)  # fmt: skip
_AROUND = "()[]<>{}."

_LIKE_ITEMS = re.compile(
    r"(item|i|unit|text|t|question|q|doc|document|sentence|tweet)[\W_]*\d+", re.IGNORECASE
)


def column_notices(ids: Sequence[str], annotators: Sequence[str], options: Options) -> list[Note]:
    """What to note of a wide table whose columns nobody named: it may stand the other way round."""
    if options.item is not None or options.annotators is not None:
        return []
    if len(ids) == 1 and usual_name(ids, ANNOTATOR) is not None:
        return [Note("rows_of_annotators", {"column": ids[0]}, "caution")]
    if annotators and all(map(_LIKE_ITEMS.fullmatch, annotators)):
        values = {"columns": list(annotators[:GROUPS]), "count": len(annotators)}
        return [Note("columns_of_items", values, "caution")]
    return []


def label_notices(ratings: xr.Dataset, options: Options) -> list[Note]:
    """What to note of labels that nobody declared: gaps, and labels that hardly differ."""
    if options.labels is not None or "label" not in ratings.variables:
        return []
    labels = array_of(ratings, "label")
    if labels.dtype.kind in "iuf":
        return []
    texts = [str(label) for label in labels.tolist()]
    gaps = [code for code, text in enumerate(texts) if _bare(text) in _GAPS]
    keys = [_key(text) for text in texts]
    unseen = [code for code, key in enumerate(keys) if not key]
    groups: dict[str, list[int]] = {}
    if len({*keys}) < len(keys):
        for code, key in enumerate(keys):
            groups.setdefault(key, []).append(code)
    similar = [group for key, group in groups.items() if len(group) > 1 and key]
    if not (gaps or unseen or similar):
        return []
    counts = _counts(ratings)

    def counted(codes: Sequence[int], spelt: str = "label_counted") -> list[Note]:
        return [Note(spelt, {"label": texts[code], "ratings": int(counts[code])}) for code in codes]

    notes = []
    values: dict[str, object]
    if gaps:
        codes_of_gaps = ",".join(texts[code] for code in gaps)
        values = {"labels": counted(gaps), "count": len(gaps), "codes": codes_of_gaps}
        notes.append(Note("gaps_as_labels", values, "caution"))
    if unseen:
        values = {"labels": counted(unseen), "count": len(unseen)}
        notes.append(Note("invisible_labels", values, "caution"))
    by_difference: dict[tuple[str, ...], list[Note]] = {}
    for group in similar:
        differences = _differences([texts[code] for code in group])
        spelt_alike = Note("labels_of_group", {"labels": counted(group, "label_escaped")})
        by_difference.setdefault(differences, []).append(spelt_alike)
    for differences, several in by_difference.items():
        more = len(several) - GROUPS
        values = {
            "differences": [Note(code) for code in differences],
            "groups": several[:GROUPS],
            "more": Note("more_groups", {"groups": more}) if more > 0 else "",
        }
        notes.append(Note("labels_alike", values, "caution"))
    return notes


def _counts(ratings: xr.Dataset) -> NDArray[np.float64]:
    """How many ratings each label has."""
    size = ratings.sizes["label"]
    counts = np.zeros(size)
    for name in TASKS[task_of(ratings)]:
        if name == "mass":
            counts += np.nansum(array_of(ratings, "mass") > 0, axis=(0, 1))
        else:
            cells = np.asarray(ratings.variables[name].values)
            counts += np.bincount(cells[cells >= 0], minlength=size)
    return counts


def _bare(text: str) -> str:
    """A label without marks around it, in small letters."""
    return text.strip(_AROUND).casefold() if text.strip(_AROUND) else text


def _seen(text: str) -> str:
    """A label without invisible characters, and with single blanks."""
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return " ".join(text.split())


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _key(text: str) -> str:
    """What labels that hardly differ have in common."""
    return _composed(_composed(_seen(text)).casefold())


_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "difference_case": str.casefold,
    "difference_form": _composed,
    "difference_blanks": _seen,
}


def _differences(labels: Sequence[str]) -> tuple[str, ...]:
    """In what labels of the same key differ: what it takes to make them equal."""
    for name, change in _DIFFERENCES.items():
        if len({change(label) for label in labels}) == 1:
            return (name,)
    # all that are needed: without one of them, the labels stay apart
    needed = []
    for name in _DIFFERENCES:
        texts = list(labels)
        for cause, change in (*_DIFFERENCES.items(), *_DIFFERENCES.items()):
            if cause != name:
                texts = [change(text) for text in texts]
        if len({*texts}) > 1:
            needed.append(name)
    return tuple(needed) or tuple(_DIFFERENCES)
