"""Bangdiwala's B: the share of agreement in the area of two annotators' agreement chart.

Equation::

    B = sum_l n_ll^2 / sum_l n_l. n_.l

with n_kl the table of the two annotators, n_l. and n_.l its margins. Partial agreement between
labels adds to the agreed area.

Muñoz, S. R. and Bangdiwala, S. I. (1997). https://doi.org/10.1080/02664769723918
"""

from __future__ import annotations

import math
from typing import NamedTuple

from iaa_jax._errors import DEFINED, NO_COMMON_LABEL, NO_SHARED_ITEM, IaaError
from iaa_jax.kernels.agreement import Agreement, disagreement_with
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.namespace import Array, Namespace, divided, first_code, namespace
from iaa_jax.kernels.pairs import pair_statistics
from iaa_jax.kernels.raters import Raters, annotator_by_annotator

_MAX_CELLS = 1 << 27
"""Maximum number of cells (item, label, label) of the tables of all items."""


class ChartStatistics(NamedTuple):
    """The contributions of an item to the diagonal and the margins of the table.

    m_1 and m_2 are the masses (label shares) of the two annotators' ratings.
    """

    shared: Array  # (item,) 1 if both annotators rated the item
    same: Array  # (item, label) m_1l m_2l
    first_alone: Array  # (item, label) m_1l (1 - m_2l)
    second_alone: Array  # (item, label) (1 - m_1l) m_2l


class TableStatistics(NamedTuple):
    """The contributions of an item to the cells of the table, from the masses m_1 and m_2."""

    shared: Array  # (item,) 1 if both annotators rated the item
    cells: Array  # (item, label, label) m_1 m_2'


def chart_statistics(
    mass: Array, raters: Raters, disagreement: Array | None
) -> ChartStatistics | TableStatistics:
    """Return the statistics of each item; partial agreement needs every cell of the table."""
    if raters.weight.shape[0] != 2:
        raise ValueError(f"bangdiwala_b takes two annotators, got {raters.weight.shape[0]}")
    xp = namespace(mass, raters.weight, raters.annotator_of)
    pair = pair_statistics(*annotator_by_annotator(xp, mass, raters), None)
    shared, first, second = pair.shared[:, 0], pair.first[:, 0, :], pair.second[:, 0, :]
    if disagreement is None:
        return ChartStatistics(
            shared,
            first * second,
            first * disagreement_with(second, None),
            disagreement_with(first, None) * second,
        )
    items, labels = first.shape
    if math.prod((items, labels, labels)) > _MAX_CELLS:
        raise IaaError(
            f"Bangdiwala's B with an agreement between labels needs a table of {labels} x {labels} "
            f"labels for each of {items:,} rating patterns, too many for memory: leave the weights "
            "out, or merge rare labels"
        )
    return TableStatistics(shared, first[:, :, None] * second[:, None, :])


def bangdiwala_b_formula(
    sums: ChartStatistics | TableStatistics, annotator_weight: Array, disagreement: Array | None
) -> Agreement:
    """Return the share of agreement in the chart's area, ``1 - lost / whole``."""
    xp = namespace(sums.shared, annotator_weight, disagreement)
    lost, whole = (
        _areas_of_chart(xp, sums)
        if isinstance(sums, ChartStatistics)
        else _areas_of_table(xp, sums, disagreement)
    )
    nobody = (sums.shared == 0) | ~xp.all(annotator_weight > 0)
    code = first_code(xp, (nobody, NO_SHARED_ITEM), (whole == 0, NO_COMMON_LABEL))
    estimate = xp.where(code == DEFINED, 1 - divided(xp, lost, whole), xp.nan)
    chance = xp.where(code == DEFINED, xp.zeros_like(whole), xp.nan)
    return Agreement(estimate, estimate, chance, code)


bangdiwala_b = Kernel(
    "bangdiwala_b",
    chart_statistics,
    bangdiwala_b_formula,
    "Agreed share of the area of two annotators' chart",
    weighs_annotators=False,
)


def _areas_of_chart(xp: Namespace, sums: ChartStatistics) -> tuple[Array, Array]:
    rows, columns = sums.same + sums.first_alone, sums.same + sums.second_alone
    # n_l. n_.l - n_ll^2 as a sum, so that it is exactly 0 for perfect agreement
    lost = xp.sum(
        sums.same * (sums.first_alone + sums.second_alone) + sums.first_alone * sums.second_alone
    )
    return lost, xp.sum(rows * columns)


def _areas_of_table(
    xp: Namespace, sums: TableStatistics, disagreement: Array
) -> tuple[Array, Array]:
    rows, columns = xp.sum(sums.cells, axis=1), xp.sum(sums.cells, axis=0)
    # in the area n_l. n_.l, the part n_lj n_kl counts as agreed to the degree min(S_lj, S_lk), with
    # S the agreement between labels
    further = xp.maximum(disagreement[:, :, None], disagreement[:, None, :])
    inner = xp.sum(further * sums.cells[:, :, None], axis=1)
    lost = xp.sum(inner * sums.cells.T)
    return lost, xp.sum(rows * columns)
