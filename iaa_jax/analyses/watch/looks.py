"""A coefficient at each look: its estimate, its interval, and the evidence about a level.

The level that agreement is to reach is called the bar. Items that came on the same day, or in the
same batch, are one arrival.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._errors import OptionError
from iaa_jax._types import Floats, Values
from iaa_jax.analyses.watch.arrivals import Arrivals, Indices
from iaa_jax.analyses.watch.sequence import (
    Evidence,
    ends_by_betting,
    ends_by_influence,
    evidence_by_betting,
    evidence_by_influence,
    fallen_by_betting,
    left_open,
)
from iaa_jax.analyses.watch.terms import WatchedItems
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Prepared
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.kernels.intervals import Ends, items_to_reach, normal
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.studies import patterns_of_items
from iaa_jax.wording import keyword, named

MANY_ARRIVALS = 100
"""Each of the first arrivals, up to this number, is followed by a look.

Later, there is a look whenever the number of arrivals has grown by about 2 %.
"""

_WHY_NOT = {
    "no_terms": "no exact interval is known for this coefficient",
    "gaps": "not all annotators rated the same items",
    "clusters": "items are sampled in clusters",
    "population": "the target is a given number of items",
    "no_bounds": f"{named('bounds')} do not state which ratings are possible",
}
"""Reasons why there is no exact sequence of intervals, by code."""


@dataclass(frozen=True)
class Looks:
    """Estimates, ends and evidence at each look.

    Attributes
    ----------
    arrivals : array (look,)
        The arrival after which each look takes place, counted from 0.
    items : array (look,)
        Number of items that had arrived by each look.
    estimate, error : array (look,)
        The coefficient on these items, and its standard error.
    ends, apart : Ends
        ``ends`` are the ends of the interval. ``apart`` are wider ends, with half the error
        probability, from which the interval of a difference from other ratings is computed. If
        intervals are exact and there are no other ratings, ``apart`` is the same as ``ends``.
    evidence : Evidence or None
        Evidence about the bar; None without a bar.
    fallen : array (look,)
        Evidence that the coefficient has been below the bar since an earlier look; NaN without a
        bar, or if the sequence is not exact.
    since : array (look,)
        The look before which the coefficient most likely fell; 0 if it did not, or nothing is
        known.
    why : str
        Code of the reason why the sequence is not exact; "" if it is.
    """

    arrivals: Indices
    items: Indices
    estimate: Floats
    error: Floats
    ends: Ends
    apart: Ends
    evidence: Evidence | None
    fallen: Floats
    since: Indices
    why: str

    def side(self, bar: float) -> Values:
        """Return 1 for each look that shows the coefficient above the bar, -1 if below, else 0."""
        return np.where(self.ends.low >= bar, 1, np.where(self.ends.high < bar, -1, 0))

    @property
    def beyond(self) -> NDArray[np.bool_]:
        """Whether the estimate of each look lies outside the ends, which are then invalid."""
        return np.asarray((self.estimate < self.ends.low) | (self.estimate > self.ends.high))

    @property
    def moved(self) -> bool:
        """Whether the estimate lies outside the ends at the last look."""
        return bool(self.beyond[-1])

    def at_one_look(self, confidence: float) -> Ends:
        """Return the ends that each look would have if it were the only look."""
        return normal(self.estimate, self.error, confidence)

    def decided_at(self, bar: float | None) -> int | None:
        """Return the first look that showed the final side of the bar; None if it is undecided."""
        if bar is None or not (sides := self.side(bar))[-1]:
            return None
        return int(np.argmax(sides == sides[-1]))

    def fall_at(self, threshold: float) -> tuple[int, int] | None:
        """Return the look before a fall below the bar and the look that showed the fall, if any.

        A fall is shown by evidence of at least ``threshold``.
        """
        shown = np.flatnonzero(self.fallen >= threshold)
        if not len(shown) or not (since := int(self.since[shown[0]])):
            return None
        return since - 1, int(shown[0])

    @property
    def held_until(self) -> int | None:
        """The last look whose estimate lay within the ends."""
        within = np.flatnonzero(~self.beyond & ~np.isnan(self.estimate))
        return int(within[-1]) if len(within) else None

    def items_that_decide(self, bar: float | None, confidence: float) -> float:
        """Return roughly how many items would decide the side of the bar, with the same estimate.

        NaN if this would take very many items, or if the interval of a single look contains the
        bar.
        """
        if bar is None:
            return np.nan
        ends = float(self.ends.low[-1]), float(self.ends.high[-1])
        low, high = (end[-1] for end in self.at_one_look(confidence))
        if not (bar < low or bar > high):
            return np.nan
        return items_to_reach(bar, float(self.estimate[-1]), ends, float(self.items[-1]))

    def times_as_wide(self, confidence: float) -> float:
        """Return the ratio of the last interval's width to that of a single look's interval."""
        width, last = (
            float(ends.high[-1] - ends.low[-1])
            for ends in (self.at_one_look(confidence), self.ends)
        )
        return last / width if width > 0 and last > 0 else np.nan


def looks_at(
    ratings: Rated,
    request: Request,
    arrivals: Arrivals,
    bar: float | None,
    bounds: tuple[float, float] | None,
    options: IntervalOptions,
    method: str | None,
    *,
    compared: bool,
) -> Looks:
    """Return the looks; if ``compared``, ``apart`` is for a difference from other ratings."""
    cluster, population = options.random.cluster, options.random.population
    codes = None if cluster is None else cluster_codes(ratings, cluster)[0]
    if population is not None and population < (seen := len(arrivals.items)):
        raise OptionError(
            f"{named('population')} is {population:,.0f}, and {seen:,} items have come already"
        )
    if population is not None and codes is not None:
        raise OptionError(
            f"{named('population')} counts items, and {named('cluster')} takes whole clusters of "
            "them: give one of the two"
        )
    watched = WatchedItems.of(ratings, request, arrivals)
    why = "no_terms" if watched is None else watched.why_not_exact(bounds, clusters=bool(cluster))
    if not why and population is not None and watched.independent.size > 1:  # type: ignore[union-attr]
        why = "population"
    if why and method == "betting":
        raise OptionError(
            f"{keyword('method', method)} is not possible here: {_WHY_NOT[why]}; leave it out"
        )
    why = "asked" if method == "influence" and not why else why
    shown = looks_of(len(arrivals.ends))
    estimate, error, number = _figures(ratings, request, arrivals, shown, codes)
    limits = request.bounds.lower, request.bounds.highest
    alpha = 1 - options.confidence
    evidence: Evidence | None = None
    fallen, since = np.full(len(shown), np.nan), np.zeros(len(shown), dtype=np.intp)
    if why or watched is None:
        share = None if population is None else arrivals.ends[shown] / population
        figures = (estimate, error, number)
        ends, apart = (
            ends_by_influence(*figures, each, limits, share) for each in (alpha, alpha / 2)
        )
        if bar is not None:
            evidence = evidence_by_influence(*figures, alpha, bar, share)
    else:
        terms = watched.terms(
            ratings.item_names[arrivals.items],
            arrivals.ends,
            bounds,
            of_sets=ratings.kind is Kind.SETS,
            every_item=population is not None,
        )
        groups = terms.ends[shown]
        bets = terms.bets(alpha, population)
        ends = ends_by_betting(bets, groups, alpha, limits)
        apart = ends
        if compared:
            apart = ends_by_betting(terms.bets(alpha / 2, population), groups, alpha / 2, limits)
        if population is not None:
            ends, apart = (left_open(terms, groups, population, each) for each in (ends, apart))
        if bar is not None:
            evidence = evidence_by_betting(bets, groups, bar)
            fallen, since = fallen_by_betting(terms, groups, alpha, bar)
    ends, apart = (
        Ends(*(np.where(np.isnan(estimate), np.nan, end) for end in each)) for each in (ends, apart)
    )
    return Looks(
        shown, arrivals.ends[shown], estimate, error, ends, apart, evidence, fallen, since, why
    )


def figure_of(ratings: Rated, request: Request, arrivals: Arrivals) -> float:
    """Return the coefficient on all items that have arrived."""
    last = np.array([len(arrivals.ends) - 1])
    return float(_figures(ratings, request, arrivals, last, None)[0][0])


def looks_of(arrivals: int) -> Indices:
    """Return the arrivals with a look: the first `MANY_ARRIVALS`, some later ones, and the last."""
    shown = [*range(min(arrivals, MANY_ARRIVALS))]
    while shown and (after := shown[-1] + max(1, shown[-1] // 50)) < arrivals:
        shown.append(after)
    return np.unique(np.array([*shown, arrivals - 1], dtype=np.intp))


def _figures(
    ratings: Rated,
    request: Request,
    arrivals: Arrivals,
    shown: Indices,
    clusters: Indices | None,
) -> tuple[Floats, Floats, Floats]:
    """Return the estimate, standard error and number of pairable items (or clusters) by look."""
    problem = request.problem
    rows = GradientRows(Prepared([problem]), len(shown))
    patterns = len(problem.table.count)
    pattern = patterns_of_items(ratings, problem.measure)[arrivals.items]
    ends = arrivals.ends[shown]
    number = np.append(0, np.cumsum(arrivals.pairable))[ends].astype(np.float64)
    rows_in_batch = max(1, thresholds.GRADIENT_CELLS // patterns)
    so_far, first = np.zeros(patterns), 0
    estimates, errors = [], []
    for start in range(0, len(shown), rows_in_batch):
        block = range(start, min(start + rows_in_batch, len(shown)))
        weights = np.zeros((len(block), patterns))
        for row, look in enumerate(block):
            so_far = so_far + np.bincount(pattern[first : ends[look]], minlength=patterns)
            weights[row], first = so_far, ends[look]
        gradients = rows(weights)
        centred = gradients.centred(weights)
        estimates.append(gradients.estimate)
        if clusters is None:
            squares = np.einsum("ij,ij->i", weights, centred**2)
            units = weights.sum(axis=1)
        else:
            squares, units = np.empty(len(block)), np.empty(len(block))
            for row, look in enumerate(block):
                of_cluster = clusters[arrivals.items[: ends[look]]]
                total = np.bincount(of_cluster, centred[row][pattern[: ends[look]]])
                squares[row] = (total**2).sum()
                number[look] = units[row] = len(np.unique(of_cluster))
        errors.append(np.sqrt(squares * units / np.where(units > 1, units - 1, np.nan)))
    return np.concatenate(estimates), np.concatenate(errors), number
