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
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.schema import validate

Integers = NDArray[np.integer[Any]]

_COUNTABLE = 1 << 22  # keys up to here are counted in a table, larger ones sorted
_KEY_BITS = 62


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


@dataclass(frozen=True)
class Patterns:
    """Distinct rows of codes.

    Attributes
    ----------
    codes : array (pattern, place)
        The rows: a place is an annotator, or one of an item's ratings in order of code.
    count : array (pattern,)
        How many items (their weight) show the pattern.
    first : array (pattern,)
        A row that shows it.
    pattern_of : array (row,)
        The pattern of each row.
    """

    codes: Integers
    count: NDArray[np.float64]
    first: NDArray[np.intp]
    pattern_of: NDArray[np.intp]


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
    rows = codes.codes
    return _patterns(_row_keys(rows, codes.distinct + 1), rows, weight)


def exchangeable_patterns(codes: Codes, weight: NDArray[np.float64] | None = None) -> Patterns:
    """Items with the same codes, by whomever; ratings of a pattern stand in order, gaps last."""
    rows = codes.codes
    places = rows.shape[1]
    if codes.distinct * math.log2(places + 1) < _KEY_BITS:
        # the number of ratings with each code, as digits of one number
        powers = (places + 1) ** np.arange(codes.distinct + 1, dtype=np.int64)
        powers = np.concatenate([powers[:-1], [0]])  # code -1 reads the last one
        keys = powers[rows].sum(axis=1)
        found = _patterns(keys, rows, weight)
        ordered = _in_order(found.codes)
    else:
        in_order = _in_order(rows)
        found = _patterns(_row_keys(in_order, codes.distinct + 1), in_order, weight)
        ordered = found.codes
    return Patterns(ordered, found.count, found.first, found.pattern_of)


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
    places = np.argsort(codes.codes[found.first] < 0, axis=1, kind="stable")
    # the codes of a pattern in order, read off the row that shows it
    shown_codes = np.take_along_axis(codes.codes[found.first], places, axis=1)
    order = np.argsort(
        np.where(shown_codes < 0, codes.distinct, shown_codes), axis=1, kind="stable"
    )
    places = np.take_along_axis(places, order, axis=1)
    used = int((found.codes >= 0).sum(axis=1).max())
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
    both = both.assign_coords(item=np.arange(both.sizes["item"]))
    return compress(both, exchangeable=bool(one.attrs.get("anonymous", 0)))


def item_weights(ratings: xr.Dataset) -> NDArray[np.float64]:
    """For how many items each row stands."""
    if "item_weight" in ratings.variables:
        return np.asarray(ratings.variables["item_weight"].values, dtype=np.float64)
    return np.ones(ratings.sizes["item"])


def _in_order(rows: Integers) -> Integers:
    """Codes of each row ascending, gaps last."""
    ordered = np.sort(rows, axis=1)
    gaps = (ordered < 0).sum(axis=1)
    places = np.arange(rows.shape[1])
    return np.take_along_axis(ordered, (places[None, :] + gaps[:, None]) % rows.shape[1], axis=1)


def _row_keys(rows: Integers, base: int) -> Integers:
    """One number a row, in the order of the rows; gaps (-1) count as the highest digit."""
    keys = np.zeros(len(rows), dtype=np.int64)
    largest = 0
    for column in rows.T:
        if (largest + 1) * base >= 1 << _KEY_BITS:
            distinct, keys = np.unique(keys, return_inverse=True)
            largest = len(distinct) - 1
        digit = column.astype(np.int64)
        digit[digit < 0] = base - 1
        keys = keys * base + digit
        largest = largest * base + base - 1
    return keys


def _patterns(keys: Integers, rows: Integers, weight: NDArray[np.float64] | None) -> Patterns:
    largest = int(keys.max(initial=0))
    if largest < _COUNTABLE:
        present = np.zeros(largest + 1, dtype=bool)
        present[keys] = True
        number = np.cumsum(present) - 1
        pattern_of = number[keys]
        first = np.empty(int(present.sum()), dtype=np.intp)
        first[pattern_of[::-1]] = np.arange(len(keys))[::-1]
    else:
        _, first, pattern_of = np.unique(keys, return_index=True, return_inverse=True)
    count = np.bincount(pattern_of, weights=weight, minlength=len(first)).astype(np.float64)
    return Patterns(rows[first], count, first, pattern_of)


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
    return bare.assign(item_weight=("item", item_weights(ratings)))


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
