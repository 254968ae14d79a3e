"""Gwet's AC1 and AC2.

Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
agreement. British Journal of Mathematical and Statistical Psychology 61, 29-48.
doi:10.1348/000711006X126600. AC2: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th
edition, chapter 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.fleiss import label_shares
from tests.oracles.percent import observed_disagreement
from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    corrected,
    identity,
    ones_unless,
)


def gwet_ac2(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e), P_e = T / (q (q - 1)) sum_k pi_k (1 - pi_k), T = sum_kl S(k, l).

    q is the number of declared labels; pi as in Fleiss' kappa. One label only: 0/0.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    observed = observed_disagreement(
        ratings, agreement=agreement, item_weight=w, annotator_weight=v
    )
    shares = label_shares(ratings, labels, w, v)
    q = len(labels)
    if shares is None or q < 2:
        return corrected(observed, NAN)
    total = 0.0
    for label in labels:
        for other in labels:
            total += agreement(label, other)
    expected = 0.0
    for label in labels:
        expected += total / (q * (q - 1)) * shares[label] * (1.0 - shares[label])
    return corrected(observed, 1.0 - expected)


gwet_ac1 = gwet_ac2
"""AC1 is AC2 with the identity agreement: T = q, so P_e = sum_k pi_k (1 - pi_k) / (q - 1)."""
