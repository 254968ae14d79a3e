"""Refuse ratings whose labels or annotators were moved, dropped or joined without their codes.

A slot is the position of a rating within an item, if ratings are not stored by annotator.
"""

from __future__ import annotations

import json

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax._types import Integers
from iaa_jax.data.storage import (
    CODING,
    REMEMBERED_LABELS,
    annotator_memory,
    coding,
    label_memory,
    python_value,
    task_of,
)
from iaa_jax.wording import named


def check_annotator_order(ratings: xr.Dataset) -> None:
    """Refuse slots whose annotators were moved or dropped since the ratings were made.

    Renaming is allowed for annotators whose names ``attrs["annotator_order"]`` lists.
    """
    memory = ratings.attrs.get("annotator_order")
    names = np.asarray(ratings.variables["annotator"].values)
    if memory is None or memory == annotator_memory(names):
        return
    count, _, before = json.loads(memory)
    now = [str(name) for name in names[: len(before)].tolist()]
    position_of = {name: position for position, name in enumerate(before)}
    moved = [
        name for position, name in enumerate(now) if position_of.get(name, position) != position
    ]
    renamed = " (if they were only renamed, remove ratings.attrs['annotator_order'])"
    if len(names) != count:
        problem = (
            f"there are now {len(names):,} annotators, and there were {count} when the ratings "
            "were made"
        )
    elif moved:
        problem = f"annotators are not in their places, such as {shown(moved, 2)}{renamed}"
    elif now == before:
        problem = f"annotators after the first {len(before)} are not in their places{renamed}"
    else:
        return
    raise IaaError(
        f"{problem}; slots do not follow when annotators are moved, dropped or joined: choose "
        "annotators with `keep_annotators`, join ratings with `data.merge`, or bring them into a "
        "table with `data.in_grid` first"
    )


def check_label_order(ratings: xr.Dataset) -> None:
    """Refuse codes whose labels were moved, dropped or joined; renaming them all is allowed."""
    memory = ratings.attrs.get("label_order")
    labels = ratings.variables["label"].values
    if memory is None or memory == label_memory(labels):
        return
    before, now = json.loads(memory), json.loads(label_memory(labels))
    if len(before) == REMEMBERED_LABELS and before == now[:REMEMBERED_LABELS]:
        return  # an older version stored fewer labels
    if set(before) & set(now):
        raise IaaError(
            f"the labels are {shown(now)} and were {shown(before)} when the ratings were made; "
            "codes do not follow when labels are moved, dropped or joined: use `data.merge` to "
            f"join ratings, and declare {named('labels')} in the order you want when making them"
        )


def check_coding(ratings: xr.Dataset) -> None:
    """Refuse codes and slots that refer to other names than those recorded in the attributes.

    Such codes arise when xarray joins ratings, since it keeps only the first Dataset's attributes.
    """
    if CODING not in ratings.variables:
        return
    by_slot = "annotator_of" in ratings.variables
    labels = ratings.attrs.get("label_order")
    if labels is None and task_of(ratings) in ("single", "primary_secondary"):
        labels = label_memory(np.asarray(ratings.variables["label"].values))
    annotators = ratings.attrs.get("annotator_order") if by_slot else None
    numbers = ratings.variables[CODING]
    # if the record of annotators was removed, all items must have the same coding
    markings = [ratings.attrs["markings"]] if "markings" in ratings.attrs else []
    known: int | Integers = coding(labels, annotators, *markings)
    if by_slot and annotators is None:
        known = numbers.values.flat[:1]
    wrong = np.asarray(numbers.values != known)
    if wrong.any():
        # after a join along annotators, the coding also has this axis
        axis = "annotator" if "annotator" in numbers.dims else "item"
        of_axis = np.moveaxis(wrong, numbers.dims.index(axis), 0)
        wrong_positions = np.flatnonzero(of_axis.reshape(len(of_axis), -1).any(axis=1))
        _refuse_coding(ratings, axis, wrong_positions)


def _refuse_coding(ratings: xr.Dataset, axis: str, positions: NDArray[np.intp]) -> None:
    names = np.asarray(ratings.variables[axis])
    first = python_value(names[positions[0]])
    if "markings" in ratings.attrs:
        reason = "other spans, labels or annotators"
    elif "annotator_of" in ratings.variables:
        reason = "other labels or annotators, or in another order"
    else:
        labels = shown(ratings.variables["label"].values.tolist())
        reason = f"other labels, or in another order, than {labels}"
    raise IaaError(
        f"the codes of {len(positions):,} of {len(names)} {axis}s, such as {first!r}, were made "
        f"with {reason}; codes do not follow when ratings are joined: use `data.merge` to join "
        f"ratings, or declare the same {named('labels')} when making them; if you changed codes "
        "and labels together, drop the variable `item_coding`"
    )
