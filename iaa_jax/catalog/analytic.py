"""Analytic standard errors: for each coefficient, the published formulas by name."""

from __future__ import annotations

from collections.abc import Mapping

from iaa_jax import kernels
from iaa_jax.catalog.model import AnalyticError
from iaa_jax.kernels import analytic, analytic_alpha, analytic_tables
from iaa_jax.kernels.analytic import AnalyticForm
from iaa_jax.kernels.kernel import Formula

_GWET = ("Gwet 2008; Gwet 2014, chapter 6", "10.1348/000711006X126600")
_FLEISS_COHEN_EVERITT = ("Fleiss, Cohen and Everitt 1969", "10.1037/h0028106")
_FLEISS_1981 = ("Fleiss 1981, section 13.1", "10.1002/0471445428")
_FLEISS_NEE_LANDIS = ("Fleiss, Nee and Landis 1979", "10.1037/0033-2909.86.5.974")


def _gwet(
    formula: Formula, many: AnalyticForm, two: AnalyticForm | None = None
) -> Mapping[str, AnalyticError]:
    forms = {"gwet_linearized": AnalyticError(many, formula, *_GWET)}
    if two is not None:
        forms["gwet_two_rater"] = AnalyticError(two, formula, *_GWET, two=True, single_labels=True)
    return forms


def _alpha(error: AnalyticForm, *, two: bool = False) -> AnalyticError:
    formula = kernels.krippendorff_alpha.formula
    return AnalyticError(error, formula, *_GWET, two=two, single_labels=True)


PERCENT = _gwet(
    kernels.percent_agreement.formula, analytic.percent_linearized, analytic.percent_two_rater
)
FLEISS = _gwet(kernels.fleiss_kappa.formula, analytic.fleiss_linearized, analytic.fleiss_two_rater)
GWET = _gwet(kernels.gwet_ac2.formula, analytic.gwet_linearized, analytic.gwet_two_rater)
BRENNAN_PREDIGER = _gwet(
    kernels.brennan_prediger.formula,
    analytic.brennan_prediger_linearized,
    analytic.brennan_prediger_two_rater,
)
CONGER = _gwet(kernels.conger_kappa.formula, analytic.conger_linearized)
ALPHA: Mapping[str, AnalyticError] = {
    "gwet_linearized": _alpha(analytic_alpha.alpha_linearized),
    "gwet_linearized_corrected_pa": _alpha(analytic_alpha.alpha_corrected_pa),
    "gwet_linearized_dist": _alpha(analytic_alpha.alpha_of_counts),
    "gwet_two_rater": _alpha(analytic_alpha.alpha_two_rater, two=True),
}

COHEN_NULL: Mapping[str, AnalyticError] = {
    "fleiss_cohen_everitt_1969": AnalyticError(
        analytic_tables.cohen_null,
        kernels.cohen_kappa.formula,
        *_FLEISS_COHEN_EVERITT,
        single_labels=True,
    ),
    "null_fleiss_1981": AnalyticError(
        analytic_tables.cohen_null,
        kernels.cohen_kappa.formula,
        *_FLEISS_1981,
        single_labels=True,
        weighted=False,
    ),
}
COHEN: Mapping[str, AnalyticError] = {
    "fleiss_cohen_everitt_1969": AnalyticError(
        analytic_tables.cohen_fleiss_cohen_everitt,
        kernels.cohen_kappa.formula,
        *_FLEISS_COHEN_EVERITT,
    ),
    "null_fleiss_1981": COHEN_NULL["null_fleiss_1981"],
}
FLEISS_NULL: Mapping[str, AnalyticError] = {
    "null_fleiss_nee_landis_1979": AnalyticError(
        analytic_tables.fleiss_null,
        kernels.fleiss_kappa.formula,
        *_FLEISS_NEE_LANDIS,
        balanced=True,
        single_labels=True,
        weighted=False,
    )
}
