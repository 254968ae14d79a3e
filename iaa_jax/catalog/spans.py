"""The rows of the coefficients of spans."""

from __future__ import annotations

from types import MappingProxyType

from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import pair_shares
from iaa_jax.kernels.kernel import Kernel


def _f1(compares: str, kernel: Kernel = pair_shares.span_f1, *, per_label: bool = False) -> Measure:
    return Measure(kernel, polynomial=False, compares=compares, per_label=per_label)


def _averages(compares: str) -> MappingProxyType[str, MappingProxyType[str, Measure]]:
    return MappingProxyType(
        {
            "average": MappingProxyType(
                {
                    "micro": _f1(compares),
                    "macro": _f1(compares, pair_shares.macro_span_f1),
                }
            )
        }
    )


_SOURCE = "Hripcsak and Rothschild 2005"
_DOI = "10.1197/jamia.M1733"

ROWS = (
    Coefficient(
        name="span_f1",
        title="Strict F1",
        short="F1",
        summary=(
            "Share of marked units that the other annotator of a pair marked too, with the same "
            "boundaries and label."
        ),
        equation="F1 = 2 sum_i w_i sum_ab matches_iab / sum_i w_i sum_ab (units_ia + units_ib)",
        range="0 to 1",
        bounds=(0.0, 1.0),
        undefined="nobody marked anything in a document that two annotators saw",
        source=_SOURCE,
        doi=_DOI,
        example=0.5,
        beyond_chance=False,
        takes_weights=False,
        measure=_f1("strict"),
        variants=_averages("strict"),
    ),
    Coefficient(
        name="label_span_f1",
        title="Strict F1 by label",
        short="F1",
        summary="Strict F1 of the units of each label.",
        equation=(
            "F1_l = 2 sum_i w_i sum_ab matches_iabl / sum_i w_i sum_ab (units_ial + units_ibl)"
        ),
        range="0 to 1, one figure per label",
        bounds=(0.0, 1.0),
        undefined="nobody used the label in a document that two annotators saw",
        source=_SOURCE,
        doi=_DOI,
        example=(0.0, 1.0),
        beyond_chance=False,
        takes_weights=False,
        measure=_f1("strict", pair_shares.label_span_f1, per_label=True),
    ),
)
