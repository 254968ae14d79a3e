"""Gamma, for spans, and its forms for labels (gamma-cat and gamma-k)."""

from __future__ import annotations

from typing import Any

from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import gamma as kernels
from iaa_jax.kernels.kernel import Kernel


def _of(kernel: Kernel, *, per_label: bool = False) -> Measure:
    return Measure(kernel, polynomial=False, compares="gamma", per_label=per_label)


_ALIKE: dict[str, Any] = {"takes_weights": False, "listed": "asked"}
_OF_ALIGNED: dict[str, Any] = {
    "sources": "{mathet2017}",
    **_ALIKE,
}

ROWS = (
    Coefficient(
        name="gamma",
        title="Gamma",
        summary=(
            "1 minus the ratio of the disorder of the best alignment, by position and label, to "
            "the mean disorder of chance continua. A document counts by the mean number "
            "of units of its annotators; iaa_jax.gamma has the parameters."
        ),
        equation="gamma = 1 - sum_i w_i n_i disorder_i / sum_i w_i n_i mean chance disorder_i",
        range="below 0 (less than chance) to 1",
        undefined="nobody marked anything in a document that two annotators saw",
        sources="{mathet2015}",
        example=0.9377,
        measure=_of(kernels.gamma),
        **_ALIKE,
    ),
    Coefficient(
        name="gamma_cat",
        within="gamma(...).gamma_cat",
        title="Gamma-cat",
        summary=(
            "Agreement on the labels of units that gamma's best alignment pairs; pairs count more "
            "the closer their positions are. A document counts by its number of pairs."
        ),
        equation=(
            "gamma_cat = 1 - sum_i w_i n_i disorder_i / sum_i w_i n_i mean chance disorder_i, "
            "disorder = sum_uv c_uv d_cat(u, v) / sum_uv c_uv, "
            "c_uv = max(0, 1 - alpha d_pos(u, v)) / (k - 1)"
        ),
        range="below 0 (less than chance) to 1",
        undefined="no two units are aligned, or no label differs by chance (0/0)",
        example=1.0,
        measure=_of(kernels.gamma_cat),
        **_OF_ALIGNED,
    ),
    Coefficient(
        name="gamma_k",
        within="gamma(...).gamma_k",
        title="Gamma-k",
        summary="Gamma-cat for each label, over the aligned pairs in which a unit has the label.",
        equation="gamma_k = gamma_cat over the aligned pairs with a unit of label k",
        range="below 0 (less than chance) to 1, one estimate per label",
        undefined="no unit with the label is aligned with another (0/0)",
        example=(1.0, 1.0),
        measure=_of(kernels.gamma_k, per_label=True),
        **_OF_ALIGNED,
    ),
)
