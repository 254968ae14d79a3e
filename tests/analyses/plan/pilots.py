"""Pilots for the tests of plans."""

from __future__ import annotations

import numpy as np
import xarray as xr

import iaa_jax as iaa


def drawn(items: int, annotators: int, seed: int, labels: int = 3) -> np.ndarray:
    """Labels of items whose shares come from a Dirichlet distribution."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(labels, 0.4), items)
    point = rng.random((items, annotators, 1))
    return np.minimum((point > shares.cumsum(axis=1)[:, None, :]).sum(axis=2), labels - 1)


def ratings(items: int, annotators: int, seed: int) -> xr.Dataset:
    return iaa.from_wide(drawn(items, annotators, seed), labels=[0, 1, 2])


def labelled(
    items: int, annotators: int, seed: int, prevalence: tuple[float, ...], alpha: float = 0.6
) -> xr.Dataset:
    """Annotators see an item's label with the same chance, and else guess by prevalence."""
    rng = np.random.default_rng(seed)
    labels = len(prevalence)
    truth = rng.choice(labels, (items, 1), p=prevalence)
    guess = rng.choice(labels, (items, annotators), p=prevalence)
    rows = np.where(rng.random(guess.shape) < np.sqrt(alpha), truth, guess)
    return iaa.from_wide(rows, labels=list(range(labels)))
