"""Return cautions about data that users may have meant differently, such as similar names.

A caution is a note to users who may have meant something else. It changes no rating.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.data.coded_sets import times_given
from iaa_jax.data.labels import parse_number
from iaa_jax.data.notices.similar import alike, alike_numbers, differences, key_of, notes_on
from iaa_jax.data.storage import TASKS, array_of, rated, task_of, weight_of
from iaa_jax.data.usual_names import ANNOTATOR, usual_name
from iaa_jax.wording import Note, as_list

LABELS_IN_CELLS = ("long", "wide", "transposed")
IDS_IN_CELLS = {
    "item": ("long", "one_hot", "wide", "counts"),
    "annotator": ("long", "one_hot", "transposed"),
}
BLOCK = 1 << 22  # approximate number of ratings that are counted in one batch
_LONGEST = 40  # maximum number of characters of an id in a note
_PAIR = 2
SCALE = 3  # minimum number of different numbers that are taken for a scale
ERRORS = 2  # minimum excess of agreement on a label over chance, in standard errors
GROUPS = 5  # maximum number of listed groups of similar labels, and of listed columns

# Words for an empty cell in other programs, in lower case and without brackets or full stops around
# them.
_GAPS = frozenset(
    {
        "null", "nil", "none", "na", "n/a", "n.a", "nan", "nat", "missing", "undefined", "void",
        "k.a", "k. a", "keine angabe", "ohne angabe", "sans r\u00e9ponse", "sin respuesta", "ns/nr",
        "unrated", "not rated", "not available", "not applicable", "no answer", "no label",
        "#n/a", "#na", "#null!", "#value!", "#ref!", "#div/0!", "#name?", "#num!",
        "-", "--", "---", "\N{EN DASH}", "\N{EM DASH}", "?", "??", "???",
    }
)  # fmt: skip
_SKIPS = frozenset({"skip", "skipped"})  # "(skipped)", in brackets, is read as a label
_ANSWERS = _SKIPS | {"none"}  # words for an empty cell that may also be answers
_CODE = re.compile(r"-(1|9+)")
_HIGH_CODE = re.compile(r"9{2,12}")
_FAR = 10  # minimum ratio of a code such as 99 to all other numbers
_AROUND = "()[]<>{}."

_LIKE_ITEMS = re.compile(
    r"(item|i|unit|text|t|question|q|doc|document|sentence|tweet)[\W_]*\d+", re.IGNORECASE
)


TABLE = "table"
"""Name of the layout of a table in Python; tables in files have layouts with other names."""


def way_of(option: str, layout: str, value: str) -> Note:
    """Return a note with the remedy: an option, or for a table in Python, a change of the table."""
    return Note(f"{option}_{'in_table' if layout == TABLE else 'given'}", {"value": value})


def column_notices(
    ids: Sequence[str], annotators: Sequence[str], layout: str = "wide"
) -> list[Note]:
    """Return a caution if the names in a wide table suggest that the table is transposed.

    ``ids`` are the names of the columns with item ids.
    """
    if len(ids) == 1 and usual_name(ids, ANNOTATOR) is not None:
        return [turned("rows_of_annotators", {"column": ids[0]}, layout)]
    if annotators and all(map(_LIKE_ITEMS.fullmatch, annotators)):
        values = {"columns": list(annotators[:GROUPS]), "count": len(annotators)}
        return [turned("columns_of_items", values, layout)]
    return []


def turned(code: str, values: Mapping[str, object], layout: str = "wide") -> Note:
    """Return a caution that a table may be transposed."""
    return Note(code, {**values, "way": way_of("format", layout, "transposed")}, "caution")


def label_notices(
    ratings: xr.Dataset, declared: Sequence[object] | None, layout: str
) -> list[Note]:
    """Return cautions about undeclared labels.

    The cautions are about labels that may mean "not rated", are invisible, or hardly differ from
    one another.
    """
    if declared is not None or "label" not in ratings.variables:
        return []
    labels = array_of(ratings, "label")
    are_numbers = labels.dtype.kind in "iuf"
    texts = [str(label) for label in labels.tolist()]
    gaps = [code for code in gaps_among(texts) if not is_answer(ratings, texts, code)]
    unseen = [code for code, text in enumerate(texts) if not key_of(text)]
    similar = [] if are_numbers else alike(texts)
    if not (gaps or unseen or similar):
        return []
    counts = label_counts(ratings)

    def counted(codes: Sequence[int], spelt: str = "label_counted") -> list[Note]:
        return [Note(spelt, {"label": texts[code], "ratings": int(counts[code])}) for code in codes]

    notes = []
    values: dict[str, object]
    if gaps:
        way = way_of("missing", layout, as_list(texts[code] for code in gaps))
        values = {"labels": counted(gaps), "count": len(gaps), "way": way}
        notes.append(Note("gaps_as_labels", values, "caution"))
    if unseen:
        values = {"labels": counted(unseen), "count": len(unseen)}
        notes.append(Note("invisible_labels", values, "caution"))
    option = _way("merge_labels", layout, LABELS_IN_CELLS)
    return notes + _alike_notes(
        "labels_alike", texts, similar, lambda group: counted(group, "label_escaped"), option
    )


def span_notices(
    spans: xr.Dataset, declared: Sequence[object] | None, layout: str = "long"
) -> list[Note]:
    """Return cautions about labels, documents and annotators of spans whose names hardly differ."""
    texts = [str(label) for label in spans["label"].values.tolist()]
    similar = alike(texts) if declared is None else []
    counts = np.bincount(array_of(spans, "label_of"), minlength=len(texts))

    def counted(group: Sequence[int]) -> list[Note]:
        each = [{"label": texts[code], "spans": int(counts[code])} for code in group]
        return [Note("label_of_spans", values) for values in each]

    option = _way("merge_labels", layout)
    notes = _alike_notes("labels_alike", texts, similar, counted, option)
    for axis, code in (("document", "documents_alike"), ("annotator", "annotators_alike")):
        names = [str(name) for name in spans[axis].values.tolist()]
        notes += _ids_alike(code, names, _way("merge_ids", layout))
    return notes


def unmarked_notices(spans: xr.Dataset) -> list[Note]:
    """Return a caution on documents that fewer annotators marked than other documents.

    It is for tables in which only spans say who saw a document.
    """
    by = array_of(spans, "seen").sum(axis=1)
    fewer = int((by < by.max(initial=0)).sum())
    return [Note("documents_unmarked", {"count": fewer}, "caution")] if fewer else []


def id_notices(ratings: xr.Dataset, layout: str) -> list[Note]:
    """Return cautions about items, and about annotators, whose names hardly differ."""
    notes = []
    for axis, code in (("item", "items_alike"), ("annotator", "annotators_alike")):
        ids = array_of(ratings, axis)
        if ids.dtype.kind in "iuf" or (axis == "annotator" and ratings.attrs.get("anonymous", 0)):
            continue  # numbers and default names have no similar spellings
        notes += _ids_alike(code, ids.tolist(), _way("merge_ids", layout, IDS_IN_CELLS[axis]))
    return notes


def _way(option: str, layout: str, takers: Sequence[str] = LABELS_IN_CELLS) -> str:
    """Return the code of the advice on similar names: an option, or to write the names alike."""
    if layout in takers:
        return option
    return "written_alike"


def _ids_alike(code: str, texts: Sequence[str], option: str) -> list[Note]:
    def notes_of(group: Sequence[int]) -> list[Note]:
        return [Note("id_escaped", {"id": name}) for name in _cut([texts[k] for k in group])]

    return _alike_notes(code, texts, alike(texts) + alike_numbers(texts), notes_of, option)


def _cut(names: Sequence[str]) -> list[str]:
    """Return similar names, shortened to the part in which they differ if they are long.

    Examples
    --------
    >>> _cut(["Ann", "ann"])
    ['Ann', 'ann']
    >>> _cut([f"{'x' * 50} Yes", f"{'x' * 50} yes"])
    ['...xxxxxxxxxxxxxxxxxxx Yes', '...xxxxxxxxxxxxxxxxxxx yes']
    """
    if max(map(len, names)) <= _LONGEST:
        return list(names)
    alike_until = len(os.path.commonprefix(list(names)))  # noqa: RUF071 (no paths)
    first = max(alike_until - _LONGEST // 2, 0)
    last = first + _LONGEST
    return [
        f"{'...' * (first > 0)}{name[first:last]}{'...' * (len(name) > last)}" for name in names
    ]


def _alike_notes(
    code: str,
    texts: Sequence[str],
    groups: Sequence[Sequence[int]],
    notes_of: Callable[[Sequence[int]], list[Note]],
    option: str,
) -> list[Note]:
    """Return a caution for each kind of difference between similar texts.

    ``groups`` are positions of similar texts; ``notes_of`` describes the texts of a group.
    """
    by_difference: dict[tuple[str, ...], list[Note]] = {}
    for group in groups:
        note = Note("alike_group", {"parts": notes_of(group)})
        by_difference.setdefault(differences([texts[k] for k in group]), []).append(note)
    notes = []
    for needed, group_notes in by_difference.items():
        more, count = len(group_notes) - GROUPS, len(group_notes)
        values = {
            "differences": notes_on(needed),
            "groups": group_notes[:GROUPS],
            "more": Note("more_groups", {"groups": more}) if more > 0 else "",
            "way": Note(option, {"by": ",".join(needed)}),
            "count": count,
            "example": group_notes[0].listed("parts")[:_PAIR],
        }
        notes.append(Note(code, values, "caution"))
    return notes


def label_counts(ratings: xr.Dataset) -> NDArray[np.float64]:
    """Return the number of ratings with each label, weighted except for label sets and shares."""
    size = ratings.sizes["label"]
    counts = np.zeros(size)
    weight = weight_of(ratings)
    for name in TASKS[task_of(ratings)]:
        if name == "mass":
            counts += times_given(ratings)
            continue
        cells = np.asarray(ratings.variables[name].values)
        blocks = max(1, cells.size // BLOCK)
        times = [None] * blocks if weight is None else np.array_split(weight, blocks)
        for part, part_weight in zip(np.array_split(cells, blocks), times, strict=True):
            of_rows = (
                None if part_weight is None else np.broadcast_to(part_weight[:, None], part.shape)
            )
            known = part >= 0
            counts += np.bincount(part[known], None if of_rows is None else of_rows[known], size)
    return counts


def gaps_among(labels: Sequence[str]) -> list[int]:
    """Return the positions of labels that may mean "not rated".

    These are words for an empty cell; a single word among numbers of a scale; codes such as -1
    and -99, if the other labels are names, or whole numbers from 0 up that are not all 0 or 1; and
    codes such as 99, if the others are whole numbers from 0 up to less than a tenth of it.

    Examples
    --------
    >>> gaps_among(["-1", "no", "yes"]), gaps_among(["-1", "0", "1", "2"])
    ([0], [0])
    >>> gaps_among(["-1", "0", "1"]), gaps_among(["-2", "-1", "0", "2"])
    ([], [])
    >>> gaps_among(["1", "2", "3", "unsure"]), gaps_among(["2", "6", "99"])
    ([3], [2])
    >>> gaps_among(["2", "6", "9" * 5000])  # more digits than Python converts
    []
    """
    words = [place for place, label in enumerate(labels) if says_not_rated(label)]
    codes = [place for place, label in enumerate(labels) if _CODE.fullmatch(label)]
    others = [place for place in range(len(labels)) if place not in {*words, *codes}]
    high = [place for place in others if _HIGH_CODE.fullmatch(labels[place])]
    low = [parse_number(labels[place]) for place in others if place not in high]
    if high and len(low) >= _PAIR and _are_far_below(low, min(int(labels[k]) for k in high)):
        codes += high
        others = [place for place in others if place not in high]
    spelt = [parse_number(labels[place]) for place in others]
    numbers = [number for number in spelt if number is not None]
    if len(numbers) == len(others) - 1 >= SCALE:
        word = others[spelt.index(None)]
        words += [word] if labels[word][:1].isalpha() else []
    among_names = not numbers and bool(others)
    among_counts = (
        len(numbers) == len(others)
        and all(number >= 0 and number % 1 == 0 for number in numbers)
        and max(numbers, default=0) > 1
    )
    return sorted(words + codes) if among_names or among_counts else words


def _are_far_below(numbers: Sequence[float | None], code: int) -> bool:
    return all(
        number is not None and number >= 0 and number % 1 == 0 and _FAR * number < code
        for number in numbers
    )


def is_answer(ratings: xr.Dataset, texts: Sequence[str], code: int) -> bool:
    """Tell whether a label such as 'none' or 'skip' is an answer rather than a gap.

    The label must be one of `_ANSWERS`, among at least two other labels, none of them a number.
    Annotators must agree on it more often than by chance. At least one item must have this label
    and another: if all ratings of an item are 'none', perhaps nobody rated it.
    """
    others = [text for text in texts if not says_not_rated(text)]
    if not may_be_answer(texts[code]) or len(others) < _PAIR:
        return False
    if any(parse_number(text) is not None for text in others):
        return False
    chosen = np.zeros(rated(ratings).shape, dtype=bool)
    for name in TASKS[task_of(ratings)]:
        cells = ratings.variables[name].data
        chosen |= np.greater(cells[..., code], 0) if name == "mass" else cells == code
    number, times = rated(ratings).sum(axis=1), chosen.sum(axis=1)
    weight = weight_of(ratings)
    pair_weight = (number > 1) * (1.0 if weight is None else weight)
    total = pair_weight @ times
    if not total or not ((times > 0) & (times < number)).any():
        return False
    share = total / (pair_weight @ number)
    again = (pair_weight @ (times * (times - 1))) / (pair_weight @ (times * (number - 1)))
    return bool(again > share + ERRORS * np.sqrt(share * (1 - share) / total))


def may_be_answer(text: str) -> bool:
    """Tell whether a word for "not rated" may also be an answer, such as 'none'."""
    return _bare(text) in _ANSWERS


def says_not_rated(text: str) -> bool:
    """Tell whether a label is a word for an empty cell in other programs, or for a skipped item."""
    return _bare(text) in _GAPS or text.casefold() in _SKIPS


def _bare(text: str) -> str:
    """Return a label in lower case, without brackets or full stops around it."""
    return text.strip(_AROUND).casefold() if text.strip(_AROUND) else text
