"""How often what `iaa_jax.watch` says at any look is wrong, and what it costs.

    python benchmarks/watch.py [--replicates 2000] [--seed 1] [--only TEXT] [--write] [--page]

Items are drawn from laws whose figure of infinitely many items is known (`watch_study/cells.py`),
2,000 sets of 1,000 items a cell, and watched many sets at once by the package's own terms and bets.
The parts are all looks and evidence ("looks"), items that decide a bar ("decide"), items in another
order ("order"), unlike days ("days"), falls ("fall"), figures of so many items in all ("whole"),
what is not known beforehand ("beforehand") and the public function ("public"). `--only` takes a
part, the cells whose name holds TEXT, or both as "decide: Cohen". `--write` adds rows to watch.csv,
`--page` writes watch.md from it, where the last figure of each cell counts.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

from watch_study.beforehand import beforehand, public  # noqa: E402
from watch_study.changing import CONCLUSIONS, days, falls, orders, whole  # noqa: E402
from watch_study.parts import all_looks, decide  # noqa: E402

TABLE, PAGE = FOLDER / "watch.csv", FOLDER / "watch.md"
COLUMNS = ("part", "cell", "sets", "figure", "value")
PARTS = {
    "looks": all_looks,
    "decide": decide,
    "order": orders,
    "days": days,
    "fall": falls,
    "whole": whole,
    "public": public,
    "beforehand": beforehand,
}
"""By the part that its rows name; "looks" gives those of "evidence" too."""


Figures = dict[str, float]
Cells = dict[str, Figures]

MOST = 0.05 + 2 * math.sqrt(0.05 * 0.95 / 2000)
"""What a share of 2,000 sets can be where the true one is 5 %: two standard errors more."""


class Told(float):
    """A figure as the page has it; "!" marks a share that is more than it may be."""

    def __format__(self, spec: str) -> str:
        if not math.isfinite(self):
            return "" if math.isnan(self) else "never"
        if spec != "!":
            return super().__format__(spec)
        return f"**{float(self):.1%}**" if self > MOST else f"{float(self):.1%}"


TABLES = {
    "looks": (
        "cell | truth | betting | influence | daily | four | one look | its width | "
        "times: betting | influence",
        "{truth:.3f} | {betting:!} | {influence:!} | {daily:!} | {four:!} | {one:.1%} | "
        "{width_one:.3f} | {width_betting:.2f} | {width_influence:.2f}",
    ),
    "decide": (
        "cell, bar below | one look | four | betting | e-value 20 | influence",
        "{fixed:,.0f} | {four:,.0f} ({four_power:.0%}) | {betting:,.0f} | {betting_e:,.0f} | "
        "{influence:,.0f}",
    ),
    "evidence": (
        "evidence | end | stopped at 20 | ever 20 | by influence",
        "{end:.2f} ({end_above:.0f} of {cells:.0f}) | {stop:.2f} ({stop_above:.0f} of {cells:.0f}) "
        "| {ever:!} | {influence:!}",
    ),
    "order": (
        "order | truth | as they stand | shuffled, as one arrival",
        "{truth:.3f} | {as_they_stand:!} | {shuffled:!}",
    ),
    "days": (
        f"days | truth of all | {' | '.join(CONCLUSIONS)} | lower end above, figure below",
        f"{{truth:.3f}} | {' | '.join(f'{{{each}:.0%}}' for each in CONCLUSIONS)} | {{beyond:.0%}}",
    ),
    "fall": (
        "alpha | at any pair | at looks | within 2,500 | delay in items",
        "{alarms_each:.1%} | {alarms_looks:.1%} | {alarms_late:.1%} | {delay:,.0f}",
    ),
    "whole": (
        "figure, items in all | ever outside | width at half",
        "{missed:!} | {width_half:.2f}",
    ),
    "beforehand": (
        "what turns up | as it comes | at the end | known",
        "{as_it_comes:!} | {at_the_end:!} | {known:!}",
    ),
    "public": (
        "cell | ends | e-values | one look",
        "{ends:.0e} | {e_values:.0e} | {one_look:.0e}",
    ),
}
"""By part: the heads, and the figures of a line."""


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
        figures[row["figure"]] = Told(row["value"])
    parts["evidence"] = {
        f"for {more}": evidence(parts["evidence"], side)
        for more, side in (("more", "above"), ("less", "below"))
    }
    tables = {part: table(parts[part], *lines) for part, lines in TABLES.items()}
    return f"""# Watching: what holds at all looks together

Written by `python benchmarks/watch.py --page` from `watch.csv`; its docstring says what is drawn.

{summary(parts)}

How often the truth is ever outside in 1,000 items: by betting after any group of items, by
influence (from 100 items on) and by `estimate +- 1.96 SE` at 40 looks, at four planned looks (bold:
more than {MOST:.1%}); and at the last look alone. The width of one look at the end, and how many
times as wide the sequences are. Cells without other words are alpha of two labels, of which the
rarer one has the share given.

