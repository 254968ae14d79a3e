"""Columns beside ratings, for commands that do not give them to `Reading.ratings` yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from iaa_jax.cli.reading import Reading

if TYPE_CHECKING:
    import xarray as xr


def with_columns(ratings: xr.Dataset, reading: Reading, names: Sequence[str]) -> xr.Dataset:
    """The ratings, read again with columns."""
    from iaa_jax.data.coordinates import refuse_of_ratings

    wanted = [name for name in dict.fromkeys(names) if name not in ratings.coords]
    if not wanted:
        return ratings
    kept = reading.ratings(keep=wanted)
    for name in wanted:
        refuse_of_ratings(kept, name, "items or annotators")
    return ratings.assign_coords({name: kept.coords[name].variable for name in wanted})
