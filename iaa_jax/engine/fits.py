"""Methods repeated until nothing changes: once on NumPy, or for many rows of weights."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.padding import bucket
from iaa_jax.engine.sparse import sparse
from iaa_jax.kernels.labelling.masses import ListedMasses
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights
from iaa_jax.kernels.labelling.votes import ListedVotes

_THREADS = min(4, os.cpu_count() or 1)


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

    @classmethod
    def stacked(cls, fits: Iterable[Fit]) -> Fit:
        """Fits of one row each as a fit of several."""
        states, *others = zip(*fits, strict=True)
        parts = zip(*states, strict=True)
        state = type(states[0])(*(np.stack([np.asarray(row) for row in part]) for part in parts))
        return cls(state, *(np.stack(each) for each in others))


class Row(NamedTuple):
    """One row of weights and options, and the probability it starts from."""

    weights: Weights
    options: Options
    start: Floats


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
    yield from _steps(method, data, weights, state, tolerance, options)


def _steps(
    method: Method,
    data: Data,
    weights: Weights,
    state: Any,
    tolerance: Tolerance,
    options: Options,
) -> Iterator[Any]:
    """What each step makes of a state."""
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
    return ended_in(state, steps, tolerance)


def go_on(
    method: Method, data: Data, row: Row, state: Any, steps: int, tolerance: Tolerance
) -> Fit:
    """The fit of a row that has reached a state in so many steps; on NumPy."""
    left = tolerance._replace(steps=tolerance.steps - steps)
    more = _steps(method, data, row.weights, state, left, row.options)
    ((steps, state),) = deque(enumerate(chain([state], more), steps), maxlen=1)
    return ended_in(state, steps, tolerance)


def ended_in(state: Any, steps: int, tolerance: Tolerance) -> Fit:
    """The fit that has reached its last state."""
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
    every = chain([first], rows)
    shape = probability.shape[-2:]
    listed = isinstance(data, ListedVotes | ListedMasses) and _on_processor()
    if listed or _repeats_nothing(method, data, first, probability, tolerance):
        form = sparse(data, first[0].annotator.shape[1], shape[1])
        most = max(1, min(BLOCK, thresholds.FIT_CELLS // math.prod(shape)))
        return _one_by_one(method, form, _blocks(every, probability, most), tolerance)
    from iaa_jax.engine import compiled_fits

    largest = max(part.size // len(part) * bucket(len(part)) for part in data if part is not None)
    most = max(1, min(BLOCK, thresholds.FIT_CELLS // largest))
    return compiled_fits.fit_blocks(
        method,
        data,
        _blocks(every, probability, most),
        tolerance,
        most=most,
        alike=probability.ndim == 2,
        alone=_on_processor(),
    )


def _blocks(
    rows: Iterable[tuple[Weights, Options]], probability: Floats, most: int
) -> Iterator[list[Row]]:
    """Rows as they come, no more than so many in a block."""
    for weights, options in rows:
        block = [
            Row(
                Weights(weights.item[number], weights.annotator[number]),
                type(options)(*(part[number] for part in options)),
                probability if probability.ndim == 2 else probability[number],
            )
            for number in range(len(weights.item))
        ]
        yield from (block[first : first + most] for first in range(0, len(block), most))


def _repeats_nothing(
    method: Method,
    data: Data,
    rows: tuple[Weights, Options],
    probability: Floats,
    tolerance: Tolerance,
) -> bool:
    """Whether the method is done as soon as it starts."""
    ((first, *_), *_) = _blocks([rows], probability, 1)
    start = method.start(data, first.weights, first.start, first.options)
    return bool(start.change < tolerance.change)


def _on_processor() -> bool:
    import jax

    return jax.default_backend() == "cpu"


def _one_by_one(
    method: Method, data: Data, blocks: Iterable[list[Row]], tolerance: Tolerance
) -> Iterator[Fit]:
    """Rows on NumPy and SciPy; long ones on threads, which compute at the same time."""

    def of_row(row: Row) -> Fit:
        return fit(method, data, row.weights, row.start, tolerance, row.options)

    with ThreadPoolExecutor(_THREADS) as pool:
        for block in blocks:
            long = len(block[0].start) >= thresholds.FIT_LONG
            yield Fit.stacked(pool.map(of_row, block) if long else map(of_row, block))
