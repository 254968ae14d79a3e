# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""What secondary labels add: sweeps over p, classes of items, patterns."""

from __future__ import annotations

from iaa_jax.analyses.doubles.item_classes import item_classes, item_curves
from iaa_jax.analyses.doubles.label_pairs import labels
from iaa_jax.analyses.doubles.patterns import patterns

__all__ = ["item_classes", "item_curves", "labels", "patterns"]
