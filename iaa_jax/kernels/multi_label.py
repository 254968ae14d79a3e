"""A_m: agreement of label sets over pairs of labels, including joint absence.

Each label has an indicator, which is 1 if the annotator gives the label and otherwise 0. Two
annotators agree on a pair of labels if both indicators match. With t_c = 1 where the annotators
differ on label c, the share of label pairs on which they differ is ::

    mean_c t_c + 1/2 mean_{c<d} [t_c != t_d]

Chance agreement uses each annotator's own margins: the share of items with label c (p) and without
it (q), and the share with both or neither of c and d (e) and with only one of them (f)::

    D_e(a, b) = mean_c (p_a q_b + q_a p_b) + 1/2 mean_{c<d} (e_a f_b + f_a e_b)

The published equation sums agreement over the values 00, 01, 10, 11 of two indicators; here it is
stated as disagreement. A_m equals Conger's kappa over whole sets, if two sets with k of C
indicators equal have the agreement k (k - 1) / (C (C - 1)).

The mass is 0 or 1 for each label, NaN where not rated; a number in between is the probability that
the annotator gives the label. A label agreement has no effect.

Bhowmick, P. K., Basu, A. and Mitra, P. (2008). An agreement measure for determining inter-annotator
reliability of human judgements on affective text. Coling 2008, Workshop on Human Judgements in
Computational Linguistics, 58-65.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import NamedTuple

from iaa_jax import _thresholds as thresholds
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.counts import WeightedRatings, weighted_ratings
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, namespace, segment_sum
from iaa_jax.kernels.pairs import pairs_of_columns
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, Indexed

_FEW_SUMS = 64
"""The number of sums by annotator and set is padded to at least this."""


class Margins(NamedTuple):
    """Sums over each annotator's items."""

    rated: Array  # (annotator,)
    present: Array  # (annotator, label) with the label
    absent: Array  # (annotator, label) without the label
    alike: Array  # (annotator, label pair) with both labels or neither
    different: Array  # (annotator, label pair) with only one of the two labels


def am_agreement_directly(mass: Array, raters: Raters, item_weight: Array) -> Agreement:
    """Return A_m without the distinct label sets, which are unknown if ratings are traced.

    The moments of annotators and label pairs are too many to store for every item, so they are
    summed as they are computed.
    """
    xp = namespace(mass, raters.weight, item_weight, raters.annotator_of)
    counted = weighted_ratings(mass, raters)
    pairable = xp.sum(item_weight * counted.pairable)
    observed = divided(xp, item_weight @ pair_disagreement(mass, counted), pairable)
    expected = expected_disagreement(xp, _margins(xp, mass, raters, item_weight), raters.weight)
    return chance_corrected(xp, observed, expected, pairable == 0)


def pair_disagreement(mass: Array, counted: WeightedRatings) -> Array:
    """Return the share of label pairs on which two ratings of an item differ, on average."""
    xp = namespace(mass, counted.weight)
    v = counted.weight
    rated = ~xp.isnan(mass[..., :1])
    filled = xp.where(rated, mass, 0)
    disagreement = set_disagreement(xp, filled)
    itself = xp.eye(mass.shape[1], dtype=mass.dtype, device=device_of(mass))
    between = v[:, :, None] * v[:, None, :] * (1 - itself)
    total = xp.sum(between * disagreement, axis=(1, 2))
    pairable = counted.pairable > 0
    pairs = xp.where(pairable, counted.pairs, xp.ones_like(counted.pairs))
    return xp.where(pairable, total / pairs, xp.zeros_like(total))


