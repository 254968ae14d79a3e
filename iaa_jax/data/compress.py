"""Repeated rating patterns as one row with a count.

Every rating gets a code (single labels have one already; a primary and secondary pair, a label set
or a number is coded by its distinct values). Items with the same codes by the same annotators are
one *identified* pattern. Where it does not matter who said what, items with the same codes are one
*exchangeable* pattern. Compressed ratings are ratings again, with `item_weight`, and merging two of
them is associative, so that parts of a large data set can be compressed apart and then merged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.schema import validate
from iaa_jax.data.storage import label_memory

Integers = NDArray[np.integer[Any]]

_COUNTABLE = 1 << 22  # keys up to here are counted in a table, larger ones sorted
_KEY_BITS = 62
_EXACT_BITS = 53
_SMALL_BITS = 24


@dataclass(frozen=True)
class Codes:
    """One whole number a rating, -1 where there is none.

    Attributes
    ----------
    codes : array (item, annotator)
        Index of the rating's value among the distinct ones.
    distinct : int
        How many values there can be.
    """

    codes: Integers
    distinct: int


class Patterns:
    """Distinct rows of codes; where each row went is worked out when asked for.

    Attributes
    ----------
    codes : array (pattern, place)
        The rows: a place is an annotator, or one of an item's ratings in order of code.
    count : array (pattern,)
        How many items (their weight) show the pattern.
    """

    def __init__(
        self, codes: Integers, count: NDArray[np.float64], keys: Integers, present: Integers
    ) -> None:
        self.codes = codes
        self.count = count
        self._keys = keys
        self._present = present

    @cached_property
    def pattern_of(self) -> NDArray[np.intp]:
        """The pattern of each row."""
        largest = int(self._present[-1]) if len(self._present) else 0
        if largest >= _COUNTABLE:
            return np.searchsorted(self._present, self._keys)
        number = np.zeros(largest + 1, dtype=np.intp)
        number[self._present] = np.arange(len(self._present))
        return number[self._keys]

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """A row that shows each pattern."""
        first = np.empty(len(self.codes), dtype=np.intp)
        first[self.pattern_of[::-1]] = np.arange(len(self.pattern_of))[::-1]
        return first


def rating_codes(ratings: xr.Dataset) -> Codes:
    """One code a rating, whatever the task."""
    task = ratings.attrs["task"]
    if task == "single":
        return Codes(ratings.variables["primary"].values, ratings.sizes["label"])
    if task == "primary_secondary":
        primary = ratings.variables["primary"].values.astype(np.int64)
        secondary = ratings.variables["secondary"].values
        width = ratings.sizes["label"] + 1
        codes = np.where(primary < 0, -1, primary * width + secondary + 1)
        return Codes(codes, ratings.sizes["label"] * width)
    if task == "value":
        value = ratings.variables["value"].values
        return _coded_rows(value[..., None], ~np.isnan(value))
    mass = ratings.variables["mass"].values
    return _coded_rows(mass, ~np.isnan(mass[..., 0]))


def identified_patterns(codes: Codes, weight: NDArray[np.float64] | None = None) -> Patterns:
    """Items with the same codes by the same annotators."""
    rows, base = codes.codes, codes.distinct + 1
    places = rows.shape[1]
    if places * math.log2(base) >= _EXACT_BITS:
        keys = _row_keys(rows, base)
        present, first, count = _distinct(keys, weight)
        return Patterns(rows[first], count, keys, present)
    # a row as the digits of one number, gaps 0; exact in floating point, where products are fast
    dtype = np.float32 if places * math.log2(base) < _SMALL_BITS else np.float64
    powers = float(base) ** np.arange(places - 1, -1, -1)
    digits = np.add(rows, 1, dtype=dtype)
    keys = (digits @ powers.astype(dtype)).astype(np.int64)
    if int(keys.max(initial=0)) < _COUNTABLE:
        present, count = _counted(keys, weight)
    else:
        present, _, count = _distinct(keys, weight)
    found = (present[:, None] // powers.astype(np.int64)) % base - 1
    return Patterns(found.astype(rows.dtype), count, keys, present)


def exchangeable_patterns(codes: Codes, weight: NDArray[np.float64] | None = None) -> Patterns:
    """Items with the same codes, by whomever; ratings of a pattern stand in order, gaps last."""
    rows = _in_order(codes.codes)
    # as many places as the largest panel: among many annotators few rate the same item
    used = max(int(np.count_nonzero((rows >= 0).any(axis=0))), 1)
    return identified_patterns(Codes(rows[:, :used], codes.distinct), weight)


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
    >>> iaa.compress(ratings).item_weight.values
    array([2., 1.])
    >>> iaa.compress(ratings, exchangeable=True).item_weight.values
    array([3.])
    """
    validate(ratings)
    weight = item_weights(ratings)
    codes = rating_codes(ratings)
    if not exchangeable:
        found = identified_patterns(codes, weight)
        return _of_patterns(ratings, found)
    found = exchangeable_patterns(codes, weight)
    # the places of a pattern's codes in order, gaps last, in the row that shows it
    rows = codes.codes[found.first]
    places = np.argsort(np.where(rows < 0, codes.distinct, rows), axis=1, kind="stable")
    used = found.codes.shape[1]
    compressed = _of_patterns(ratings, found, places[:, :used])
    names = np.array([f"rating {place + 1}" for place in range(used)], dtype=object)
    compressed = compressed.assign_coords(annotator=names)
    compressed.attrs["anonymous"] = 1
    return compressed


