"""Random weights of rating patterns; each row of weights is a replicate.

A pattern is a set of items with the same ratings. A table of patterns that refines a coarse one
divides the coarse patterns into finer ones. A file that draws from a distribution explains why its
draws are exact.

- `resampling` describes what can be drawn, and it selects the distribution; `tables` draws coarse
  tables first and then the tables that refine them; `streams` has the random numbers, in blocks of
  64 replicates.
- `multinomial`: whole counts, the ordinary bootstrap. A coarse table costs one NumPy binomial per
  pattern (40 ns). `refinement` draws the table instead, as if all patterns refined a single
  one, if this saves more than 50 microseconds a row. Tables of about 1,500 patterns or more, with
  few items each, save that much.
- `refinement`: the counts of a finer table, given the counts of the coarse one. For each group (the
  finer patterns within one coarse pattern) it uses the cheapest mix of `binomials` (common
  patterns, 90 ns each), `poisson_base` (many rarer ones, 4 ns each) and `single_items` (the
  remaining items, 8 ns each).
- `dirichlet`: the weights of the Bayesian bootstrap, one Gamma number per pattern.
- `clusters`, `annotators`: resampling of clusters of items and of annotators.
- `permutations`: shuffles of each annotator's ratings, and random groups of items;
  `without_replacement`: random subsets of the items.

The costs are the constants ``NANOSECONDS`` in these files: times on one core of a server with NumPy
2.4, for each method on groups of 10 to 100,000 patterns. Mainly the ratios of these times matter.
Between machines and loads, the ratios differ by less than a factor of two. The constants affect the
random numbers: with other constants, some tables would be drawn by other methods.
`tests/engine/drawing/test_reference.py` checks that each method of drawing counts has the
multinomial distribution.
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
