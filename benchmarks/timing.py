"""Timing in turn, and the line that a measurement becomes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One measured line: ours, what it is compared with, and the target for the ratio."""

    work: str
    seconds: float
    peer: str
    peer_seconds: float
    target: str

    @property
    def ratio(self) -> float:
        """How many times our time the peer takes."""
        return self.peer_seconds / self.seconds


def in_turn(
    one: Callable[[], object], other: Callable[[], object], runs: int
) -> tuple[float, float]:
    """Median seconds of two calls, run in turn after one warm-up each.

    The other is timed alone first, and the smaller of its two medians counts: what one call leaves
    behind (memory given back, threads) can slow the next, and must not flatter the first.
    """
    alone = []
    for run in range(runs + 1):
        start = time.perf_counter()
        other()
        if run:
            alone.append(time.perf_counter() - start)
    taken: tuple[list[float], list[float]] = ([], [])
    for run in range(runs + 1):
        for call, times in zip((one, other), taken, strict=True):
            start = time.perf_counter()
            call()
            if run:
                times.append(time.perf_counter() - start)
    return statistics.median(taken[0]), min(statistics.median(taken[1]), statistics.median(alone))