def set_disagreement(xp: Namespace, sets: Array) -> Array:
    """Return the share of label pairs on which sets (..., set, label) differ: (..., set, set)."""
    labels = sets.shape[-1]
    if labels < 2:
        return xp.zeros_like(sets @ xp.matrix_transpose(sets))
    # t = m + m' - 2 m m' for the masses m, m' of a label; its sum and sum of squares follow from
    # products of the masses and of their squares
    square = sets * sets
    turned, turned_square = xp.matrix_transpose(sets), xp.matrix_transpose(square)
    size, size_square = xp.sum(sets, axis=-1), xp.sum(square, axis=-1)
    shared, mixed = sets @ turned, square @ turned
    differ = size[..., :, None] + size[..., None, :] - 2 * shared
    squares = size_square[..., :, None] + size_square[..., None, :] + 2 * shared
    squares = squares + 4 * (square @ turned_square) - 4 * (mixed + xp.matrix_transpose(mixed))
    return (differ * (2 * (labels - 1) - differ) + squares) / (labels * (labels - 1))


def expected_disagreement(xp: Namespace, margins: Margins, annotator_weight: Array) -> Array:
    """Return D_e, the mean chance disagreement of pairs of annotators, weighted by ``v_a v_b``."""
    v = _weights_of_present(xp, margins.rated, annotator_weight)
    pairs = xp.sum(v * (xp.sum(v) - v))

    def crossed(first: Array, second: Array) -> Array:
        # sum x_a y_b + y_a x_b over labels (or label pairs) and over pairs of annotators
        spread = xp.broadcast_to(margins.rated[:, None], first.shape)
        x, y = (v[:, None] * divided(xp, sums, spread) for sums in (first, second))
        return 2 * xp.sum(x * (xp.sum(y, axis=0) - y))

    labels = margins.present.shape[1]
    if labels < 2:
        return xp.zeros_like(pairs)
    by_label = crossed(margins.present, margins.absent) / labels
    by_pair = crossed(margins.alike, margins.different) / (labels * (labels - 1))
    return divided(xp, by_label + by_pair, pairs)


def _weights_of_present(xp: Namespace, rated: Array, annotator_weight: Array) -> Array:
    return xp.where(rated != 0, annotator_weight, xp.zeros_like(annotator_weight))


def _margins(xp: Namespace, mass: Array, raters: Raters, item_weight: Array) -> Margins:
    rated = ~xp.isnan(mass)
    present = xp.where(rated, mass, 0)
    absent = xp.where(rated, 1 - present, 0)
    o = xp.astype(rated[..., 0], mass.dtype)
    if raters.annotator_of is None:
        first, second = (xp.permute_dims(each, (1, 0, 2)) for each in (present, absent))
        weighted, turned = item_weight[:, None] * first, xp.matrix_transpose(second)
        both = xp.matrix_transpose(weighted) @ first
        only_one = xp.matrix_transpose(weighted) @ second
        neither = turned @ (item_weight[:, None] * second)
        by_label = [xp.sum(item_weight[:, None, None] * each, axis=0) for each in (present, absent)]
        only_one = only_one + xp.matrix_transpose(only_one)
        by_pair = [_label_pairs(xp, each) for each in (both + neither, only_one)]
        return Margins(item_weight @ o, *by_label, *by_pair)
    annotators, labels = raters.weight.shape[0], mass.shape[2]
    index = xp.reshape(raters.slot_annotators(), (-1,))
    w = item_weight[:, None] * o

    def sum_by_annotator(values: Array) -> Array:
        flat = xp.reshape(w[..., None] * values, (index.shape[0], values.shape[2]))
        return segment_sum(xp, flat, index, annotators)

    alike, different = [], []
    for label in range(labels - 1):  # one batch of all pairs would need much memory
        has, lacks = present[..., label, None], absent[..., label, None]
        with_it, without = present[..., label + 1 :], absent[..., label + 1 :]
        alike.append(sum_by_annotator(has * with_it + lacks * without))
        different.append(sum_by_annotator(has * without + lacks * with_it))
    with_label = sum_by_annotator(present)
    empty = with_label[:, :0]
    return Margins(
        sum_by_annotator(o[..., None])[:, 0],
        with_label,
        sum_by_annotator(absent),
        xp.concat([empty, *alike], axis=1),
        xp.concat([empty, *different], axis=1),
    )


