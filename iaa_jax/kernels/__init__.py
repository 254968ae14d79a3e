"""The coefficients as functions of arrays, for any array library and its jit, vmap and grad.

Each coefficient is a `Kernel`, or a function that is called like one. Call it with a mass (item,
annotator, label): how much of each rating falls on each label, NaN for a missing rating. It returns
an `Agreement` of arrays. The kernels for numbers (the intraclass correlations, `lin_ccc`, interval
and ratio alpha, and the kernels whose names end in ``_values``) take a value (item, annotator)
instead of a mass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.alpha import krippendorff_alpha, krippendorff_alpha_ordinal
from iaa_jax.kernels.alpha_ratio import krippendorff_alpha_ratio
from iaa_jax.kernels.alpha_values import (
    krippendorff_alpha_interval,
    krippendorff_alpha_nominal_values,
    krippendorff_alpha_ordinal_values,
)
from iaa_jax.kernels.augmented import augmented_kappa
from iaa_jax.kernels.bangdiwala import bangdiwala_b
from iaa_jax.kernels.conger import conger_kappa, davies_fleiss_kappa
from iaa_jax.kernels.exchangeable import (
    bennett_s,
    brennan_prediger,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    pabak,
    randolph_kappa,
    scott_pi,
)
from iaa_jax.kernels.hubert import hubert_kappa
from iaa_jax.kernels.icc import icc1, icc1k, icc2, icc2k, icc3, icc3k
from iaa_jax.kernels.kappa import cohen_kappa, mean_pairwise_cohen_kappa
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.lin import lin_ccc
from iaa_jax.kernels.multi_label import am_agreement
from iaa_jax.kernels.percent import percent_agreement, specific_agreement
from iaa_jax.kernels.van_oest import van_oest_ir2

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, {})

__all__ = [
    "Agreement",
    "Kernel",
    "am_agreement",
    "augmented_kappa",
    "bangdiwala_b",
    "bennett_s",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "davies_fleiss_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "hubert_kappa",
    "icc1",
    "icc1k",
    "icc2",
    "icc2k",
    "icc3",
    "icc3k",
    "krippendorff_alpha",
    "krippendorff_alpha_interval",
    "krippendorff_alpha_nominal_values",
    "krippendorff_alpha_ordinal",
    "krippendorff_alpha_ordinal_values",
    "krippendorff_alpha_ratio",
    "lin_ccc",
    "mean_pairwise_cohen_kappa",
    "pabak",
    "percent_agreement",
    "randolph_kappa",
    "scott_pi",
    "specific_agreement",
    "van_oest_ir2",
]
