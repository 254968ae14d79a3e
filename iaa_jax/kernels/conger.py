"""Conger's kappa and Davies and Fleiss's kappa: chance from each annotator's label margin.

Equation::

    kappa = 1 - D_o / D_e,    D_e = sum_{a != b} v_a v_b p_a' D p_b / sum_{a != b} v_a v_b

with v_a the annotator weights, D the disagreement of labels, and p_a annotator a's label shares.
Conger takes these shares over all items that the annotator rated. Davies and Fleiss take them over
the common items of each pair of annotators, and average D_o and D_e over pairs.

Conger, A. J. (1980). https://doi.org/10.1037/0033-2909.88.2.322
Davies, M. and Fleiss, J. L. (1982). https://doi.org/10.2307/2529886
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from iaa_jax._errors import NO_SHARED_ITEM
from iaa_jax.kernels.agreement import (
    Agreement,
    chance_corrected,
    disagreement_with,
    symmetrize,
)
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.independent import (
    DisagreementTerms,
    IndependentItems,
    all_or_none,
    largest_of_labels,
    symmetric,
)
from iaa_jax.kernels.kernel import ChainedFormula, Kernel
from iaa_jax.kernels.namespace import Array, divided, namespace
from iaa_jax.kernels.pairs import (
    MIN_COMMON,
    AnnotatorPairs,
    PairStatistics,
    independent_pairs,
    pair_statistics,
    pairs_of_sums,
)
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Indexed
from iaa_jax.kernels.weighing import Weighing


class OwnMarginStatistics(NamedTuple):
    """An item's disagreement, and the rating of each annotator.

    Data by slot (an item's first, second, ... rating) give statistics by slot.
    """

    pairable: Array  # (item,) 1 if two or more ratings count
    disagreement: Array  # (item,) mean disagreement of the item's pairs
    rated: Array  # (item, annotator) 1 if rated
    labels: Array  # (item, annotator, label) the rating's mass, 0 if not rated


def own_margin_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> OwnMarginStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight, disagreement, raters.annotator_of)
    counted = weighted_ratings(mass, raters)
    is_rated = ~xp.any(xp.isnan(mass), axis=-1)
    rated = xp.astype(is_rated, mass.dtype)
    labels = xp.where(is_rated[..., None], mass, 0)
    if raters.annotator_of is not None:
        index, annotators = raters.slot_annotators(), raters.weight.shape[0]
        rated, labels = (Indexed(each, index, annotators) for each in (rated, labels))
    return OwnMarginStatistics(
        counted.pairable, pair_disagreement(counted, disagreement), rated, labels
    )


def conger_kappa_formula(
    sums: OwnMarginStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return Conger's kappa: D_e is the mean ``p_a' D p_b`` of pairs, weighted by ``v_a v_b``."""
    xp = namespace(sums.labels, disagreement)
    margins = divided(xp, sums.labels, sums.rated[:, None])
    present = xp.where(sums.rated != 0, annotator_weight, xp.zeros_like(annotator_weight))
    weighted = present[:, None] * margins
    others = xp.sum(weighted, axis=0) - weighted
    matrix = None if disagreement is None else symmetrize(disagreement)
    return chance_corrected(
        xp,
        divided(xp, sums.disagreement, sums.pairable),
        divided(
            xp,
            xp.sum(disagreement_with(weighted, matrix) * others),
            xp.sum(present * (xp.sum(present) - present)),
        ),
        sums.pairable == 0,
    )


def _two_item_terms(
    items: Sequence[OwnMarginStatistics], annotator_weight: Array, disagreement: Array | None
) -> DisagreementTerms:
    xp = namespace(items[0].labels, disagreement)
    matrix = None if disagreement is None else symmetrize(disagreement)
    total = xp.sum(annotator_weight)
    pairs = xp.sum(annotator_weight * (total - annotator_weight))

    def between(one: OwnMarginStatistics, other: OwnMarginStatistics) -> Array:
        first, second = (annotator_weight[:, None] * each.labels for each in (one, other))
        others = xp.sum(second, axis=1, keepdims=True) - second
        return xp.sum(disagreement_with(first, matrix) * others, axis=(1, 2)) / pairs

    return DisagreementTerms(
        symmetric(lambda one, other: one.disagreement * other.pairable, items),
        symmetric(between, items),
    )


conger_kappa = Kernel(
    "conger_kappa",
    own_margin_statistics,
    conger_kappa_formula,
    "Agreement beyond chance, with a label margin for each annotator",
    by_rating=("rated", "labels"),
    weighing=Weighing(products=("disagreement",), unweighed=("rated", "labels")),
    independent=IndependentItems(
        2, _two_item_terms, largest_of_labels, lambda statistics, _: all_or_none(statistics.rated)
    ),
)


def davies_fleiss_kappa_formula(pairs: AnnotatorPairs) -> Agreement:
    """Return ``1 - D_o / D_e``, with D_o and D_e means over pairs, each on its common items."""
    xp = namespace(pairs.weight)
    total = xp.sum(pairs.weight)
    return chance_corrected(
        xp,
        divided(xp, xp.sum(pairs.weight * pairs.observed_disagreement), total),
        divided(xp, xp.sum(pairs.weight * pairs.expected_disagreement), total),
        total == 0,
        NO_SHARED_ITEM,
    )


davies_fleiss_kappa = Kernel(
    "davies_fleiss_kappa",
    pair_statistics,
    ChainedFormula(pairs_of_sums, davies_fleiss_kappa_formula),
    "Agreement beyond chance, pooled over pairs of annotators",
    options=(("min_common", MIN_COMMON),),
    by_pair=PairStatistics._fields,
    weighs_annotators=False,
    independent=independent_pairs,
)
