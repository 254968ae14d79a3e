"""Intervals and bands of `iaa_jax.drift` in windows of few items: how often they hold the truth.

python -m coverage_study.drifting [--data-sets N] [--write]

From the folder of the benchmarks. Each data set goes through `iaa_jax.drift` by its automatic
interval and by BCa, which it had before. With --write the figures go to coverage_drift.csv, of
which coverage.md has a section.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa

TABLE = Path(__file__).parents[1] / "coverage_drift.csv"
SEED, REPLICATES = 20_261_127, 499
INTERVALS = ("auto", "bca")
MANY = 400_000
"""Items that the truth is taken from."""

EVEN, SKEWED, RARE = (0.5, 0.5), (0.15, 0.85), (0.05, 0.95)
THREE, FIVE, GRADES = (0.7, 0.2, 0.1), (0.2,) * 5, (0.02, 0.05, 0.08, 0.1, 0.75)

Floats = NDArray[np.floating]
Codes = NDArray[np.integer]


class Cell(NamedTuple):
    """Batches of so many items each, or one window after the other in time, and their ratings.

    Attributes
    ----------
    shares : of the labels; of the first and second half where there are two.
    agreement : alpha, or of even and odd batches.
    way : how annotators err: each by himself ("ratings"), all on the same items ("items"), or each
        by himself towards labels that are near ("near", with an alpha that is a little higher).
    bandwidth : of windows in time of items one apart; 0 for batches.
    """

    batches: int
    items: int
    annotators: int
    shares: tuple[tuple[float, ...], ...]
    agreement: tuple[float, ...]
    way: str = "ratings"
    level: str = "nominal"
    bandwidth: float = 0.0

    def __str__(self) -> str:
        """Its name in the table."""
        sizes = f"{self.batches} batches of {self.items}"
        if self.bandwidth:
            sizes = f"{self.batches * self.items} items, windows of {2 * self.bandwidth:g}"
        rarest = " then ".join(f"{min(one):g}" for one in self.shares)
        alpha = " and ".join(f"{one:g}" for one in self.agreement)
        return (
            f"{sizes}, a={self.annotators}, l={len(self.shares[0])}, rarest {rarest}, "
            f"{self.level}, alpha {alpha}, by {self.way}"
        )


NEAR, ORDERED = "near", "ordinal"
CELLS = (
    Cell(40, 10, 2, (EVEN,), (0.6,)),
    Cell(40, 10, 2, (EVEN,), (0.95,)),
    Cell(40, 10, 3, (SKEWED,), (0.6,)),
    Cell(40, 10, 5, (SKEWED,), (0.8,)),
    Cell(40, 10, 2, (RARE,), (0.6,)),
    Cell(40, 10, 3, (THREE,), (0.95,), "items"),
    Cell(40, 10, 3, (GRADES,), (0.5,), NEAR, ORDERED),
    Cell(10, 10, 3, (GRADES,), (0.5,), NEAR, ORDERED),
    Cell(5, 10, 2, (THREE,), (0.6,)),
    Cell(5, 10, 2, (SKEWED,), (0.9,)),
    Cell(40, 15, 3, (GRADES,), (0.65,), "items", ORDERED),
    Cell(20, 20, 2, (RARE,), (0.8,)),
    Cell(20, 20, 5, (THREE,), (0.4,)),
    Cell(5, 20, 2, (FIVE,), (0.7,), NEAR, ORDERED),
    Cell(40, 20, 2, (THREE,), (0.8,), "items"),
    Cell(10, 30, 3, (GRADES,), (0.7,), NEAR, ORDERED),
    Cell(40, 30, 2, (RARE,), (0.6,)),
    Cell(40, 30, 2, (EVEN,), (0.9,)),
    Cell(5, 60, 2, (EVEN,), (0.4,)),
    Cell(10, 60, 2, (RARE,), (0.6,)),
    Cell(40, 60, 3, (GRADES,), (0.5,), NEAR, ORDERED),
    Cell(1, 400, 3, (GRADES,), (0.5,), NEAR, ORDERED, 10.0),
    Cell(1, 400, 2, (SKEWED,), (0.8,), bandwidth=10.0),
    Cell(1, 400, 2, (RARE,), (0.6,), bandwidth=30.0),
    Cell(20, 10, 2, (EVEN,), (0.9, 0.3)),
    Cell(20, 20, 3, (SKEWED,), (0.95, 0.5)),
    Cell(20, 20, 2, ((0.1, 0.9), EVEN), (0.6,)),
    Cell(10, 30, 3, (GRADES,), (0.9, 0.4), "ratings", ORDERED),
    Cell(10, 60, 2, (EVEN,), (0.95, 0.3)),
)


def drawn(cell: Cell, stream: np.random.Generator, shares: Floats, alpha: Floats) -> Codes:
    """Codes (item, annotator): the item's own label or, where it is not seen, another one.

    With labels of the same shares for all that is not seen alpha is what is asked, at any level.
    """
    items, labels = shares.shape
    ends = np.cumsum(shares, axis=1)[:, :-1]

    def any_label(of: Floats) -> Codes:
        return (stream.random((items, 1)) > of).sum(axis=1)

    own = any_label(ends)
    size = (items, 1 if cell.way == "items" else cell.annotators)
    seen = alpha if cell.way == "items" else np.sqrt(alpha)
    sees = stream.random(size) < seen[:, None]
    if cell.way == NEAR:
        away = np.abs(own[:, None] - np.arange(labels))
        near = shares * np.exp(-away)
        ends = np.cumsum(near / near.sum(axis=1, keepdims=True), axis=1)[:, :-1]
    other = np.stack([any_label(ends) for _ in range(cell.annotators)], axis=1)
    return np.where(sees, own[:, None], other)


def ratings_of(cell: Cell, codes: Codes) -> xr.Dataset:
    """Codes as ratings, with the batch and the place of each item."""
    names = list("abcdefgh"[: len(cell.shares[0])])
    ratings = iaa.from_wide(np.array(names, dtype=object)[codes], labels=names)
    place = np.arange(len(codes))
    batch = [f"batch {one}" for one in place // cell.items]
    return ratings.assign_coords(batch=("item", batch), place=("item", place * 1.0))


def of_batches(cell: Cell) -> tuple[Floats, Floats]:
    """The shares of the labels (batch, label) and alpha (batch,)."""
    batch = np.arange(cell.batches)
    shares = np.array(cell.shares)[batch * len(cell.shares) // cell.batches]
    return shares, np.array(cell.agreement)[batch % len(cell.agreement)]


@cache
def truth(cell: Cell) -> Floats:
    """Alpha of each batch: as it is asked, or of very many items."""
    alpha = of_batches(cell)[1]
    if cell.way != NEAR:
        return alpha
    shares = np.broadcast_to(cell.shares[0], (MANY, len(cell.shares[0])))
    codes = drawn(cell, np.random.default_rng(SEED), shares, np.full(MANY, alpha[0]))
    found = iaa.krippendorff_alpha(ratings_of(cell, codes), level=cell.level, interval=None)
    return np.full(len(alpha), float(found.estimate))


def looked_at(cell: Cell, index: int) -> dict[str, list[float]]:
    """Of one data set and each interval: windows, with one, that hold, above; band, widths."""
    stream = np.random.default_rng([SEED, CELLS.index(cell), index])
    shares, alpha = (np.repeat(one, cell.items, axis=0) for one in of_batches(cell))
    ratings = ratings_of(cell, drawn(cell, stream, shares, alpha))
    options = {"bandwidth": cell.bandwidth, "points": 40} if cell.bandwidth else {}
    rows = {}
    for interval in INTERVALS:
        found = iaa.drift(
            ratings,
            "place" if cell.bandwidth else "batch",
            level=cell.level,
            interval=interval,
            replicates=REPLICATES,
            permutations=0,
            seed=index,
            **options,
        )
        true = np.broadcast_to(truth(cell), found.sizes["point"])
        low, high = found.ci_low.values, found.ci_high.values
        ends = found.band_low.values, found.band_high.values
        there = np.isfinite(low)
        rows[interval] = [
            int(np.isfinite(found.estimate).sum()),
            int(there.sum()),
            int(((low <= true) & (true <= high)).sum()),
            int((true < low).sum()),
            int((true > high).sum()),
            bool(((true < ends[0]) | (true > ends[1])).any()),
            float((high - low)[there].sum()),
            float((ends[1] - ends[0])[there].sum()),
        ]
    return rows


def counted(cell: Cell, sets: int) -> list[dict[str, object]]:
    """How often the intervals of windows, and the band for all, hold the truth."""
    several = [looked_at(cell, index) for index in range(sets)]
    rows: list[dict[str, object]] = []
    for interval in INTERVALS:
        sums = np.sum([one[interval] for one in several], axis=0)
        windows, there, held, below, above, out, width, band = sums.tolist()
        row: dict[str, object] = {"design": str(cell), "interval": interval, "data_sets": sets}
        row |= {"coverage": held / there, "below": below / there, "above": above / there}
        row |= {"none": 1 - there / windows, "band_out": out / sets}
        rows.append(row | {"width": width / there, "band_width": band / there})
    return rows


def section() -> str:
    """The table in Markdown, as coverage.md has it."""
    from coverage_study.tables import markdown, percent

    frame = pd.read_csv(TABLE)
    shares = ("coverage", "below", "above", "none", "band_out")
    worst = frame.groupby("interval").agg({"coverage": "min", "band_out": "max"})
    said = ", ".join(
        f"{name} {100 * row.coverage:.1f} % and {100 * row.band_out:.1f} %"
        for name, row in worst.iterrows()
    )
    return (
        "## Windows of `drift` (coverage in percent)\n\n"
        "Made by `python -m coverage_study.drifting --write` in this folder, from "
        f"`coverage_drift.csv`: {frame.data_sets.iloc[0]} data sets a design ({REPLICATES} "
        "replicates), each by `iaa.drift` with its automatic interval and with BCa, which it had "
        "before. Krippendorff's alpha; l labels and the share of the rarest. Agreement is the same "
        "in all batches or, where two are said, in every other one; annotators err each on "
        "ratings of his own, all on the same items, or towards near labels. Of the windows with "
        "an interval: how many hold the truth, and lie above it (truth below) or below it. None: "
        "windows with a figure and without an interval. Band out: data sets whose band leaves out "
        "the truth of any window; the Monte-Carlo error of 5 % is "
        f"{100 * np.sqrt(0.05 * 0.95 / frame.data_sets.iloc[0]):.1f} points. The lowest coverage "
        f"and the most bands out: {said}.\n\n" + markdown(frame, dict.fromkeys(shares, percent))
    )


def main() -> None:
    """Run all cells, in two processes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=200)
    parser.add_argument("--write", action="store_true", help="write coverage_drift.csv")
    asked = parser.parse_args()
    rows = []
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        for several in pool.map(counted, CELLS, [asked.data_sets] * len(CELLS)):
            rows += several
            print(pd.DataFrame(several).round(4).to_string(index=False, header=False), flush=True)
    if asked.write:
        pd.DataFrame(rows).round(4).to_csv(TABLE, index=False)


if __name__ == "__main__":
    main()
