"""Annotators of numbers: bias, and how far each is from the others."""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.analyses.diagnose.pairs import distance_of_pairs, too_many
from iaa_jax.measure.magnitude import rescale, restore_squares
from iaa_jax.measure.resolver import Resolver


def annotators(resolver: Resolver) -> tuple[Variables, int]:
    """Bias and distance of ratings that are numbers, and the distance of pairs.

    The numbers are of moderate size; beside stands the power of two that takes them back.
    """
    tables = resolver.tables
    values, power = rescale(tables.distinct_numbers, "differences")
    codes, count = tables.compact_codes, tables.identified_table.count
    size = tables.annotators
    known = (codes.codes >= 0) & ((codes.codes >= 0).sum(axis=1) >= 2)[:, None]
    rows, slots, raters = codes.ratings(known)
    value = values[codes.codes[rows, slots]]
    panel = np.bincount(rows, minlength=len(count))[rows]

    def of_item(figure: Floats) -> Floats:
        return np.bincount(rows, figure, len(count)).astype(np.float64)[rows]

    # from an item's lowest, and then from its mean: numbers far from 0 differ by no less
    lowest = np.full(len(count), np.inf)
    np.minimum.at(lowest, rows, value)
    value = value - lowest[rows]
    value = value - of_item(value) / panel
    squares = of_item(value**2)
    weight = count[rows]

    def summed(figure: Floats | Integers | float) -> Floats:
        return np.bincount(raters, weights=weight * figure, minlength=size).astype(np.float64)

    items = summed(1.0)
    # sum over others of (x - y)^2
    distance = panel * value**2 + squares
    with np.errstate(invalid="ignore", divide="ignore"):
        squared = summed(distance) / summed(panel - 1)
        # less the mean of the others
        bias = summed(value * panel / (panel - 1)) / items
    variables: Variables = {
        "shared_items": ("annotator", items),
        "disagreement": ("annotator", squared),
        "bias": ("annotator", bias),
    }
    if too_many(size, 1):
        return variables, power
    of_pairs = distance_of_pairs(codes, count, size, values)
    dims = ("annotator", "annotator_2")
    return variables | {f"pair_{name}": (dims, figure) for name, figure in of_pairs.items()}, power


def in_unit(variables: Variables, power: int) -> Variables:
    """What has the unit of the numbers, or its square, in that unit."""
    dims, bias = variables["bias"]
    squares = {name: variables[name] for name in variables if name.endswith("disagreement")}
    return {"bias": (dims, np.ldexp(bias, power))} | {
        name: (along, restore_squares(figure, power)) for name, (along, figure) in squares.items()
    }
