"""Cohen's kappa, and its mean over pairs of annotators (Light's kappa).

Equation::

    kappa = 1 - D_o / D_e,    D_o = mean_i m_1i' D m_2i,    D_e = p_1' D p_2

with m_ai annotator a's rating of common item i as shares of labels, p_a the mean of m_ai over
common items, and D the disagreement of labels, 1 minus their agreement.

Cohen, J. (1960). https://doi.org/10.1177/001316446002000104
Light, R. J. (1971). https://doi.org/10.1037/h0031643
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from iaa_jax._errors import DEFINED, NO_DEFINED_PAIR, NO_SHARED_ITEM
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.kernel import ChainedFormula, Kernel
from iaa_jax.kernels.namespace import Array, divided, first_code, namespace
from iaa_jax.kernels.pairs import (
    MIN_COMMON,
    AnnotatorPairs,
    PairStatistics,
    annotator_pairs,
    independent_pairs,
    pair_statistics,
    pairs_of_sums,
    two_annotator_statistics,
)


def cohen_kappa_formula(
    sums: PairStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return kappa, with ``D_e = p_1' D p_2``; rows of D are the first annotator's labels."""
    xp = namespace(sums.shared, disagreement)
    pair = annotator_pairs(xp, sums, annotator_weight, disagreement, 0)
    return chance_corrected(
        xp,
        pair.observed_disagreement[0],
        pair.expected_disagreement[0],
        (sums.shared[0] == 0) | (pair.weight[0] == 0),
        NO_SHARED_ITEM,
    )


cohen_kappa = Kernel(
    "cohen_kappa",
    two_annotator_statistics,
    cohen_kappa_formula,
    "Agreement of two annotators beyond chance, with a label margin for each",
    ordered_pairs=True,
    by_pair=PairStatistics._fields,
    weighs_annotators=False,
    independent=independent_pairs,
)


def _mean_over_pairs(pairs: AnnotatorPairs, *, undefined_as_zero: bool) -> Agreement:
    xp = namespace(pairs.weight)
    weight = pairs.weight
    defined = pairs.expected_disagreement != 0
    kappa = xp.where(
        defined,
        1 - divided(xp, pairs.observed_disagreement, pairs.expected_disagreement),
        xp.zeros_like(pairs.expected_disagreement),
    )
    used = weight if undefined_as_zero else xp.where(defined, weight, xp.zeros_like(weight))
    total = xp.sum(used)
    code = first_code(xp, (xp.sum(weight) == 0, NO_SHARED_ITEM), (total == 0, NO_DEFINED_PAIR))

    def mean(value: Array) -> Array:
        return xp.where(code == DEFINED, divided(xp, xp.sum(used * value), total), xp.nan)

    return Agreement(
        mean(kappa),
        mean(1 - pairs.observed_disagreement),
        mean(1 - pairs.expected_disagreement),
        code,
    )


def _mean_of_kappas(*, undefined_as_zero: bool) -> Kernel:
    mean = partial(_mean_over_pairs, undefined_as_zero=undefined_as_zero)
    return Kernel(
        "mean_pairwise_cohen_kappa",
        pair_statistics,
        ChainedFormula(pairs_of_sums, mean),
        "Mean of Cohen's kappa over pairs",
        ordered_pairs=True,
        options=(("min_common", MIN_COMMON),),
        by_pair=PairStatistics._fields,
        weighs_annotators=False,
    )


mean_pairwise_cohen_kappa = _mean_of_kappas(undefined_as_zero=False)
mean_pairwise_cohen_kappa_zero = _mean_of_kappas(undefined_as_zero=True)


class PairCounts(NamedTuple):
    """The pairs of annotators on which a pairwise coefficient is based."""

    used: int
    undefined: int  # pairs whose coefficient is 0/0, which are left out
    common_items: tuple[float, ...]  # number of common items of each pair that has enough


def pairs_counted(
    sums: PairStatistics,
    annotator_weight: Array,
    disagreement: Array | None,
    min_common: Array | float = MIN_COMMON,
    *,
    leave_out: bool = True,
) -> PairCounts:
    """Count the pairs that enter a coefficient whose sums have the fields of `PairStatistics`.

    With ``leave_out=False``, which is for coefficients that pool pairs, pairs with 0/0 count too.
    """
    xp = namespace(sums.shared, disagreement)
    pairs = annotator_pairs(xp, sums, annotator_weight, disagreement, min_common)
    counted = pairs.weight > 0
    undefined = counted & (pairs.expected_disagreement == 0)
    left_out = int(xp.sum(xp.astype(undefined, xp.int32))) if leave_out else 0
    shared: Array = sums.shared
    common = tuple(float(x) for x in shared[counted])
    return PairCounts(len(common) - left_out, left_out, common)
