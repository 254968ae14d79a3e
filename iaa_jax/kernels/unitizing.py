"""Krippendorff's alpha for unitizing: alpha_u (1995, 2004), and u-, cu- and ku-alpha (2016).

An item is a document, which is one continuum, and a unit is a span that an annotator marked with a
label. The data are (item, annotator, column, label). For annotator a, the first columns, one for
each annotator b, hold the difference between the units that a and b marked with the label. Further
columns hold properties of the units of a. Values are NaN if an annotator has not seen the document.
As in `iaa_jax.kernels.krippendorff_alpha`, the mean difference over the pairs of an item is
weighted by the number n_i of its annotators. With v_a the annotator weights and w_i the item
weights::

    n_i = sum_a v_a      pairs_i = n_i^2 - sum_a v_a^2
    differ_l = sum_i w_i n_i / pairs_i sum_a!=b v_a v_b differ_iabl
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from iaa_jax._errors import NO_COMMON_UNIT, NOTHING_MARKED
from iaa_jax.kernels.agreement import (
    Agreement,
    chance_corrected,
    disagreement_with,
    mean_disagreement,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.raters import Raters


class _Annotated(NamedTuple):
    """The data multiplied by the annotator weights; zero if an item has no pair."""

    pairable: Array  # (item,) 1 if two or more annotators saw the document
    differing: Array  # (item, label) differ_il
    properties: Array  # (item, property, label) weighted by v_a and summed over annotators
    properties_squared: Array  # (item, property, label) the same, weighted by v_a^2
    of_item: Array  # (item, label) the first property, which is the same for all annotators


def _annotated(data: Array, raters: Raters) -> _Annotated:
    v = raters.rating_weight()
    xp = namespace(data, v)
    columns = data.shape[1]
    seen = ~xp.any(xp.isnan(data), axis=(2, 3))
    weight = xp.where(seen, v, 0)
    filled = xp.where(seen[:, :, None, None], data, 0)
    # from the number of annotators, because pairs > 0 may be wrong by rounding
    pairable = xp.sum(xp.astype(seen & (v > 0), xp.int32), axis=1) >= 2
    count = xp.astype(pairable, data.dtype)
    ratings = xp.sum(weight, axis=1)
    pairs = ratings * ratings - xp.sum(weight * weight, axis=1)
    scale = count * ratings / xp.where(pairable, pairs, xp.ones_like(pairs))
    both = (weight[:, :, None] * weight[:, None, :])[..., None]
    properties = count[:, None, None, None] * filled[:, :, columns:]
    weight = weight[:, :, None, None]
    return _Annotated(
        count,
        scale[:, None] * xp.sum(both * filled[:, :, :columns], axis=(1, 2)),
        xp.sum(weight * properties, axis=1),
        xp.sum(weight * weight * properties, axis=1),
        xp.max(properties[:, :, 0], axis=1),
    )


class UnitStatistics(NamedTuple):
    """The statistics of a document for alpha_u of 1995, by label; l is a unit's length."""

    documents: Array  # (item,) 1 if two or more annotators saw the document
    length: Array  # (item,)
    annotated_length: Array  # (item,) sum of v_a times the length
    differing: Array  # (item, label)
    units: Array  # (item, label)
    overlaps: Array  # (item, label) sum of (2 l^3 - 3 l^2 + l) / 3 over units
    self_overlaps: Array  # (item, label) the same sum with v_a^2
    self_pairs: Array  # (item, label) the length, plus l (l - 1) for each unit of length l
    squares: Array  # (item, length, label) sum of l^2 over the units of each length l
    room: Array  # (item, length, label) sum of g - l + 1 over gaps of length g >= l


def unit_statistics(data: Array, raters: Raters, disagreement: Array | None) -> UnitStatistics:
    """Return the statistics of each document for alpha_u."""
    annotated = _annotated(data, raters)
    properties, squared = annotated.properties, annotated.properties_squared
    lengths = (properties.shape[1] - 5) // 2
    return UnitStatistics(
        annotated.pairable,
        annotated.of_item[:, 0],
        properties[:, 1, 0],
        annotated.differing,
        properties[:, 2],
        properties[:, 3],
        squared[:, 3],
        squared[:, 1] + squared[:, 4],
        properties[:, 5 : 5 + lengths],
        properties[:, 5 + lengths :],
    )


