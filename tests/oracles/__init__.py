"""Agreement coefficients as slow, literal loops, written from the papers.

They share nothing with the package, so that a mistake must be made twice to go unseen. Each
loops over items, over ordered pairs of annotators and over labels, in pure Python.
A coefficient takes the ratings in the form of `tests.oracles.ratings` and the keywords
``labels`` (all declared), ``agreement`` (a function of two labels), ``item_weight`` and
``annotator_weight``, and returns an `OracleResult`. Agreements between labels are in
`tests.oracles.label_agreement`, standard errors and intervals in `tests.oracles.resampling`.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.alpha import krippendorff_alpha, krippendorff_alpha_of_values
from tests.oracles.augmented import augmented_kappa
from tests.oracles.bangdiwala import bangdiwala_b
from tests.oracles.bennett import bennett_s, brennan_prediger, pabak, randolph_kappa
from tests.oracles.fleiss import fleiss_kappa, scott_pi, siegel_castellan_kappa
from tests.oracles.gwet import gwet_ac1, gwet_ac2
from tests.oracles.hubert import hubert_kappa
from tests.oracles.kappa import cohen_kappa
from tests.oracles.multi_label import am_agreement
from tests.oracles.pairwise import conger_kappa, davies_fleiss_kappa, mean_pairwise_cohen_kappa
from tests.oracles.percent import percent_agreement
from tests.oracles.ratings import OracleResult, label_sets, primary_secondary, single_labels
from tests.oracles.specific import specific_agreement
from tests.oracles.van_oest import van_oest_ir2

COEFFICIENTS: dict[str, Callable[..., OracleResult]] = {
    "percent_agreement": percent_agreement,
    "cohen_kappa": cohen_kappa,
    "mean_pairwise_cohen_kappa": mean_pairwise_cohen_kappa,
    "scott_pi": scott_pi,
    "fleiss_kappa": fleiss_kappa,
    "siegel_castellan_kappa": siegel_castellan_kappa,
    "conger_kappa": conger_kappa,
    "davies_fleiss_kappa": davies_fleiss_kappa,
    "bennett_s": bennett_s,
    "brennan_prediger": brennan_prediger,
    "randolph_kappa": randolph_kappa,
    "pabak": pabak,
    "krippendorff_alpha": krippendorff_alpha,
    "gwet_ac1": gwet_ac1,
    "gwet_ac2": gwet_ac2,
    "augmented_kappa": augmented_kappa,
    "am_agreement": am_agreement,
    "bangdiwala_b": bangdiwala_b,
    "hubert_kappa": hubert_kappa,
    "van_oest_ir2": van_oest_ir2,
}
"""Every coefficient of one number; `specific_agreement` takes a label besides."""

__all__ = [
    "COEFFICIENTS",
    "OracleResult",
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
    "krippendorff_alpha",
    "krippendorff_alpha_of_values",
    "label_sets",
    "mean_pairwise_cohen_kappa",
    "pabak",
    "percent_agreement",
    "primary_secondary",
    "randolph_kappa",
    "scott_pi",
    "siegel_castellan_kappa",
    "single_labels",
    "specific_agreement",
    "van_oest_ir2",
]
