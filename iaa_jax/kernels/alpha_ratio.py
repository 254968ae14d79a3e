"""Krippendorff's alpha at the level of ratios, in memory linear in the ratings.

``((a - b) / (a + b))^2 = 1 - sech^2(t / 2)``, t the difference of the logarithms, and sech^2 is a
sum of cosines: the distance of two ratings is a sum of ``1 - cos`` of differences, and that of all
pairs one of sums over ratings. The wider the range of logarithms, the more cosines it takes.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial
from typing import NamedTuple

from array_api_compat import is_numpy_namespace

from iaa_jax._errors import TOO_FAR_APART
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.alpha_values import WeightedValues, weighted_values
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.moments import Counted, centre_of, nearest_to, subtract
from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed

_NODES = 192
"""Cosines for a range of 28 decades."""

_TAIL = 36.0
"""Logarithms further apart than this are as far apart as can be."""

_HIGHEST = 12.0
"""The frequency beyond which nothing is left of the weights of a cosine sum."""

_MARGIN = 1e-3
"""What rounding changes of it, in single precision too."""

_MOST_DOUBLINGS = 4
"""Nodes of all logarithms that float64 has: 16 times as many as usual."""


class RatioStatistics(NamedTuple):
    """What ratio alpha needs of an item."""

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean distance of its pairs
    zeros: Array  # (item,) sum of v over ratings of 0
    versines: Array  # (item, middle, node) sum of v (1 - cos(node log x)), times its root weight
    sines: Array  # (item, middle, node) sum of v sin(node log x), times the node's root weight
    roots: Array  # (item, middle, node) sum of v over ratings above 0, times its root weight
    self_pairs: Array  # (item,) q_i
    angles: Array  # (middle, middle, node) between each two middles, fixed


class LogRange(NamedTuple):
    """Where the logarithms of all ratings above 0 lie, and the cosine sum that reaches so far."""

    middles: Array  # (middle,) ratings whose logarithm the others are counted from
    nodes: Array  # (node,) frequencies
    root: Array  # (node,) square roots of their weights


def range_of_logs(
    value: Array,
    raters: Raters,
    nodes: int = _NODES,
    middles: tuple[float, ...] | None = None,
) -> LogRange:
    """The range of the ratings above 0 that have another rating beside them."""
    xp = namespace(value, raters.weight)
    positive = weighted_values(value, raters).rated & (value > 0)
    centre = centre_of(xp, value, positive, middles).middles
    logs = _logs_from(xp, centre[0], value, positive)
    return LogRange(centre, *_ratio_nodes(xp, logs, nodes))


def ratio_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: LogRange
) -> RatioStatistics:
    """Statistics of each item for ratio alpha; versines keep digits of values near each other."""
    xp = namespace(value, raters.weight)
    counted = weighted_values(value, raters)
    positive = counted.rated & (value > 0)
    middles, root = common.middles, common.root
    own, nearest = nearest_to(xp, middles, xp.sqrt(middles[:-1]) * xp.sqrt(middles[1:]), value)
    logs = Counted(_logs_from(xp, own, value, positive), nearest)
    weight = xp.where(positive, counted.weight, xp.zeros_like(counted.weight))
    angle = logs.value[..., None] * common.nodes
    weight_of = xp.matrix_transpose(logs.by_middle(xp, weight))
    total = xp.sum(weight_of, axis=-1)
    apart = _logs_from(xp, middles[None, :], middles[:, None], middles[:, None] > 0)
    is_zero = counted.rated & ~positive
    return RatioStatistics(
        counted.ratings,
        counted.per_pair * _ratio_within(xp, value, counted),
        xp.sum(xp.where(is_zero, counted.weight, xp.zeros_like(counted.weight)), axis=1),
        # a product an item: under other weights the figures are the same, and are worked out once
        (weight_of @ (2 * xp.sin(angle / 2) ** 2)) * root,
        (weight_of @ xp.sin(angle)) * root,
        total[..., None] * root,
        counted.self_pairs,
        Fixed(apart[..., None] * common.nodes),
    )


def krippendorff_alpha_ratio_formula(
    sums: RatioStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    whole: Array | float = 1.0,
) -> Agreement:
    """D_e: ``2 N V - V^2 - S^2`` over the nodes, and 1 for each pair of a 0 and a number above."""
    xp = namespace(sums.sines)
    crossed = 2 * xp.sum(sums.roots * sums.versines, axis=1)
    within = subtract(xp, crossed, xp.sum(sums.versines**2, axis=1), xp.sum(sums.sines**2, axis=1))
    among_positive = xp.sum(within)
    if within.shape[0] > 1:
        among_positive = among_positive + _between_middles(xp, sums)
    # of zeros, not of numbers above: what all ratings have in common would drown the derivatives
    with_zero = 2 * sums.zeros * (sums.ratings - sums.zeros)
    found = chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(xp, among_positive + with_zero, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
        whole=whole,
    )
    beyond = xp.isnan(among_positive)
    return found._replace(code=xp.where(beyond, TOO_FAR_APART, found.code))


def _between_middles(xp: Namespace, sums: RatioStatistics) -> Array:
    """The same of each two ratings that are counted from different middles.

    With t the angle between the two, it is ``1 - cos(t + a - b)`` of each two.
    """
    versines, sines, roots = sums.versines, sums.sines, sums.roots
    cosines = roots - versines

    def products(first: Array, second: Array) -> Array:
        return first[:, None, :] * second[None, :, :]

    cosine = products(cosines, cosines) + products(sines, sines)
    sine = products(sines, cosines) - products(cosines, sines)
    near = products(roots, versines) + products(versines, cosines) - products(sines, sines)
    apart = near + 2 * xp.sin(sums.angles / 2) ** 2 * cosine + xp.sin(sums.angles) * sine
    others = ~xp.eye(apart.shape[0], dtype=xp.bool)
    return xp.sum(xp.where(others, xp.sum(apart, axis=-1), 0))


def alpha_ratio_for(value: Array) -> Kernel:
    """Ratio alpha with as many nodes as the range of these ratings needs."""
    xp = namespace(value)
    positive = value > 0
    if not xp.any(positive):
        return krippendorff_alpha_ratio
    high = float(xp.max(xp.where(positive, value, 0)))
    low = float(xp.min(xp.where(positive, value, xp.inf)))
    needed = _HIGHEST * (math.log(high) - math.log(low) + _TAIL) / (2 * math.pi)
    doublings = 0
    # few different numbers of nodes: compiled code is made anew for each
    while needed > _NODES << doublings and doublings < _MOST_DOUBLINGS:
        doublings += 1
    return _alpha_ratio_with(doublings)


@cache
def _alpha_ratio_with(doublings: int) -> Kernel:
    if not doublings:
        return krippendorff_alpha_ratio
    nodes = _NODES << doublings
    return replace(krippendorff_alpha_ratio, common=partial(range_of_logs, nodes=nodes))


krippendorff_alpha_ratio = Kernel(
    "krippendorff_alpha_ratio",
    ratio_statistics,
    krippendorff_alpha_ratio_formula,
    "Alpha with relative differences, values from 0 up: see `iaa_jax.krippendorff_alpha`",
    common=range_of_logs,
    several_middles=True,
    fitted=alpha_ratio_for,
)


def _logs_from(xp: Namespace, middle: Array, value: Array, positive: Array) -> Array:
    """Logarithms of the ratings above 0, less that of the middle one; 0 for others.

    Of a rating near the middle one by their difference: of numbers that are close to each other for
    their size the logarithms are equal in all digits but the last.
    """
    middle = xp.where(middle > 0, middle, xp.ones_like(middle))
    value = xp.where(positive, value, middle)
    near = (value / 2 < middle) & (middle / 2 < value)
    share = xp.where(near, value - middle, xp.zeros_like(value)) / middle
    return xp.where(near, xp.log1p(share), xp.log(value) - xp.log(middle))


def _ratio_nodes(xp: Namespace, logs: Array, nodes: int) -> tuple[Array, Array]:
    """Frequencies, and square roots of their weights, of the cosine sum for sech^2(t / 2).

    The roots are NaN where so few nodes do not reach as far as the logarithms.
    """
    span = xp.max(logs) - xp.min(logs) if math.prod(logs.shape) else xp.zeros_like(xp.sum(logs))
    step = 2 * math.pi / (span + _TAIL)
    index = xp.arange(nodes, dtype=logs.dtype, device=device_of(logs))
    frequency = step * index
    safe = xp.where(index > 0, frequency, xp.ones_like(frequency))
    # 1 / sinh without overflow
    decay = xp.exp(-math.pi * safe)
    weight = step * 8 * safe * decay / (1 - decay * decay)
    weight = xp.where(index > 0, weight, step * 2 / math.pi * xp.ones_like(weight))
    reached = step * nodes > _HIGHEST * (1 - _MARGIN)
    return frequency, xp.where(reached, xp.sqrt(weight), math.nan)


def _ratio_within(xp: Namespace, value: Array, counted: WeightedValues) -> Array:
    """Sum over ordered pairs of an item of v v ((a - b) / (a + b))^2, 0 for two zeros."""
    x = xp.where(counted.rated, value, xp.zeros_like(value))
    if not is_numpy_namespace(xp):  # a step for each column would take long to compile
        first, second = x[:, :, None], x[:, None, :]
        distance = divided(xp, first - second, first + second) ** 2
        return xp.sum(counted.weight * (distance @ counted.weight[:, :, None])[:, :, 0], axis=1)
    total = xp.zeros_like(counted.ratings)
    for shift in range(1, x.shape[1]):
        other, weight = xp.roll(x, shift, axis=1), xp.roll(counted.weight, shift, axis=1)
        distance = divided(xp, x - other, x + other) ** 2
        total = total + xp.sum(counted.weight * weight * distance, axis=1)
    return total
