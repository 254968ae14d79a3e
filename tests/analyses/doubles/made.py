"""Ratings with secondary labels for the tests of sweeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import xarray as xr

import iaa_jax as iaa

Rating = tuple[str, str | None]

TABLE_1: list[Rating] = [("a", "b"), ("b", "a"), ("b", None), ("c", None), ("c", "b")]
"""Table 1 of Rosenberg and Binkowski (2004), labeler A."""


def ratings_of(rows: list[list[Rating | None]], labels: str | list[str]) -> xr.Dataset:
    """Items x annotators of (primary, secondary or None); None is not rated."""
    cells = [
        (item, f"annotator {place}", *cell)
        for item, row in enumerate(rows)
        for place, cell in enumerate(row)
        if cell is not None
    ]
    frame = pd.DataFrame(cells, columns=["item", "annotator", "label", "secondary"])
    return iaa.from_long(frame, secondary="secondary", labels=list(labels))


def made_rows(
    items: int = 40, annotators: int = 3, labels: int = 4, seed: int = 0, gaps: float = 0.0
) -> list[list[Rating | None]]:
    """Annotators agree more often than not, and sometimes name a second label."""
    rng = np.random.default_rng(seed)
    names = "abcdefghijklmnop"[:labels]
    rows: list[list[Rating | None]] = []
    for item in range(items):
        truth, also = rng.choice(labels, 2, replace=False)
        row: list[Rating | None] = []
        for _ in range(annotators):
            primary = truth if rng.random() < 0.5 else rng.integers(labels)
            secondary = also if rng.random() < 0.5 else rng.integers(labels)
            double = rng.random() < 0.5 and secondary != primary
            missing = rng.random() < gaps and item > 1
            row.append(None if missing else (names[primary], names[secondary] if double else None))
        rows.append(row)
    return [row if any(row) else [("a", None)] * annotators for row in rows]


def made(
    items: int = 40, annotators: int = 3, labels: int = 4, seed: int = 0, gaps: float = 0.0
) -> xr.Dataset:
    """Return rows of `made_rows` as ratings."""
    rows = made_rows(items, annotators, labels, seed, gaps)
    return ratings_of(rows, "abcdefghijklmnop"[:labels])
