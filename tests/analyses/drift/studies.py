"""A study with a planted fall, for tests of its conclusion and its page."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.shared.times import Times, times_of


@cache
def ratings() -> xr.Dataset:
    """Return three ratings on each of 60 days; from day 36 on with another annotator and less
    truth."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 240)
    day = np.arange(240) // 4
    rows: list[list[Any]] = []
    for item in range(240):
        quality = 0.9 if day[item] < 36 else 0.5
        seen = [truth[item] if rng.random() < quality else rng.integers(0, 3) for _ in range(3)]
        row = ["xyz"[code] for code in seen]
        rows.append([*row, None] if day[item] < 36 else [*row[:2], None, row[2]])
    days = np.datetime64("2024-03-01") + day
    columns = {
        name: [row[k] for row in rows] for k, name in enumerate(["ann", "bob", "cleo", "dora"])
    }
    found = iaa.from_wide(np.array(list(columns.values()), dtype=object).T)
    found = found.assign_coords(annotator=list(columns))
    part = np.array(["pilot", "second", "main", "last"], dtype=object)[np.arange(240) // 60]
    return found.assign_coords(
        day=("item", days.astype("datetime64[ns]")),
        batch=("item", np.array([f"b {one // 6 + 1}" for one in day], dtype=object)),
        part=("item", part),
        half=("item", np.arange(240) // 120),
    )


@cache
def study(by: str = "day", **options: Any) -> xr.Dataset:
    """A study of the fall with few replicates."""
    given = {"interval": "normal", "replicates": 100, "permutations": 99, **options}
    return iaa.drift(ratings(), by, **given)


def times(by: str) -> Times:
    """Return how its times are read."""
    return times_of(Rated.of(ratings()), by)
