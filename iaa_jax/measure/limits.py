"""Sizes beyond which data are not laid out: what is asked of them is refused, with a way out."""

from __future__ import annotations

CELLS = 1 << 27
"""Cells of a mass, or of its statistics (1 GB in float64)."""

PAIRS_WITHIN = 1 << 29
"""Pairs of ratings of an item (4 GB), where there are many labels."""

PAIR_SUMS = 1 << 25
"""Sums of pairs of annotators (256 MB a replicate)."""

LABELS = 4096
"""Labels, of which a table of pairs would be too large."""
