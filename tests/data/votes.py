"""Rows in which annotators rate items several times, and votes made of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa

Row = tuple[str, str, str]

COLUMNS = ["item", "annotator", "label"]

ROWS: list[Row] = [
    ("i1", "ann", "x"),
    ("i1", "bob", "y"),
    ("i1", "ann", "y"),
    ("i1", "ann", "x"),
    ("i2", "bob", "x"),
    ("i2", "ann", "y"),
    ("i2", "bob", "x"),
    ("i3", "bob", "x"),
    ("i3", "cleo", "y"),
]
"""Ann votes three times on the first item, and Bob twice on the second."""


def votes(rows: Sequence[Row], labels: Sequence[str] | None = None) -> xr.Dataset:
    """The rows as ratings, of which repeated ones are votes."""
    declared = labels or (["x", "y", "z"] if "z" in {row[2] for row in rows} else None)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return iaa.from_long(frame, duplicates="votes", labels=declared)


def random_rows(
    seed: int, items: int = 12, annotators: int = 4, most: int = 3, labels: str = "xyz"
) -> list[Row]:
    """Votes around a truth, none to ``most`` of each annotator on each item, in any order."""
    rng = np.random.default_rng([seed, items, annotators])
    truth = rng.integers(0, len(labels), items)
    skill = rng.uniform(0.4, 0.9, annotators)
    rows = []
    for item in range(items):
        for who in range(annotators):
            for _ in range(rng.integers(0 if who else 1, most + 1)):
                right = rng.random() < skill[who]
                code = truth[item] if right else rng.integers(0, len(labels))
                rows.append((f"i{item}", f"a{who}", labels[code]))
    order = rng.permutation(len(rows))
    return [rows[place] for place in order]