{tables["looks"]}
Of far outliers, and where few items have many ratings, bets say little: what could still come
outweighs what came.

## Items until a bar below the truth is decided

Medians; one look with a power of 80 %, and four planned looks made to have it (in brackets what
they have; those that do not decide go to the last). By betting the lower end reaches the bar, or
the e-value 20.

{tables["decide"]}
## The e-value where the truth is at the bar

Median over the cells of the mean over sets at the end, and when one stops at 20; in brackets the
cells whose mean is above 1 by more than two standard errors (with the truth at the bar one in forty
would be, by chance). The largest share of sets that ever reach 20, and of those that do by
influence.

{tables["evidence"]}
## Items that do not come in random order

How often the truth of all items is ever outside.

{tables["order"]}
What `iaa_jax.watch` concludes in 100 sets of 20 days of 40 items: of each day most have one label,
and the next day the other (alpha is .5625 every day, and more of all), or alpha falls steadily, or
stays. And how often the lower end is above the bar while the last figure is below it.

{tables["days"]}
## The alarm that agreement has fallen below .65

Alpha changes after 500 items. Sets with an alarm in 1,000 items, looked at after any pair and at
looks after 25 items: where alpha is never below, 2.5 % may have one. Where it falls, sets with an
alarm within 2,500 items after it too, and the median delay.

{tables["fall"]}
## The figure of so many items in all

All of them come, and each is a look (alpha: every 25, by influence). Width when half have come, to
that of one look.

{tables["whole"]}
## What is not known beforehand

The most ratings of an item, and the labels, are taken from what has come. The truth is ever outside
for somebody who gives what has come after every 25 items (at every item for Brennan-Prediger), for
somebody who gives all at once at the end, and where it was known from the beginning. Where an item
has so many more ratings than others, they agree on nothing.

{tables["beforehand"]}
## The public function

`iaa_jax.watch` on 50 sets, 25 items a day, and this study at the same order of items: the largest
difference of the last ends, of logarithms of e-values, of intervals of one look.

{tables["public"]}"""


def summary(parts: dict[str, Cells]) -> str:
    cells, alarm = parts["looks"], parts["fall"]["from .8 to .5"]
    betting, influence, daily = (column(cells, each) for each in ("betting", "influence", "daily"))
    four, width = column(cells, "four"), column(cells, "width_betting")
    times = column(parts["decide"], "betting") / column(parts["decide"], "fixed")
    known = times[np.isfinite(times)]
    stands = column(parts["order"], "as_they_stand")
    late = column(parts["beforehand"], "as_it_comes")
    text = f"""
What holds: by betting the truth is ever outside in {betting.max():.1%} of 2,000 sets at most
({(betting > MOST).sum()} of {len(cells)} cells lie above 5 % and two standard errors), where items
come in random order and it is known how many ratings an item can have. What fails: by influence it
is outside more often in {(influence > MOST).sum()} cells (up to {influence.max():.0%}), at four
planned looks in {(four > MOST).sum()} (up to {four.max():.0%}), by daily intervals of one look in
all ({daily.min():.0%} to {daily.max():.0%}); by betting in {stands.min():.0%} or more where items
come by difficulty or topic, and in up to {late.max():.0%} where items turn up that have many more
ratings than any before. What it costs: {width.min():.1f} to {width.max():.1f} times the width of
one look ({np.median(width):.1f} in the middle), and {known.min():.1f} to {known.max():.1f} times
the items of one look with a power of 80 % ({np.median(times):.1f} in the middle; most of numbers
that could be far apart); a fall from .8 to .5 about a bar of .65 is shown {alarm["delay"]:.0f}
items later."""
    return textwrap.fill(" ".join(text.split()), 100)


def column(cells: Cells, figure: str) -> np.ndarray:
    return np.array([figures[figure] for figures in cells.values() if figure in figures])


def evidence(cells: Cells, side: str) -> Figures:
    """What is told of all cells."""
    found = {"cells": Told(len(column(cells, f"{side}_end")))}
    for when in ("end", "stop"):
        mean, error = (column(cells, f"{side}_{when}{each}") for each in ("", "_error"))
        found |= {when: Told(np.median(mean)), f"{when}_above": Told((mean > 1 + 2 * error).sum())}
    return found | {
        way: Told(column(cells, f"{side}_{way}").max()) for way in ("ever", "influence")
    }


def table(cells: Cells, heads: str, templates: str) -> str:
    """A line a cell, by templates of its figures; empty where it has none."""
    columns = heads.split(" | ")
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)]]
    for name, figures in cells.items():
        known = defaultdict(lambda: Told("nan"), figures)
        lines.append([name, *templates.format_map(known).split(" | ")])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    main()
