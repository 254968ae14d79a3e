"""What is random in ratings, as the engine takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.storage import weight_of
from iaa_jax.engine import Table
from iaa_jax.engine.problem import Integers
from iaa_jax.engine.sampling import Clusters, Sampling
from iaa_jax.measure.interval import Interval
from iaa_jax.measure.tables import RatingTables

Places = Sequence[tuple[Table, Integers]]
"""Tables, and the place of each item's pattern in them; -1 for items outside."""


def sampling_of(
    how: Interval, ratings: xr.Dataset, tables: RatingTables, places: Places | None = None
) -> Sampling:
    """What a replicate of these ratings draws; ``places`` are those of a part of the items."""
    if how.cluster is None and how.population is None:
        return Sampling(_weights(how), annotators=how.annotators == "random")
    if places is None:
        identified = tables.identified.pattern_of
        places = [
            (tables.exchangeable_table, tables.exchangeable.pattern_of[identified]),
            (tables.identified_table, identified),
        ]
    return Sampling(
        _weights(how),
        _fraction(how.population, places[0][0].items),
        None if how.cluster is None else _clusters(how.cluster, ratings, places),
        how.annotators == "random",
    )


def cluster_codes(ratings: xr.Dataset, name: str) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The cluster of each item, by number, and the names of the clusters."""
    if name == "item":
        message = "cluster='item' makes every item a cluster of its own: leave it out"
        raise IaaError(message)
    along = [str(one) for one, coord in ratings.coords.items() if coord.dims == ("item",)]
    if name not in along:
        others = [one for one in along if one != "item"]
        hint = f"these are {shown(others, 12)}" if others else "there is none"
        message = f"cluster={name!r} is no coordinate along items: {hint}"
        raise IaaError(message)
    codes, names = pd.factorize(ratings[name].values, use_na_sentinel=True)
    empty = np.array([str(one) == "" for one in names], dtype=bool)
    lost = (codes < 0) | np.isin(codes, np.flatnonzero(empty))
    if lost.any():
        items = ratings["item"].values[lost]
        message = (
            f"{lost.sum():,} items have no {name} ({shown(items.tolist())}): give each a value, "
            "one of its own where it stands alone"
        )
        raise IaaError(message)
    if len(names) < 2:
        message = f"all items have the same {name}: clusters are drawn from two or more"
        raise IaaError(message)
    return codes.astype(np.intp), np.asarray(names)


def _clusters(name: str, ratings: xr.Dataset, places: Places) -> Clusters:
    codes, _ = cluster_codes(ratings, name)
    weight = weight_of(ratings)
    inside = places[0][1] >= 0
    # clusters that only other parts of the items have are none here
    _, own = np.unique(codes[inside], return_inverse=True)
    return Clusters.of_items(
        own,
        [(table, place[inside]) for table, place in places],
        None if weight is None else weight[inside],
    )


def _weights(how: Interval) -> Any:
    return "dirichlet" if how.resampling == "bayesian" else "multinomial"


def _fraction(population: float | None, items: float) -> float:
    if population is None:
        return 0.0
    if population < items:
        message = (
            f"population={population:g} is smaller than the {items:g} rated items: give the number "
            "of all items that the rated ones were taken from"
        )
        raise IaaError(message)
    # a whole population is certain; the engine wants a share below 1
    return min(items / population, 1 - 1e-12)


def sampling_said(how: Interval) -> str:
    """What was drawn, for the record."""
    units = "items" if how.cluster is None else f"clusters of items by {how.cluster}"
    if how.annotators == "random":
        units += " and annotators"
    drawn = "Dirichlet weights" if how.resampling == "bayesian" else "multinomial"
    said = f"{units}, {drawn}, Philox streams of 64 replicates"
    if how.population is not None:
        said += f", finite population of {how.population:g} items"
    return said
