"""Group items or annotators by the values of a coordinate."""

from __future__ import annotations

import re

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Values
from iaa_jax.data.coordinates import refuse_of_ratings, what_there_is
from iaa_jax.data.usual_names import mostly_dates
from iaa_jax.wording import keyword
from iaa_jax.wording.formats import whole_as_written
from iaa_jax.wording.spelling import command

MOST_GROUPS = 1000


def groups_of(ratings: xr.Dataset, by: str) -> tuple[str, NDArray[np.object_], NDArray[np.intp]]:
    """Return an axis, the names of its groups, and the group of each item or annotator along it.

    The axis, "item" or "annotator", is the dimension of the coordinate ``by``. Groups are in the
    order of their values.
    """
    known = {
        str(name): coordinate.dims[0]
        for name, coordinate in ratings.coords.items()
        if coordinate.dims in (("item",), ("annotator",))
    }
    if by not in known:
        refuse_of_ratings(ratings, by, "items or annotators", for_drift)
        others = [name for name in known if name not in ("item", "annotator")]
        hint = what_there_is(others, by)
        raise IaaError(f"{keyword('by', by)} names no coordinate along items or annotators: {hint}")
    names, member = group_values(ratings[by].values, by)
    if len(names) == len(member) > 1:
        axis = known[by]
        needs = "two annotators" if axis == "annotator" else "several items"
        raise IaaError(
            f"{by!r} puts every {axis} into a group of its own, and agreement in a group needs "
            f"{needs}: use a coordinate with fewer values{for_drift(ratings[by].values, by)}"
        )
    return known[by], names, member


def group_values(values: Values, by: str) -> tuple[NDArray[np.object_], NDArray[np.intp]]:
    """Return the names of the groups of values, in order, and the group of each value.

    The group of missing values is "(none)", and comes last.
    """
    texts = ["" if _is_nothing(value) else whole_as_written(value) for value in values.tolist()]
    value_of = {text: value for text, value in zip(texts, values.tolist(), strict=True) if text}
    by_value = values.dtype.kind in "iufMmb"
    names = sorted(value_of, key=value_of.__getitem__ if by_value else natural)
    if len(names) < len(set(texts)):
        names.append("")
    if len(names) > MOST_GROUPS:
        raise IaaError(
            f"{by!r} has {len(names):,} groups: take a coordinate with {MOST_GROUPS:,} at most"
            f"{for_drift(values, by)}"
        )
    number = {text: index for index, text in enumerate(names)}
    member = np.array([number[text] for text in texts], dtype=np.intp)
    return np.array([name or "(none)" for name in names], dtype=object), member


def for_drift(values: Values, by: str) -> str:
    """Return the end of a message, which advises ``drift`` if most values are dates; else ""."""
    texts = {str(value) for value in values.ravel().tolist() if not _is_nothing(value)}
    if values.dtype.kind in "iufmb" or not mostly_dates([*texts]):
        return ""
    return f"; it holds dates, which {command('drift', '--by', by)} follows"


def natural(text: str) -> tuple[list[tuple[int, float, str]], str]:
    """Return a key that sorts texts so that numbers within them are in the order of their values.

    Examples
    --------
    >>> sorted(["batch 10", "batch 2", "batch 1"], key=natural)
    ['batch 1', 'batch 2', 'batch 10']
    """
    parts = re.split(r"(\d+)", text.casefold())
    return [
        (0, float(part), "") if part.isdecimal() else (1, 0.0, part) for part in parts if part
    ], text


def _is_nothing(value: object) -> bool:
    return value is None or value == "" or value != value
