"""Standard errors by Gwet's linearisation, from each item's share in the coefficient.

A coefficient ``(A - E) / (1 - E)`` is replaced by the mean over items of::

    x_i = (n / n') o_i (A_i - E) / (1 - E) - 2 (1 - kappa) (E_i - E) / (1 - E)

with n the rated items, n' those with two ratings (o_i = 1), A_i the item's agreement and E_i what
it adds to the chance term. The standard error is ``sqrt(sum_i c_i (x_i - kappa)^2 / (n (n - 1)))``
for patterns that c_i items show. With annotator weights and divided labels (masses) A_i and E_i
are those of the coefficient itself.

On complete data this is the infinitesimal jackknife. With gaps it is larger: an item with one
rating counts as an item without agreement, not as one that tells nothing of it.

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

from typing import Any, NamedTuple

from iaa_jax.kernels.agreement import disagreement_with, label_disagreement, symmetrize
from iaa_jax.kernels.conger import own_margin_statistics
from iaa_jax.kernels.counts import (
    RatingStatistics,
    pair_disagreement,
    rating_statistics,
    weighted_ratings,
)
from iaa_jax.kernels.namespace import Array, divided, like, namespace, weighted_sum
from iaa_jax.kernels.raters import Raters, raters_of
from iaa_jax.kernels.sums import Indexed, sums_over_items


class _Terms(NamedTuple):
    """What the forms of exchangeable ratings have in common."""

    xp: Any
    count: Array  # (pattern,) rated items that show the pattern
    statistics: RatingStatistics
    disagreement: Array | None
    items: Array  # n
    pairable: Array  # n'


def _terms(
    data: Array,
    count: Array,
    label_agreement: Array | None,
    annotator_weight: Array | None,
    annotator_of: Array | None,
) -> _Terms:
    xp = namespace(data, count, label_agreement, annotator_weight)
    raters = raters_of(xp, data, annotator_weight, annotator_of)
    d = label_disagreement(data, label_agreement, xp)
    d = None if d is None else symmetrize(d)
    statistics = rating_statistics(data, raters, d)
    weight = like(xp, count, data) * statistics.rated
    return _Terms(xp, weight, statistics, d, xp.sum(weight), weight @ statistics.pairable)


def _error(
    xp: Any, count: Array, shares: Array, centre: Array, items: Array, freedom: Array
) -> Array:
    """``sqrt(sum c (x - centre)^2 / (n freedom))``, NaN without freedom."""
    enough = freedom > 0
    denominator = xp.where(enough, items * freedom, xp.ones_like(items))
    error = xp.sqrt(count @ (shares - centre) ** 2 / denominator)
    return xp.where(enough, error, xp.full_like(error, xp.nan))


def _linearized(
    terms: _Terms, expected: Array, of_items: Array, *, two_raters: bool = False
) -> Array:
    """Standard error from E, the expected agreement, and E_i (pattern,), each item's part of it."""
    xp, statistics = terms.xp, terms.statistics
    beyond = 1 - expected
    observed = 1 - divided(xp, terms.count @ statistics.disagreement, terms.pairable)
    estimate = divided(xp, observed - expected, beyond)
    own = divided(xp, terms.items, terms.pairable) * statistics.pairable
    own = own * (1 - statistics.disagreement - expected)
    shares = (own - 2 * (1 - estimate) * (of_items - expected)) / xp.where(
        beyond == 0, xp.full_like(beyond, xp.nan), beyond
    )
    return _error(
        xp,
        terms.count,
        shares,
        estimate,
        terms.items,
        terms.items if two_raters else terms.items - 1,
    )


def _margins(terms: _Terms) -> Array:
    """pi: the mean over rated items of their label shares."""
    shares = weighted_sum(terms.xp, terms.count, terms.statistics.proportions)
    return divided(terms.xp, shares, terms.items * terms.xp.ones_like(shares))


def _fleiss(terms: _Terms, *, two_raters: bool) -> Array:
    xp, pi = terms.xp, _margins(terms)
    against = disagreement_with(pi, terms.disagreement)
    return _linearized(
        terms,
        1 - xp.sum(pi * against),
        1 - terms.statistics.proportions @ against,
        two_raters=two_raters,
    )


def _gwet(terms: _Terms, *, two_raters: bool) -> Array:
    xp, pi = terms.xp, _margins(terms)
    labels = pi.shape[0]
    if labels < 2:
        zero = xp.zeros_like(terms.items)
        return _linearized(terms, zero, zero * terms.count, two_raters=two_raters)
    d = terms.disagreement
    whole = labels if d is None else labels * labels - xp.sum(d)
    others = disagreement_with(pi, None) * (whole / (labels * (labels - 1)))
    return _linearized(
        terms, xp.sum(pi * others), terms.statistics.proportions @ others, two_raters=two_raters
    )


