"""How the cost of a call grows with the data: exponents fitted to its time at several sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import xarray as xr
from coefficients import AWARE, EXCHANGEABLE
from large_results import Growth
from results import Note
from tables import crowd_frame, ratings_table
from timing import Call, Compilations, seconds

import iaa_jax as iaa
from iaa_jax.engine import Prepared, bootstrap, estimates
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver

PICTURE = Path(__file__).parent / "growth.svg"

RUNS = 3


@dataclass(frozen=True)
class Size:
    """Of ratings: all rate each item, or some of a crowd; and of the bootstrap of them."""

    items: int
    annotators: int
    labels: int
    replicates: int = 0

    def table(self) -> xr.Dataset:
        return iaa.from_wide(ratings_table(self.items, self.annotators, self.labels, 0.0))

    def crowd(self) -> xr.Dataset:
        return iaa.from_long(crowd_frame(self.items, self.annotators, 3, self.labels))


@dataclass(frozen=True)
class Work:
    """A call that is measured, and what its time follows, by what grows."""

    name: str
    call: Callable[[Size], tuple[Call, int | None]]
    """What is timed, and the number of patterns that it works on."""
    base: Size
    sizes: Mapping[str, Sequence[int]]
    behind: Mapping[str, str]


def constructed(size: Size) -> tuple[Call, None]:
    """From an array of numbers to ratings."""
    table = ratings_table(size.items, size.annotators, size.labels, 0.0)
    return lambda: iaa.from_wide(table), None


def alpha(size: Size) -> tuple[Call, int]:
    """One coefficient that does not ask who rated."""
    ratings = size.table()
    patterns = len(Rated(ratings).exchangeable_table.count)
    return lambda: iaa.krippendorff_alpha(ratings, interval=None), patterns


def every_one(size: Size) -> tuple[Call, int]:
    """All coefficients."""
    ratings = size.table()
    patterns = len(Rated(ratings).identified_table.count)
    return lambda: iaa.agreement(ratings, interval=None), patterns


def exchangeable(size: Size) -> tuple[Call, int]:
    """Replicates of coefficients that do not ask who rated."""
    return replicated(size, EXCHANGEABLE)


def aware(size: Size) -> tuple[Call, int]:
    """With those that do."""
    return replicated(size, AWARE)


def replicated(size: Size, names: Sequence[str]) -> tuple[Call, int]:
    """Replicates of some coefficients together, drawing included."""
    resolver = Resolver(Rated.of(size.table()))
    prepared = Prepared([resolver.request(name).problem for name in names])
    estimates(prepared)  # the statistics are there
    patterns = max(len(problem.table.count) for problem in prepared.problems)
    return lambda: bootstrap(prepared, replicates=size.replicates, seed=0), patterns


def ranked(size: Size) -> tuple[Call, None]:
    """Replicates of alpha over numbers that all differ, as ranks."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(size.items, 1)) + rng.normal(size=(size.items, size.annotators))
    ratings = iaa.from_values(numbers)
    options = {"level": "ordinal", "interval": "percentile", "replicates": size.replicates}
    return lambda: iaa.krippendorff_alpha(ratings, **options), None


def pairwise(size: Size) -> tuple[Call, int]:
    """A mean over pairs of a crowd."""
    ratings = size.crowd()
    patterns = len(Rated(ratings).identified_table.count)
    return lambda: iaa.mean_pairwise_cohen_kappa(ratings, interval=None), patterns


ONCE = Size(100_000, 5, 5)
BASE = Size(10_000, 5, 5, 256)
CROWD = Size(20_000, 400, 5)

ANNOTATORS, LABELS = (3, 5, 10, 20, 40), (2, 5, 10, 20, 40)
TABLES = {
    "items": (100_000, 300_000, 1_000_000, 3_000_000),
    "annotators": ANNOTATORS,
    "labels": LABELS,
}
BOOTSTRAPS = {
    **TABLES,
    "items": (10_000, 30_000, 100_000, 300_000, 1_000_000),
    "replicates": (256, 1024, 4096, 16384),
}
CROWDS = {
    "items": (5_000, 15_000, 50_000, 150_000),
    "annotators": (100, 200, 400, 800, 1600),
    "labels": LABELS,
}

CELLS = "each cell is coded once"
NUMBERED = "items are numbered by what was said of them, once; the formula sees patterns alone"
PATTERNS = "patterns, until each item is one of its own"
NOT_ITEMS = "patterns, not items: all possible ones are soon there"
PAIRS = "pairs of annotators, times patterns"
ROWS = "each replicate is a row of weights for the same matrices"

