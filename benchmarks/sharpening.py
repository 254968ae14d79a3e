"""When sharpening helps: real crowds, simulated panels, noise, and a majority of adversaries.

python benchmarks/sharpening.py [--quick] [--only real,simulated,trial,noise,starts] [--write]

Published figures stand in brackets; their simulations' parameters were not published, and those
here were chosen so that majority comes near. ``--write`` puts the tables into labelling.md, and the
figures into sharpening.csv.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np
from labelled import SETS, Codes, Labelled, made, read
from panels import PANELS, TRIAL, Panel
from writing import rewritten

import iaa_jax as iaa
from iaa_jax._types import Floats
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Fit, Tolerance, fit
from iaa_jax.kernels.labelling.method import Data, Options, Weights
from iaa_jax.kernels.labelling.sharpening import SHARPENING, Numbers, Sharpened, Sharpening
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables

PAGE, TABLE = (Path(__file__).parent / name for name in ("labelling.md", "sharpening.csv"))

SHOWN = ("majority", "wawa", "dawid_skene", "one_coin", "sharpen", "noItem", "steps")
"""Columns of the published table."""

BESIDE = ("zero_based_skill", "mace", "glad")
"""Neighbours that it does not have."""

REAL = {
    "bluebird": (0.759, 0.759, 0.898, 0.583, 0.806, 0.815, 15),
    "rte": (0.897, 0.921, 0.928, 0.925, 0.929, 0.925, 13),
    "possent": (0.934, 0.951, 0.960, 0.948, 0.947, 0.949, 9),
    "dog": (0.822, 0.829, 0.843, 0.830, 0.833, 0.833, 7),
    "face": (0.637, 0.630, 0.640, 0.611, 0.634, 0.635, 6),
    "MS": (0.704, 0.799, 0.766, 0.793, 0.795, 0.795, 8),
    "CF": (0.882, 0.893, 0.790, 0.883, 0.880, 0.877, 14),
}
"""The published table of real crowds."""

Row = tuple[str, dict[str, float], dict[str, float]]
"""What is measured of a line, by column, and what was published."""


def figures(crowd: Labelled, methods: Sequence[str]) -> dict[str, float]:
    """Accuracies of methods on a crowd, and the steps of sharpening."""
    ratings, found = crowd.ratings, {}
    for name in methods:
        result = iaa.gold(ratings, name, interval=None)
        found[name] = crowd.accuracy(result)
        if name == "sharpen":
            found["steps"] = float(result["iterations"])
    votes = VoteTables(Rated(ratings))
    row = METHODS["sharpen"]
    plain = votes.fit(replace(row, method=Sharpening("none")), Tolerance(1e-6, row.steps))
    found["noItem"] = credit(crowd, plain.state.probability[votes.pattern_of])
    return found


def credit(crowd: Labelled, probability: Floats) -> float:
    """The accuracy of probabilities whose items and labels are in order."""
    result = iaa.gold(crowd.ratings, interval=None)
    top = probability >= probability.max(axis=1, keepdims=True) - 1e-9
    return crowd.accuracy(result.assign(winner=(("item", "label"), top)))


def of_real(quick: bool) -> Iterator[Row]:
    """The real crowds of the published table."""
    for name in [*REAL][:1] if quick else REAL:
        methods = [name for name in (*SHOWN, *BESIDE) if name in METHODS]
        published = dict(zip(SHOWN, REAL[name], strict=True))
        yield name, figures(read(name, SETS), methods), published


def of_panels(panels: Sequence[Panel], quick: bool) -> Iterator[Row]:
    """Simulated panels: the means of 20 runs."""
    for panel in panels:
        methods = [name for name in (*SHOWN, *BESIDE) if name in METHODS]
        runs: list[dict[str, float]] = []
        for seed in range(2 if quick else 20):
            labels, truth = panel.drawn(np.random.default_rng(seed))
            crowd = made(panel.name, labels, truth)
            found = figures(crowd, methods)
            if panel in TRIAL:
                found["left in"] = credit(crowd, left_in(labels))
            runs.append(found)
        means = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
        yield panel.name, means, panel.published


def left_in(labels: Codes) -> Floats:
    """Sharpening where the group holds one's own vote as well, for complete tables."""
    x = np.eye(labels.max() + 1)[labels]
    weight = np.ones(labels.shape[1])
    for _ in range(500):
        group = np.einsum("j,ijk->ik", weight, x) / weight.sum()
        logs = np.log(np.where(group > 0, group, 1))
        item = np.maximum(1 + (group * logs).sum(axis=1) / np.log(x.shape[2]), 0.01)
        share = item / item.sum()
        agreed = np.einsum("i,ijk,ik->j", share, x, group)
        chance = np.einsum("i,ijk->jk", share, x) @ (share @ group)
        kappa = np.maximum((agreed - chance) / np.maximum(1 - chance, 1e-9), 0.01)
        new = kappa / kappa.mean()
        if np.abs(new - weight).max() < 1e-6:
            break
        weight = (weight + new) / 2
    return np.einsum("j,ijk->ik", weight, x) / weight.sum()


