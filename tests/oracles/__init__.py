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
from tests.oracles.bennett import bennett_s, brennan_prediger, pabak, randolph_kappa
from tests.oracles.fleiss import fleiss_kappa, scott_pi, siegel_castellan_kappa
from tests.oracles.gwet import gwet_ac1, gwet_ac2
from tests.oracles.kappa import cohen_kappa
from tests.oracles.pairwise import conger_kappa, davies_fleiss_kappa, mean_pairwise_cohen_kappa
from tests.oracles.percent import percent_agreement
from tests.oracles.ratings import OracleResult, label_sets, primary_secondary, single_labels
from tests.oracles.specific import specific_agreement

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
}
"""Every coefficient of one number; `specific_agreement` takes a label besides."""

__all__ = [
    "COEFFICIENTS",
    "OracleResult",
    "bennett_s",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "davies_fleiss_kappa",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
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
]
