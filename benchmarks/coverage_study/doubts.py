"""Where intervals are doubted, by kind of coefficient: coverage with and without a doubt.

python -m coverage_study.doubts [--data-sets N] [--cells WORDS] [--write]

From the folder of the benchmarks. Each data set goes the way of users, through the public
functions; with --write the figures go to coverage_doubts.csv, of which coverage.md has a section.
"""

from __future__ import annotations

import argparse
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# one core: the data sets are small, and others may need the rest
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa

TABLE = Path(__file__).parents[1] / "coverage_doubts.csv"
REPLICATES = 599
SEED = 20_261_122

CUTS = (0.3, 0.8, 1.2, 1.6, 2.0, 2.5)
"""Of a standard normal into seven points, most of it in the lowest."""

FIXED = iaa.Sampling(annotators="fixed")

Draw = Callable[[np.random.Generator, int], xr.Dataset]


@dataclass(frozen=True)
class Cell:
    """Data sets of one kind, and the figures whose intervals are counted."""

    name: str
    units: int
    draw: Draw
    coefficients: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    truth: float | None = None  # None: that of a sample of very many
    many: int = 400_000


def numbers(shape: str = "normal", differ: float = 0.0) -> Draw:
    """Items with standard deviation 1, errors with .7, and three annotators who differ so much."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        if shape == "t3":
            far = stream.standard_t(3, (items, 4)) / np.sqrt(3)
        else:
            far = stream.normal(size=(items, 4))
        value = far[:, :1] + 0.7 * far[:, 1:] + differ * stream.normal(size=(1, 3))
        if shape == "outliers":
            out = stream.random(value.shape) < 0.03
            value = np.where(out, value + 6 * stream.normal(size=value.shape), value)
        return iaa.from_values(value)

    return drawn


def seven_points(error: float) -> Draw:
    """Three annotators on seven points."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        value = stream.normal(size=(items, 1)) + error * stream.normal(size=(items, 3))
        return iaa.from_wide((value[:, :, None] > np.array(CUTS)).sum(axis=-1), labels=range(7))

    return drawn


def _answers(
    stream: np.random.Generator, truth: np.ndarray, knows: np.ndarray, share: Sequence[float]
) -> np.ndarray:
    """Three annotators who know the truth of an item with some probability, and else guess."""
    shape = (len(truth), 3)
    guess = stream.choice(len(share), size=shape, p=share)
    return np.where(stream.random(shape) < knows[:, None], truth[:, None], guess)


