"""Gold labels of simulated truth: how often their intervals hold what they are about.

python -m coverage_study.labelling [--data-sets N] [--cells WORDS] [--write]

From the folder of the benchmarks. Items are drawn anew, annotators stay who they are; each data set
goes the way of users, through ``iaa.gold``. With --write the figures go to coverage_labelling.csv
as soon as a cell is done, of which coverage.md has a section.

What was found. Skills: an interval from the Beta distribution, with as many units as the error of
replicates says, holds in 92 to 98 % of annotators; percentiles held in 90 to 96 % (a pilot).
Certainty: without half a vote in every cell of the confusion matrices, replicates rule out what was
never seen, and their intervals held the probability by the true parameters in 80 to 92 % of items
(the pilot); with it in 90 to 97 %, and misses are mostly items that are less certain. Credible
labels hold the true one in 97 to 100 %. A model that is wrong is certain of the wrong thing: one
skill an annotator, where annotators lean to labels, holds that probability in 1 to 4 % of items,
though its labels are nearly as good. MACE: the competence of who answers by chance is 0, where no
interval reaches (75 to 77 % of all five hold there), and intervals of certainty from its
variational fit hold that probability in 66 to 84 % of items. With fewer than ten ratings for each
free cell of an annotator's matrix labels are far less certain than a model says, which is noted.
Crowds: skills in 95 to 99 %, credible labels in 97 to 100 %, certainty in 90 to 94 % by Dawid and
Skene and in 84 to 96 % by one skill an annotator.
"""

from __future__ import annotations

import argparse
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

# one core: the data sets are small, and others may need the rest
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa
from coverage_study.tables import markdown, percent, put

SEED = 20_261_122
TABLE = Path(__file__).parents[1] / "coverage_labelling.csv"

REPLICATES = 199

MANY = 40_000
"""Items that the skills of votes without a model are worked out on."""

SHARES = {2: (0.6, 0.4), 3: (0.5, 0.3, 0.2)}

MODELS = ("dawid_skene", "one_coin", "mace")
VOTES = ("majority", "wawa")

NEAR = 1e-6
"""Probabilities that are so near are the same: the fits end there."""


class Drawn(NamedTuple):
    """A data set."""

    ratings: xr.Dataset
    truth: np.ndarray  # (item,)
    posterior: np.ndarray  # (item, label) by Bayes' theorem with the true parameters


@dataclass(frozen=True)
class People:
    """Annotators by their confusion matrices (annotator, true label, label)."""

    name: str
    confusion: np.ndarray
    ratings: int = 0  # of an item; 0: everybody rates all

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return self.confusion.shape[-1]

    @property
    def prior(self) -> np.ndarray:
        """The share of each true label."""
        return np.array(SHARES[self.labels])

    def drawn(self, stream: np.random.Generator, items: int) -> Drawn:
        """Ratings of some items, and what is true of these."""
        truth = stream.choice(self.labels, size=items, p=self.prior)
        size = len(self.confusion)
        upper = self.confusion[:, truth].cumsum(axis=-1)[..., :-1]
        label = (stream.random((size, items, 1)) > upper).sum(axis=-1).T
        rated = np.ones(label.shape, dtype=bool)
        if self.ratings:
            rated = np.argsort(stream.random((items, size)), axis=1) < self.ratings
        item, annotator = np.nonzero(rated)
        columns = {"item": item, "annotator": annotator, "label": label[item, annotator]}
        ratings = iaa.from_long(columns, labels=range(self.labels))
        known = np.log(np.maximum(self.confusion, 1e-300))
        of_votes = known[np.arange(size), :, label] * rated[..., None]  # (item, annotator, truth)
        scores = np.log(self.prior) + of_votes.sum(axis=1)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        posterior = shares / shares.sum(axis=1, keepdims=True)
        order = ratings.item.values
        return Drawn(ratings, truth[order], posterior[order])


