"""Krippendorff's alpha for units that annotators mark on a continuum."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.catalog.model import Coefficient, Measure
from iaa_jax.kernels import unitizing
from iaa_jax.kernels.kernel import Kernel


def _on_continuum(compares: str, kernel: Kernel, *, per_label: bool = False) -> Measure:
    return Measure(
        kernel, polynomial=False, compares=compares, per_label=per_label, takes_slots=False
    )


_ALPHA_U = _on_continuum("squared", unitizing.alpha_u)
_FORMS = {
    "alpha_u": _ALPHA_U,
    "u": _on_continuum("values", unitizing.u_alpha),
    "ub": _on_continuum("binary", unitizing.u_alpha),
    "cu": _on_continuum("meetings", unitizing.cu_alpha),
    "ku": replace(
        _on_continuum("meetings", unitizing.ku_alpha, per_label=True),
        beside=(("coverage", unitizing.coverage),),
    ),
}
_TERMS = """\
D_ol = sum_i m_i mean_ab d_iabl / (M m), D_el = 2 / m (sum_units ((N_l - 1) (2 u^3 - 3 u^2 + u) / 3
+ u^2 sum_gaps>=u (g - u + 1)) / (M (M - 1) - sum_units u (u - 1))); d adds up the squared distances
between the starts and between the ends of two overlapping units, and the squared lengths of units
in a gap of the other annotator; u, g lengths of the N_l units and of gaps, M = sum_i m_i length_i
over the m_i annotators of document i, m the mean length of a document"""
_DOCUMENTS = """\
Several documents are one continuum in which no unit and no gap crosses the end of a document, for
annotators and by chance. The 1995 form divides by the squared length of the continuum; here one of
the two factors is m, the mean length of a document, so that D_o and D_e do not shrink with every
further document. Alpha does not depend on this factor. For one document D_o, D_e and alpha are as
published.

A document counts by its number of annotators m_i, like an item in `krippendorff_alpha`: its mean
disagreement over pairs is multiplied by m_i, and its units and gaps count as often as they were
marked. So a document that everybody saw does not dominate by its many pairs, and if the same
annotators saw all documents, the formulas are Krippendorff's own. A document that only one
annotator saw enters neither term.

Each part of a discontinuous unit counts as a unit here; a note says how many. Units are distinct
stretches (a stretch that is marked twice counts once). Overlapping units raise an error: in the
1995 form if they are of one label and annotator, in the 2016 forms if they are of one annotator."""
_OF_2016 = """\
Forms of 2016 (Krippendorff, Mathet, Bouvry and Widlocher, doi:10.1007/s11135-015-0266-1): ``1 -
(sum_c!=k L_ck / L) / (sum_c!=k L_c L_k / (L^2 - self))``, where L_ck is the length at which one
annotator has c and another k, each pair of a document counting 1 / (m_i - 1). In u the values are
the labels and the gap, in ub unit and gap; self adds up squared lengths of units and lengths of
gaps, because chance places a unit as a whole, and gaps position by position. In cu only lengths
where units of two annotators overlap count, and self has the squares of the parts of units that
overlap any other unit; ku is the same for one label against all others. If overlapping units all
have one label, cu and ku are 1, which is no evidence of agreement, because no label could differ.
Cu and ku need all annotators of a document together, so annotators cannot be resampled or left out.

Krippendorff (2004) prints 0.8591 for the example, which is 0.8587 in full precision. The 1995 paper
also prints limits for long continua, from which a continuum of length 1,200 differs by up to
0.013."""

ROWS = (
    Coefficient(
        name="unitizing_alpha",
        by_label="label_unitizing_alpha",
        title="Unitizing alpha",
        summary=(
            "Krippendorff's alpha_u: chance-corrected agreement on where units lie in documents, "
            "and on their labels."
        ),
        equation=f"1 - sum_l D_ol / sum_l D_el,\n{_TERMS}",
        range="below 0 to 1",
        undefined="nobody marked a unit in a document that two annotators saw",
        sources="{krippendorff1995}; {krippendorff2004}",
        example=0.92,
        takes_weights=False,
        measure=_ALPHA_U,
        variants={"form": _FORMS},
        notes=f"{_DOCUMENTS}\n\n{_OF_2016}",
    ),
    Coefficient(
        name="label_unitizing_alpha",
        within="unitizing_alpha(per_label=True)",
        title="Unitizing alpha by label",
        short="Alpha_u",
        summary="Alpha_u of the units of each label, as if there were no other labels.",
        equation=f"1 - D_ol / D_el,\n{_TERMS}",
        range="below 0 to 1, one estimate per label",
        undefined="nobody used the label in a document that two annotators saw",
        sources="{krippendorff1995}; {krippendorff2004}",
        example=(0.7764, 1.0),
        takes_weights=False,
        measure=_on_continuum("squared", unitizing.label_alpha_u, per_label=True),
        notes=_DOCUMENTS,
    ),
)
"""The coefficients in the order of lists and tables."""
