"""Scott's pi and its generalisation to many annotators, Fleiss' kappa.

Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public
Opinion Quarterly 19, 321-325. doi:10.1086/266577. Fleiss, J. L. (1971). Measuring nominal scale
agreement among many raters. Psychological Bulletin 76, 378-382. doi:10.1037/h0031619. Gaps and
weights: Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th edition, chapters 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.percent import observed_disagreement
from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    complement,
    corrected,
    identity,
    masses,
    ones_unless,
    raters,
)


def label_shares(
    ratings: Ratings,
    labels: Sequence[Label],
    item_weight: Sequence[float],
    annotator_weight: Sequence[float],
) -> dict[Label, float] | None:
    """Mean over every rated item, those with one rating too, of the item's share of each label."""
    shares = dict.fromkeys(labels, 0.0)
    weights = 0.0
    for i, row in enumerate(ratings):
        present = raters(row, annotator_weight)
        if not present:
            continue
        size = sum(annotator_weight[a] for a in present)
        for a in present:
            for label, mass in masses(row[a]).items():
                shares[label] += item_weight[i] * annotator_weight[a] * mass / size
        weights += item_weight[i]
    if weights == 0:
        return None
    return {label: share / weights for label, share in shares.items()}


def fleiss_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e) with P_e = sum_kl pi_k S(k, l) pi_l.

    P_o is the mean over items with two ratings or more; pi_k is the mean over all rated items.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    shares = label_shares(ratings, labels, w, v)
    observed = observed_disagreement(
        ratings, agreement=agreement, item_weight=w, annotator_weight=v
    )
    if shares is None:
        return corrected(observed, NAN)
    distance = complement(agreement)
    expected = 0.0
    for label in labels:
        for other in labels:
            expected += shares[label] * shares[other] * distance(label, other)
    return corrected(observed, expected)


scott_pi = fleiss_kappa
"""Scott's pi is the same formula, named for two annotators."""

siegel_castellan_kappa = fleiss_kappa
"""Siegel and Castellan (1988), Nonparametric Statistics, section 9.8: the same formula."""
