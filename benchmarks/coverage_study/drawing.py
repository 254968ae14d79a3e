"""Data sets and replicates: counts of patterns, on NumPy's Philox."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Counts = NDArray[np.integer]

_ITEM, _PATTERN = 5.0, 60.0
"""Nanoseconds of an item that is drawn by itself, and of a pattern's binomial."""


def stream(seed: int, *purpose: str | int) -> np.random.Generator:
    """The random stream of a purpose: the same however the study is cut into runs."""
    words = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in purpose]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence([seed, *words])))


@dataclass(frozen=True)
class DataSets:
    """Data sets as units (patterns, or documents) with counts, as many as the fullest set needs.

    Attributes
    ----------
    count : array (data set, place)
        How many items each unit stands for; 0 in places to spare.
    rows : array (data set, place, column)
        The statistics of each unit.
    """

    count: Floats
    rows: Floats

    @property
    def units(self) -> Floats:
        """Units that are drawn, in each data set."""
        return self.count.sum(axis=1)


def compressed(counts: Counts, rows: Floats) -> DataSets:
    """Each data set with only the patterns that it has, the commonest first."""
    order = np.argsort(-counts, axis=1, kind="stable")
    sorted_counts = np.take_along_axis(counts, order, axis=1)
    places = bucket(int((counts > 0).sum(axis=1).max()))
    if places > counts.shape[1]:
        missing = places - counts.shape[1]
        order = np.pad(order, ((0, 0), (0, missing)))
        sorted_counts = np.pad(sorted_counts, ((0, 0), (0, missing)))
    return DataSets(sorted_counts[:, :places].astype(np.float64), rows[order[:, :places]])


def bucket(places: int) -> int:
    """Few sizes, so that few are compiled: 4, 8, 12, 16, 24, 32, 48, 64, ..."""
    if places <= 16:
        return -(-places // 4) * 4
    size = 16
    while size < places:
        if size + size // 2 >= places:
            return size + size // 2
        size *= 2
    return size


def documents(
    kinds: Floats, probability: Floats, items: int, of: int, sets: int, draw: np.random.Generator
) -> Counts:
    """Counts (data set, document, pattern), each document of a kind drawn at random."""
    kind = draw.choice(len(kinds), p=kinds / kinds.sum(), size=(sets, items // of))
    return draw.multinomial(of, sure(probability)[kind])


def replicates(count: Floats, number: int, draw: np.random.Generator) -> Floats:
    """Multinomial counts (data set, replicate, place) of as many units as each data set has."""
    sets, places = count.shape
    units = count.sum(axis=1)
    if np.all(units == units[0]) and units[0] * _ITEM < places * _PATTERN:
        return _by_items(count, int(units[0]), number, draw)
    share = sure(count / units[:, None])
    drawn = draw.multinomial(units.astype(np.int64)[:, None], share[:, None, :], (sets, number))
    return drawn.astype(np.float64)


def _by_items(count: Floats, units: int, number: int, draw: np.random.Generator) -> Floats:
    sets, places = count.shape
    item = draw.integers(units, size=(sets, number * units), dtype=np.uint16)
    place_of = np.stack([np.repeat(np.arange(places), row.astype(np.int64)) for row in count])
    cell = np.take_along_axis(place_of, item.astype(np.intp), axis=1)
    cell += np.repeat(np.arange(number) * places, units)
    cell += (np.arange(sets) * (number * places))[:, None]
    counted = np.bincount(cell.ravel(), minlength=sets * number * places)
    return counted.reshape(sets, number, places).astype(np.float64)


def dirichlet(count: Floats, number: int, draw: np.random.Generator) -> Floats:
    """Weights (data set, replicate, place) of the Bayesian bootstrap, times the units."""
    weight = draw.standard_gamma(count[:, None, :], (len(count), number, count.shape[1]))
    return weight * (count.sum(axis=1)[:, None, None] / weight.sum(axis=-1, keepdims=True))


def sure(share: Floats) -> Floats:
    """Probabilities whose rounding NumPy's multinomial does not mind."""
    return share / np.maximum(share.sum(axis=-1, keepdims=True), 1.0)
