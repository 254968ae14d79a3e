"""Numbers that are no normal ones, and annotators drawn anew who are not alike.

Skewed numbers, and numbers that pile up at an end; annotators with a scale or a noise of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import xarray as xr

import iaa_jax as iaa
from coverage_study.ratings import Draw

APART = np.array([0.0, 0.3, -0.2, 0.1, 0.2])
"""How far fixed annotators are apart."""

NUMBERS = (
    *product(("gamma", "log-normal .5", "ceiling"), (12, 25, 60, 150)),
    *(("no negatives", 40), ("noise with size", 30), ("uniform", 12), ("uniform", 30)),
)
"""Shapes of numbers, and how many items."""


def unlike_numbers(shape: str, annotators: int = 3) -> Draw:
    """Fixed annotators; items are skewed, pile up at an end, or are hard where they are high."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        size, apart = (items, annotators), APART[:annotators]
        z, e = stream.normal(size=(items, 1)), stream.normal(size=size)
        if shape == "gamma":
            value = stream.gamma(2, 0.5**0.5, (items, 1)) + apart + 0.5 * e
        elif shape == "log-normal .5":
            value = np.exp(0.5 * z + 0.25 * e)
        elif shape == "ceiling":
            value = np.clip(np.round(8.5 + 2 * z + e), 0, 10)
        elif shape == "no negatives":
            some = stream.random((items, 1)) < 0.3
            value = some * stream.integers(1, 10, (items, 1)) + stream.poisson(0.4, size)
        elif shape == "noise with size":
            high = stream.random((items, 1))
            value = high + e * (0.02 + 0.4 * high**2)
        else:
            value = 4 * stream.random((items, 1)) + 0.6 * e
        return iaa.from_values(value.astype(float))

    return drawn


class Annotators:
    """Numbers of annotators drawn anew, ``a + b x + s e`` with a, b and s an annotator's own.

    ``between`` is the covariance of two annotators over items, ``own`` the mean variance of one
    over items, and ``apart`` the variance of their means: ICC(2) is ``between / (own + apart)``.
    """

    def __init__(
        self,
        of: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]],
        scale_squared: float,
        noise_squared: float,
        *,
        mean_scale: float = 1.0,
        apart: float = 0.09,
        gamma: bool = False,
    ) -> None:
        self.of, self.apart, self.gamma = of, apart, gamma
        self.between, self.own = mean_scale**2, scale_squared + noise_squared

    def draw(self, annotators: int) -> Draw:
        """Data sets of so many."""

        def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
            scale, noise = self.of(stream, annotators)
            if self.gamma:  # with mean 0 and variance 1
                value = stream.gamma(2, 0.5**0.5, (items, 1)) - 2**0.5
            else:
                value = stream.normal(size=(items, 1))
            means = self.apart**0.5 * stream.normal(size=annotators)
            return iaa.from_values(
                value * scale + means + noise * stream.normal(size=(items, annotators))
            )

        return drawn

    def truths(self, annotators: int) -> Sequence[float]:
        """ICC(2) and ICC(2,k) of endless annotators."""
        rest = self.own - self.between + self.apart
        return [
            self.between / (self.between + rest),
            self.between / (self.between + rest / annotators),
        ]


def _scale(stream: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    return stream.normal(1, 0.35, k), np.full(k, 0.5)


def _noise(stream: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    return np.ones(k), np.exp(stream.normal(-0.7, 0.6, k))


def _both(stream: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    return stream.normal(1, 0.25, k), np.exp(stream.normal(-0.7, 0.4, k))


def _careless(stream: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    careless = stream.random(k) < 0.2
    return np.where(careless, 0.4, 1.0), np.where(careless, 1.2, 0.5)


def _alike(_: np.random.Generator, k: int) -> tuple[np.ndarray, np.ndarray]:
    return np.ones(k), np.full(k, 0.5)


def _noisy(mean: float, deviation: float) -> float:
    return float(np.exp(2 * mean + 2 * deviation**2))


WAYS = {
    "scale": Annotators(_scale, 1 + 0.35**2, 0.25),
    "noise": Annotators(_noise, 1.0, _noisy(-0.7, 0.6)),
    "scale and noise": Annotators(_both, 1 + 0.25**2, _noisy(-0.7, 0.4)),
    "one in five careless": Annotators(
        _careless, 0.8 + 0.2 * 0.16, 0.8 * 0.25 + 0.2 * 1.44, mean_scale=0.88
    ),
    "alike, gamma items": Annotators(_alike, 1.0, 0.25, gamma=True),
    "alike, far apart": Annotators(_alike, 1.0, 0.25, apart=1.0),
    "alike, hardly apart": Annotators(_alike, 1.0, 0.25, apart=0.01),
}
"""How annotators who are drawn anew differ."""

SIZES = {
    "scale": ((30, 5), (60, 10), (60, 3), (30, 4), (100, 5), (200, 3), (20, 8), (40, 2)),
    "noise": ((30, 5), (60, 10), (60, 3), (150, 5), (15, 6), (40, 2)),
    "scale and noise": ((50, 6), (50, 4), (200, 10)),
    "one in five careless": ((50, 5), (50, 10), (100, 20)),
    "alike, gamma items": ((40, 4), (25, 8)),
    "alike, far apart": ((40, 4), (100, 8)),
    "alike, hardly apart": ((40, 4), (100, 8), (15, 15)),
}
"""Items, and annotators."""

OF_LABELS = ((60, 3), (60, 5), (60, 10), (30, 3), (200, 3), (200, 4), (40, 6))
"""Items, and annotators drawn anew who give labels."""

PREVALENCE, SKILL = (0.5, 0.3, 0.2), (7, 2)


def labels_of_drawn(annotators: int) -> Draw:
    """Annotators drawn anew with a skill and a favourite of their own, on three labels."""

    def drawn(stream: np.random.Generator, items: int) -> xr.Dataset:
        shape = (items, annotators)
        truth = stream.choice(3, size=(items, 1), p=PREVALENCE)
        knows = stream.random(shape) < stream.beta(*SKILL, annotators)
        favourite = stream.integers(3, size=annotators)
        other = np.where(stream.random(shape) < 0.6, favourite, stream.integers(3, size=shape))
        return iaa.from_wide(np.where(knows, truth, other), labels=range(3))

    return drawn


def truths_of_labels() -> list[float]:
    """Alpha, AC1 and percent agreement of two annotators of endlessly many."""
    knows = SKILL[0] / sum(SKILL)
    given = knows * np.eye(3) + (1 - knows) / 3  # (true, label): favourites are spread evenly
    share = np.array(PREVALENCE) @ given
    observed = float(np.array(PREVALENCE) @ (given**2).sum(axis=1))
    expected = float((share**2).sum())
    by_chance = float((share * (1 - share)).sum() / 2)
    return [
        (observed - expected) / (1 - expected),
        (observed - by_chance) / (1 - by_chance),
        observed,
    ]
