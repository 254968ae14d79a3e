"""What a long computation will take: refused where memory, or anybody's patience, would end."""

from __future__ import annotations

import os
from functools import cache
from math import inf
from time import monotonic

from iaa_jax._errors import IaaError

DAY = 86_400.0
"""Seconds beyond which a computation is refused."""

TRIAL = 5.0
"""Seconds that tell how long all will take."""


class Effort:
    """How far ``total`` rows are, and whether they will ever come to an end."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._first: tuple[int, float] | None = None
        self._judged = False

    def check(self, done: int, row_bytes: float) -> None:
        """Refuse what does not fit in memory, or takes more than a day; told after each block."""
        if self._judged:
            return
        now = monotonic()
        if self._first is None:  # rows that were compiled tell nothing of the time of others
            self._first = (done, now)
            needed = self.total * row_bytes
            if needed > memory():
                there = memory() / 1e9
                self._refuse(f"{needed / 1e9:,.0f} GB of memory, and there are {there:.0f}")
            return
        rows, elapsed = done - self._first[0], now - self._first[1]
        if elapsed > TRIAL:
            self._judged = True
            if (seconds := elapsed / rows * self.total) > DAY:
                self._refuse(f"about {seconds / DAY:,.0f} days")

    def _refuse(self, needed: str) -> None:
        message = (
            f"{self.total:,} replicates of these figures would take {needed}: ask for fewer, or "
            "for an interval that needs none"
        )
        raise IaaError(message)


@cache
def memory() -> float:
    """Bytes of memory that the machine has; infinite where it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return inf
