"""Sets without a cause, of many kinds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import xarray as xr

import iaa_jax as iaa
from findings_study.drawing import (
    ANNOTATORS,
    ITEMS,
    LABELS,
    LETTERS,
    RIGHT,
    dataset,
    large_crowd,
    numbers,
    of_numbers,
    of_sets,
    of_spans,
    of_steps,
    rated,
    repeated,
    steps,
    truth,
    two_of_eight,
)


def _clean(
    annotators: int = ANNOTATORS,
    items: int = ITEMS,
    right: float = RIGHT,
    shares: object = None,
    missing: float = 0.0,
    hardness: float = 0.0,
) -> Callable[[np.random.Generator], xr.Dataset]:
    def draw(random: np.random.Generator) -> xr.Dataset:
        true = truth(random, items, shares)
        of_items = np.full((items, 1), right)
        if hardness:
            of_items = random.beta(right / hardness, (1 - right) / hardness, (items, 1))
        codes = rated(random, true, annotators, of_items)
        gaps = random.random(codes.shape) < missing
        ratings = dataset(codes, gaps=gaps)
        kinds = random.choice(np.array(["news", "chat", "blog"], dtype=object), items)
        documents = np.array([f"d{number:03}" for number in random.integers(0, items // 5, items)])
        columns = {"source": ("item", kinds), "document": ("item", documents.astype(object))}
        return ratings.assign_coords(
            {
                name: (axis, values[: ratings.sizes["item"]])
                for name, (axis, values) in columns.items()
            }
        )

    return draw


def _crowd(random: np.random.Generator) -> xr.Dataset:
    codes = rated(random, truth(random), 8)
    order = np.argsort(random.random(codes.shape), axis=1)
    return dataset(codes, gaps=order >= 3)


def _sets_of_two(random: np.random.Generator) -> xr.Dataset:
    holds = random.random((ITEMS, 4)) < 0.2
    sets = random.random((ITEMS, 8, 4)) < np.where(holds[:, None], 0.85, 0.03)
    left = np.argsort(random.random((ITEMS, 8)), axis=1) < 2
    rows = [
        [{*LETTERS[:4][one]} if there else None for one, there in zip(row, some, strict=True)]
        for row, some in zip(sets, left, strict=True)
    ]
    return iaa.from_sets(rows)


def _sets_alike(random: np.random.Generator) -> xr.Dataset:
    holds = random.random((ITEMS, 4)) < 0.2
    return of_sets(random.random((ITEMS, ANNOTATORS, 4)) < np.where(holds[:, None], 0.85, 0.03))


def _batches(random: np.random.Generator) -> xr.Dataset:
    """Three of eight annotators a batch, in turn."""
    codes = rated(random, truth(random), 8)
    gaps = np.ones(codes.shape, dtype=bool)
    for batch in range(10):
        at = slice(batch * ITEMS // 10, (batch + 1) * ITEMS // 10)
        gaps[at, random.choice(8, 3, replace=False)] = False
    return dataset(codes, gaps=gaps)


def _many_sources(random: np.random.Generator) -> xr.Dataset:
    """Two annotators who hardly agree, on items of twelve sources."""
    ratings = dataset(rated(random, truth(random, 240), 2, 0.45), dates=False)
    sources = np.array([f"s{number:02}" for number in np.arange(240) % 12], dtype=object)
    return ratings.assign_coords(source=("item", sources))


def _hard_end(random: np.random.Generator) -> xr.Dataset:
    """Items that everybody finds hard come last."""
    true = truth(random)
    right = np.where(np.arange(ITEMS) < 340, 0.995, 0.6)[:, None]
    return dataset(rated(random, true, right=right))


def _conversations(random: np.random.Generator) -> xr.Dataset:
    """Everybody misreads a conversation of ten items as a whole now and then."""
    true = truth(random)
    conversation = np.arange(ITEMS) // 10
    shift = np.where(random.random((40, ANNOTATORS)) < 0.15, random.integers(1, LABELS, (40, 1)), 0)
    codes = (rated(random, true, right=0.9) + shift[conversation]) % LABELS
    names = np.array([f"c{number:02}" for number in conversation], dtype=object)
    return dataset(codes).assign_coords(conversation=("item", names))


def _rated_twice(random: np.random.Generator) -> xr.Dataset:
    """One of three rates all twice, and mostly repeats himself."""
    codes = rated(random, truth(random, 300), 3, 0.8)
    again = np.where(random.random(300) < 0.9, codes[:, 0], rated(random, codes[:, 0], 1)[:, 0])
    ratings = iaa.from_wide(LETTERS[np.column_stack([codes, again])])
    given_by = ("annotator", np.array(list("abca"), dtype=object))
    names = np.array(["a", "b", "c", "a (2)"], dtype=object)
    return ratings.assign_coords(annotator=names, given_by=given_by)


CLEAN = {
    "usual": _clean(),
    "three annotators": _clean(3),
    "two annotators": _clean(2),
    "eight annotators": _clean(8),
    "small": _clean(items=60),
    "skewed": _clean(shares=[0.9, 0.04, 0.03, 0.02, 0.01]),
    "hardly agreed": _clean(right=0.4),
    "nearly perfect": _clean(right=0.99),
    "gaps": _clean(missing=0.3),
    "hard and easy items": _clean(hardness=0.8),
    "crowd of three an item": _crowd,
    "batches": _batches,
    "numbers": lambda random: of_numbers(numbers(random)),
    "sets": _sets_alike,
    "spans": of_spans,
    "large crowd": large_crowd,
    "skewed crowd": lambda random: large_crowd(random, [0.91, 0.09, 0, 0, 0], 0.98),
    "twelve sources": _many_sources,
    "hard items last": _hard_end,
    "conversations": _conversations,
    "rated twice": _rated_twice,
    "two of eight": lambda random: two_of_eight(random, rated(random, truth(random), 8)),
    "sets by two of eight": _sets_of_two,
    "steps": lambda random: of_steps(steps(random)),
    "hardly any slips": lambda random: repeated(random, 0.03, 0.87, 60),
    "all errors are slips": lambda random: repeated(random, 0.15, 1.0, 60),
}
TRUE = {
    ("conversations", "clusters", ""),
    ("all errors are slips", "self_disagreement", ""),
}
"""What is so of clean sets of a kind, and may be said: of nobody by name."""
