"""The label that annotators agree on least."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc

from iaa_jax._types import Floats, Values
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.shared.agreement_by import equal_others
from iaa_jax.measure.shared.labels import frequent_from

_ROUNDING = 1e-12

FEWEST_ALIKE, _ALIKE = 3, 0.05
"""Minimum number of labels whose agreement can be called alike. The p-value of a difference must
then exceed `_ALIKE`."""


def lowest_label(
    names: Values, agreement: Floats, errors: Floats, count: Floats, doubt: Values
) -> dict[str, Any]:
    """Return the conclusion on the labels, and the label that annotators agree on least.

    A label is disputed if its agreement is below 1. Rare labels count only if fewer than two labels
    are frequent, or no frequent one is disputed. ``doubt`` has the code of a caution about the
    interval of each label, or "".
    """
    if np.isnan(agreement).all():
        return {"conclusion": "undefined"}
    disputed = agreement < 1 - _ROUNDING
    least = frequent_from(count)
    often = count >= least
    only_frequent = bool(often.sum() > 1 and (disputed & often).any())
    among = np.where(often, agreement, np.nan) if only_frequent else agreement
    lowest = int(np.nanargmin(among))
    conclusion = "level" if _are_alike(among, errors) else "disputed"
    return {
        "conclusion": conclusion if disputed.any() else "unanimous",
        "lowest_from": least if np.isnan(among).sum() > np.isnan(agreement).sum() else 0,
        "lowest_label": str(names[lowest]),
        "lowest_agreement": float(agreement[lowest]),
        "lowest_count": int_if_whole(count[lowest]),
        "lowest_equal": equal_others(among, lowest),
        "lowest_doubt": str(doubt[lowest]),
    }


def _are_alike(agreement: Floats, errors: Floats) -> bool:
    """Tell whether the agreement on three or more labels is alike, by Cochran's test."""
    known = np.isfinite(agreement) & (errors > _ROUNDING)
    if known.sum() < FEWEST_ALIKE:
        return False
    figures, precision = agreement[known], errors[known] ** -2.0
    mean = figures @ precision / precision.sum()
    spread = float((figures - mean) ** 2 @ precision)
    return bool(chdtrc(known.sum() - 1, spread) > _ALIKE)
