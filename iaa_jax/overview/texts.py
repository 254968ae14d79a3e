"""Ratings without texts of the data, for reports that others may see."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pandas as pd
import xarray as xr

from iaa_jax._errors import OptionError
from iaa_jax._types import Values
from iaa_jax.wording import keyword

_BEGINNING = 12
"""Number of first letters of an id that are compared to find the notes that name it."""

LONGEST_ID = 40
"""Maximum number of letters of an id or the name of a batch; longer ones are taken for texts."""


def without_texts(
    ratings: xr.Dataset, by: str | None = None, cluster: str | None = None
) -> xr.Dataset:
    """Remove all but a few columns of items, and replace ids that may be texts by numbers.

    If an id has a space or more than 40 letters, all ids are numbered, and notes on them are
    removed. Of the other columns, only ``by`` and ``cluster`` are kept; unless both are the same,
    numbers replace the names of clusters.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    by : str, optional
        The coordinate of times or batches; by default "time", unless it has texts over 40 letters.
    cluster : str, optional
        The coordinate of clusters that are resampled for intervals.

    Raises
    ------
    OptionError
        If ``by`` has texts over 40 letters.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "a"]])
    >>> ratings = ratings.assign_coords(text=("item", ["a first text", "another"]))
    >>> [*without_texts(ratings).coords] == [*ratings.drop_vars("text").coords]
    True
    """
    if by is None and _holds_texts(ratings, "time"):
        ratings = ratings.drop_vars("time")
    if _holds_texts(ratings, by):
        raise OptionError(
            f"{keyword('by', by)} holds texts, which this report leaves out: name a column of "
            "dates, numbers or batches"
        )
    kept = ("item", by or "time", cluster)
    of_items = [name for name, values in ratings.coords.items() if "item" in values.dims]
    ratings = ratings.drop_vars([name for name in of_items if name not in kept])
    if cluster in ratings.coords and cluster != by:
        numbered = _numbered(ratings[cluster].values)
        ratings = ratings.assign_coords({cluster: (ratings[cluster].dims, numbered)})
    names = ratings["item"].values
    if _longest(names) <= LONGEST_ID and not any(" " in str(name).strip() for name in names):
        return ratings
    beginnings = {str(name)[:_BEGINNING] for name in names.tolist()}
    notes = json.loads(ratings.attrs.get("reading", "[]"))
    kept_notes = [note for note in notes if beginnings.isdisjoint(_beginnings(note))]
    ratings = ratings.assign_coords(item=np.arange(1, len(names) + 1))
    return ratings.assign_attrs(reading=json.dumps(kept_notes, ensure_ascii=False))


def _holds_texts(ratings: xr.Dataset, name: str | None) -> bool:
    return name in ratings.coords and _longest(ratings[name].values) > LONGEST_ID


def _numbered(names: Values) -> Values:
    """Return numbers for names, in the order of the names; missing names stay missing."""
    values = pd.Series(names.ravel(), dtype=object)
    known = values.notna() & (values != "")
    numbers = np.full(len(values), np.nan)
    numbers[known] = pd.factorize(values[known], sort=True)[0] + 1
    return numbers.reshape(names.shape)


def _longest(values: Values) -> int:
    return max(
        (len(value) for value in values.ravel().tolist() if isinstance(value, str)), default=0
    )


def _beginnings(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part[:_BEGINNING]
    elif isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _beginnings(inner)
