"""Loop over blocks of weights, join the results, and refuse work that is too long or too large."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Protocol

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.engine.devices import in_flight
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    import jax

Progress = Callable[[int, int], None]


def tell(progress: Progress | None, done: int, total: int) -> None:
    """Report progress, if there is a listener."""
    if progress is not None:
        progress(done, total)


DAY = 86_400.0
"""The maximum time of a computation in seconds; a longer computation is refused."""

TRIAL = 5.0
"""The seconds of work after which the total time is estimated."""


def collect(
    run: Run,
    outputs: int,
    rows: Iterable[tuple[Array, ...]],
    size: int,
    total: int,
    *,
    batch: int = BLOCK,
    filled: bool = True,
    paired: bool = False,
    progress: Progress | None = None,
) -> list[Floats]:
    """Run blocks of ``size`` rows, and return each output with all ``total`` rows in order.

    About ``batch`` rows are computed concurrently on each device. If ``filled``, smaller blocks are
    padded. For ``paired`` results (row, 2, ...), ``run`` returns all first results of a block, and
    then all second results.
    """
    blocks: list[list[Floats]] = [[] for _ in range(outputs)]
    done = 0
    effort = Effort(total)
    least = size if filled else 0
    begun = ((len(block[0]), run(_filled(block, least))) for block in _in_blocks(rows, size))
    for count, results in in_flight(begun, -(-batch // size) * run.devices - 1):
        done += count
        for index, result in enumerate(results):
            values = np.asarray(result)
            if paired:
                values = values.reshape(2, len(values) // 2, *values.shape[1:]).swapaxes(0, 1)
            blocks[index].append(values[:count])
        effort.check(done, sum(block[0].nbytes / len(block[0]) for block in blocks))
        if progress is not None:
            progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in blocks]


class Run(Protocol):
    """Computes results for blocks of rows."""

    @property
    def devices(self) -> int:
        """The number of devices."""

    def __call__(self, weights: tuple[Array, ...], /) -> Sequence[jax.Array | Floats]:
        """Return the outputs for a block of weights of each table."""


def _in_blocks(rows: Iterable[tuple[Array, ...]], size: int) -> Iterator[tuple[Array, ...]]:
    waiting: list[tuple[Array, ...]] = []
    held = 0
    for weights in rows:
        if not held and len(weights[0]) == size:  # a device draws weights in such parts
            yield weights
            continue
        for start in range(0, len(weights[0]), size):
            part = tuple(each[start : start + size] for each in weights)
            if held + len(part[0]) > size:
                yield _joined(waiting)
                waiting, held = [], 0
            waiting.append(part)
            held += len(part[0])
    if waiting:
        yield _joined(waiting)


def _joined(parts: Sequence[tuple[Array, ...]]) -> tuple[Array, ...]:
    if len(parts) == 1:
        return parts[0]
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def _filled(block: tuple[Array, ...], size: int) -> tuple[Array, ...]:
    missing = max(size - len(block[0]), 0)
    return tuple(np.pad(rows, ((0, missing), (0, 0))) for rows in block) if missing else block


class Effort:
    """Progress through ``total`` rows; refuses work that would take too much time or memory."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._first: tuple[int, float] | None = None
        self._judged = False

    def check(self, done: int, row_bytes: float) -> None:
        """Refuse work that exceeds memory or takes more than a day."""
        if self._judged:
            return
        now = monotonic()
        if self._first is None:  # a time that includes compilation predicts nothing
            self._first = (done, now)
            needed = self.total * row_bytes
            if needed > memory():
                there = memory() / 1e9
                self._refuse(
                    f"{needed / 1e9:,.0f} GB of memory, but this machine has {there:.0f} GB"
                )
            return
        rows, elapsed = done - self._first[0], now - self._first[1]
        if elapsed > TRIAL:
            self._judged = True
            if (seconds := elapsed / rows * self.total) > DAY:
                self._refuse(f"about {seconds / DAY:,.0f} days")

    def _refuse(self, needed: str) -> None:
        raise IaaError(
            f"{self.total:,} replicates of these estimates would take {needed}: request fewer, or "
            "an interval that needs none"
        )


@cache
def memory() -> float:
    """Return the bytes of memory of the machine; infinite if unknown."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return inf
