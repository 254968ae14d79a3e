"""The difference of two sets in standard errors, beside the same after random exchanges.

A difference after an exchange is taken in the standard error of the sets as exchanged. The test is
exact where the sets differ in nothing, and holds for many items where they are equally good and
differ otherwise, as in the frequency of labels (Janssen 1997, Chung and Romano 2013). A label that
few items have may show no spread, or hardly any: what one item more would take from the figure is
added to the error, so that little data are no certainty.

Janssen, A. (1997). Studentized permutation tests for non-i.i.d. hypotheses and the generalized
Behrens-Fisher problem. Statistics and Probability Letters 36(1).
https://doi.org/10.1016/S0167-7152(97)00043-6
Chung, E. and Romano, J. P. (2013). Exact and asymptotically robust permutation tests. Annals of
Statistics 41(2). https://doi.org/10.1214/13-AOS1090
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.clusters import weighted_variance
from iaa_jax.analyses.compare.two_sets import ExchangedRows, TwoSets
from iaa_jax.engine import Prepared, Problem
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.engine.middles import is_of_moments, missing
from iaa_jax.engine.rows import Progress

_ROUNDING = 1e-9
_CERTAIN = 1e6
_CELLS = 1 << 16


class Exchanged(NamedTuple):
    """A difference in standard errors, and the size of the same after each exchange.

    ``scale`` is the standard error with what one item more would take; NaN where an exchange leaves
    a figure undefined.
    """

    statistic: float
    scale: float
    drawn: Floats

    @property
    def p_value(self) -> float:
        """The share that is as large; one that is undefined counts as large."""
        if np.isnan(self.statistic):
            return np.nan
        as_large = np.isnan(self.drawn) | (self.drawn >= self.statistic * (1 - _ROUNDING))
        return float((1 + as_large.sum()) / (1 + len(self.drawn)))

    def reach(self, confidence: float) -> float:
        """How far an interval goes that holds 0 just where p is large enough."""
        undefined_last = np.sort(np.where(np.isnan(self.drawn), np.inf, self.drawn))
        place = int(np.ceil(confidence * (1 + len(undefined_last)))) - 1
        if place >= len(undefined_last) or np.isinf(undefined_last[place]):
            return np.nan
        return float(undefined_last[place] * self.scale * (1 + _ROUNDING))


def exchange(
    sides: Sequence[tuple[Problem, Problem]],
    least: Sequence[float],
    sets: TwoSets,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Exchanged]:
    """Each coefficient, by its problems in A and in B, over the same exchanges.

    ``least`` is what is added to each standard error, as its own standard error would be.
    """
    differences = [_Difference(*pair, sets) for pair in sides]
    found: list[list[tuple[Floats, Floats, Floats]]] = [[] for _ in sides]
    done = 0
    for rows in _together(sets.exchanges(permutations, seed)):
        for difference, parts in zip(differences, found, strict=True):
            parts.append(difference(rows))
        done += len(rows.a)
        if progress is not None:
            progress(min(done, permutations), permutations)
    exchanged = []
    for parts, floor in zip(found, least, strict=True):
        apart, variance, unit = (np.concatenate(column) for column in zip(*parts, strict=True))
        scale, size, rounding = np.sqrt(variance + floor**2), np.abs(apart), _ROUNDING * unit
        # without any spread, and nothing added to it, only a difference of 0 is none
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.where((scale <= rounding) & (size <= rounding), 0.0, size / scale)
        t = np.minimum(t, _CERTAIN)
        exchanged.append(Exchanged(float(t[0]), float(scale[0]), t[1:]))
    return exchanged


def _together(blocks: Iterator[ExchangedRows]) -> Iterator[ExchangedRows]:
    """The same rows in fewer blocks, as many as are small enough to be worked out at once."""
    waiting: list[ExchangedRows] = []
    for block in blocks:
        waiting.append(block)
        if sum(part.a.size for part in waiting) >= _CELLS:
            yield ExchangedRows(*map(np.concatenate, zip(*waiting, strict=True)))
            waiting = []
    if waiting:
        yield ExchangedRows(*map(np.concatenate, zip(*waiting, strict=True)))


class _Difference:
    """One coefficient: the difference B - A, its variance, and its size, at rows of exchanges.

    Of numbers what is missing to 1 is compared: it may be too small to be seen beside 1.
    """

    def __init__(self, a: Problem, b: Problem, sets: TwoSets) -> None:
        self.sets = sets
        self.index = 1 if a.measure.identified else 0
        same = a.annotator_weight is b.annotator_weight
        self._from_1 = is_of_moments(a)
        a, b = missing(a), missing(b)
        self._a = GradientRows(Prepared([a]))
        self._b = self._a if same else GradientRows(Prepared([b]))

    def __call__(self, rows: ExchangedRows) -> tuple[Floats, Floats, Floats]:
        sets = self.sets
        weights = rows.a, rows.b
        if self.index == 0:
            weights = sets.coarse_rows(rows.a), sets.coarse_rows(rows.b)
        figures = [at(weight) for at, weight in zip((self._a, self._b), weights, strict=True)]
        a, b = (figure.centred(weight) for figure, weight in zip(figures, weights, strict=True))
        if sets.clustered is not None:
            variance = sets.clustered.variance(self.index, a, b, rows.units)
        elif sets.paired:
            variance = self._of_pairs(a, b, rows.units)
        else:
            variance = weighted_variance(a, weights[0]) + weighted_variance(b, weights[1])
        of_a, of_b = (figure.estimate for figure in figures)
        unit = np.maximum(abs(of_a), abs(of_b)) if self._from_1 else np.ones(len(of_a))
        return of_b - of_a, variance, unit

    def _of_pairs(self, a: Floats, b: Floats, swapped: Floats) -> Floats:
        """Of items whose sides did not change, and of those whose did."""
        sets = self.sets
        if self.index == 0:
            a, b = a[:, sets.coarse_of], b[:, sets.coarse_of]
        turning = sets.turning
        kept = np.tile(sets.joint.count, (len(a), 1))
        kept[:, turning] -= swapped
        as_is = b[:, sets.of_b] - a[:, sets.of_a]
        turned = b[:, sets.of_a[turning]] - a[:, sets.of_b[turning]]
        return weighted_variance(
            np.concatenate([as_is, turned], axis=1), np.concatenate([kept, swapped], axis=1)
        )
