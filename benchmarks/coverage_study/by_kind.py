"""Coverage, width and doubts of intervals for kinds of ratings, by the public functions.

python -m coverage_study.by_kind [--half choosing|judging] [--intervals A,B] [--data-sets N]
    [--cells WORDS] [--workers N] [--write] [--page]

From the folder of the benchmarks. With --write the figures of each cell go to coverage_kinds.csv as
soon as it is done; what stands there already, of as many data sets, is left out. --page writes
coverage_kinds.md anew and runs nothing.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import numpy as np
import pandas as pd

import iaa_jax as iaa
from coverage_study import of_numbers
from coverage_study.kinds import CELLS, FIXED, SEED, Cell
from coverage_study.tables import put
from iaa_jax._errors import IaaError
from iaa_jax.measure.intervals.coverage import informative_items
from iaa_jax.measure.ratings.rated import Rated

TABLE = Path(__file__).parents[1] / "coverage_kinds.csv"
REPLICATES = 599

OF_NUMBERS = ("numbers", "unlike numbers", "annotators drawn", "unlike annotators")
QUICKLY = ("auto", "modified_large_sample")
"""Kinds of numbers that everybody rated, and intervals that are had without the ratings."""

ORDER = ("cell", "coefficient", "interval")
"""Of the rows: cells that run side by side end in any order."""


def truths(cell: Cell) -> list[float]:
    """The coefficients of an endless population."""
    if cell.truths is not None:
        return [*cell.truths()]
    stream = np.random.default_rng([SEED, zlib.crc32(cell.name.encode())])
    options = {
        name: value
        for name, value in cell.options.items()
        if name not in ("sampling", "confidence")
    }
    many = cell.draw(stream, cell.many)
    rows, _ = measured(cell, many, options | {"interval": None})
    return [row[0] for row in rows]


def measured(
    cell: Cell, ratings: Any, options: dict[str, Any]
) -> tuple[Sequence[Sequence[float]], list[str]]:
    """The figures of a data set: the rarest label of those with one a label."""
    interval = options["interval"]
    if interval in QUICKLY and cell.kind in OF_NUMBERS:
        table, fixed = np.asarray(ratings["value"].values), cell.options == {"sampling": FIXED}
        return of_numbers.measured(table, cell.coefficients, fixed=fixed, interval=interval)
    apart = [name for name in cell.coefficients if name == "specific_agreement" or ":" in name]
    plain = [name for name in cell.coefficients if name not in apart]
    found = iaa.agreement(ratings, plain, **options)
    names = ("estimate", "ci_low", "ci_high")
    rows = [[float(found[name].values[k]) for name in names] for k in range(len(plain))]
    doubts = [str(each) for each in found.doubt.values]
    for name in apart:  # a figure per label, or alpha with its level after a colon
        coefficient, _, level = name.partition(":")
        own = getattr(iaa, coefficient)(ratings, **options | ({"level": level} if level else {}))
        place = cell.coefficients.index(name)
        rows.insert(place, [float(np.atleast_1d(own[figure].values)[-1]) for figure in names])
        doubts.insert(place, str(np.atleast_1d(own.doubt.values)[-1]))
    return rows, doubts


def counted(cell: Cell, intervals: Sequence[str], sets: int) -> list[dict[str, object]]:
    """How often the intervals of a cell hold the truth, how wide they are, how often doubted."""
    warnings.simplefilter("ignore")
    stream = np.random.default_rng([SEED, zlib.crc32(cell.title.encode())])
    truth = np.array(truths(cell))
    shape = (len(intervals), sets, len(truth))
    ends = np.full((*shape, 3), np.nan)
    doubted = np.zeros(shape, dtype=bool)
    facts = np.full((sets, 3), np.nan)
    spent = np.zeros(len(intervals))
    refused: set[str] = set()
    for place in range(sets):
        try:
            ratings = cell.draw(stream, cell.units)
        except IaaError:
            continue  # such as one label alone
        if ratings.attrs["task"] == "single":
            shown = informative_items(Rated(ratings))
            facts[place] = [shown[name] for name in ("pairable", "disagreeing", "informative")]
        for row, interval in enumerate(intervals):
            if interval in refused:
                continue
            began = time.perf_counter()
            try:
                options = {"interval": interval, "replicates": REPLICATES, "seed": place}
                rows, doubts = measured(cell, ratings, options | {**cell.options})
            except IaaError:
                refused.add(interval)
                continue
            spent[row] += time.perf_counter() - began
            ends[row, place] = rows
            doubted[row, place] = [each != "" for each in doubts]
    return [
        _row(cell, interval, name, sets, float(truth[k]), ends[row, :, k], doubted[row, :, k])
        | dict(zip(("pairable", "disagreeing", "informative"), _medians(facts), strict=True))
        | {"milliseconds": round(1000 * spent[row] / sets, 2)}
        for row, interval in enumerate(intervals)
        if interval not in refused
        for k, name in enumerate(cell.coefficients)
    ]


def _medians(facts: np.ndarray) -> list[float]:
    known = facts[~np.isnan(facts).any(axis=1)]
    return np.median(known, axis=0).tolist() if len(known) else [float("nan")] * 3


def _row(
    cell: Cell,
    interval: str,
    name: str,
    sets: int,
    truth: float,
    ends: np.ndarray,
    doubted: np.ndarray,
) -> dict[str, object]:
    figure = ~np.isnan(ends[:, 0])
    _, low, high = ends[figure].T
    doubted = doubted[figure]
    given = ~np.isnan(low)
    near = 1e-9
    held = given & (low <= truth + near) & (truth - near <= high)
    number = max(int(figure.sum()), 1)
    width = (high - low)[given]
    return {
        "cell": cell.title,
        "kind": cell.kind,
        "units": cell.units,
        "half": "judging" if cell.judges else "choosing",
        "before": int(cell.before),
        "coefficient": name,
        "interval": interval,
        "confidence": cell.options.get("confidence", 0.95),
        "data_sets": sets,
        "truth": round(truth, 4),
        "no_figure": round(1 - number / sets, 4),
        "coverage": round(float(held.sum() / number), 4),
        "truth_below": round(float((given & (truth < low - near)).sum() / number), 4),
        "truth_above": round(float((given & (truth > high + near)).sum() / number), 4),
        "no_interval": round(float(1 - given.sum() / number), 4),
        "median_width": round(float(np.median(width)), 4) if len(width) else np.nan,
        "mean_width": round(float(np.mean(width)), 4) if len(width) else np.nan,
        "doubted": round(float(doubted.sum() / number), 4),
    }


def _left(
    cells: Sequence[Cell], intervals: Sequence[str] | None, sets: int
) -> Iterator[tuple[Cell, list[str]]]:
    """Cells, and the intervals of which their figures are not there yet."""
    done: set[tuple[str, str]] = set()
    if TABLE.exists():
        frame = pd.read_csv(TABLE)
        frame = frame[frame.data_sets >= sets]
        done = {*zip(frame.cell, frame.interval, strict=True)}
    for cell in cells:
        left = [each for each in intervals or cell.candidates if (cell.title, each) not in done]
        if left:
            yield cell, left


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--half", choices=("choosing", "judging"))
    parser.add_argument("--intervals", help="by default the candidates of each kind")
    parser.add_argument("--data-sets", type=int, default=2000)
    parser.add_argument("--cells", default="", help="cells of this kind, or with this in the name")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    parser.add_argument("--page", action="store_true", help="write the page of what is there")
    asked = parser.parse_args()
    if asked.page:
        from coverage_study.kinds_page import PAGE, written

        PAGE.write_text(written(), encoding="utf-8")
        return
    cells = [
        cell
        for cell in CELLS
        if (asked.half is None or (asked.half == "judging") == cell.judges)
        and (asked.cells in cell.title or asked.cells == cell.kind)
    ]
    intervals = asked.intervals.split(",") if asked.intervals else None
    with ProcessPoolExecutor(asked.workers) as pool:
        waiting = {}
        for cell, left in _left(cells, intervals, asked.data_sets):
            number = CELLS.index(cell)
            waiting[pool.submit(_of_number, number, left, asked.data_sets)] = cell
        for done in as_completed(waiting):
            rows = done.result()
            for row in rows:
                print(
                    *(row[key] for key in ("cell", "coefficient", "interval", "coverage")),
                    *(
                        row[key]
                        for key in ("truth_below", "truth_above", "median_width", "doubted")
                    ),
                    row["milliseconds"],
                    sep="\t",
                    flush=True,
                )
            if asked.write and rows:
                put(TABLE, pd.DataFrame(rows), ["cell", "interval"], ORDER)


def _of_number(number: int, intervals: Sequence[str], sets: int) -> list[dict[str, object]]:
    return counted(CELLS[number], intervals, sets)


if __name__ == "__main__":
    main()
