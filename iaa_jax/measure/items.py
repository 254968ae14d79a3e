"""What every study begins with: checked ratings, a coefficient, and the items of its patterns."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.catalog import Measure
from iaa_jax.data.schema import validate
from iaa_jax.data.storage import weight_of
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.identities import refuse_anonymous, with_identities
from iaa_jax.measure.label_options import Distance, LabelOptions, Weights
from iaa_jax.measure.request import CoefficientLike, Request, Resolver
from iaa_jax.measure.tables import RatingTables

__all__ = [
    "DEFAULT",
    "assembled",
    "coordinates",
    "patterns_of_items",
    "refuse_anonymous",
    "resolver_of",
    "single",
    "weights_of_items",
    "with_identities",
]

DEFAULT = "krippendorff_alpha"
"""The coefficient of a study that is asked for none: it takes every kind of ratings."""


def resolver_of(
    ratings: xr.Dataset,
    weights: Weights = None,
    weights_on: str = "value",
    level: str | None = None,
    distance: Distance = None,
    p: float = 1.0,
    min_common: int = 2,
) -> Resolver:
    """Checked ratings and options, ready to be asked for coefficients."""
    validate(ratings)
    options = LabelOptions(weights, weights_on, level, distance)
    return Resolver(ratings, options, p, {"min_common": min_common})


def single(resolver: Resolver, coefficient: CoefficientLike | None) -> Request:
    """One coefficient with one figure; alpha if none is named."""
    request = resolver.request(DEFAULT if coefficient is None else coefficient)
    if request.problem.measure.per_label:
        message = f"{request.name} has one figure a label; name a coefficient with a single figure"
        raise IaaError(message)
    return request


def patterns_of_items(tables: RatingTables, measure: Measure) -> NDArray[np.intp]:
    """The place of each item's pattern in the table of a measure."""
    return tables.identified.pattern_of if measure.identified else tables.exchangeable_of_items


def weights_of_items(ratings: xr.Dataset) -> Floats:
    """For how many items each row stands."""
    weight = weight_of(ratings)
    return np.ones(ratings.sizes["item"]) if weight is None else weight


def coordinates(ratings: xr.Dataset, axis: str) -> dict[str, Any]:
    """The coordinates of one axis: its names, and the user's own."""
    return {
        str(name): (axis, coordinate.values)
        for name, coordinate in ratings.coords.items()
        if coordinate.dims == (axis,)
    }


def assembled(
    variables: dict[str, Any],
    own: dict[str, Any],
    attrs: dict[str, Any],
    further: dict[str, Any] | None = None,
) -> xr.Dataset:
    """A result with the user's own coordinates; one that bears a result's name gives way."""
    coords = {f"own_{name}" if name in variables else name: one for name, one in own.items()}
    return xr.Dataset(variables, {**coords, **(further or {})}, attrs)
