"""Sparse ratings of every task, and slots built with a slow loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa

TASKS = ("single", "primary_secondary", "multi_label", "soft", "value")
STORAGE = {
    "single": "primary",
    "primary_secondary": "primary",
    "multi_label": "mass",
    "soft": "mass",
    "value": "value",
}


def table(seed: int, items: int = 30, annotators: int = 7, panel: int = 3) -> np.ndarray[Any, Any]:
    """Items x annotators of the codes 0, 1, 2, NaN where not rated; a pair on the first item."""
    rng = np.random.default_rng(seed)
    codes = np.full((items, annotators), np.nan)
    for row in codes:
        who = rng.choice(annotators, rng.integers(0, panel + 1), replace=False)
        row[who] = rng.integers(0, 3, len(who))
    codes[0] = np.nan
    codes[0, :3] = [0, 1, 2]
    return codes


def crowd(seed: int, task: str = "single", **size: int) -> xr.Dataset:
    """Ratings in the dense form, with weights and free coordinates."""
    codes = table(seed, **size)
    rng = np.random.default_rng(seed + 1000)
    told = ~np.isnan(codes)
    if task == "value":
        ratings = iaa.from_values(codes / 3)
    elif task == "single":
        ratings = iaa.from_wide(np.where(told, codes, None))
    elif task == "multi_label":
        sets = [[], ["a"], ["a", "c"]]
        ratings = iaa.from_sets(
            [[None if np.isnan(code) else sets[int(code)] for code in row] for row in codes]
        )
    elif task == "primary_secondary":
        items, annotators = np.nonzero(told)
        second = rng.integers(0, 4, len(items))
        first = codes[told].astype(int)
        rows = {
            "item": items,
            "annotator": annotators,
            "label": first,
            "second": np.where((second == first) | (second == 3), np.nan, second),
        }
        # every annotator has a row, so that the annotators are the same on each seed
        named = {
            "item": np.zeros(codes.shape[1], dtype=int),
            "annotator": np.arange(codes.shape[1]),
            "label": np.full(codes.shape[1], np.nan),
            "second": np.full(codes.shape[1], np.nan),
        }
        both = {name: np.concatenate([named[name], rows[name]]) for name in rows}
        ratings = iaa.from_long(both, secondary="second")
    else:
        shares = np.array([[1, 0, 0], [0.5, 0.25, 0.25], [0.25, 0.75, 0], [np.nan] * 3])
        mass = shares[np.where(told, codes, 3).astype(int)]
        ratings = xr.Dataset(
            {"mass": (("item", "annotator", "label"), mass)},
            {
                "item": np.arange(len(mass)),
                "annotator": np.array([f"a{k}" for k in range(mass.shape[1])], dtype=object),
                "label": np.array(["x", "y", "z"], dtype=object),
            },
            {"task": "soft"},
        )
    return ratings.assign(
        item_weight=("item", rng.integers(0, 3, ratings.sizes["item"]) + 0.5)
    ).assign_coords(
        batch=("item", rng.integers(0, 2, ratings.sizes["item"])),
        kind=("annotator", rng.integers(0, 2, ratings.sizes["annotator"])),
    )


def slow_slots(ratings: xr.Dataset) -> tuple[list[list[int]], list[list[Any]]]:
    """Of each item the annotators who rated it in their order, and what they said."""
    values = ratings[STORAGE[ratings.attrs["task"]]].values
    who, said = [], []
    for row in values:
        told = [
            a for a, cell in enumerate(row) if not (np.any(np.isnan(cell)) or np.all(cell == -1))
        ]
        who.append(told)
        said.append([row[a].tolist() for a in told])
    return who, said
