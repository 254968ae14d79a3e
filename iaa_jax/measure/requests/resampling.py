"""The sampling options in the form that the engine takes: weights, clusters, sampled fraction.

A pattern is a set of items with the same ratings, kept once with their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Integers, Values
from iaa_jax.data.coordinates import refuse_of_ratings, what_there_is
from iaa_jax.data.drawing_order import places_by_name
from iaa_jax.engine import PatternTable
from iaa_jax.engine.devices import WeightDistribution
from iaa_jax.engine.drawing import Clusters, Resampling
from iaa_jax.measure.options.sampling import Sampling
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import Note, keyword, named

ItemPatterns = Sequence[tuple[PatternTable, Integers]]
"""Tables of patterns, each with the pattern (index) of each item; -1 for items not in the table."""


def resampling_of(
    random: Sampling, tables: Rated, item_patterns: ItemPatterns | None = None
) -> Resampling:
    """Return how replicates are drawn: from all items, or from those in ``item_patterns``."""
    if random.cluster is None and random.population is None:
        return Resampling(_weights(random), annotators=random.draws_annotators)
    if item_patterns is None:
        item_patterns = [
            (tables.exchangeable_table, tables.exchangeable_of_items),
            (tables.identified_table, tables.identified.pattern_of),
        ]
    return Resampling(
        _weights(random),
        _fraction(random.population, item_patterns[0][0].items),
        None if random.cluster is None else _clusters(random.cluster, tables, item_patterns),
        random.draws_annotators,
    )


def cluster_codes(ratings: Rated, name: str) -> tuple[NDArray[np.intp], Values]:
    """Return the cluster of each item, numbered in the order of names, and the names.

    An item without a cluster is a cluster of its own.
    """
    if name == "item":
        raise IaaError(f"{keyword('cluster', name)} makes every item its own cluster: leave it out")
    others = [other for other in ratings.along("item") if other != "item"]
    if name not in others:
        refuse_of_ratings(ratings.dataset, name, "items")
        hint = what_there_is(others, name)
        raise IaaError(f"{keyword('cluster', name)} is not a coordinate along items: {hint}")
    codes, names = pd.factorize(ratings.coordinate(name), use_na_sentinel=True)
    alone = _alone(codes, names)
    if alone.any():
        of_items = [f"(none) {item}" for item in ratings.item_names[alone].tolist()]
        codes = np.where(alone, len(names) + np.cumsum(alone) - 1, codes)
        used, codes = np.unique(codes, return_inverse=True)
        names = np.array([*names.tolist(), *of_items], dtype=object)[used]
    if len(names) < 2:
        raise IaaError(f"all items have the same {name}: draws need two or more clusters")
    codes, names = codes.astype(np.intp), np.asarray(names)
    places = places_by_name(names)
    return (codes, names) if places is None else (places[codes], names[np.argsort(places)])


def blank_clusters(random: Sampling, ratings: Rated) -> list[Note]:
    """Return a note if some items have no cluster, so that each is a cluster of its own."""
    if random.cluster not in ratings.along("item"):
        return []
    number = int(_alone(*pd.factorize(ratings.coordinate(random.cluster))).sum())
    return [Note("blank_clusters", {"items": number, "cluster": random.cluster})] if number else []


def _alone(codes: NDArray[np.intp], names: Values) -> NDArray[np.bool_]:
    empty = [code for code, name in enumerate(names.tolist()) if str(name) == ""]
    return (codes < 0) | np.isin(codes, empty)


def _clusters(name: str, ratings: Rated, item_patterns: ItemPatterns) -> Clusters:
    codes, _ = cluster_codes(ratings, name)
    weight = ratings.weight
    inside = item_patterns[0][1] >= 0
    # drop clusters without an item in the tables
    _, cluster = np.unique(codes[inside], return_inverse=True)
    return Clusters.from_items(
        cluster,
        [(table, pattern[inside]) for table, pattern in item_patterns],
        None if weight is None else weight[inside],
    )


def _weights(random: Sampling) -> WeightDistribution:
    return "dirichlet" if random.bayesian else "multinomial"


def _fraction(population: float | None, items: float) -> float:
    if population is None:
        return 0.0
    if population < items:
        raise IaaError(
            f"{named('population')} ({population:g}) is smaller than the {items:g} rated items: "
            "give the number of items that the rated ones were sampled from"
        )
    # a fully rated population leaves no uncertainty, but the engine needs a fraction below 1
    return min(items / population, 1 - 1e-12)
