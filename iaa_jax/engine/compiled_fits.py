"""Fit a labelling method to many rows of weights in a compiled loop.

A labelling method estimates gold labels from ratings. Some rows need ten times as many steps as
others. A row that has converged leaves its slot in the loop to the next row, so that no row waits
for the slowest row of its block.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.chunked import chunked
from iaa_jax.engine.compiled import TRACES
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.fits import Fit, FitRow, Tolerance, ended_fit, resume
from iaa_jax.engine.padding import pad_items
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.labelling.accelerated import Squared
from iaa_jax.kernels.labelling.method import Data, Method, Options, Weights, items_of

_SHORT = 1 << 14
"""If rows have at most this number of items, there is a slot for every row of a full block."""


_AHEAD = 8
"""Maximum number of blocks that are started before the first block is finished."""


_FEWER = 8
"""Divisor of the number of slots once only the last rows, which can take many steps, are left."""


class _Place(NamedTuple):
    row: FitRow
    fits: list[Fit | None]  # the fits of its block
    number: int


def fit_blocks(
    method: Method,
    data: Data,
    blocks: Iterable[list[FitRow]],
    tolerance: Tolerance,
    *,
    most: int,
    alike: bool,
    computing: Computing,
) -> Iterator[Fit]:
    """Yield the fits of blocks of up to ``most`` rows, in order.

    If ``alike``, all rows start at the same label probabilities.
    """
    begun: deque[list[Fit | None]] = deque()
    queue = _queue(blocks, begun)
    waiting = next(queue, None)
    if waiting is None:
        return
    slots = slots_for(len(waiting.row.start), len(begun[0]), most)
    rows = _SideBySide(method, data, tolerance, waiting.row, slots, alike, computing)
    alone = computing.on_processor
    few = slots * rows.work // (rows.work + thresholds.FIT_ONE_STEP) if alone else 0
    while begun:
        while waiting is not None and rows.free and len(begun) <= _AHEAD:
            rows.put(waiting)
            waiting = next(queue, None)
        last = waiting is None and rows.free
        if last and not alone and rows.items > _SHORT and slots >= 2 * _FEWER:
            slots //= _FEWER
            rows.resume(slots)
            rows.move(slots)
        elif rows.free:
            rows.resume(few)
            rows.finish()
        else:
            rows.resume(slots - max(1, slots // 4))
        while begun and None not in begun[0]:
            yield Fit.stacked(fit for fit in begun.popleft() if fit is not None)


def slots_for(items: int, rows: int, most: int) -> int:
    """Return the number of slots for blocks of this many rows; ``most`` if rows have few items.

    With many items there are only as many slots as rows, rounded up to a power of two, because an
    empty slot costs as much as a full one.
    """
    return most if items <= _SHORT else min(most, 1 << (rows - 1).bit_length())


def _queue(blocks: Iterable[list[FitRow]], begun: deque[list[Fit | None]]) -> Iterator[_Place]:
    """Yield rows one by one; when a block starts, append a list for its fits to ``begun``."""
    for block in blocks:
        fits: list[Fit | None] = [None] * len(block)
        begun.append(fits)
        yield from (_Place(row, fits, number) for number, row in enumerate(block))


class _SideBySide:
    def __init__(
        self,
        method: Method,
        data: Data,
        tolerance: Tolerance,
        row: FitRow,
        slots: int,
        alike: bool,
        computing: Computing,
    ) -> None:
        self.method, self.data, self.tolerance = method, data, tolerance
        self.computing = computing
        # padding items are copies of an item: they converge with it and cause no delay
        filled = type(data)(*(None if part is None else pad_items(part) for part in data))
        self.padded = filled if computing.on_processor else chunked(filled)
        self.items, labels = row.start.shape
        self.work = labels * max(part.size for part in data if part is not None)
        self.free = list(range(slots))
        self.places: dict[int, _Place] = {}
        self.fresh = np.zeros(slots, dtype=bool)
        start = pad_items(row.start)
        self.start = start if alike else np.tile(start, (slots, 1, 1))
        self.weights = Weights(
            np.zeros((slots, len(start))), np.tile(row.weights.annotator, (slots, 1))
        )
        self.options = type(row.options)(*(np.full(slots, number) for number in row.options))
        self.steps = np.zeros(slots, dtype=int)
        with self.computing.scope("float64"):
            shapes = jax.eval_shape(
                partial(_started, method),
                self.padded,
                self.weights,
                self.start,
                self.options,
            )
        self.state = jax.tree.map(lambda part: np.zeros(part.shape, part.dtype), shapes)

    def put(self, place: _Place) -> None:
        slot, row = self.free.pop(), place.row
        self.places[slot] = place
        self.fresh[slot] = True
        self.weights.item[slot, : self.items] = row.weights.item
        self.weights.annotator[slot] = row.weights.annotator
        for numbers, number in zip(self.options, row.options, strict=True):
            numbers[slot] = number
        if self.start.ndim == 3:
            self.start[slot] = pad_items(row.start)

    def resume(self, few: int) -> None:
        """Iterate until at most ``few`` rows are unfinished; finished rows leave their slots."""
        busy = np.isin(np.arange(len(self.fresh)), list(self.places))
        at = (self.state, self.steps, self.fresh, busy)
        with self.computing.scope("float64"):
            state, steps = fit_rows(
                self.padded,
                self.weights,
                self.start,
                self.options,
                at,
                (*self.tolerance, few),
                self.method,
            )
        self.state, self.steps = state, np.asarray(steps)
        self.fresh[:] = False
        change = np.asarray(state.change)
        ended = (change < self.tolerance.change) | (self.steps >= self.tolerance.steps)
        for slot in np.flatnonzero(busy & ended).tolist():
            fit = ended_fit(self._state_in(slot), int(self.steps[slot]), self.tolerance)
            self._leave(slot, fit)

    def move(self, slots: int) -> None:
        """Move the remaining rows into fewer slots: an empty slot costs as much as a full one."""
        left = list(self.places)
        at = np.resize(left, slots) if left else np.zeros(slots, dtype=int)
        self.places = dict(enumerate(self.places.values()))
        self.free = list(range(len(left), slots))
        self.fresh = np.zeros(slots, dtype=bool)
        self.weights = Weights(*(part[at] for part in self.weights))
        self.options = type(self.options)(*(numbers[at] for numbers in self.options))
        self.steps = self.steps[at]
        self.start = self.start[at] if self.start.ndim == 3 else self.start
        with self.computing.scope("float64"):
            self.state = jax.tree.map(lambda part: jnp.take(part, at, axis=0), self.state)

    def finish(self) -> None:
        for slot, place in list(self.places.items()):
            state, steps = self._state_in(slot), int(self.steps[slot])
            fit = resume(self.method, self.data, place.row, state, steps, self.tolerance)
            self._leave(slot, fit)

    def _leave(self, slot: int, fit: Fit) -> None:
        place = self.places.pop(slot)
        place.fits[place.number] = fit
        self.free.append(slot)

    def _brought(self, part: jax.Array, slot: int) -> Floats:
        on_processor = self.computing.on_processor
        return np.asarray(part)[slot] if on_processor else np.asarray(jnp.take(part, slot, axis=0))

    def _state_in(self, slot: int) -> Any:
        with self.computing.scope("float64"):  # only one slot is copied from the device
            state = jax.tree.map(lambda part: np.array(self._brought(part, slot)), self.state)
        if isinstance(self.method, Squared):
            return self.method.first_items(state, self.items)
        return items_of(state, slice(self.items))


def _started(
    method: Method, data: Data, weights: Weights, start: jax.Array, options: Options
) -> Any:
    def start_row(weights: Weights, start: jax.Array, options: Options) -> Any:
        return method.start(data, weights, start, options)

    return jax.vmap(start_row, (0, 0 if start.ndim == 3 else None, 0))(weights, start, options)


@partial(jax.jit, static_argnames="method")
def fit_rows(
    data: Data,
    weights: Weights,
    start: jax.Array,
    options: Options,
    at: tuple[Any, ...],
    until: tuple[Any, ...],
    method: Method,
) -> tuple[Any, jax.Array]:
    """Return final states and steps for rows of weights (row, item) and (row, annotator).

    ``at`` has the states and steps so far, which rows start now, and which slots are in use;
    ``until`` has the tolerance, the maximum number of steps, and the number of rows that may stay
    unfinished. ``start`` has the label probabilities (item, label) at which all rows start, or
    (row, item, label).
    """
    TRACES["fit_rows"] += 1
    before, taken, fresh, busy = at
    smallest, most, few = until

    def chosen(which: jax.Array, first: Any, second: Any) -> Any:
        def part(a: jax.Array, b: jax.Array) -> jax.Array:
            return jnp.where(jnp.reshape(which, (-1, *(1,) * (a.ndim - 1))), a, b)

        return jax.tree.map(part, first, second)

    def unfinished(state: Any, steps: jax.Array) -> jax.Array:
        going: jax.Array = busy & ~(state.change < smallest) & (steps < most)
        return going

    def next_step(at: tuple[Any, jax.Array]) -> tuple[Any, jax.Array]:
        state, steps = at
        going = unfinished(state, steps)
        after = jax.vmap(partial(method.step, data))(weights, state, options)
        return chosen(going, after, state), steps + going

    state = chosen(fresh, _started(method, data, weights, start, options), before)
    reached: tuple[Any, jax.Array] = jax.lax.while_loop(
        lambda at: jnp.sum(unfinished(*at)) > few,
        next_step,
        (state, jnp.where(fresh, 0, taken)),
    )
    return reached
