"""Compress ratings to distinct patterns with counts, and merge compressed ratings.

A pattern is a set of items with the same ratings, kept once with the number of items. Compressed
ratings are also ratings, with the counts as `item_weight`. Merging is associative, so that the
parts of a large data set can be compressed one by one and then merged.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import reduce

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._checks import check_kind, check_names
from iaa_jax._errors import IaaError, shown, suggestion
from iaa_jax._types import Integers
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.checks import check
from iaa_jax.data.coordinates import item_coordinates, refuse_of_ratings
from iaa_jax.data.joining import concatenate
from iaa_jax.data.patterns import (
    Patterns,
    exchangeable_patterns,
    identified_patterns,
    rating_codes,
)
from iaa_jax.data.slots import by_code, sort_slots, to_usual_form
from iaa_jax.data.storage import (
    OF_MARKINGS,
    OF_SLOTS,
    STORAGES,
    annotator_of,
    rating_dim,
    task_of,
    weight_of,
    with_coding,
)
from iaa_jax.data.votes import refuse_votes

KEPT_APART = "kept_apart"
"""Attribute with the names, as JSON, of the coordinates whose values separate patterns."""

PATTERNS = "patterns"
"""Attribute with a digest of compressed ratings, since their rows have no names to compare.

If two sets of ratings have the same digest, they have the same patterns in the same rows.
"""


def compress(
    ratings: xr.Dataset,
    *,
    anonymous: bool = False,
    by: str | Sequence[str] | None = None,
) -> xr.Dataset:
    """Compress ratings: items with the same ratings are kept once, as a pattern with a count.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, or spans. No item needs two ratings, since the data may be a part of a larger set.
        Coordinates along `item` are dropped, except those in ``by``.
    anonymous : bool
        Whether to ignore who gave which rating, which leaves fewer patterns. This is not possible
        if annotators have several votes on an item.
    by : str or sequence of str, optional
        Coordinates along `item` to keep, such as a document or a batch. Items with the same ratings
        but different values of these coordinates are separate patterns.

    Returns
    -------
    xarray.Dataset
        Ratings whose items are patterns; `item_weight` is the number of items with each pattern.
        Every coefficient is the same as on the original ratings (if ``anonymous``, every
        coefficient that does not need to know who rated).

    Raises
    ------
    IaaError
        If ``by`` is not a coordinate along items, or the ratings are invalid or empty.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "b"], ["b", "a"], ["a", "b"]])
    >>> iaa.data.compress(ratings).item_weight.values
    array([2., 1.])
    >>> iaa.data.compress(ratings, anonymous=True).item_weight.values
    array([3.])
    >>> batches = ratings.assign_coords(batch=("item", [1, 1, 2]))
    >>> iaa.data.compress(batches, by="batch").item_weight.to_series().values
    array([1., 1., 1.])
    """
    check_kind("anonymous", anonymous, bool)
    ratings = span_ratings(ratings)
    check(ratings, pairable=False)
    by = () if by is None else by
    check_names("by", by)
    names = [by] if isinstance(by, str) else list(by)
    if anonymous:
        refuse_votes(ratings, "annotators cannot be ignored if each may count only once")
    ratings = by_code(ratings, rating_codes)
    weight = weight_of(ratings)
    groups = _groups(ratings, names)
    if not anonymous:
        patterns = _split(identified_patterns(rating_codes(ratings), weight), groups, weight)
        compressed = _with_groups(_pattern_ratings(ratings, patterns), ratings, patterns, names)
        compressed = marked(compressed)
        return compressed if annotator_of(compressed) is None else sort_slots(compressed)
    # slots of few ratings per item sort faster than rows with many gaps
    ratings = to_usual_form(ratings)
    codes = rating_codes(ratings)
    patterns = _split(exchangeable_patterns(codes, weight), groups, weight)
    # in the first row of each pattern, sort the columns by code, with gaps last
    rows = codes.codes[patterns.first]
    slots = np.argsort(np.where(rows < 0, codes.distinct, rows), axis=1, kind="stable")
    used = patterns.codes.shape[1]
    compressed = _pattern_ratings(ratings, patterns, slots[:, :used])
    places = np.array([f"rating {index + 1}" for index in range(used)], dtype=object)
    compressed = compressed.assign_coords(annotator=places)
    compressed.attrs["anonymous"] = 1
    for attribute in OF_SLOTS:
        compressed.attrs.pop(attribute, None)
    return marked(_with_groups(with_coding(compressed), ratings, patterns, names))


def merge(*parts: xr.Dataset) -> xr.Dataset:
    """Merge parts of a data set into one set of compressed ratings; the operation is associative.

    Parameters
    ----------
    *parts : xarray.Dataset
        One or more sets of ratings of the same task, compressed or not. The labels of all parts are
        united in the declared order. If no part declares an order of all labels, equal lists of
        labels are kept and others are united and sorted; coefficients that need an order refuse
        text labels until one is declared.
        Annotators are matched by name. Parts may be stored by annotator or by slot (see
        `in_slots`), and the size of the result decides how it is stored. All parts must be
        compressed ``by`` the same coordinates; patterns with different values of these coordinates
        stay separate.

    Returns
    -------
    xarray.Dataset
        Compressed ratings with the patterns of all parts, whose counts are added up.

    Raises
    ------
    IaaError
        If tasks differ, parts were compressed ``by`` different coordinates, declared labels are in
        different orders, or only some parts are anonymous.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> parts = [iaa.from_wide([["a", "b"], ["a", "a"]]), iaa.from_wide([["a", "b"]])]
    >>> iaa.data.merge(*parts, iaa.from_wide([["b", "b"]])).item_weight.values
    array([1., 2., 1.])
    """
    if not parts:
        raise IaaError("merge takes one or more parts of the ratings")
    ratings = [span_ratings(part) for part in parts]
    for part in ratings:
        task_of(part)
        for attribute in ("task", "anonymous", KEPT_APART):
            if part.attrs.get(attribute) != ratings[0].attrs.get(attribute):
                raise IaaError(
                    f"cannot merge ratings whose {attribute} differs: "
                    f"{ratings[0].attrs.get(attribute)!r} and {part.attrs.get(attribute)!r}"
                )
    names = json.loads(ratings[0].attrs.get(KEPT_APART, "[]"))

    def joined(first: xr.Dataset, second: xr.Dataset) -> xr.Dataset:
        both = concatenate(first, second, pairable=False)
        for part in (first, second):
            _refuse_others(part, names)
        values = {
            name: ("item", np.concatenate([part[name].values for part in (first, second)]))
            for name in names
        }
        return both.assign_coords(values)

    anonymous = bool(ratings[0].attrs.get("anonymous", 0))
    return compress(reduce(joined, ratings), anonymous=anonymous, by=names)


def _groups(ratings: xr.Dataset, names: Sequence[str]) -> Integers | None:
    """Return the number of each item's group, in order of first occurrence; None without names.

    A group is a combination of values of the coordinates ``names``.
    """
    if not names:
        return None
    _refuse_others(ratings, names)
    codes = np.zeros(ratings.sizes["item"], dtype=np.int64)
    for name in names:
        number, distinct = pd.factorize(ratings[name].values, use_na_sentinel=False)
        codes, _ = pd.factorize(codes * len(distinct) + number)
    return codes


def _refuse_others(ratings: xr.Dataset, names: Sequence[str]) -> None:
    others = item_coordinates(ratings)
    for name in names:
        if name not in others:
            refuse_of_ratings(ratings, name, "items")
            raise IaaError(
                f"cannot separate items by {name!r}, which is no coordinate along items; the "
                f"coordinates are {shown(others, 12) if others else 'none'}"
                f"{suggestion(name, others)}"
            )


def _split(
    patterns: Patterns, groups: Integers | None, weight: NDArray[np.float64] | None
) -> Patterns:
    return patterns if groups is None else patterns.split_by(groups, weight)


def _with_groups(
    compressed: xr.Dataset, ratings: xr.Dataset, patterns: Patterns, names: Sequence[str]
) -> xr.Dataset:
    groups = _groups(ratings, names)
    if groups is None:
        return compressed
    values = {name: ("item", ratings[name].values[patterns.first]) for name in names}
    compressed = compressed.assign_coords(values)
    order = np.argsort(groups[patterns.first], kind="stable")
    compressed = compressed.isel(item=order).assign_coords(item=np.arange(len(order)))
    return compressed.assign_attrs({KEPT_APART: json.dumps(list(names))})


def marked(compressed: xr.Dataset) -> xr.Dataset:
    """Add the digest `PATTERNS` to compressed ratings; the form of storage does not affect it."""
    codes = rating_codes(compressed)
    known = codes.codes >= 0
    _, _, annotators = codes.ratings(known)
    number = hashlib.sha256()
    for part in (known.sum(axis=1), annotators, codes.codes[known]):
        number.update(part.astype(np.int32).tobytes())
    number.update(compressed["item_weight"].values.astype(np.float64).tobytes())
    names = [name for name in ("annotator", "label") if name in compressed.coords]
    for name in [*names, *json.loads(compressed.attrs.get(KEPT_APART, "[]"))]:
        number.update(repr(compressed[name].values.tolist()).encode())
    return compressed.assign_attrs({PATTERNS: number.hexdigest()[:16]})


def _pattern_ratings(
    ratings: xr.Dataset, patterns: Patterns, columns: Integers | None = None
) -> xr.Dataset:
    variables: dict[str, object] = {}
    rating_axis = "annotator" if columns is not None else rating_dim(ratings)
    for name in (*STORAGES, *(("annotator_of",) if rating_axis == "slot" else ())):
        if name in ratings.variables:
            # rows are selected before the array is made in full, because the data may be large
            values = np.asarray(ratings.variables[name].data[patterns.first])
            if columns is not None:
                index = columns[..., None] if values.ndim == 3 else columns
                values = np.take_along_axis(values, index, axis=1)
            variables[name] = (("item", rating_axis, "label")[: values.ndim], values)
    variables["item_weight"] = ("item", patterns.count)
    variables |= {
        name: ratings.variables[name] for name in OF_MARKINGS if name in ratings.variables
    }
    names = ("label",) if columns is not None else ("label", "annotator")
    coords: dict[str, object] = {
        name: ratings.coords[name].variable for name in names if name in ratings.coords
    }
    if columns is None:
        for free, coordinate in ratings.coords.items():
            if coordinate.dims == ("annotator",):
                coords[str(free)] = coordinate.variable
    coords["item"] = np.arange(len(patterns.count))
    attrs = {name: value for name, value in ratings.attrs.items() if name != KEPT_APART}
    return with_coding(xr.Dataset(variables, coords, attrs))
