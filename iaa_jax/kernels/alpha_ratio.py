"""Krippendorff's alpha with the ratio metric, with memory linear in the number of items.

The distance of two ratings is ``((a - b) / (a + b))^2 = 1 - sech^2(t / 2)``, with t the difference
of their logarithms. A weighted sum of cosines approximates ``sech^2``, so the distance is nearly a
weighted sum of ``1 - cos(node t)``, where a node is a frequency. The total distance of all pairs
then follows from sums over ratings.
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
"""The default number of cosines, enough for a range of 28 decades."""

_TAIL = 36.0
"""Ratings whose logarithms differ by more than this have the largest distance, 1."""

_HIGHEST = 12.0
"""The frequency beyond which the weights of the cosine sum vanish."""

_MARGIN = 1e-3
"""Relative margin for rounding errors of the highest frequency, also in single precision."""

_MAX_DOUBLINGS = 4
"""Maximum number of times that the nodes are doubled; four suffice for all float64 numbers."""


class RatioStatistics(NamedTuple):
    """The statistics of an item for ratio alpha; v, n_i and q_i are as in `WeightedValues`.

    Scaled sums are multiplied by the square root of the node's weight; x is a rating divided by the
    nearest middle (see `LogRange`).
    """

    ratings: Array  # (item,) n_i
    disagreement: Array  # (item,) n_i times the mean distance of its pairs
    zeros: Array  # (item,) sum of v over ratings of 0
    versines: Array  # (item, middle, node) sum of v (1 - cos(node log x)), scaled
    sines: Array  # (item, middle, node) sum of v sin(node log x), scaled
    roots: Array  # (item, middle, node) sum of v over ratings above 0, scaled
    self_pairs: Array  # (item,) q_i
    angles: Array  # (middle, middle, node) node times the log ratio of two middles; not by item


class LogRange(NamedTuple):
    """A cosine sum for the range of the logarithms of all positive ratings."""

    middles: Array  # (middle,) centres; each rating is divided by the nearest one
    nodes: Array  # (node,) frequencies
    root: Array  # (node,) square roots of their weights


def range_of_logs(
    value: Array,
    raters: Raters,
    nodes: int = _NODES,
    middles: tuple[float, ...] | None = None,
) -> LogRange:
    """Return the cosine sum for the positive ratings of items that have at least two ratings."""
    xp = namespace(value, raters.weight)
    positive = weighted_values(value, raters).rated & (value > 0)
    centre = centre_of(xp, value, positive, middles).middles
    logs = _logs_from(xp, centre[0], value, positive)
    return LogRange(centre, *_ratio_nodes(xp, logs, nodes))


def ratio_statistics(
    value: Array, raters: Raters, disagreement: Array | None, common: LogRange
) -> RatioStatistics:
    """Return the statistics of each item for ratio alpha.

    Versines, ``1 - cos``, are summed instead of cosines, because they keep the digits of small
    differences.
    """
    xp = namespace(value, raters.weight)
    counted = weighted_values(value, raters)
    positive = counted.rated & (value > 0)
    middles, root = common.middles, common.root
    middle, nearest = nearest_to(xp, middles, xp.sqrt(middles[:-1]) * xp.sqrt(middles[1:]), value)
    logs = Counted(_logs_from(xp, middle, value, positive), nearest)
    weight = xp.where(positive, counted.weight, xp.zeros_like(counted.weight))
    angle = logs.value[..., None] * common.nodes
    weight_of = xp.matrix_transpose(logs.by_middle(xp, weight))
    total = xp.sum(weight_of, axis=-1)
    distance = _logs_from(xp, middles[None, :], middles[:, None], middles[:, None] > 0)
    is_zero = counted.rated & ~positive
    return RatioStatistics(
        counted.ratings,
        counted.per_pair * _ratio_within(xp, value, counted),
        xp.sum(xp.where(is_zero, counted.weight, xp.zeros_like(counted.weight)), axis=1),
        (weight_of @ (2 * xp.sin(angle / 2) ** 2)) * root,
        (weight_of @ xp.sin(angle)) * root,
        total[..., None] * root,
        counted.self_pairs,
        Fixed(distance[..., None] * common.nodes),
    )


def krippendorff_alpha_ratio_formula(
    sums: RatioStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    whole: Array | float = 1.0,
) -> Agreement:
    """Return alpha: D_e is the mean distance of all pairs of ratings, without self-pairs.

    Pairs of positive ratings with the same middle add ``2 N V - V^2 - S^2`` at each node, with N, V
    and S the node's ``roots``, ``versines`` and ``sines``. Each pair with a single 0 adds 1.
    """
    xp = namespace(sums.sines)
    crossed = 2 * xp.sum(sums.roots * sums.versines, axis=1)
    within = subtract(xp, crossed, xp.sum(sums.versines**2, axis=1), xp.sum(sums.sines**2, axis=1))
    among_positive = xp.sum(within)
    if within.shape[0] > 1:
        among_positive = among_positive + _between_middles(xp, sums)
    # 1 is added only for pairs with a 0: a term common to all ratings would swamp the derivatives
    with_zero = 2 * sums.zeros * (sums.ratings - sums.zeros)
    agreement = chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.ratings),
        divided(xp, among_positive + with_zero, sums.ratings * sums.ratings - sums.self_pairs),
        sums.ratings == 0,
        whole=whole,
    )
    beyond = xp.isnan(among_positive)
    return agreement._replace(code=xp.where(beyond, TOO_FAR_APART, agreement.code))


def _between_middles(xp: Namespace, sums: RatioStatistics) -> Array:
    """Return the summed distances of pairs of ratings with different middles.

    With t the angle between the middles and a, b the angles of two ratings from their middles, the
    pair adds ``1 - cos(t + a - b)``.
    """
    versines, sines, roots = sums.versines, sums.sines, sums.roots
    cosines = roots - versines

    def products(first: Array, second: Array) -> Array:
        return first[:, None, :] * second[None, :, :]

    cosine = products(cosines, cosines) + products(sines, sines)
    sine = products(sines, cosines) - products(cosines, sines)
    near = products(roots, versines) + products(versines, cosines) - products(sines, sines)
    distances = near + 2 * xp.sin(sums.angles / 2) ** 2 * cosine + xp.sin(sums.angles) * sine
    others = ~xp.eye(distances.shape[0], dtype=xp.bool)
    return xp.sum(xp.where(others, xp.sum(distances, axis=-1), 0))


def alpha_ratio_for(value: Array) -> Kernel:
    """Return ratio alpha with as many nodes as the range of these ratings needs."""
    xp = namespace(value)
    positive = value > 0
    if not xp.any(positive):
        return krippendorff_alpha_ratio
    high = float(xp.max(xp.where(positive, value, 0)))
    low = float(xp.min(xp.where(positive, value, xp.inf)))
    needed = _HIGHEST * (math.log(high) - math.log(low) + _TAIL) / (2 * math.pi)
    doublings = 0
    while needed > _NODES << doublings and doublings < _MAX_DOUBLINGS:
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
    """Return ``log(value / middle)`` for positive ratings, 0 for other ratings.

    Near the middle, the difference is used, because logarithms of close numbers lose digits.
    """
    middle = xp.where(middle > 0, middle, xp.ones_like(middle))
    value = xp.where(positive, value, middle)
    near = (value / 2 < middle) & (middle / 2 < value)
    share = xp.where(near, value - middle, xp.zeros_like(value)) / middle
    return xp.where(near, xp.log1p(share), xp.log(value) - xp.log(middle))


def _ratio_nodes(xp: Namespace, logs: Array, nodes: int) -> tuple[Array, Array]:
    """Return the frequencies, and roots of the weights, of the cosine sum for ``sech^2(t / 2)``.

    The roots are NaN if the logarithms exceed the range that this number of nodes covers.
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
    """Sum ``((a - b) / (a + b))^2``, times both weights, over ordered pairs; 0/0 counts as 0."""
    x = xp.where(counted.rated, value, xp.zeros_like(value))
    if not is_numpy_namespace(xp):  # one step per column would take long to compile
        first, second = x[:, :, None], x[:, None, :]
        distance = divided(xp, first - second, first + second) ** 2
        return xp.sum(counted.weight * (distance @ counted.weight[:, :, None])[:, :, 0], axis=1)
    total = xp.zeros_like(counted.ratings)
    for shift in range(1, x.shape[1]):
        other, weight = xp.roll(x, shift, axis=1), xp.roll(counted.weight, shift, axis=1)
        distance = divided(xp, x - other, x + other) ** 2
        total = total + xp.sum(counted.weight * weight * distance, axis=1)
    return total
