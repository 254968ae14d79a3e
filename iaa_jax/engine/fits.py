"""Methods repeated until nothing changes: once on NumPy, or for many rows of weights compiled."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.padding import bucket, pad_items
from iaa_jax.engine.precision import scope
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights
from iaa_jax.kernels.labelling.votes import ListedPairs, ListedVotes

_THREADS = min(4, os.cpu_count() or 1)

_CELLS = 1 << 24
"""Probabilities of rows (128 MB) that are held together."""

_SHORT = 1 << 14
"""Items up to which every block is full."""

_SMALLEST_LOG = -600.0
"""Of a product of probabilities: beneath it are twice as many digits as a number has."""

_LARGE = 31 * 2**20
"""Bytes, a little less than the largest block that glibc learns to keep."""


class Tolerance(NamedTuple):
    """When a method has come to an end: a change below ``change``, or so many steps."""

    change: float = 1e-6
    steps: int = 1000


class Fit(NamedTuple):
    """Where a method ended; of several rows every array has them first."""

    state: Any
    skill: Floats
    iterations: Integers
    converged: np.ndarray[Any, np.dtype[np.bool_]]

    def row(self, number: int) -> Fit:
        """One of several."""
        state = type(self.state)(*(part[number] for part in self.state))
        return Fit(state, *(part[number] for part in self[1:]))


@dataclass(frozen=True)
class SparseVotes:
    """Listed votes as sparse matrices: the fastest form for one row on a CPU."""

    by_item: Any  # (item, annotator and label)
    listed: ListedVotes

    @classmethod
    def of(cls, votes: ListedVotes, cells: int) -> SparseVotes:
        """From a list, with so many annotators times labels."""
        from scipy.sparse import csr_array

        given = votes.share != 0
        ends = np.append(0, given.sum(axis=1).cumsum())
        # products with short indices take a fifth less; SciPy makes them long again where it must
        short = (each.astype(np.int32) for each in (votes.cell[given], ends))
        by_item = csr_array((votes.share[given], *short), shape=(len(ends) - 1, cells))
        return cls(by_item, votes)

    @cached_property
    def places(self) -> Integers | None:
        """The cell of the first vote of each item, of the second, ...; None of parts of votes.

        An empty place has the number of a cell behind the last.
        """
        share = self.listed.share
        if not np.isin(share, (0, 1)).all():
            return None
        cells = np.where(share > 0, self.listed.cell, self.by_item.shape[1])
        return np.ascontiguousarray(cells.T.astype(np.intp))

    @property
    def known(self) -> Floats | None:
        """The true labels of control items."""
        known: Floats | None = self.listed.known
        return known

    def pairs(self, labels: int) -> ListedPairs:
        """The votes one by one, as they are listed."""
        return self.listed.pairs(labels)

    def scores(self, table: Floats) -> Floats:
        """Sum a table over the votes of each item."""
        shape = table.shape[2:]
        flat = table.reshape(self.by_item.shape[1], -1)
        return np.asarray(self.by_item @ flat).reshape(-1, *shape)

    def products(self, logs: Floats) -> Floats | None:
        """``exp(scores(logs))`` of a few whole votes an item: one exponential a cell of the table.

        None where a product could come near the least number, or items have known labels.
        """
        if self.known is not None or self.places is None:
            return None
        if len(self.places) * logs.min() < _SMALLEST_LOG:
            return None
        table = np.exp(logs.reshape(self.by_item.shape[1], -1))
        table = np.append(table, np.ones((1, table.shape[1])), axis=0)
        product = np.take(table, self.places[0], axis=0)
        for place in self.places[1:]:
            product *= np.take(table, place, axis=0)
        return product

    def totals(self, figures: Floats, annotators: int, labels: int) -> Floats:
        """Sum figures over the votes of each annotator."""
        flat = np.asarray(self.by_item.T @ figures.reshape(len(figures), -1))
        return flat.reshape(annotators, labels, *figures.shape[1:])


@dataclass(frozen=True)
class SparseMasses:
    """Listed masses with a sparse matrix for sums by annotator: likewise."""

    mass: Floats
    rated: Floats
    annotator: Integers
    by_annotator: Any  # (annotator, item and slot)

    @classmethod
    def of(cls, masses: ListedMasses, annotators: int) -> SparseMasses:
        """From a list, with so many annotators."""
        from scipy.sparse import csr_array

        place = np.flatnonzero(masses.rated)
        owner = masses.annotator.reshape(-1)[place]
        shape = (annotators, masses.rated.size)
        return cls(*masses, csr_array((np.ones(len(place)), (owner, place)), shape=shape))

    def of_places(self, figures: Floats) -> Floats:
        """Figures of annotators at the places of their ratings."""
        return figures[self.annotator]

    def totals(self, figures: Floats, annotators: int) -> Floats:
        """Sum figures over the ratings of each annotator."""
        flat = np.asarray(self.by_annotator @ figures.reshape(self.rated.size, -1))
        return flat.reshape(annotators, *figures.shape[2:])


def sparse(data: Data, annotators: int, labels: int) -> Data:
    """The form of listed data that is fastest for one row on a CPU; other data as they are."""
    if isinstance(data, ListedVotes):
        return SparseVotes.of(data, annotators * labels)
    return SparseMasses.of(data, annotators) if isinstance(data, ListedMasses) else data


def states(
    method: Method,
    data: Data,
    weights: Weights,
    probability: Floats,
    tolerance: Tolerance,
    options: Options = (),
) -> Iterator[Any]:
    """The start and what each step makes of it, to the end; on NumPy."""
    _keep_memory()
    state = method.start(data, weights, probability, options)
    yield state
    steps = 0
    while not state.change < tolerance.change and steps < tolerance.steps:
        state = method.step(data, weights, state, options)
        steps += 1
        yield state


def fit(
    method: Method,
    data: Data,
    weights: Weights,
    probability: Floats,
    tolerance: Tolerance,
    options: Options = (),
) -> Fit:
    """One fit, on NumPy: it does not pay for a compilation."""
    every = enumerate(states(method, data, weights, probability, tolerance, options))
    ((steps, state),) = deque(every, maxlen=1)
    ended = np.asarray(state.change < tolerance.change)
    return Fit(state, np.asarray(state.skill), np.asarray(steps), ended)


def _keep_memory() -> None:
    """Let the C library keep what arrays give back: steps of large data take half the time.

    glibc returns large blocks to the system at once, and gets their pages anew for every array,
    until one as large was freed.
    """
    np.empty(_LARGE, dtype=np.uint8)


def fit_rows(
    method: Method,
    data: Data,
    rows: Iterable[tuple[Weights, Options]],
    probability: Floats,
    tolerance: Tolerance,
) -> Iterator[Fit]:
    """Fits for rows of weights and options, block by block; each starts at ``probability``.

    Of a single block of rows each may have a start of its own (row, item, label).

    ``rows`` yields weights (row, item) and (row, annotator) of any number of rows, and options of
    as many. The arrays of ``data`` have items first. Rows of listed data are fitted one by one on
    a processor, where a sparse product takes a tenth of what a compiled sum by an index takes, and
    so are methods that repeat nothing, which take less than a compilation; all others are compiled.
    """
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        return iter(())
    rows = chain([first], rows)
    listed = isinstance(data, ListedVotes | ListedMasses) and _on_processor()
    if listed or _repeats_nothing(method, data, first, probability, tolerance):
        return _one_by_one(method, data, rows, probability, tolerance)
    return _compiled(method, data, rows, probability, tolerance)


def _repeats_nothing(
    method: Method,
    data: Data,
    rows: tuple[Weights, Options],
    probability: Floats,
    tolerance: Tolerance,
) -> bool:
    """Whether the method is done as soon as it starts."""
    weights, options = rows
    numbers = type(options)(*(part[0] for part in options))
    first = Weights(weights.item[0], weights.annotator[0])
    start = probability if probability.ndim == 2 else probability[0]
    return bool(method.start(data, first, start, numbers).change < tolerance.change)


def _on_processor() -> bool:
    import jax

    return jax.default_backend() == "cpu"


def _one_by_one(
    method: Method,
    data: Data,
    rows: Iterable[tuple[Weights, Options]],
    probability: Floats,
    tolerance: Tolerance,
) -> Iterator[Fit]:
    """Rows on NumPy and SciPy, which let go of the interpreter while they compute."""
    votes: Data = None if isinstance(data, ListedVotes | ListedMasses) else data
    at_once = max(1, min(BLOCK, _CELLS // math.prod(probability.shape[-2:])))
    with ThreadPoolExecutor(_THREADS) as pool:
        for block, options in rows:
            if votes is None:
                votes = sparse(data, block.annotator.shape[1], probability.shape[-1])

            def of_row(
                row: int,
                votes: Data = votes,
                block: Weights = block,
                options: Options = options,
            ) -> Fit:
                weights = Weights(block.item[row], block.annotator[row])
                numbers = type(options)(*(part[row] for part in options))
                start = probability if probability.ndim == 2 else probability[row]
                return fit(method, votes, weights, start, tolerance, numbers)

            for first in range(0, len(block.item), at_once):
                last = min(first + at_once, len(block.item))
                yield _stacked(list(pool.map(of_row, range(first, last))))


def _stacked(fits: list[Fit]) -> Fit:
    """One fit a row as fits of several."""
    states, *others = zip(*fits, strict=True)
    parts = (np.stack([np.asarray(part) for part in each]) for each in zip(*states, strict=True))
    return Fit(type(states[0])(*parts), *(np.stack(each) for each in others))


def _compiled(
    method: Method,
    data: Data,
    rows: Iterable[tuple[Weights, Options]],
    probability: Floats,
    tolerance: Tolerance,
) -> Iterator[Fit]:
    """Rows together, as many as a block has."""
    from iaa_jax.engine import compiled_fits

    items = probability.shape[-2]
    # copies of an item change as it does: they hold up no end
    alike = probability.ndim == 2
    start = pad_items(probability) if alike else np.stack([*map(pad_items, probability)])
    padded = type(data)(*(None if part is None else pad_items(part) for part in data))
    most = max(1, min(BLOCK, _CELLS // max(part.size for part in padded if part is not None)))
    for block, options in rows:
        for first in range(0, len(block.item), most):
            count = min(most, len(block.item) - first)
            part_of = slice(first, first + most)
            weights = Weights(*(_filled(part[part_of], most, items) for part in block))
            of_items = np.pad(weights.item, ((0, 0), (0, bucket(items) - items)))
            numbers = type(options)(*(_filled(part[part_of], most, items) for part in options))
            weights = weights._replace(item=of_items)
            begun = start if alike else _filled(start[part_of], most, items)
            with scope("float64"):
                result = compiled_fits.fit_rows(padded, weights, begun, numbers, tolerance, method)
            yield _cut(result, count, items)


def _filled(rows: Floats, most: int, items: int) -> Floats:
    """A full block of rows: the last ones again where there are fewer.

    Long rows are filled up to the next power of two alone: what it takes to compute them is more
    than another compilation.
    """
    full = most if items <= _SHORT else min(most, 1 << (len(rows) - 1).bit_length())
    missing = full - len(rows)
    return np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)]) if missing else rows


def _cut(result: tuple[Any, Any, Any, Any], count: int, items: int) -> Fit:
    """The rows and items that are no padding."""
    state, *others = result
    arrays = state._replace(
        **{name: np.asarray(part)[:count] for name, part in state._asdict().items()}
    )
    for name in getattr(arrays, "of_items", ("probability",)):
        arrays = arrays._replace(**{name: getattr(arrays, name)[:, :items]})
    return Fit(arrays, *(np.asarray(part)[:count] for part in others))
