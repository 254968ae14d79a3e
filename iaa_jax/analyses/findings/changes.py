"""Find annotators whose agreement changes at a date, or who stop.

A cut divides ratings at a date. The shortfall of a rating is the agreement of the item's other
ratings with one another, minus the agreement of the rating with them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import FEWEST, SURE, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, inflation

_SIDE = 0.1
"""Minimum share of the ratings on each side of a cut."""

_FEWEST_NONZERO = 10
"""Minimum number of ratings with nonzero values, if a cut is sought."""

_PRIOR = 5.0
"""Weight, in ratings, of the variance of all ratings in the variance of each side."""

_NEW = 0.05
"""Minimum change of a mean shortfall (0 for numbers, and for labels that agree in part)."""

_OWN = 0.5
"""Minimum fall in the annotator's own agreement, as a share of the increase in shortfall."""

_OTHER_WAY = 0.2
"""Maximum share of the reverse confusion, if one label is said to be given for the other."""

_LEFT = 0.5
"""Maximum ratio of the shares of ratings before and after, for an annotator who comes or goes."""

_MANY = 1 / 3
"""Maximum share of annotators who come or go; above it, work was divided by time."""


def changed(ratings: LongRatings) -> dict[int, Cause]:
    """Find annotators whose shortfall is larger on one side of a date than on the other.

    The largest standardized difference of means over all cuts is tested by its distribution (Miller
    and Siegmund 1982).
    """
    time, causes = ratings.moment, {}
    for annotator in range(ratings.annotators):
        every = ratings.rows_of(annotator)
        every = every[np.isfinite(time[every])]
        rows = every[np.isfinite(ratings.shortfall[every])]
        rows = rows[np.argsort(time[rows], kind="stable")]
        if ratings.times[rows].sum() < 2 * FEWEST:
            continue
        cut = largest_cut(
            ratings.shortfall[rows], ratings.times[rows], time[rows], ratings.unit_of(rows)
        )
        if cut is None:
            continue
        at, p_value, (before, after) = cut
        worse, better = max(before, after), min(before, after)
        least = 0.0 if ratings.is_weighted else _NEW
        # the smaller shortfall must be at most half of the change
        if worse - better < least or better > (worse - better) / 2:
            continue
        later = after > before
        side, inside = ((time[of] >= at) == later for of in (every, rows))
        first, second = (ratings.mean(ratings.agreement, rows[part]) for part in (~inside, inside))
        if first - second < (worse - better) * _OWN:
            continue
        label, other, one_way = _confused(ratings, rows[~inside], rows[inside])
        causes[annotator] = Cause(
            "changed",
            p_value,
            float(ratings.times[every[side]].sum()),
            float(ratings.times[rows[inside]] @ ratings.shortfall[rows[inside]]),
            annotator=annotator,
            label=label,
            other_label=other,
            since=float(at) if later else np.nan,
            until=np.nan if later else float(at),
            rows=every[side],
            values={"agreement": second, "then": first, "one_way": float(one_way)},
        )
    return causes


def largest_cut(
    values: Floats, times: Floats, position: Floats, units: Integers | None = None
) -> tuple[float, float, tuple[float, float]] | None:
    """Return the cut with the largest standardized difference of means; None if there is no cut.

    The result has the cut's time, its p-value, and the means of the values before and after it.
    """
    total = times.sum()
    before = np.cumsum(times)[:-1]
    least = max(_SIDE * total, FEWEST)
    cuts = np.flatnonzero((np.diff(position) > 0) & (before >= least) & (total - before >= least))
    if not len(cuts) or times[values != 0].sum() < _FEWEST_NONZERO:
        return None
    mean = times @ values / total
    spread = times @ (values - mean) ** 2 / total
    if not spread > 0:
        return None
    earlier, later = before[cuts], total - before[cuts]
    excess, squares = (np.cumsum(times * (values - mean) ** power)[:-1][cuts] for power in (1, 2))
    first, second = mean + excess / earlier, mean - excess / later
    # each side has its own variance, because its items may be harder
    sides = (
        (squares - earlier * (first - mean) ** 2 + _PRIOR * spread) / (earlier + _PRIOR),
        (total * spread - squares - later * (second - mean) ** 2 + _PRIOR * spread)
        / (later + _PRIOR),
    )
    z = np.abs(second - first) / np.sqrt(sides[0] / earlier + sides[1] / later)
    best = int(np.argmax(z))
    side = np.where(np.arange(len(values)) <= cuts[best], first[best], second[best])
    largest = float(z[best] / np.sqrt(inflation(values - side, times, units)))
    p_value = p_of_largest(largest, earlier[0] / total, earlier[-1] / total, len(cuts))
    return float(position[cuts[best] + 1]), p_value, (float(first[best]), float(second[best]))


def p_of_largest(z: float, low: float, high: float, cuts: int) -> float:
    """Return the probability that the largest standardized difference is at least z.

    The shares of items before the cuts range from ``low`` to ``high``. The smaller of Miller and
    Siegmund's approximation (1982) and Bonferroni's bound is used.
    """
    bound = cuts * 2 * float(ndtr(-z))
    if cuts == 1 or z < 1:
        return min(bound, 1.0)
    density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
    span = np.log(high * (1 - low) / (low * (1 - high)))
    return float(min(bound, density * ((z - 1 / z) * span + 4 / z), 1.0))


def _confused(ratings: LongRatings, before: Integers, after: Integers) -> tuple[int, int, bool]:
    """Return the two labels that explain most of a change; -1 if no labels do.

    The third value tells whether the reverse confusion is rare.
    """
    if not ratings.are_labels:
        return -1, -1, False
    tables = []
    rating, code, share = ratings.others
    for rows in (before, after):
        some = np.isin(rating, rows) & (ratings.code[rating] != code)
        table = np.zeros((ratings.codes, ratings.codes))
        weight = share[some] * ratings.times[rating[some]]
        np.add.at(table, (ratings.code[rating[some]], code[some]), weight)
        tables.append(table / ratings.times[rows].sum())
    grown = tables[1] - tables[0]
    more = np.triu(grown + grown.T, 1)
    label, other = divmod(int(np.argmax(more)), ratings.codes)
    if not more[label, other] > more.sum() / 2 > 0:
        return -1, -1, False
    if min(grown[label, other], grown[other, label]) > _OTHER_WAY * more[label, other]:
        return label, other, False
    if grown[label, other] < grown[other, label]:
        label, other = other, label
    return label, other, True


def stopped(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators whose share of all ratings falls to half or less from a date on.

    Nobody is named if several annotators, and more than a third of all, come or go.
    """
    known = np.flatnonzero(np.isfinite(ratings.moment))
    known = known[np.argsort(ratings.moment[known], kind="stable")]
    moment, times = ratings.moment[known], ratings.times[known]
    causes, moved = [], 0
    for annotator in range(ratings.annotators):
        own = (ratings.annotator[known] == annotator).astype(np.float64)
        units = ratings.unit_of(known)
        cut = largest_cut(own, times, moment, units) if own.sum() >= FEWEST else None
        if cut is None:
            continue
        at, p_value, (before, after) = cut
        small = min(before, after) <= _LEFT * max(before, after)
        if not small or p_value * ratings.annotators > SURE:
            continue
        moved += 1
        if after < before:
            late = own[moment >= at]
            cause = Cause(
                "stopped",
                p_value,
                float(times[moment >= at] @ late),
                annotator=annotator,
                since=float(at),
                values={"before": before, "after": after},
            )
            causes.append(cause.corrected_for(ratings.annotators))
    if moved <= max(_MANY * ratings.annotators, 1):
        yield from causes
