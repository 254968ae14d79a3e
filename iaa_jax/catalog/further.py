"""Coefficients for labels that are computed only if a user names them."""

from __future__ import annotations

from iaa_jax import kernels
from iaa_jax.catalog import attainable_minimum
from iaa_jax.catalog.model import Coefficient, Measure

ROWS = (
    Coefficient(
        name="hubert_kappa",
        title="Hubert's kappa",
        summary="Only unanimous items count as agreement; a label margin per annotator.",
        equation="(A - E) / (1 - E), A = share of unanimous items, E = sum_l prod_a p_al",
        range="-1 to 1",
        attainable_minimum=attainable_minimum.with_pair_mean,
        undefined="no item that every annotator rated; every rating on one label (0/0)",
        sources="{hubert1977}; {martinandres2020}",
        example=0.4,
        measure=Measure(
            kernels.hubert_kappa,
            identified=True,
            takes_slots=False,
            complete=True,
            polynomial=False,
        ),
        takes_weights=False,
        listed="asked",
    ),
    Coefficient(
        name="bangdiwala_b",
        title="Bangdiwala's B",
        summary="Two annotators: the share of agreement in the area of their agreement chart.",
        equation=(
            "sum_l n_ll^2 / sum_l n_l. n_.l; with near misses "
            "sum_ljk n_lj n_kl min(S_lj, S_lk) / sum_l n_l. n_.l"
        ),
        range="0 to 1",
        bounds=(0.0, 1.0),
        undefined="no common item; no label that both annotators used (0/0)",
        sources="{bangdiwala1985}; with near misses {munoz1997}",
        example=0.5,
        measure=Measure(
            kernels.bangdiwala_b,
            identified=True,
            annotators=2,
            takes_slots=False,
        ),
        listed="asked",
        beyond_chance=False,
    ),
    Coefficient(
        name="van_oest_ir2",
        title="Van Oest's Ir2",
        summary="Fleiss' kappa with a uniform prior, for labels that differ much in frequency.",
        equation="1 - D_o / D_e, D_e = pi' D pi, pi_l = (N_l + 1) / (N + L) over all ratings",
        range="below 0 to 1",
        attainable_minimum=attainable_minimum.with_smoothed_margin,
        undefined="no item with two ratings; only one label",
        sources="{vanoest2019}; with missing ratings and weights {vanoest2022}",
        example=0.3942,
        measure=Measure(kernels.van_oest_ir2, observed_over="items"),
        listed="asked",
    ),
)
"""The coefficients in the order of lists and tables."""
