"""The probability that each item is rated, from a column of the ratings."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats
from iaa_jax.data.coordinates import item_coordinates, refuse_of_ratings, what_there_is
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import keyword


def along_items(ratings: Rated, name: str, option: str) -> NDArray[np.generic]:
    """Return the values of a coordinate along items that an option names."""
    if name not in ratings.along("item"):
        refuse_of_ratings(ratings.dataset, name, "items")
        others = what_there_is(item_coordinates(ratings.dataset), name)
        raise IaaError(f"{keyword(option, name)} names no coordinate along items: {others}")
    return ratings.coordinate(name)


def probabilities_of(ratings: Rated, name: str, required: NDArray[np.bool_]) -> Floats:
    """Return the probability of each item; a ``required`` one must be above 0 and up to 1."""
    values = along_items(ratings, name, "probability")
    chances = np.asarray(pd.to_numeric(pd.Series(values), errors="coerce"), dtype=np.float64)
    wrong = np.flatnonzero(required & ~((chances > 0) & (chances <= 1)))
    if len(wrong):
        first = wrong[0]
        raise IaaError(
            f"{name!r} must hold probabilities above 0 and up to 1, and {len(wrong):,} rated "
            f"items have none: item {ratings.item_names[first : first + 1].tolist()[0]!r} has "
            f"{values[first : first + 1].tolist()[0]!r}"
        )
    return chances
