"""Standard errors by Gwet's linearisation, from each item's contribution to the coefficient.

A coefficient ``(A - E) / (1 - E)`` is replaced by the mean over items of::

    x_i = (n / n') o_i (A_i - E) / (1 - E) - 2 (1 - kappa) (E_i - E) / (1 - E)

with kappa the coefficient, n the number of rated items, n' the number of items with at least two
ratings (for which o_i = 1), A_i the item's agreement and E_i its contribution to E. The standard
error is ``sqrt(sum_i c_i (x_i - kappa)^2 / (n (n - 1)))``, where i now stands for a pattern
(ratings that several items may share) and c_i is the number of items that show it.

If two annotators rated every item, the same formula can be written for their table, with n in place
of n - 1. Let p_kl be the shares in this table, S_kl the agreement between labels k and l, and pi
the mean shares of labels. For Scott's pi, with ``E_k = (S pi)_k``, the squared standard error is
``[sum_kl p_kl (S_kl - (1 - kappa) (E_k + E_l))^2 - (A - 2 (1 - kappa) E)^2] / (n (1 - E)^2)``;
other coefficients differ in E_k.

On complete data the first standard error equals the infinitesimal jackknife's. If some items have
one rating, it is usually larger.

References
----------
Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
agreement. British Journal of Mathematical and Statistical Psychology 61(1).
https://doi.org/10.1348/000711006X126600
Gwet, K. L. (2021). Large-sample variance of Fleiss generalized kappa. Educational and
Psychological Measurement 81(4). https://doi.org/10.1177/0013164420973080
Gwet, K. L. (2014). Handbook of inter-rater reliability, 4th edition, chapters 5 and 6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from iaa_jax.kernels.agreement import disagreement_with, label_disagreement, symmetrize
from iaa_jax.kernels.conger import own_margin_statistics
from iaa_jax.kernels.counts import RatingStatistics, rating_statistics
from iaa_jax.kernels.namespace import (
    Array,
    Namespace,
    divided,
    floating,
    like,
    namespace,
    weighted_sum,
)
from iaa_jax.kernels.raters import Raters, raters_of
from iaa_jax.kernels.sums import Indexed, sums_over_items


class CountedPatterns(NamedTuple):
    """Rating patterns, and the number of items that show each pattern."""

    xp: Namespace
    data: Array  # (pattern, annotator, label)
    count: Array  # (pattern,)
    raters: Raters
    disagreement: Array | None  # rows are the first annotator's labels

    @property
    def symmetric(self) -> Array | None:
        """The disagreement, averaged with its transpose, for ratings without an order."""
        return None if self.disagreement is None else symmetrize(self.disagreement)


@dataclass(frozen=True)
class AnalyticForm:
    """A standard error by a published formula, to be called as a function.

    Attributes
    ----------
    error : callable
        ``CountedPatterns -> standard error``.
    summary : str
        The name of the coefficient, for the docstring.
    """

    error: Callable[[CountedPatterns], Array]
    summary: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", f"Standard error of {self.summary}.")

    def __call__(
        self,
        data: Array,
        count: Array,
        label_agreement: Array | None = None,
        annotator_weight: Array | None = None,
        annotator_of: Array | None = None,
    ) -> Array:
        """Return the standard error for patterns (pattern, annotator, label) and their counts."""
        arrays = (data, count, label_agreement, annotator_weight, annotator_of)
        xp = namespace(*arrays)
        data = floating(xp, *arrays)
        raters = raters_of(xp, data, annotator_weight, annotator_of)
        disagreement = label_disagreement(data, label_agreement, xp)
        return self.error(CountedPatterns(xp, data, like(xp, count, data), raters, disagreement))


class FirstOrder(NamedTuple):
    """The terms x_i, whose mean is the coefficient to first order."""

    count: Array  # (pattern,) rated items that show the pattern
    shares: Array  # (pattern,) x_i
    estimate: Array
    items: Array  # n


def linear_error(
    shares_of: Callable[[CountedPatterns], FirstOrder],
    patterns: CountedPatterns,
    *,
    two_raters: bool = False,
) -> Array:
    """Return ``sqrt(sum c (x - estimate)^2 / (n (n - 1)))``, or NaN if the divisor is not positive.

    With ``two_raters``, n^2 replaces ``n (n - 1)``.
    """
    xp = patterns.xp
    count, shares, estimate, items = shares_of(patterns)
    freedom = items if two_raters else items - 1
    enough = freedom > 0
    denominator = xp.where(enough, items * freedom, xp.ones_like(items))
    error = xp.sqrt(count @ (shares - estimate) ** 2 / denominator)
    return xp.where(enough, error, xp.full_like(error, xp.nan))


class _Terms(NamedTuple):
    xp: Namespace
    count: Array  # (pattern,) rated items that show the pattern
    statistics: RatingStatistics
    disagreement: Array | None
    items: Array  # n
    pairable: Array  # n'


def _terms(patterns: CountedPatterns) -> _Terms:
    xp, d = patterns.xp, patterns.symmetric
    statistics = rating_statistics(patterns.data, patterns.raters, d)
    weight = patterns.count * statistics.rated
    return _Terms(xp, weight, statistics, d, xp.sum(weight), weight @ statistics.pairable)


def _shares(terms: _Terms, expected: Array, of_items: Array) -> FirstOrder:
    """Return the terms x_i, given the expected agreement E and each pattern's E_i (pattern,)."""
    xp, statistics = terms.xp, terms.statistics
    beyond = 1 - expected
    observed = 1 - divided(xp, terms.count @ statistics.disagreement, terms.pairable)
    estimate = divided(xp, observed - expected, beyond)
    scale = divided(xp, terms.items, terms.pairable) * statistics.pairable
    agreement = scale * (1 - statistics.disagreement - expected)
    shares = (agreement - 2 * (1 - estimate) * (of_items - expected)) / xp.where(
        beyond == 0, xp.full_like(beyond, xp.nan), beyond
    )
    return FirstOrder(terms.count, shares, estimate, terms.items)