def of_noise(quick: bool) -> Iterator[Row]:
    """Tables of noise: 2 to 11 items, 2 to 6 annotators, 2 to 4 labels."""
    rng = np.random.default_rng(0)
    count, ended, steps = 100 if quick else 3800, 0, []
    for _ in range(count):
        items, annotators, labels = rng.integers((2, 2, 2), (12, 7, 5))
        result = fitted(rng.integers(0, labels, (items, annotators)), labels)
        ended += bool(result.converged)
        steps.append(int(result.iterations))
    measured = {"converged": ended / count, "median steps": float(np.median(steps))}
    yield f"{count:,} tables", measured, {"converged": 0.993}


def fitted(labels: Codes, count: int, at: Floats | None = None) -> Fit:
    """Sharpening of a complete table, from weights of annotators ``at`` or equal ones."""
    ratings = iaa.from_wide(labels, labels=range(count))
    votes = VoteTables(Rated(ratings))
    data, tolerance = votes.masses, Tolerance(1e-6, 500)
    method = METHODS["sharpen"].method if at is None else From(at)
    return fit(method, data, votes.weights, votes.shares, tolerance, Numbers())


@dataclass(frozen=True)
class From:
    """Sharpening that begins at other weights."""

    at: Floats
    method: Sharpening = SHARPENING

    def start(self, data: Data, weights: Weights, shares: Floats, options: Options) -> Sharpened:
        """Its own start, but for the weights."""
        return self.method.start(data, weights, shares, options)._replace(at=self.at)

    def step(self, data: Data, weights: Weights, state: Sharpened, options: Options) -> Sharpened:
        """Its own step."""
        return self.method.step(data, weights, state, options)


def of_starts(quick: bool) -> Iterator[Row]:
    """Fixed points from random weights: an honest panel, and a majority of adversaries."""
    for panel in PANELS:
        if panel.name not in ("4 good, 6 random", "4 good, 5 adversaries"):
            continue
        labels, truth = panel.drawn(np.random.default_rng(0))
        rng = np.random.default_rng(1)
        ends: dict[tuple[float, ...], float] = {}
        for _ in range(5 if quick else 100):
            at = rng.dirichlet(np.full(labels.shape[1], 0.3)) * labels.shape[1]
            votes = VoteTables(Rated(iaa.from_wide(labels)))
            result = fitted(labels, labels.max() + 1, np.maximum(at, 1e-3))
            if result.converged:
                key = tuple(np.round(result.state.skill, 3))
                ends[key] = credit(
                    made("", labels, truth), result.state.probability[votes.pattern_of]
                )
        accuracies = sorted({round(each, 3) for each in ends.values()})
        measured = {"fixed points": float(len(ends)), "worst": accuracies[0]}
        yield panel.name, measured | {"best": accuracies[-1]}, {}


PARTS = {
    "real": of_real,
    "simulated": lambda quick: of_panels(PANELS, quick),
    "trial": lambda quick: of_panels(TRIAL, quick),
    "noise": of_noise,
    "starts": of_starts,
}


def table(rows: Sequence[Row]) -> str:
    """Measured figures, with the published one in brackets where there is one."""
    columns = list(dict.fromkeys(name for _, found, _ in rows for name in found))
    columns.sort(key=lambda name: SHOWN.index(name) if name in SHOWN else len(SHOWN))
    lines = [["", *columns], ["---", *["---:"] * len(columns)]]
    for title, found, published in rows:
        cells = [_cell(name, found.get(name), published.get(name)) for name in columns]
        lines.append([title, *cells])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(name: str, value: float | None, published: float | None) -> str:
    def text(figure: float) -> str:
        whole = name in ("steps", "median steps", "fixed points")
        return f"{figure:.0f}" if whole else f"{figure:.3f}".removeprefix("0")

    if value is None:
        return "-"
    return text(value) if published is None else f"{text(value)} ({text(published)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few runs")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--write", action="store_true", help="into labelling.md, sharpening.csv")
    asked = parser.parse_args()
    found = {}
    for part in asked.only.split(","):
        found[part] = [*PARTS[part](asked.quick)]
        print(f"\n{part}\n\n{table(found[part])}", flush=True)
    if asked.write and not asked.quick:
        sections = {f"sharpening_{part}": f"\n{table(rows)}\n" for part, rows in found.items()}
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(rewritten(page, sections), encoding="utf-8")
        _record(found)


def _record(found: dict[str, list[Row]]) -> None:
    """The figures of these parts; those of the others stay."""
    old = list(csv.reader(TABLE.open(newline=""))) if TABLE.is_file() else []
    new = [
        [part, title, name, round(value, 6), published.get(name, "")]
        for part, rows in found.items()
        for title, measured, published in rows
        for name, value in measured.items()
    ]
    kept = [row for row in old[1:] if row[0] not in found]
    with TABLE.open("w", newline="") as file:
        head = ["part", "crowd", "figure", "measured", "published"]
        csv.writer(file, lineterminator="\n").writerows([head, *kept, *new])


if __name__ == "__main__":
    main()
