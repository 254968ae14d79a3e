"""Specific agreement of one label.

Dice, L. R. (1945). Measures of the amount of ecologic association between species. Ecology 26,
297-302. doi:10.2307/1932409. Many annotators: Spitzer, R. L. and Fleiss, J. L. (1974). A
re-analysis of the reliability of psychiatric diagnosis. British Journal of Psychiatry 125,
341-347. doi:10.1192/bjp.125.4.341.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.oracles.ratings import (
    NAN,
    Label,
    OracleResult,
    Ratings,
    annotators_in,
    masses,
    ones_unless,
    raters,
)


def specific_agreement(
    ratings: Ratings,
    label: Label,
    *,
    labels: Sequence[Label] = (),
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    weighting: str = "pairs",
) -> OracleResult:
    """Given that one annotator chose the label, how often does another one choose it too.

    Over all ordered pairs of different annotators of all items: sum m_ac m_bc / sum m_ac. On
    counts this is sum_i n_ic (n_ic - 1) / sum_i n_ic (n_i - 1). By "ratings" the pairs of an item
    weigh as many as its ratings together, as in Krippendorff's alpha.
    """
    w = ones_unless(item_weight, len(ratings))
    v = ones_unless(annotator_weight, annotators_in(ratings))
    both = 0.0
    chosen = 0.0
    for i, row in enumerate(ratings):
        present = raters(row, v)
        pairs = sum(v[a] * v[b] for a in present for b in present if a != b)
        of_item = sum(v[a] for a in present) / pairs if weighting == "ratings" and pairs else 1.0
        for a in present:
            for b in present:
                if a == b:
                    continue
                weight = of_item * w[i] * v[a] * v[b]
                both += weight * masses(row[a]).get(label, 0.0) * masses(row[b]).get(label, 0.0)
                chosen += weight * masses(row[a]).get(label, 0.0)
    estimate = NAN if chosen == 0 else both / chosen
    return OracleResult(estimate, estimate, NAN)
