"""Krippendorff's alpha.

Krippendorff, K. (1970). Estimating the reliability, systematic error and random error of
interval data. Educational and Psychological Measurement 30, 61-70.
doi:10.1177/001316447003000105. Hayes, A. F. and Krippendorff, K. (2007). Answering the call for
a standard reliability measure for coding data. Communication Methods and Measures 1, 77-89.
doi:10.1080/19312450709336664. The metrics: Krippendorff, K. (2011). Computing Krippendorff's
alpha-reliability. https://repository.upenn.edu/asc_papers/43.
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
    raters,
    single_labels,
)

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def pairable_ratings(ratings: Ratings, annotator_weight: Sequence[float]) -> list[tuple[int, int]]:
    """(item, annotator) of each rating of an item that has two ratings or more."""
    found: list[tuple[int, int]] = []
    for i, row in enumerate(ratings):
        present = raters(row, annotator_weight)
        if len(present) >= 2:
            found.extend((i, a) for a in present)
    return found


def label_frequencies(
    ratings: Ratings,
    labels: Sequence[Label],
    item_weight: Sequence[float],
    annotator_weight: Sequence[float],
) -> dict[Label, float]:
    """How often each label occurs among the pairable ratings, weights as frequencies."""
    counts = dict.fromkeys(labels, 0.0)
    for i, a in pairable_ratings(ratings, annotator_weight):
        for label, mass in masses(ratings[i][a]).items():
            counts[label] += item_weight[i] * annotator_weight[a] * mass
    return counts


def ordinal_distance(labels: Sequence[Label], counts: dict[Label, float]) -> LabelFunction:
    """(n_c + ... + n_k - (n_c + n_k) / 2)^2: the ratings between two labels, ends counted half."""

    def distance(first: Label, second: Label) -> float:
        low, high = sorted((labels.index(first), labels.index(second)))
        between_them = sum(counts[labels[g]] for g in range(low, high + 1))
        return (between_them - (counts[first] + counts[second]) / 2) ** 2

    return distance


def interval_distance(first: Label, second: Label) -> float:
    """(c - k)^2."""
    return float((first - second) ** 2)


def ratio_distance(first: Label, second: Label) -> float:
    """((c - k) / (c + k))^2; two zeros do not differ."""
    if first < 0 or second < 0:
        message = "the ratio metric is for values of zero or more"
        raise ValueError(message)
    return 0.0 if first == second else float(((first - second) / (first + second)) ** 2)


def krippendorff_alpha(
    ratings: Ratings,
    *,
    labels: Sequence[Label],
    agreement: LabelFunction | None = None,
    distance: LabelFunction | None = None,
    level: str | None = None,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """1 - D_o / D_e over the items with two ratings or more.

    D_o: each pair of ratings within an item counts 1 / (n_i - 1); the sum is divided by the
    number n of ratings. D_e: all pairs of different ratings, of whatever item, over n (n - 1).
    An item weight is a frequency: an item of weight 3 stands for three items, and so the copies
    of one rating pair with one another but no copy with itself. An annotator weight multiplies
    the masses. At most one of ``agreement``, ``distance`` and ``level`` is given; observed and
    expected are 1 - D_o and 1 - D_e, in the raw units of the level.
    """
    if sum(option is not None for option in (agreement, distance, level)) > 1:
        message = "give one of agreement, distance and level"
        raise ValueError(message)
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    if agreement is not None:
        delta = complement(agreement)
    elif distance is not None:
        delta = distance
    elif level in (None, "nominal"):
        delta = complement(identity)
    elif level == "ordinal":
        delta = ordinal_distance(list(labels), label_frequencies(ratings, labels, w, v))
    elif level == "interval":
        delta = interval_distance
    elif level == "ratio":
        delta = ratio_distance
    else:
        raise ValueError(level)
    known: dict[tuple[Label, Label], float] = {
        (label, other): delta(label, other) for label in labels for other in labels
    }

    def difference(first: Label, second: Label) -> float:
        return known[first, second]

    pairable = pairable_ratings(ratings, v)
    observed = size = 0.0
    for i, row in enumerate(ratings):
        present = raters(row, v)
        if len(present) < 2:
            continue
        within = pairs = 0.0
        for a in present:
            for b in present:
                if a != b:
                    within += v[a] * v[b] * between(row[a], row[b], difference)
                    pairs += v[a] * v[b]
        ratings_of_item = sum(v[a] for a in present)
        observed += w[i] * ratings_of_item * within / pairs
        size += w[i] * ratings_of_item

    across = pairs = 0.0
    for i, a in pairable:
        for j, b in pairable:
            times = w[i] * (w[i] - 1.0) if (i, a) == (j, b) else w[i] * w[j]
            across += times * v[a] * v[b] * between(ratings[i][a], ratings[j][b], difference)
            pairs += times * v[a] * v[b]
    if size == 0 or pairs == 0:
        return OracleResult(NAN, NAN, NAN)
    return corrected(observed / size, across / pairs)


def krippendorff_alpha_of_values(
    values: Sequence[Sequence[float | None]],
    *,
    level: str = "interval",
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """Alpha of plain numbers: every distinct value is a label, in ascending order."""
    labels = sorted({value for row in values for value in row if value is not None})
    return krippendorff_alpha(
        single_labels(values),
        labels=labels,
        level=level,
        item_weight=item_weight,
        annotator_weight=annotator_weight,
    )


def gwet_form(
    result: OracleResult,
    ratings: Ratings,
    *,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
) -> OracleResult:
    """Rewrite the parts in Gwet's form, whose observed agreement carries the small-sample term.

    With N pairable ratings: p_o (1 - 1 / N) + 1 / N and 1 - (1 - p_e) (1 - 1 / N). The estimate
    stays. For one label per rating only: with soft masses N - 1 is not the number of partners.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    count = sum(w[i] * v[a] for i, a in pairable_ratings(ratings, v))
    return OracleResult(
        result.estimate,
        result.observed * (1 - 1 / count) + 1 / count,
        1 - (1 - result.expected) * (1 - 1 / count),
    )
