"""Standard errors by Gwet's linearisation, from each item's share in the coefficient.

A coefficient ``(A - E) / (1 - E)`` is replaced by the mean over items of::

    x_i = (n / n') o_i (A_i - E) / (1 - E) - 2 (1 - kappa) (E_i - E) / (1 - E)

with n the rated items, n' those with two ratings (o_i = 1), A_i the item's agreement and E_i what
it adds to the chance term. The standard error is ``sqrt(sum_i c_i (x_i - kappa)^2 / (n (n - 1)))``
for patterns that c_i items show. With annotator weights and divided labels (masses) A_i and E_i
are those of the coefficient itself.

On complete data this is the infinitesimal jackknife. With gaps it is larger: an item with one
rating counts as if it had no agreement, and not as if it said nothing of it.

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

from iaa_jax.kernels.agreement import disagreement_with, label_disagreement, symmetric
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


class _Items(NamedTuple):
    """What the forms of exchangeable ratings start from."""

    xp: Any
    count: Array  # (pattern,) rated items that show the pattern
    found: RatingStatistics
    disagreement: Array | None
    items: Array  # n
    pairable: Array  # n'


def _items(
    data: Array,
    count: Array,
    label_agreement: Array | None,
    annotator_weight: Array | None,
    annotator_of: Array | None,
) -> _Items:
    xp = namespace(data, count, label_agreement, annotator_weight)
    raters = raters_of(xp, data, annotator_weight, annotator_of)
    d = label_disagreement(data, label_agreement, xp)
    d = None if d is None else symmetric(d)
    found = rating_statistics(data, raters, d)
    weight = like(xp, count, data) * found.rated
    return _Items(xp, weight, found, d, xp.sum(weight), weight @ found.pairable)


def _error(
    xp: Any, count: Array, shares: Array, centre: Array, items: Array, freedom: Array
) -> Array:
    """``sqrt(sum c (x - centre)^2 / (n freedom))``, NaN without freedom."""
    enough = freedom > 0
    below = xp.where(enough, items * freedom, xp.ones_like(items))
    error = xp.sqrt(count @ (shares - centre) ** 2 / below)
    return xp.where(enough, error, xp.full_like(error, xp.nan))


def _linearized(of: _Items, expected: Array, of_items: Array, *, two: bool = False) -> Array:
    """From E, the expected agreement, and E_i (pattern,), what each item adds to it."""
    xp, found = of.xp, of.found
    beyond = 1 - expected
    observed = 1 - divided(xp, of.count @ found.disagreement, of.pairable)
    estimate = divided(xp, observed - expected, beyond)
    own = divided(xp, of.items, of.pairable) * found.pairable
    own = own * (1 - found.disagreement - expected)
    shares = (own - 2 * (1 - estimate) * (of_items - expected)) / xp.where(
        beyond == 0, xp.full_like(beyond, xp.nan), beyond
    )
    return _error(xp, of.count, shares, estimate, of.items, of.items if two else of.items - 1)


def _margins(of: _Items) -> Array:
    """pi: the mean over rated items of their label shares."""
    shares = weighted_sum(of.xp, of.count, of.found.proportions)
    return divided(of.xp, shares, of.items * of.xp.ones_like(shares))


def _fleiss(of: _Items, *, two: bool) -> Array:
    xp, pi = of.xp, _margins(of)
    against = disagreement_with(pi, of.disagreement)
    return _linearized(of, 1 - xp.sum(pi * against), 1 - of.found.proportions @ against, two=two)


def _gwet(of: _Items, *, two: bool) -> Array:
    xp, pi = of.xp, _margins(of)
    labels = pi.shape[0]
    if labels < 2:
        zero = xp.zeros_like(of.items)
        return _linearized(of, zero, zero * of.count, two=two)
    d = of.disagreement
    whole = labels if d is None else labels * labels - xp.sum(d)
    others = disagreement_with(pi, None) * (whole / (labels * (labels - 1)))
    return _linearized(of, xp.sum(pi * others), of.found.proportions @ others, two=two)


def _uniform(of: _Items, *, two: bool) -> Array:
    xp = of.xp
    labels = of.found.proportions.shape[1]
    chance = 1 - 1 / labels if of.disagreement is None else xp.mean(of.disagreement)
    expected = (1 - chance) * xp.ones_like(of.items)
    return _linearized(of, expected, expected * xp.ones_like(of.count), two=two)


def _percent(of: _Items, *, two: bool) -> Array:
    zero = of.xp.zeros_like(of.items)
    return _linearized(of, zero, of.xp.zeros_like(of.count), two=two)


def fleiss_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Fleiss' kappa and Scott's pi: ``E_i = p_i' S pi``, p_i the item's label shares."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _fleiss(of, two=False)


def gwet_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of AC1 and AC2: ``E_i = sum(S) / (L (L - 1)) sum_l p_il (1 - pi_l)``."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _gwet(of, two=False)


def brennan_prediger_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Brennan and Prediger's coefficient: E_i = E, for chance is fixed."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _uniform(of, two=False)


def percent_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of percent agreement, the mean over items: E_i = E = 0."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _percent(of, two=False)


def conger_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Conger's kappa: E_i from the annotators' own margins on all that they rated.

    With p_a the margin of annotator a, n_a the items that a rated, o_ia = 1 where a rated item i
    and m_ia the rating, ``E_i - E`` is the sum over annotators of ``v_a (n / n_a) (m_ia - o_ia
    p_a)' S q_a / sum_{a != b} v_a v_b`` with q_a the sum of ``v_b p_b`` over the other annotators.
    """
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    xp, d = of.xp, of.disagreement
    raters = raters_of(xp, data, annotator_weight, annotator_of)
    found = own_margin_statistics(data, raters, d)
    sums = sums_over_items(found, of.count)
    margins = divided(xp, sums.labels, sums.rated[:, None] * xp.ones_like(sums.labels))
    v = xp.where(sums.rated != 0, raters.weight, xp.zeros_like(raters.weight))
    weighted = v[:, None] * margins
    against = disagreement_with(xp.sum(weighted, axis=0) - weighted, d)  # D q_a
    pairs = xp.sum(v * (xp.sum(v) - v))
    expected = 1 - divided(xp, xp.sum(weighted * against), pairs)
    scale = v * divided(xp, of.items * xp.ones_like(sums.rated), sums.rated)
    own = scale * xp.sum(margins * against, axis=1)  # by annotator
    if isinstance(found.labels, Indexed):
        index = xp.reshape(found.labels.index, (-1,))
        shape = found.labels.index.shape
        towards = xp.reshape(xp.take(scale[:, None] * against, index, axis=0), (*shape, -1))
        said, rated = found.labels.value, found.rated.value
        own = xp.reshape(xp.take(own, index), shape)
    else:
        towards, said, rated = (scale[:, None] * against)[None, ...], found.labels, found.rated
        own = own[None, :]
    more = xp.sum(said * towards, axis=(1, 2)) - xp.sum(rated * own, axis=1)
    return _linearized(of, expected, expected - divided(xp, more, pairs * xp.ones_like(more)))


