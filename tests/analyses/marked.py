"""Spans that the tests of analyses share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa

Units = Mapping[str, Mapping[str, Sequence[tuple[int, int, str]]]]
"""By document and annotator what was marked: (start, end, label)."""

LABELS = ("LOC", "ORG", "PER")


def units(
    documents: int,
    seed: int,
    annotators: Sequence[str] = ("ann", "bob", "cleo"),
    prefix: str = "d",
    seen: float = 1.0,
) -> dict[str, dict[str, list[tuple[int, int, str]]]]:
    """Marks around a truth: some are left out, moved, or of another label."""
    rng = np.random.default_rng(seed)
    made = {}
    for number in range(documents):
        starts = np.cumsum(rng.integers(5, 15, rng.integers(1, 8)))
        truth = [
            (int(start), int(start) + int(rng.integers(2, 6)), str(rng.choice(LABELS)))
            for start in starts
        ]
        made[f"{prefix}{number}"] = {
            who: [
                (start + int(rng.random() < 0.2), end, label if rng.random() < 0.9 else "ORG")
                for start, end, label in truth
                if rng.random() < 0.85
            ]
            for place, who in enumerate(annotators)
            if place < 2 or rng.random() < seen
        }
    return made


def as_spans(made: Units) -> xr.Dataset:
    """The same as a Dataset of documents of 200 characters."""
    return iaa.from_spans(made, lengths=dict.fromkeys(made, 200))


def marked(documents: int, seed: int, *args: Any, **how: Any) -> xr.Dataset:
    """Marks with batches of ten, halves, and times."""
    place = np.arange(documents)
    return as_spans(units(documents, seed, *args, **how)).assign_coords(
        batch=("document", place // 10), half=("document", place % 2), time=("document", place)
    )
