"""Data sets the way annotation projects make them: what the designs of kinds.py draw from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import xarray as xr

import iaa_jax as iaa

Draw = Callable[[np.random.Generator, int], xr.Dataset]


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


def _answers(
    stream: np.random.Generator, truth: np.ndarray, knows: np.ndarray, share: Sequence[float]
) -> np.ndarray:
    """Three annotators who know the truth of an item with some probability, and else guess."""
    shape = (len(truth), 3)
    guess = stream.choice(len(share), size=shape, p=share)
    return np.where(stream.random(shape) < knows[:, None], truth[:, None], guess)


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
