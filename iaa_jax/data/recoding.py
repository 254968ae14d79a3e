"""Recode labels: rename labels, merge labels, or divide a scale in two."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import is_number, names_like
from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax._types import Integers, Values
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.coded_sets import coded_sets
from iaa_jax.data.labels import parse_number
from iaa_jax.data.notices.finished import OF_LABELS, rating_notices
from iaa_jax.data.orders import check_coding
from iaa_jax.data.provenance import with_understood
from iaa_jax.data.schema import validate
from iaa_jax.data.storage import (
    MARKED_ALONG_SPAN,
    TASKS,
    array_of,
    label_memory,
    python_value,
    task_of,
    with_coding,
)
from iaa_jax.wording import Note, as_list, dump_notes, load_notes, named

_MOST_STEPS = 12
"""Maximum number of distinct numbers that are taken for the steps of a scale."""


def recode(ratings: xr.Dataset, labels: Mapping[Any, Any]) -> xr.Dataset:
    """Give labels new names; labels that get the same name are merged.

    Other labels are kept. If recoding makes all labels numbers, they become numeric. Declared
    labels keep their order, with a merged label in the position of the first old label; undeclared
    labels are sorted again. A secondary label that becomes equal to the primary one is dropped.
    Duplicates in label sets are removed, and shares of merged labels are added up. Equal spans of
    an annotator count once.

    Parameters
    ----------
    ratings
        A ratings Dataset with labels, or spans.
    labels
        The new label for each old label. Old labels are compared as text: "1" names the label 1. A
        ``*`` matches any text, as in "J*". A label that is not named itself gets the new label of
        the first entry that matches it.

    Returns
    -------
    xarray.Dataset
        A new ratings Dataset; ``attrs["read_as"]`` states what was recoded.

    Raises
    ------
    IaaError
        If the ratings are numbers, or an old label is unknown.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> ratings = from_wide([["pos", "POS"], ["neg", "pos"]])
    >>> recode(ratings, {"POS": "pos"})["primary"].values.tolist()
    [[1, 1], [0, 1]]
    >>> recode(from_wide([["J18", "J20"], ["K50", "J18"]]), {"J*": "J"})["label"].values.tolist()
    ['J', 'K50']
    """
    ratings = span_ratings(ratings)
    task = task_of(ratings)
    if task == "value":
        raise IaaError("these ratings are numbers without labels: cut them in two with at_least")
    if not isinstance(labels, Mapping):
        raise IaaError(f"{named('recode')} must map old labels to new labels, not {labels!r}")
    new_labels = {str(name): new for name, new in labels.items()}
    declared = bool(ratings.attrs.get("labels_declared", 0))
    known = [str(label) for label in array_of(ratings, "label").tolist()]
    part = _recoded(ratings, _for_each_label(new_labels, known), in_order=declared)
    parts = [f"{before} = {after}" for before, after in new_labels.items()]
    return with_understood(part, Note("recoded", {"parts": parts}))


def advising_new_labels(ratings: xr.Dataset, new: Mapping[str, str]) -> xr.Dataset:
    """Return recoded ratings whose notes are about the labels after recoding."""
    notes = load_notes(str(ratings.attrs.get("reading", "")))
    if task_of(ratings) != "spans" and any(note.code in OF_LABELS for note in notes):
        layout, separator = str(ratings.attrs.get("layout", "")), None
        again = {note.code: note for note in rating_notices(ratings, None, layout, separator)}
        notes = [
            again.get(note.code, note)
            for note in notes
            if note.code not in OF_LABELS or note.code in again
        ]
    for place, note in enumerate(notes):
        if note.code == "answer_as_gap":
            names = next(csv.reader([str(note.values["labels"])]))
            labels = as_list(dict.fromkeys(new.get(name, name) for name in names))
            notes[place] = replace(note, values={**note.values, "labels": labels})
    return ratings.assign_attrs(reading=dump_notes(notes))


def labels_before(labels: Sequence[str], new: Mapping[str, str]) -> list[str]:
    """Return the labels to declare before recoding, from the declared labels after recoding.

    A new label that is not declared, or an old one with a ``*``, is refused.

    Examples
    --------
    >>> labels_before(["no", "yes"], {"n": "no", "y": "yes"})
    ['no', 'n', 'yes', 'y']
    """
    stars = [name for name in new if "*" in name and name not in labels]
    if stars:
        raise IaaError(
            f"{named('recode')} cannot have {shown(stars)} together with {named('labels')}: name "
            "each old label"
        )
    others = [name for name in new.values() if name not in labels]
    if others:
        raise IaaError(
            f"{named('recode')} gives the new labels {shown(dict.fromkeys(others))}, which "
            f"{named('labels')} does not name; it names {shown(labels, 12)}"
        )
    before: list[str] = []
    for label in labels:
        before += [label, *(old for old, to in new.items() if to == label and old not in labels)]
    return before


def check_given(ratings: xr.Dataset, names: Sequence[str]) -> None:
    """Refuse names that are not labels in use."""
    from iaa_jax.data.select import given_labels

    known = given_labels(ratings)
    if any(name not in known for name in names):
        _refuse_unknown(dict.fromkeys(names), known)


def at_least(ratings: xr.Dataset, bound: object) -> xr.Dataset:
    """Divide labels or numbers in two: those below a bound, and the others.

    Parameters
    ----------
    ratings
        A ratings Dataset with numbers, or with labels that are numbers or have a declared order.
    bound
        The lowest number, or the first declared label, of the upper part.

    Returns
    -------
    xarray.Dataset
        Ratings with the labels "below BOUND" and "BOUND or more".

    Raises
    ------
    IaaError
        If labels have no order, ratings are spans or label sets, or all labels or numbers are on
        one side of the bound.

    Examples
    --------
    >>> from iaa_jax import from_wide
    >>> at_least(from_wide([[0, 2], [1, 0]]), 1)["label"].values.tolist()
    ['below 1', '1 or more']
    """
    task = task_of(ratings)
    names = (f"below {bound}", f"{bound} or more")
    if task == "value":
        return _numbers_at_least(ratings, bound, names)
    labels = array_of(ratings, "label")
    if task == "spans" or task == "multi_label" or not ratings.attrs.get("labels_ordered", 0):
        raise IaaError(
            f"{named('at_least')} needs numbers, or labels with an order, and these labels are "
            f"{shown(labels.tolist())}: declare their order with labels"
        )
    upper = _from_bound(labels, bound)
    new = {str(name): names[above] for name, above in zip(labels.tolist(), upper, strict=True)}
    part = _recoded(ratings, new, in_order=True)
    part = part.assign_attrs(labels_declared=1, labels_ordered=1)
    return with_understood(part, Note("recoded", {"parts": names}))


def _numbers_at_least(ratings: xr.Dataset, bound: object, names: tuple[str, str]) -> xr.Dataset:
    value = array_of(ratings, "value")
    is_rated, limit = ~np.isnan(value), _number(bound)
    _refuse_one_side(bound, value[is_rated] >= limit)
    codes = np.where(is_rated, (value >= limit).astype(np.int8), np.int8(-1))
    part = ratings.drop_vars("value").assign_coords(label=np.array(names, dtype=object))
    part = part.assign(primary=(ratings["value"].dims, codes))
    attrs = {"task": "single", "labels_declared": 1, "labels_ordered": 1}
    part = _remembered(part.assign_attrs(attrs))
    return with_understood(part, Note("recoded", {"parts": names}))


def measured_as_numbers(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings as numbers if their labels look measured; other ratings are unchanged.

    Labels look measured if they are many numbers, some of them negative and some not whole.
    """
    if not has_many_numbers(ratings):
        return ratings
    numbers = array_of(ratings, "label").astype(np.float64)
    if not ((numbers < 0).any() and (numbers % 1 != 0).any()):
        return ratings
    return as_numbers(ratings)


