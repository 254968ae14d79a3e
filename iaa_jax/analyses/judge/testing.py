"""The alternative annotator test: p-values, winning rates, the least epsilon, and power."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from iaa_jax._types import Floats
from iaa_jax.engine import PatternTable
from iaa_jax.engine.drawing import Purpose, bootstrap_rows, draws_in_blocks
from iaa_jax.engine.rows import Progress, tell
from iaa_jax.kernels.judging import AgainstAnnotator, UnitSums, compare
from iaa_jax.measure.intervals.pseudo_item import PseudoItem

ENOUGH = 0.5
"""Minimum winning rate for a judge to pass."""

_HALVINGS = 12
"""Number of bisections in the search for the least epsilon (to within 1 / 4096)."""


@dataclass(frozen=True)
class AlternativeAnnotatorTest:
    """The alternative annotator test, with its options.

    Attributes
    ----------
    epsilon : array (epsilon,)
        How much better than the judge an annotator may be, because a judge costs less.
    false_discovery_rate : float
        Largest expected share of false wins among the annotators that a judge is said to beat.
    tested : array (judge, annotator)
        Whether the judge is tested against the annotator.
    """

    epsilon: Floats
    false_discovery_rate: float
    tested: NDArray[np.bool_]

    def p_values(self, comparison: AgainstAnnotator, epsilon: Floats | None = None) -> Floats:
        """Return p-values (..., judge, annotator, epsilon) of the judge being worse by epsilon.

        The hypothesis is that the judge is worse by epsilon or more. The p-values come from
        one-sided t-tests over units (items or clusters) of the ``difference`` by which the judge is
        worse, and are NaN without a test or with fewer than two units. If the standard error is 0,
        the p-value is 0 if the difference is below epsilon, and 1 otherwise.
        """
        cost = (self.epsilon if epsilon is None else epsilon) - comparison.difference[..., None]
        error, units = comparison.standard_error[..., None], comparison.units[..., None]
        still = error == 0
        with np.errstate(invalid="ignore", divide="ignore"):
            p_value = stdtr(units - 1, -cost / np.where(still, 1.0, error))
        p_value = np.where(still, np.where(cost > 0, 0.0, 1.0), p_value)
        return np.where(self.tested[..., None] & (units > 1), p_value, np.nan)

    def rejected(self, p_values: Floats) -> NDArray[np.bool_]:
        """Tell which annotators (..., judge, annotator, epsilon) the judge beats, tested jointly.

        Benjamini and Yekutieli's step-up procedure rejects the k smallest of m p-values, with the
        largest k for which the k-th is at most ``k q / (m (1 + 1/2 + ... + 1/m))``. It is valid for
        dependent tests such as these, in which annotators are compared on the same items.
        """
        p_value = np.moveaxis(p_values, -2, -1)
        tested = (~np.isnan(p_value)).sum(axis=-1, keepdims=True)
        rank = np.arange(1, p_value.shape[-1] + 1)
        harmonic = np.concatenate([[1.0], np.cumsum(1 / rank)])[tested]
        bound = rank * self.false_discovery_rate / (np.maximum(tested, 1) * harmonic)
        ordered = np.sort(p_value, axis=-1)  # undefined p-values come last
        met = np.where(ordered <= bound, rank, 0).max(axis=-1, keepdims=True)
        last = np.take_along_axis(ordered, np.maximum(met - 1, 0), axis=-1)
        return np.moveaxis((met > 0) & (p_value <= last), -1, -2)

    def winning_rate(self, comparison: AgainstAnnotator, epsilon: Floats | None = None) -> Floats:
        """Return the share of the tested annotators that a judge beats (..., judge, epsilon)."""
        p_values = self.p_values(comparison, epsilon)
        tested = (~np.isnan(p_values)).sum(axis=-2)
        won = self.rejected(p_values).sum(axis=-2)
        return np.where(tested > 0, won / np.maximum(tested, 1), np.nan)

    def least_epsilon(self, comparison: AgainstAnnotator) -> Floats:
        """Return the smallest epsilon at which a judge passes (..., judge).

        It is 1 if the judge passes at no epsilon below 1, and NaN if the judge is untested.
        """
        low = np.zeros(comparison.difference.shape[:-1])
        high = np.ones_like(low)
        at_none = self.winning_rate(comparison, np.zeros(1))[..., 0]
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            passes = self.winning_rate(comparison, middle[..., None, None])[..., 0] >= ENOUGH
            low, high = np.where(passes, low, middle), np.where(passes, middle, high)
        least = np.where(at_none >= ENOUGH, 0.0, high)
        return np.where(np.isnan(at_none), np.nan, least)

    def mean_advantage(self, comparison: AgainstAnnotator) -> Floats:
        """Return the mean advantage probability over the tested annotators (..., judge)."""
        used = self.tested & ~np.isnan(comparison.advantage)
        total = np.where(used, comparison.advantage, 0.0).sum(axis=-1)
        number = used.sum(axis=-1)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan)


class JudgeReplicates(NamedTuple):
    """Results of the test on replicates of the items or clusters (replicate, judge, ...).

    ``least_epsilon`` and ``advantage`` include a pseudo-unit, which is invented and acts as a
    prior. It has two halves. In one half the judge is as close as every person; in the other, it is
    ahead of or behind every person.
    """

    winning_rate: Floats
    least_epsilon: Floats
    advantage: Floats


def replicates_of(
    test: AlternativeAnnotatorTest,
    sums: UnitSums,
    table: PatternTable,
    number: int,
    seed: int,
    progress: Progress | None,
) -> JudgeReplicates:
    """Run the test on replicates of the items or clusters."""
    item = PseudoItem.drawn(number, table.items, seed)
    ahead, behind = (item.differing + item.leaning) / 2, (item.differing - item.leaning) / 2
    pseudo = np.stack([item.agreeing, ahead, behind], axis=1)
    more = _with_pseudo_units(sums, table.count)
    parts: list[tuple[Floats, ...]] = []
    done = 0
    for (rows,) in bootstrap_rows([table], number, seed):
        part = rows[: number - done]
        done += len(part)
        comparison = compare(sums, part)
        with_unit = compare(more, np.concatenate([part, pseudo[done - len(part) : done]], axis=1))
        least, advantage = test.least_epsilon(with_unit), test.mean_advantage(with_unit)
        parts.append((test.winning_rate(comparison), least, advantage))
        tell(progress, done, number)
    return JudgeReplicates(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _with_pseudo_units(sums: UnitSums, count: Floats) -> UnitSums:
    """Add units of average size with the judge as close as people, ahead of them, or behind."""
    units = np.tensordot(count, sums.items > 0, axes=1)
    size = np.tensordot(count, sums.items, axes=1) / np.maximum(units, 1)
    items = np.stack([size, size, size])
    advantage = np.stack([size, size, 0 * size])
    difference = np.stack([0 * size, -size, size])
    return UnitSums(
        *(np.concatenate(each) for each in zip(sums, (items, advantage, difference), strict=True))
    )


def rate_ends(rate: float, people: int, rates: Floats, confidence: float) -> tuple[float, float]:
    """Return the interval of the share of all possible people whom a judge beats.

    Each replicate of the items (``rates``) gives a number of people beaten, and with it Jeffreys'
    posterior of the share. The ends are quantiles of the mean of these posteriors, widened to
    contain ``rate``; the lower end is 0 if ``rate`` is 0, and the upper end is 1 if it is 1.

    Examples
    --------
    >>> import numpy as np
    >>> [round(end, 3) for end in rate_ends(1.0, 3, np.ones(100), 0.95)]
    [0.464, 1.0]
    """
    from scipy.optimize import brentq
    from scipy.special import betainc

    beaten, times = np.unique(np.rint(rates * people), return_counts=True)
    share = times / times.sum()

    def below(end: float, tail: float) -> float:
        return float(share @ betainc(beaten + 0.5, people - beaten + 0.5, end)) - tail

    tail = (1 - confidence) / 2
    low, high = (float(brentq(below, 0.0, 1.0, args=(level,))) for level in (tail, 1 - tail))
    return (0.0 if rate == 0 else min(low, rate)), (1.0 if rate == 1 else max(high, rate))


def power_of(
    test: AlternativeAnnotatorTest,
    sums: UnitSums,
    count: Floats,
    units: int,
    draws: int,
    seed: int,
) -> Floats:
    """Return how often each judge passes (judge, epsilon) in samples of ``units`` units."""
    shares = count / count.sum()
    passed = np.zeros(test.tested.shape[:1] + test.epsilon.shape)
    for random, number in draws_in_blocks(draws, seed, Purpose.JUDGE_POWER, units):
        rows = random.multinomial(units, shares, size=number).astype(np.float64)
        passed += (test.winning_rate(compare(sums, rows)) >= ENOUGH).sum(axis=0)
    return passed / draws