def _label_pairs(xp: Namespace, square: Array) -> Array:
    """Return the entries c < d of (annotator, label, label): (annotator, label pair)."""
    labels = square.shape[-1]
    columns = [c * labels + d for c, d in combinations(range(labels), 2)]
    flat = xp.reshape(square, (square.shape[0], labels * labels))
    return xp.take(flat, xp.asarray(columns, dtype=xp.int32, device=device_of(flat)), axis=1)


class LabelSets(NamedTuple):
    """The distinct label sets of all ratings: the ``common`` of the kernel."""

    sets: Array  # (set, label), sorted; rows of 0 at the end are padding
    packed: bool  # whether all masses are 0 or 1
    steps: tuple[Array, ...]  # tables in which sets are looked up: see `_numbers`
    between: Array  # (set, set) disagreement of sets; empty if sets are not compared


class SetStatistics(NamedTuple):
    """An item's disagreement, and the label sets of its ratings."""

    pairable: Array  # (item,)
    disagreement: Array  # (item,) mean disagreement of the item's pairs
    counts: Array  # (item, column) 1 if rated, summed by annotator and set
    sets: Array  # (set, label) the same for all items: from `LabelSets`
    between: Array  # (set, set) the same for all items: from `LabelSets`


def distinct_sets(mass: Array, raters: Raters) -> LabelSets:
    """Return the distinct label sets in a mass (item, column, label)."""
    xp = namespace(mass)
    rows = xp.reshape(mass, (-1, mass.shape[-1]))
    rows = xp.take(rows, xp.nonzero(~xp.isnan(rows[:, 0]))[0], axis=0)
    packed = bool(xp.all((rows == 0) | (rows == 1)))
    number, steps = _numbers(xp, rows, packed)
    order = xp.argsort(number)
    first = xp.searchsorted(xp.take(number, order), _distinct(xp, number))
    known = xp.take(rows, xp.take(order, first), axis=0)
    missing = _padded_size(known.shape[0]) - known.shape[0]
    padding = xp.zeros((missing, known.shape[1]), dtype=mass.dtype, device=device_of(mass))
    sets = xp.concat([known, padding])
    between = set_disagreement(xp, sets if _are_compared(sets) else sets[:0, :])
    return LabelSets(sets, packed, steps, between)


def set_statistics(
    mass: Array, raters: Raters, disagreement: Array | None, common: LabelSets
) -> SetStatistics:
    """Return the statistics of each item, with the index of each rating's label set."""
    del disagreement
    xp = namespace(mass, raters.weight, raters.annotator_of)
    items, columns, labels = mass.shape
    rated = ~xp.isnan(mass[..., 0])
    rows = xp.reshape(mass, (items * columns, labels))
    number, _ = _numbers(xp, rows, common.packed, common.steps)
    number = xp.where(rated, xp.reshape(number, rated.shape), 0)
    index = xp.arange(columns, device=device_of(mass))[None, :]
    if raters.annotator_of is not None:
        index = raters.slot_annotators()
    items_together = max(
        1, thresholds.SET_PAIRS_TOGETHER // max(columns * columns, columns * labels)
    )
    parts = []
    for start in range(0, items, items_together):
        stop = min(start + items_together, items)
        part, of_part = mass[start:stop, ...], raters
        if raters.annotator_of is not None:
            of_part = Raters(raters.weight, raters.annotator_of[start:stop, :])
        counted = weighted_ratings(part, of_part)
        parts.append((counted.pairable, pair_disagreement(part, counted)))
    pairable, observed = (
        xp.astype(xp.concat(part), mass.dtype) for part in zip(*parts, strict=True)
    )
    size, annotators = common.sets.shape[0], raters.weight.shape[0]
    counts = Indexed(
        xp.astype(rated, mass.dtype),
        index * size + number,
        max(_padded_size(annotators * size), _FEW_SUMS),
    )
    return SetStatistics(pairable, observed, counts, Fixed(common.sets), Fixed(common.between))