def even(accuracy: Sequence[float], labels: int) -> np.ndarray:
    """Annotators with one accuracy each, whatever the label."""
    right = np.array(accuracy)[:, None, None]
    eye = np.eye(labels)
    return right * eye + (1 - right) * (1 - eye) / (labels - 1)


def leaning(labels: int) -> np.ndarray:
    """Two of five annotators say the first label too often, one too seldom."""
    confusion = even([0.85] * 5, labels)
    for who, towards in ((0, 0), (1, 0), (2, labels - 1)):
        confusion[who] = 0.75 * np.eye(labels)
        confusion[who, :, towards] += 0.25
    return confusion


def crowd(labels: int, size: int = 60) -> np.ndarray:
    """Annotators of a crowd: most right seven to nine times of ten, few no better than chance."""
    accuracy = np.random.default_rng(5).beta(8, 2.7, size)
    return even(np.clip(accuracy, 1 / labels, 0.98), labels)


class Cell(NamedTuple):
    """Data sets of one kind."""

    people: People
    items: int


CELLS = (
    *(
        Cell(People(f"{name}, {labels} labels", even(right, labels)), 200)
        for labels in (2, 3)
        for name, right in (
            ("five good", [0.85] * 5),
            ("five uneven", [0.95, 0.9, 0.8, 0.7, 0.6]),
            ("five, one by chance", [0.85, 0.85, 0.8, 0.8, 1 / labels]),
        )
    ),
    *(Cell(People(f"five leaning, {labels} labels", leaning(labels)), 200) for labels in (2, 3)),
    *(Cell(People(f"crowd, {labels} labels", crowd(labels), 5), 400) for labels in (2, 3)),
    Cell(People("dense crowd, 2 labels", crowd(2), 15), 400),
    Cell(People("thin crowd, 2 labels", crowd(2), 3), 150),
)


def true_skills(people: People, method: str) -> np.ndarray:
    """What a method's skills are of endlessly many items."""
    right = np.einsum("att,t->a", people.confusion, people.prior)
    if method == "mace":  # who knows is right, who does not is right by chance
        return (right - 1 / people.labels) / (1 - 1 / people.labels)
    if method in VOTES:
        stream = np.random.default_rng([SEED, 1])
        ratings = people.drawn(stream, MANY).ratings
        skills = iaa.gold(ratings, method, interval=None).skill
        return skills.sortby("annotator").values
    return right


def counted(cell: Cell, method: str, sets: int) -> dict[str, object]:
    """How often the intervals of a method hold the truth."""
    people = cell.people
    skills = true_skills(people, method)
    stream = np.random.default_rng([SEED, zlib.crc32(f"{people.name} {cell.items}".encode())])
    rows = [one(people.drawn(stream, cell.items), skills, method, seed) for seed in range(sets)]
    frame = pd.DataFrame(rows)
    first = {"cell": people.name, "items": cell.items, "method": method, "data_sets": sets}
    return first | {str(name): round(float(mean), 4) for name, mean in frame.mean().items()}


