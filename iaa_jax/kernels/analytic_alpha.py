"""Standard errors of Krippendorff's alpha by Gwet's linearisation: see `iaa_jax.kernels.analytic`.

From the table of two annotators, alpha and Scott's pi have the same standard error, because alpha's
correction for few ratings is left out.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from iaa_jax.kernels.agreement import disagreement_with
from iaa_jax.kernels.analytic import AnalyticForm, CountedPatterns, FirstOrder, linear_error
from iaa_jax.kernels.counts import pair_disagreement, weighted_ratings
from iaa_jax.kernels.namespace import Array, Namespace, divided, weighted_sum


class _AlphaTerms(NamedTuple):
    """The common quantities of alpha's standard errors, over items with two ratings or more."""

    xp: Namespace
    count: Array
    items: Array
    mean: Array  # the mean number of ratings per item
    excess: Array  # (pattern,) n_i / mean - 1
    agreement: Array  # (pattern,) n_i (1 - d_i) / mean
    observed: Array  # mean of agreement, without the correction for few ratings
    expected: Array  # pi' S pi
    of_items: Array  # (pattern,) r_i' S pi / mean
    correction: Array  # 1 / N, with N the number of ratings


def _alpha_terms(patterns: CountedPatterns) -> _AlphaTerms:
    xp, d = patterns.xp, patterns.symmetric
    counted = weighted_ratings(patterns.data, patterns.raters)
    weight = patterns.count * counted.pairable
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


def _shares(terms: _AlphaTerms, observed: Array) -> FirstOrder:
    """Return the terms x_i, with ``observed`` as the A that occurs in A_i: see `alpha_shares`."""
    xp, beyond = terms.xp, 1 - terms.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    estimate = (terms.observed - terms.expected) / beyond
    agreement = terms.agreement - observed * terms.excess
    chance = terms.of_items - terms.expected * terms.excess
    shares = (agreement - terms.expected - 2 * (1 - estimate) * (chance - terms.expected)) / beyond
    return FirstOrder(terms.count, shares, estimate, terms.items)


def alpha_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of alpha with a fixed agreement between labels.

    Only items with two or more ratings count. Let n_i be the number of ratings of such an item, r
    the mean of n_i, d_i the mean disagreement of the item's pairs, and r_i the number of its
    ratings with each label. Then ``A_i = n_i (1 - d_i) / r - A (n_i - r) / r`` and ``E_i = r_i' S
    pi / r - E (n_i - r) / r``. The mean of the terms is alpha without the correction for few
    ratings, because E includes self-pairs.
    """
    terms = _alpha_terms(patterns)
    return _shares(terms, terms.observed)


def corrected_shares(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of alpha, with the A that occurs in A_i corrected for few ratings.

    This A is replaced by ``A (1 - 1 / N) + 1 / N`` for N ratings, as in irrCAC for Python.
    """
    terms = _alpha_terms(patterns)
    return _shares(terms, terms.observed * (1 - terms.correction) + terms.correction)


def shares_of_counts(patterns: CountedPatterns) -> FirstOrder:
    """Return the terms of alpha from counts as in irrCAC for R: chance enters once, not twice.

    ``x_i = (A_i - E) / (1 - E) - (1 - alpha) (E_i - E) / (1 - E)``, with A_i corrected for few
    ratings and ``E_i = r_i' S pi / r - (n_i - r) / r``. Use these terms only to compare with
    irrCAC for R; `alpha_shares` returns the correct ones.
    """
    terms = _alpha_terms(patterns)
    xp, beyond = terms.xp, 1 - terms.expected
    beyond = xp.where(beyond == 0, xp.full_like(beyond, xp.nan), beyond)
    few = terms.correction
    estimate = (terms.observed * (1 - few) + few - terms.expected) / beyond
    agreement = (1 - few) * (terms.agreement - terms.observed * terms.excess) + few
    chance = terms.of_items - terms.excess
    shares = (agreement - terms.expected - (1 - estimate) * (chance - terms.expected)) / beyond
    return FirstOrder(terms.count, shares, estimate, terms.items)


alpha_linearized = AnalyticForm(
    partial(linear_error, alpha_shares),
    "Krippendorff's alpha with a fixed agreement between labels",
)

alpha_corrected_pa = AnalyticForm(
    partial(linear_error, corrected_shares),
    "alpha, observed agreement corrected for few ratings",
)

alpha_of_counts = AnalyticForm(
    partial(linear_error, shares_of_counts),
    "alpha from counts as in irrCAC for R",
)

alpha_two_rater = AnalyticForm(
    partial(linear_error, alpha_shares, two_raters=True),
    "alpha from the table of two annotators",
)
