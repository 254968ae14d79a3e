"""Find hard kinds of items, items that belong together, and annotators with easy or hard items."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, xlogy

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, SURE, Cause
from iaa_jax.analyses.findings.columns import MOST_GROUPS, ItemGroups
from iaa_jax.analyses.findings.long_ratings import LongRatings, inflation

Mask = NDArray[np.bool_]

_HARDER = 0.05
"""Minimum deficit in agreement of a kind of items that is reported (0 for numbers)."""

_EASIER = 0.1
"""Minimum reported difference in agreement between an annotator's items and all other items."""

_OTHERS = 3
"""Minimum number of other annotators of a tested annotator's items; two may agree on hard items."""

MOST_QUESTIONS = 40
"""Maximum number of questions of a questionnaire (values of a column that identifies items)."""

_LEAST = 1e-12

_EFFECT = 1.44
"""Minimum factor by which reported clusters increase the coefficient's variance."""


def hard_groups(ratings: LongRatings, columns: Mapping[str, ItemGroups]) -> Iterator[Cause]:
    """Find kinds of items with less agreement than the other kinds in their column."""
    agreement = ratings.item_agreement
    least = _HARDER if ratings.numbers is None else 0.0
    tests = []
    for name, groups in columns.items():
        kinds = groups.codes
        for code, kind in enumerate(groups.names if groups.are_kinds else ()):
            inside = (kinds == code) & np.isfinite(agreement)
            outside = (kinds != code) & (kinds >= 0) & np.isfinite(agreement)
            tests.append((name, kind, inside, _less(agreement, ratings, inside, outside)))
    for name, kind, inside, (p_value, own, others) in tests:
        if others - own < least:
            continue
        yield Cause(
            "hard_group",
            p_value,
            float(ratings.weight[inside].sum()),
            column=name,
            group=kind,
            rows=np.flatnonzero(inside[ratings.item]),
            values={"agreement": own, "then": others},
        ).corrected_for(len(tests))


def selective(
    ratings: LongRatings, original: LongRatings, excluded: Collection[int]
) -> Iterator[Cause]:
    """Find annotators on whose items the others agree more, or less, than on all other items.

    The ``original`` ratings show who rated which items, and ``ratings``, in which causes were
    mended, show how far the others agree. Annotators in ``excluded`` are not tested.
    """
    items, size = len(ratings.weight), ratings.annotators
    rated = np.bincount(original.item, minlength=items)
    pairable = np.where(rated > 1, ratings.weight, 0.0)
    known = np.where(np.isfinite(ratings.item_agreement), ratings.weight, 0.0)
    agreed = known * np.nan_to_num(ratings.item_agreement)
    number = np.bincount(original.annotator, original.times, size)
    for annotator in np.flatnonzero(number >= FEWEST).tolist():
        picked = original.item[original.rows_of(annotator)]
        if annotator in excluded or pairable.sum() - pairable[picked].sum() < FEWEST:
            continue
        others = ratings.item_agreement.copy()
        rows = ratings.rows_of(annotator)
        others[ratings.item[rows]] = ratings.among_others[rows]
        some = picked[np.isfinite(others[picked])]
        own_weight, others_weight = ratings.weight[some].sum(), known.sum() - known[picked].sum()
        if min(own_weight, others_weight) < FEWEST:
            continue
        total = ratings.weight[some] @ others[some], agreed.sum() - agreed[picked].sum()
        own_mean, rest_mean = total[0] / own_weight, total[1] / others_weight
        if abs(own_mean - rest_mean) < _EASIER:
            continue
        small = own_mean if own_weight <= others_weight else rest_mean
        exponent = min(own_weight, others_weight) * _divergence(
            small, sum(total) / (own_weight + others_weight)
        )
        if ratings.numbers is None and np.exp(-exponent) * 2 * size >= SURE:
            continue
        own = np.zeros(items, dtype=bool)
        own[picked] = True
        if len(np.unique(original.annotator[own[original.item]])) <= _OTHERS:
            continue
        known_now = np.isfinite(others)
        for first, second, easier in ((own, ~own, False), (~own, own, True)):
            p_value, less, more = _less(others, ratings, first & known_now, second & known_now)
            if more < less:
                continue
            yield Cause(
                "selective",
                p_value,
                float(ratings.weight[own].sum()),
                annotator=annotator,
                values={
                    "agreement": more if easier else less,
                    "then": less if easier else more,
                    "easier": float(easier),
                },
            ).corrected_for(2 * size)


