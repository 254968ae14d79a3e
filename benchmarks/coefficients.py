"""Which coefficients are measured together; named, so that figures stay comparable."""

from __future__ import annotations

EXCHANGEABLE = (
    "percent_agreement",
    "fleiss_kappa",
    "brennan_prediger",
    "gwet_ac1",
    "krippendorff_alpha",
)
"""They do not ask who rated."""

AWARE = (*EXCHANGEABLE, "conger_kappa", "mean_pairwise_cohen_kappa")
"""With some that do."""

EIGHT = (*AWARE, "davies_fleiss_kappa")
"""All that a plain nominal table of three annotators or more has."""
