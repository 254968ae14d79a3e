"""Find annotators who give higher or lower numbers than others, or use less or more of a scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import DATED, FEWEST, Cause
from iaa_jax.analyses.findings.changes import largest_cut
from iaa_jax.analyses.findings.long_ratings import LongRatings

_SHIFT = 0.1
"""Minimum distance from the others, in standard deviations of the numbers."""

_EXPLAINS = 0.5
"""Minimum share of a shortfall that a shift explains. An annotator's shortfall is the mean squared
distance from the others, minus the others' from one another.
"""

_LESS, _MORE = 0.7, 1.4
"""Limits of the ratio of an annotator's spread of numbers to the others'."""


def severe(ratings: LongRatings) -> Iterator[Cause]:
    """Find annotators whose numbers, or steps of a scale, are above or below the others'.

    Mending subtracts the shift from numbers, and leaves out ratings on an ordinal scale.
    """
    values = ratings.values
    spread = float(np.std(values))
    above = ratings.above_others_if_comparable(values)
    number = ratings.by_annotator(ratings.comparable)
    shifts = ratings.by_annotator(above) / np.maximum(number, 1)
    p_values = ratings.p_of_annotators(np.sign(shifts)[ratings.annotator] * above)
    for annotator in np.flatnonzero((number >= FEWEST) & (spread > 0)).tolist():
        every, shift = ratings.rows_of(annotator), float(shifts[annotator])
        rows = every[ratings.comparable[every]]
        dated = _since(ratings, above, rows, spread)
        if abs(shift) >= _SHIFT * spread and _explains(ratings, above, rows):
            p_value = float(p_values[annotator])
            if dated is None or dated.p_value > DATED:
                figures = {"shift": shift, "compared": ratings.items_of_three(annotator)}
                always = Cause("severe", p_value, 0.0, rows=every, values=figures)
                yield _mended(ratings, always, values - shift)
                continue
            p_value = min(p_value, dated.p_value)
            dated = replace(dated, p_value=p_value, p_of_date=dated.p_value)
        if dated is not None and _explains(ratings, above, np.intersect1d(rows, dated.rows)):
            yield _mended(ratings, dated, values - dated.values["shift"])


def _explains(ratings: LongRatings, above: Floats, rows: Integers) -> bool:
    """Return whether a shift explains at least half of the annotator's shortfall.

    For ordinal labels, the net shift must be at least half of the total distance from the others.
    """
    if not len(rows):
        return False
    shift = ratings.mean(above, rows)
    if ratings.numbers is None:
        rating, code, share = ratings.others
        of_rows = np.isin(rating, rows)
        rating, code = rating[of_rows], code[of_rows]
        away = np.abs(ratings.code[rating] - code) * share[of_rows] @ ratings.times[rating]
        return bool(abs(shift) * ratings.times[rows].sum() >= _EXPLAINS * away)
    known = rows[np.isfinite(ratings.shortfall[rows])]
    return not len(known) or shift**2 >= _EXPLAINS * ratings.mean(ratings.shortfall, known)


def _since(ratings: LongRatings, above: Floats, rows: Integers, spread: float) -> Cause | None:
    """Return the cause of a shift mainly on one side of a date, or None."""
    time = ratings.moment
    rows = rows[np.isfinite(time[rows])]
    rows = rows[np.argsort(time[rows], kind="stable")]
    units = ratings.unit_of(rows)
    cut = largest_cut(above[rows], ratings.times[rows], time[rows], units) if len(rows) else None
    if cut is None:
        return None
    at, p_value, means = cut
    smaller, larger = sorted(means, key=abs)
    later = abs(means[1]) > abs(means[0])
    if abs(larger) < _SHIFT * spread or abs(smaller) > abs(larger - smaller) / 2:
        return None
    every = ratings.rows_of(int(ratings.annotator[rows[0]]))
    every = every[np.isfinite(time[every])]
    return Cause(
        "severe",
        p_value,
        0.0,
        since=at if later else np.nan,
        until=np.nan if later else at,
        rows=every[(time[every] >= at) == later],
        values={"shift": larger, "then": smaller},
    )


def scale_use(ratings: LongRatings, values: Floats) -> Iterator[Cause]:
    """Find annotators whose numbers are closer together or wider apart than the others'."""
    total, _, number = ratings.compared(values)
    mean = (total / np.maximum(number, 1))[ratings.annotator]
    squares = (values - mean) ** 2
    own, others, _ = ratings.compared(squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = np.where(others > 0, np.sqrt(own / others), np.nan)
    far = (own > 0) & ((ratios < _LESS) | (ratios > _MORE))
    above = ratings.above_others_if_comparable(squares)
    p_values = ratings.p_of_annotators(np.sign(ratios - 1)[ratings.annotator] * above)
    for annotator in np.flatnonzero((number >= FEWEST) & far).tolist():
        ratio, p_value = float(ratios[annotator]), float(p_values[annotator])
        rows, figures = ratings.rows_of(annotator), {"ratio": ratio}
        cause = Cause("scale_use", p_value, 0.0, rows=rows, values=figures)
        yield _mended(ratings, cause, mean + (values - mean) / ratio)


def _mended(ratings: LongRatings, cause: Cause, then: Floats) -> Cause:
    rows = cause.rows
    items, annotator = float(ratings.times[rows].sum()), int(ratings.annotator[rows[0]])
    lost = items * abs(cause.values.get("shift", 0.0))
    cause = replace(cause, items=items, lost=lost, annotator=annotator)
    cause = cause.corrected_for(2 * ratings.annotators)
    if ratings.numbers is None:
        return cause
    return replace(cause, codes=ratings.codes + np.arange(len(rows)), numbers=then[rows])
