"""Hubert's kappa: an item agrees where all annotators do.

Hubert, L. (1977). Kappa revisited. Psychological Bulletin 84, 289-297.
doi:10.1037/0033-2909.84.2.289. Martin Andres, A. and Alvarez Hernandez, M. (2020). Hubert's
multi-rater kappa revisited. British Journal of Mathematical and Statistical Psychology 73, 1-22.
doi:10.1111/bmsp.12167.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    corrected,
    identity,
    masses,
    ones_unless,
)


def hubert_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e) over items that all rated; P_e = sum_l prod_a p_al.

    Labels are names: ``agreement`` changes nothing. The loop visits every combination of labels
    drawn from the annotators' masses.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    asked = [a for a, weight in enumerate(v) if weight > 0]
    items = [i for i, row in enumerate(ratings) if all(row[a] is not None for a in asked)]
    total = sum(w[i] for i in items)
    if total == 0 or len(asked) < 2:
        return OracleResult(NAN, NAN, NAN)

    def disagreement(shares: list[dict[Label, float]]) -> float:
        return sum(
            prod(share.get(label, 0.0) for share, label in zip(shares, drawn, strict=True))
            for drawn in product(labels, repeat=len(shares))
            if len(set(drawn)) > 1
        )

    observed = sum(w[i] * disagreement([masses(ratings[i][a]) for a in asked]) for i in items)
    margins = [
        {
            label: sum(w[i] * masses(ratings[i][a]).get(label, 0.0) for i in items) / total
            for label in labels
        }
        for a in asked
    ]
    return corrected(observed / total, disagreement(margins))
