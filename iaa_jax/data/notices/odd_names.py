"""Names and labels that stand out among the others: misspelt, of another kind, in another column.

That is no error: the ratings are as the data say. It is noted for whoever meant something else.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc
import xarray as xr

from iaa_jax._types import Values
from iaa_jax.data.label_values import scores_of_one
from iaa_jax.data.notices.alike import ManyTexts, key_of
from iaa_jax.data.notices.close_labels import MOST, joined, misspelt, quoted
from iaa_jax.data.notices.otherwise import gaps_among, label_counts
from iaa_jax.data.notices.said import TABLE, Said
from iaa_jax.data.reading import parts_of
from iaa_jax.data.storage import annotator_of, array_of, rated, weight_of
from iaa_jax.data.usual import named_like_means, named_like_totals
from iaa_jax.wording import Note

NAMED = 3  # names that are quoted
LONGEST = 40  # characters of each
MANY = 100_000
RARE = 0.05  # share of the ratings that labels of another kind have at most, if they are damage
SCALE = 3  # numbers that are hardly names
FEW = 20  # annotators, among whom one of a single rating stands out
CODES = {"item": "invisible_in_items", "annotator": "invisible_in_annotators"}
SEPARATED = ("long", "wide", TABLE)  # layouts that take several labels in one cell
FIRST = 1024  # items looked at first
AGAIN = 4  # times that a stray sign may stand in a name
ENOUGH = 4  # ratings of each other annotator, for that

_LIKE_NUMBER = re.compile(
    r"[+-]?[.,_]?\d[\d.,_]*([eE][+-]?\d+)?\s?%?|[+-]?inf(inity)?", re.IGNORECASE
)
_LIKE_LIST = re.compile(r"[\[{].*|.*[\]}]", re.DOTALL)
# what joins letters in some scripts, tabs and newlines are seen
_UNSEEN = (
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\ufeff]"
)

_NO_SIGNS = bytes({*range(256)} - {*string.punctuation.encode()})

_COMMENT = r"^#+(\s|\S+$)"  # no text that begins with a hashtag

_UNSEEN_IN_LABEL = re.compile(f"{_UNSEEN}|\t")


def odd_notices(
    ratings: xr.Dataset, texts_of: Mapping[str, ManyTexts], options: Said, layout: str
) -> list[Note]:
    """What stands out among the labels, the items and the annotators."""
    items = array_of(ratings, "item")
    annotators = array_of(ratings, "annotator")
    if ratings.attrs.get("anonymous", 0):
        annotators = annotators[:0]
    notes = []
    if options.labels is None and array_of(ratings, "label").dtype == object:
        texts = array_of(ratings, "label").tolist()
        counts = dict(zip(texts, label_counts(ratings).tolist(), strict=True))
        others = {*_words(items), *_words(annotators)}
        notes += _labels(ratings, counts, others, unseen="blanks" not in options.merge_labels)
        notes += _close_labels(counts, options, layout)
    for axis, names in (("item", items), ("annotator", annotators)):
        if names.dtype == object and names.size:
            notes += _names(axis, names, texts_of[axis])
    if 2 < len(annotators) <= FEW:
        notes += _lonely(ratings, annotators)
    last = str(items[-1]) if items.dtype == object else ""
    if named_like_totals(last) or named_like_means(last):
        values = {"item": last, "way": _way_out_of_totals(ratings, last)}
        notes.append(Note("item_of_totals", values, "caution"))
    return notes


def _way_out_of_totals(ratings: xr.Dataset, item: str) -> Note:
    """How to leave out the rows of an item, where one column of the file names items."""
    found = [note for note in parts_of(ratings, "read_as") if note.code == "read_items_from"]
    columns = [column for note in found for column in note.listed("columns")]
    if len(columns) != 1:
        return Note("remove_in_file")
    return Note("exclude_rows", {"rows": f"{columns[0]}={item}"})


def _words(names: Values) -> Sequence[str]:
    """Names that are no numbers; of very many names none, which would take long to compare."""
    if names.dtype != object or len(names) > MANY:
        return ()
    return [name for name in names if not name.isdecimal()]


def _labels(
    ratings: xr.Dataset, counts: Mapping[str, float], names: Set[str], *, unseen: bool
) -> list[Note]:
    """Text labels that are like numbers, lists, or names of something else."""
    texts = list(counts)
    numbers = [text for text in texts if _LIKE_NUMBER.fullmatch(text)]
    words = [text for text in texts if _LIKE_NUMBER.fullmatch(text) is None]
    given = [sum(map(counts.__getitem__, some)) for some in (words, numbers)]
    # what is given often is meant
    rare = 0 < min(given) <= max(1, RARE * sum(given))
    # a single word makes names of a scale, however often; beside two numbers it may be a choice
    alone = len(words) == 1 and len(numbers) >= SCALE and given[0] < given[1]
    fewer = [words, numbers][int(np.argmin(given))] if rare or alone else []
    # where numbers are the fewer, words are meant, and these may be damage
    among = "labels_no_numbers" if fewer is words else "labels_like_numbers"
    if alone:
        among = "label_no_number"
    gaps = {texts[place] for place in gaps_among(texts)}
    lists = [text for text in texts if _LIKE_LIST.fullmatch(text)]
    columns = {
        str(note.values["column"])
        for note in parts_of(ratings, "read_as")
        if note.code in ("read_labels_from", "read_secondary_from")
    }
    headers = [text for text in texts if text in columns]
    twice = [text for text in texts if text in names and text not in columns]
    found = {
        among: [text for text in fewer if text not in gaps],  # else that is noted
        "labels_like_lists": lists,
        "labels_in_quotes": quoted(texts),
        "invisible_in_labels": _hidden(texts) if unseen else [],
        "labels_like_headers": headers,
        "labels_like_names": twice,
    }
    return [Note(code, _counted(some, counts), "caution") for code, some in found.items() if some]


def _close_labels(counts: Mapping[str, float], options: Said, layout: str) -> list[Note]:
    """Labels that may be misspelt, and such as may be several."""
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
    if options.separator is None and layout in SEPARATED:
        separator, several = joined(list(counts))
        scores = [*scores_of_one(list(counts))]
        if scores and all(text in scores or _LIKE_NUMBER.fullmatch(text) for text in counts):
            values = {**_counted(scores, counts), "most": scores[0][scores[0].index("/") :]}
            notes.append(Note("labels_of_scores", values, "caution"))
        elif several:
            values = {**_counted(several, counts), "separator": separator}
            notes.append(Note("labels_joined", values, "caution"))
    return notes


def _hidden(texts: Sequence[str]) -> list[str]:
    """Labels that hold what is not seen, but for those that are noted as like another."""
    held = [text for text in texts if _UNSEEN_IN_LABEL.search(text)]
    alike_to = Counter(key_of(text) for text in texts) if held else Counter()
    return [text for text in held if key_of(text) and alike_to[key_of(text)] == 1]


def _counted(texts: Sequence[str], counts: Mapping[str, float]) -> dict[str, object]:
    named = [
        Note("label_escaped", {"label": text[:LONGEST], "ratings": int(counts[text])})
        for text in texts[:NAMED]
    ]
    more = len(texts) - NAMED
    others = [Note("more_labels", {"labels": more})] if more > 0 else []
    return {"labels": [*named, *others], "count": len(texts), "codes": ",".join(texts[:NAMED])}


def _names(axis: str, names: Values, given: ManyTexts) -> list[Note]:
    """Names that hold what is not seen, and items that are no numbers as the others.

    By Arrow: there may be a million of them.
    """
    texts, notes = given.stored, list[Note]()
    if not pc.all(pc.ascii_is_printable(texts)).as_py():
        hidden = pc.match_substring_regex(texts, _UNSEEN).to_numpy(zero_copy_only=False)
        notes += [_of_names(CODES[axis], names[hidden])] if hidden.any() else []
    if axis == "item":
        others = names
        if given.some_begin_with_figures:
            whole = pc.match_substring_regex(texts, r"^\d+(\.0*)?$")  # 1.0 is noted beside 1
            others = names[~whole.to_numpy(zero_copy_only=False)]
        few = max(1, len(names) // 20) if len(names) > ENOUGH else 0
        if 0 < len(others) <= few:
            notes.append(_of_names("items_no_numbers", others))
        marked = texts.filter(pc.starts_with(texts, "#"))
        comments = marked.filter(pc.match_substring_regex(marked, _COMMENT)).to_pylist()
        if 0 < len(comments) <= few < len(others):
            notes.append(_of_names("items_like_comments", comments))
        elif few < len(others):
            notes += _stray_signs(names, given, few)
    return notes


def _stray_signs(names: Values, given: ManyTexts, few: int) -> list[Note]:
    """Few names with signs that no other has, where these are alike but for their numbers."""
    texts, signs = given.stored, given.content.translate(None, _NO_SIGNS)
    times = np.bincount(np.frombuffer(signs, np.uint8), minlength=128)
    most = min(few * AGAIN, len(names) - few - 1)
    rare = bytes(np.flatnonzero((times > 0) & (times <= most)).tolist()).decode()
    if not rare:
        return []
    strange = pc.match_substring_regex(texts, f"[{re.escape(rare)}]").to_numpy(zero_copy_only=False)
    if strange.sum() > few:
        return []
    others = texts.filter(~strange)
    like = others[0].as_py()
    forms = pc.unique(pc.replace_substring_regex(others, r"\d+", "0"))
    if len(forms) > 1 or not any(map(str.isalpha, like)):  # numbers
        return []
    note = _of_names("items_with_stray_signs", names[strange])
    return [replace(note, values={**note.values, "like": like})]


def _of_names(code: str, names: Sequence[object] | Values) -> Note:
    escaped = [Note("name_escaped", {"name": str(name)[:LONGEST]}) for name in names[:NAMED]]
    return Note(code, {"names": escaped, "count": len(names)}, "caution")


def _lonely(ratings: xr.Dataset, annotators: Values) -> list[Note]:
    """Annotators with a single rating, among few who gave several each."""
    places = annotator_of(ratings)
    if places is None and (rated(ratings.isel(item=slice(FIRST))).sum(axis=0) > 1).all():
        return []  # as the first items tell already
    cells = rated(ratings)
    weight = weight_of(ratings)
    if weight is not None:
        rows, columns = np.nonzero(cells)
        whose = columns if places is None else places[cells]
        counts = np.bincount(whose, weight[rows], minlength=len(annotators))
    elif places is None:
        counts = np.array([np.count_nonzero(column) for column in cells.T])
    else:
        counts = np.bincount(places[cells], minlength=len(annotators))
    lonely = counts == 1
    if not 0 < lonely.sum() <= 2 or counts[~lonely].min() < ENOUGH:
        return []
    return [_of_names("annotators_of_one_rating", annotators[lonely])]
