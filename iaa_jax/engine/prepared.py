"""Problems (coefficients, each on one table) that share statistics; inputs for compiled code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.flat import FlatStatistics, Sums, flat_by_parts, flat_statistics, read_back
from iaa_jax.engine.inputs import SumsLayout, TracedInputs, inputs_of_ratings, inputs_of_sums
from iaa_jax.engine.parts import Parts, statistics_of_parts
from iaa_jax.engine.precision import DType
from iaa_jax.engine.problem import CodedRatings, Floats, Key, PatternTable, Problem
from iaa_jax.kernels.by_panel import StatisticsByPanel, weighed_by_formula
from iaa_jax.kernels.sums import Fixed, Indexed, NamedSums, sums_over_items


class Prepared:
    """Problems with the statistics that they share, computed once on NumPy.

    A pattern is a set of items with the same ratings. With ``estimates_only``, only sums over all
    patterns are kept where they suffice.
    """

    def __init__(self, problems: Sequence[Problem], *, estimates_only: bool = False) -> None:
        self.problems = tuple(problems)
        self.estimates_only = estimates_only
        self._named: dict[Key, NamedSums | None] = {}
        self._shared: dict[Key, FlatStatistics] = {}
        self._sums: dict[Key, Sums] = {}
        self._parts: dict[Key, Parts | None] = {}

    def part(self, indices: Sequence[int]) -> Prepared:
        """Return some of the problems, with the same statistics."""
        part = Prepared([self.problems[index] for index in indices])
        part._shared, part._sums, part._parts = self._shared, self._sums, self._parts
        return part

    def weighed_by_formula(self) -> Prepared:
        """Return the problems, if possible with formulas that take annotator weights per row."""
        weighed = Prepared([_weighed_by_formula(problem) for problem in self.problems])
        weighed._shared, weighed._sums, weighed._parts = self._shared, self._sums, self._parts
        return weighed

    def statistics(self, problem: Problem) -> FlatStatistics:
        """Return the statistics of a problem whose coefficient has statistics and a formula."""
        key = problem.shared_key
        if key not in self._shared:
            flat = None
            patterns = len(problem.table.count)
            if (
                patterns >= thresholds.MANY_PATTERNS
                and (parts := self._parts_of(problem)) is not None
            ):
                flat = flat_by_parts(problem, parts) if 2 * parts.number <= patterns else None
            self._shared[key] = flat_statistics(problem) if flat is None else flat
        return self._shared[key]

    def _parts_of(self, problem: Problem) -> Parts | None:
        """Return the parts of the patterns (`iaa_jax.engine.parts`); None if they save no time."""
        if not isinstance(problem.ratings, CodedRatings) or problem.annotator_of is not None:
            return None
        if not (problem.kernel.by_pair or problem.kernel.by_rating):
            return None
        key = (id(problem.ratings), id(problem.table))
        if key not in self._parts:
            parts = Parts(problem.ratings, problem.table)
            self._parts[key] = parts if parts.few else None
        return self._parts[key]

    def sums(self, problem: Problem) -> Sums:
        """Return the problem's statistics summed over all items."""
        key = problem.shared_key
        if key not in self._sums:
            self._sums[key] = self.statistics(problem).sums(problem.table.count)
        return self._sums[key]

    def summed(self, problem: Problem, weight: Floats | None = None) -> NamedSums:
        """Return the sums that the formula takes, at weights (pattern,), by default the counts."""
        if weight is None and self.estimates_only:
            sums = self._sums_alone(problem)
            if sums is not None:
                return sums
        flat = self.statistics(problem)
        if weight is None:
            return read_back(flat.layout, self.sums(problem))
        return read_back(flat.layout, flat.sums(weight))

    def _sums_alone(self, problem: Problem) -> NamedSums | None:
        """Return the sums without keeping the statistics of patterns; None if impossible."""
        key = problem.shared_key
        if key not in self._named:
            self._named[key] = _sums_of_all(problem, self._parts_of(problem))
        return self._named[key]

    @property
    def factored(self) -> list[int]:
        """The indices of the problems with statistics and a formula."""
        return [index for index, problem in enumerate(self.problems) if problem.factored]


