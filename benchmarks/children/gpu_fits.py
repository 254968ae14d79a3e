"""Dawid-Skene on a device: python gpu_fits.py ITEMS ANNOTATORS LABELS COUNT WHERE

To 1e-8, five ratings an item; then COUNT replicates of it from there. WHERE is as of `gpu_work.py`:
the host fits some of the replicates, and the time of all follows from those. Prints both as JSON,
or why nothing was measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import iaa_jax as iaa
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.engine import sampled_rows
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.fits import Fit, Tolerance
from iaa_jax.kernels.labelling.method import Weights
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.labelling import VoteTables

sys.path.insert(0, str(Path(__file__).parent.parent))

from devices import Amount, least, name_of, peak_of, timed, working
from tables import crowd_frame
from timing import seconds

EACH, CHANGE = 5, 1e-8

BY_HOST = 4
"""Replicates that the host fits at most."""

ROW = METHODS["dawid_skene"]

Found = dict[str, Any]


def main() -> None:
    items, annotators, labels, count = map(int, sys.argv[1:5])
    where = sys.argv[5]
    try:
        about: Found = {"device": name_of(where)}
    except iaa.IaaError as error:
        print(json.dumps({"unmeasured": str(error)}))
        return
    ratings = iaa.from_long(crowd(items, annotators, labels))
    votes = VoteTables(Rated.of(ratings, working(where)))
    measured = [{**about, **each, "peak": peak_of(where)} for each in fits(votes, count, where)]
    for each in measured:
        each["least"] = least(each.pop("amount"), where, "float64")
    print(json.dumps(measured))


def crowd(items: int, annotators: int, labels: int) -> pd.DataFrame:
    """Ratings of annotators who know two labels in three, some many more than others, or guess."""
    frame, random = crowd_frame(items, annotators, EACH, labels), np.random.default_rng(0)
    skill = random.beta(6, 3, annotators)[frame["annotator"]]
    truth = random.integers(0, labels, items)[frame["item"]]
    guess = random.integers(0, labels, len(frame))
    return frame.assign(label=np.where(random.random(len(frame)) < skill, truth, guess))


def fits(votes: VoteTables, count: int, where: str) -> Iterator[Found]:
    """The fit, and its replicates."""
    limit = Tolerance(CHANGE, ROW.steps)
    one = Weights(*(part[None] for part in votes.weights))

    def fitted(rows: Weights, start: np.ndarray) -> list[Fit]:
        parts = (slice(first, first + BLOCK) for first in range(0, len(rows.item), BLOCK))
        blocks = ((Weights(rows.item[part], rows.annotator[part]), ()) for part in parts)
        return [*votes.fit_rows(ROW, blocks, start, limit)]

    result, found = timed(lambda: fitted(one, votes.shares))
    about = {"patterns": len(votes.weights.item), "replicates": 1, "count": 1}
    amount = amount_of(votes, 0, steps_of(result))
    yield {**found, **about, "drawing": 0.0, "products": found["seconds"], "amount": amount}
    start = np.asarray(result[0].state.probability[0])
    done = min(count, BY_HOST) if where == "host" else count
    rows = drawn_rows(votes, done)
    drawing = seconds(lambda: drawn_rows(votes, done))
    result, found = timed(lambda: fitted(rows, start), compiles=where != "host")
    times = count / done
    yield {
        **about,
        "seconds": (found["seconds"] + drawing) * times,
        "drawing": drawing * times,
        "products": found["seconds"] * times,
        "compiling": found["compiling"],
        "replicates": done,
        "count": count,
        "amount": amount_of(votes, count, steps_of(result) * times),
    }


def drawn_rows(votes: VoteTables, count: int) -> Weights:
    """Items drawn anew, so often."""
    table = votes.tables.identified_table
    items = np.concatenate([rows for (rows,) in sampled_rows([table], count, 0)])[:count]
    return Weights(items, np.ones((count, votes.annotators)))


def steps_of(fits: list[Fit]) -> int:
    """All steps of all rows."""
    return sum(int(each.iterations.sum()) for each in fits)


def amount_of(votes: VoteTables, count: int, steps: float) -> Amount:
    """At least: a random number an item of each replicate; and in each step what ratings say.

    A step adds up what every rating says of every label, once for probabilities and once for the
    tables of annotators; it reads and writes probabilities, and reads ratings twice.
    """
    items, labels = len(votes.weights.item), votes.labels
    operations, numbers = 4.0 * EACH * labels, 2 * 8.0 * labels + 2 * 4.0 * EACH
    return Amount(count * items, steps * items * operations, steps * items * numbers)


if __name__ == "__main__":
    main()
