"""How often what `iaa_jax.watch` says at any look is wrong, and what it costs.

    python benchmarks/watch.py [--replicates 2000] [--seed 1] [--only TEXT] [--write] [--page]

Items are drawn from laws whose figure of infinitely many items is known (`watch_study/cells.py`),
2,000 sets of 1,000 items a cell, and watched many sets at once by the package's own terms and bets.
The parts are all looks and evidence ("looks"), items that decide a bar ("decide"), items in another
order ("order"), falls ("fall"), figures of so many items in all ("whole"), what is not known
beforehand ("beforehand") and the public function ("public"). `--only` takes a part, the cells whose
name holds TEXT, or both as "decide: Cohen". `--write` adds rows to watch.csv, `--page` writes
watch.md from it, where the last figure of each cell counts.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

from watch_study.beforehand import beforehand, public  # noqa: E402
from watch_study.changing import falls, orders, whole  # noqa: E402
from watch_study.parts import all_looks, decide  # noqa: E402

TABLE, PAGE = FOLDER / "watch.csv", FOLDER / "watch.md"
COLUMNS = ("part", "cell", "sets", "figure", "value")
PARTS = {
    "looks": all_looks,
    "decide": decide,
    "order": orders,
    "fall": falls,
    "whole": whole,
    "public": public,
    "beforehand": beforehand,
}
"""By the part that its rows name; "looks" gives those of "evidence" too."""

Figures = dict[str, float]
Cells = dict[str, Figures]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    if given.page:
        rows = [*csv.DictReader(TABLE.open(encoding="utf-8"))]
        PAGE.write_text(page_of(rows), encoding="utf-8")
        return
    part, _, cell = given.only.rpartition(": ")
    if cell in PARTS:
        part, cell = cell, ""
    for name, study in PARTS.items():
        if part not in ("", name):
            continue
        for of_part, of_cell, figures in study(cell, given.replicates, given.seed):
            sets = int(figures.pop("sets", given.replicates))
            told = [[of_part, of_cell, sets, key, f"{value:.6g}"] for key, value in figures.items()]
            if given.write:
                new = not TABLE.exists()
                with TABLE.open("a", encoding="utf-8", newline="") as file:
                    writer = csv.writer(file, lineterminator="\n")
                    writer.writerows([COLUMNS, *told] if new else told)
            print(of_part, of_cell, *(f"{row[3]} {row[4]}" for row in told), sep=", ", flush=True)


def page_of(rows: list[dict[str, str]]) -> str:
    """What holds, what fails and what it costs; then a table a part."""
    parts: dict[str, Cells] = {}
    for row in rows:
        figures = parts.setdefault(row["part"], {}).setdefault(row["cell"], {})
        figures[row["figure"]] = float(row["value"])
    sets = max(int(row["sets"]) for row in rows)
    lines = [
        "# Watching: what holds at all looks together",
        "",
        "Written by `python benchmarks/watch.py --page` from `watch.csv`; its docstring says what",
        "is drawn.",
        "",
        *summary(parts, sets),
        *looks_table(parts["looks"], sets),
        *decide_table(parts["decide"]),
        *evidence_table(parts["evidence"], sets),
        *order_table(parts["order"]),
        *fall_table(parts["fall"]),
        *whole_table(parts["whole"], sets),
        *beforehand_table(parts["beforehand"], sets),
        *public_table(parts["public"]),
    ]
    return "\n".join([*lines, ""])


def limit(share: float, sets: int) -> float:
    """What a share of sets can be where the true one is ``share``: two standard errors more."""
    return share + 2 * math.sqrt(share * (1 - share) / sets)


def column(cells: Cells, figure: str) -> np.ndarray:
    return np.array([figures[figure] for figures in cells.values() if figure in figures])


def summary(parts: dict[str, Cells], sets: int) -> list[str]:
    cells, decided, late = parts["looks"], parts["decide"], parts["beforehand"]
    betting, influence, daily = (column(cells, each) for each in ("betting", "influence", "daily"))
    four, width = column(cells, "four"), column(cells, "width_betting")
    most = limit(0.05, sets)
    times = column(decided, "betting") / column(decided, "fixed")
    above = int((betting > most).sum())
    known = [value for value in times if math.isfinite(value)]
    alarm = parts["fall"]["from .8 to .5"]
    return [
        f"What holds: by betting the truth is ever outside in {betting.max():.1%} of {sets:,} sets "
        f"at most ({above} of {len(cells)} cells lie above 5 % and two standard errors), where "
        "items come in random order and it is known how many ratings an item can have. What fails: "
        f"by influence it is outside more often in {int((influence > most).sum())} cells (up to "
        f"{influence.max():.0%}), at four planned looks in {int((four > most).sum())} (up to "
        f"{four.max():.0%}), by daily intervals of one look in all ({daily.min():.0%} to "
        f"{daily.max():.0%}); by betting in {column(parts['order'], 'as_they_stand').min():.0%} or "
        "more where items come by difficulty or topic, and in up to "
        f"{column(late, 'as_it_comes').max():.0%} where items turn up that have many more ratings "
        "than any before. What it costs: "
        f"{width.min():.1f} to {width.max():.0f} times the width of one look "
        f"({np.median(width):.1f} in the middle), and {min(known):.1f} to {max(known):.1f} times "
        f"the items of one look with a power of 80 % ({np.median(times):.1f} in the middle; most "
        "of numbers that could be far apart); a fall from .8 to .5 about a bar of .65 is shown "
        f"{alarm['delay']:.0f} items later.",
        "",
    ]


def table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> list[str]:
    head = [*head]
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return [f"| {' | '.join(line)} |" for line in (head, rule, *lines)] + [""]


def percent(value: float, most: float = math.inf) -> str:
    """A share, bold where it is more than it may be."""
    return f"**{value:.1%}**" if value > most else f"{value:.1%}"


def count(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "never"


def looks_table(cells: Cells, sets: int) -> list[str]:
    most = limit(0.05, sets)
    ways = ("betting", "influence", "daily", "four")
    return [
        "How often the truth is ever outside in 1,000 items: by betting after any group of items, "
        "by influence and by `estimate +- 1.96 SE` at 40 looks, at four planned looks (bold: more "
        f"than {most:.1%}); and at the last look alone. The width of one look at the end, and how "
        "many times as wide the sequences are. Cells without other words are alpha of two labels, "
        "of which the rarer one has the share given.",
        "",
        *table(
            ("cell", "truth", *ways, "one look", "its width", "times: betting", "influence"),
            (
                (
                    name,
                    f"{each['truth']:.3f}",
                    *(percent(each[way], most) for way in ways),
                    percent(each["one"]),
                    f"{each['width_one']:.3f}",
                    f"{each['width_betting']:.2f}",
                    f"{each['width_influence']:.2f}",
                )
                for name, each in cells.items()
            ),
        ),
        f"In {len(column(cells, 'mean_bet'))} cells all groups that can be drawn were looked at: "
        "a bet at the truth has the mean 0, to within "
        f"{np.abs(column(cells, 'mean_bet')).max():.0e} of the observed term. Of far outliers, and "
        "where few items have many ratings, bets say next to nothing: what could still come "
        "outweighs what came.",
        "",
    ]


def decide_table(cells: Cells) -> list[str]:
    ways = ("betting", "betting_e", "influence")
    return [
        "## Items until a bar below the truth is decided",
        "",
        "Medians; one look with a power of 80 %, and four planned looks made to have it (in "
        "brackets what they have; those that do not decide go to the last). By betting the lower "
        "end reaches the bar, or the e-value 20.",
        "",
        *table(
            ("cell, bar below", "one look", "four", "betting", "e-value 20", "influence"),
            (
                (
                    name,
                    count(each["fixed"]),
                    f"{count(each['four'])} ({each['four_power']:.0%})",
                    *(
                        f"over {count(each['most'])}" if math.isinf(each[way]) else count(each[way])
                        for way in ways
                    ),
                )
                for name, each in cells.items()
            ),
        ),
    ]


def evidence_table(cells: Cells, sets: int) -> list[str]:
    lines = []
    for text, side, what in (
        ("at the bar", "", "for more, truth at the bar"),
        ("at the bar", "below_", "for less, truth at the bar"),
        (".02 below", "", "for more, truth .02 below"),
    ):
        of_text = {name: each for name, each in cells.items() if name.endswith(text)}
        line = [what]
        for when in ("half", "end", "stop"):
            mean = column(of_text, side + when)
            error = column(of_text, f"{side}{when}_error")
            above = int((mean > 1 + 2 * error).sum())
            line.append(f"{np.median(mean):.2f} ({above} of {len(mean)})")
        ever = (column(of_text, side + way).max() for way in ("reach", "influence"))
        lines.append((*line, *(percent(share, limit(0.05, sets)) for share in ever)))
    return [
        "## The e-value where the truth is not above the bar",
        "",
        "Median over the cells of the mean over sets after half of the items, at the end, and when "
        "one stops at 20; in brackets the cells whose mean is above 1 by more than two standard "
        "errors (with the truth at the bar one in forty would be, by chance). The largest share of "
        "sets that ever reach 20, and of those that do by influence.",
        "",
        *table(
            ("evidence", "half", "end", "stopped at 20", "ever 20", "by influence"),
            lines,
        ),
    ]


def order_table(cells: Cells) -> list[str]:
    return [
        "## Items that do not come in random order",
        "",
        "How often the truth of all items is ever outside.",
        "",
        *table(
            ("order", "truth", "as they stand", "shuffled, as one arrival"),
            (
                (
                    name,
                    f"{each['truth']:.3f}",
                    percent(each["as_they_stand"], 0.05),
                    percent(each["shuffled"]),
                )
                for name, each in cells.items()
            ),
        ),
    ]


def fall_table(cells: Cells) -> list[str]:
    return [
        "## The alarm that agreement has fallen below .65",
        "",
        "Alpha changes after 500 items. Sets with an alarm in 1,000 items, looked at after any "
        "pair and at looks after 25 items: where alpha is never below, 2.5 % may have one. Where "
        "it falls, sets with an alarm within 2,500 items after it too, and the median delay.",
        "",
        *table(
            ("alpha", "at any pair", "at looks", "within 2,500", "delay in items"),
            (
                (
                    name,
                    percent(each["alarms_each"]),
                    percent(each["alarms_looks"]),
                    percent(each["alarms_late"]) if "delay" in each else "",
                    count(each["delay"]) if "delay" in each else "",
                )
                for name, each in cells.items()
            ),
        ),
    ]


def whole_table(cells: Cells, sets: int) -> list[str]:
    most = limit(0.05, sets)
    return [
        "## The figure of so many items in all",
        "",
        "All of them come, and each is a look (alpha: every 25, by influence). Width when half "
        "have come, to that of one look.",
        "",
        *table(
            ("figure, items in all", "ever outside", "width at half"),
            (
                (name, percent(each["missed"], most), f"{each['width_half']:.2f}")
                for name, each in cells.items()
            ),
        ),
    ]


def beforehand_table(cells: Cells, sets: int) -> list[str]:
    most = limit(0.05, sets)
    return [
        "## What is not known beforehand",
        "",
        "The most ratings of an item, and the labels, are taken from what has come. The truth is "
        "ever outside for somebody who gives what has come after every 25 items (at every item for "
        "Brennan-Prediger), for somebody who gives all at once at the end, and where it was known "
        "from the beginning. Where an item has so many more ratings than others, they agree on "
        "nothing.",
        "",
        *table(
            ("what turns up", "as it comes", "at the end", "known"),
            (
                (
                    name,
                    *(percent(each[way], most) for way in ("as_it_comes", "at_the_end", "known")),
                )
                for name, each in cells.items()
            ),
        ),
    ]


def public_table(cells: Cells) -> list[str]:
    return [
        "## The public function",
        "",
        "`iaa_jax.watch` on 50 sets, 25 items a day, and this study at the same order of items: "
        "the largest difference of ends, of logarithms of e-values, of intervals of one look.",
        "",
        *table(
            ("cell", "ends", "e-values", "one look"),
            (
                (name, *(f"{each[way]:.0e}" for way in ("ends", "e_values", "one_look")))
                for name, each in cells.items()
            ),
        ),
    ]


if __name__ == "__main__":
    main()
