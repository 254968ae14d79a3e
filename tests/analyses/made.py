"""Ratings for the tests of studies."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa

LABELS = ("a", "b", "c")


def random_rows(
    seed: int, items: int = 40, annotators: int = 4, missing: float = 0.25
) -> list[list[Any]]:
    """Rows of labels around a truth, some missing; every item has two ratings or more."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    chosen = np.where(
        rng.random((items, annotators)) < 0.6,
        truth[:, None],
        rng.integers(0, 3, (items, annotators)),
    )
    rows = [[LABELS[code] for code in row] for row in chosen]
    for row in rows:
        for place in rng.permutation(annotators)[: annotators - 2]:
            if rng.random() < missing:
                row[place] = None
    return rows


def wide(rows: list[list[Any]]) -> xr.Dataset:
    """Rows as ratings with all three labels declared."""
    return iaa.from_wide(rows, labels=list(LABELS))


def by_slot(rows: list[list[Any]]) -> xr.Dataset:
    """The same kept by slot."""
    return iaa.data.in_slots(wide(rows))
