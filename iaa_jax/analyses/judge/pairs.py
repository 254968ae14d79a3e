"""Measure the agreement of pairs: of a judge with each person, and of people with each other."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers, Variables
from iaa_jax.engine import Problem
from iaa_jax.engine.panels import PanelRows
from iaa_jax.kernels.intervals import Ends
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.posterior_rows import PosteriorRows
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resampling import resampling_of
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.spread import NO_BOUNDS, error_of
from iaa_jax.measure.requests.studies import with_identities
from iaa_jax.wording import Note

_MOST_PAIRS = 2000
"""Maximum number of pairs of annotators for which agreement by pairs is measured."""


_CELLS = 1 << 24
"""Maximum number of weights (replicate, pattern) in a batch, unless 64 replicates have more."""

_LEAST_ROWS = 64

_ENOUGH_IN_COMMON = 10.0
"""Minimum of the median number of items that two annotators have in common. With fewer, means over
pairs are too low: where 40 people give three labels with an alpha of .64, the mean alpha of a pair
is .63 with 10 items in common, .51 with two and .34 with one. A pair that agrees on its only item
has no alpha, and a pair that disagrees has an alpha of 0."""

_ALONG = {
    "agreement": ("judge",),
    "difference": ("judge",),
    "agreement_of_person": ("person",),
    "agreement_of_people": (),
    "people_on_its_items": ("judge",),
}
"""The dimensions of each estimate."""


class PairsWithJudges:
    """The coefficient of every pair of a judge and a person, and of every pair of people.

    A pattern is a set of items with the same ratings, and ``problem`` holds the patterns and the
    coefficient's formula. The first ``items`` patterns are from the data; the others are
    pseudo-items, which act as a prior. With ``exchangeable``, the coefficient does not depend on
    who gave which rating.
    """

    def __init__(
        self,
        problem: Problem,
        items: int,
        judges: Integers,
        people: Integers,
        *,
        exchangeable: bool,
    ) -> None:
        self.shape = (len(judges), len(people))
        with_judge = product(judges.tolist(), people.tolist())
        pairs = np.array([*with_judge, *combinations(people.tolist(), 2)])
        self.panels = np.zeros((len(pairs), len(problem.weight)), dtype=bool)
        self.panels[np.arange(len(pairs))[:, None], pairs] = True
        self.of_person = [(pairs == person).any(axis=1) for person in people.tolist()]
        self.run = PanelRows(problem, exchangeable=exchangeable)
        self.rated = np.stack([_rated_by(problem, judge) for judge in judges.tolist()])
        self.rated[:, items:] = True

    def agreement(self, rows: Floats) -> dict[str, Floats]:
        """Return the mean coefficient of pairs, for each row of item weights (row, pattern).

        Pairs with an undefined coefficient do not count. For ``difference``, people's agreement is
        computed on the items that the judge rated, because these may be harder than others.
        """
        first = self.shape[0] * self.shape[1]
        figures = self._pair_estimates(self.panels, rows)
        among = figures[:, first:]
        of_persons = [_mean(among[:, pairs[first:]]) for pairs in self.of_person]
        of_judges = figures[:, :first].reshape(-1, *self.shape)
        on_items = [
            among if rated.all() else self._pair_estimates(self.panels[first:], rows * rated)
            for rated in self.rated
        ]
        agreement = _mean(of_judges)
        of_people = np.stack([_mean(pairs) for pairs in on_items], axis=1)
        return {
            "agreement": agreement,
            "difference": agreement - of_people,
            "agreement_of_person": np.stack(of_persons, axis=1),
            "agreement_of_people": _mean(among),
            "people_on_its_items": of_people,
        }

    def _pair_estimates(self, panels: NDArray[np.bool_], rows: Floats) -> Floats:
        step = max(_LEAST_ROWS, _CELLS // rows.shape[1])
        parts = [rows[start : start + step] for start in range(0, len(rows), step)]
        return np.concatenate([np.concatenate([*self.run.over(panels, part)]).T for part in parts])


def _rated_by(problem: Problem, annotator: int) -> NDArray[np.bool_]:
    data = problem.data
    known = ~np.isnan(data.reshape(*data.shape[:2], -1)[..., 0])
    who = np.arange(data.shape[1]) if problem.annotator_of is None else problem.annotator_of
    return np.asarray((known & (who == annotator)).any(axis=1))


def why_not_by_pairs(
    resolver: Resolver, request: Request, judges: Integers, people: Integers
) -> Note | None:
    """Return a note if agreement by pairs is not measured: too many pairs, or too few common items.

    The number of common items is the smaller of two medians: over pairs of a judge and a person,
    and over pairs of people. Pairs without common items do not count.
    """
    if len(people) * (2 * len(judges) + len(people) - 1) // 2 > _MOST_PAIRS:
        return Note("many_pairs", {"most": _MOST_PAIRS})
    problem = with_identities(resolver, request.problem)
    count = problem.table.count
    rated = {who: _rated_by(problem, who) for who in [*judges.tolist(), *people.tolist()]}
    medians = [
        np.median(common[common > 0])
        for pairs in (product(judges.tolist(), people.tolist()), combinations(people.tolist(), 2))
        if (common := np.array([count @ (rated[one] & rated[other]) for one, other in pairs])).any()
    ]
    least = float(min(medians, default=0.0))
    if least < min(_ENOUGH_IN_COMMON, count.sum() / 2):
        return Note("few_in_common", {"common": least})
    return None


def _mean(figures: Floats) -> Floats:
    """Return the mean of defined figures over the last axis."""
    known = ~np.isnan(figures)
    number = known.sum(axis=-1)
    total = np.where(known, figures, 0.0).sum(axis=-1)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def agreement_by_pairs(
    resolver: Resolver,
    request: Request,
    judges: Integers,
    people: Integers,
    margin: float,
    replicates: int,
    options: IntervalOptions,
) -> Variables:
    """Estimate agreement by pairs, of judges with people and among people."""
    resampling = resampling_of(options.random, resolver.tables)
    problem = with_identities(resolver, request.problem)
    draws = PosteriorRows.for_request(request, problem, resampling)
    pairs = PairsWithJudges(
        draws.problem,
        len(draws.item_table.count),
        judges,
        people,
        exchangeable=not request.problem.measure.identified,
    )
    seen = pairs.agreement(draws.problem.table.count[None, :])
    parts = [pairs.agreement(rows) for rows in draws.drawn(replicates, options.seed)]
    drawn = {name: np.concatenate([part[name] for part in parts]) for name in seen if parts}
    variables: Variables = {}
    for name, (estimate,) in seen.items():
        axis, bounds = _ALONG[name], NO_BOUNDS if name == "difference" else request.bounds
        ends = Ends(*np.full((2, *np.shape(estimate)), np.nan))
        if replicates:
            ends = draws.ends(np.asarray(estimate), drawn[name], options.confidence, bounds)
        variables |= {name: (axis, estimate), f"{name}_ci_low": (axis, np.asarray(ends.low))}
        variables[f"{name}_ci_high"] = (axis, np.asarray(ends.high))
    (difference,) = seen["difference"]
    error = error_of(drawn["difference"]) if replicates else np.full(difference.shape, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        # one-sided; under the hypothesis, the judge agrees less than people by the margin or more
        p_value: Any = ndtr(-(difference + margin) / error)
    low, high = (np.asarray(variables[f"difference_ci_{end}"][1]) for end in ("low", "high"))
    cases = [np.isnan(low), low > 0, p_value < (1 - options.confidence) / 2, high < 0]
    against: Any = np.select(cases, ["", "better", "not_worse", "worse"], "open")
    variables["not_worse_p_value"] = ("judge", p_value)
    return variables | {"against_people": ("judge", against.astype(object))}