def alpha_u_formula(
    sums: UnitStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return ``1 - D_o / D_e``, where D_o and D_e are means over the labels in use."""
    xp = namespace(sums.units)
    observed, expected = _label_disagreements(sums)
    used = xp.sum(xp.astype(sums.units > 0, sums.units.dtype))
    return chance_corrected(
        xp,
        divided(xp, xp.sum(observed), used),
        divided(xp, xp.sum(expected), used),
        used == 0,
        NOTHING_MARKED,
    )


def label_alpha_u_formula(
    sums: UnitStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return alpha_u for each label."""
    xp = namespace(sums.units)
    return chance_corrected(xp, *_label_disagreements(sums), sums.units == 0, NOTHING_MARKED)


def _label_disagreements(sums: UnitStatistics) -> tuple[Array, Array]:
    xp = namespace(sums.units)
    meet = sums.overlaps * sums.units - sums.self_overlaps
    in_gaps = xp.sum(sums.squares * sums.room, axis=0)
    pairs = xp.broadcast_to(sums.annotated_length**2, sums.units.shape) - sums.self_pairs
    per_length = divided(xp, sums.documents, sums.length)
    annotated = xp.broadcast_to(sums.annotated_length, sums.units.shape)
    observed = per_length * divided(xp, sums.differing, annotated)
    return observed, 2 * per_length * divided(xp, meet + in_gaps, pairs)


alpha_u = Kernel(
    "unitizing_alpha",
    unit_statistics,
    alpha_u_formula,
    "Alpha for units by the squared differences of their boundaries (1995)",
)
label_alpha_u = replace(alpha_u, name="label_unitizing_alpha", formula=label_alpha_u_formula)


class UnitizingStatistics(NamedTuple):
    """The statistics of a document for u-, cu- and ku-alpha, by label; gaps can be a label too."""

    differing: Array  # (item, label) length over which another annotator has another label or none
    length: Array  # (item, label) length that is compared
    self_pairs: Array  # (item, label) squared lengths of units, and the length of gaps
    marked: Array  # (item, label) length of units


def coincidence_statistics(
    data: Array, raters: Raters, disagreement: Array | None
) -> UnitizingStatistics:
    """Return the statistics of each document for u-, cu- and ku-alpha."""
    annotated = _annotated(data, raters)
    properties, squared = annotated.properties, annotated.properties_squared
    return UnitizingStatistics(
        annotated.differing, properties[:, 0], squared[:, 1], properties[:, properties.shape[1] - 1]
    )


def u_alpha_formula(
    sums: UnitizingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return u-alpha: D_o over the whole length, D_e over pairs of positions not in one unit."""
    xp = namespace(sums.length)
    unmarked = xp.sum(sums.marked) == 0
    return chance_corrected(xp, *_pooled_disagreements(sums), unmarked, NOTHING_MARKED)


def cu_alpha_formula(
    sums: UnitizingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return cu-alpha, over the stretches where units overlap; 1 if they have only one label."""
    xp = namespace(sums.length)
    return _where_units_meet(*_pooled_disagreements(sums), xp.sum(sums.length))


def ku_alpha_formula(
    sums: UnitizingStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return ku-alpha of each label against all others, over the stretches where units overlap."""
    xp = namespace(sums.length)
    others = disagreement_with(sums.length, None)
    whole = sums.length + others
    observed = divided(xp, sums.differing, sums.length)
    expected = divided(xp, sums.length * others, sums.length * whole - sums.self_pairs)
    return _where_units_meet(observed, expected, sums.length)


def _pooled_disagreements(sums: UnitizingStatistics) -> tuple[Array, Array]:
    xp = namespace(sums.length)
    whole = xp.sum(sums.length)
    pairs = whole * whole - xp.sum(sums.self_pairs)
    observed = divided(xp, xp.sum(sums.differing), whole)
    return observed, divided(xp, mean_disagreement(sums.length, None), pairs)


def _where_units_meet(observed: Array, expected: Array, length: Array) -> Agreement:
    xp = namespace(length)
    agreement = chance_corrected(xp, observed, expected, length == 0, NO_COMMON_UNIT)
    one_label = (expected == 0) & (length != 0)
    code = xp.where(one_label, xp.zeros_like(agreement.code), agreement.code)
    return Agreement(
        xp.where(one_label, 1.0, agreement.estimate), agreement.observed, agreement.expected, code
    )


def coverage(sums: UnitizingStatistics) -> Array:
    """Return the share of each label's marked length where other annotators marked units too."""
    xp = namespace(sums.length)
    used = sums.marked != 0
    return xp.where(used, divided(xp, sums.length, sums.marked), xp.nan)


u_alpha = Kernel(
    "unitizing_alpha",
    coincidence_statistics,
    u_alpha_formula,
    "Alpha for units by the lengths over which labels and gaps coincide (2016)",
)
cu_alpha = replace(u_alpha, formula=cu_alpha_formula)
ku_alpha = replace(u_alpha, formula=ku_alpha_formula)
