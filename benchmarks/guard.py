"""Whether we are still as fast as we were, told by ratios to peers on small sizes.

python benchmarks/guard.py             measure, and compare with guard.csv
python benchmarks/guard.py --renew     measure several times, add the medians to guard.csv, draw it

A ratio is the peer's time over ours, both measured in turn in this process. A line fails where its
ratio is worse than half of the committed one, the best of three measurements counting; no time
fails by itself. All runs on one core, so that a ratio says nothing of how many cores there are, and
whoever shares the machine takes from both sides alike.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import math
import os
import statistics
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from results import yes_or_no
from writing import table

FOLDER = Path(__file__).parent
FILE, PICTURE = FOLDER / "guard.csv", FOLDER / "guard.svg"

LINES: dict[str, tuple[str, ...]] = {
    "points": (
        "alpha, 20,000 x 5, 10 labels, 20 % missing",
        "all coefficients, 20,000 x 5, 10 labels, 20 % missing",
        "Cohen's kappa of ratings, 20,000 x 2",
        "Fleiss' kappa of ratings, 20,000 x 5",
    ),
    "replicates": (
        "one replicate, exchangeable, 10,000 x 5 (126 patterns), drawing included",
        "one replicate, with the annotator-aware, 10,000 x 5 (2,061 patterns), drawing included",
    ),
    "warm": (
        "alpha, 100 x 3",
        "8 coefficients with BCa intervals, 100 x 3",
        "interval alpha, 10,000 distinct values",
    ),
    "reading": ("read 20,000 judgements, long, ids and labels text",),
    "spans": (
        "strict F1, 500 documents x 3, 7,968 spans",
        "all that iaa.span_f1 gives, with intervals, 500 documents x 3, 7,968 spans",
    ),
}
"""The lines that count, by group of run.py."""

TRIES = 3
ROUNDS = 5
"""Measurements of which a renewal takes the median."""

Ratios = dict[str, float]
Measure = Callable[[Sequence[str]], Ratios]


class Entry(NamedTuple):
    """A row of guard.csv; the last one of each work is the committed one."""

    date: datetime.date
    commit: str
    work: str
    ratio: float


@dataclass(frozen=True)
class Compared:
    """A line beside the committed ratio."""

    work: str
    committed: float
    ratio: float
    """The best one measured."""
    tries: int

    columns: ClassVar = ("work", "committed", "at least", "now", "measured", "met")

    @property
    def met(self) -> bool:
        """Whether the ratio is half of the committed one or better."""
        return self.ratio >= self.committed / 2

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        ratios = (self.committed, self.committed / 2, self.ratio)
        times = f"{self.tries} times" if self.tries > 1 else "once"
        return (self.work, *(f"{ratio:.3g}" for ratio in ratios), times, yes_or_no(self.met))

    def record(self) -> dict[str, Any]:
        """The row as numbers."""
        return {**asdict(self), "met": self.met}


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--renew", action="store_true", help=f"add to {FILE.name}, and draw it")
    asked = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # before anything starts threads: they inherit it
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    works = [work for group in LINES.values() for work in group]
    if asked.renew:
        renew(works, measured, FILE)
        draw([entry for entry in history(FILE) if entry.work in works], PICTURE)
    else:
        check(works, measured, FILE)


def check(works: Sequence[str], measure: Measure, file: Path) -> None:
    """Measure and compare; end with a sentence, and status 1, where a line fails or is unknown."""
    least = committed(history(file))
    if absent := [work for work in works if work not in least]:
        sys.exit(
            f"{file.name} has no ratio of: {'; '.join(absent)}. Where the line is new, or was "
            "named anew, add it with python benchmarks/guard.py --renew, and commit the file."
        )
    rows = compared(works, least, measure)
    print(table(rows), flush=True)
    if worse := [row for row in rows if not row.met]:
        told = "; ".join(f"{row.work} ({row.ratio:.3g}, was {row.committed:.3g})" for row in worse)
        sys.exit(
            f"\nWorse than half of the committed ratio in the best of {TRIES}: {told}. Where the "
            "work has to take so much longer: python benchmarks/guard.py --renew, and say why."
        )


def compared(works: Sequence[str], least: Mapping[str, float], measure: Measure) -> list[Compared]:
    """Each work measured, and again as long as it is worse than half, ``TRIES`` times at most."""
    rows: dict[str, Compared] = {}
    wanted = works
    for tries in range(1, TRIES + 1):
        for work, ratio in measure(wanted).items():
            best = max(ratio, rows[work].ratio) if work in rows else ratio
            rows[work] = Compared(work, least[work], best, tries)
        wanted = [work for work in works if not rows[work].met]
        if not wanted:
            break
    return [rows[work] for work in works]


def measured(works: Sequence[str]) -> Ratios:
    """The ratios of these works; a group ends with the last of them that it has."""
    found: Ratios = {}
    for group, lines in LINES.items():
        wanted = {work for work in lines if work in works}
        measuring = getattr(import_module(group), group)(quick=True) if wanted else iter(())
        while wanted and (line := next(measuring, None)) is not None:
            if line.work in wanted:
                found[line.work] = line.ratio
                wanted.remove(line.work)
        if wanted:
            raise ValueError(
                f"{group}.py measures no line {sorted(wanted)}: name it in guard.py as there"
            )
    return found


def renew(works: Sequence[str], measure: Measure, file: Path) -> None:
    """Add the median ratio of each work to the history, and print it beside the last one."""
    before = history(file) if file.exists() else []
    rounds = [measure(works) for _ in range(ROUNDS)]
    medians = {work: statistics.median(ratios[work] for ratios in rounds) for work in works}
    command = ["git", "-C", str(FOLDER), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    with file.open("a", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        if not before:
            writer.writerow(Entry._fields)
        for work, ratio in medians.items():
            writer.writerow(Entry(datetime.date.today(), commit, work, float(f"{ratio:.4g}")))
    last = medians | committed(before)
    print(table([Compared(work, last[work], medians[work], ROUNDS) for work in works]))


def history(file: Path) -> list[Entry]:
    """All rows, in the order of the file; a ratio that everything would pass is refused."""
    day = datetime.date.fromisoformat
    with file.open(encoding="utf-8", newline="") as text:
        rows = [
            Entry(day(row["date"]), row["commit"], row["work"], float(row["ratio"]))
            for row in csv.DictReader(text)
        ]
    if wrong := [row for row in rows if not 0 < row.ratio < math.inf]:
        raise ValueError(f"{file.name}: {wrong[0].ratio} is no ratio, of {wrong[0].work!r}")
    return rows


def committed(entries: Iterable[Entry]) -> Ratios:
    """The last ratio of each work."""
    return {entry.work: entry.ratio for entry in entries}


def draw(entries: Sequence[Entry], file: Path) -> None:
    """A panel a work: ratios over dates; dashed, half of the last one, below which it fails."""
    from matplotlib import rc_context
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullLocator

    works = list(dict.fromkeys(entry.work for entry in entries))
    days = [entry.date for entry in entries]
    room = max(datetime.timedelta(3), (max(days) - min(days)) / 20)
    height = math.ceil(len(works) / 4)
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "guard", "font.size": 8}):
        figure = Figure(figsize=(11, 2.2 * height), layout="constrained")
        panels = figure.subplots(height, 4, sharex=True, squeeze=False).flat
        for work, axes in zip(works, panels, strict=False):
            rows = sorted((row for row in entries if row.work == work), key=lambda row: row.date)
            ratios = [row.ratio for row in rows]
            axes.plot([row.date for row in rows], ratios, "o-", color="#1f4e79", markersize=3)
            axes.axhline(committed(rows)[work] / 2, color="#b3541e", dashes=(5, 3), linewidth=1)
            axes.set(yscale="log", ylim=(min(ratios) / 4, max(ratios) * 4))
            axes.set(xlim=(min(days) - room, max(days) + room))
            axes.set_title(textwrap.fill(work, 38), fontsize=8, loc="left", parse_math=False)
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_locator(NullLocator())
            locator = AutoDateLocator(minticks=2, maxticks=5)
            axes.xaxis.set_major_locator(locator)
            axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))
        for axes in panels:
            axes.remove()
        figure.supylabel("peer's time over ours", fontsize=8)
        figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    main()
