"""The tables that benchmarks measure on, all made from fixed seeds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray


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


def numbers(count: int) -> NDArray[np.float64]:
    """So many distinct numbers, two an item."""
    return np.random.default_rng(0).lognormal(size=(count // 2, 2))
