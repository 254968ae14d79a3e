"""The variance that one item brings to a coefficient, by how many ratings the item has.

Over items the coefficient is a mean of influences, and the influence of an item a mean over its
pairs of ratings: a U-statistic of degree 2. Of ratings that may change places its variance is

    V(m) = t0 (m-2)(m-3)/(m(m-1)) + t1 4(m-2)/(m(m-1)) + t2 2/(m(m-1)) = a + b/m + c/(m(m-1))

with t2, t1, t0 the covariance of two pairs of ratings of an item that share both, one, or neither
(Hoeffding 1948). Only more items make a smaller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.engine import Prepared, Problem, bootstrap_rows
from iaa_jax.engine.gradients import GradientRows


class ItemSpread(NamedTuple):
    """A coefficient, and the variance V of an item: its standard error squared is V / items."""

    estimate: float
    variance: float


class ItemSpreads:
    """Estimates and variances V of one coefficient at any weight rows."""

    def __init__(self, problem: Problem) -> None:
        self._at = GradientRows(Prepared([problem]))

    def __call__(self, rows: Floats) -> tuple[Floats, Floats]:
        """At each row (row, pattern) of counts."""
        figures = self._at(rows)
        items = rows.sum(axis=1)
        gradient = np.where(rows > 0, figures.gradient, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (rows * gradient).sum(axis=1) / items
            squares = (rows * (gradient - mean[:, None]) ** 2).sum(axis=1)
            return np.asarray(figures.estimate), items**2 / (items - 1) * squares


def replicates_of(problem: Problem, replicates: int, seed: int) -> tuple[Floats, Floats]:
    """Estimates and variances V of as many items, drawn from a table with replacement."""
    spreads = ItemSpreads(problem)
    drawn = [spreads(rows) for (rows,) in bootstrap_rows([problem.table], replicates, seed)]
    estimate, variance = (np.concatenate(part)[:replicates] for part in zip(*drawn, strict=True))
    return estimate, variance


def spread_of(problem: Problem) -> ItemSpread:
    """The estimate, and ``V = n / (n - 1) sum c U^2 / n``, from the influences."""
    estimate, variance = ItemSpreads(problem)(np.asarray(problem.table.count)[None, :])
    return ItemSpread(float(estimate[0]), float(variance[0]))


@dataclass(frozen=True)
class Components:
    """``V(m) = a + b/m + c/(m(m-1))``, and what of it the pilot itself tells.

    ``source`` is "pilot", "pilot and model" where the pilot has three ratings per item, or "model"
    where it has two. ``low`` and ``high`` are the components of the least and the largest variance
    at many ratings that the pilot's own figures allow.
    """

    a: float
    b: float
    c: float
    source: str = "pilot"
    low: tuple[float, float, float] | None = None
    high: tuple[float, float, float] | None = None

    def variance(self, ratings: float | Floats) -> Floats:
        """V of an item with so many ratings."""
        return _variance((self.a, self.b, self.c), ratings)

    def bounds(self, ratings: float | Floats) -> tuple[Floats, Floats]:
        """Between what V lies, whatever the model says."""
        fitted = (self.a, self.b, self.c)
        return _variance(self.low or fitted, ratings), _variance(self.high or fitted, ratings)

    def between_shares(self, ratings: float) -> tuple[float, float]:
        """Of V with so many ratings the share between items, the least and the largest."""
        fitted = (self.a, self.b, self.c)
        low, high = (
            parts[0] / max(float(_variance(parts, ratings)), 1e-300)
            for parts in (self.low or fitted, self.high or fitted)
        )
        return low, high

    def scale(self, factor: float) -> Components:
        """All of them by a factor."""
        low, high = (
            None if parts is None else tuple(factor * part for part in parts)
            for parts in (self.low, self.high)
        )
        fitted = factor * self.a, factor * self.b, factor * self.c
        return Components(*fitted, self.source, low, high)  # type: ignore[arg-type]


def _variance(parts: tuple[float, float, float], ratings: float | Floats) -> Floats:
    m = np.asarray(ratings, dtype=np.float64)
    return parts[0] + parts[1] / m + parts[2] / (m * (m - 1))


def from_covariances(t0: float, t1: float, t2: float) -> tuple[float, float, float]:
    """The components a, b, c of the covariances of pairs of ratings."""
    return t0, 4 * (t1 - t0), 2 * (t2 - t0) - 4 * (t1 - t0)


def fit_components(variances: dict[int, float]) -> Components:
    """Components by nonnegative least squares, from the variances at three sizes or more."""
    from scipy.optimize import nnls

    m = np.array(sorted(variances), dtype=np.float64)
    observed = np.array([variances[int(size)] for size in m])
    scale = np.where(observed > 0, observed, 1.0)
    basis = np.stack([np.ones_like(m), 1 / m, 1 / (m * (m - 1))], axis=1)
    parts, _ = nnls(basis / scale[:, None], observed / scale)
    fit = Components(float(parts[0]), float(parts[1]), float(parts[2]))
    # what is known best is what needs no fit: the pilot as it is
    level = float(fit.variance(m[-1]))
    return fit.scale(float(observed[-1]) / level) if level > 0 else fit


def fit_two_sizes(v2: float, v3: float, share: float) -> Components:
    """Components from the variances at 2 and 3 ratings, which leave one of three open.

    ``share`` of t1 - t0 in t2 - t1, from 0 to 1, is what a model has to say.
    """
    t2 = v2
    t1 = min(max((3 * v3 - t2) / 2, 0.0), t2)

    def parts(share: float) -> tuple[float, float, float]:
        return from_covariances(max(t1 - share * (t2 - t1), 0.0), t1, t2)

    share = min(max(share, 0.0), 1.0)
    return Components(*_nonnegative(parts(share)), "pilot and model", parts(1.0), parts(0.0))


def fit_one_size(v2: float, ratio: float, share: float) -> Components:
    """Components from the variance at 2 ratings alone: a model has to say t1 / t2 as well."""
    t1 = ratio * v2
    fit = from_covariances(max(t1 - share * (v2 - t1), 0.0), t1, v2)
    return Components(
        *_nonnegative(fit), "model", from_covariances(0.0, 0.0, v2), from_covariances(v2, v2, v2)
    )


def _nonnegative(parts: tuple[float, float, float]) -> tuple[float, float, float]:
    a, b, c = (max(part, 0.0) for part in parts)
    return a, b, c
