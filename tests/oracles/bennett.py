"""Coefficients whose chance agreement takes every declared label for equally likely.

Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Communications through limited response
questioning. Public Opinion Quarterly 18, 303-308. doi:10.1086/266520. Brennan, R. L. and
Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives. Educational and
Psychological Measurement 41, 687-699. doi:10.1177/001316448104100307. Two labels: Byrt, T.,
Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. Journal of Clinical
Epidemiology 46, 423-429. doi:10.1016/0895-4356(93)90018-V.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.percent import observed_disagreement
from tests.oracles.ratings import (
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    complement,
    corrected,
    identity,
)


def brennan_prediger(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """(P_o - P_e) / (1 - P_e) with P_e = sum_kl S(k, l) / q^2, q the number of declared labels.

    Nominal: P_e = 1 / q, so with two labels the coefficient is 2 P_o - 1.
    """
    distance = complement(agreement)
    expected = 0.0
    for label in labels:
        for other in labels:
            expected += distance(label, other) / len(labels) ** 2
    observed = observed_disagreement(
        ratings,
        agreement=agreement,
        item_weight=item_weight,
        annotator_weight=annotator_weight,
    )
    return corrected(observed, expected)


bennett_s = brennan_prediger
"""The nominal form for two annotators."""

randolph_kappa = brennan_prediger
"""Randolph, J. J. (2005). Free-marginal multirater kappa: the nominal form. ERIC ED490661."""

pabak = brennan_prediger
"""The prevalence-adjusted bias-adjusted kappa: the nominal form, 2 P_o - 1 with two labels."""
