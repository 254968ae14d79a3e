"""The coefficient A_m, for label sets."""

from __future__ import annotations

from iaa_jax import kernels
from iaa_jax.catalog import attainable_minimum
from iaa_jax.catalog.model import Coefficient, Measure

ROWS = (
    Coefficient(
        name="am_agreement",
        title="A_m",
        summary=(
            "Agreement of label sets, beyond chance from each annotator's own margins: the share "
            "of label pairs on which both indicators match. Joint absence counts as agreement."
        ),
        equation=(
            "(P_o - P_e) / (1 - P_e), P_o = mean over items and pairs of annotators (v_a v_b) of "
            "k (k - 1) / (C (C - 1)), k the labels of C on which the two match; P_e = mean over "
            "pairs a, b (v_a v_b) and label pairs of sum_g P_a(g) P_b(g), g = 00, 01, 10, 11"
        ),
        range="-1/(k - 1) to 1 if k annotators rated the same items; lower with missing ratings",
        attainable_minimum=attainable_minimum.with_own_margins,
        undefined="no item with two ratings; every rating the same set (0/0); one label only",
        sources="{bhowmick2008}",
        example=0.5294,
        measure=Measure(
            kernels.am_agreement,
            identified=True,
            label_sets=True,
        ),
        takes_weights=False,
        listed="unweighted",
    ),
)