def one(drawn: Drawn, skills: np.ndarray, method: str, seed: int) -> dict[str, float]:
    """The figures of a data set, each a share of annotators or items."""
    found = iaa.gold(drawn.ratings, method, replicates=REPLICATES, seed=seed)
    skill = skills[drawn.ratings.annotator.values]
    low, high = found.skill_ci_low.values, found.skill_ci_high.values
    code = found.gold_code.values
    right = float((code == drawn.truth).mean())
    holds = found.credible.values
    each = np.arange(len(code))
    figures = {
        "skill": float(((low <= skill) & (skill <= high)).mean()),
        "skill_below": float((skill < low).mean()),
        "skill_above": float((skill > high).mean()),
        "skill_width": float((high - low).mean()),
        "skill_bias": float((found.skill.values - skill).mean()),
        "credible": float(holds[each, drawn.truth].mean()),
        "credible_labels": float(holds.sum(axis=1).mean()),
        "right": right,
        "stable": float((found.stable.values >= 0.95).mean()),
    }
    stable = found.stable.values >= 0.95
    figures["right_if_stable"] = float((code == drawn.truth)[stable].mean()) if stable.any() else 1
    if method not in MODELS:
        return figures
    of_gold = drawn.posterior[each, code]
    low, high = found.certainty_ci_low.values, found.certainty_ci_high.values
    expected = float(found.expected_right)
    ends = float(found.expected_right_ci_low), float(found.expected_right_ci_high)
    return figures | {
        "posterior": float(((low - NEAR <= of_gold) & (of_gold <= high + NEAR)).mean()),
        "posterior_below": float((of_gold < low - NEAR).mean()),
        "posterior_width": float((high - low).mean()),
        "claimed": float(found["certainty"].mean()),
        "expected": expected,
        "expected_holds": float(ends[0] <= right <= ends[1]),
        "expected_too_high": float(right < ends[0]),
        "expected_width": ends[1] - ends[0],
    }


def section() -> str:
    """The tables in Markdown, as coverage.md has them."""
    frame = pd.read_csv(TABLE)
    order = [*(cell.people.name for cell in CELLS), *MODELS, *VOTES]
    frame = frame.sort_values(["cell", "method"], key=lambda names: names.map(order.index))
    key = ["cell", "method", "data_sets"]
    skills = ["skill", "skill_below", "skill_above", "skill_width", "skill_bias"]
    items = [
        *("posterior", "posterior_below", "credible", "credible_labels", "stable"),
        "right_if_stable",
    ]
    rights = [
        "claimed",
        "expected",
        "right",
        "expected_holds",
        "expected_too_high",
        "expected_width",
    ]
    models = frame[frame["method"].isin(MODELS)]
    shares = ("skill", "skill_below", "skill_above")
    of_items = ("posterior", "posterior_below", "credible", "stable", "right_if_stable")
    of_rights = (
        "claimed",
        "expected",
        "right",
        "expected_holds",
        "expected_too_high",
        "expected_width",
    )
    return "\n\n".join(
        [
            "## Gold labels, of simulated truth (percent)",
            "Made by `python -m coverage_study.labelling --write` in this folder, from "
            f"`coverage_labelling.csv` ({REPLICATES} replicates), each data set by `iaa.gold`. "
            "Five annotators rate 200 items, a crowd of 60 gives 400 items 5 ratings each (15 the "
            "dense one; the thin one 150 items 3 each). What the annotators are like stands in "
            "`coverage_study/labelling.py`.",
            "Skills: the share of annotators whose interval holds the true skill, of whom it lies "
            "below or above; the mean width, and the mean of estimates less truths.",
            markdown(frame[[*key, *skills]], dict.fromkeys(shares, percent)),
            "Items: the share whose interval of certainty holds the probability of the gold label "
            "by Bayes' theorem with the true parameters, and of whom this lies below; the share "
            "whose credible labels hold the true one, and how many these are; the share that is "
            "stable (95 % of replicates), and the share of these that is right.",
            markdown(frame[[*key, *items]], dict.fromkeys(of_items, percent)),
            "Gold labels in all: the mean certainty, the mean of replicates (`expected_right`), "
            "the share that is right, how often the interval holds this, and how often this lies "
            "below.",
            markdown(models[[*key, *rights]], dict.fromkeys(of_rights, percent)),
        ]
    )


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=300)
    parser.add_argument("--cells", default="", help="cells with this in their name")
    parser.add_argument("--methods", default=",".join((*MODELS, *VOTES)))
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    asked = parser.parse_args()
    for cell in CELLS:
        if asked.cells not in cell.people.name:
            continue
        for method in asked.methods.split(","):
            row = counted(cell, method, asked.data_sets)
            print(*row.values(), sep="\t", flush=True)
            if asked.write:
                put(TABLE, pd.DataFrame([row]), ["cell", "method"])


if __name__ == "__main__":
    main()
