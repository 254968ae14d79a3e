"""Draw chance continua: what annotators could have marked by chance (Mathet et al. 2015, 5.2).

A continuum has a line of units for each annotator. Each line of a chance continuum holds the units
of an annotator of the document, who is drawn with replacement. The units of a line are shifted by
the same distance along the document, and wrap around from its end to its beginning. A shift is
drawn again, a limited number of times, while it differs from another line's shift by less than half
the mean length of a unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.data.marked.disorder.continua import Continua
from iaa_jax.data.marked.numbers import expanded

_ATTEMPTS = 64
"""Maximum number of draws of a shift; the last one is kept even if it is too close to another."""


class ChanceContinua:
    """Draws of chance continua from an observed continuum with at least one unit."""

    def __init__(
        self, observed: Continua, reach: tuple[float, float], seed: int, *, measured: bool = False
    ) -> None:
        self.observed, self.measured = observed, measured
        self.low, self.width = reach[0], max(int(reach[1] - reach[0]), 1)
        self.begins = np.searchsorted(observed.annotator, np.arange(observed.annotators + 1))
        self.gap = float((observed.end - observed.start).mean()) / 2
        # random numbers depend on the seed and the places in this document, not on other documents
        places = np.stack([observed.start - self.low, observed.end - self.low])
        if measured:  # the seed depends on the order of places, not on the unit of measurement
            places = np.unique(places, return_inverse=True)[1]
        self.random = np.random.Generator(np.random.Philox([seed, crc32(places.tobytes())]))

    def draws(self, number: int, units: int) -> Iterator[Continua]:
        """Yield ``number`` chance continua, in batches of about ``units`` units."""
        most = max(units // len(self.observed.label), 1)
        for done in range(0, number, most):
            yield self.draw(min(most, number - done))

    def draw(self, number: int) -> Continua:
        """Return ``number`` chance continua, each with at least one unit."""
        observed, annotators = self.observed, self.observed.annotators
        source, shift = self._sources(number).reshape(-1), self._shifts(number).reshape(-1)
        of_line, place = expanded(self.begins[source], self.begins[source + 1])
        start = self.low + np.mod(
            observed.start[place] - self.low + shift[of_line], float(self.width)
        )
        return Continua(
            number,
            annotators,
            of_line // annotators,
            of_line % annotators,
            start,
            start + (observed.end - observed.start)[place],
            observed.label[place],
        )

    def _sources(self, number: int) -> Integers:
        """Return the source of each line of the chance continua: an annotator of the document."""
        annotators, counts = self.observed.annotators, np.diff(self.begins)
        source = self.random.integers(annotators, size=(number, annotators))
        while (empty := counts[source].sum(axis=1) == 0).any():
            source[empty] = self.random.integers(annotators, size=(int(empty.sum()), annotators))
        return source

    def _anywhere(self, number: int) -> Floats | Integers:
        if self.measured:
            return self.random.random(number) * self.width
        return self.random.integers(self.width, size=number)

    def _shifts(self, number: int) -> Floats:
        annotators = self.observed.annotators
        shifts = np.empty((number, annotators))
        for line in range(annotators):
            close = np.ones(number, dtype=bool)
            for _ in range(_ATTEMPTS):
                shifts[close, line] = self._anywhere(int(close.sum()))
                distance = np.abs(shifts[:, :line] - shifts[:, line, None])
                close = (np.minimum(distance, self.width - distance) < self.gap).any(axis=1)
                if not close.any():
                    break
        return shifts
