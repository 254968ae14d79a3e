"""Differences of a comparison: both estimates, their difference, and its spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.compare.by_interval import (
    ADDED,
    SquaredAndAdded,
    ZeroSpreadBound,
    disagreement_effect,
    distributions_of_each,
    one_side,
)
from iaa_jax.analyses.compare.margins import BalancedSets
from iaa_jax.analyses.compare.pairing import Pool
from iaa_jax.analyses.compare.permutations import Draws, PermutedDifference, permute
from iaa_jax.analyses.compare.posterior import posterior_differences
from iaa_jax.analyses.compare.standard_errors import (
    NO_SPREAD,
    UNKNOWN,
    Spreads,
    over_annotators,
    spread_of,
    with_annotators,
)
from iaa_jax.analyses.compare.two_sets import TwoSets, resampled_differences
from iaa_jax.engine import Prepared, Problem, estimates, influences
from iaa_jax.engine.middles import with_middles
from iaa_jax.engine.rows import Progress
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.direct_ends import KurtosisDistribution
from iaa_jax.measure.intervals.measurement import pair_counts_of
from iaa_jax.measure.intervals.uncertainty import unsteady_pairs_note
from iaa_jax.measure.intervals.zero_disagreement import effective_items
from iaa_jax.measure.options.interval import OF_NO_KIND
from iaa_jax.measure.requests.prior import takes_prior
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.wording import Note

_NEAR = 1e-9
"""Replicates of a difference count as equal to it up to this distance."""


class AtCommonMargins(NamedTuple):
    """Estimates with equal label frequencies in both sets, and the spread of their difference."""

    a: float
    b: float
    error: float
    degrees: float


@dataclass(frozen=True)
class Difference:
    """A coefficient of both sets, and the spread and the tests of its difference B - A.

    ``method`` names the interval. ``replicates`` (replicate,) are replicates of the difference.
    ``of_each`` holds the distributions of both estimates, for "kurtosis_t". ``withheld`` says why
    the spread is unknown, and ``not_exchanged`` why the sets cannot be permuted. ``bound`` gives
    the interval if a standard error is 0. For random annotators, ``regrouped`` is the p-value over
    groupings of the same annotators. ``influential_items`` is the effective number of items in each
    set.
    """

    request: Request
    method: str
    a: Agreement
    b: Agreement
    error_a: float
    error_b: float
    error: float
    degrees: float
    skewness: float
    replicates: Floats | None
    exchanged: PermutedDifference | None
    withheld: Note | None
    not_exchanged: Note | None
    bound: ZeroSpreadBound | None = None
    common: AtCommonMargins | None = None
    regrouped: float = np.nan
    influential_items: tuple[float, float] = (np.inf, np.inf)
    of_each: tuple[KurtosisDistribution, KurtosisDistribution] | None = None

    @property
    def correlation(self) -> float:
        """Correlation of both estimates."""
        squares = self.error_a**2 + self.error_b**2 - self.error**2
        return float(np.clip(squares / (2 * self.error_a * self.error_b), -1.0, 1.0))

    @property
    def difference(self) -> float:
        """The estimate of B minus the estimate of A."""
        return float(self.b.estimate) - float(self.a.estimate)

    @property
    def combined(self) -> SquaredAndAdded | None:
        """The interval that combines the intervals of both estimates, if any."""
        if self.of_each is None or not min(self.error_a, self.error_b, self.error) > 0:
            return None
        return SquaredAndAdded(*self.of_each, self.correlation)

    @property
    def posterior(self) -> Floats | None:
        """Draws of the difference from its posterior, if it has one."""
        return self.replicates if self.method == "empirical_bayes" else None


_LIKE_PANELS = 1.1
"""Items are permuted only if the sets' mean numbers of ratings per item have at most this ratio."""


class Pair(NamedTuple):
    """Two sets to compare: their pooled ratings, tables of patterns, and names.

    A pattern is a set of items with the same ratings, kept once with a count. ``margins`` has
    weights that make labels equally frequent, if their frequencies differ. ``drawn`` resolves
    coefficients of both sets, if annotators are random.
    """

    pool: Pool
    sets: TwoSets
    names: tuple[str, str]
    margins: BalancedSets | None = None
    drawn: Resolver | None = None

    @property
    def units(self) -> tuple[float, float]:
        """Numbers of random units in A and B: items with two ratings or more, or clusters."""
        if self.sets.clustered is None:
            return self.sets.pairable
        a, b = (
            min(pair) for pair in zip(self.sets.pairable, self.sets.clustered.numbers, strict=True)
        )
        return a, b


