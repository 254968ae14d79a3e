"""Rows of random weights, each a replicate: how often each pattern of ratings counts in it.

Each file is a distribution, or a way to draw one, and says at its head why it is exact.

- `resampling` says what may be drawn and picks the law; `tables` draws coarse tables first and then
  those that refine them; `streams` has the random numbers, in blocks of 64 replicates.
- `multinomial`: whole counts, the ordinary bootstrap. A coarse table costs NumPy's binomial a
  pattern (40 ns), or is drawn from its total like a finer one, if that saves 50 microseconds a row:
  from some 1,500 patterns on that few items share each.
- `refinement`: the counts of a finer table, given those of the coarse one. For each group it takes
  what costs least of `binomials` (common patterns, 90 ns each), `poisson_base` (many rarer ones, 4
  ns each) and `single_items` (few items, and what a base leaves, 8 ns each).
- `dirichlet`: the Bayesian bootstrap's weights; one Gamma number a pattern.
- `clusters`, `annotators`: what else may be random.
- `permutations`: shuffles within annotators, and random groups of items; `without_replacement`:
  some of the items.

The costs stand as ``NANOSECONDS`` in these files. They are times on one core of a server with NumPy
2.4, each way by itself on groups of 10 to 100,000 patterns, and count by their ratios, which other
machines and loads change by less than two. They are part of the stream: with another constant some
tables are drawn in another way. Whatever they are, `tests/engine/drawing/test_reference.py` holds
each way to the distribution of the plain multinomial.
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
