"""One coefficient for many panels (subsets of annotators), each at many rows of item weights.

For exchangeable annotators, an item's statistics depend only on how often its panel gave each
rating. If few such counts are possible, their statistics are computed once and looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.batch_sizes import batch_size_of, formula_weighs, from_ratings
from iaa_jax.engine.flat import FlatStatistics, flat_statistics
from iaa_jax.engine.inputs import inputs_of_ratings
from iaa_jax.engine.padding import pad, pad_items
from iaa_jax.engine.problem import Floats, Integers, Problem

if TYPE_CHECKING:
    import jax


class PanelRows:
    """A coefficient on one table, prepared for panels; its data must tell who gave which rating.

    It is ``exchangeable`` if its statistics do not depend on who gave which rating.
    """

    def __init__(self, problem: Problem, *, exchangeable: bool = False) -> None:
        self.problem = problem
        self._counts = _Counts.of(problem) if exchangeable else None

    def for_ratings(self, codes: Integers, other: Integers, data: Floats) -> PanelRows:
        """Return the coefficient for ``other`` patterns; no rating in them may be new.

        ``codes`` (pattern, annotator) identify the ratings of the present patterns, and ``other``
        those of the other patterns, with -1 for a missing rating. ``data`` has the ratings of the
        other patterns as masses (distributions over the labels) or numbers.
        """
        run = copy(self)
        table = self.problem.table.other(np.ones(len(other)))
        run.problem = replace(self.problem, table=table, ratings=data, annotator_of=None)
        if self._counts is not None:
            run._counts = self._counts.for_ratings(codes, other)
        return run

    def over(self, panels: NDArray[np.bool_], rows: Floats) -> Iterator[Floats]:
        """Yield estimates (panel, row, ...), block by block.

        ``panels`` (panel, annotator) marks the annotators in each panel, and ``rows`` has weights
        (row, pattern).
        """
        block = min(thresholds.PANELS_TOGETHER, 1 << max(len(panels) - 1, 0).bit_length())
        run = self._runner(rows, block)
        for start in range(0, len(panels), block):
            part = panels[start : start + block]
            filled = np.ones((block, len(self.problem.weight)))
            filled[: len(part), : panels.shape[1]] = part
            with self.problem.computing.scope("float64"):
                values = np.asarray(run(filled))[: len(part)]
            yield values

    def _runner(self, rows: Floats, block: int) -> Callable[[Floats], jax.Array]:
        import jax

        from iaa_jax.engine import compiled_panels

        problem, counts = self.problem, self._counts
        with self.problem.computing.scope("float64"):
            weights = jax.device_put(pad(rows, 0.0, axis=1).astype(np.float64))
            setting = inputs_of_ratings(problem, "float64")
            if counts is not None:
                table = jax.device_put(counts.statistics.dense)
                batch = thresholds.LOOKED_UP // (weights.shape[1] * table.shape[1])
                batch = min(block, max(batch, 1))
                layout, formula = counts.statistics.layout, problem.kernel.formula
                keys, place = jax.device_put((counts.keys, counts.place))
                return lambda panels: compiled_panels.panel_rows_by_counts(
                    panels,
                    keys,
                    place,
                    table,
                    weights,
                    setting,
                    layout,
                    formula,
                    batch,
                )
            by_formula = formula_weighs(problem)
            kernel = problem.measure.kernel
            batch = min(block, batch_size_of(problem, "float64"))
            data = jax.device_put(pad_items(problem.data).astype(np.float64))
        by_ratings = compiled_panels.panel_rows
        compiled = compiled_panels.panel_rows_by_formula if by_formula else by_ratings
        return lambda panels: compiled(
            panels * problem.weight, weights, data, setting, kernel, batch
        )


class _Counts(NamedTuple):
    """All possible counts of an item's ratings, their statistics, and the index of each count."""

    statistics: FlatStatistics
    keys: Floats  # (annotator, pattern) what each rating adds to the key of the counts
    place: Integers  # (key,) the index of the counts

    @classmethod
    def of(cls, problem: Problem) -> _Counts | None:
        """Return the counts; None if there are too many, or if statistics cannot be looked up."""
        measure = problem.measure
        # span annotations are stored as comparisons with other annotators, not as single ratings
        own = from_ratings(problem) and not measure.complete and not measure.compares
        if not own or problem.annotator_of is not None or (problem.weight != 1).any():
            return None
        patterns, annotators = problem.data.shape[:2]
        flat = problem.data.reshape(patterns * annotators, -1)
        known = ~np.isnan(flat).any(axis=1)
        cells, code = np.unique(flat[known], axis=0, return_inverse=True)
        distinct = len(cells)
        keys = (annotators + 1.0) ** np.arange(distinct + 1)
        if (
            keys[-1] > thresholds.PANEL_KEYS
            or comb(annotators + distinct, distinct) > thresholds.PANEL_COUNTS
        ):
            return None
        radix = np.append(keys[:-1], 0.0)  # the last index means not rated
        ways = np.array([*combinations_with_replacement(range(distinct + 1), annotators)])
        cells = np.concatenate([cells, np.full((1, flat.shape[1]), np.nan)])
        data = cells[ways].reshape(len(ways), *problem.data.shape[1:])
        every = replace(problem, table=problem.table.other(np.ones(len(ways))), ratings=data)
        statistics = flat_statistics(every)
        if statistics.indexed is not None or statistics.fixed:
            return None
        place = np.zeros(int(keys[-1]), dtype=np.int32)
        place[radix[ways].sum(axis=1).astype(np.intp)] = np.arange(len(ways))
        codes = np.full(len(flat), distinct)
        codes[known] = code.reshape(-1)
        of_ratings = radix[codes].reshape(patterns, annotators)
        return cls(statistics, np.ascontiguousarray(pad(of_ratings, 0.0).T), place)

    def for_ratings(self, codes: Integers, other: Integers) -> _Counts:
        """Return the counts for ``other`` ratings, given the ``codes`` of the present ratings."""
        key = np.zeros(int(codes.max()) + 2)  # the last index means not rated
        rated = codes >= 0
        key[codes[rated]] = self.keys.T[: len(codes)][rated]
        return self._replace(keys=np.ascontiguousarray(pad(key[other], 0.0).T))