def has_many_numbers(ratings: xr.Dataset) -> bool:
    """Tell whether labels are numbers, and more of them than a scale has steps."""
    if task_of(ratings) != "single":
        return False
    labels = array_of(ratings, "label")
    return labels.dtype.kind in "iuf" and len(labels) > _MOST_STEPS


def as_numbers(ratings: xr.Dataset) -> xr.Dataset:
    """Return ratings whose labels are numbers as ratings of numbers."""
    codes = ratings["primary"]
    value = np.append(array_of(ratings, "label").astype(np.float64), np.nan)[codes.values]
    part = ratings.drop_vars(["primary", "label"]).assign(value=(codes.dims, value))
    part.attrs.pop("label_order", None)
    return with_coding(part.assign_attrs(task="value", labels_ordered=0))


def _from_bound(labels: Values, bound: object) -> list[bool]:
    if labels.dtype.kind in "iuf":
        upper = [bool(label >= _number(bound)) for label in labels.tolist()]
    else:
        names = [str(label) for label in labels.tolist()]
        _refuse_unknown({str(bound): None}, names)
        upper = [at >= names.index(str(bound)) for at in range(len(names))]
    _refuse_one_side(bound, np.array(upper))
    return upper


def _refuse_one_side(bound: object, upper: NDArray[np.bool_]) -> None:
    if upper.all() or not upper.any():
        side = "at least" if upper.all() else "below"
        raise IaaError(
            f"{named('at_least')}: all ratings are {side} {bound}, so there is nothing to split"
        )


