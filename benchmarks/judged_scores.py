"""How often intervals of `iaa_jax.judged_scores` hold the truth, and how wide they are.

    python benchmarks/judged_scores.py [--replicates 1000] [--seed 1] [--only TEXT]
                                          [--write] [--page]

Real sets (`IAA_JAX_DATA`): items are drawn with replacement from all of the set, judged, and a few
of them rated by its people, of whom the figures are; the truth is the mean of all their ratings.
Made sets: people are drawn anew each time, and figures are of people like them; more people rate
an item the harder it is. `--write` adds rows to judged_scores.csv, `--page` writes
judged_scores.md from it.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent)]

import iaa_jax as iaa  # noqa: E402

DATA = Path(os.environ.get("IAA_JAX_DATA", ""))
TABLE, PAGE = FOLDER / "judged_scores.csv", FOLDER / "judged_scores.md"
COLUMNS = (
    *("cell", "rated", "figure", "truth", "replicates", "alone_covers", "alone_width"),
    *("covers", "width", "judge_off"),
)
NOISE = 0.2
"""Share of a left-out person's answers that are drawn anew, to make a judge of them."""


class Known(NamedTuple):
    """A whole set: ratings (item, person) as codes, or as memberships (item, person, label)."""

    labels: list[object]
    people: np.ndarray
    judge: np.ndarray
    panel: int = 0  # of each rated item so many people, drawn; 0 for all


