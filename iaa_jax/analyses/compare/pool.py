"""Two sets of ratings on one table: the same labels, and a place for each annotator.

Where both stand on one table of patterns, each set is a row of weights on it, and so is any
exchange of items between them. Labels are then the same, and as many, for both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.assemble import wrapped
from iaa_jax.data.labels import Labelled, label_array
from iaa_jax.data.slots import arranged, slotted
from iaa_jax.data.storage import TASKS, annotator_of, rated, stored, weight_of, with_coding

Places = NDArray[np.intp]

_KINDS = {
    "single": "one label a rating",
    "primary_secondary": "a primary and a secondary label",
    "multi_label": "label sets",
    "soft": "shares of labels",
    "value": "numbers without labels",
}


class Labels(NamedTuple):
    """The labels of both sets in one order, and where each set's own labels went."""

    values: NDArray[Any]
    declared: bool
    ordered: bool
    of_a: Places
    of_b: Places


@dataclass(frozen=True)
class Pool:
    """The items of A, and then those of B, as ratings of one set.

    Attributes
    ----------
    ratings : xarray.Dataset
        All of them, by the annotators who gave any. One that both sets know has one place; of the
        others the first of A shares its place with the first of B, and so on.
    items_of_a : int
        Rows that belong to A.
    in_a, in_b : array (annotator,)
        1 where the place holds an annotator of the set.
    by_name : bool
        Whether places were shared by name alone.
    shared_names : int
        Annotators of either set with a name that stands in the other.
    """

    ratings: xr.Dataset
    items_of_a: int
    in_a: NDArray[np.float64]
    in_b: NDArray[np.float64]
    by_name: bool
    shared_names: int

    @property
    def same_places(self) -> bool:
        """Whether every place holds an annotator of either set."""
        return bool(self.in_a.all() and self.in_b.all())


def pooled(a: xr.Dataset, b: xr.Dataset) -> Pool:
    """Put two sets of ratings on one table."""
    a, b, task = _of_one_kind(a, b)
    anonymous = bool(a.attrs.get("anonymous", 0) or b.attrs.get("anonymous", 0))
    if anonymous:
        a, b = _without_names(a), _without_names(b)
    raters = [_raters(one) for one in (a, b)]
    known_a, known_b = (
        stored(one, "annotator")[own] for one, own in zip((a, b), raters, strict=True)
    )
    places, names, by_name = _places(known_a, known_b)
    labels = None if task == "value" else common_labels(a, b)
    by_slot = "annotator_of" in a.variables or "annotator_of" in b.variables
    whose = None
    if by_slot:
        a = _in_slots(a, _spread(np.arange(len(known_a)), raters[0]))
        b = _in_slots(b, _spread(places, raters[1]))
        whose = _stacked(stored(a, "annotator_of"), stored(b, "annotator_of"), np.int32(-1))
    grids = {}
    for name in TASKS[task]:
        one, other = stored(a, name), stored(b, name)
        if labels is not None:
            one = _relabelled(one, labels.of_a, len(labels.values))
            other = _relabelled(other, labels.of_b, len(labels.values))
        if not by_slot:
            one = _placed(one[:, raters[0]], np.arange(len(known_a)), len(names))
            other = _placed(other[:, raters[1]], places, len(names))
        empty: Any = np.nan if one.dtype.kind == "f" else one.dtype.type(-1)
        grids[name] = _stacked(one, other, empty)
    weights = weight_of(a), weight_of(b)
    weight = None
    if weights[0] is not None or weights[1] is not None:
        sizes = a.sizes["item"], b.sizes["item"]
        weight = np.concatenate(
            [np.ones(n) if one is None else one for one, n in zip(weights, sizes, strict=True)]
        )
    ratings = wrapped(
        grids,
        np.arange(a.sizes["item"] + b.sizes["item"]),
        names,
        task=task,
        labelled=None
        if labels is None
        else Labelled((), labels.values, labels.declared, labels.ordered),
        item_weight=weight,
        annotator_of=whose,
        anonymous=anonymous,
    )
    in_a, in_b = np.zeros(len(names)), np.zeros(len(names))
    in_a[: len(known_a)] = 1.0
    in_b[places] = 1.0
    shared = {str(one) for one in known_a.tolist()} & {str(one) for one in known_b.tolist()}
    return Pool(ratings, a.sizes["item"], in_a, in_b, by_name, 0 if anonymous else len(shared))


def common_labels(a: xr.Dataset, b: xr.Dataset) -> Labels:
    """The labels of both sets, in an order that neither contradicts."""
    one, other = stored(a, "label").tolist(), stored(b, "label").tolist()
    if _numbers(one) != _numbers(other):
        one, other = [str(label) for label in one], [str(label) for label in other]
    declared = [bool(ratings.attrs.get("labels_declared", 0)) for ratings in (a, b)]
    if all(declared):
        _refuse_other_order(one, other)
    together = {*one, *other}
    numbers = _numbers([*one, *other])
    ordered = True
    if numbers and all(labels == sorted(labels) for labels in (one, other)):
        values = sorted(together)
    elif declared[0] and together == {*one}:
        values = one
    elif declared[1] and together == {*other}:
        values = other
    elif not any(declared):
        values, ordered = sorted(together, key=None if numbers else str), numbers
    else:
        first, second = (one, other) if declared[0] else (other, one)
        values, ordered = _merged(first, second, both=all(declared)), False
    place = {label: index for index, label in enumerate(values)}
    return Labels(
        label_array(values),
        any(declared),
        ordered,
        np.array([place[label] for label in one], dtype=np.intp),
        np.array([place[label] for label in other], dtype=np.intp),
    )