def clusters(
    ratings: LongRatings, columns: Mapping[str, ItemGroups], influence: Floats
) -> Cause | None:
    """Return a cause for the column whose groups, as clusters, widen intervals most.

    Columns count if agreement is significantly similar within groups. ``influence`` (item,) is the
    influence of each item on the coefficient, which tells how much clusters increase its variance.
    """
    widest: Cause | None = None
    largest = _EFFECT
    for cause in _alike(ratings, columns):
        if cause.p_value >= SURE:
            continue
        effect = inflation(influence, ratings.weight, columns[cause.column].clusters)
        if effect >= largest:
            widest, largest = cause.with_values(effect=effect), effect
    return widest


def _alike(ratings: LongRatings, columns: Mapping[str, ItemGroups]) -> Iterator[Cause]:
    """Yield a cause for each column with similar agreement within groups."""
    agreement = ratings.item_agreement
    known = np.isfinite(agreement)
    mean = float(np.average(agreement[known], weights=ratings.weight[known]))
    for name, groups in columns.items():
        names, group = groups.names, groups.that_belong_together
        inside = known & (group >= 0)
        number = np.bincount(group[inside], minlength=len(names))
        if len(names) <= MOST_GROUPS or number.max(initial=0) < 2:
            continue
        centred = np.where(inside, agreement - mean, 0.0)
        sums = np.bincount(group[inside], centred[inside], len(names))
        squares = float((centred[inside] ** 2).sum())
        pairs = float((sums**2).sum()) - squares
        variance = squares / inside.sum()
        spread = variance * np.sqrt(2 * float((number * (number - 1.0)).sum()))
        if not spread > 0 or pairs <= 0:
            continue
        yield Cause(
            "clusters",
            float(stdtr(len(names) - 1, -pairs / spread)),
            float(ratings.weight[inside].sum()),
            column=name,
            values={"groups": float((number > 0).sum())},
        ).corrected_for(len(columns))


def _less(
    agreement: Floats, ratings: LongRatings, first: Mask, second: Mask
) -> tuple[float, float, float]:
    """Test whether the first items agree less; return p and both means.

    If agreement is a share, p is Hoeffding's bound for the mean of the smaller group of items,
    drawn without replacement. For numbers and steps, a t test has the variance of all items,
    because a small group may have none.
    """
    both, weight = first | second, ratings.weight
    sizes = [float(weight[part].sum()) for part in (first, second)]
    if min(sizes) < FEWEST:
        return 1.0, np.nan, np.nan
    less, more = (
        float(weight[part] @ agreement[part] / size)
        for part, size in zip((first, second), sizes, strict=True)
    )
    number = sum(sizes)
    mean = float(weight[both] @ agreement[both] / number)
    spread = float(weight[both] @ (agreement[both] - mean) ** 2 / (number - 1))
    units = None if ratings.clusters is None else ratings.clusters[both]
    side = np.where(first, less, more)
    inflated = inflation((agreement - side)[both], weight[both], units)
    if not ratings.is_weighted:
        small = less if sizes[0] <= sizes[1] else more
        exponent = min(sizes) / inflated * _divergence(small, mean)
        return float(np.exp(-exponent)) if less < more else 1.0, less, more
    error = np.sqrt(inflated * spread * (1 / sizes[0] + 1 / sizes[1]))
    if not error > 0:
        return 1.0, less, more
    return float(stdtr(number - 2, (less - more) / error)), less, more


def _divergence(share: float, expected: float) -> float:
    """Return the Kullback-Leibler divergence of a share from its expectation, in nats."""
    return float(
        xlogy(share, share / max(expected, _LEAST))
        + xlogy(1 - share, (1 - share) / max(1 - expected, _LEAST))
    )