class _AlphaItems(NamedTuple):
    """What the forms of alpha start from: items with two ratings or more."""

    xp: Any
    count: Array
    items: Array
    mean: Array  # ratings an item, the mean
    excess: Array  # (pattern,) ratings above that mean, as a share of it
    agreement: Array  # (pattern,) n_i (1 - d_i) / mean
    observed: Array  # mean of that, without the correction for few ratings
    expected: Array  # pi' S pi
    of_items: Array  # (pattern,) r_i' S pi / mean
    correction: Array  # 1 / ratings


def _alpha_items(
    data: Array, count: Array, label_agreement: Array | None, annotator_weight: Array | None
) -> _AlphaItems:
    xp = namespace(data, count, label_agreement, annotator_weight)
    raters: Raters = raters_of(xp, data, annotator_weight, None)
    d = label_disagreement(data, label_agreement, xp)
    d = None if d is None else symmetric(d)
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
    return _AlphaItems(
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


def _alpha(of: _AlphaItems, observed: Array, *, two: bool = False) -> Array:
    """``observed`` is what an item's ratings beyond the mean number are taken to agree."""
    xp, beyond = of.xp, 1 - of.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    estimate = (of.observed - of.expected) / beyond
    own = of.agreement - observed * of.excess
    chance = of.of_items - of.expected * of.excess
    shares = (own - of.expected - 2 * (1 - estimate) * (chance - of.expected)) / beyond
    return _error(xp, of.count, shares, estimate, of.items, of.items if two else of.items - 1)


def alpha_linearized(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Krippendorff's alpha with a fixed agreement between labels.

    Over the n items with two ratings or more, with r their mean number of ratings,
    ``A_i = n_i (1 - d_i) / r - A (n_i - r) / r`` and ``E_i = r_i' S pi / r - E (n_i - r) / r``,
    about alpha without its correction for few ratings (self-pairs in E).
    """
    of = _alpha_items(data, count, label_agreement, annotator_weight)
    return _alpha(of, of.observed)


def alpha_corrected_pa(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """The same with A corrected for few ratings, ``A (1 - 1 / N) + 1 / N``, in A_i.

    As irrCAC for Python does; another figure only where items differ in their number of ratings.
    """
    of = _alpha_items(data, count, label_agreement, annotator_weight)
    return _alpha(of, of.observed * (1 - of.correction) + of.correction)


def alpha_of_counts(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """As irrCAC for R has it for counts: the chance term once, where others have it twice.

    ``x_i = (A_i - E) / (1 - E) - (1 - alpha) (E_i - E) / (1 - E)`` about alpha, with A_i corrected
    for few ratings and ``E_i = r_i' S pi / r - (n_i - r) / r``. To compare with that program only:
    `alpha_linearized` is the derivative.
    """
    of = _alpha_items(data, count, label_agreement, annotator_weight)
    xp, beyond = of.xp, 1 - of.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    few = of.correction
    estimate = (of.observed * (1 - few) + few - of.expected) / beyond
    own = (1 - few) * (of.agreement - of.observed * of.excess) + few
    chance = of.of_items - of.excess
    shares = (own - of.expected - (1 - estimate) * (chance - of.expected)) / beyond
    return _error(xp, of.count, shares, estimate, of.items, of.items - 1)


def fleiss_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Scott's pi from the table of two annotators.

    ``[sum_kl p_kl (S_kl - (1 - kappa) (E_k + E_l))^2 - (A - 2 (1 - kappa) E)^2] / (n (1 - E)^2)``
    is the squared standard error, with ``E_k = (S pi)_k``: the linear form with n for n - 1. The
    forms of other coefficients differ in E_k.
    """
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _fleiss(of, two=True)


def gwet_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of AC1 and AC2 from the table of two: ``E_k = sum(S) (1 - pi_k) / (L (L - 1))``."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _gwet(of, two=True)


def brennan_prediger_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of Brennan and Prediger's coefficient from the table of two: E_k = E / 2."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _uniform(of, two=True)


def percent_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of percent agreement from the table of two: E_k = 0."""
    of = _items(data, count, label_agreement, annotator_weight, annotator_of)
    return _percent(of, two=True)


def alpha_two_rater(
    data: Array,
    count: Array,
    label_agreement: Array | None = None,
    annotator_weight: Array | None = None,
    annotator_of: Array | None = None,
) -> Array:
    """Of alpha from the table of two: as Scott's pi, about alpha without its correction."""
    of = _alpha_items(data, count, label_agreement, annotator_weight)
    return _alpha(of, of.observed, two=True)
