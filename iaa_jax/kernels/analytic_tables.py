"""Standard errors of Cohen's kappa, and of kappas under the null hypothesis of chance agreement.

In the formulas, p_kl are the shares of the table of two annotators, p_1 and p_2 its margins, S_kl
is the weight with which labels k and l agree, and A and E are the observed and expected agreement.

References
----------
Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969). Large sample standard errors of kappa and
weighted kappa. Psychological Bulletin 72(5). https://doi.org/10.1037/h0028106
Fleiss, J. L. (1981). Statistical methods for rates and proportions, 2nd edition,
section 13.1; 3rd edition https://doi.org/10.1002/0471445428, section 18.1.
Fleiss, J. L., Nee, J. C. M. and Landis, J. R. (1979). Large sample variance of kappa in the case
of different sets of raters. Psychological Bulletin 86(5).
https://doi.org/10.1037/0033-2909.86.5.974
"""

from __future__ import annotations

from typing import NamedTuple

from iaa_jax.kernels.analytic import AnalyticForm, CountedPatterns
from iaa_jax.kernels.namespace import Array, Namespace, device_of, divided, weighted_sum


class _TwoAnnotators(NamedTuple):
    xp: Namespace
    count: Array  # (pattern,) items that show the pattern; 0 if a rating is missing
    first: Array  # (pattern, label)
    second: Array
    margins: tuple[Array, Array]  # (label,) margin of each annotator
    disagreement: Array  # rows are the first annotator's labels
    items: Array


def _two_annotators(patterns: CountedPatterns) -> _TwoAnnotators:
    xp, data, d = patterns.xp, patterns.data, patterns.disagreement
    if d is None:
        d = 1 - xp.eye(data.shape[2], dtype=data.dtype, device=device_of(data))
    both = ~xp.any(xp.isnan(data), axis=(1, 2))
    weight = xp.where(both, patterns.count, 0)
    filled = xp.where(both[:, None, None], data, 0)
    first, second = filled[:, 0, :], filled[:, 1, :]
    items = xp.sum(weight)
    sums = (weighted_sum(xp, weight, each) for each in (first, second))
    margins = tuple(divided(xp, each, items * xp.ones_like(each)) for each in sums)
    return _TwoAnnotators(xp, weight, first, second, (margins[0], margins[1]), d, items)


def cohen_error(patterns: CountedPatterns) -> Array:
    """Return the standard error of Cohen's kappa on the n common items.

    The squared standard error is ``[sum_kl p_kl (S_kl - (1 - kappa) ((S p_2)_k + (S' p_1)_l))^2 -
    (A - 2 (1 - kappa) E)^2] / (n (1 - E)^2)``. An asymmetric S is used unchanged.
    """
    two = _two_annotators(patterns)
    xp, d, (p1, p2) = two.xp, two.disagreement, two.margins
    disagreement = xp.sum((two.first @ d) * two.second, axis=1)
    by_chance = two.first @ (d @ p2) + two.second @ (p1 @ d)
    expected = xp.sum((p1 @ d) * p2)
    safe = xp.where(expected == 0, xp.full_like(expected, xp.nan), expected)
    ratio = divided(xp, two.count @ disagreement, two.items) / safe  # 1 - kappa
    shares = disagreement - ratio * by_chance
    mean = divided(xp, two.count @ shares, two.items)
    spread = divided(xp, two.count @ (shares - mean) ** 2, two.items * two.items)
    return xp.sqrt(spread) / safe


def cohen_null_error(patterns: CountedPatterns) -> Array:
    """Return the standard error of Cohen's kappa if the two annotators are independent.

    The squared standard error is ``[sum_kl p_1k p_2l (S_kl - (S p_2)_k - (S' p_1)_l)^2 - E^2] / (n
    (1 - E)^2)``. If different labels never agree, it is ``[E + E^2 - sum_k p_1k p_2k (p_1k +
    p_2k)] / (n (1 - E)^2)``.
    """
    two = _two_annotators(patterns)
    xp, d, (p1, p2) = two.xp, two.disagreement, two.margins
    rows, columns = d @ p2, p1 @ d
    expected = xp.sum(columns * p2)
    safe = xp.where(expected == 0, xp.full_like(expected, xp.nan), expected)
    # d - rows - columns has mean -expected
    residual = d - rows[:, None] - columns[None, :] + expected
    spread = xp.sum(p1[:, None] * p2[None, :] * residual * residual)
    return xp.sqrt(divided(xp, spread, two.items)) / safe


def fleiss_null_error(patterns: CountedPatterns) -> Array:
    """Return the standard error of Fleiss' kappa under chance, with m ratings on each of n items.

    The squared standard error is ``2 [(sum p q)^2 - sum p q (q - p)] / (n m (m - 1) (sum p q)^2)``,
    with p the label margins and q = 1 - p. For two labels it is 2 / (n m (m - 1)).
    """
    xp, data, weight = patterns.xp, patterns.data, patterns.count
    rated = ~xp.any(xp.isnan(data), axis=-1)
    filled = xp.where(rated[..., None], data, 0)
    weight = xp.where(xp.any(rated, axis=1), weight, xp.zeros_like(weight))
    items = xp.sum(weight)
    totals = weighted_sum(xp, weight, xp.sum(filled, axis=1))
    ratings = xp.sum(totals)
    p = divided(xp, totals, ratings * xp.ones_like(totals))
    q = divided(xp, ratings - totals, ratings * xp.ones_like(totals))
    m = divided(xp, ratings, items)
    chance = xp.sum(p * q)
    safe = xp.where(chance == 0, xp.full_like(chance, xp.nan), chance)
    pairs = xp.where(m > 1, items * m * (m - 1), xp.full_like(m, xp.nan))
    return xp.sqrt(2 * (chance * chance - xp.sum(p * q * (q - p))) / pairs) / safe


cohen_fleiss_cohen_everitt = AnalyticForm(
    cohen_error, "Cohen's kappa and weighted kappa, on the n common items"
)

cohen_null = AnalyticForm(
    cohen_null_error,
    "Cohen's kappa and weighted kappa if the two annotators are independent",
)

fleiss_null = AnalyticForm(
    fleiss_null_error,
    "Fleiss' kappa under chance, with m ratings on each of n items",
)
