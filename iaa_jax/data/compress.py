"""Ratings as their distinct patterns with counts, and the union of two such tables.

Compressed ratings are ratings again, with `item_weight`, and merging two of them is associative, so
that parts of a large data set can be compressed apart and then merged.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.patterns import (
    Codes,
    Integers,
    Patterns,
    by_slot,
    exchangeable_patterns,
    identified_patterns,
    item_weights,
    rating_codes,
)
from iaa_jax.data.schema import validate
from iaa_jax.data.slots import arranged, gridded, ruled, slotted, wants_slots
from iaa_jax.data.storage import (
    STORAGES,
    annotator_of,
    label_memory,
    place_dim,
    rated,
    stored,
    with_coding,
)

__all__ = [
    "Codes",
    "Patterns",
    "by_slot",
    "compress",
    "exchangeable_patterns",
    "identified_patterns",
    "item_weights",
    "merge",
    "rating_codes",
]


def compress(ratings: xr.Dataset, *, exchangeable: bool = False) -> xr.Dataset:
    """The distinct rating patterns of the ratings, with the number of items in `item_weight`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings; coordinates along `item` are left behind.
    exchangeable : bool
        Whether it does not matter which annotator gave which rating: fewer patterns, and anonymous
        annotators.

    Returns
    -------
    xarray.Dataset
        Ratings whose items are patterns. Every coefficient is the same on them (with
        ``exchangeable`` those that do not need to know the annotators).

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "b"], ["b", "a"], ["a", "b"]])
    >>> iaa.data.compress(ratings).item_weight.values
    array([2., 1.])
    >>> iaa.data.compress(ratings, exchangeable=True).item_weight.values
    array([3.])
    """
    validate(ratings)
    weight = item_weights(ratings)
    if not exchangeable:
        found = identified_patterns(rating_codes(ratings), weight)
        compressed = _of_patterns(ratings, found)
        return compressed if annotator_of(compressed) is None else arranged(compressed)
    # few ratings an item are put in order faster than a row of gaps
    ratings = ruled(ratings)
    codes = rating_codes(ratings)
    found = exchangeable_patterns(codes, weight)
    # the places of a pattern's codes in order, gaps last, in the row that shows it
    rows = codes.codes[found.first]
    places = np.argsort(np.where(rows < 0, codes.distinct, rows), axis=1, kind="stable")
    used = found.codes.shape[1]
    compressed = _of_patterns(ratings, found, places[:, :used])
    names = np.array([f"rating {place + 1}" for place in range(used)], dtype=object)
    compressed = compressed.assign_coords(annotator=names)
    compressed.attrs["anonymous"] = 1
    for attribute in ("slots", "annotator_order"):
        compressed.attrs.pop(attribute, None)
    return with_coding(compressed)


def merge(one: xr.Dataset, other: xr.Dataset) -> xr.Dataset:
    """Two parts of the same ratings as one compressed table; associative.

    Parameters
    ----------
    one, other : xarray.Dataset
        Ratings of the same task, compressed or not. Labels must be the same if declared; else
        those of both are taken, in their usual order. Annotators are matched by name. One part
        may be kept by slot and the other not; the result is kept as its size asks for.

    Returns
    -------
    xarray.Dataset
        Compressed ratings with the patterns of both and the sums of their counts.

    Raises
    ------
    IaaError
        If tasks or declared labels differ, or one part is anonymous and the other is not.
    """
    for attribute in ("task", "anonymous"):
        if one.attrs.get(attribute) != other.attrs.get(attribute):
            message = (
                f"cannot merge ratings whose {attribute} differs: "
                f"{one.attrs.get(attribute)!r} and {other.attrs.get(attribute)!r}"
            )
            raise IaaError(message)
    parts = [_bare(one), _bare(other)]
    if one.attrs["task"] != "value":
        labels = _merged_labels(one, other)
        parts = [_with_labels(part, labels) for part in parts]
    names = [*one.annotator.values]
    known = set(names)
    names += [name for name in other.annotator.values if name not in known]
    parts = _alike(parts, names)
    both = xr.concat(parts, dim="item", coords="minimal", compat="override", join="override")
    both.attrs = dict(parts[0].attrs)
    if "label_order" in both.attrs:
        both.attrs["label_order"] = label_memory(both["label"].values)
    if annotator_of(both) is not None:
        both = arranged(both)
    both = with_coding(both.assign_coords(item=np.arange(both.sizes["item"])))
    return compress(both, exchangeable=bool(one.attrs.get("anonymous", 0)))


def _of_patterns(
    ratings: xr.Dataset, found: Patterns, places: Integers | None = None
) -> xr.Dataset:
    """The ratings Dataset of the patterns, annotators optionally rearranged within each."""
    variables: dict[str, Any] = {}
    place = "annotator" if places is not None else place_dim(ratings)
    for name in (*STORAGES, *(("annotator_of",) if place == "slot" else ())):
        if name in ratings.variables:
            values = ratings.variables[name].values[found.first]
            if places is not None:
                index = places[..., None] if values.ndim == 3 else places
                values = np.take_along_axis(values, index, axis=1)
            variables[name] = (("item", place, "label")[: values.ndim], values)
    variables["item_weight"] = ("item", found.count)
    kept = ("label",) if places is not None else ("label", "annotator")
    coords: dict[Any, Any] = {
        name: ratings.coords[name].variable for name in kept if name in ratings.coords
    }
    if places is None:
        for free, coordinate in ratings.coords.items():
            if coordinate.dims == ("annotator",):
                coords[str(free)] = coordinate.variable
    coords["item"] = np.arange(len(found.count))
    return with_coding(xr.Dataset(variables, coords, dict(ratings.attrs)))


def _bare(ratings: xr.Dataset) -> xr.Dataset:
    """Storage and weight alone."""
    validate(ratings)
    kept = [name for name in (*STORAGES, "annotator_of") if name in ratings]
    bare = ratings[kept].reset_coords(drop=True)
    axes = [name for name in ("item", "annotator", "label") if name in ratings.coords]
    bare = bare.assign_coords({name: (name, ratings[name].values) for name in axes})
    weight = item_weights(ratings)
    ones = np.ones(ratings.sizes["item"])
    return bare.assign(item_weight=("item", ones if weight is None else weight))


def _merged_labels(one: xr.Dataset, other: xr.Dataset) -> NDArray[Any]:
    first, second = one.label.values, other.label.values
    if len(first) == len(second) and all(a == b for a, b in zip(first, second, strict=True)):
        return first
    if one.attrs.get("labels_declared") or other.attrs.get("labels_declared"):
        message = (
            "cannot merge ratings whose declared labels differ: "
            f"{shown(first.tolist())} against {shown(second.tolist())}"
        )
        raise IaaError(message)
    if first.dtype.kind == "O" or second.dtype.kind == "O":
        merged = sorted({str(label) for label in (*first.tolist(), *second.tolist())})
        return np.array(merged, dtype=object)
    return np.union1d(first, second)


def _with_labels(ratings: xr.Dataset, labels: NDArray[Any]) -> xr.Dataset:
    own = ratings.label.values
    text = labels.dtype.kind == "O"
    place = {label: index for index, label in enumerate(labels.tolist())}
    moved = np.array([place[str(label) if text else label] for label in own.tolist()])
    dims = ("item", place_dim(ratings), "label")
    if "mass" in ratings:
        mass = stored(ratings, "mass")
        spread = np.zeros((*mass.shape[:2], len(labels)))
        spread[..., moved] = mass
        spread[np.isnan(mass[..., 0])] = np.nan
        recoded: dict[str, Any] = {"mass": (dims, spread)}
    else:
        lookup = np.append(moved, -1).astype(np.int32)
        recoded = {
            name: (dims[:2], lookup[ratings[name].values])
            for name in ("primary", "secondary")
            if name in ratings
        }
    kept = ratings.drop_vars(["label", *recoded])
    return kept.assign(recoded).assign_coords(label=labels)


def _alike(parts: list[xr.Dataset], names: list[Any]) -> list[xr.Dataset]:
    """The parts with the same annotators, in one form and of one width."""
    empty: dict[str, float] = dict.fromkeys(("primary", "secondary", "annotator_of"), -1)
    empty |= dict.fromkeys(("value", "mass"), np.nan)
    empty = {name: value for name, value in empty.items() if name in parts[0] or name in parts[1]}
    largest = max(int(np.count_nonzero(rated(part), axis=1).max(initial=0)) for part in parts)
    anonymous = parts[0].attrs.get("anonymous", 0)
    if anonymous or not wants_slots(len(names), largest):
        grids = [part if annotator_of(part) is None else gridded(part) for part in parts]
        empty.pop("annotator_of", None)
        return [part.reindex(annotator=names, fill_value=empty) for part in grids]
    position = {name: place for place, name in enumerate(names)}
    whole = all(isinstance(name, (int, np.integer)) for name in names)
    coordinate = np.array(names, dtype=np.int64 if whole else object)
    alike = []
    for part in parts:
        kept = slotted(part) if annotator_of(part) is None else part
        moved = [position[name] for name in kept.annotator.values]
        # the last entry answers for the empty slots
        places = np.array([*moved, -1], dtype=np.int32)[stored(kept, "annotator_of")]
        kept = kept.assign(annotator_of=(("item", "slot"), places)).drop_vars("annotator")
        kept = kept.pad(slot=(0, max(largest - kept.sizes["slot"], 0)), constant_values=empty)
        alike.append(kept.isel(slot=slice(largest)).assign_coords(annotator=coordinate))
    return alike
