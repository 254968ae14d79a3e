"""Percent agreement, and agreement on one label."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from iaa_jax._errors import LABEL_NOT_USED
from iaa_jax.kernels.agreement import Agreement, chance_corrected
from iaa_jax.kernels.counts import (
    independent_items,
    pair_disagreement,
    rating_kernel,
    weighted_ratings,
)
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, divided, first_code, namespace
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.weighing import Weighing

# no chance term: expected agreement is 0
percent_agreement = rating_kernel(
    "percent_agreement",
    lambda *_: 1.0,
    "Mean over items of the share of agreeing pairs",
    independent_items(1, lambda xp, one, *_: xp.ones_like(one.pairable), of_chance=False),
)


class AggregatedStatistics(NamedTuple):
    """An item's disagreement under another way to average over items."""

    weight: Array  # (item,) what the item counts
    disagreement: Array  # (item,) its disagreement times that weight


def rating_weighted_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> AggregatedStatistics:
    """Items count with their number of ratings."""
    counted = weighted_ratings(mass, raters)
    weight = counted.pairable * counted.ratings
    return AggregatedStatistics(weight, weight * pair_disagreement(counted, disagreement))


def all_agree_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> AggregatedStatistics:
    """An item agrees when all its ratings do."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    disagreed = xp.astype(pair_disagreement(counted, disagreement) != 0, mass.dtype)
    return AggregatedStatistics(counted.pairable, disagreed)


def aggregated_formula(
    sums: AggregatedStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Percent agreement from an item weight and a weighted disagreement."""
    xp = namespace(sums.weight)
    observed = divided(xp, sums.disagreement, sums.weight)
    return chance_corrected(xp, observed, xp.ones_like(observed), sums.weight == 0)


percent_agreement_of_ratings = replace(
    percent_agreement,
    statistics=rating_weighted_statistics,
    formula=aggregated_formula,
    weighing=Weighing(products=("disagreement",)),
    independent=None,
)
percent_all_agree = replace(
    percent_agreement,
    statistics=all_agree_statistics,
    formula=aggregated_formula,
    weighing=None,
    independent=None,
)


class SpecificStatistics(NamedTuple):
    """Agreements on each label, and the chances that there were to agree on it."""

    agreements: Array  # (item, label) r_c^2 - sum_a v^2 m_c^2
    chances: Array  # (item, label) n r_c - sum_a v^2 m_c


def specific_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> SpecificStatistics:
    """Statistics of each item for specific agreement."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    own = counted.weighted_mass
    others = counted.labels[:, None, :] - own
    others_ratings = counted.ratings[:, None] - counted.weight
    pairable = counted.pairable[:, None]
    return SpecificStatistics(
        pairable * xp.sum(own * others, axis=1),
        pairable * xp.sum(own * others_ratings[..., None], axis=1),
    )


def rating_weighted_specific_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> SpecificStatistics:
    """The same where an item counts by its ratings, not by its pairs: both times n / pairs."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    pairs = xp.where(counted.pairable > 0, counted.pairs, xp.ones_like(counted.pairs))
    of_item = (counted.ratings / pairs)[:, None]
    sums = specific_statistics(mass, raters, disagreement)
    return SpecificStatistics(of_item * sums.agreements, of_item * sums.chances)


def specific_agreement_formula(
    sums: SpecificStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Share of the chances to agree on a label that were taken."""
    xp = namespace(sums.agreements)
    unused = sums.chances == 0
    estimate = xp.where(unused, xp.nan, divided(xp, sums.agreements, sums.chances))
    code = first_code(xp, (unused, LABEL_NOT_USED))
    return Agreement(estimate, estimate, xp.where(unused, xp.nan, xp.zeros_like(estimate)), code)


specific_agreement = Kernel(
    "specific_agreement",
    specific_statistics,
    specific_agreement_formula,
    "Agreement on each label, as arrays (label,)",
    weighing=Weighing(products=("agreements", "chances")),
)
specific_agreement_of_ratings = replace(
    specific_agreement, statistics=rating_weighted_specific_statistics
)
