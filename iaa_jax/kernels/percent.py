"""Percent agreement, and agreement on one label.

Equation::

    A = mean over items of the share of agreeing pairs of ratings
    A_l = number of ordered pairs of ratings with labels (l, l) / number with l first

Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition.
Cicchetti, D. V. and Feinstein, A. R. (1990). https://doi.org/10.1016/0895-4356(90)90159-M
"""

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

# expected agreement is 0, because there is no correction for chance
percent_agreement = rating_kernel(
    "percent_agreement",
    lambda *_: 1.0,
    "Mean over items of the share of agreeing pairs",
    independent_items(1, lambda xp, one, *_: xp.ones_like(one.pairable), of_chance=False),
)


class AggregatedStatistics(NamedTuple):
    """An item's disagreement and weight, for weighted means over items."""

    weight: Array  # (item,) the weight of the item
    disagreement: Array  # (item,) its disagreement times that weight


def rating_weighted_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> AggregatedStatistics:
    """Return the statistics for a mean that weights items by their number of ratings."""
    counted = weighted_ratings(mass, raters)
    weight = counted.pairable * counted.ratings
    return AggregatedStatistics(weight, weight * pair_disagreement(counted, disagreement))


def all_agree_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> AggregatedStatistics:
    """Return the statistics for the share of items on which all ratings agree."""
    xp = namespace(mass, raters.weight, disagreement)
    counted = weighted_ratings(mass, raters)
    disagreed = xp.astype(pair_disagreement(counted, disagreement) != 0, mass.dtype)
    return AggregatedStatistics(counted.pairable, disagreed)


def aggregated_formula(
    sums: AggregatedStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return percent agreement from item weights and weighted disagreements."""
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
    """Pairs of ratings that agree on each label, and pairs that could have agreed on the label.

    v is the weight of a rating and m_c its mass on label c; n = sum_a v and r_c = sum_a v m_c.
    """

    agreements: Array  # (item, label) r_c^2 - sum_a v^2 m_c^2
    chances: Array  # (item, label) n r_c - sum_a v^2 m_c


def specific_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> SpecificStatistics:
    """Return the statistics of each item."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    mass_of_rating = counted.weighted_mass
    others = counted.labels[:, None, :] - mass_of_rating
    others_ratings = counted.ratings[:, None] - counted.weight
    pairable = counted.pairable[:, None]
    return SpecificStatistics(
        pairable * xp.sum(mass_of_rating * others, axis=1),
        pairable * xp.sum(mass_of_rating * others_ratings[..., None], axis=1),
    )


def rating_weighted_specific_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> SpecificStatistics:
    """Return the statistics times n / pairs, so that items count by ratings, not by pairs."""
    xp = namespace(mass, raters.weight)
    counted = weighted_ratings(mass, raters)
    pairs = xp.where(counted.pairable > 0, counted.pairs, xp.ones_like(counted.pairs))
    of_item = (counted.ratings / pairs)[:, None]
    sums = specific_statistics(mass, raters, disagreement)
    return SpecificStatistics(of_item * sums.agreements, of_item * sums.chances)


def specific_agreement_formula(
    sums: SpecificStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return each label's agreeing pairs as a share of the pairs that could have agreed."""
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
    takes_sets=True,
)
specific_agreement_of_ratings = replace(
    specific_agreement, statistics=rating_weighted_specific_statistics
)
