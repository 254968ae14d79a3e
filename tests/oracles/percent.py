"""Percent agreement.

Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
Bulletin 76, 378-382. doi:10.1037/h0031619. With gaps: Gwet, K. L. (2008). Computing inter-rater
reliability and its variance in the presence of high agreement. British Journal of Mathematical
and Statistical Psychology 61, 29-48. doi:10.1348/000711006X126600.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.ratings import (
    NAN,
    Cell,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    between,
    complement,
    identity,
    ones_unless,
    raters,
)


def item_mean_of_pairs(
    row: Sequence[Cell], of: LabelFunction, annotator_weight: Sequence[float]
) -> float:
    """Weighted mean of ``of`` over the ordered pairs of different annotators of one item."""
    total = 0.0
    pairs = 0.0
    present = raters(row, annotator_weight)
    for a in present:
        for b in present:
            if a == b:
                continue
            weight = annotator_weight[a] * annotator_weight[b]
            total += weight * between(row[a], row[b], of)
            pairs += weight
    return total / pairs


def observed_disagreement(
    ratings: Ratings,
    *,
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> float:
    """Mean over the items with two ratings or more of the disagreement of their pairs."""
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    total = 0.0
    weights = 0.0
    for i, row in enumerate(ratings):
        if len(raters(row, v)) < 2:
            continue
        total += w[i] * item_mean_of_pairs(row, complement(agreement), v)
        weights += w[i]
    return NAN if weights == 0 else total / weights


def percent_agreement(
    ratings: Ratings,
    *,
    labels: Sequence[Label] = (),
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    aggregation: str = "item_mean",
) -> OracleResult:
    """Share of agreeing pairs: (1 / n) sum_i sum_{a != b} S(x_ia, x_ib) / (n_i (n_i - 1)).

    ``item_mean`` counts every item with two ratings or more alike, ``rating_weighted`` by its
    number of ratings (as alpha does), ``all_agree`` is the share of items on which no pair
    disagrees. Labels without ratings change nothing; there is no expected agreement.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    total = 0.0
    weights = 0.0
    for i, row in enumerate(ratings):
        present = raters(row, v)
        if len(present) < 2:
            continue
        if aggregation == "item_mean":
            weight = w[i]
            item = item_mean_of_pairs(row, agreement, v)
        elif aggregation == "rating_weighted":
            weight = w[i] * sum(v[a] for a in present)
            item = item_mean_of_pairs(row, agreement, v)
        elif aggregation == "all_agree":
            weight = w[i]
            # Masses of .6 and .4 do not add up to 1 to the last bit.
            disagreements = [
                between(row[a], row[b], complement(agreement))
                for a in present
                for b in present
                if a != b
            ]
            item = 1.0 if max(disagreements) < 1e-12 else 0.0
        else:
            raise ValueError(aggregation)
        total += weight * item
        weights += weight
    estimate = NAN if weights == 0 else total / weights
    return OracleResult(estimate, estimate, NAN)
