"""Crowds whose true labels are known, and how often methods find them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa

SETS = Path(__file__).parent.parent / "tests" / "reference" / "data"
"""The real crowds: NAME_labels.csv and NAME_truth.csv."""

TIED = 1e-9
"""Probabilities nearer than this are tied."""

Codes = NDArray[np.intp]


@dataclass(frozen=True)
class Labelled:
    """Labels of a crowd as rows, and the truth of some of its items."""

    name: str
    rows: pd.DataFrame
    """item, annotator, label; an annotator's last label of an item counts."""
    truth: Mapping[object, object]

    @property
    def ratings(self) -> xr.Dataset:
        """The rows as ratings."""
        return iaa.from_long(self.rows, duplicates="last")

    @property
    def size(self) -> str:
        """Items, annotators and labels."""
        return " x ".join(f"{self.rows[name].nunique():,}" for name in self.rows)

    def accuracy(self, result: xr.Dataset) -> float:
        """The share of true labels found; labels that tie in the first place share the credit."""
        place = {label: k for k, label in enumerate(result["label"].values.tolist())}
        items = result["item"].values.tolist()
        known = [row for row, item in enumerate(items) if item in self.truth]
        column = np.array([place.get(self.truth[items[row]], -1) for row in known])
        first = result["winner"].values[known]
        found = first[np.arange(len(known)), column] & (column >= 0)
        return float((found / first.sum(axis=1)).mean())


def real(folder: Path = SETS) -> list[Labelled]:
    """Every crowd of a folder, the smallest first."""
    names = [file.name.removesuffix("_labels.csv") for file in folder.glob("*_labels.csv")]
    return sorted((read(name, folder) for name in names), key=lambda each: len(each.rows))


def read(name: str, folder: Path = SETS) -> Labelled:
    """A crowd by its name."""
    rows = pd.read_csv(folder / f"{name}_labels.csv")
    truth = pd.read_csv(folder / f"{name}_truth.csv")
    return Labelled(
        name,
        rows.set_axis(["item", "annotator", "label"], axis=1),
        dict(zip(truth["item"].tolist(), truth["truth"].tolist(), strict=True)),
    )


def made(name: str, labels: Codes, truth: Codes) -> Labelled:
    """A crowd of a table (item, annotator) of labels, -1 where there is none."""
    item, annotator = np.nonzero(labels >= 0)
    rows = pd.DataFrame({"item": item, "annotator": annotator, "label": labels[item, annotator]})
    return Labelled(name, rows, dict(enumerate(truth.tolist())))


def crowd(
    items: int, annotators: int, each: int, labels: int, skills: tuple[float, float], seed: int = 0
) -> Labelled:
    """A crowd with ``each`` votes an item, and skills between two; wrong labels are equally likely.

    Who labels an item is drawn anew for each.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    skill = rng.uniform(*skills, annotators)
    who = np.argsort(rng.random((items, annotators)), axis=1)[:, :each]
    right = rng.random(who.shape) < skill[who]
    wrong = (truth[:, None] + rng.integers(1, labels, who.shape)) % labels
    given = np.where(right, truth[:, None], wrong)
    rows = pd.DataFrame(
        {
            "item": np.repeat(np.arange(items), each),
            "annotator": who.reshape(-1),
            "label": given.reshape(-1),
        }
    )
    return Labelled(f"made, {items:,} x {annotators}", rows, dict(enumerate(truth.tolist())))
