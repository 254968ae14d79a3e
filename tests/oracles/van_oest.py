"""Van Oest's Ir2 with the uniform prior.

Van Oest, R. (2019). A new coefficient of interrater agreement: the challenge of highly unequal
category proportions. Psychological Methods 24, 439-451. doi:10.1037/met0000183. Gaps and agreement
between labels: van Oest, R. and Girard, J. M. (2022). Weighting schemes and incomplete data: a
generalized Bayesian framework for chance-corrected interrater agreement. Psychological Methods 27,
1069-1088. doi:10.1037/met0000412.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.percent import observed_disagreement
from tests.oracles.ratings import (
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


def van_oest_ir2(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e), P_e from the shares (N_l + 1) / (N + L): one more rating a label."""
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    of_label = dict.fromkeys(labels, 0.0)
    whole = number = 0.0
    for i, row in enumerate(ratings):
        for a in raters(row, v):
            for label, mass in masses(row[a]).items():
                of_label[label] += w[i] * v[a] * mass
            whole += w[i] * v[a]
            number += w[i]
    observed = observed_disagreement(
        ratings, agreement=agreement, item_weight=w, annotator_weight=v
    )
    distance = complement(agreement)
    share = {
        label: (number * mass / whole + 1 if whole else 1) / (number + len(labels))
        for label, mass in of_label.items()
    }
    expected = sum(
        share[one] * share[other] * distance(one, other) for one in labels for other in labels
    )
    return corrected(observed, expected)