def compare_coefficients(
    requests: Sequence[Request],
    methods: Sequence[str],
    pair: Pair,
    draws: Draws,
    options: IntervalOptions,
    progress: Progress | None = None,
) -> list[Difference]:
    """Compare two sets by several coefficients, all on the same permutations.

    ``methods`` names the interval of each difference. ``options`` are for single estimates, whose
    intervals "kurtosis_t" combines.
    """
    requests = [_centred(request, pair.sets) for request in requests]
    sides = [_problems(requests, pair, side) for side in (0, 1)]
    prepared = [Prepared(problems) for problems in sides]
    figures = [estimates(side) for side in prepared]
    withheld = [
        _reason_without_spread(request, pair, prepared, problems)
        for request, *problems in zip(requests, *sides, strict=True)
    ]
    not_exchanged = [reason_against_permutation(request, pair) for request in requests]
    defined = [
        index
        for index, reason in enumerate(withheld)
        if reason is None and all(side[index].code == 0 for side in figures)
    ]
    problems = {index: (sides[0][index], sides[1][index]) for index in defined}
    spreads: dict[int, Spreads] = {}
    replicates: dict[int, Floats] = {}
    exchanged: dict[int, PermutedDifference] = {}
    distributions: dict[int, tuple[KurtosisDistribution, KurtosisDistribution]] = {}
    if defined:
        both = [influences(side.part(defined)) for side in prepared]
        for index, a, b in zip(defined, *both, strict=True):
            spreads[index] = spread_of(requests[index].problem, (a, b), pair.sets)
        by_distributions = [
            position for position, index in enumerate(defined) if methods[index] == ADDED
        ]
        indices = [defined[position] for position in by_distributions]
        of_sides = [
            (
                side.part(indices),
                [agreements[i] for i in indices],
                [slopes[k] for k in by_distributions],
            )
            for side, agreements, slopes in zip(prepared, figures, both, strict=True)
        ]
        of_each = distributions_of_each([requests[index] for index in indices], of_sides, options)
        distributions = dict(zip(indices, of_each, strict=True))
    methods = [*methods]
    if draws.replicates:
        # if a set shows no spread, its bound is more informative than a prior
        varied = [index for index in defined if min(spreads[index][:3]) > 0]
        by_posterior = [
            index
            for index in varied
            if methods[index] == "empirical_bayes"
            and requests[index].labels is not None
            and all(map(takes_prior, problems[index]))
        ]
        differences = posterior_differences(
            [requests[index] for index in by_posterior],
            [problems[index] for index in by_posterior],
            *(pair.sets, draws, progress),
        )
        replicates = dict(zip(by_posterior, differences, strict=True))
        others = [index for index in defined if index not in replicates]
        drawn = resampled_differences(
            [problems[index] for index in others],
            *(pair.sets, draws.replicates, draws.seed, progress),
        )
        replicates |= dict(zip(others, drawn, strict=True))
        for index in others:
            methods[index] = OF_NO_KIND if methods[index] == "empirical_bayes" else methods[index]
    exchangeable = [index for index in defined if not_exchanged[index] is None]
    if exchangeable and draws.permutations:
        least = [_change_by_one_item(requests[index], pair) for index in exchangeable]
        to_exchange = [problems[index] for index in exchangeable]
        permuted = permute(to_exchange, least, pair.sets, draws.permutations, draws.seed, progress)
        exchanged = dict(zip(exchangeable, permuted, strict=True))
    if defined and pair.drawn is not None:

        def variance(problem: Problem, a: Floats, b: Floats) -> float:
            return spread_of(problem, (a, b), pair.sets)[2] ** 2

        annotators = over_annotators(
            [*problems.values()], pair.drawn, pair.pool, pair.sets, variance
        )
        for index, over in zip(defined, annotators, strict=True):
            spreads[index] = with_annotators(spreads[index], over)
            if np.isnan(spreads[index][2]):
                withheld[index] = Note("undefined_without_annotator", {}, "caution")
    comparisons = [
        Difference(
            request,
            methods[index],
            figures[0][index],
            figures[1][index],
            *spreads.get(index, UNKNOWN),
            replicates.get(index),
            exchanged.get(index),
            withheld[index],
            not_exchanged[index],
            common=_at_common_margins(request, problems.get(index), pair),
            influential_items=(
                float(effective_items(sides[0][index])),
                float(effective_items(sides[1][index])),
            ),
            of_each=distributions.get(index),
        )
        for index, request in enumerate(requests)
    ]
    return [_with_bound(row, pair) for row in comparisons]


