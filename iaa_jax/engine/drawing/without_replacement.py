"""Items drawn without replacement, as the patterns that they show: multivariate hypergeometric.

NumPy draws so from fewer than a billion items. Of more, each is first taken by itself with the
share that is wanted: given how many were taken, each set of so many is equally probable. The few
beyond, or those that lack, are then a random choice of those taken, or left. A random part of a
random set is one too, so that this has the same distribution.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MOST = 1_000_000_000
"""Items from which on NumPy refuses."""


def drawn_items(
    random: np.random.Generator, count: NDArray[np.int64], size: int, rows: int
) -> NDArray[np.int64]:
    """Counts (row, pattern) of so many items, of those with these patterns."""
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
