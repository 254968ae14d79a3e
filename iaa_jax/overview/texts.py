"""Ratings without texts of the data, for reports that leave the house."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

import numpy as np
import xarray as xr

_BEGINNING = 12
"""Letters by which a text in a note is known for the id of an item, whole or cut."""

LONGEST_ID = 40
"""Letters of an id; what is longer is taken for a text."""


def without_texts(ratings: xr.Dataset, kept: Collection[str] = ()) -> xr.Dataset:
    """The ratings without columns of their items, and with numbers for ids that are texts.

    What was noted of such ids while they were read goes with them.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors and `iaa_jax.read` make them.
    kept : collection of str
        Coordinates that an analysis needs, such as times or clusters.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "a"]])
    >>> ratings = ratings.assign_coords(text=("item", ["a first text", "another"]))
    >>> [*without_texts(ratings).coords] == [*ratings.drop_vars("text").coords]
    True
    """
    own = [
        name
        for name, coordinate in ratings.coords.items()
        if "item" in coordinate.dims and name not in ("item", *kept)
    ]
    ratings = ratings.drop_vars(own)
    names = ratings["item"].values
    if not any(len(str(name)) > LONGEST_ID for name in names.tolist()):
        return ratings
    beginnings = {str(name)[:_BEGINNING] for name in names.tolist()}
    notes = json.loads(ratings.attrs.get("reading", "[]"))
    kept_notes = [note for note in notes if beginnings.isdisjoint(_beginnings(note))]
    numbered = ratings.assign_coords(item=np.arange(1, len(names) + 1))
    return numbered.assign_attrs(reading=json.dumps(kept_notes, ensure_ascii=False))


def _beginnings(part: object) -> Iterator[str]:
    """How each text in a note begins."""
    if isinstance(part, str):
        yield part[:_BEGINNING]
    elif isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _beginnings(inner)