def _centred(request: Request, sets: TwoSets) -> Request:
    """Centre numbers so that both estimates keep their digits."""
    problem = request.problem
    table = "identified" if problem.measure.identified else "exchangeable"
    rows = np.stack([getattr(side, table).count for side in (sets.a, sets.b)])
    return replace(request, problem=with_middles(problem, rows))


def _problems(requests: Sequence[Request], pair: Pair, side: int) -> list[Problem]:
    """Return the problems (formula and data) of the coefficients in one set."""
    pool = pair.pool
    present, tables = ((pool.in_a, pair.sets.a), (pool.in_b, pair.sets.b))[side]
    problems = []
    for request in requests:
        problem = request.problem
        identified = problem.measure.identified
        own_weights = identified and not pool.same_columns
        weight = present if own_weights else problem.annotator_weight
        table = tables.identified if identified else tables.exchangeable
        problems.append(replace(problem, table=table, annotator_weight=weight))
    return problems


def _reason_without_spread(
    request: Request, pair: Pair, prepared: Sequence[Prepared], problems: Sequence[Problem]
) -> Note | None:
    """Return the reason why an estimate's spread is unknown; None if there is none."""
    sets = pair.sets
    for side, name in enumerate(pair.names):
        pairable = sets.pairable[side]
        if pairable < 2:
            return Note("few_pairable_in_set", {"set": name, "items": pairable}, "caution")
        if sets.clustered is not None:
            clusters = (sets.clustered.a, sets.clustered.b)[side]
            table = (sets.a, sets.b)[side].identified
            pairable_of = clusters.matrix_of(table) @ np.where(sets.panel >= 2, 1.0, 0.0)
            if (pairable_of > 0).sum() < 2:
                return Note("one_cluster_in_set", {"set": name}, "caution")
        set_request = replace(request, problem=problems[side])
        if reason := unsteady_pairs_note(set_request, pair_counts_of(prepared[side], set_request)):
            return Note("of_set", {"set": name, "note": reason}, "caution")
    return None


def reason_against_permutation(request: Request, pair: Pair) -> Note | None:
    """Return the reason why items cannot be permuted, or None if they can."""
    pool, sets = pair.pool, pair.sets
    if pair.drawn is not None:
        return Note("annotators_are_drawn")
    if not sets.whole_weights:
        return Note("weights_not_whole")
    annotators = int(pool.in_a.sum()), int(pool.in_b.sum())
    if request.problem.measure.identified and annotators[0] != annotators[1]:
        names = {"name_a": pair.names[0], "name_b": pair.names[1]}
        return Note("annotators_differ", {"a": annotators[0], "b": annotators[1], **names})
    a, b = sets.ratings_of_item
    if max(a, b) > _LIKE_PANELS * min(a, b):
        # an estimate from fewer ratings per item varies more, which permutations would hide
        names = {"name_a": pair.names[0], "name_b": pair.names[1]}
        return Note("panels_differ", {"a": a, "b": b, **names})
    return None


def _at_common_margins(
    request: Request, sides: tuple[Problem, Problem] | None, pair: Pair
) -> AtCommonMargins | None:
    """Estimate the coefficient at equal label frequencies; None if that is impossible."""
    common = None
    if pair.margins is not None and sides is not None:
        common = pair.margins.compare(*sides)
    if common is None:
        return None
    _, _, error, degrees, _ = spread_of(request.problem, common.derivatives, pair.sets)
    return AtCommonMargins(common.a, common.b, error, degrees)


def _change_by_one_item(request: Request, pair: Pair) -> float:
    """Return the change of the difference by one more disagreeing item in each set."""
    request = replace(request, problem=replace(request.problem, power=0))
    (both,) = estimates(Prepared([request.problem]))
    if both.code != 0:
        return 0.0
    a, b = (disagreement_effect(request, both) / units for units in pair.units)
    return float(np.hypot(a, b))


def _with_bound(row: Difference, pair: Pair) -> Difference:
    """Add a bound to a difference if a standard error is 0."""
    if not np.isfinite(row.error) or min(row.error, row.error_a, row.error_b) > 0:
        return row
    sets, replicates = pair.sets, row.replicates
    constant = replicates is None or not bool((np.abs(replicates - row.difference) > _NEAR).any())
    same = sets.paired and row.error == 0 and constant and abs(row.difference) <= NO_SPREAD
    unit = "items" if sets.clustered is None else "clusters"
    units = [min(both) for both in zip(pair.units, row.influential_items, strict=True)]
    a = one_side(pair.names[0], row.request, row.a, row.error_a, units[0])
    b = one_side(pair.names[1], row.request, row.b, row.error_b, units[1])
    return replace(row, error=np.nan, replicates=None, bound=ZeroSpreadBound(a, b, same, unit))
