"""Gamma, gamma-cat and gamma-k: observed disorder relative to disorder by chance.

Disorder is the cost of aligning the units (labelled spans) of several annotators. An item is a
document. The data are (item, column, 2 + label, 3). The third axis is for gamma, gamma-cat, and
gamma-k of each label. The last axis has the document's weight, the weight times the disorder, and
the weight times the mean disorder by chance. All columns are equal, and NaN if fewer than two
annotators saw the document. ::

    gamma = 1 - sum_i w_i weight_i observed_i / sum_i w_i weight_i expected_i
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from iaa_jax._errors import NOTHING_ALIGNED, NOTHING_MARKED
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.raters import Raters


class DisorderStatistics(NamedTuple):
    """Weight and weighted disorders of each item: (item,) or (item, label)."""

    weight: Array
    observed: Array
    expected: Array


def disorder_statistics(
    data: Array, raters: Raters, disagreement: Array | None, *, part: int | slice
) -> DisorderStatistics:
    """Return the statistics at index ``part`` of the third axis, 0 where the data are NaN."""
    xp = namespace(data)
    of_part = data[:, 0, part]
    known = xp.where(xp.isnan(of_part), 0, of_part)
    return DisorderStatistics(known[..., 0], known[..., 1], known[..., 2])


def disorder_formula(
    sums: DisorderStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    *,
    nothing: int,
) -> Agreement:
    """Return 1 - disorder / chance disorder; observed agreement is 1 - weighted mean disorder."""
    xp = namespace(sums.weight)
    observed, expected = (divided(xp, part, sums.weight) for part in sums[1:])
    return chance_corrected(xp, observed, expected, sums.weight == 0, nothing)


_of_aligned = partial(disorder_formula, nothing=NOTHING_ALIGNED)

gamma = Kernel(
    "gamma",
    partial(disorder_statistics, part=0),
    partial(disorder_formula, nothing=NOTHING_MARKED),
    "Gamma, agreement on the positions and labels of units",
    weighs_annotators=False,
)
gamma_cat = Kernel(
    "gamma_cat",
    partial(disorder_statistics, part=1),
    _of_aligned,
    "Gamma-cat, agreement on the labels of aligned units",
    weighs_annotators=False,
)
gamma_k = Kernel(
    "gamma_k",
    partial(disorder_statistics, part=slice(2, None)),
    _of_aligned,
    "Gamma-k, agreement on each label of aligned units",
    weighs_annotators=False,
)
