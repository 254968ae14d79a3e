"""What is known of a coefficient at each arrival: the figure, its ends, and the evidence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

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
    left_open,
)
from iaa_jax.analyses.watch.terms import size_of_groups, terms_of, why_not_exact
from iaa_jax.engine import Prepared
from iaa_jax.engine.gradients import GradientRows
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import cluster_codes
from iaa_jax.measure.requests.studies import patterns_of_items
from iaa_jax.wording import keyword, named

_MOST_TIMES = 30.0
"""How many times the items that there are may be needed to decide, to be worth a number."""

_WHY_NOT = {
    "no_terms": "nothing exact is known for this coefficient",
    "gaps": "not all annotators rated the same items",
    "clusters": "items are taken in clusters",
    "population": "the figure meant is that of a given number of items",
    "no_bounds": f"{named('bounds')} do not say which numbers can be given",
}
"""Why there is no exact sequence, by code."""


class Looks(NamedTuple):
    """What is known at each arrival."""

    columns: dict[str, Floats]
    why: str  # not by betting
    since: Values

    @property
    def ends(self) -> Ends:
        """The ends of the sequence."""
        return Ends(self.columns["ci_low"], self.columns["ci_high"])

    def side(self, bar: float) -> Values:
        """Of each arrival whether the figure is shown to be above (1) or below (-1) the bar."""
        return np.where(self.ends.low >= bar, 1, np.where(self.ends.high < bar, -1, 0))

    def decided_at(self, bar: float | None, names: Values) -> str:
        """The arrival at which it was decided; "" if it is not."""
        if bar is None or not (sides := self.side(bar))[-1]:
            return ""
        return str(names[int(np.argmax(sides == sides[-1]))])

    def fallen_since(self, names: Values, confidence: float) -> str:
        """The arrival after which the figure has fallen below the bar, where that is shown."""
        fallen = self.columns.get("e_value_fallen")
        if fallen is None or not (fallen >= 2 / (1 - confidence)).any():
            return ""
        start = int(self.since[-1])
        return str(names[start - 1]) if start else ""

    def items_that_decide(self, bar: float | None, number: Indices) -> float:
        """About how many items would decide it, if the figure stayed; NaN where none would."""
        if bar is None or self.side(bar)[-1]:
            return np.nan
        estimate, (low, high) = self.columns["estimate"][-1], (each[-1] for each in self.ends)
        apart, reach = abs(bar - estimate), high - estimate if bar > estimate else estimate - low
        if not reach > 0 or apart**2 * _MOST_TIMES < reach**2:
            return np.nan
        return float(np.ceil(number[-1] * max(1.0, (reach / apart) ** 2)))


def looks_at(
    ratings: Rated,
    request: Request,
    arrivals: Arrivals,
    bar: float | None,
    bounds: tuple[float, float] | None,
    alpha: float,
    options: IntervalOptions,
    method: str | None,
) -> Looks:
    """Estimates, ends and evidence at each arrival."""
    cluster, population = options.random.cluster, options.random.population
    codes = None if cluster is None else cluster_codes(ratings, cluster)[0]
    seen = len(arrivals.items)
    if population is not None and population < seen:
        raise OptionError(
            f"{named('population')} is {population:,.0f}, and {seen:,} items have come already"
        )
    why = why_not_exact(ratings, request, bounds, clusters=codes is not None)
    if not why and population is not None and size_of_groups(request) > 1:
        why = "population"
    if why and method == "betting":
        raise OptionError(
            f"{keyword('method', method)} cannot be had here: {_WHY_NOT[why]}; leave it out"
        )
    why = "asked" if method == "influence" else why
    estimate, error, number = _figures(ratings, request, arrivals, codes)
    limits = request.bounds.lower, request.bounds.highest
    z = float(ndtri(1 - (1 - options.confidence) / 2))
    evidence: Evidence | None = None
    if why:
        ends = ends_by_influence(estimate, error, number, alpha, limits, population)
        if bar is not None:
            evidence = evidence_by_influence(estimate, error, number, alpha, bar, population)
    else:
        terms = terms_of(
            ratings,
            request,
            arrivals.items,
            arrivals.ends,
            bounds,
            every_item=population is not None,
        )
        bets = terms.bets(alpha, population)
        ends = ends_by_betting(terms, bets, alpha, limits)
        if population is not None:
            ends = left_open(terms, population, ends)
        if bar is not None:
            evidence = evidence_by_betting(terms, bets, bar)
    columns = {
        "estimate": estimate,
        "ci_low": np.where(np.isnan(estimate), np.nan, ends.low),
        "ci_high": np.where(np.isnan(estimate), np.nan, ends.high),
        "standard_error": error,
        "one_look_ci_low": np.fmax(estimate - z * error, limits[0]),
        "one_look_ci_high": np.fmin(estimate + z * error, limits[1]),
    }
    since: Values = np.zeros(len(estimate), dtype=np.intp)
    if evidence is not None:
        since = evidence.since
        columns |= {
            "e_value": evidence.above,
            "e_value_below": evidence.below,
            "e_value_fallen": evidence.fallen,
        }
    return Looks(columns, why, since)


def _figures(
    ratings: Rated, request: Request, arrivals: Arrivals, clusters: Indices | None
) -> tuple[Floats, Floats, Floats]:
    """Estimate, standard error, and how many items (or clusters) there are, at each arrival."""
    problem = request.problem
    rows = GradientRows(Prepared([problem]), len(arrivals.ends))
    patterns = len(problem.table.count)
    pattern = patterns_of_items(ratings, problem.measure)[arrivals.items]
    of_arrivals = arrivals.of_items
    counts = (ratings.codes.codes[arrivals.items] >= 0).sum(axis=1) >= 2
    number = np.cumsum(np.bincount(of_arrivals, counts)).astype(np.float64)
    together = max(1, thresholds.GRADIENT_CELLS // patterns)
    so_far = np.zeros(patterns)
    estimates, errors = [], []
    for start in range(0, len(arrivals.ends), together):
        block = range(start, min(start + together, len(arrivals.ends)))
        weights = np.zeros((len(block), patterns))
        for row, arrival in enumerate(block):
            first = arrivals.ends[arrival - 1] if arrival else 0
            here = pattern[first : arrivals.ends[arrival]]
            so_far = so_far + np.bincount(here, minlength=patterns)
            weights[row] = so_far
        gradients = rows(weights)
        centred = gradients.centred(weights)
        estimates.append(gradients.estimate)
        if clusters is None:
            squares = np.einsum("ij,ij->i", weights, centred**2)
            units = weights.sum(axis=1)
        else:
            squares, units = np.empty(len(block)), np.empty(len(block))
            for row, arrival in enumerate(block):
                so_many = arrivals.ends[arrival]
                of_cluster = clusters[arrivals.items[:so_many]]
                total = np.bincount(of_cluster, centred[row][pattern[:so_many]])
                squares[row] = (total**2).sum()
                number[arrival] = units[row] = len(np.unique(of_cluster))
        errors.append(np.sqrt(squares * units / np.where(units > 1, units - 1, np.nan)))
    return np.concatenate(estimates), np.concatenate(errors), number
