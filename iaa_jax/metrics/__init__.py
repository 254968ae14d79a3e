"""Coefficients on ratings: `agreement` for several at once, and a function for each."""

from __future__ import annotations

from iaa_jax.metrics.coefficients import agreement
from iaa_jax.metrics.functions import (
    bennett_s,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    davies_fleiss_kappa,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
    mean_pairwise_cohen_kappa,
    pabak,
    percent_agreement,
    randolph_kappa,
    scott_pi,
    specific_agreement,
)

__all__ = [
    "agreement",
    "bennett_s",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "davies_fleiss_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "krippendorff_alpha",
    "mean_pairwise_cohen_kappa",
    "pabak",
    "percent_agreement",
    "randolph_kappa",
    "scott_pi",
    "specific_agreement",
]
