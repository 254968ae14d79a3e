"""One set of ratings as two: by a coordinate of items or of annotators with two values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.groups import groups_of
from iaa_jax.data.schema import validate
from iaa_jax.data.select import keep_annotators


class Halves(NamedTuple):
    """Two sets of ratings out of one, and what the coordinate describes."""

    names: tuple[str, str]
    a: xr.Dataset
    b: xr.Dataset
    axis: str


def split_by(ratings: xr.Dataset, by: str, between: Sequence[object] | None = None) -> Halves:
    """Split ratings into two sets, to be compared.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with a coordinate along ``item`` (round, batch) or ``annotator`` (kind, team).
    by : str
        The name of that coordinate.
    between : two values, optional
        The values of A and of B, where there are more; in their own order by default.

    Returns
    -------
    Halves
        ``names``, ``a``, ``b`` and ``axis``. Both keep the labels of all ratings.

    Raises
    ------
    IaaError
        If there is no such coordinate, it does not have two values, or a half has no item with two
        ratings.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> from iaa_jax.analyses.compare.split import split_by
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
    >>> halves = split_by(ratings.assign_coords(round=("item", [1, 1, 2, 2])), "round")
    >>> halves.names, halves.a.sizes["item"], halves.axis
    (('1', '2'), 2, 'item')
    """
    axis, groups, member = groups_of(ratings, by)
    known = groups.tolist()
    wanted = [str(one) for one in between] if between is not None else known
    if between is not None and (len(wanted) != 2 or wanted[0] == wanted[1]):
        message = f"between names two values of {by!r}, the first for A and the second for B"
        raise IaaError(message)
    unknown = [one for one in wanted if one not in known]
    if unknown:
        message = f"{by!r} has no value {shown(unknown)}; its values are {shown(known, 12)}"
        raise IaaError(message)
    if len(wanted) == 1:
        message = (
            f"{by!r} has 1 value ({shown(known)}), and two groups are compared: give a column with "
            "two values or more"
        )
        raise IaaError(message)
    if len(wanted) != 2:
        message = (
            f"{by!r} has {len(wanted)} values ({shown(known, 12)}): name two of them with between="
        )
        raise IaaError(message)
    halves = []
    for name in wanted:
        held = np.flatnonzero(member == known.index(name))
        try:
            if axis == "annotator":
                part = keep_annotators(ratings, ratings["annotator"].values[held].tolist())
            else:
                part = ratings.isel(item=held)
                validate(part)
        except IaaError as error:
            message = f"{by} {name} cannot be measured by itself: {error}"
            raise IaaError(message) from None
        halves.append(part)
    return Halves((wanted[0], wanted[1]), halves[0], halves[1], axis)