def merge(one: xr.Dataset, other: xr.Dataset) -> xr.Dataset:
    """Two parts of the same ratings as one compressed table; associative.

    Parameters
    ----------
    one, other : xarray.Dataset
        Ratings of the same task, compressed or not. Labels must be the same if declared; else
        those of both are taken, in their usual order. Annotators are matched by name.

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
    names = list(one.annotator.values)
    names += [name for name in other.annotator.values if name not in set(names)]
    parts = [_with_annotators(part, names) for part in parts]
    both = xr.concat(parts, dim="item", coords="minimal", compat="override", join="override")
    both.attrs = dict(one.attrs)
    if "label_order" in both.attrs:
        both.attrs["label_order"] = label_memory(both["label"].values)
    both = both.assign_coords(item=np.arange(both.sizes["item"]))
    return compress(both, exchangeable=bool(one.attrs.get("anonymous", 0)))


def item_weights(ratings: xr.Dataset) -> NDArray[np.float64] | None:
    """For how many items each row stands; None where each is one."""
    if "item_weight" not in ratings.variables:
        return None
    return np.asarray(ratings.variables["item_weight"].values, dtype=np.float64)


def _in_order(rows: Integers) -> Integers:
    """Codes of each row ascending, gaps last."""
    ordered = np.sort(rows, axis=1)
    gaps = (ordered < 0).sum(axis=1)
    places = np.arange(rows.shape[1])
    return np.take_along_axis(ordered, (places[None, :] + gaps[:, None]) % rows.shape[1], axis=1)


def _row_keys(rows: Integers, base: int) -> Integers:
    """One number a row, in the order of the rows; gaps (-1) count as the lowest digit."""
    keys = np.zeros(len(rows), dtype=np.int64)
    largest = 0
    for column in rows.T:
        if (largest + 1) * base >= 1 << _KEY_BITS:
            distinct, keys = np.unique(keys, return_inverse=True)
            largest = len(distinct) - 1
        keys = keys * base + column + 1
        largest = largest * base + base - 1
    return keys


def _counted(
    keys: Integers, weight: NDArray[np.float64] | None
) -> tuple[Integers, NDArray[np.float64]]:
    """Small keys that occur, and the weight of each."""
    times = np.bincount(keys)
    present = np.flatnonzero(times)
    count = times if weight is None else np.bincount(keys, weights=weight)
    return present, count[present].astype(np.float64)


def _distinct(
    keys: Integers, weight: NDArray[np.float64] | None
) -> tuple[Integers, NDArray[np.intp], NDArray[np.float64]]:
    """Keys that occur, a row of each, and the weight of each."""
    present, first, number = np.unique(keys, return_index=True, return_inverse=True)
    count = np.bincount(number, weights=weight, minlength=len(present))
    return present, first, count.astype(np.float64)


def _coded_rows(vectors: NDArray[np.float64], known: NDArray[np.bool_]) -> Codes:
    """Code each rating's vector of numbers by the distinct ones, in lexicographic order."""
    codes = np.full(known.shape, -1, dtype=np.int64)
    # -0.0 and 0.0 are one number
    distinct, inverse = np.unique(vectors[known] + 0.0, axis=0, return_inverse=True)
    codes[known] = inverse.reshape(-1)
    return Codes(codes, len(distinct))


def _of_patterns(
    ratings: xr.Dataset, found: Patterns, places: Integers | None = None
) -> xr.Dataset:
    """The ratings Dataset of the patterns, annotators optionally rearranged within each."""
    variables: dict[str, Any] = {}
    for name in ("primary", "secondary", "value", "mass"):
        if name in ratings.variables:
            values = ratings.variables[name].values[found.first]
            if places is not None:
                index = places[..., None] if values.ndim == 3 else places
                values = np.take_along_axis(values, index, axis=1)
            variables[name] = (("item", "annotator", "label")[: values.ndim], values)
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
    return xr.Dataset(variables, coords, dict(ratings.attrs))


def _bare(ratings: xr.Dataset) -> xr.Dataset:
    """Storage and weight alone."""
    validate(ratings)
    kept = [name for name in ("primary", "secondary", "value", "mass") if name in ratings]
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
    if "mass" in ratings:
        stored = ratings["mass"].values
        spread = np.zeros((*stored.shape[:2], len(labels)))
        spread[..., moved] = stored
        spread[np.isnan(stored[..., 0])] = np.nan
        recoded: dict[str, Any] = {"mass": (("item", "annotator", "label"), spread)}
    else:
        lookup = np.append(moved, -1).astype(np.int32)
        recoded = {
            name: (("item", "annotator"), lookup[ratings[name].values])
            for name in ("primary", "secondary")
            if name in ratings
        }
    kept = ratings.drop_vars(["label", *recoded])
    return kept.assign(recoded).assign_coords(label=labels)


def _with_annotators(ratings: xr.Dataset, names: list[Any]) -> xr.Dataset:
    missing = {"primary": -1, "secondary": -1, "value": np.nan, "mass": np.nan}
    fill = {name: value for name, value in missing.items() if name in ratings}
    return ratings.reindex(annotator=names, fill_value=fill)
