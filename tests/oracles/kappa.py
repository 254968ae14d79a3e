"""Cohen's kappa of two annotators, unweighted and weighted.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
Measurement 20, 37-46. doi:10.1177/001316446002000104. Weighted: Cohen, J. (1968). Weighted
kappa. Psychological Bulletin 70, 213-220. doi:10.1037/h0026256. On primary and secondary
labels: Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
interannotator reliability for multiply labeled data points. HLT-NAACL 2004, 77-80.
doi:10.3115/1613984.1614004.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    between,
    complement,
    corrected,
    identity,
    masses,
    ones_unless,
)


def common_items(ratings: Ratings, first: int, second: int) -> list[int]:
    """Items that both annotators rated."""
    return [
        i for i, row in enumerate(ratings) if row[first] is not None and row[second] is not None
    ]


def label_shares_of(
    ratings: Ratings,
    annotator: int,
    items: Sequence[int],
    labels: Sequence[Label],
    item_weight: Sequence[float],
) -> dict[Label, float]:
    """Share of each label among one annotator's ratings of the given items."""
    total = sum(item_weight[i] for i in items)
    return {
        label: sum(item_weight[i] * masses(ratings[i][annotator]).get(label, 0.0) for i in items)
        / total
        for label in labels
    }


def pair_disagreements(
    ratings: Ratings,
    first: int,
    second: int,
    labels: Sequence[Label],
    agreement: LabelFunction,
    item_weight: Sequence[float],
) -> tuple[float, float]:
    """Observed and expected disagreement of two annotators on their common items."""
    items = common_items(ratings, first, second)
    total = sum(item_weight[i] for i in items)
    if total == 0:
        return NAN, NAN
    distance = complement(agreement)
    observed = 0.0
    for i in items:
        observed += item_weight[i] * between(ratings[i][first], ratings[i][second], distance)
    rows = label_shares_of(ratings, first, items, labels, item_weight)
    columns = label_shares_of(ratings, second, items, labels, item_weight)
    expected = 0.0
    for label in labels:
        for other in labels:
            expected += rows[label] * columns[other] * distance(label, other)
    return observed / total, expected


def cohen_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e) with P_e = sum_kl p_1k S(k, l) p_2l, on the common items.

    The first argument of ``agreement`` is the first annotator's label, so an asymmetric one
    counts as it stands. The scale of the annotator weights is free; zero removes an annotator.
    """
    if annotators_in(ratings) != 2:
        message = "Cohen's kappa takes two annotators"
        raise ValueError(message)
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, 2)
    if min(v) <= 0:
        return OracleResult(NAN, NAN, NAN)
    return corrected(*pair_disagreements(ratings, 0, 1, labels, agreement, w))
