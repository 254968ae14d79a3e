"""Intervals of tables of numbers that everybody rated, by formulas alone.

What `iaa_jax.agreement` gives for such a table, from the same kernels but without the ratings,
options and results around them, which take ten times as long: tests/test_coverage_study.py holds it
to the public functions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from iaa_jax.catalog import CATALOG
from iaa_jax.kernels import icc_annotators, intervals
from iaa_jax.measure.intervals.coverage import FEWEST, UNLIKE_TWO
from iaa_jax.measure.results import WIDE

Row = tuple[float, float, float]
Squares = tuple[np.ndarray, np.ndarray, np.ndarray, int, int]
CONFIDENCE = 0.95


def measured(
    table: np.ndarray, names: Sequence[str], *, fixed: bool, interval: str = "auto"
) -> tuple[list[Row], list[str]]:
    """The figure, both ends, and the doubt of each coefficient."""
    few = "few_items" if len(table) < FEWEST else ""
    method = "widened_large_sample" if interval == "auto" else interval
    rows, doubts = [], []
    for name in names:
        drawn = not fixed and CATALOG[name].random_annotators
        rows.append(_over_annotators(table, name, method) if drawn else _over_items(table, name))
        two = drawn and table.shape[1] == 2
        p_value = icc_annotators.unlike_annotators(table, np.ones(len(table))) if two else 1.0
        _, low, high = rows[-1]
        least = -1 if name == "icc2k" else max(_lowest(name, *table.shape), -1)
        wide = interval == "auto" and high - low > WIDE * (1 - least)
        unlike = "unlike_annotators" if p_value < UNLIKE_TWO else ""
        doubts.append(few or unlike or ("wide_interval" if wide else ""))
    return rows, doubts


def _lowest(name: str, n: int, k: int) -> float:
    """What a coefficient of one rating can reach."""
    return -1 / (k - 1 - (k / n if name == "icc2" else 0))


def _over_annotators(table: np.ndarray, name: str, method: str) -> Row:
    k = table.shape[1]
    ends = CATALOG[name].ends_over_annotators[method]
    low, high = ends(table, np.ones(len(table)), CONFIDENCE)
    figure = float(_icc2(*_mean_squares(table[None])).item())
    return figure if name == "icc2" else k * figure / (1 + (k - 1) * figure), low, high


def _over_items(table: np.ndarray, name: str) -> Row:
    """Kurtosis t, the lower end of whose scale is what the figure can reach."""
    n, k = table.shape
    of = {"krippendorff_alpha": _alpha, "icc2": _icc2, "icc3": _icc3}[name]
    lowest = _lowest(name, n, k)
    figure = float(of(*_mean_squares(table[None])).item())
    without = of(*_without_items(table))
    if not (lowest < figure < 1):
        return figure, np.nan, np.nan
    line = [intervals.to_line(each, lowest, 1.0) for each in (np.asarray(figure), without)]
    count = np.ones(n)
    values, slope = line[1], 1.0
    if not np.isfinite(values).all():
        values, slope = without, float(intervals.line_slope(figure, lowest, 1.0))
    error = intervals.jackknife(values, count) * slope
    degrees = intervals.kurtosis_degrees(values - values.mean(), count, largest=False)
    ends = intervals.student_t(line[0], error, degrees, CONFIDENCE)
    low, high = (float(intervals.from_line(each, lowest, 1.0)) for each in ends)
    return figure, low, high


def _mean_squares(tables: np.ndarray) -> Squares:
    """Of items, annotators and the rest (table,), and the numbers of items and annotators."""
    n, k = tables.shape[1:]
    tables = tables - tables.mean(axis=(1, 2), keepdims=True)
    rows, columns = tables.mean(axis=2), tables.mean(axis=1)
    of_rows, of_columns = k * (rows**2).sum(axis=1), n * (columns**2).sum(axis=1)
    rest = (tables**2).sum(axis=(1, 2)) - of_rows - of_columns
    return of_rows / (n - 1), of_columns / (k - 1), rest / ((n - 1) * (k - 1)), n, k


def _without_items(table: np.ndarray) -> Squares:
    """The same without each item in turn."""
    n, k = table.shape
    table = table - table.mean()
    sums, means = table.sum(axis=0) - table, table.mean(axis=1)
    grand = sums.sum(axis=1) / ((n - 1) * k)
    of_mean = (n - 1) * k * grand**2
    of_rows = k * ((means**2).sum() - means**2) - of_mean
    of_columns = (sums**2).sum(axis=1) / (n - 1) - of_mean
    squared = (table**2).sum() - (table**2).sum(axis=1)
    rest = squared - of_mean - of_rows - of_columns
    return of_rows / (n - 2), of_columns / (k - 1), rest / ((n - 2) * (k - 1)), n - 1, k


def _icc2(
    items: np.ndarray, annotators: np.ndarray, rest: np.ndarray, n: int, k: int
) -> np.ndarray:
    return (items - rest) / (items + (k - 1) * rest + k * (annotators - rest) / n)


def _icc3(items: np.ndarray, _: np.ndarray, rest: np.ndarray, __: int, k: int) -> np.ndarray:
    return (items - rest) / (items + (k - 1) * rest)


def _alpha(
    items: np.ndarray, annotators: np.ndarray, rest: np.ndarray, n: int, k: int
) -> np.ndarray:
    within = ((k - 1) * annotators + (n - 1) * (k - 1) * rest) / (n * (k - 1))
    return 1 - within * (n * k - 1) / ((n - 1) * items + n * (k - 1) * within)