WORKS = (
    Work(
        "from_wide",
        constructed,
        ONCE,
        TABLES,
        {"items": CELLS, "annotators": CELLS, "labels": "nothing: a label is a code"},
    ),
    Work(
        "alpha",
        alpha,
        ONCE,
        TABLES,
        {"items": NUMBERED, "annotators": PATTERNS, "labels": PATTERNS},
    ),
    Work(
        "all coefficients",
        every_one,
        ONCE,
        TABLES,
        {"items": NUMBERED, "annotators": PAIRS, "labels": PATTERNS},
    ),
    Work(
        "replicates, exchangeable",
        exchangeable,
        BASE,
        BOOTSTRAPS,
        {"items": NOT_ITEMS, "annotators": PATTERNS, "labels": PATTERNS, "replicates": ROWS},
    ),
    Work(
        "replicates, with the annotator-aware",
        aware,
        BASE,
        BOOTSTRAPS,
        {"items": NOT_ITEMS, "annotators": PAIRS, "labels": PATTERNS, "replicates": ROWS},
    ),
    Work(
        "replicates of alpha over numbers as ranks",
        ranked,
        Size(30_000, 2, 0, 256),
        {"items": (10_000, 30_000, 100_000), "replicates": (256, 1024, 4096)},
        {"items": "ratings: each is sorted once, and passed for each row", "replicates": ROWS},
    ),
    Work(
        "mean pairwise kappa of a crowd by slot",
        pairwise,
        CROWD,
        CROWDS,
        {
            "items": "ratings: nearly every item is a pattern of its own",
            "annotators": "pairs that share an item, of which each item has three",
            "labels": "the margins of each pair",
        },
    ),
)
"""Small calls take a time of their own: constructors and estimates are asked for large tables."""


def growth(quick: bool) -> Iterator[Growth | Note]:
    """A row for each call and each size that grows, the others fixed."""
    xla = Compilations()
    for work in WORKS:
        for over, sizes in work.sizes.items():
            if quick:
                sizes = [size // 50 for size in sizes] if over == "items" else sizes[:4]
            yield _grown(work, over, tuple(sizes), xla)
    if not quick:
        yield Note(f"![Time by size, with the fitted lines]({PICTURE.name})")


def _grown(work: Work, over: str, sizes: tuple[int, ...], xla: Compilations) -> Growth:
    taken, patterns, compiling = [], [], 0.0
    for size in sizes:
        call, number = work.call(replace(work.base, **{over: size}))
        before = len(xla.seconds)
        first = seconds(call)
        compiles = len(xla.seconds) > before
        taken.append(min(seconds(call) for _ in range(RUNS)))
        patterns.append(number)
        compiling = max(compiling, first - taken[-1]) if compiles else compiling
    several = None if None in patterns else tuple(patterns)
    return Growth(work.name, over, sizes, tuple(taken), compiling, several, work.behind[over])


def draw(found: Sequence[Growth | Note], file: Path) -> None:
    """A panel for what grows, a line a call: dots are measured, lines fitted."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullLocator

    rows = [row for row in found if isinstance(row, Growth)]
    grow = list(dict.fromkeys(row.over for row in rows))
    works = list(dict.fromkeys(row.work for row in rows))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "growth", "font.size": 8}):
        figure = Figure(figsize=(11, 3.4), layout="constrained")
        panels = figure.subplots(1, len(grow), sharey=True, squeeze=False)[0]
        for over, axes in zip(grow, panels, strict=True):
            for row in (row for row in rows if row.over == over):
                color = f"C{works.index(row.work)}"
                slope, start = row.line
                line = np.exp(start) * np.power(row.sizes, slope)
                axes.plot(row.sizes, row.seconds, "o", color=color, markersize=3, label=row.work)
                axes.plot(row.sizes, line, "-", color=color, linewidth=1)
            axes.set(xscale="log", yscale="log", xlabel=over)
            ends = axes.get_xlim()
            axes.xaxis.set_major_locator(
                LogLocator(subs=(1, 2, 5) if ends[1] < 50 * ends[0] else (1,))
            )
            axes.xaxis.set_major_formatter("{x:,g}")
            axes.xaxis.set_minor_locator(NullLocator())
        panels[0].set_ylabel("seconds")
        handles = {
            label: handle
            for axes in panels
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend([handles[work] for work in works], works, loc="outside lower center", ncols=3)
        figure.savefig(file, metadata={"Date": None})
