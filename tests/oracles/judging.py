"""The alternative annotator test, item by item, from the paper's definitions.

Calderon, Reichart and Dror (2025), sections 3 and 4. https://doi.org/10.18653/v1/2025.acl-long.782
"""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy import stats


class AltTest(NamedTuple):
    """The outcome of the test for one judge."""

    winning_rate: float
    advantage: float
    advantages: dict[str, float]
    p_values: dict[str, float]
    beaten: dict[str, bool]


def match(rating, others) -> float:
    """The share of the others that gave the same label."""
    return sum(other == rating for other in others) / len(others)


def nearness(rating, others) -> float:
    """The negative root mean square error against the others."""
    return -math.sqrt(sum((other - rating) ** 2 for other in others) / len(others))


def jaccard(rating, others) -> float:
    """The mean overlap with the others' sets."""
    shares = [
        1.0 if not rating | other else len(rating & other) / len(rating | other) for other in others
    ]
    return sum(shares) / len(shares)


def alternative_annotator_test(
    people: dict[str, dict],
    judge: dict,
    epsilon: float,
    q: float = 0.05,
    fewest: int = 30,
    score=match,
) -> AltTest:
    """People's and a judge's ratings by item (None for none) to the test's outcome."""
    advantages, p_values = {}, {}
    for name, own in people.items():
        judge_wins, person_wins = [], []
        for item, rating in own.items():
            others = [
                ratings[item]
                for other, ratings in people.items()
                if other != name and ratings.get(item) is not None
            ]
            if rating is None or judge.get(item) is None or not others:
                continue
            of_judge, of_person = score(judge[item], others), score(rating, others)
            equal = math.isclose(of_judge, of_person, rel_tol=1e-9, abs_tol=1e-12)
            judge_wins.append(int(of_judge > of_person or equal))
            person_wins.append(int(of_person > of_judge or equal))
        n = len(judge_wins)
        if n < fewest:
            continue
        advantages[name] = sum(judge_wins) / n
        differences = [p - j for p, j in zip(person_wins, judge_wins, strict=True)]
        mean = sum(differences) / n
        variance = sum((d - mean) ** 2 for d in differences) / (n - 1)
        if variance < 1e-15:
            p_values[name] = 0.0 if mean < epsilon else 1.0
        else:
            t = (mean - epsilon) / math.sqrt(variance / n)
            p_values[name] = float(stats.t.cdf(t, n - 1))
    if not p_values:
        return AltTest(math.nan, math.nan, {}, {}, {})
    m = len(p_values)
    harmonic = sum(1 / i for i in range(1, m + 1))
    ordered = sorted(p_values.items(), key=lambda pair: pair[1])
    last = 0
    for k, (_, p_value) in enumerate(ordered, 1):
        if p_value <= k * q / (m * harmonic):
            last = k
    beaten = {name: k <= last for k, (name, _) in enumerate(ordered, 1)}
    return AltTest(
        sum(beaten.values()) / m, sum(advantages.values()) / m, advantages, p_values, beaten
    )


def by_label(ratings: dict, gold: dict, label: str) -> dict[str, float]:
    """Precision, recall and F1 of one annotator's label, from true and false positives."""
    pairs = [(gold[item], given) for item, given in ratings.items() if item in gold and given]
    tp = sum(true == given == label for true, given in pairs)
    fp = sum(given == label != true for true, given in pairs)
    fn = sum(true == label != given for true, given in pairs)
    return {"precision": tp / (tp + fp), "recall": tp / (tp + fn), "f1": tp / (tp + (fp + fn) / 2)}


def against_gold(ratings: dict, gold: dict, labels: list) -> tuple[float, float, dict]:
    """Accuracy, Cohen's kappa and the confusion of one annotator, from counts."""
    pairs = [(gold[item], label) for item, label in ratings.items() if item in gold and label]
    n = len(pairs)
    accuracy = sum(true == label for true, label in pairs) / n
    expected = sum(
        sum(true == label for true, _ in pairs) / n * sum(given == label for _, given in pairs) / n
        for label in labels
    )
    confusion = {
        true: {
            label: sum(pair == (true, label) for pair in pairs)
            / sum(pair[0] == true for pair in pairs)
            for label in labels
        }
        for true in labels
        if any(pair[0] == true for pair in pairs)
    }
    return accuracy, (accuracy - expected) / (1 - expected), confusion
