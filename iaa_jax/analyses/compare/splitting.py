"""Split one set of ratings into two: by a coordinate of items, annotators or ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, OptionError, shown
from iaa_jax.data.assemble import name_array
from iaa_jax.data.groups import group_values, groups_of
from iaa_jax.data.labels import parse_number
from iaa_jax.data.notices.similar import JOINT
from iaa_jax.data.schema import validate
from iaa_jax.data.select import only_annotators, select_cells
from iaa_jax.data.storage import rated, rating_dim
from iaa_jax.wording import keyword, named
from iaa_jax.wording.formats import whole_as_written

_IN_TIME = (
    ("before", "after"),
    ("pre", "post"),
    ("old", "new"),
    ("vor", "nach"),
    ("avant", "apr"),
    ("prima", "dopo"),
)
"""Beginnings of pairs of values, the earlier first, against their alphabetical order."""


class Halves(NamedTuple):
    """Two sets of ratings, as given or split from one by a coordinate.

    ``axis`` is what the coordinate describes: "item", "annotator" or "rating" ("" without a
    coordinate). ``others`` are its values in neither set.
    """

    a: xr.Dataset
    b: xr.Dataset
    names: tuple[str, str]
    axis: str
    others: Sequence[str]


def two_halves(
    a: xr.Dataset,
    b: xr.Dataset | None,
    by: str | None,
    between: Sequence[object] | None,
    names: Sequence[str] | None,
) -> Halves:
    """Return the two sets and their names."""
    if between is not None and by is None:
        raise OptionError(f"{named('between')} names two values of {named('by')}, which is missing")
    if names is not None and (len(names) != 2 or names[0] == names[1]):
        raise OptionError(f"{named('names')} must be two, one for A and one for B, not {names!r}")
    for ratings in (a, b):
        if ratings is not None:
            validate(ratings)
    if b is None and by is not None:
        halves = split_by(a, by, between)
    elif b is not None and by is None:
        halves = Halves(a, b, ("A", "B"), "", ())
    else:
        raise OptionError(
            f"comparing takes two sets of ratings: give both, or one and {keyword('by')}"
        )
    return halves if names is None else halves._replace(names=(str(names[0]), str(names[1])))


def split_by(ratings: xr.Dataset, by: str, between: Sequence[object] | None = None) -> Halves:
    """Split ratings into two sets to compare.

    Both sets keep the coordinate ``label`` of all ratings. If every item's id contains its value of
    ``by`` (``"12 | round 1"``, as `iaa_jax.read` joins ids of several columns), this part is
    removed, so that an item has the same id in both.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item`` (round, batch), ``annotator`` (kind, team) or both
        (the time of a rating). If ratings are stored by slot (an item's first, second, ... rating,
        whoever gave it), the coordinate may be along ``item`` and ``slot``.
    by : str
        The name of the coordinate.
    between : two values, optional
        The values of A and of B, required if there are more than two. By default, the two values in
        sorted order, except that the earlier of two such as "before" and "after" comes first.

    Returns
    -------
    Halves

    Raises
    ------
    IaaError
        If there is no such coordinate, it does not have two values, or a half has no item with two
        ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    >>> halves = split_by(ratings.assign_coords(round=("item", [1, 1, 2, 2])), "round")
    >>> halves.names, halves.a.sizes["item"], halves.axis
    (('round 1', 'round 2'), 2, 'item')
    """
    axis, groups, member = _members(ratings, by)
    values = groups.tolist()
    wanted = two_values(values, by, between)
    a, b = (_half(ratings, by, value, axis, member == values.index(value)) for value in wanted)
    if axis == "item":
        a, b = _without_value(a, b, wanted)
    are_numbers = any(parse_number(value) is not None for value in wanted)
    names = tuple(f"{by} {value}" if are_numbers else value for value in wanted)
    others = [value for value in values if value not in wanted]
    return Halves(a, b, (names[0], names[1]), axis, others)


def _members(ratings: xr.Dataset, by: str) -> tuple[str, NDArray[np.object_], NDArray[np.intp]]:
    """Return what a coordinate describes, its values, and the code of each element."""
    cells = ("item", rating_dim(ratings))
    if by not in ratings.coords or ratings[by].dims != cells:
        return groups_of(ratings, by)
    is_rated = rated(ratings)
    values, of_rated = group_values(ratings[by].values[is_rated], by)
    member = np.full(is_rated.shape, -1, dtype=np.intp)
    member[is_rated] = of_rated
    return "rating", values, member


def two_values(values: Sequence[str], by: str, between: Sequence[object] | None) -> list[str]:
    """Return the two values to compare."""
    wanted = [
        _known(whole_as_written(value), values)
        for value in (_in_time(values) if between is None else between)
    ]
    if between is not None and (len(wanted) != 2 or wanted[0] == wanted[1]):
        raise OptionError(f"{named('between')} must be two values of {by!r}, first A's, then B's")
    unknown = [value for value in wanted if value not in values]
    if unknown:
        raise IaaError(f"{by!r} has no value {shown(unknown)}; its values are {shown(values, 12)}")
    if len(wanted) == 1:
        raise IaaError(
            f"{by!r} has 1 value ({shown(values)}), and comparing takes two: give a column with at "
            "least two"
        )
    if len(wanted) != 2:
        raise IaaError(
            f"{by!r} has {len(wanted):,} values ({shown(values, 12)}): name two of them with "
            f"{keyword('between')}"
        )
    return wanted


def _in_time(values: Sequence[str]) -> list[str]:
    """Return two values in the order of time if their names tell it; others as they are.

    Examples
    --------
    >>> _in_time(["After training", "Before training"]), _in_time(["de", "en"])
    (['Before training', 'After training'], ['de', 'en'])
    """
    if len(values) != 2:
        return [*values]
    first, last = map(str.casefold, values)
    turned = any(first.startswith(late) and last.startswith(early) for early, late in _IN_TIME)
    return [*reversed(values)] if turned else [*values]


def _known(text: str, values: Sequence[str]) -> str:
    """Return the value that equals a text or its number, or else the text."""
    alike = (value for value in values if text not in values and _are_equal(text, value))
    return next(alike, text)


def _half(
    ratings: xr.Dataset, by: str, value: str, axis: str, of_value: NDArray[np.bool_]
) -> xr.Dataset:
    try:
        if axis == "annotator":
            part = only_annotators(ratings, ratings["annotator"].values[of_value].tolist())
            # the other group's annotators are not left out: they are the other set
            return part.assign_attrs(
                {name: ratings.attrs.get(name, "") for name in ("reading", "skipped")}
            )
        part = select_cells(ratings, of_value) if axis == "rating" else ratings.isel(item=of_value)
        validate(part)
    except IaaError as error:
        raise IaaError(f"{by} {value} cannot be measured on its own: {error.message}") from None
    return part


def _without_value(
    a: xr.Dataset, b: xr.Dataset, values: Sequence[str]
) -> tuple[xr.Dataset, xr.Dataset]:
    """Remove each set's value from its item ids, if it is a part of every id.

    Ids are kept if they would no longer differ.
    """
    parts = [[str(name).split(JOINT) for name in half["item"].values.tolist()] for half in (a, b)]
    sizes = {len(part) for half in parts for part in half}
    if len(sizes) != 1:
        return a, b
    (size,) = sizes
    repeats = [
        index
        for index in range(size)
        if all(
            _are_equal(part[index], value)
            for half, value in zip(parts, values, strict=True)
            for part in half
        )
    ]
    if len(repeats) != 1 or size < 2:
        return a, b
    ids = [
        [JOINT.join([*part[: repeats[0]], *part[repeats[0] + 1 :]]) for part in half]
        for half in parts
    ]
    if any(len({*half}) < len(half) for half in ids):
        return a, b
    a, b = (
        half.drop_vars("item").assign_coords(item=name_array(np.array(names, dtype=object)))
        for half, names in zip((a, b), ids, strict=True)
    )
    return a, b


def _are_equal(text: str, value: str) -> bool:
    number = parse_number(text)
    return text == value or (number is not None and number == parse_number(value))
