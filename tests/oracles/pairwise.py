"""Coefficients of many annotators made of the pairs of annotators.

Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations
and alternatives. Psychological Bulletin 76, 365-377. doi:10.1037/h0031643. Davies, M. and
Fleiss, J. L. (1982). Measuring agreement for multinomial data. Biometrics 38, 1047-1051.
doi:10.2307/2529886. Conger, A. J. (1980). Integration and generalization of kappas for multiple
raters. Psychological Bulletin 88, 322-328. doi:10.1037/0033-2909.88.2.322.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tests.oracles.kappa import common_items, label_shares_of, pair_disagreements
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
    ones_unless,
)


def usable_pairs(
    ratings: Ratings,
    item_weight: Sequence[float],
    annotator_weight: Sequence[float],
    min_common: float,
) -> list[tuple[int, int]]:
    """Pairs of annotators, first before second, with enough common items (counted by weight)."""
    usable = []
    for first, second in combinations(range(annotators_in(ratings)), 2):
        if annotator_weight[first] <= 0 or annotator_weight[second] <= 0:
            continue
        common = sum(item_weight[i] for i in common_items(ratings, first, second))
        if common >= min_common:
            usable.append((first, second))
    return usable


def mean_pairwise_cohen_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    min_common: float = 2,
    undefined_pairs: str = "omit",
) -> OracleResult:
    """Light's kappa: the mean of Cohen's kappa over the pairs of annotators, weighted v_a v_b.

    A pair with fewer than ``min_common`` common items never enters. A pair whose kappa is 0/0
    is left out (``undefined_pairs="omit"``) or counts as 0 (``"zero"``). Observed and expected
    are the means over the same pairs; the estimate is not a function of these two.
    """
    if undefined_pairs not in {"omit", "zero"}:
        raise ValueError(undefined_pairs)
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    estimate = observed = expected = weights = 0.0
    for first, second in usable_pairs(ratings, w, v, min_common):
        pair = corrected(*pair_disagreements(ratings, first, second, labels, agreement, w))
        kappa = pair.estimate
        if kappa != kappa:
            if undefined_pairs == "omit":
                continue
            kappa = 0.0
        weight = v[first] * v[second]
        estimate += weight * kappa
        observed += weight * pair.observed
        expected += weight * pair.expected
        weights += weight
    if weights == 0:
        return OracleResult(NAN, NAN, NAN)
    return OracleResult(estimate / weights, observed / weights, expected / weights)


def davies_fleiss_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    min_common: float = 2,
) -> OracleResult:
    """Mean observed and mean expected agreement over the pairs, each on its common items.

    The pairs count v_a v_b. An annotator has no side here, so both orders of a pair enter and
    an asymmetric agreement counts as its mean with its transpose.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    observed = expected = weights = 0.0
    for first, second in usable_pairs(ratings, w, v, min_common):
        for a, b in ((first, second), (second, first)):
            pair_observed, pair_expected = pair_disagreements(ratings, a, b, labels, agreement, w)
            observed += v[a] * v[b] * pair_observed
            expected += v[a] * v[b] * pair_expected
            weights += v[a] * v[b]
    if weights == 0:
        return OracleResult(NAN, NAN, NAN)
    return corrected(observed / weights, expected / weights)


def conger_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """Conger's exact kappa: P_e is the mean over pairs of annotators of sum_kl p_ak S(k, l) p_bl.

    Each annotator's shares are those of all own ratings, also of items that nobody else rated.
    Annotators without ratings are left out. P_o is the percent agreement of all items.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    shares: dict[int, dict[Label, float]] = {}
    for annotator in range(annotators_in(ratings)):
        own = [i for i, row in enumerate(ratings) if row[annotator] is not None]
        if v[annotator] > 0 and sum(w[i] for i in own) != 0:
            shares[annotator] = label_shares_of(ratings, annotator, own, labels, w)
    distance = complement(agreement)
    expected = weights = 0.0
    for a, rows in shares.items():
        for b, columns in shares.items():
            if a == b:
                continue
            for label in labels:
                for other in labels:
                    expected += v[a] * v[b] * rows[label] * columns[other] * distance(label, other)
            weights += v[a] * v[b]
    observed = observed_disagreement(
        ratings, agreement=agreement, item_weight=w, annotator_weight=v
    )
    return corrected(observed, NAN if weights == 0 else expected / weights)