def left_out(codes: np.ndarray, labels: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """One person of each item as its judge, with noise, and the others."""
    codes = codes[(codes >= 0).sum(axis=1) >= 3]
    at = np.array([rng.choice(np.flatnonzero(row >= 0)) for row in codes])
    judge = codes[np.arange(len(codes)), at]
    noise = rng.random(len(judge)) < NOISE
    people = codes.copy()
    people[np.arange(len(codes)), at] = -1
    return people, np.where(noise, rng.integers(0, labels, len(judge)), judge)


def pandalm() -> Known:
    ratings = iaa.read(FOLDER.parent / "iaa_jax" / "demo" / "pandalm.csv")
    codes = ratings.primary.values
    codes = codes[(codes >= 0).all(axis=1)]
    return Known(ratings.label.values.tolist(), codes[:, :3], codes[:, 3])


def dices_990() -> Known:
    with gzip.open(DATA / "dices_990" / "dices_990.json.gz", "rt", encoding="utf-8") as file:
        instances = json.load(file)["instances"]
    several = [each["annotations"]["safety"]["individual_human_scores"] for each in instances]
    labels = ["No", "Unsure", "Yes"]
    codes = np.full((len(several), max(map(len, several))), -1)
    for row, answers in zip(codes, several, strict=True):
        row[: len(answers)] = [labels.index(answer) for answer in answers]
    return Known(labels, *left_out(codes, 3, np.random.default_rng(1)), panel=5)


def convabuse() -> Known:
    path = DATA / "convabuse" / "ConvAbuseEMNLPfull.csv.gz"
    unit = ("conv_id", "prev_agent", "prev_user", "agent", "user", "bot")
    labels = [-3, -2, -1, 0, 1]
    rows: dict[tuple[str, ...], dict[str, int]] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            given = [at for at, label in enumerate(labels) if row[f"is_abuse.{label}"] == "1"]
            if given:
                of_unit = rows.setdefault(tuple(row[name] for name in unit), {})
                of_unit.setdefault(row["annotator_id"], given[0])
    people = sorted({name for row in rows.values() for name in row})
    codes = np.array([[row.get(name, -1) for name in people] for row in rows.values()])
    return Known(labels, *left_out(codes, 5, np.random.default_rng(2)))


def newsroom_ratings() -> Known:
    text = (DATA / "newsroom_ratings" / "newsroom_without_text.json").read_text(encoding="utf-8")
    metric = "Informativeness"
    several = [
        each["annotations"][metric]["individual_human_scores"]
        for each in json.loads(text)["instances"]
    ]
    codes = np.array(several).astype(int) - 1
    return Known([1, 2, 3, 4, 5], *left_out(codes, 5, np.random.default_rng(3)))


def brighter() -> Known:
    """Emotions in Swedish texts, by three people: one is the judge, with noise."""
    with gzip.open(
        DATA / "brighter" / "swe_individuals.csv.gz", "rt", encoding="utf-8", newline=""
    ) as file:
        rows = [*csv.reader(file)]
    head, rows = rows[0], rows[1:]
    emotion = head.index("emotion")
    text = next(at for at, name in enumerate(head) if name in ("text_id", "id"))
    people = [at for at, name in enumerate(head) if "annotator" in name.lower()]
    labels = sorted({row[emotion] for row in rows})
    items = list(dict.fromkeys(row[text] for row in rows))
    masses = np.full((len(items), len(people), len(labels)), np.nan)
    place = {item: at for at, item in enumerate(items)}
    for row in rows:
        for who, at in enumerate(people):
            if row[at] != "":
                present = float(row[at]) > 0
                masses[place[row[text]], who, labels.index(row[emotion])] = present
    masses = masses[~np.isnan(masses).any(axis=(1, 2))]
    rng = np.random.default_rng(4)
    judge = np.where(rng.random(masses[:, 0].shape) < NOISE / 2, 1 - masses[:, 0], masses[:, 0])
    return Known(labels, masses[:, 1:], judge)


SETS = {each.__name__: each for each in (pandalm, dices_990, convabuse, brighter, newsroom_ratings)}
JUDGED = 1000


def measured(labels, cells, sampling: str):
    """The result of a set, whose ratings are put into the first of them as they are."""
    ratings = TEMPLATES.get((len(cells), cells.shape[1:], tuple(labels)))
    if ratings is None:
        ratings = template(labels, cells)
        TEMPLATES[len(cells), cells.shape[1:], tuple(labels)] = ratings
    name = "mass" if cells.ndim == 3 else "primary"
    ratings = ratings.assign({name: (ratings[name].dims, cells.astype(ratings[name].dtype))})
    return iaa.judged_scores(ratings, "judge", sampling=iaa.Sampling(annotators=sampling))


TEMPLATES: dict[object, object] = {}


def template(labels, cells):
    names = ["judge", *(f"p{at}" for at in range(1, cells.shape[1]))]
    if cells.ndim == 3:
        rows = [[labels] * cells.shape[1]] * len(cells)
        return iaa.from_sets(rows, labels=labels).assign_coords(annotator=names)
    codes = np.resize(np.arange(len(labels)), cells.shape)
    rows = np.array(labels, dtype=object)[codes]
    return iaa.from_wide(rows.tolist(), labels=labels).assign_coords(annotator=names)


def of_set(known: Known, rated: int, rng: np.random.Generator) -> np.ndarray:
    """Judged items of a set, a few of them rated."""
    drawn = rng.integers(0, len(known.judge), JUDGED)
    people = known.people[drawn].copy()
    if known.panel:  # the first few of each item's people, in an order drawn anew
        order = np.argsort(np.where(people >= 0, rng.random(people.shape), 2.0), axis=1)
        people = np.take_along_axis(people, order, axis=1)[:, : known.panel]
    people[rated:] = np.nan if people.ndim == 3 else -1
    return np.concatenate([known.judge[drawn][:, None], people], axis=1)


def truth_of(known: Known, names: list[str]) -> np.ndarray:
    """The figures of all ratings of a set."""
    cells = np.concatenate([known.judge[:, None], known.people], axis=1)
    whole = measured(known.labels, cells, "fixed")
    assert whole["figure"].values.tolist() == names
    return whole["people_alone"].values


def made(people: int, spread: float, cut: float, rated: int, rng: np.random.Generator):
    """Two labels by people of whom each has a leaning; hard items are rated by all."""
    judged = 2000
    item = rng.normal(size=judged)
    judge = (item + 0.4 * rng.normal(size=judged) > cut).astype(int)
    leaning = spread * rng.normal(size=people)
    codes = np.full((judged, people), -1)
    said = item[:rated, None] + leaning + 0.5 * rng.normal(size=(rated, people)) > cut
    order = np.argsort(rng.random((rated, people)), axis=1).argsort(axis=1)
    hard = np.abs(item[:rated] - cut) < 0.7
    panel = np.where(hard, min(people, 4), 2)
    codes[:rated] = np.where(order < panel[:, None], said, -1)
    return np.concatenate([judge[:, None], codes], axis=1)


def truth_of_made(spread: float, cut: float, names: list[str]) -> np.ndarray:
    """Shares by the normal distribution, and how right the judge is by quadrature."""
    z = np.linspace(-8, 8, 4001)
    density = stats.norm.pdf(z) / stats.norm.pdf(z).sum()
    yes = stats.norm.sf((cut - z) / np.sqrt(spread**2 + 0.25))
    by_judge = stats.norm.sf((cut - z) / 0.4)
    truths = {}
    for label, y, g in (("no", 1 - yes, 1 - by_judge), ("yes", yes, by_judge)):
        both, people, judge = (float(density @ part) for part in (y * g, y, g))
        truths[f"share of {label}"] = people
        truths[f"precision of {label} by judge"] = both / judge
        truths[f"recall of {label} by judge"] = both / people
        truths[f"f1 of {label} by judge"] = 2 * both / (people + judge)
        truths[f"specificity of {label} by judge"] = 1 - (judge - both) / (1 - people)
    right = float(density @ (yes * by_judge + (1 - yes) * (1 - by_judge)))
    truths["accuracy by judge"] = right
    return np.array([truths[name] for name in names])


def cells() -> Iterator[tuple[str, int, object]]:
    """The name of each cell, how many items are rated, and what draws a set and gives its truth."""
    for name in SETS:
        for rated in (30, 50, 100, 200):
            yield name, rated, name
    for people in (3, 5, 10):
        for spread in (0.2, 0.6):
            for cut in (0.0, 1.2):
                for rated in (50, 200):
                    yield (
                        f"{people} people, leaning {spread}, cut {cut}",
                        rated,
                        (people, spread, cut),
                    )


def run(name: str, rated: int, what: object, replicates: int, seed: int) -> list[list[object]]:
    """The rows of a cell, one a figure."""
    rng = np.random.default_rng([seed, rated, *name.encode()])
    known = SETS[what]() if isinstance(what, str) else None
    totals, names, truth = None, [], np.zeros(0)
    for _ in range(replicates):
        if known is None:
            result = measured(["no", "yes"], made(*what, rated, rng), "random")
        else:
            result = measured(known.labels, of_set(known, rated, rng), "fixed")
        if totals is None:
            names = result["figure"].values.tolist()
            truth = truth_of_made(*what[1:], names) if known is None else truth_of(known, names)
            totals = np.zeros((6, len(names)))
        for at, way in enumerate(("people_alone", "corrected")):
            low, high = (result[f"{way}_ci_{end}"].values for end in ("low", "high"))
            there = ~np.isnan(low)
            totals[3 * at] += there
            totals[3 * at + 1] += there & (low <= truth) & (truth <= high)
            totals[3 * at + 2] += np.where(there, high - low, 0.0)
        off = result["judge_alone"].values[0] - truth
    rows = []
    for at, figure in enumerate(names):
        (alone, alone_covers, alone_width), (number, covers, width) = totals[:, at].reshape(2, 3)
        if number:
            shares = alone_covers / alone, alone_width / alone, covers / number, width / number
            told = [f"{share:.4f}" for share in shares]
            rows.append(
                [name, rated, figure, f"{truth[at]:.4f}", int(number), *told, f"{off[at]:.3f}"]
            )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--page", action="store_true")
    given = parser.parse_args()
    if given.page:
        PAGE.write_text(page_of([*csv.DictReader(TABLE.open(encoding="utf-8"))]), encoding="utf-8")
        return
    part, parts = map(int, given.part.split("/"))
    for at, (name, rated, what) in enumerate(cells()):
        if given.only not in f"{name} {rated}" or at % parts != part:
            continue
        rows = run(name, rated, what, given.replicates, given.seed)
        if given.write:
            new = not TABLE.exists()
            with TABLE.open("a", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerows([COLUMNS, *rows] if new else rows)
        for row in rows:
            print(*row, sep=", ", flush=True)


def page_of(rows: list[dict[str, str]]) -> str:
    """The table of cells, and what it comes to."""
    by_cell: dict[tuple[str, int], list[dict[str, str]]] = {}
    for row in rows:
        by_cell.setdefault((row["cell"], int(row["rated"])), []).append(row)
    covers, alone, gain = (np.array([*map(value, rows)]) for value in (held, held_alone, gained))
    many = np.array([int(row["rated"]) >= 50 for row in rows])
    many_held = [row for row in rows if held(row) > 0.98]
    replicates = sorted({int(row["replicates"]) for row in rows})
    lines = [
        "# Corrected scores: do their intervals hold",
        "",
        "Written by `python benchmarks/judged_scores.py --page` from `judged_scores.csv`; its",
        "docstring says what is drawn.",
        "",
        f"{len(by_cell)} cells, {len(rows)} figures, {replicates[-1]} data sets each (fewer, where",
        "people did not give a label), at 95 %. Corrected intervals hold the truth in 93 % or more",
        f"of the data sets for {np.mean(covers >= 0.93):.0%} of the figures (people alone:",
        f"{np.mean(alone >= 0.93):.0%}), in {covers.min():.1%} at least (people alone:",
        f"{alone.min():.1%}). Their width is {np.median(gain):.2f} times that of people alone in",
        f"the middle, and {gain[many].max():.3f} times at most with 50 rated items or more. For",
        f"{np.mean(gain > NOTHING):.0%} of the figures nothing is gained ({NOTHING} or more). Of",
        "few people drawn anew, intervals hold more often than 95 %: people who happen to be alike",
        "do not show how far others differ, so Student's t has people less one degrees of freedom.",
        f"Of the {len(many_held)} figures that hold in over 98 % "
        f"{sum('people' in row['cell'] for row in many_held)} are of these; the others are scores",
        "of labels that people gave to few of the rated items, which are shares of a few items.",
        "",
        "| cell | rated | figure | truth | judge off | alone covers | covers | width to alone |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for (cell, rated), figures in by_cell.items():
        main = [row for row in figures if row["figure"].startswith(("share", "mean"))]
        for row in main:
            nothing = " (nothing gained)" if gained(row) > NOTHING else ""
            lines.append(
                f"| {cell} | {rated} | {row['figure']} | {float(row['truth']):.3f} | "
                f"{float(row['judge_off']):+.2f} | {held_alone(row):.1%} | {held(row):.1%} | "
                f"{gained(row):.2f}{nothing} |"
            )
        others = [row for row in figures if row not in main]
        least, least_alone = (min(map(value, others)) for value in (held, held_alone))
        ratios = sorted(map(gained, others))
        lines.append(
            f"| {cell} | {rated} | {len(others)} of how right the judge is | | | from "
            f"{least_alone:.1%} | from {least:.1%} | {ratios[0]:.2f} to {ratios[-1]:.2f} |"
        )
    return "\n".join([*lines, ""])


NOTHING = 0.97
"""The width, to that of people alone, from which on nothing is gained."""


def held(row: dict[str, str]) -> float:
    return float(row["covers"])


def held_alone(row: dict[str, str]) -> float:
    return float(row["alone_covers"])


def gained(row: dict[str, str]) -> float:
    return float(row["width"]) / float(row["alone_width"])


if __name__ == "__main__":
    main()
