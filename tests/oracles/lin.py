"""Lin's concordance correlation, and the overall one.

Lin, L. I. (1989). A concordance correlation coefficient to evaluate reproducibility. Biometrics
45, 255-268. doi:10.2307/2532051: variances over n. Barnhart, H. X., Haber, M. and Song, J. (2002).
Overall concordance correlation coefficient for evaluating agreement among multiple observers.
Biometrics 58, 1020-1027. doi:10.1111/j.0006-341X.2002.01020.x: numerators and denominators of all
pairs are added up.
"""

from __future__ import annotations

from collections.abc import Sequence


def lin_ccc(
    table: Sequence[Sequence[float | None]],
    *,
    item_weight: Sequence[float] | None = None,
    annotator_weight: Sequence[float] | None = None,
    min_common: float = 2,
) -> float:
    """sum 2 s_ab / sum (s_a^2 + s_b^2 + (m_a - m_b)^2) over pairs on their common items."""
    w = [1.0] * len(table) if item_weight is None else list(item_weight)
    v = [1.0] * len(table[0]) if annotator_weight is None else list(annotator_weight)
    above = below = 0.0
    for a in range(len(v)):
        for b in range(a + 1, len(v)):
            both = [
                (w[i], row[a], row[b])
                for i, row in enumerate(table)
                if row[a] is not None and row[b] is not None
            ]
            n = sum(weight for weight, _, _ in both)
            if n < min_common:
                continue
            first = sum(weight * x for weight, x, _ in both) / n
            second = sum(weight * y for weight, _, y in both) / n
            s_ab = sum(weight * (x - first) * (y - second) for weight, x, y in both) / n
            s_a = sum(weight * (x - first) ** 2 for weight, x, _ in both) / n
            s_b = sum(weight * (y - second) ** 2 for weight, _, y in both) / n
            above += v[a] * v[b] * 2 * s_ab
            below += v[a] * v[b] * (s_a + s_b + (first - second) ** 2)
    return above / below