def _uniform(terms: _Terms, *, two_raters: bool) -> Array:
    xp = terms.xp
    labels = terms.statistics.proportions.shape[1]
    chance = 1 - 1 / labels if terms.disagreement is None else xp.mean(terms.disagreement)
    expected = (1 - chance) * xp.ones_like(terms.items)
    return _linearized(terms, expected, expected * xp.ones_like(terms.count), two_raters=two_raters)


def _percent(terms: _Terms, *, two_raters: bool) -> Array:
    zero = terms.xp.zeros_like(terms.items)
    return _linearized(terms, zero, terms.xp.zeros_like(terms.count), two_raters=two_raters)


def fleiss_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Fleiss' kappa and Scott's pi: ``E_i = p_i' S pi``, p_i an item's shares."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _fleiss(terms, two_raters=False)


def gwet_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of AC1 and AC2: ``E_i = sum(S) / (L (L - 1)) sum_l p_il (1 - pi_l)``."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _gwet(terms, two_raters=False)


def brennan_prediger_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Brennan and Prediger's coefficient: E_i = E, for chance is fixed."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _uniform(terms, two_raters=False)


def percent_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of percent agreement, the mean over items: E_i = E = 0."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _percent(terms, two_raters=False)


def conger_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Conger's kappa: E_i from the margins of all that each annotator rated.

    With p_a the margin of annotator a, n_a the items that a rated, o_ia = 1 where a rated item i
    and m_ia the rating, ``E_i - E`` is the sum over annotators of ``v_a (n / n_a) (m_ia - o_ia
    p_a)' S q_a / sum_{a != b} v_a v_b`` with q_a the sum of ``v_b p_b`` over the other annotators.
    """
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    xp, d = terms.xp, terms.disagreement
    raters = raters_of(xp, data, annotator_weight, annotator_of)
    statistics = own_margin_statistics(data, raters, d)
    sums = sums_over_items(statistics, terms.count)
    margins = divided(xp, sums.labels, sums.rated[:, None] * xp.ones_like(sums.labels))
    v = xp.where(sums.rated != 0, raters.weight, xp.zeros_like(raters.weight))
    weighted = v[:, None] * margins
    against = disagreement_with(xp.sum(weighted, axis=0) - weighted, d)  # D q_a
    pairs = xp.sum(v * (xp.sum(v) - v))
    expected = 1 - divided(xp, xp.sum(weighted * against), pairs)
    scale = v * divided(xp, terms.items * xp.ones_like(sums.rated), sums.rated)
    own = scale * xp.sum(margins * against, axis=1)  # by annotator
    if isinstance(statistics.labels, Indexed):
        index = xp.reshape(statistics.labels.index, (-1,))
        shape = statistics.labels.index.shape
        towards = xp.reshape(xp.take(scale[:, None] * against, index, axis=0), (*shape, -1))
        labels, rated = statistics.labels.value, statistics.rated.value
        own = xp.reshape(xp.take(own, index), shape)
    else:
        towards, labels, rated = (
            (scale[:, None] * against)[None, ...],
            statistics.labels,
            statistics.rated,
        )
        own = own[None, :]
    excess = xp.sum(labels * towards, axis=(1, 2)) - xp.sum(rated * own, axis=1)
    return _linearized(
        terms, expected, expected - divided(xp, excess, pairs * xp.ones_like(excess))
    )


class _AlphaTerms(NamedTuple):
    """What the forms of alpha have in common: items with two ratings or more."""

    xp: Any
    count: Array
    items: Array
    mean: Array  # ratings per item, the mean
    excess: Array  # (pattern,) ratings above that mean, as a share of it
    agreement: Array  # (pattern,) n_i (1 - d_i) / mean
    observed: Array  # mean of that, without the correction for few ratings
    expected: Array  # pi' S pi
    of_items: Array  # (pattern,) r_i' S pi / mean
    correction: Array  # 1 / ratings


def _alpha_terms(
    data: Array, count: Array, label_agreement: Array | None, annotator_weight: Array | None
) -> _AlphaTerms:
    xp = namespace(data, count, label_agreement, annotator_weight)
    raters: Raters = raters_of(xp, data, annotator_weight, None)
    d = label_disagreement(data, label_agreement, xp)
    d = None if d is None else symmetrize(d)
    counted = weighted_ratings(data, raters)
    weight = like(xp, count, data) * counted.pairable
    items = xp.sum(weight)
    ratings = weight @ counted.ratings
    mean = divided(xp, ratings, items)
    by_mean = divided(xp, counted.ratings, mean * xp.ones_like(counted.ratings))
    agreement = by_mean * (1 - pair_disagreement(counted, d))
    pi = weighted_sum(xp, weight, counted.labels)
    pi = divided(xp, pi, ratings * xp.ones_like(pi))
    against = disagreement_with(pi, d)
    shares = divided(xp, counted.labels @ against, mean * xp.ones_like(by_mean))
    return _AlphaTerms(
        xp,
        weight,
        items,
        mean,
        by_mean - 1,
        agreement,
        divided(xp, weight @ agreement, items),
        1 - xp.sum(pi * against),
        by_mean - shares,
        divided(xp, xp.ones_like(ratings), ratings),
    )


def _alpha(terms: _AlphaTerms, observed: Array, *, two_raters: bool = False) -> Array:
    """``observed`` is what an item's ratings beyond the mean number are taken to agree."""
    xp, beyond = terms.xp, 1 - terms.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    estimate = (terms.observed - terms.expected) / beyond
    own = terms.agreement - observed * terms.excess
    chance = terms.of_items - terms.expected * terms.excess
    shares = (own - terms.expected - 2 * (1 - estimate) * (chance - terms.expected)) / beyond
    return _error(
        xp,
        terms.count,
        shares,
        estimate,
        terms.items,
        terms.items if two_raters else terms.items - 1,
    )