def _number(bound: object) -> float:
    try:
        number = float(str(bound))
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise IaaError(f"{named('at_least')} must be a number here, not {bound!r}")
    return number


def _refuse_unknown(wanted: Mapping[str, object], known: list[str]) -> None:
    unknown = [name for name in wanted if name not in known]
    if unknown or not wanted:
        hint = (suggestion(unknown[0], known) if unknown else "") or (
            f"; the labels are {shown(known, 12)}"
        )
        problem = f"there is no label {shown(unknown)}" if unknown else "no label is named"
        raise IaaError(problem + hint)


def _for_each_label(new_labels: Mapping[str, object], known: Sequence[str]) -> dict[str, object]:
    """Return the new label of each old label; "J*" stands for all labels that begin with J.

    A name with ``*`` that no label matches is kept, so that it is refused.
    """
    of_label = {name: to for name, to in new_labels.items() if name in known}
    for name, matching in names_like(new_labels, known).items():
        of_label = dict.fromkeys(matching or [name], new_labels[name]) | of_label
    return of_label


def _recoded(
    ratings: xr.Dataset, new_labels: Mapping[str, object], *, in_order: bool
) -> xr.Dataset:
    check_coding(ratings)
    old = array_of(ratings, "label")
    _refuse_unknown(new_labels, [str(name) for name in old.tolist()])
    names, code = _new_labels(old, new_labels, in_order=in_order)
    return _with_labels(ratings, names, code, task_of(ratings))


def _new_labels(
    old: Values, new_labels: Mapping[str, object], *, in_order: bool
) -> tuple[Values, Integers]:
    """Return the labels after recoding, and the new code of each old label."""
    known = {str(label): label for label in old.tolist()}
    recoded = [new_labels.get(str(label), label) for label in old.tolist()]
    # if a new label is the text of an old label, it becomes that label, with its type
    new: list[Any] = [known.get(str(label), _typed(label, old)) for label in recoded]
    if not all(is_number(label) for label in new):
        new = [str(label) for label in new]
        new = _as_numbers(new, old) or new
    names = list(dict.fromkeys(new)) if in_order else sorted(set(new))
    values = np.array(names) if is_number(names[0]) else np.array(names, dtype=object)
    position = {name: at for at, name in enumerate(names)}
    return values, np.array([position[label] for label in new], dtype=np.intp)