def _numbers(labels: list[Any]) -> bool:
    return all(isinstance(label, (int, float)) for label in labels)


def _refuse_other_order(one: list[Any], other: list[Any]) -> None:
    common = [label for label in one if label in other]
    turned = [label for label in other if label in one]
    if common != turned:
        message = (
            f"the labels stand in another order in the two sets: {shown(common, 12)} in A, "
            f"{shown(turned, 12)} in B; give both the same labels=, from lowest to highest"
        )
        raise IaaError(message)


def _merged(first: list[Any], second: list[Any], *, both: bool) -> list[Any]:
    """The labels of the first, each of the second's own before the next that they share."""
    if not both:
        return [*first, *sorted((label for label in second if label not in first), key=str)]
    values, waiting = [], list(second)
    for label in first:
        if label in waiting:
            stop = waiting.index(label)
            values += waiting[:stop]
            del waiting[: stop + 1]
        values.append(label)
    return values + waiting


def _of_one_kind(a: xr.Dataset, b: xr.Dataset) -> tuple[xr.Dataset, xr.Dataset, str]:
    """Both with the same storage; single labels are primary ones without a second."""
    one, other = str(a.attrs["task"]), str(b.attrs["task"])
    if one == other:
        return a, b, one
    if {one, other} == {"single", "primary_secondary"}:
        return _with_secondary(a), _with_secondary(b), "primary_secondary"
    message = (
        f"the two sets hold different kinds of ratings: A {_KINDS[one]}, B {_KINDS[other]}; read "
        "both in the same way"
    )
    raise IaaError(message)


def _with_secondary(ratings: xr.Dataset) -> xr.Dataset:
    if ratings.attrs["task"] == "primary_secondary":
        return ratings
    none = xr.full_like(ratings["primary"], -1)
    return ratings.assign(secondary=none).assign_attrs(task="primary_secondary")


def _without_names(ratings: xr.Dataset) -> xr.Dataset:
    """The ratings of an item side by side, by whomever."""
    if ratings.attrs.get("anonymous", 0):
        return ratings
    part = ratings if "annotator_of" in ratings.variables else slotted(ratings)
    slots = part.sizes["slot"]
    part = part.drop_vars([name for name, one in part.variables.items() if "annotator" in one.dims])
    part = part.drop_vars("annotator_of").rename_dims(slot="annotator")
    part.attrs = {
        name: value
        for name, value in part.attrs.items()
        if name not in ("slots", "annotator_order")
    }
    names = np.array([f"rating {place}" for place in range(1, slots + 1)], dtype=object)
    return with_coding(part.assign_coords(annotator=names).assign_attrs(anonymous=1))


def _raters(ratings: xr.Dataset) -> NDArray[np.bool_]:
    """Which annotators gave any rating."""
    given, whose = rated(ratings), annotator_of(ratings)
    if whose is None:
        return np.asarray(given.any(axis=0))
    return np.bincount(whose[given], minlength=ratings.sizes["annotator"]) > 0


def _spread(places: NDArray[np.intp], raters: NDArray[np.bool_]) -> Places:
    """The place of each annotator, -1 for those without ratings."""
    found = np.full(len(raters), -1, dtype=np.intp)
    found[raters] = places
    return found


def _places(one: NDArray[Any], other: NDArray[Any]) -> tuple[Places, NDArray[Any], bool]:
    """The place of each of B's annotators along the common axis, which begins with A's."""
    known = {str(name): place for place, name in enumerate(one.tolist())}
    found = [known.get(str(name), -1) for name in other.tolist()]
    taken = {place for place in found if place >= 0}
    free = [place for place in range(len(one)) if place not in taken]
    alone = [place for place, where in enumerate(found) if where < 0]
    names = [str(name) for name in one.tolist()]
    for position, place in enumerate(alone):
        if position < len(free):
            found[place] = free[position]
            continue
        found[place] = len(names)
        names.append(str(other[place]))
    labels = np.empty(len(names), dtype=object)
    labels[:] = names
    return np.array(found, dtype=np.intp), labels, not (free and alone)


def _in_slots(ratings: xr.Dataset, places: Places) -> xr.Dataset:
    """Ratings by slot, with other numbers for the annotators."""
    part = ratings if "annotator_of" in ratings.variables else slotted(ratings)
    # the last entry answers for the empty slots
    whose = np.append(places, -1).astype(np.int32)[stored(part, "annotator_of")]
    return arranged(part.assign(annotator_of=(("item", "slot"), whose)))


def _relabelled(grid: NDArray[Any], places: Places, labels: int) -> NDArray[Any]:
    if grid.dtype.kind != "f":
        dtype = next(t for t in (np.int8, np.int16, np.int32) if labels <= np.iinfo(t).max)
        return np.append(places, -1).astype(dtype)[grid]
    spread = np.zeros((*grid.shape[:2], labels))
    spread[..., places] = grid
    spread[np.isnan(grid[..., 0])] = np.nan
    return spread


def _placed(grid: NDArray[Any], places: Places, size: int) -> NDArray[Any]:
    empty = np.nan if grid.dtype.kind == "f" else -1
    placed = np.full((len(grid), size, *grid.shape[2:]), empty, dtype=grid.dtype)
    placed[:, places] = grid
    return placed


def _stacked(one: NDArray[Any], other: NDArray[Any], empty: Any) -> NDArray[Any]:
    """Rows of both, filled up to the wider."""
    width = max(one.shape[1], other.shape[1])
    parts = []
    for grid in (one, other):
        missing = [(0, 0)] * grid.ndim
        missing[1] = (0, width - grid.shape[1])
        parts.append(np.pad(grid, missing, constant_values=empty))
    return np.concatenate(parts)
