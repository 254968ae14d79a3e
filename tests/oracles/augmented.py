"""Augmented kappa K'(p) on primary and secondary labels, its ceiling, curves and credits.

Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine interannotator
reliability for multiply labeled data points. HLT-NAACL 2004, 77-80. doi:10.3115/1613984.1614004.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tests.oracles.kappa import common_items, pair_disagreements
from tests.oracles.pairwise import usable_pairs
from tests.oracles.ratings import (
    NAN,
    Label,
    LabelFunction,
    OracleResult,
    Ratings,
    annotators_in,
    between,
    complement,
    identity,
    ones_unless,
)


def self_disagreement(
    ratings: Ratings,
    first: int,
    second: int,
    agreement: LabelFunction,
    item_weight: Sequence[float],
) -> float:
    """How far the two annotators' ratings of their common items disagree with themselves."""
    distance = complement(agreement)
    found = total = 0.0
    for i in common_items(ratings, first, second):
        for annotator in (first, second):
            cell = ratings[i][annotator]
            found += item_weight[i] * between(cell, cell, distance) / 2
        total += item_weight[i]
    return found / total


def augmented_kappa(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction = identity,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    min_common: float = 2,
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
) -> OracleResult:
    """The mean over pairs of (A - E) / (1 - E), or of (A - E) / (c - E); or one ratio of means.

    Observed and expected are means over the pairs that enter; over all pairs where none does.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    parts = []
    for first, second in usable_pairs(ratings, w, v, min_common):
        above, below = pair_disagreements(ratings, first, second, labels, agreement, w)
        own = self_disagreement(ratings, first, second, agreement, w)
        parts.append((v[first] * v[second], above, below, own))
    if not parts:
        return OracleResult(NAN, NAN, NAN)

    def ratio(above: float, below: float, own: float) -> float:
        lost = own if normalize == "ceiling" else 0.0
        room = below - lost
        return NAN if abs(room) < 1e-13 else 1.0 - (above - lost) / room

    def means(entries: list[tuple[float, float, float, float]]) -> tuple[float, ...]:
        total = sum(weight for weight, *_ in entries)
        return tuple(sum(one[0] * one[k] for one in entries) / total for k in (1, 2, 3))

    if pool == "components":
        above, below, own = means(parts)
        return OracleResult(ratio(above, below, own), 1.0 - above, 1.0 - below)
    entering = parts
    if undefined_pairs == "omit":
        entering = [part for part in parts if ratio(*part[1:]) == ratio(*part[1:])]
    above, below, own = means(entering or parts)
    if not entering:
        return OracleResult(NAN, 1.0 - above, 1.0 - below)
    total = sum(weight for weight, *_ in entering)
    estimate = 0.0
    for weight, *figures in entering:
        kappa = ratio(*figures)
        estimate += weight * (kappa if kappa == kappa else 0.0) / total
    if undefined_pairs == "zero" and all(ratio(*one[1:]) != ratio(*one[1:]) for one in parts):
        estimate = 0.0
    return OracleResult(estimate, 1.0 - above, 1.0 - below)


def credit(
    first: tuple[Label, Label | None], second: tuple[Label, Label | None], p: float
) -> float:
    """The agreement of two ratings, each a primary label and perhaps a secondary one."""
    total = 0.0
    for label, share in _shares(first, p):
        for other, other_share in _shares(second, p):
            if label == other:
                total += share * other_share
    return total


def cosine(
    first: tuple[Label, Label | None], second: tuple[Label, Label | None], p: float
) -> float:
    """The agreement of two ratings, scaled to unit length (cosine)."""
    return credit(first, second, p) / (credit(first, first, p) * credit(second, second, p)) ** 0.5


def item_agreement(row: Sequence[tuple[Label, Label | None] | None], p: float, of=credit) -> float:
    """The mean credit over the pairs of an item's ratings."""
    pairs = list(combinations([cell for cell in row if cell is not None], 2))
    return sum(of(a, b, p) for a, b in pairs) / len(pairs) if pairs else NAN


def pattern(first: tuple[Label, Label | None], second: tuple[Label, Label | None]) -> str:
    """The pattern of two ratings in the notation of the paper, with the one that it omits."""
    (a, b), (c, d) = first, second
    if b is None and d is None:
        return "{a,a}" if a == c else "{a,b}"
    if b is None or d is None:
        double, alone = ((a, b), c) if d is None else ((c, d), a)
        names = {double[0]: "{ab,a}", double[1]: "{ab,b}"}
        return names.get(alone, "{ab,c}")
    if a == c:
        return "{ab,ab}" if b == d else "{ab,ac}"
    if a == d and b == c:
        return "{ab,ba}"
    if a == d or b == c:
        return "{ab,bc}"
    return "{ab,cb}" if b == d else "{ab,cd}"


def _shares(rating: tuple[Label, Label | None], p: float) -> list[tuple[Label, float]]:
    primary, secondary = rating
    return [(primary, 1.0)] if secondary is None else [(primary, p), (secondary, 1.0 - p)]
