"""Draws of local figures from a posterior, which holds where a window is worth few items.

A window of few items shows few of the patterns that its items might have: where all of them agree
nothing varies, and where a label is rare one item more or less decides. So each window begins with
``OF_ALL`` items that show the patterns of all items, and with the pseudo-item of `measure.prior`.
Each end of an interval is the farther one with what windows begin with and without. The weights of
items are Gamma numbers whose shapes are their own, the same in all windows that they are in, and
those of what a window begins with are Gamma numbers of its own.

Of what is added an item counts as one of the items that a window is worth, so that large windows
hardly know of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.drift.line import Line
from iaa_jax.analyses.drift.windows import Windows, totals
from iaa_jax.engine import PatternTable, Prepared, Problem
from iaa_jax.engine.drawing import BLOCK, Resampling, sampled_rows, stream
from iaa_jax.measure.prior import Labels
from iaa_jax.measure.pseudo_items import beside

OF_ALL = 2.0
"""Items with two ratings that each window begins with, of the patterns of all items."""

_PRIOR = 1007  # the stream of what windows begin with


@dataclass(frozen=True, eq=False)
class LocalPosterior:
    """A coefficient on the patterns of items and, behind them, those of pseudo-items."""

    problem: Problem
    windows: Windows

    @classmethod
    def of(cls, problem: Problem, labels: Labels, windows: Windows) -> LocalPosterior:
        """The posterior of a coefficient of labels."""
        return cls(beside(problem, labels), windows)

    @cached_property
    def prepared(self) -> Prepared:
        """The coefficient, ready for weight rows on all its patterns."""
        return Prepared([self.problem])

    @property
    def _line(self) -> Line:
        return self.windows.line

    @cached_property
    def shape(self) -> Floats:
        """As how many items each pattern counts in a window before there are any (pattern,)."""
        line = self._line
        of_all = totals(line.pattern, line.weight, line.patterns)
        shape = np.array(self.problem.table.prior, dtype=np.float64)
        shape[: line.patterns] += OF_ALL * of_all / of_all[line.pairable].sum()
        return shape

    @cached_property
    def _pairable(self) -> NDArray[np.bool_]:
        added = len(self.shape) - self._line.patterns
        return np.append(self._line.pairable, np.ones(added, dtype=bool))

    def rows(self, replicates: int, seed: int) -> Iterator[Floats]:
        """The weights (replicate, cell) of the items, in parts of a block."""
        law = Resampling(weights="dirichlet")
        for (drawn,) in sampled_rows([PatternTable(self._line.weight)], replicates, seed, law):
            yield drawn

    def with_and_without(self, weight: Floats, first: int, seed: int) -> Floats:
        """Rows (replicate, window, 2, pattern) with what windows begin with and without it.

        They are those of replicates from a first one on.
        Windows take the draws of a block in turn, so that no two have the same one.
        """
        own = self._of_block(first // BLOCK, seed)
        replicate = first % BLOCK + np.arange(len(weight))
        window = np.arange(weight.shape[1])
        rows = own[(replicate[:, None] + window) % BLOCK]
        rows[..., : weight.shape[2]] += weight
        worth = rows[..., self._pairable].sum(axis=-1)
        rows *= (self.windows.rows.effective / worth)[..., None]
        without = np.zeros_like(rows)
        without[..., : weight.shape[2]] = weight
        return np.stack([rows, without], axis=2)

    def _of_block(self, block: int, seed: int) -> Floats:
        draws = stream(seed, _PRIOR, block)
        return draws.standard_gamma(self.shape, size=(BLOCK, len(self.shape)))
