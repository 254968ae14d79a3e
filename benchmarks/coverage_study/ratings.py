"""Data sets the way annotation projects make them: what the designs of kinds.py draw from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray as xr

import iaa_jax as iaa

Draw = Callable[[np.random.Generator, int], xr.Dataset]

CUTS = (0.3, 0.8, 1.2, 1.6, 2.0, 2.5)
"""Of a standard normal into seven points, most of it in the lowest."""


def numbers(shape: str = "normal", differ: float = 0.0) -> Draw:
    """Items with standard deviation 1, errors with .7, and three annotators who differ so much."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        if shape == "t3":
            far = stream.standard_t(3, (items, 4)) / np.sqrt(3)
        else:
            far = stream.normal(size=(items, 4))
        value = far[:, :1] + 0.7 * far[:, 1:] + differ * stream.normal(size=(1, 3))
        if shape == "outliers":
            out = stream.random(value.shape) < 0.03
            value = np.where(out, value + 6 * stream.normal(size=value.shape), value)
        return iaa.from_values(value)

    return drawn


def seven_points(error: float) -> Draw:
    """Three annotators on seven points."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        value = stream.normal(size=(items, 1)) + error * stream.normal(size=(items, 3))
        return iaa.from_wide((value[:, :, None] > np.array(CUTS)).sum(axis=-1), labels=range(7))

    return drawn


def _answers(
    stream: np.random.Generator, truth: np.ndarray, knows: np.ndarray, share: Sequence[float]
) -> np.ndarray:
    """Three annotators who know the truth of an item with some probability, and else guess."""
    shape = (len(truth), 3)
    guess = stream.choice(len(share), size=shape, p=share)
    return np.where(stream.random(shape) < knows[:, None], truth[:, None], guess)


def kinds_of_items(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Three labels; three items of ten are hard, and hardly known."""
    share = (0.5, 0.3, 0.2)
    hard = stream.random(items) < 0.3
    truth = stream.choice(3, size=items, p=share)
    codes = _answers(stream, truth, np.where(hard, 0.1, 0.8), share)
    return iaa.from_wide(codes, labels=range(3))


def many_annotators(stream: np.random.Generator, items: int) -> xr.Dataset:
    """123 annotators on items anywhere between yes and no."""
    share = stream.beta(0.6, 2.4, size=items)
    yes = stream.binomial(123, share)
    return iaa.from_counts(np.stack([123 - yes, yes], axis=1))


def documents(sizes: Callable[[int], np.ndarray]) -> Draw:
    """Documents that lean to labels of their own, and are easy or hard."""
    share = np.array([0.5, 0.3, 0.2])

    def drawn(stream: np.random.Generator, number: int) -> xr.Dataset:
        document = np.repeat(np.arange(number), sizes(number))
        lean = stream.dirichlet(4 * share, size=number)[document]
        knows = np.clip(0.6 + 0.25 * stream.normal(size=number), 0, 1)[document]
        truth = (stream.random((len(document), 1)) > lean.cumsum(axis=1)[:, :2]).sum(axis=1)
        ratings = iaa.from_wide(_answers(stream, truth, knows, share.tolist()), labels=range(3))
        return ratings.assign_coords(document=("item", document))

    return drawn


def second_labels(stream: np.random.Generator, items: int) -> xr.Dataset:
    """Two annotators, four labels, and a second label on three ratings of ten."""
    truth = stream.integers(0, 4, items)
    other = (truth + stream.integers(1, 4, items)) % 4
    columns: dict[str, list[Any]] = {"label": [], "secondary": []}
    for _ in range(2):
        first = np.where(stream.random(items) < 0.7, truth, other)
        second = np.where(first == truth, other, truth)
        columns["label"] += [f"l{code}" for code in first]
        two = stream.random(items) < 0.3
        columns["secondary"] += [f"l{c}" if t else None for c, t in zip(second, two, strict=True)]
    item = np.tile(np.arange(items), 2)
    who = np.repeat(["ann", "ben"], items)
    return iaa.from_long({"item": item, "annotator": who, **columns}, secondary="secondary")
