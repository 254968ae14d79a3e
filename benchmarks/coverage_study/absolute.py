"""ICC(2) and ICC(2,k) over annotators drawn anew: how often F and Student's t hold the truth.

python -m coverage_study.absolute [--data-sets N] [--write]

From the folder of the benchmarks. Closed forms in NumPy over many data sets at once: mean squares,
and the jackknife over items and over annotators in place of the package's derivatives. With --write
the figures go to coverage_absolute.csv, of which coverage.md has a section.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import fdtri, stdtrit

TABLE = Path(__file__).parents[1] / "coverage_absolute.csv"
SEED = 20_261_122
ERROR = 0.5
"""Standard deviation of errors, where that of items is 1."""

CELLS = (
    *((50, 2, 0.3), (50, 2, 0.6), (300, 2, 0.3), (300, 2, 0.6), (20, 3, 0.3), (50, 3, 0.3)),
    *((50, 3, 0.6), (300, 3, 0.3), (300, 3, 0.6), (50, 5, 0.6), (300, 5, 0.3), (300, 5, 0.6)),
    *((50, 8, 0.6), (50, 10, 0.3), (20, 10, 0.6), (300, 10, 0.6), (50, 15, 0.6)),
)
"""Items, annotators, and the standard deviation between annotators."""

Array = Any


def mean_squares(n: int, k: int, squares: Array, rows: Array, columns: Array) -> tuple[Array, ...]:
    """Of items, annotators and the rest; ``rows`` are the items' squared sums over k, added up."""
    grand = columns.sum(axis=-1) ** 2 / (n * k)
    of_columns = (columns**2).sum(axis=-1) / n
    rest = squares - rows - of_columns + grand
    return (rows - grand) / (n - 1), (of_columns - grand) / (k - 1), rest / ((n - 1) * (k - 1))


def coefficient(n: int, k: int, *sums: Array, mean: bool) -> Array:
    """ICC(2), or ICC(2,k) for the ``mean`` of all annotators."""
    items, annotators, rest = mean_squares(n, k, *sums)
    ratings = 1 if mean else k
    below = items + (0 if mean else (k - 1) * rest) + ratings * (annotators - rest) / n
    return (items - rest) / below


def parts(value: Array) -> tuple[Array, Array]:
    """Of each item: its squares added up, and its squared sum over k."""
    return (value**2).sum(axis=-1), value.sum(axis=-1) ** 2 / value.shape[-1]


def figure(value: Array, *, mean: bool) -> Array:
    """The coefficient of each data set (set, item, annotator)."""
    squares, rows = parts(value)
    sums = squares.sum(axis=-1), rows.sum(axis=-1), value.sum(axis=-2)
    return coefficient(*value.shape[-2:], *sums, mean=mean)


def by_leaving_out(value: Array, *, mean: bool) -> tuple[Array, Array]:
    """The standard error over both, and Satterthwaite's degrees of freedom."""
    n, k = value.shape[-2:]
    squares, rows = parts(value)
    columns = value.sum(axis=-2)
    without = coefficient(
        n - 1,
        k,
        squares.sum(axis=-1)[:, None] - squares,
        rows.sum(axis=-1)[:, None] - rows,
        columns[:, None] - value,
        mean=mean,
    )
    of_items = (n - 1) / n * ((without - without.mean(axis=1)[:, None]) ** 2).sum(axis=1)
    others = [figure(np.delete(value, each, axis=-1), mean=mean) for each in range(k)]
    left = np.stack(others, axis=1)
    of_annotators = (k - 1) / k * ((left - left.mean(axis=1)[:, None]) ** 2).sum(axis=1)
    share = of_annotators / (of_items + of_annotators)
    degrees = 1 / ((1 - share) ** 2 / (n - 1) + share**2 / (k - 1))
    return np.sqrt(of_items + of_annotators), degrees


def f_ends(value: Array, *, mean: bool) -> tuple[Array, Array]:
    """The interval of McGraw and Wong."""
    n, k = value.shape[-2:]
    squares, rows = parts(value)
    sums = squares.sum(axis=-1), rows.sum(axis=-1), value.sum(axis=-2)
    items, annotators, rest = mean_squares(n, k, *sums)
    single = coefficient(n, k, *sums, mean=False)
    a, b = k * single * annotators, (n * (1 + (k - 1) * single) - k * single) * rest
    degrees = (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a**2 + b**2)
    down, up = fdtri(n - 1, degrees, 0.975), fdtri(degrees, n - 1, 0.975)
    errors = k * annotators + (k * n - k - n) * rest
    ends = (
        n * (items - down * rest) / (down * errors + n * items),
        n * (up * items - rest) / (errors + n * up * items),
    )
    return tuple(k * end / (1 + (k - 1) * end) for end in ends) if mean else ends


def counted(cell: tuple[int, int, float], sets: int) -> list[dict[str, object]]:
    """How often each interval of both coefficients holds the truth."""
    n, k, differ = cell
    stream = np.random.default_rng([SEED, n, k, round(100 * differ)])
    value = stream.normal(size=(sets, n, 1)) + differ * stream.normal(size=(sets, 1, k))
    value = value + ERROR * stream.normal(size=(sets, n, k))
    rows: list[dict[str, object]] = []
    for mean, name in ((False, "icc2"), (True, "icc2k")):
        truth = 1 / (1 + (differ**2 + ERROR**2) / (k if mean else 1))
        low, high = f_ends(value, mean=mean)
        row: dict[str, object] = {"items": n, "annotators": k, "differ": differ}
        row |= {"coefficient": name, "f": np.mean((low <= truth) & (truth <= high))}
        if k > 2:
            estimate = figure(value, mean=mean)
            error, degrees = by_leaving_out(value, mean=mean)
            reach = stdtrit(degrees, 0.975) * error
            row["t"] = np.mean(np.abs(estimate - truth) <= reach)
            row["t_above_1"] = np.mean(estimate + reach > 1)
            away = np.abs(np.log(1 - estimate) - np.log(1 - truth))
            row["t_range"] = np.mean(away <= reach / (1 - estimate))
        rows.append(row)
    return rows


def section() -> str:
    """The table in Markdown, as coverage.md has it."""
    from coverage_study.tables import markdown, percent

    frame = pd.read_csv(TABLE)
    columns = ("f", "t", "t_range", "t_above_1")
    return (
        "## ICC(2) over annotators drawn anew (coverage in percent)\n\n"
        "Made by `python -m coverage_study.absolute --write` in this folder, from "
        "`coverage_absolute.csv`: 2,000 data sets a cell, normal numbers, standard deviation 1 "
        f"between items, {ERROR:g} of errors, and between annotators as said. F is McGraw and "
        "Wong's; t has the standard error over items and annotators (without one of two annotators "
        "there is none), t_range is the same on the scale of the range, which `auto` takes. "
        "t_above_1: how often plain t passes 1.\n\n"
        + markdown(frame, dict.fromkeys(columns, percent))
    )


def main() -> None:
    """Run all cells."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help="write coverage_absolute.csv")
    asked = parser.parse_args()
    rows = [row for cell in CELLS for row in counted(cell, asked.data_sets)]
    frame = pd.DataFrame(rows).round(4)
    print(frame.to_string(index=False))
    if asked.write:
        frame.to_csv(TABLE, index=False)


if __name__ == "__main__":
    main()
