"""Tests on square tables of two annotators: whether margins, or cells across, are the same."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats


class MarginTest(NamedTuple):
    """A test: NaN where there is nothing to test."""

    statistic: float
    df: int
    p_value: float


NO_TEST = MarginTest(float("nan"), 0, float("nan"))


def stuart_maxwell(table: Floats) -> MarginTest:
    """Whether two annotators have the same margins (marginal homogeneity).

    ``d' V^-1 d`` with d the differences of margins and V their covariance; with the generalised
    inverse, so that labels on which the annotators never differ count for nothing. Stuart, A.
    (1955), Biometrika 42. Maxwell, A. E. (1970), British Journal of Psychiatry 116.
    """
    table = np.asarray(table, dtype=np.float64)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    difference = rows - columns
    covariance = np.diag(rows + columns) - table - table.T
    # exact: the rank of a graph's Laplacian is its labels less its connected parts
    rank = len(table) - _connected_parts(table + table.T > 0)
    if rank == 0:
        return NO_TEST
    return _chi_squared_test(
        float(difference @ np.linalg.pinv(covariance, hermitian=True) @ difference), rank
    )


def _connected_parts(confused: NDArray[np.bool_]) -> int:
    """How many sets of labels are tied by confusions, without SciPy's graphs: slow to load."""
    confused = confused | np.eye(len(confused), dtype=bool)
    part = np.arange(len(confused))
    while (part > (least := np.where(confused, part, len(part)).min(axis=1))).any():
        part = least
    return len(np.unique(part))


def bowker(table: Floats) -> MarginTest:
    """Whether the table is symmetric: each pair of labels confused as often one way as the other.

    ``sum_{k<l} (n_kl - n_lk)^2 / (n_kl + n_lk)``, a degree of freedom for each pair of labels that
    was confused at all. Bowker, A. H. (1948), JASA 43. For two labels McNemar's test.
    """
    table = np.asarray(table, dtype=np.float64)
    above, below = table[np.triu_indices(len(table), 1)], table.T[np.triu_indices(len(table), 1)]
    both = above + below
    met = both > 0
    if not met.any():
        return NO_TEST
    statistic = ((above[met] - below[met]) ** 2 / both[met]).sum()
    return _chi_squared_test(float(statistic), int(met.sum()))


def mcnemar_exact(table: Floats) -> float:
    """The exact p-value for two labels: b against c as the tosses of a fair coin.

    McNemar, Q. (1947), Psychometrika 12. NaN where counts are not whole or nothing differs.
    """
    from scipy.special import bdtr

    b, c = float(table[0, 1]), float(table[1, 0])
    are_counts = b.is_integer() and c.is_integer()
    if not are_counts or b + c == 0:
        return float("nan")
    # scipy.stats has this as binomtest, and takes half a second to load
    return min(1.0, 2 * float(bdtr(min(b, c), int(b + c), 0.5)))


def _chi_squared_test(statistic: float, df: int) -> MarginTest:
    from scipy.special import chdtrc

    return MarginTest(statistic, df, float(chdtrc(df, statistic)))
