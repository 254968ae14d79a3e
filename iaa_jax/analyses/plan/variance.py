"""The variance that one item contributes to a coefficient, by its number of ratings.

An item's influence on the coefficient is a mean over its pairs of ratings, a U-statistic of degree
2. For exchangeable ratings, its variance is

    V(m) = t0 (m-2)(m-3)/(m(m-1)) + t1 4(m-2)/(m(m-1)) + t2 2/(m(m-1)) = a + b/m + c/(m(m-1))

where t2, t1 and t0 are the covariances of two pairs of ratings of an item that share two, one or no
ratings (Hoeffding 1948).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.drawing import Clusters, Resampling, sampled_units
from iaa_jax.engine.gradients import GradientRows


class ItemSpread(NamedTuple):
    """A coefficient, and the variance V that an item contributes: the squared error is V / items.

    With clusters, ``shared`` is the covariance of items of the same cluster, which is added to V.
    ``telling`` is the effective number of units in V, ``(sum U^2)^2 / sum U^4``.
    """

    estimate: float
    variance: float
    shared: float = 0.0
    telling: float = math.nan


class SpreadRows(NamedTuple):
    """The fields of `ItemSpread` for each row of weights (one replicate)."""

    estimate: Floats
    variance: Floats
    shared: Floats
    telling: Floats


class Spreads:
    """Estimates and variances V of a coefficient for ``rows`` rows of weights (replicates)."""

    def __init__(self, problem: Problem, clusters: Clusters | None = None, rows: int = 1) -> None:
        self._at = GradientRows(Prepared([problem]), rows)
        self._table, self._clusters = problem.table, clusters
        self._members = None if clusters is None else clusters.matrix_of(problem.table)

    def __call__(self, rows: Floats, clusters: Floats | None = None) -> SpreadRows:
        """Return estimates and variances for counts of patterns (row, pattern).

        ``clusters`` (row, cluster) are counts, too.
        """
        figures = self._at(rows)
        items = rows.sum(axis=1)
        influence = figures.centred(rows)
        with np.errstate(invalid="ignore", divide="ignore"):
            squares = (rows * influence**2).sum(axis=1)
            variance, shared, units = items**2 / (items - 1) * squares, np.zeros(len(rows)), rows
            if clusters is not None and self._members is not None:
                influence, units = np.asarray((self._members @ influence.T).T), clusters
                number, squares = units.sum(axis=1), (units * influence**2).sum(axis=1)
                shared = items * number / (number - 1) * squares - variance
            telling = squares**2 / (units * influence**4).sum(axis=1)
        return SpreadRows(np.asarray(figures.estimate), variance, shared, telling)

    def drawn(self, replicates: int, seed: int) -> Iterator[tuple[SpreadRows, Floats]]:
        """Yield estimates and variances of bootstrap samples, with their counts."""
        drawing = Resampling(clusters=self._clusters)
        for (rows,), units in sampled_units([self._table], replicates, seed, drawing):
            yield self(rows, units), rows

    @property
    def full_sample(self) -> ItemSpread:
        """The estimate, and ``V = sum c U^2 / (n - 1)``, for c items with the influence U each."""
        units = None if self._clusters is None else self._clusters.count[None, :]
        rows = self(np.asarray(self._table.count)[None, :], units)
        return ItemSpread(*(float(part[0]) for part in rows))


def spread_of(problem: Problem, clusters: Clusters | None = None) -> ItemSpread:
    """Return estimate and variance of the full sample."""
    return Spreads(problem, clusters).full_sample


def influences_of(problem: Problem) -> Floats:
    """Return the centred influence of an item of each pattern."""
    rows = np.asarray(problem.table.count)[None, :]
    influences: Floats = GradientRows(Prepared([problem]))(rows).centred(rows)[0]
    return influences


@dataclass(frozen=True)
class Components:
    """The components of ``V(m) = a + b/m + c/(m(m-1))``, and bounds from the pilot.

    ``fitted`` holds a, b and c (3,), or one column per replicate (3, replicate). Among the
    components compatible with the pilot, ``low`` and ``high`` have the lowest and the highest
    variance at many ratings. ``source`` is "pilot"; or "pilot and model" if the pilot has three
    ratings per item ("pilot, at least" without a model); or "model" if it has two.
    """

    fitted: Floats
    low: Floats
    high: Floats
    source: str = "pilot"

    def variance(self, ratings: float | Floats) -> Floats:
        """Return V of an item with this many ratings."""
        return _variance(self.fitted, ratings)

    def bounds(self, ratings: float | Floats) -> tuple[Floats, Floats]:
        """Return the bounds of V."""
        return _variance(self.low, ratings), _variance(self.high, ratings)

    def between_shares(self, ratings: float) -> tuple[Floats, Floats]:
        """Return the lowest and the highest share of V that lies between items."""
        low, high = (
            parts[0] / np.maximum(_variance(parts, ratings), 1e-300)
            for parts in (self.low, self.high)
        )
        return low, high

    def share(self, between: float | Floats) -> Components:
        """Add the covariance of items of a cluster."""
        added = np.multiply.outer([1.0, 0.0, 0.0], between)
        return self._each(lambda parts: parts + added)

    def scale(self, factor: float | Floats) -> Components:
        """Multiply all components by a factor."""
        return self._each(lambda parts: factor * parts)

    def _each(self, change: Callable[[Floats], Floats]) -> Components:
        return Components(change(self.fitted), change(self.low), change(self.high), self.source)


def _variance(parts: Floats, ratings: float | Floats) -> Floats:
    m = np.asarray(ratings, dtype=np.float64)
    return np.asarray(parts[0] + parts[1] / m + parts[2] / (m * (m - 1)))


def from_covariances(t0: Floats | float, t1: Floats | float, t2: Floats | float) -> Floats:
    """Return a, b and c from the covariances of pairs of ratings."""
    t0, t1, t2 = np.broadcast_arrays(t0, t1, t2)
    return np.stack([t0, 4 * (t1 - t0), 2 * (t2 - t0) - 4 * (t1 - t0)])


def fit_components(sizes: Sequence[int], variances: Floats) -> Components:
    """Fit components by nonnegative least squares, from the variances at three sizes or more."""
    from scipy.optimize import nnls

    m = np.array(sizes, dtype=np.float64)
    basis = np.stack([np.ones_like(m), 1 / m, 1 / (m * (m - 1))], axis=1)
    columns = np.reshape(variances, (len(m), -1)).T
    scales = np.where(columns > 0, columns, 1.0)
    parts = [
        nnls(basis / scale[:, None], column / scale)[0]
        for column, scale in zip(columns, scales, strict=True)
    ]
    fitted = np.array(parts).T.reshape(3, *np.shape(variances)[1:])
    return Components(fitted, fitted, fitted)


def fit_two_sizes(v2: Floats | float, v3: Floats | float, share: float | None) -> Components:
    """Fit three components to the variances at 2 and 3 ratings.

    The model's ``share`` is the ratio of t1 - t0 to t2 - t1, from 0 to 1. Without a model, it is 0,
    so that further ratings help least.
    """
    t2 = np.asarray(v2)
    t1 = np.minimum(np.maximum((3 * np.asarray(v3) - t2) / 2, 0.0), t2)

    def parts(share: float) -> Floats:
        return from_covariances(np.maximum(t1 - share * (t2 - t1), 0.0), t1, t2)

    fitted = np.maximum(parts(min(max(share or 0.0, 0.0), 1.0)), 0.0)
    source = "pilot, at least" if share is None else "pilot and model"
    return Components(fitted, parts(1.0), parts(0.0), source)


def fit_one_size(v2: Floats | float, ratio: float, share: float) -> Components:
    """Fit components to the variance at 2 ratings, with ``ratio`` (t1 / t2) and ``share`` given."""
    t2 = np.asarray(v2)
    t1 = ratio * t2
    fitted = from_covariances(np.maximum(t1 - share * (t2 - t1), 0.0), t1, t2)
    none, all_ = from_covariances(0.0, 0.0, t2), from_covariances(t2, t2, t2)
    return Components(np.maximum(fitted, 0.0), none, all_, "model")
