"""Permute ratings at random among the annotators of each item.

If annotators are exchangeable, every assignment of an item's ratings to the annotators who rated it
has the same probability (Fisher's randomisation; Edgington and Onghena 2007). The items of a
cluster are permuted together: all ratings by an annotator in the cluster go to one annotator who
rated the same items of the cluster. If ratings have few distinct orders, and several items have the
same ratings, the number of items with each order is drawn from a multinomial.

Edgington, E. S. and Onghena, P. (2007). Randomization tests, 4th edition. Chapman and Hall.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import factorial, prod
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine.drawing.streams import Purpose, stream

_FEW_ORDERS = 512
"""Up to this number, orders of ratings are enumerated even if they outnumber the items."""


class PermutedBlock(NamedTuple):
    """Patterns (combinations of ratings), with their numbers of items in every permutation."""

    codes: Integers  # (pattern, annotator)
    rows: Floats  # (permutation, pattern)


class WithinItems:
    """Ratings (row, annotator) to permute, -1 for a missing rating.

    ``weight`` is the number of items of each row, and ``cluster`` the cluster of each row.

    For results that do not depend on the input order, sort rows by ``codes``, and annotators and
    clusters by name.
    """

    def __init__(self, codes: Integers, weight: Floats, cluster: Integers | None = None) -> None:
        self._codes, self._weight = codes, weight
        self._cluster = cluster
        self._whole = cluster is None and bool(np.all(weight == np.rint(weight)))

    def blocks(self, exchanges: int, seed: int) -> Iterator[PermutedBlock]:
        """Yield all permutations: together if they show few patterns, otherwise one by one."""
        random = stream(seed, Purpose.EXCHANGED_RATINGS)
        if self._whole and self._orders() <= max(float(self._weight.sum()), _FEW_ORDERS):
            yield self._by_orders(random, exchanges)
            return
        codes, weight, cluster = self._one_by_one()
        for _ in range(exchanges):
            yield PermutedBlock(_exchanged(random, codes, cluster), weight[None, :])

    def _orders(self) -> float:
        return float(sum(map(_ways, self._classes)))

    @cached_property
    def _classes(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
        classes: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
        for row, weight in zip(self._codes, self._weight.tolist(), strict=True):
            rated = np.flatnonzero(row >= 0)
            key = (tuple(rated.tolist()), tuple(sorted(row[rated].tolist())))
            classes[key] = classes.get(key, 0.0) + weight
        return classes

    def _by_orders(self, random: np.random.Generator, exchanges: int) -> PermutedBlock:
        patterns: list[Integers] = []
        columns: list[Floats] = []
        for (rated, given), weight in sorted(self._classes.items()):
            orders = np.array([*_orders_of(given)], dtype=self._codes.dtype)
            several = np.full((len(orders), self._codes.shape[1]), -1, dtype=self._codes.dtype)
            several[:, list(rated)] = orders
            even = np.full(len(orders), 1 / len(orders))
            patterns.append(several)
            drawn = random.multinomial(int(weight), even, size=exchanges)
            columns.append(drawn.astype(np.float64))
        return PermutedBlock(np.concatenate(patterns), np.concatenate(columns, axis=1))

    def _one_by_one(self) -> tuple[Integers, Floats, Integers]:
        if not self._whole:
            rows = np.arange(len(self._codes))
            return self._codes, self._weight, rows if self._cluster is None else self._cluster
        place = np.repeat(np.arange(len(self._codes)), self._weight.astype(np.intp))
        return self._codes[place], np.ones(len(place)), np.arange(len(place))


def _ways(key: tuple[tuple[int, ...], tuple[int, ...]]) -> float:
    _, given = key
    return factorial(len(given)) / prod(factorial(given.count(each)) for each in {*given})


def _orders_of(given: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(given) < 2:
        yield given
        return
    for first in sorted({*given}):
        place = given.index(first)
        for rest in _orders_of(given[:place] + given[place + 1 :]):
            yield (first, *rest)


def _exchanged(random: np.random.Generator, codes: Integers, cluster: Integers) -> Integers:
    alike = _alike(codes, cluster)
    keys = random.random(alike.shape)
    place = np.lexsort((np.broadcast_to(np.arange(alike.shape[1]), alike.shape), alike), axis=1)
    source = np.lexsort((keys, alike), axis=1)
    drawn = np.empty_like(source)
    np.put_along_axis(drawn, place, source, axis=1)
    return np.take_along_axis(codes, drawn[cluster], axis=1)


def _alike(codes: Integers, cluster: Integers) -> Integers:
    """Return numbers (cluster, annotator), equal for annotators who rated the same items."""
    rated = codes >= 0
    number = int(cluster.max(initial=-1)) + 1
    if number == len(codes):
        alike = np.empty(codes.shape, dtype=np.intp)
        alike[cluster] = rated
        return alike
    annotators = codes.shape[1]
    alike = np.zeros((number, annotators), dtype=np.intp)
    for later in range(annotators):
        alike[:, later] = later
        for earlier in range(later - 1, -1, -1):
            different = np.bincount(cluster, rated[:, later] != rated[:, earlier], minlength=number)
            alike[:, later] = np.where(different == 0, alike[:, earlier], alike[:, later])
    return alike
