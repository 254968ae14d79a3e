"""How ratings are drawn, with causes and without."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import xarray as xr

import iaa_jax as iaa

ITEMS, ANNOTATORS, LABELS = 400, 4, 5
RIGHT = 0.85
NAMES = ["ann", "bob", "cat", "dan", "eve", "fay", "guy", "hal"]
LETTERS = np.array(["a", "b", "c", "d", "e", "f", "g", "h"], dtype=object)
DAYS = np.datetime64("2026-01-05")
Drawn = tuple[xr.Dataset, Callable[[xr.Dataset], bool]]


def truth(random: np.random.Generator, items: int = ITEMS, shares: object = None) -> np.ndarray:
    """The label of each item."""
    p = np.full(LABELS, 1 / LABELS) if shares is None else np.asarray(shares)
    return random.choice(len(p), size=items, p=p)


def rated(
    random: np.random.Generator,
    true: np.ndarray,
    annotators: int = ANNOTATORS,
    right: object = RIGHT,
    labels: int = LABELS,
) -> np.ndarray:
    """Codes (item, annotator): right with a probability, else any other label."""
    shape = (len(true), annotators)
    wrong = (true[:, None] + random.integers(1, labels, shape)) % labels
    return np.where(random.random(shape) < right, true[:, None], wrong)


def dataset(codes: np.ndarray, *, gaps: np.ndarray | None = None, dates: bool = True) -> xr.Dataset:
    """Codes as ratings, with dates in the order of the items; ``gaps`` are not rated."""
    table = LETTERS[codes]
    if gaps is not None:
        table[gaps] = None
    ratings = iaa.from_wide(table)
    ratings = ratings.assign_coords(annotator=np.array(NAMES[: codes.shape[1]], dtype=object))
    if dates:
        stamps = DAYS + (np.arange(len(ratings["item"])) // 20).astype("timedelta64[D]")
        ratings = ratings.assign_coords(day=("item", stamps.astype("datetime64[ns]")))
    return ratings


def names(kind: str, **wanted: str) -> Callable[[xr.Dataset], bool]:
    """Whether a finding is of a kind, and is about what it should be."""

    def is_there(result: xr.Dataset) -> bool:
        told = (result[name].values.tolist() for name in ("kind", *wanted))
        return (kind, *wanted.values()) in zip(*told, strict=True)

    return is_there


def numbers(random: np.random.Generator) -> np.ndarray:
    level = random.normal(50, 10, (ITEMS, 1))
    return level + random.normal(0, 5, (ITEMS, ANNOTATORS))


def of_numbers(values: np.ndarray) -> xr.Dataset:
    ratings = iaa.from_values(values)
    return ratings.assign_coords(annotator=np.array(NAMES[: values.shape[1]], dtype=object))


def of_sets(sets: np.ndarray) -> xr.Dataset:
    rows = [[{*LETTERS[: sets.shape[2]][holds]} for holds in row] for row in sets]
    ratings = iaa.from_sets(rows)
    return ratings.assign_coords(annotator=np.array(NAMES[: sets.shape[1]], dtype=object))


def of_spans(random: np.random.Generator, kept: object = 0.85) -> xr.Dataset:
    """60 documents of about eight spans of three labels, each seen by each with a probability."""
    seen = np.broadcast_to(np.asarray(kept), (ANNOTATORS,))
    documents = {}
    for number in range(60):
        starts = np.sort(random.choice(60, size=random.integers(5, 12), replace=False)) * 10
        true = [
            (int(at), int(at + random.integers(2, 8)), "XYZ"[random.integers(3)]) for at in starts
        ]
        documents[f"d{number:02}"] = {
            NAMES[who]: [span for span in true if random.random() < seen[who]]
            for who in range(ANNOTATORS)
        }
    return iaa.from_spans(documents)


def two_of_eight(random: np.random.Generator, codes: np.ndarray) -> xr.Dataset:
    """Two of eight annotators an item, each with all others in turn."""
    order = np.argsort(random.random(codes.shape), axis=1)
    return dataset(codes, gaps=order >= 2)


def steps(random: np.random.Generator) -> np.ndarray:
    """Steps of a scale from 1 to 5, mostly next to the true one if not on it."""
    true = random.integers(1, 6, (ITEMS, 1))
    return np.clip(true + random.choice([-1, 0, 0, 0, 1], (ITEMS, ANNOTATORS)), 1, 5)


def of_steps(codes: np.ndarray) -> xr.Dataset:
    ratings = iaa.from_wide(codes.tolist(), labels=[1, 2, 3, 4, 5])
    return ratings.assign_coords(annotator=np.array(NAMES[: codes.shape[1]], dtype=object))


def repeated(random: np.random.Generator, slips: object, right: float, again: int) -> xr.Dataset:
    """What each thinks of an item is right with a probability; then each answer may be a slip.

    The first items are rated again by all.
    """
    opinions = rated(random, truth(random), right=right)
    twice = np.column_stack([opinions, opinions])
    wrong = (twice + random.integers(1, LABELS, twice.shape)) % LABELS
    slipped = random.random(twice.shape) < np.tile(np.broadcast_to(slips, ANNOTATORS), 2)
    table = LETTERS[np.where(slipped, wrong, twice)]
    table[again:, ANNOTATORS:] = None
    names = [*NAMES[:ANNOTATORS], *(f"{name} (2)" for name in NAMES[:ANNOTATORS])]
    given_by = np.array([*NAMES[:ANNOTATORS]] * 2, dtype=object)
    ratings = iaa.from_wide(table).assign_coords(annotator=np.array(names, dtype=object))
    return ratings.assign_coords(given_by=("annotator", given_by))


def large_crowd(
    random: np.random.Generator, shares: object = None, right: float = 0.93, alone: int = 0
) -> xr.Dataset:
    """1,500 items, three of 150 annotators each; the first ``alone`` of these give one label."""
    true = truth(random, 1500, shares)
    who = np.argsort(random.random((1500, 150)), axis=1)[:, :3]
    codes = np.where(who < alone, 0, rated(random, true, 3, right))
    rows = {
        "item": np.repeat(np.arange(1500), 3),
        "annotator": [f"w{number:03}" for number in who.ravel()],
        "label": LETTERS[codes.ravel()],
    }
    return iaa.from_long(rows)


def options(ratings: xr.Dataset) -> dict[str, str]:
    """Steps are measured as such."""
    return {"level": "ordinal"} if ratings.attrs["labels_declared"] else {}
