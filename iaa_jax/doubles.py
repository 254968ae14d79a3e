# Written by tools/generate.py from the lists of coefficients and of analyses.
"""The effect of secondary labels: sweeps over p, classes of items, patterns of two ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iaa_jax._lazy import on_first_use
from iaa_jax.analyses.doubles.item_classes import item_classes, item_curves
from iaa_jax.analyses.doubles.label_pairs import labels
from iaa_jax.analyses.doubles.patterns import patterns

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_first_use(__name__, {})

__all__ = ["item_classes", "item_curves", "labels", "patterns"]
