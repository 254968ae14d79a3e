"""Coefficients of exchangeable annotators: Scott, Fleiss, Bennett, Brennan and Prediger, Gwet.

All are ``1 - D_o / D_e``, and they differ only in the expected disagreement D_e. With pi the mean
label shares of the rated items, D the disagreement of labels, S = 1 - D and L labels::

    fleiss_kappa, scott_pi             D_e = pi' D pi
    brennan_prediger, bennett_s, ...   D_e = mean of D
    gwet_ac1, gwet_ac2                 D_e = 1 - sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))

Fleiss, J. L. (1971). https://doi.org/10.1037/h0031619
Brennan, R. L. and Prediger, D. J. (1981). https://doi.org/10.1177/001316448104100307
Gwet, K. L. (2008). https://doi.org/10.1348/000711006X126600
"""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.kernels.agreement import disagreement_with, mean_disagreement
from iaa_jax.kernels.counts import (
    RatingStatistics,
    independent_items,
    label_proportions,
    rating_kernel,
)
from iaa_jax.kernels.namespace import Array, Namespace, namespace


def _pooled_expected(xp: Namespace, sums: RatingStatistics, disagreement: Array | None) -> Array:
    return mean_disagreement(label_proportions(xp, sums), disagreement)


def _pooled_between(
    xp: Namespace, one: RatingStatistics, other: RatingStatistics, disagreement: Array | None
) -> Array:
    """Return the disagreement of two items' ratings; its mean over item pairs is ``pi' D pi``."""
    return xp.sum(disagreement_with(one.proportions, disagreement) * other.proportions, axis=-1)


fleiss_kappa = rating_kernel(
    "fleiss_kappa",
    _pooled_expected,
    "Agreement beyond chance under one label distribution",
    independent_items(2, _pooled_between, of_chance=True),
)

scott_pi = replace(
    fleiss_kappa, name="scott_pi", summary="Scott's pi, for more than two annotators Fleiss' kappa"
)


def _uniform_expected(
    xp: Namespace, sums: RatingStatistics, disagreement: Array | None
) -> Array | float:
    return 1 - 1 / sums.proportions.shape[0] if disagreement is None else xp.mean(disagreement)


def _uniform_between(
    xp: Namespace, one: RatingStatistics, _: RatingStatistics, disagreement: Array | None
) -> Array:
    labels = one.proportions.shape[-1]
    chance = 1 - 1 / labels if disagreement is None else xp.mean(disagreement)
    return chance * xp.ones_like(one.pairable)


brennan_prediger = rating_kernel(
    "brennan_prediger",
    _uniform_expected,
    "Agreement beyond uniform chance over the labels",
    independent_items(1, _uniform_between, of_chance=False),
)

bennett_s = brennan_prediger
randolph_kappa = brennan_prediger
pabak = brennan_prediger


def _gwet_expected(
    xp: Namespace, sums: RatingStatistics, disagreement: Array | None
) -> Array | float:
    labels = sums.proportions.shape[0]
    if labels < 2:
        return 0.0
    pi = label_proportions(xp, sums)
    agreement = labels if disagreement is None else labels * labels - xp.sum(disagreement)
    return 1 - agreement * mean_disagreement(pi, None) / (labels * (labels - 1))


def _gwet_between(
    xp: Namespace, one: RatingStatistics, other: RatingStatistics, disagreement: Array | None
) -> Array:
    """Return a term of two items; its mean over independent items is D_e."""
    labels = one.proportions.shape[-1]
    differ = _pooled_between(xp, one, other, None)
    agreement = labels if disagreement is None else labels * labels - xp.sum(disagreement)
    return 1 - agreement * differ / max(labels * (labels - 1), 1)


def _no_chance_below_zero(labels: int, disagreement: Array | None) -> bool:
    """Tell whether expected terms are never negative; if labels are similar, some can be."""
    if disagreement is None:
        return labels > 1
    agreement = labels * labels - float(namespace(disagreement).sum(disagreement))
    return agreement <= labels * (labels - 1)


gwet_ac2 = rating_kernel(
    "gwet_ac2",
    _gwet_expected,
    "AC1 with an agreement between labels",
    independent_items(2, _gwet_between, of_chance=True, from_zero=_no_chance_below_zero),
)

gwet_ac1 = replace(gwet_ac2, name="gwet_ac1", summary="Gwet's first agreement coefficient")
