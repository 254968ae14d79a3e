"""Who gave the ratings in each column of the data.

A column is an annotator or a slot, which holds each item's first, second, ... rating.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax.kernels.namespace import (
    Array,
    Namespace,
    as_array,
    device_of,
    is_concrete,
    like,
    namespace,
)


class Raters(NamedTuple):
    """The annotators of the ratings along the second axis of a mass or value.

    Either column a is annotator a for every item, or a column is a slot, which holds each item's
    first, second, ... rating, and ``annotator_of`` has the annotator of this rating.
    """

    weight: Array  # (annotator,) v_a
    annotator_of: Array = None  # (item, slot) index of the annotator, -1 in empty slots

    def slot_annotators(self) -> Array:
        """Return the annotator of each slot (item, slot), the first annotator for empty slots."""
        xp = namespace(self.annotator_of)
        return xp.where(self.annotator_of < 0, xp.zeros_like(self.annotator_of), self.annotator_of)

    def rating_weight(self) -> Array:
        """Return the weight v_a of each rating: (1, annotator) or (item, slot)."""
        if self.annotator_of is None:
            return self.weight[None, :]
        xp = namespace(self.weight, self.annotator_of)
        index = self.slot_annotators()
        return xp.reshape(xp.take(self.weight, xp.reshape(index, (-1,))), index.shape)


def raters_of(
    xp: Namespace, data: Array, annotator_weight: Array | None, annotator_of: Array | None
) -> Raters:
    """Return the raters of a kernel call; weights default to 1, and only shapes are checked."""
    columns = data.shape[1]
    if annotator_of is None:
        return Raters(checked_weight(xp, annotator_weight, columns, data, "annotator"))
    annotator_of = as_array(xp, annotator_of, data)
    if tuple(annotator_of.shape) != tuple(data.shape[:2]):
        raise ValueError(
            f"annotator_of must be (items, slots) = {tuple(data.shape[:2])}, "
            f"got {tuple(annotator_of.shape)}"
        )
    if annotator_weight is not None:
        weight = like(xp, annotator_weight, data)
        if len(weight.shape) != 1:
            raise ValueError(f"annotator_weight must be (annotators,), got {tuple(weight.shape)}")
        return Raters(weight, annotator_of)
    if not is_concrete(annotator_of):
        raise ValueError(
            "the number of annotators is unknown while annotator_of is traced: give "
            "annotator_weight too (ones for equal weights)"
        )
    # if all slots are empty, there is one annotator who rated nothing
    annotators = max(int(xp.max(annotator_of)) + 1, 1) if math.prod(annotator_of.shape) else 1
    return Raters(checked_weight(xp, None, annotators, data, "annotator"), annotator_of)


def checked_weight(xp: Namespace, weight: Array | None, size: int, data: Array, axis: str) -> Array:
    """Return weights in the dtype of the data, ones by default; only their shape is checked."""
    if weight is None:
        return xp.ones(size, dtype=data.dtype, device=device_of(data))
    weight = like(xp, weight, data)
    if tuple(weight.shape) != (size,):
        raise ValueError(f"{axis}_weight must be ({axis}s,) = ({size},), got {tuple(weight.shape)}")
    return weight


def annotator_by_annotator(xp: Namespace, data: Array, raters: Raters) -> tuple[Array, Raters]:
    """Return the data (item, slot, ...) with a column per annotator; use it for few annotators."""
    if raters.annotator_of is None:
        return data, raters
    annotators = raters.weight.shape[0]
    shape, device = (data.shape[0], annotators, *data.shape[2:]), device_of(data)
    spread = xp.full(shape, xp.nan, dtype=data.dtype, device=device)
    further_axes = (1,) * (len(data.shape) - 2)
    for slot in range(data.shape[1]):
        gave = raters.annotator_of[:, slot, None] == xp.arange(annotators, device=device)[None, :]
        gave = xp.reshape(gave, (*gave.shape, *further_axes))
        spread = xp.where(gave, data[:, slot, None, ...], spread)
    return spread, Raters(raters.weight)
