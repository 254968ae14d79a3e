"""Counts of items drawn without replacement: multivariate hypergeometric.

NumPy can draw such counts from fewer than a billion items. If there are more, each item is first
selected independently, with the wanted share as probability. All sets of the same size are then
equally probable. Finally, items are removed or added at random until the number is right.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MOST = 1_000_000_000
"""NumPy requires fewer items than this."""


def drawn_items(
    random: np.random.Generator, count: NDArray[np.int64], size: int, rows: int
) -> NDArray[np.int64]:
    """Draw counts (row, pattern) of ``size`` items without replacement, from these counts."""
    total = int(count.sum())
    if total < _MOST:
        return random.multivariate_hypergeometric(count, size, size=rows, method="marginals")
    taken = random.binomial(count, size / total, size=(rows, len(count)))
    for row in taken:
        beyond = int(row.sum()) - size
        these = row if beyond > 0 else count - row
        items = random.choice(int(these.sum()), abs(beyond), replace=False, shuffle=False)
        pattern = np.searchsorted(np.cumsum(these), items, side="right")
        row -= np.sign(beyond) * np.bincount(pattern, minlength=len(row))
    return taken
