"""Whether plans keep what they promise: pilots, plans from them, and fresh samples.

A plan for a half-width promises that the automatic interval of a fresh sample is no wider in 80 %
of samples, one for a power that the items have it with a chance of 65 %. A crowd whose control
items decide is planned again without them, as its page says. What is needed in truth is worked out
on one large data set; "before" is the number of items that takes the pilot's own figures for true.

    python benchmarks/plans.py [--pilots 200] [--only TEXT] [--write]
"""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import xarray as xr

import iaa_jax as iaa

FOLDER = Path(__file__).parent
Z, Z_OF_POWER = 1.959964, 0.841621
CONTROLS = 5
ANNOTATORS = 120
LARGE = 40_000
CODES = ("annotate", "pilot_suffices", "pilot_too_small", "few_items_decide", "out_of_reach")

Draw = Callable[[np.random.Generator, int, float], xr.Dataset]
"""Ratings of so many items, with so many annotators each where that is a choice."""


def labels(prevalence: tuple[float, ...], alpha: float, annotators: int = 3) -> Draw:
    """Annotators see an item's label with the same chance, and else guess by prevalence."""
    number = len(prevalence)

    def draw(rng: np.random.Generator, items: int, _per_item: float = 2.5) -> xr.Dataset:
        truth = rng.choice(number, (items, 1), p=prevalence)
        guess = rng.choice(number, (items, annotators), p=prevalence)
        rows = np.where(rng.random(guess.shape) < math.sqrt(alpha), truth, guess)
        return iaa.from_wide(rows, labels=list(range(number)))

    return draw


def numbers(skewed: bool = False) -> Draw:
    """An item's own mean, normal or lognormal, and a normal error of three annotators."""

    def draw(rng: np.random.Generator, items: int, _per_item: float = 2.5) -> xr.Dataset:
        own = rng.normal(size=(items, 1))
        own = np.exp(own / 2) if skewed else own
        return iaa.from_values(own + (0.4 if skewed else 0.7) * rng.normal(size=(items, 3)))

    return draw


def crowd(controls: int = 0) -> Draw:
    """Two or three of many annotators an item, always the same crowd; all of them on controls."""
    skill = np.random.default_rng(0).beta(8, 2, ANNOTATORS)

    def draw(rng: np.random.Generator, items: int, per_item: float = 2.5) -> xr.Dataset:
        truth = rng.random(items + controls) < 0.4
        # controls are of several difficulties: some divide the crowd
        hard = np.where(np.arange(items + controls) < items, 1.0, rng.random(items + controls))
        rows = []
        for item in range(items + controls):
            size = ANNOTATORS if item >= items else int(per_item + rng.random())
            who = rng.choice(ANNOTATORS, size, replace=False)
            seen = rng.random(size) < skill[who] * hard[item]
            given = np.where(seen, truth[item], rng.random(size) < 0.4)
            rows += [(item, int(k), int(x)) for k, x in zip(who, given, strict=True)]
        columns = dict(zip(("item", "annotator", "label"), zip(*rows, strict=True), strict=True))
        return iaa.from_long(columns)

    return draw


class Cell(NamedTuple):
    """Pilots of a kind: of so many items, for a half-width or a power of 80 %.

    ``needed`` are the items that have the power in truth, by which the value to be ruled out is
    set.
    """

    draw: Draw
    items: int
    half_width: float | None = None
    needed: int = 0
    fresh: Draw | None = None
    controls: int = 0


TWO, HALVES, FOUR = (0.8, 0.2), (0.5, 0.5), (0.4, 0.3, 0.2, 0.1)
CELLS: dict[str, Cell] = {
    ".5/.5, 40 items": Cell(labels(HALVES, 0.6), 40, 0.05),
    ".8/.2, 40 items": Cell(labels(TWO, 0.6), 40, 0.05),
    ".8/.2, 60 items": Cell(labels(TWO, 0.6), 60, 0.05),
    ".8/.2, alpha .8, 100 items": Cell(labels(TWO, 0.8), 100, 0.05),
    ".93/.07, 180 items": Cell(labels((0.93, 0.07), 0.6), 180, 0.05),
    "four labels, 40 items": Cell(labels(FOUR, 0.6), 40, 0.05),
    "four labels, 2 annotators, 60 items": Cell(labels(FOUR, 0.6, 2), 60, 0.05),
    "numbers, 40 items": Cell(numbers(), 40, 0.05),
    "numbers, 100 items": Cell(numbers(), 100, 0.05),
    "lognormal numbers, 100 items": Cell(numbers(skewed=True), 100, 0.05),
    "crowd, 300 items": Cell(crowd(), 300, 0.05),
    "crowd, 300 items and 5 control items": Cell(
        crowd(CONTROLS), 300, 0.05, fresh=crowd(), controls=CONTROLS
    ),
    "power: .8/.2, 60 items": Cell(labels(TWO, 0.6), 60, needed=220),
    "power: .5/.5, 60 items": Cell(labels(HALVES, 0.6), 60, needed=220),
    "power: .5/.5, 100 items": Cell(labels(HALVES, 0.6), 100, needed=220),
    "power: four labels, 60 items": Cell(labels(FOUR, 0.6), 60, needed=220),
    "power: numbers, 60 items": Cell(numbers(), 60, needed=220),
    "power: numbers, 60 items, nearer": Cell(numbers(), 60, needed=400),
}


@cache
def truth(draw: Draw) -> tuple[float, float]:
    """The true figure, and the variance of an item."""
    size = LARGE if "crowd" not in draw.__qualname__ else LARGE // 4
    found = iaa.krippendorff_alpha(draw(np.random.default_rng(1), size), interval="normal")
    return float(found.estimate), size * float(found.standard_error) ** 2


