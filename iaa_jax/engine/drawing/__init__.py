"""Random weights of rating patterns; each row of weights is a replicate.

A pattern is a set of items with the same ratings. A table of patterns that refines a coarse one
divides the coarse patterns into finer ones. Each module that draws from a distribution explains why
its draws are exact.

`multinomial` draws whole counts, by one NumPy binomial per pattern (40 ns). `refinement` draws the
counts of a finer table: for each group (the finer patterns within one coarse pattern), it uses the
cheapest mix of `binomials` (common patterns, 90 ns each), `poisson_base` (many rarer ones, 4 ns
each) and `single_items` (the remaining items, 8 ns each).

These costs are the constants ``NANOSECONDS``: times on one core of a server with NumPy 2.4. Other
constants would change the method for some tables, and with it the random numbers.
"""

from __future__ import annotations

from iaa_jax.engine.drawing.clusters import Clusters
from iaa_jax.engine.drawing.multinomial import bootstrap_rows
from iaa_jax.engine.drawing.resampling import (
    ITEMS,
    Resampling,
    sampled_rows,
    sampled_units,
    with_and_without,
)
from iaa_jax.engine.drawing.streams import BLOCK, Purpose, draws_in_blocks, rows_at_once, stream

__all__ = [
    "BLOCK",
    "ITEMS",
    "Clusters",
    "Purpose",
    "Resampling",
    "bootstrap_rows",
    "draws_in_blocks",
    "rows_at_once",
    "sampled_rows",
    "sampled_units",
    "stream",
    "with_and_without",
]
