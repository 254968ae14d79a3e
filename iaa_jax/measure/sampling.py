"""What is random in ratings: as the caller says it, and as the engine takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.coordinates import refuse_of_ratings
from iaa_jax.data.storage import weight_of
from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import Clusters, Resampling
from iaa_jax.engine.problem import Integers
from iaa_jax.measure.tables import RatingTables
from iaa_jax.wording import keyword, named

ItemPatterns = Sequence[tuple[PatternTable, Integers]]
"""Tables, and the place of each item's pattern in them; -1 for items outside."""


@dataclass(frozen=True)
class Sampling:
    """What is random in the ratings: what another sample would draw anew.

    By default items are random, drawn one by one, and annotators are fixed.

    Parameters
    ----------
    cluster : str, optional
        A coordinate along ``item`` (document, thread, ...): whole clusters are drawn.
    annotators : {None, "fixed", "random"}
        "random" draws annotators too, so that the interval covers other annotators as well.
    population : float, optional
        Number of items in the population that the items were sampled from: the more of them were
        rated, the less is uncertain.
    bayesian : bool
        Weights from a Dirichlet distribution (Rubin 1981) instead of items drawn with replacement:
        replicates are draws from the posterior of the coefficient.

    References
    ----------
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338
    Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2).
    https://doi.org/10.1214/07-AOAS122
    Rao, J. N. K. and Wu, C. F. J. (1988). Resampling inference with complex survey data. Journal
    of the American Statistical Association 83(401).
    https://doi.org/10.1080/01621459.1988.10478591

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> ratings = ratings.assign_coords(document=("item", [k // 3 for k in range(25)]))
    >>> result = iaa.cohen_kappa(ratings, sampling=iaa.Sampling(cluster="document"))
    >>> [round(float(end), 3) for end in (result.ci_low, result.ci_high)]
    [-0.128, 0.947]
    """

    cluster: str | None = None
    annotators: str | None = None
    population: float | None = None
    bayesian: bool = False

    def __post_init__(self) -> None:
        if self.annotators not in (None, "fixed", "random"):
            message = (
                f"{named('annotators')} must be fixed, random or None, not {self.annotators!r}"
            )
            raise IaaError(message)
        if not (self.cluster is None or isinstance(self.cluster, str)):
            message = f"{named('cluster')} must name a coordinate along items, not {self.cluster!r}"
            raise IaaError(message)
        if self.population is not None and not self.population > 0:
            message = f"{named('population')} must be a number above 0, not {self.population!r}"
            raise IaaError(message)

    @property
    def draws_annotators(self) -> bool:
        """Whether annotators are drawn too."""
        return self.annotators == "random"

    def record(self) -> dict[str, Any]:
        """What differs from items drawn one by one, as the attributes of a result."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            f"sampling_{name}": int(value) if isinstance(value, bool) else value
            for name, value in values.items()
            if value not in (None, False, "fixed")
        }


def sampling_from(attrs: Mapping[Any, Any]) -> Sampling:
    """The sampling that a result was made with."""
    names = [field.name for field in fields(Sampling)]
    values = {name: attrs[f"sampling_{name}"] for name in names if f"sampling_{name}" in attrs}
    return Sampling(**values | {"bayesian": bool(values.get("bayesian", False))})


def resampling_of(
    random: Sampling,
    ratings: xr.Dataset,
    tables: RatingTables,
    item_patterns: ItemPatterns | None = None,
) -> Resampling:
    """What a replicate of these ratings draws; ``item_patterns`` are those of some of the items."""
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
        None if random.cluster is None else _clusters(random.cluster, ratings, item_patterns),
        random.draws_annotators,
    )


def cluster_codes(ratings: xr.Dataset, name: str) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """The cluster of each item, by number, and the names of the clusters."""
    if name == "item":
        message = f"{keyword('cluster', name)} makes every item its own cluster: leave it out"
        raise IaaError(message)
    along = [str(name_of) for name_of, coord in ratings.coords.items() if coord.dims == ("item",)]
    if name not in along:
        refuse_of_ratings(ratings, name, "items")
        others = [name_of for name_of in along if name_of != "item"]
        hint = f"these are {shown(others, 12)}" if others else "there is none"
        message = f"{keyword('cluster', name)} is not a coordinate along items: {hint}"
        raise IaaError(message)
    codes, names = pd.factorize(ratings[name].values, use_na_sentinel=True)
    empty = np.array([str(name_of) == "" for name_of in names], dtype=bool)
    lost = (codes < 0) | np.isin(codes, np.flatnonzero(empty))
    if lost.any():
        items = ratings["item"].values[lost]
        message = (
            f"{lost.sum():,} items have no {name} ({shown(items.tolist())}): give each a value, a "
            "unique one if it stands alone"
        )
        raise IaaError(message)
    if len(names) < 2:
        message = f"all items have the same {name}: clusters are drawn from two or more"
        raise IaaError(message)
    return codes.astype(np.intp), np.asarray(names)


def _clusters(name: str, ratings: xr.Dataset, item_patterns: ItemPatterns) -> Clusters:
    codes, _ = cluster_codes(ratings, name)
    weight = weight_of(ratings)
    inside = item_patterns[0][1] >= 0
    # clusters that only other parts of the items have are none here
    _, cluster = np.unique(codes[inside], return_inverse=True)
    return Clusters.of_items(
        cluster,
        [(table, pattern[inside]) for table, pattern in item_patterns],
        None if weight is None else weight[inside],
    )


def _weights(random: Sampling) -> Any:
    return "dirichlet" if random.bayesian else "multinomial"


def _fraction(population: float | None, items: float) -> float:
    if population is None:
        return 0.0
    if population < items:
        message = (
            f"{named('population')} ({population:g}) is smaller than the {items:g} rated items: "
            "give the number of all items, of which the rated ones are a sample"
        )
        raise IaaError(message)
    # a whole population is certain; the engine wants a share below 1
    return min(items / population, 1 - 1e-12)


def resampling_text(random: Sampling) -> str:
    """What was drawn, for the record."""
    units = "items" if random.cluster is None else f"clusters of items by {random.cluster}"
    if random.draws_annotators:
        units += " and annotators"
    drawn = "Dirichlet weights" if random.bayesian else "multinomial"
    said = f"{units}, {drawn}, Philox streams of 64 replicates"
    if random.population is not None:
        said += f", finite population of {random.population:g} items"
    return said
