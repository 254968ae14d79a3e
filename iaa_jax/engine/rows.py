"""Blocks of weight rows through compiled code, and what comes back put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from iaa_jax.engine.devices import ahead
from iaa_jax.engine.drawing import BLOCK
from iaa_jax.engine.effort import Effort
from iaa_jax.engine.problem import Floats
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    import jax

Progress = Callable[[int, int], None]


def collect(
    run: Run,
    outputs: int,
    rows: Iterable[tuple[Array, ...]],
    size: int,
    total: int,
    *,
    batch: int = BLOCK,
    progress: Progress | None = None,
) -> list[Floats]:
    """What ``run`` makes of blocks of ``size`` rows, each output with all ``total`` rows in turn.

    ``batch`` rows are under way at once on each device.
    """
    blocks: list[list[Floats]] = [[] for _ in range(outputs)]
    done = 0
    effort = Effort(total)
    begun = ((len(block[0]), run(_filled(block, size))) for block in _in_blocks(rows, size))
    for count, results in ahead(begun, -(-batch // size) * run.devices - 1):
        done += count
        for index, result in enumerate(results):
            blocks[index].append(np.asarray(result)[:count])
        effort.check(done, sum(block[0].nbytes / len(block[0]) for block in blocks))
        if progress is not None:
            progress(min(done, total), total)
    return [np.concatenate(parts)[:total] for parts in blocks]


class Run(Protocol):
    """What makes results of blocks of rows."""

    @property
    def devices(self) -> int:
        """Devices that take turns."""

    def __call__(self, weights: tuple[Array, ...], /) -> Sequence[jax.Array | Floats]:
        """The outputs of a block of weights of each table."""


def _in_blocks(rows: Iterable[tuple[Array, ...]], size: int) -> Iterator[tuple[Array, ...]]:
    """The rows in turn, so many together, whatever they came in."""
    waiting: list[tuple[Array, ...]] = []
    held = 0
    for weights in rows:
        if not held and len(weights[0]) == size:  # as a device drew them
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
    """A block of one fixed number of rows, the last ones zeros."""
    missing = size - len(block[0])
    return tuple(np.pad(rows, ((0, missing), (0, 0))) for rows in block) if missing else block
