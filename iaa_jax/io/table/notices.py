"""What was read in one way and may be meant in another: codes with values, and their words.

A notice is no error: the ratings are as the file says. It stands in ``attrs["notices"]``, one
sentence a line, for whoever meant something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import xarray as xr

from iaa_jax.data.labels import plural
from iaa_jax.data.storage import TASKS, stored, task_of
from iaa_jax.io.base import Options
from iaa_jax.io.table.columns import ANNOTATOR, usual

GROUPS = 5  # groups of labels that hardly differ, and columns, that are named


class Notice(NamedTuple):
    """What there is to say, and the names and numbers in it."""

    code: str
    values: dict[str, Any]


Counted = list[tuple[str, int]]  # labels, and how many ratings each has

WORDS: dict[str, Callable[..., str]] = {
    "gaps_as_labels": lambda labels: (
        f"{_listed(labels)} may mean 'not rated' and {_were(labels)} read as "
        f"{'a label' if len(labels) == 1 else 'labels'}; if so, give "
        f'missing="{",".join(label for label, _ in labels)}"'
    ),
    "invisible_labels": lambda labels: (
        f"{_listed(labels)} {'has' if len(labels) == 1 else 'have'} no visible character and "
        f"{_were(labels)} read as {'a label' if len(labels) == 1 else 'labels'}; empty these cells "
        "in the file if nobody rated there"
    ),
    "labels_alike": lambda groups, differences: (
        f"labels that differ in {' and '.join(differences)} alone were read as different ones: "
        + "; ".join(
            ", ".join(f"{label!a} ({plural(count, 'rating')})" for label, count in group)
            for group in groups[:GROUPS]
        )
        + (f" and {len(groups) - GROUPS} more such groups" if len(groups) > GROUPS else "")
        + "; to merge them, write them alike in the file"
    ),
    "rows_of_annotators": lambda column: (
        f"each row was read as an item, though the column {column!r} seems to name annotators; if "
        'a row is an annotator and a column an item, give format="transposed"'
    ),
    "columns_of_items": lambda columns: (
        "each column but the first was read as an annotator, though they are named like items "
        f"({', '.join(map(repr, columns[:3]))}{', ...' if len(columns) > 3 else ''}); if a row is "
        'an annotator and a column an item, give format="transposed"'
    ),
}

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

_LIKE_ITEMS = re.compile(r"(item|i|unit|text|doc|document|sentence|tweet)[\W_]*\d+", re.IGNORECASE)


def told(notices: Sequence[Notice]) -> str:
    """Put notices into words, one a line.

    Examples
    --------
    >>> print(told([Notice("gaps_as_labels", {"labels": [("NULL", 2)]})]))
    'NULL' (2 ratings) may mean 'not rated' and was read as a label; if so, give missing="NULL"
    """
    return "\n".join(WORDS[code](**values) for code, values in notices)


def of_columns(ids: Sequence[str], annotators: Sequence[str], options: Options) -> list[Notice]:
    """What to say of a wide table whose columns nobody named: it may stand the other way round."""
    if options.item is not None or options.annotators is not None:
        return []
    if len(ids) == 1 and usual(ids, ANNOTATOR) is not None:
        return [Notice("rows_of_annotators", {"column": ids[0]})]
    if annotators and all(map(_LIKE_ITEMS.fullmatch, annotators)):
        return [Notice("columns_of_items", {"columns": list(annotators)})]
    return []


def of_labels(ratings: xr.Dataset, options: Options) -> list[Notice]:
    """What to say of labels that nobody declared: gaps, and labels that hardly differ."""
    if options.labels is not None or "label" not in ratings.variables:
        return []
    labels = stored(ratings, "label")
    if labels.dtype.kind in "iuf":
        return []
    texts = [str(label) for label in labels.tolist()]
    gaps = [place for place, text in enumerate(texts) if _bare(text) in _GAPS]
    keys = [_key(text) for text in texts]
    unseen = [place for place, key in enumerate(keys) if not key]
    groups: dict[str, list[int]] = {}
    if len({*keys}) < len(keys):
        for place, key in enumerate(keys):
            groups.setdefault(key, []).append(place)
    alike = [group for key, group in groups.items() if len(group) > 1 and key]
    if not (gaps or unseen or alike):
        return []
    counts = _counts(ratings)

    def counted(places: Sequence[int]) -> Counted:
        return [(texts[place], int(counts[place])) for place in places]

    found = []
    if gaps:
        found.append(Notice("gaps_as_labels", {"labels": counted(gaps)}))
    if unseen:
        found.append(Notice("invisible_labels", {"labels": counted(unseen)}))
    by_difference: dict[tuple[str, ...], list[Counted]] = {}
    for group in alike:
        differences = _differences([texts[place] for place in group])
        by_difference.setdefault(differences, []).append(counted(group))
    for differences, several in by_difference.items():
        values = {"groups": several, "differences": list(differences)}
        found.append(Notice("labels_alike", values))
    return found


def _counts(ratings: xr.Dataset) -> Any:
    """How many ratings each label has."""
    size = ratings.sizes["label"]
    counts = np.zeros(size)
    for name in TASKS[task_of(ratings)]:
        cells = stored(ratings, name)
        if name == "mass":
            counts += np.nansum(cells > 0, axis=(0, 1))
        else:
            counts += np.bincount(cells[cells >= 0], minlength=size)
    return counts


def _listed(labels: Counted) -> str:
    parts = [f"{label!r} ({plural(count, 'rating')})" for label, count in labels]
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _were(labels: Counted) -> str:
    return "was" if len(labels) == 1 else "were"


def _bare(text: str) -> str:
    """A label without marks around it, in small letters."""
    return text.strip(_AROUND).casefold() if text.strip(_AROUND) else text


def _seen(text: str) -> str:
    """A label without invisible characters, and with single blanks."""
    if not text.isascii():
        text = "".join(one for one in text if unicodedata.category(one) != "Cf")
    return " ".join(text.split())


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _key(text: str) -> str:
    """What labels that hardly differ have in common."""
    return _composed(_composed(_seen(text)).casefold())


_DIFFERENCES: dict[str, Callable[[str], str]] = {
    "case": str.casefold,
    "Unicode form": _composed,
    "blanks or invisible characters": _seen,
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
        for other, change in (*_DIFFERENCES.items(), *_DIFFERENCES.items()):
            if other != name:
                texts = [change(text) for text in texts]
        if len({*texts}) > 1:
            needed.append(name)
    return tuple(needed) or tuple(_DIFFERENCES)
