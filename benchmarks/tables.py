"""The tables that benchmarks measure on, all made from fixed seeds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

import iaa_jax as iaa


def ratings_table(items: int, annotators: int, labels: int, gaps: float) -> NDArray[np.float64]:
    """Labels 0, 1, ... as numbers, NaN where not rated; annotators agree more than by chance."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, labels, items)
    guess = rng.integers(0, labels, (items, annotators))
    table = np.where(rng.random((items, annotators)) < 0.6, truth[:, None], guess).astype(float)
    table[rng.random(table.shape) < gaps] = np.nan
    return table


def wide_frame(items: int, annotators: int, labels: int) -> pd.DataFrame:
    """A row an item, a column an annotator, every cell filled."""
    table = ratings_table(items, annotators, labels, 0.0).astype(int)
    frame = pd.DataFrame(table, columns=[f"annotator{k}" for k in range(annotators)])
    frame.insert(0, "item", np.arange(items))
    return frame


def scores_frame(items: int, annotators: int) -> pd.DataFrame:
    """Whole numbers from 0 to 100, as listening tests have them: a row an item."""
    rng = np.random.default_rng(0)
    middle, leaning = rng.uniform(20, 90, (items, 1)), rng.normal(0, 8, annotators)
    scores = np.rint(middle + leaning + rng.normal(0, 12, (items, annotators)))
    frame = pd.DataFrame(np.clip(scores, 0, 100).astype(int)).add_prefix("rater")
    frame.insert(0, "item", [f"stimulus {k}" for k in range(items)])
    return frame


def long_frame(items: int, annotators: int, labels: int, text: bool) -> pd.DataFrame:
    """A row a rating; ids are numbers, or text, as are the labels then."""
    codes = ratings_table(items, annotators, labels, 0.0).astype(int).reshape(-1)
    item = np.repeat(np.arange(items), annotators)
    annotator = np.tile(np.arange(annotators), items)
    if not text:
        return pd.DataFrame({"item": item, "annotator": annotator, "label": codes})
    names = {"item": np.array([f"item-{k}" for k in range(items)], dtype=object)[item]}
    names["annotator"] = np.array([f"worker {k}" for k in range(annotators)], dtype=object)[
        annotator
    ]
    names["label"] = np.array([f"label {k}" for k in range(labels)], dtype=object)[codes]
    return pd.DataFrame(names)


def crowd_frame(items: int, annotators: int, each: int, labels: int) -> pd.DataFrame:
    """A row a rating: ``each`` ratings an item, by different ones of many annotators."""
    rng = np.random.default_rng(3)
    steps = rng.integers(1, annotators // each, (items, each))
    who = (rng.integers(0, annotators, items)[:, None] + steps.cumsum(axis=1)) % annotators
    label = ratings_table(items, each, labels, 0.0).astype(int)
    item = np.repeat(np.arange(items), each)
    return pd.DataFrame({"item": item, "annotator": who.ravel(), "label": label.ravel()})


def numbers(count: int) -> NDArray[np.float64]:
    """So many distinct numbers, two an item."""
    return np.random.default_rng(0).lognormal(size=(count // 2, 2))


def primary_secondary(items: int, annotators: int, labels: int) -> xr.Dataset:
    """Ratings with a second choice in a third of the cells."""
    table = ratings_table(items, annotators, labels, 0.0).astype(int)
    rng = np.random.default_rng(1)
    second = np.where(
        rng.random(table.shape) < 1 / 3,
        (table + rng.integers(1, labels, table.shape)) % labels,
        -1,
    )
    long = pd.DataFrame(
        {
            "item": np.repeat(np.arange(items), annotators),
            "annotator": np.tile(np.arange(annotators), items),
            "label": table.reshape(-1),
            "second": pd.array(second.reshape(-1)).astype("Int64"),
        }
    )
    long.loc[long["second"] < 0, "second"] = pd.NA
    return iaa.from_long(long, secondary="second", labels=range(labels))


def label_sets(items: int, annotators: int, labels: int) -> xr.Dataset:
    """Sets of a few labels, some much more frequent than others; a tenth is not rated."""
    rng = np.random.default_rng(2)
    share = np.exp(-np.arange(labels) / 9)
    share /= share.sum()
    truth = np.zeros((items, labels), dtype=bool)
    count = rng.choice(4, items, p=[0.05, 0.7, 0.2, 0.05])
    for kth in range(3):
        more = np.flatnonzero(count > kth)
        truth[more, rng.choice(labels, len(more), p=share)] = True
    mass = np.empty((items, annotators, labels))
    for annotator in range(annotators):
        kept = truth & (rng.random(truth.shape) < 0.75)
        mass[:, annotator] = kept | (rng.random(truth.shape) < 0.01 * labels * share)
    mass[rng.random(mass.shape[:2]) < 0.1] = np.nan
    names = [f"label {k}" for k in range(labels)]
    coords = {"item": np.arange(items), "annotator": np.arange(annotators), "label": names}
    attrs = {"task": "multi_label", "labels_declared": 1, "labels_ordered": 0, "anonymous": 0}
    return xr.Dataset({"mass": (("item", "annotator", "label"), mass)}, coords, attrs)
