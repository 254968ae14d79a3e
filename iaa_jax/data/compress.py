"""Ratings as their distinct patterns with counts, and the union of two such tables.

Compressed ratings are ratings again, with `item_weight`, and merging two of them is associative, so
that parts of a large data set can be compressed one by one and then merged.
"""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers
from iaa_jax.data.joining import concatenate
from iaa_jax.data.marked.parts import OF_MARKINGS
from iaa_jax.data.marked.ratings import span_ratings
from iaa_jax.data.patterns import (
    Patterns,
    exchangeable_patterns,
    identified_patterns,
    item_weights,
    rating_codes,
)
from iaa_jax.data.schema import validate
from iaa_jax.data.slots import sort_slots, to_usual_form
from iaa_jax.data.storage import STORAGES, annotator_of, rating_dim, task_of, with_coding


def compress(ratings: xr.Dataset, *, exchangeable: bool = False) -> xr.Dataset:
    """The distinct rating patterns, with the number of items of each in `item_weight`.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, or spans; coordinates along `item` are dropped.
    exchangeable : bool
        Whether to forget which annotator gave which rating: fewer patterns, anonymous annotators.

    Returns
    -------
    xarray.Dataset
        Ratings whose items are patterns. Every coefficient is the same on them (with
        ``exchangeable``, those that do not need annotators).

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "b"], ["b", "a"], ["a", "b"]])
    >>> iaa.data.compress(ratings).item_weight.values
    array([2., 1.])
    >>> iaa.data.compress(ratings, exchangeable=True).item_weight.values
    array([3.])
    """
    ratings = span_ratings(ratings)
    validate(ratings)
    weight = item_weights(ratings)
    if not exchangeable:
        patterns = identified_patterns(rating_codes(ratings), weight)
        compressed = _pattern_ratings(ratings, patterns)
        return compressed if annotator_of(compressed) is None else sort_slots(compressed)
    # few ratings per item are put in order faster than a row of gaps
    ratings = to_usual_form(ratings)
    codes = rating_codes(ratings)
    patterns = exchangeable_patterns(codes, weight)
    # the columns of a pattern's codes in order, gaps last, in the row that shows it
    rows = codes.codes[patterns.first]
    slots = np.argsort(np.where(rows < 0, codes.distinct, rows), axis=1, kind="stable")
    used = patterns.codes.shape[1]
    compressed = _pattern_ratings(ratings, patterns, slots[:, :used])
    names = np.array([f"rating {index + 1}" for index in range(used)], dtype=object)
    compressed = compressed.assign_coords(annotator=names)
    compressed.attrs["anonymous"] = 1
    for attribute in ("slots", "annotator_order"):
        compressed.attrs.pop(attribute, None)
    return with_coding(compressed)


def merge(first: xr.Dataset, second: xr.Dataset) -> xr.Dataset:
    """Join two parts of the same ratings into one compressed table; associative.

    Parameters
    ----------
    first, second : xarray.Dataset
        Ratings of the same task, compressed or not. Labels are those of both, in the declared
        order; where neither declares one for all of them, in the usual order, and then coefficients
        that need an order ask for it. Annotators are matched by name. One part may be stored by
        slot and the other not; the result is stored as its size suggests.

    Returns
    -------
    xarray.Dataset
        Compressed ratings with the patterns of both and the sums of their counts.

    Raises
    ------
    IaaError
        If tasks differ, declared labels are in a different order, or only one part is anonymous.
    """
    first, second = span_ratings(first), span_ratings(second)
    for part in (first, second):
        task_of(part)
    for attribute in ("task", "anonymous"):
        if first.attrs.get(attribute) != second.attrs.get(attribute):
            message = (
                f"cannot merge ratings whose {attribute} differs: "
                f"{first.attrs.get(attribute)!r} and {second.attrs.get(attribute)!r}"
            )
            raise IaaError(message)
    both = concatenate(first, second)
    return compress(both, exchangeable=bool(first.attrs.get("anonymous", 0)))


def _pattern_ratings(
    ratings: xr.Dataset, patterns: Patterns, columns: Integers | None = None
) -> xr.Dataset:
    """The ratings Dataset of the patterns, annotators optionally rearranged within each."""
    variables: dict[str, object] = {}
    rating_axis = "annotator" if columns is not None else rating_dim(ratings)
    for name in (*STORAGES, *(("annotator_of",) if rating_axis == "slot" else ())):
        if name in ratings.variables:
            values = ratings.variables[name].values[patterns.first]
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
    return with_coding(xr.Dataset(variables, coords, dict(ratings.attrs)))