def alpha_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Krippendorff's alpha with a fixed agreement between labels.

    Over the n items with two ratings or more, with r their mean number of ratings,
    ``A_i = n_i (1 - d_i) / r - A (n_i - r) / r`` and ``E_i = r_i' S pi / r - E (n_i - r) / r``,
    about alpha without its correction for few ratings (self-pairs in E).
    """
    terms = _alpha_terms(data, count, label_agreement, annotator_weight)
    return _alpha(terms, terms.observed)


def alpha_corrected_pa(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of alpha with A corrected for few ratings, ``A (1 - 1 / N) + 1 / N``, in A_i.

    As irrCAC for Python has it; the figure differs only where the number of ratings per item does.
    """
    terms = _alpha_terms(data, count, label_agreement, annotator_weight)
    return _alpha(terms, terms.observed * (1 - terms.correction) + terms.correction)


def alpha_of_counts(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of alpha as irrCAC for R has it for counts: the chance term once, not twice.

    ``x_i = (A_i - E) / (1 - E) - (1 - alpha) (E_i - E) / (1 - E)`` about alpha, with A_i corrected
    for few ratings and ``E_i = r_i' S pi / r - (n_i - r) / r``. To compare with that program only:
    `alpha_linearized` is the derivative.
    """
    terms = _alpha_terms(data, count, label_agreement, annotator_weight)
    xp, beyond = terms.xp, 1 - terms.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    few = terms.correction
    estimate = (terms.observed * (1 - few) + few - terms.expected) / beyond
    own = (1 - few) * (terms.agreement - terms.observed * terms.excess) + few
    chance = terms.of_items - terms.excess
    shares = (own - terms.expected - (1 - estimate) * (chance - terms.expected)) / beyond
    return _error(xp, terms.count, shares, estimate, terms.items, terms.items - 1)


def fleiss_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Scott's pi from the table of two annotators.

    ``[sum_kl p_kl (S_kl - (1 - kappa) (E_k + E_l))^2 - (A - 2 (1 - kappa) E)^2] / (n (1 - E)^2)``
    is the squared standard error, with ``E_k = (S pi)_k``: the linear form with n for n - 1. The
    forms of other coefficients differ in E_k.
    """
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _fleiss(terms, two_raters=True)


def gwet_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of AC1 and AC2 from that table: ``E_k = sum(S) (1 - pi_k) / (L (L - 1))``."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _gwet(terms, two_raters=True)


def brennan_prediger_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of Brennan and Prediger's coefficient from that table: E_k = E / 2."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _uniform(terms, two_raters=True)


def percent_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of percent agreement from that table: E_k = 0."""
    terms = _terms(data, count, label_agreement, annotator_weight, annotator_of)
    return _percent(terms, two_raters=True)


def alpha_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Standard error of alpha from that table: Scott's pi's, about alpha without its correction."""
    terms = _alpha_terms(data, count, label_agreement, annotator_weight)
    return _alpha(terms, terms.observed, two_raters=True)
