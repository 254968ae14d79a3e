# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""The coefficients: a function for each name of the catalogue."""

from __future__ import annotations

from iaa_jax.measure.functions import (
    AugmentedFunction,
    CoefficientFunction,
    PairwiseFunction,
    PercentAgreementFunction,
    PooledFunction,
    coefficient_function,
)

percent_agreement: PercentAgreementFunction = coefficient_function("percent_agreement")
specific_agreement: CoefficientFunction = coefficient_function("specific_agreement")
cohen_kappa: CoefficientFunction = coefficient_function("cohen_kappa")
mean_pairwise_cohen_kappa: PairwiseFunction = coefficient_function("mean_pairwise_cohen_kappa")
scott_pi: CoefficientFunction = coefficient_function("scott_pi")
fleiss_kappa: CoefficientFunction = coefficient_function("fleiss_kappa")
conger_kappa: CoefficientFunction = coefficient_function("conger_kappa")
davies_fleiss_kappa: PooledFunction = coefficient_function("davies_fleiss_kappa")
brennan_prediger: CoefficientFunction = coefficient_function("brennan_prediger")
bennett_s: CoefficientFunction = coefficient_function("bennett_s")
randolph_kappa: CoefficientFunction = coefficient_function("randolph_kappa")
pabak: CoefficientFunction = coefficient_function("pabak")
gwet_ac1: CoefficientFunction = coefficient_function("gwet_ac1")
gwet_ac2: CoefficientFunction = coefficient_function("gwet_ac2")
krippendorff_alpha: CoefficientFunction = coefficient_function("krippendorff_alpha")
augmented_kappa: AugmentedFunction = coefficient_function("augmented_kappa")
am_agreement: CoefficientFunction = coefficient_function("am_agreement")
icc1: CoefficientFunction = coefficient_function("icc1")
icc1k: CoefficientFunction = coefficient_function("icc1k")
icc2: CoefficientFunction = coefficient_function("icc2")
icc2k: CoefficientFunction = coefficient_function("icc2k")
icc3: CoefficientFunction = coefficient_function("icc3")
icc3k: CoefficientFunction = coefficient_function("icc3k")
lin_ccc: PooledFunction = coefficient_function("lin_ccc")
hubert_kappa: CoefficientFunction = coefficient_function("hubert_kappa")
bangdiwala_b: CoefficientFunction = coefficient_function("bangdiwala_b")
van_oest_ir2: CoefficientFunction = coefficient_function("van_oest_ir2")