def _margins(terms: _Terms) -> Array:
    shares = weighted_sum(terms.xp, terms.count, terms.statistics.proportions)
    return divided(terms.xp, shares, terms.items * terms.xp.ones_like(shares))


def fleiss_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of Fleiss' kappa: ``E_i = p_i' S pi`` and ``E_k = (S pi)_k``.

    The label shares of an item are p_i.
    """
    terms = _terms(patterns)
    xp, pi = terms.xp, _margins(terms)
    against = disagreement_with(pi, terms.disagreement)
    return _shares(
        terms,
        1 - xp.sum(pi * against),
        1 - terms.statistics.proportions @ against,
    )


def gwet_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of AC2: ``E_i = sum(S) / (L (L - 1)) sum_l p_il (1 - pi_l)``.

    E_k is the factor of ``p_ik`` in this sum.
    """
    terms = _terms(patterns)
    xp, pi = terms.xp, _margins(terms)
    labels = pi.shape[0]
    if labels < 2:
        zero = xp.zeros_like(terms.items)
        return _shares(terms, zero, zero * terms.count)
    d = terms.disagreement
    whole = labels if d is None else labels * labels - xp.sum(d)
    others = disagreement_with(pi, None) * (whole / (labels * (labels - 1)))
    return _shares(terms, xp.sum(pi * others), terms.statistics.proportions @ others)


def uniform_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of Brennan and Prediger's coefficient: chance is fixed, so E_i = E_k = E."""
    terms = _terms(patterns)
    xp = terms.xp
    labels = terms.statistics.proportions.shape[1]
    chance = 1 - 1 / labels if terms.disagreement is None else xp.mean(terms.disagreement)
    expected = (1 - chance) * xp.ones_like(terms.items)
    return _shares(terms, expected, expected * xp.ones_like(terms.count))


def percent_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of percent agreement: E = E_i = E_k = 0."""
    terms = _terms(patterns)
    zero = terms.xp.zeros_like(terms.items)
    return _shares(terms, zero, terms.xp.zeros_like(terms.count))


def conger_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of Conger's kappa: E_i from each annotator's margin over all rated items.

    Let p_a be the margin of annotator a, n_a the number of items that this annotator rated, o_ia =
    1 if annotator a rated item i, and m_ia the rating. Then ``E_i - E`` is the sum over annotators
    of ``v_a (n / n_a) (m_ia - o_ia p_a)' S q_a / sum_{a != b} v_a v_b`` with q_a the sum of ``v_b
    p_b`` over the other annotators.
    """
    terms, raters = _terms(patterns), patterns.raters
    xp, d = terms.xp, terms.disagreement
    statistics = own_margin_statistics(patterns.data, raters, d)
    sums = sums_over_items(statistics, terms.count)
    margins = divided(xp, sums.labels, sums.rated[:, None] * xp.ones_like(sums.labels))
    v = xp.where(sums.rated != 0, raters.weight, xp.zeros_like(raters.weight))
    weighted = v[:, None] * margins
    against = disagreement_with(xp.sum(weighted, axis=0) - weighted, d)  # D q_a
    pairs = xp.sum(v * (xp.sum(v) - v))
    expected = 1 - divided(xp, xp.sum(weighted * against), pairs)
    scale = v * divided(xp, terms.items * xp.ones_like(sums.rated), sums.rated)
    of_annotator = scale * xp.sum(margins * against, axis=1)
    if isinstance(statistics.labels, Indexed):
        index = xp.reshape(statistics.labels.index, (-1,))
        shape = statistics.labels.index.shape
        towards = xp.reshape(xp.take(scale[:, None] * against, index, axis=0), (*shape, -1))
        labels, rated = statistics.labels.value, statistics.rated.value
        of_annotator = xp.reshape(xp.take(of_annotator, index), shape)
    else:
        towards, labels, rated = (
            (scale[:, None] * against)[None, ...],
            statistics.labels,
            statistics.rated,
        )
        of_annotator = of_annotator[None, :]
    excess = xp.sum(labels * towards, axis=(1, 2)) - xp.sum(rated * of_annotator, axis=1)
    return _shares(terms, expected, expected - divided(xp, excess, pairs * xp.ones_like(excess)))


fleiss_linearized = AnalyticForm(
    partial(linear_error, fleiss_shares), "Fleiss' kappa and Scott's pi"
)

gwet_linearized = AnalyticForm(partial(linear_error, gwet_shares), "AC1 and AC2")

brennan_prediger_linearized = AnalyticForm(
    partial(linear_error, uniform_shares), "Brennan and Prediger's coefficient"
)

percent_linearized = AnalyticForm(partial(linear_error, percent_shares), "percent agreement")

conger_linearized = AnalyticForm(partial(linear_error, conger_shares), "Conger's kappa")

fleiss_two_rater = AnalyticForm(
    partial(linear_error, fleiss_shares, two_raters=True),
    "Scott's pi from the table of two annotators",
)

gwet_two_rater = AnalyticForm(
    partial(linear_error, gwet_shares, two_raters=True),
    "AC1 and AC2 from the table of two annotators",
)

brennan_prediger_two_rater = AnalyticForm(
    partial(linear_error, uniform_shares, two_raters=True),
    "Brennan and Prediger's coefficient from the table of two annotators",
)

percent_two_rater = AnalyticForm(
    partial(linear_error, percent_shares, two_raters=True),
    "percent agreement from the table of two annotators",
)
