"""Distinguishes columns of annotators from columns of questions in several sheets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax.io.layout.evidence import APART, SURE, agreement, agreement_beside
from iaa_jax.io.layout.sample import Sample, columns_of
from iaa_jax.io.table.cells import BLANK
from iaa_jax.io.table.opening import head, table
from iaa_jax.io.table.source import Source


def agree_within(
    sheet: Source, sheets: Sequence[Source], items: Sequence[str], columns: Sequence[str]
) -> bool:
    """Tell whether columns agree far better within a sheet than across the sheets.

    Columns of annotators do, if each sheet has items of its own. Columns of questions do not, if
    each sheet has the answers of one annotator on the same items.
    """
    own = columns_of([table(sheet, columns)], columns, BLANK)
    within, strength = agreement_beside([*own.values()])
    names = [*items, *columns]
    parts = [table(each, names) for each in sheets]
    whole = Sample(columns_of(parts, names, BLANK), head(sheet), sum(part.rows for part in parts))
    rows = whole.joined(items)
    across = np.array([agreement(rows, whole.columns[name])[0] for name in columns])
    return bool(strength > SURE and within > np.nan_to_num(across).mean() + APART)