def plan_of(cell: Cell, ratings: xr.Dataset, null: float | None, seed: int) -> xr.Dataset:
    """The plan, without control items where the first answer says so."""
    goal = {"half_width": cell.half_width, "null": null}
    found = iaa.plan(ratings, **goal, simulations=0, seed=seed)
    if found.attrs["conclusion"] == "few_items_decide":
        rest = ratings.isel(item=slice(0, cell.items))
        again = iaa.plan(rest, **goal, simulations=0, seed=seed)
        return again.assign_attrs(first="few_items_decide")
    return found


def one(cell: Cell, null: float | None, seed: int) -> dict[str, float | str]:
    """What came of one pilot."""
    rng = np.random.default_rng([7, seed])
    ratings = cell.draw(rng, cell.items)
    try:
        found = plan_of(cell, ratings, null, seed)
    except iaa.IaaError:
        return {"conclusion": "refused", "first": "refused"}
    conclusion = found.attrs["conclusion"]
    outcome: dict[str, float | str] = {
        "conclusion": conclusion,
        "first": found.attrs.get("first", conclusion),
        "planned": float(found.planned_items),
    }
    if conclusion != "annotate":
        return outcome
    for name in ("planned", "needed"):
        outcome[name] = items = int(found[f"{name}_items"])
        per_item = float(found.planned_annotators)
        sample = (cell.fresh or cell.draw)(rng, items, per_item)
        fresh = iaa.krippendorff_alpha(sample, seed=seed)
        low, high = float(fresh.ci_low), float(fresh.ci_high)
        if null is None:
            outcome[f"{name} kept"] = (high - low) / 2 <= cell.half_width
            outcome[f"{name} near"] = (high - low) / 2 <= 1.1 * cell.half_width
        else:
            outcome[f"{name} kept"] = low > null
            outcome[f"{name} has power"] = items >= cell.needed
    return outcome


def measured(name: str, pilots: int) -> dict[str, str]:
    """A row of the table."""
    cell = CELLS[name]
    figure, variance = truth(cell.fresh or cell.draw)
    if cell.half_width is None:
        null, needed = figure - (Z + Z_OF_POWER) * math.sqrt(variance / cell.needed), cell.needed
    else:
        null, needed = None, math.ceil(variance * (Z / cell.half_width) ** 2)
    found = [one(cell, null, seed) for seed in range(pilots)]
    told = [outcome for outcome in found if outcome["conclusion"] == "annotate"]

    def share(key: str) -> str:
        if not told or key not in told[0]:
            return ""
        return f"{100 * np.mean([outcome[key] for outcome in told]):.1f}"

    def median(key: str) -> str:
        return f"{np.median([outcome[key] for outcome in told]):.0f}" if told else ""

    row = {"cell": name, "pilots": str(pilots)}
    row |= {"annotate": f"{100 * len(told) / pilots:.1f}"}
    for code in (*CODES[1:], "refused"):
        key = "first" if code == "few_items_decide" else "conclusion"
        row[code] = f"{100 * np.mean([outcome[key] == code for outcome in found]):.1f}"
    every = [float(outcome.get("planned", math.nan)) for outcome in found]
    return row | {
        "needed": str(needed),
        "planned": median("planned"),
        "planned, all": f"{np.nanmedian(every):.0f}",
        "kept": share("planned kept"),
        "within 10 %": share("planned near"),
        "has the power": share("planned has power"),
        "before": median("needed"),
        "before kept": share("needed kept"),
        "before has the power": share("needed has power"),
    }


ABOUT = """# Plans, and fresh samples of the planned size

`python benchmarks/plans.py --write`, a row a kind of pilot. Of the pilots, in percent: what the
plan comes to. Where it is "annotate": the items that are needed in truth, the median of the planned
ones, and in how many fresh samples of the planned size (one a pilot) the automatic interval is at
most +- .05 (or at most a tenth wider), or lies above the value to be ruled out; for a power also in
how many plans the planned items have it, in truth. "Before" is what takes the pilot's own figures
for true. Pilots whose control items decide are planned again without them: in their row
`few_items_decide` counts the first answer, all else the second.
"""


def written(rows: Mapping[str, Mapping[str, str]]) -> None:
    """The figures, and the page."""
    lines = [rows[name] for name in CELLS if name in rows]
    columns = list(max(lines, key=len))
    with (FOLDER / "plans.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(lines)
    text = [columns, ["---", *["---:"] * (len(columns) - 1)]]
    text += [[line.get(column, "") for column in columns] for line in lines]
    body = "\n".join(f"| {' | '.join(line)} |" for line in text)
    (FOLDER / "plans.md").write_text(f"{ABOUT}\n{body}\n", encoding="utf-8")


def main() -> None:
    """Print the rows; --write puts each into the table as soon as it is done."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pilots", type=int, default=200)
    parser.add_argument("--only", default="", help="cells whose name holds this text")
    parser.add_argument("--write", action="store_true", help="write plans.csv and plans.md")
    given = parser.parse_args()
    rows: dict[str, dict[str, str]] = {}
    if given.write and (FOLDER / "plans.csv").exists():
        with (FOLDER / "plans.csv").open(encoding="utf-8") as file:
            rows = {row["cell"]: row for row in csv.DictReader(file)}
    for name in CELLS:
        if given.only not in name:
            continue
        rows[name] = measured(name, given.pilots)
        print(*(f"{key}: {value}" for key, value in rows[name].items() if value), flush=True)
        if given.write:
            written(rows)


if __name__ == "__main__":
    main()
