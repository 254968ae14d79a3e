"""Bangdiwala's B, from the rectangles of the agreement chart.

Bangdiwala, S. I. (1985). A graphical test for observer agreement. Proceedings of the 45th
International Statistical Institute Meeting, Amsterdam, 307-308. Munoz, S. R. and Bangdiwala, S. I.
(1997). Interpretation of Kappa and B statistics measures of agreement. Journal of Applied
Statistics 24, 105-112. doi:10.1080/02664769723918.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.kappa import common_items
from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    identity,
    masses,
    ones_unless,
)


def bangdiwala_b(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """The agreed area over the area of the labels' rectangles, strip by strip.

    Label l's rectangle is n_l. high and n_.l wide. Cut by the other annotator's labels it falls
    into small rectangles n_lj by n_kl, which agree as far as the lesser of S(l, j) and S(l, k); an
    asymmetric S counts as the mean of it and its transpose.
    """

    def credit(first: Label, second: Label) -> float:
        return (agreement(first, second) + agreement(second, first)) / 2

    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, 2)
    if min(v) <= 0:
        return OracleResult(NAN, NAN, NAN)
    table = {(one, other): 0.0 for one in labels for other in labels}
    for i in common_items(ratings, 0, 1):
        for one, mass in masses(ratings[i][0]).items():
            for other, other_mass in masses(ratings[i][1]).items():
                table[one, other] += w[i] * mass * other_mass
    agreed = whole = 0.0
    for label in labels:
        for j in labels:
            for k in labels:
                area = table[label, j] * table[k, label]
                whole += area
                agreed += area * min(credit(label, j), credit(label, k))
    if whole == 0:
        return OracleResult(NAN, NAN, NAN)
    return OracleResult(agreed / whole, agreed / whole, NAN)


def b_by_bands(table: Sequence[Sequence[float]], weights: Sequence[float]) -> float:
    """The form of Munoz and Bangdiwala for ordered labels: growing squares around the diagonal.

    ``weights[d]`` is the credit of labels d apart, from 1 down; labels further apart have none.
    """
    labels = len(table)
    agreed = whole = 0.0
    for label in range(labels):
        whole += sum(table[label]) * sum(row[label] for row in table)
        inner = 0.0
        for band, weight in enumerate(weights):
            near = range(max(0, label - band), min(labels, label + band + 1))
            area = sum(table[label][j] for j in near) * sum(table[k][label] for k in near)
            agreed += weight * (area - inner)
            inner = area
    return agreed / whole
