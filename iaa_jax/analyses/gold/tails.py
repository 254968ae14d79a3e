"""Quantiles of many replicates of which only the outermost are kept."""

from __future__ import annotations

import math

import numpy as np

from iaa_jax._types import Floats


class Tails:
    """The smallest and largest of so many replicates (replicate, ...): the same ends as of all.

    Quantiles near the ends stand on the outermost order statistics alone, so the memory follows
    the tails and no more. Kept in float32.
    """

    def __init__(self, replicates: int, confidence: float) -> None:
        self.position = (replicates - 1) * (1 - confidence) / 2
        self._most = min(math.floor(self.position) + 2, replicates)
        self._low: Floats | None = None
        self._high: Floats | None = None

    def add(self, values: Floats) -> None:
        """Some further replicates."""
        values = values.astype(np.float32)
        self._low = self._smallest(values, self._low)
        self._high = self._smallest(-values, self._high)

    def _smallest(self, values: Floats, kept: Floats | None) -> Floats:
        everything = values if kept is None else np.concatenate([kept, values])
        if len(everything) > self._most:
            everything = np.partition(everything, self._most - 1, axis=0)
        return everything[: self._most].copy()

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The quantiles, linear between order statistics."""
        if self._low is None or self._high is None:
            message = "there are no replicates yet"
            raise ValueError(message)
        return self._at(self._low), -self._at(self._high)

    def _at(self, smallest: Floats) -> Floats:
        ordered = np.sort(smallest.astype(np.float64), axis=0)
        below = math.floor(self.position)
        above = min(below + 1, len(ordered) - 1)
        return np.asarray(
            ordered[below] + (self.position - below) * (ordered[above] - ordered[below])
        )
