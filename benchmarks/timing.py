"""Timing in turn."""

from __future__ import annotations

import time
from collections.abc import Callable

Call = Callable[[], object]


def in_turn(runs: int, ours: Call, *others: Call) -> list[float]:
    """Best seconds of each call, run in turn after one warm-up each.

    The best run is the one that the rest of the machine disturbed least. The others are timed alone
    as well: what one call leaves behind (memory given back, threads) can slow the next, and must
    not flatter ours.
    """
    taken: list[list[float]] = [[] for _ in (ours, *others)]
    for call, times in zip(others, taken[1:], strict=True):
        call()
        times += [seconds(call) for _ in range(runs)]
    ours()
    for _ in range(runs):
        for call, times in zip((ours, *others), taken, strict=True):
            times.append(seconds(call))
    return [min(times) for times in taken]


def seconds(call: Call) -> float:
    """Seconds of one call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


class Compilations:
    """The programs that XLA compiles from now on, as the seconds of each."""

    def __init__(self) -> None:
        from jax import monitoring

        self.seconds: list[float] = []
        monitoring.register_event_duration_secs_listener(self._listen)

    def _listen(self, event: str, duration_secs: float, **_: str | int) -> None:
        if event == "/jax/core/compile/backend_compile_duration":
            self.seconds.append(duration_secs)