def am_agreement_formula(
    sums: SetStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return A_m, with D_e from each annotator's moments or from disagreements between sets."""
    del disagreement
    xp = namespace(sums.counts, sums.sets)
    annotators, size = annotator_weight.shape[0], sums.sets.shape[0]
    counts = xp.reshape(sums.counts[: annotators * size], (annotators, size))
    if sums.between.shape[0]:
        expected = _between_sets(xp, counts, sums.between, annotator_weight)
    else:
        parts = [
            _margins_of_sets(xp, counts[:, start:stop], sums.sets[start:stop, :])
            for start in range(0, size, thresholds.SETS_TOGETHER)
            for stop in [min(start + thresholds.SETS_TOGETHER, size)]
        ]
        margins = parts[0]
        for part in parts[1:]:
            addends = zip(margins, part, strict=True)
            margins = Margins(*(total + addend for total, addend in addends))
        expected = expected_disagreement(xp, margins, annotator_weight)
    observed = divided(xp, sums.disagreement, sums.pairable)
    return chance_corrected(xp, observed, expected, sums.pairable == 0)


am_agreement = Kernel(
    "am_agreement",
    set_statistics,
    am_agreement_formula,
    "Agreement of label sets over pairs of labels",
    common=distinct_sets,
    directly=am_agreement_directly,
    takes_sets=True,
)


def _are_compared(sets: Array) -> bool:
    size, labels = sets.shape
    many = labels * (labels - 1) // 2 >= thresholds.MANY_LABEL_PAIRS
    return bool(many and size <= thresholds.SETS_COMPARED)


def _between_sets(xp: Namespace, counts: Array, between: Array, annotator_weight: Array) -> Array:
    rated = xp.sum(counts, axis=1)
    v = _weights_of_present(xp, rated, annotator_weight)
    shares = v[:, None] * divided(xp, counts, rated[:, None])
    against = (xp.sum(shares, axis=0) - shares) @ between
    return divided(xp, xp.sum(shares * against), xp.sum(v * (xp.sum(v) - v)))


def _margins_of_sets(xp: Namespace, counts: Array, sets: Array) -> Margins:
    first, second = (xp.take(sets, k, axis=1) for k in pairs_of_columns(xp, sets))
    rated = xp.sum(counts, axis=1)
    present, different = counts @ sets, counts @ (first + second - 2 * first * second)
    # exactly 0 where an annotator gave a single set
    absent, alike = rated[:, None] - present, rated[:, None] - different
    return Margins(rated, present, absent, alike, different)


def _padded_size(sets: int) -> int:
    size = 16
    while size < sets:
        if size + size // 2 >= sets:
            return size + size // 2
        size *= 2
    return size


def _numbers(
    xp: Namespace, rows: Array, packed: bool, steps: tuple[Array, ...] | None = None
) -> tuple[Array, tuple[Array, ...]]:
    """Return the rank of each set (row, label), and the tables in which the ranks were looked up.

    The labels of a set are read in groups, as many at a time as fit exactly into one number. This
    number is ranked among the numbers of all sets. From the second group on, the rank so far and
    the new rank are combined and ranked again. With ``steps``, the tables of an earlier call, sets
    are ranked as in that call.
    """
    width = round(-math.log2(xp.finfo(rows.dtype).eps)) if packed else 1
    powers = [2.0**power for power in reversed(range(width))]
    bits = xp.asarray(powers, dtype=rows.dtype, device=device_of(rows))
    used: list[Array] = []

    def rank(keys: Array) -> Array:
        used.append(_distinct(xp, keys) if steps is None else steps[len(used)])
        return xp.searchsorted(used[-1], keys)

    number = None
    for start in range(0, rows.shape[1], width):
        part = rows[:, start : min(start + width, rows.shape[1])]
        value = rank(part @ bits[-part.shape[1] :])
        number = value if number is None else rank(number * (used[-1].shape[0] + 1) + value)
    return number, tuple(used)


def _distinct(xp: Namespace, keys: Array) -> Array:
    ordered = xp.sort(keys)
    first = xp.ones_like(ordered[:1], dtype=xp.bool)
    return ordered[xp.concat([first, ordered[1:] != ordered[:-1]])]
