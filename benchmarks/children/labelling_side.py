"""Ours, as a process of its own: python labelling_side.py ROWS.csv PLAN.json OUT

PLAN lists works: a method, a tolerance, the most iterations (0: its own number), and how often;
and how many bootstrap rows of the last one. Writes OUT.json with the seconds of each call (of
`iaa.gold`, of the Dataset before it, of the votes in it), and OUT.npz with the probabilities.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine.fits import Tolerance
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables


def main() -> None:
    rows, plan, out = sys.argv[1:]
    frame = pd.read_csv(rows).set_axis(["item", "annotator", "label"], axis=1)
    asked = json.loads(Path(plan).read_text())
    found, arrays = [], {}
    for number, work in enumerate(asked["works"]):
        row, taken = METHODS[work["method"]], []
        steps = work["iterations"] or row.steps
        for _ in range(work["runs"]):
            began = time.perf_counter()
            ratings = iaa.from_long(frame)
            read = time.perf_counter()
            result = iaa.gold(
                ratings, row.name, tol=work["tolerance"], max_iter=steps, interval=None
            )
            done = time.perf_counter()
            votes = VoteTables(Rated(ratings))
            _ = votes.shares
            listed = time.perf_counter()
            taken.append([done - read, read - began, listed - done])
        result = result.sortby("item")  # the peer has items in order
        probability = result["probability"].values
        arrays[f"probability{number}"] = probability
        arrays[f"label{number}"] = result["gold_code"].values
        found.append({"seconds": taken, "iterations": int(result["iterations"])})
    record = {"works": found, "rows": bootstrap(votes, row.name, asked["rows"])}
    Path(f"{out}.json").write_text(json.dumps(record))
    np.savez(f"{out}.npz", **arrays)


def bootstrap(votes: VoteTables, method: str, count: int) -> list[float]:
    """Seconds of the fit of one row of items drawn anew, which may compile, then of so many."""
    items = votes.weights.item
    total = int(items.sum())
    rng = np.random.default_rng(0)
    taken = []
    for rows in (1, count) if count else ():
        drawn = rng.multinomial(total, items / total, size=rows).astype(float)
        weights = Weights(drawn, np.ones((rows, votes.annotators)))
        start = time.perf_counter()
        for _ in votes.fit_rows(METHODS[method], [(weights, ())], votes.shares, Tolerance(1e-6)):
            pass
        taken.append(time.perf_counter() - start)
    return taken


if __name__ == "__main__":
    main()