def kinds_of_items(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Three labels; three items of ten are hard, and hardly known."""
    share = (0.5, 0.3, 0.2)
    hard = stream.random(items) < 0.3
    truth = stream.choice(3, size=items, p=share)
    codes = _answers(stream, truth, np.where(hard, 0.1, 0.8), share)
    return iaa.from_wide(codes, labels=range(3))


def many_annotators(stream: np.random.Generator, items: int) -> xr.Dataset:
    """123 annotators on items anywhere between yes and no."""
    share = stream.beta(0.6, 2.4, size=items)
    yes = stream.binomial(123, share)
    return iaa.from_counts(np.stack([123 - yes, yes], axis=1))


def documents(sizes: Callable[[int], np.ndarray]) -> Draw:
    """Documents that lean to labels of their own, and are easy or hard."""
    share = np.array([0.5, 0.3, 0.2])

    def drawn(stream: np.random.Generator, number: int) -> xr.Dataset:
        document = np.repeat(np.arange(number), sizes(number))
        lean = stream.dirichlet(4 * share, size=number)[document]
        knows = np.clip(0.6 + 0.25 * stream.normal(size=number), 0, 1)[document]
        truth = (stream.random((len(document), 1)) > lean.cumsum(axis=1)[:, :2]).sum(axis=1)
        ratings = iaa.from_wide(_answers(stream, truth, knows, share.tolist()), labels=range(3))
        return ratings.assign_coords(document=("item", document))

    return drawn


def _one_to_twelve(number: int) -> np.ndarray:
    return 1 + np.arange(number) % 12


def _five(number: int) -> np.ndarray:
    return np.full(number, 5)


def second_labels(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Two annotators, four labels, and a second label on three ratings of ten."""
    truth = stream.integers(0, 4, items)
    other = (truth + stream.integers(1, 4, items)) % 4
    columns: dict[str, list[Any]] = {"label": [], "secondary": []}
    for _ in range(2):
        first = np.where(stream.random(items) < 0.7, truth, other)
        second = np.where(first == truth, other, truth)
        columns["label"] += [f"l{code}" for code in first]
        two = stream.random(items) < 0.3
        columns["secondary"] += [f"l{c}" if t else None for c, t in zip(second, two, strict=True)]
    item = np.tile(np.arange(items), 2)
    who = np.repeat(["ann", "ben"], items)
    return iaa.from_long({"item": item, "annotator": who, **columns}, secondary="secondary")


ORDINAL = {"level": "ordinal"}
QUADRATIC = {"weights": "quadratic"}
BY_DOCUMENT = {"sampling": iaa.Sampling(cluster="document")}
OF_NUMBERS = ("krippendorff_alpha", "icc2")
OF_LABELS = ("krippendorff_alpha", "gwet_ac1", "conger_kappa")
OF_DOCUMENTS = ("krippendorff_alpha", "gwet_ac1", "percent_agreement")
_ONE = 1 / (1 + 0.49)

CELLS = (
    *(Cell("seven points, skewed", n, seven_points(0.6), ("krippendorff_alpha",), ORDINAL)
      for n in (20, 50, 200)),
    *(Cell("seven points, high agreement", n, seven_points(0.3), ("gwet_ac2",), QUADRATIC)
      for n in (20, 50)),
    Cell("easy and hard items", 30, kinds_of_items, OF_LABELS),
    Cell("easy and hard items", 60, kinds_of_items, OF_LABELS),
    Cell("350 items, 123 annotators", 350, many_annotators, ("krippendorff_alpha",), {}, 0.25),
    Cell("two labels a rating", 150, second_labels, ("augmented_kappa",), {"p": 0.7}, None, 50_000),
    *(Cell("normal numbers", n, numbers(), OF_NUMBERS, {"sampling": FIXED}, _ONE)
      for n in (30, 60, 100, 200)),
    *(Cell("t with 3 degrees of freedom", n, numbers("t3"), OF_NUMBERS, {"sampling": FIXED}, _ONE)
      for n in (30, 150)),
    Cell("3 % outliers", 100, numbers("outliers"), OF_NUMBERS, {"sampling": FIXED},
         1 / (1 + 0.49 + 0.03 * 36)),
    *(Cell("documents of 1 to 12 items", n, documents(_one_to_twelve), OF_DOCUMENTS, BY_DOCUMENT,
           None, 24_000)
      for n in (12, 40)),
    *(Cell("documents of 5 items", n, documents(_five), OF_DOCUMENTS, BY_DOCUMENT, None, 30_000)
      for n in (10, 20)),
)  # fmt: skip


def truths(cell: Cell, stream: np.random.Generator) -> list[float]:
    """The coefficients of an endless population."""
    if cell.truth is not None:
        return [cell.truth] * len(cell.coefficients)
    options = {name: value for name, value in cell.options.items() if name != "sampling"}
    many = cell.draw(stream, cell.many)
    found = iaa.agreement(many, [*cell.coefficients], **options | {"interval": None})
    return found.estimate.values.tolist()


def counted(cell: Cell, sets: int) -> list[dict[str, object]]:
    """How often the intervals of a cell hold the truth, and how often they are doubted."""
    stream = np.random.default_rng([SEED, zlib.crc32(f"{cell.name} {cell.units}".encode())])
    truth = np.array(truths(cell, stream))
    held, doubted, below = (np.zeros((sets, len(truth)), dtype=bool) for _ in range(3))
    for place in range(sets):
        ratings = cell.draw(stream, cell.units)
        found = iaa.agreement(
            ratings, [*cell.coefficients], replicates=REPLICATES, seed=place, **cell.options
        )
        low, high = found.ci_low.values, found.ci_high.values
        held[place] = (low <= truth) & (truth <= high)
        below[place] = truth < low
        doubted[place] = found.doubt.values != ""
    return [
        {
            "cell": cell.name,
            "units": cell.units,
            "coefficient": name,
            "data_sets": sets,
            "truth": round(float(truth[row]), 4),
            "coverage": round(float(held[:, row].mean()), 4),
            "truth_below": round(float(below[:, row].mean()), 4),
            "doubted": round(float(doubted[:, row].mean()), 4),
            "coverage_not_doubted": round(_mean(held[~doubted[:, row], row]), 4),
        }
        for row, name in enumerate(cell.coefficients)
    ]


LEAST = 30
"""Data sets without a doubt below which nothing is said of their coverage."""


def _mean(held: np.ndarray) -> float:
    return float(held.mean()) if len(held) >= LEAST else float("nan")


def section() -> str:
    """The table in Markdown, as coverage.md has it."""
    from coverage_study.tables import markdown, percent

    frame = pd.read_csv(TABLE)
    shares = ("coverage", "truth_below", "doubted", "coverage_not_doubted")
    first = frame.iloc[0]
    return (
        "## Doubts, by kind of coefficient (percent)\n\n"
        "Made by `python -m coverage_study.doubts --write` in this folder, from "
        f"`coverage_doubts.csv`: {first.data_sets:,} data sets a cell ({REPLICATES} replicates), "
        "each measured by the public functions, three annotators unless said. Units are items, or "
        "documents. A doubt goes by what a data set shows: where the tails are far, the data sets "
        "without a doubt are those that happen to hold nothing far out, and their intervals miss "
        "most. Items agree on another label than the commonest by the share of their pairs; the "
        "study above counted unanimous items, the same where items have two ratings.\n\n"
        + markdown(frame.drop(columns=["data_sets", "truth"]), dict.fromkeys(shares, percent))
    )


def run(cells: Sequence[Cell], table: Path, about: str) -> None:
    """Run what is asked for of some cells."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=300)
    parser.add_argument("--cells", default="", help="cells with this in their name")
    parser.add_argument("--write", action="store_true", help=f"write {table.name}")
    asked = parser.parse_args()
    rows: list[dict[str, object]] = []
    for cell in cells:
        if asked.cells not in cell.name:
            continue
        for row in counted(cell, asked.data_sets):
            print(*row.values(), sep="\t", flush=True)
            rows.append(row)
        if asked.write:
            pd.DataFrame(rows).to_csv(table, index=False)


if __name__ == "__main__":
    run(CELLS, TABLE, __doc__ or "")