def _sums_of_all(problem: Problem, parts: Parts | None) -> NamedSums | None:
    """Return the problem's statistics summed over all items; None if they need single patterns."""
    if problem.annotator_of is not None:
        return None
    by_parts = None if parts is None else _sums_by_parts(problem, parts)
    return _sums_by_blocks(problem) if by_parts is None else by_parts


def _sums_by_parts(problem: Problem, parts: Parts) -> NamedSums | None:
    several = statistics_of_parts(problem, parts)
    if several is None:
        return None
    sums: NamedSums = None
    for kind, statistics, fields in several:
        summed = sums_over_items(statistics, parts.kind(kind).occurrences(problem.table.count))
        part = {name: getattr(summed, name) for name in fields}
        sums = summed if sums is None else sums._replace(**part)
    return sums


def _sums_by_blocks(problem: Problem) -> NamedSums | None:
    weight = problem.table.count
    sums: NamedSums = None
    for start in range(0, len(weight), thresholds.SUMMED_TOGETHER):
        rows = slice(start, start + thresholds.SUMMED_TOGETHER)
        statistics = problem.statistics_of(problem.rows(rows), problem.raters)
        if any(isinstance(each, Indexed) for each in statistics):
            return None
        part = sums_over_items(statistics, weight[rows])
        if sums is None:
            sums = part
            continue
        sums = type(part)(
            *(
                value if isinstance(each, Fixed) else total + value
                for each, total, value in zip(statistics, sums, part, strict=True)
            )
        )
    return sums


def _weighed_by_formula(problem: Problem) -> Problem:
    if not problem.factored or problem.annotator_of is not None or problem.columns < 2:
        return problem
    if problem.kernel.weighing is None:
        return problem
    kernel = weighed_by_formula(problem.kernel, problem.kernel.weighing)
    statistics = kernel.statistics
    assert isinstance(statistics, StatisticsByPanel)
    columns = statistics.columns(problem.data, problem.disagreement)
    of_item = math.prod(problem.data.shape[1:])
    if (
        columns > thresholds.SUMS_BY_PANEL * of_item
        or columns * len(problem.data) > thresholds.PANEL_SUMS
    ):
        return problem
    return replace(problem, measure=replace(problem.measure, kernel=kernel))


def tables_of(problems: Sequence[Problem]) -> list[PatternTable]:
    """Return the distinct tables of the problems."""
    tables: list[PatternTable] = []
    for problem in problems:
        if not any(problem.table is table for table in tables):
            tables.append(problem.table)
    return tables


def table_index(tables: Sequence[PatternTable], wanted: PatternTable) -> int:
    """Return the index of a table in a sequence of tables."""
    return next(index for index, table in enumerate(tables) if table is wanted)


def setting_of(prepared: Prepared, problem: Problem, dtype: DType) -> TracedInputs:
    """Return the inputs of a problem other than its sums or ratings."""
    if problem.factored:
        return inputs_of_sums(problem, prepared.statistics(problem).fixed, dtype)
    return inputs_of_ratings(problem, dtype)


def setting_key(problem: Problem) -> Key:
    """Return a key that is equal for problems with equal inputs other than their sums."""
    return (problem.shared_key, *sorted(problem.options.items()))


def sums_layout_of(
    prepared: Prepared, problem: Problem, table: int, starts: tuple[int, int], setting: int
) -> SumsLayout:
    """Return how a problem reads the sums of its table."""
    flat = prepared.statistics(problem)
    dense, indexed = starts
    return SumsLayout(
        table,
        (dense, dense + flat.columns),
        (indexed, indexed + flat.indexed_columns),
        flat.layout,
        problem.kernel.formula,
        setting,
    )
