"""The catalogue's coefficients on a table of patterns: statistics as a matrix, and formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coverage_study.populations import mass_of
from iaa_jax.catalog import CATALOG, Measure
from iaa_jax.engine.flat import Layout, Sums, flat_statistics, read_back
from iaa_jax.engine.problem import PatternTable, Problem
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Bounds

Floats = NDArray[np.floating]

ENDLESS = 1e9
"""Items of a population, as far as alpha can tell."""


class Figure(NamedTuple):
    """How one coefficient is read from sums: static, and so part of what is compiled."""

    formula: Callable[..., Any]
    layout: Layout
    start: int
    stop: int
    label: int | None  # of a coefficient with one figure a label
    of_numbers: bool = False

    def estimate(self, sums: Any, setting: Setting) -> Any:
        """The coefficient from one row of sums."""
        own = Sums(sums[self.start : self.stop], sums[:0], setting.fixed)
        read = read_back(self.layout, own)
        found = self.formula(read, setting.annotator_weight, setting.disagreement).estimate
        return found if self.label is None else found[self.label]

    def expected(self, sums: Any, setting: Setting) -> Any:
        """The expected agreement of one row of sums, of a coefficient with a single figure."""
        read = read_back(self.layout, Sums(sums[self.start : self.stop], sums[:0], setting.fixed))
        found = self.formula(read, setting.annotator_weight, setting.disagreement).expected
        return found if self.label is None else found[self.label]

    @property
    def bounded(self) -> bool:
        """Whether disagreement has a largest value, and there is a single figure."""
        return self.label is None and not self.of_numbers


class Setting(NamedTuple):
    """The numbers beside the sums: traced."""

    annotator_weight: Any
    disagreement: Any
    fixed: tuple[Any, ...]


@dataclass(frozen=True)
class Figures:
    """Several coefficients on one table of patterns."""

    names: tuple[str, ...]
    bounds: tuple[Bounds, ...]
    measures: tuple[Measure, ...]
    rows: Floats  # (pattern, column) statistics of all, side by side
    figures: tuple[Figure, ...]
    settings: tuple[Setting, ...]

    def of(self, place: int) -> tuple[Bounds, float | None]:
        """The bounds of a coefficient, and the largest disagreement where there is one."""
        figure, matrix = self.figures[place], self.settings[place].disagreement
        largest = 1.0 if matrix is None else float(np.max(matrix))
        return self.bounds[place], largest if figure.bounded else None

    def truth(self, probability: Floats) -> list[float]:
        """The coefficients in an endless population of items."""
        sums = (ENDLESS * probability) @ self.rows
        pairs = zip(self.figures, self.settings, strict=True)
        return [float(figure.estimate(sums, setting)) for figure, setting in pairs]


def figures_on(
    names: Sequence[str], codes: NDArray[np.integer], labels: int, items: Floats | None = None
) -> Figures:
    """The coefficients named (alpha with its level after a colon) on patterns.

    Where an item may have a single rating, the ranges depend on how many ``items`` a pattern has.
    """
    table = PatternTable(np.ones(len(codes)))
    rated = table if items is None else PatternTable(np.asarray(items, dtype=float))
    mass = mass_of(codes, labels)
    values = np.where(codes < 0, np.nan, codes + 1.0)
    starts: dict[tuple[Any, ...], tuple[int, int]] = {}
    rows: list[Floats] = []
    columns = 0
    figures, settings, measures, bounds = [], [], [], []
    for name in names:
        measure, agreement = _measure(name, labels)
        data = values if measure.takes_values else mass
        problem = Problem(measure, table, data, agreement)
        row = CATALOG[name.partition(":")[0]]
        bounds.append(Request(name, row, Problem(measure, rated, data, agreement), "").bounds)
        flat = flat_statistics(problem)
        key = (problem.kernel.statistics, None if agreement is None else agreement.tobytes())
        if key not in starts:
            rows.append(flat.dense)
            starts[key] = (columns, columns + flat.dense.shape[1])
            columns += flat.dense.shape[1]
        label = labels - 1 if measure.per_label else None
        figures.append(
            Figure(problem.kernel.formula, flat.layout, *starts[key], label, measure.takes_values)
        )
        settings.append(Setting(problem.weight, problem.disagreement, flat.fixed))
        measures.append(measure)
    return Figures(
        tuple(names),
        tuple(bounds),
        tuple(measures),
        np.concatenate(rows, axis=1),
        tuple(figures),
        tuple(settings),
    )


def _measure(name: str, labels: int) -> tuple[Measure, Floats | None]:
    coefficient, _, level = name.partition(":")
    row = CATALOG[coefficient]
    if not level:
        return row.measure, None
    chosen = row.levels[level]
    if chosen.distance is None:
        return chosen.over_labels, None
    return chosen.over_labels, 1 - np.asarray(chosen.distance(np.arange(1.0, labels + 1)))