def _as_numbers(new: Sequence[str], old: Values) -> list[Any] | None:
    numbers = [parse_number(label) for label in new]
    were = all(parse_number(str(label)) is not None for label in old.tolist())
    if were or any(number is None or not np.isfinite(number) for number in numbers):
        return None
    return numbers


def _typed(label: object, old: Values) -> object:
    if old.dtype.kind in "iuf" and isinstance(label, str):
        number = parse_number(label)
        return label if number is None else number
    return python_value(label)


def _with_labels(ratings: xr.Dataset, names: Values, code: Integers, task: str) -> xr.Dataset:
    first = np.array([int(np.flatnonzero(code == new)[0]) for new in range(len(names))])
    part = ratings.isel(label=first).assign_coords(label=names)
    # the last entry is for code -1, not rated
    lookup = np.append(code, -1)
    if task == "spans":
        part = _each_once(part, lookup)
    if task in ("soft", "multi_label"):
        coded = coded_sets(ratings)
        mass = array_of(ratings, "mass") if coded is None else coded.sets
        parts = [mass[..., code == new] for new in range(len(names))]
        joined = [p.sum(axis=-1) if task == "soft" else p.max(axis=-1) for p in parts]
        recoded = np.stack(joined, axis=-1).astype(mass.dtype)
        data = recoded if coded is None else coded.with_sets(recoded)
        part["mass"] = (ratings["mass"].dims, data)
    if task in ("single", "primary_secondary"):
        codes = {name: array_of(ratings, name) for name in TASKS[task]}
        new_codes = {name: lookup.astype(c.dtype)[c] for name, c in codes.items()}
        if "secondary" in new_codes:
            same = new_codes["secondary"] == new_codes["primary"]
            new_codes["secondary"] = np.where(same, -1, new_codes["secondary"]).astype(
                codes["secondary"].dtype
            )
        part = part.assign({name: (ratings[name].dims, c) for name, c in new_codes.items()})
    was_number = array_of(ratings, "label").dtype.kind in "iuf"
    if not was_number and names.dtype.kind in "iuf":
        part.attrs["labels_ordered"] = 1
    if was_number and names.dtype.kind not in "iuf":
        part.attrs["labels_ordered"] = int(bool(part.attrs.get("labels_declared", 0)))
    return _remembered(part)


def _each_once(ratings: xr.Dataset, label_codes: Integers) -> xr.Dataset:
    """Give spans their new label codes, and drop spans that a marking then has twice.

    A marking is an annotator's spans in a document. Discontinuous spans are equal if all their
    parts are.
    """
    from iaa_jax.data.marked.parts import renewed

    spans = renewed(ratings, label_codes)
    columns = {name: array_of(spans, name) for name in MARKED_ALONG_SPAN}
    unit = columns.pop("unit_of")
    rows = pd.DataFrame(columns)
    alone = np.bincount(unit)[unit] == 1
    again = np.zeros(len(unit), dtype=bool)
    again[alone] = rows[alone].duplicated()
    parts: dict[int, list[tuple[int, ...]]] = {}
    for number, row in zip(unit[~alone].tolist(), rows[~alone].values.tolist(), strict=True):
        parts.setdefault(number, []).append(tuple(row))
    whole = {number: tuple(sorted(of_unit)) for number, of_unit in parts.items()}
    of_units = pd.Series(whole, dtype=object)
    again |= np.isin(unit, of_units.index[of_units.duplicated()].to_numpy(dtype=np.intp))
    return renewed(spans.isel(span=np.flatnonzero(~again))) if again.any() else spans


def _remembered(part: xr.Dataset) -> xr.Dataset:
    if "label_order" in part.attrs or part.attrs["task"] == "single":
        part.attrs["label_order"] = label_memory(part["label"].values)
    part = with_coding(part)
    validate(part)
    return part
