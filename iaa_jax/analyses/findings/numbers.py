"""Annotators of numbers: who is severe or lenient, since when, and who uses less of the scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from iaa_jax._types import Floats, Integers
from iaa_jax.analyses.findings.causes import DATED, FEWEST, Cause
from iaa_jax.analyses.findings.course import largest_cut
from iaa_jax.analyses.findings.long_ratings import LongRatings

_SHIFT = 0.1
"""How far an annotator is from the others, in standard deviations of the numbers, to be named."""

_EXPLAINS = 0.5
"""Share of what an annotator is farther from the others, that is explained by a shift."""

_LESS, _MORE = 0.7, 1.4
"""How wide the numbers of an annotator are, as a multiple of the others', to be named."""


def severe(ratings: LongRatings) -> Iterator[Cause]:
    """Annotators whose numbers, or steps of a scale, are above those of the others, or below.

    And where that explains half of how far they are from the others. Numbers are mended by a shift;
    steps are left out.
    """
    values = ratings.values
    spread = float(np.std(values))
    above = ratings.above_others(values)
    compared = np.where(ratings.comparable, above, np.nan)
    number = ratings.by_annotator(ratings.comparable)
    shifts = ratings.by_annotator(compared) / np.maximum(number, 1)
    p_values = ratings.p_of_annotators(np.sign(shifts)[ratings.annotator] * compared)
    for annotator in np.flatnonzero((number >= FEWEST) & (spread > 0)).tolist():
        rows = _compared(ratings, annotator)
        dated = _since(ratings, above, rows, spread)
        shift = float(shifts[annotator])
        if abs(shift) >= _SHIFT * spread and _explains(ratings, above, rows):
            p_value = float(p_values[annotator])
            every = ratings.rows_of(annotator)
            if dated is None or dated.p_value > DATED:
                figures = {"shift": shift, "compared": ratings.items_of_three(annotator)}
                yield _moved(ratings, every, values - shift, "severe", p_value, figures)
                continue
            p_value = min(p_value, dated.p_value)
            dated = replace(dated, p_value=p_value, p_of_date=dated.p_value)
        if dated is not None and _explains(ratings, above, np.intersect1d(rows, dated.rows)):
            side = dated.rows
            moved = values - dated.values["shift"]
            cause = _moved(ratings, side, moved, "severe", dated.p_value, dated.values)
            since, until = dated.since, dated.until
            yield replace(cause, since=since, until=until, p_of_date=dated.p_of_date)


def _explains(ratings: LongRatings, above: Floats, rows: Integers) -> bool:
    """Whether a shift explains half of what these disagree more than the others.

    Of steps, which end on both sides, half of their distance is to be in one direction.
    """
    if not len(rows):
        return False
    shift = np.average(above[rows], weights=ratings.times[rows])
    if ratings.numbers is None:
        rating, code, share = ratings.others
        of_rows = np.isin(rating, rows)
        rating, code = rating[of_rows], code[of_rows]
        away = np.abs(ratings.code[rating] - code) * share[of_rows] @ ratings.times[rating]
        return bool(abs(shift) * ratings.times[rows].sum() >= _EXPLAINS * away)
    known = rows[np.isfinite(ratings.behind[rows])]
    if not len(known):
        return True
    excess = np.average(ratings.behind[known], weights=ratings.times[known])
    return bool(shift**2 >= _EXPLAINS * excess)


def _since(ratings: LongRatings, above: Floats, rows: Integers, spread: float) -> Cause | None:
    """One whose values are away from the others' on one side of a date, and not on the other."""
    time = ratings.moment
    rows = rows[np.isfinite(time[rows])]
    rows = rows[np.argsort(time[rows], kind="stable")]
    units = ratings.unit_of(rows)
    cut = largest_cut(above[rows], ratings.times[rows], time[rows], units) if len(rows) else None
    if cut is None:
        return None
    at, _, p_value, means = cut
    least, most = sorted(means, key=abs)
    later = abs(means[1]) > abs(means[0])
    if abs(most) < _SHIFT * spread or abs(least) > abs(most - least) / 2:
        return None
    every = np.flatnonzero((ratings.annotator == ratings.annotator[rows[0]]) & np.isfinite(time))
    return Cause(
        "severe",
        p_value,
        0.0,
        since=at if later else np.nan,
        until=np.nan if later else at,
        rows=every[(time[every] >= at) == later],
        values={"shift": most, "then": least},
    )


def scale_use(ratings: LongRatings, values: Floats) -> Iterator[Cause]:
    """Annotators whose numbers lie closer together than the others', or wider apart."""
    total, _, number = ratings.compared(values)
    mean = (total / np.maximum(number, 1))[ratings.annotator]
    squares = (values - mean) ** 2
    own, others, _ = ratings.compared(squares)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios = np.where(others > 0, np.sqrt(own / others), np.nan)
    far = (own > 0) & ((ratios < _LESS) | (ratios > _MORE))
    above = np.where(ratings.comparable, ratings.above_others(squares), np.nan)
    p_values = ratings.p_of_annotators(np.sign(ratios - 1)[ratings.annotator] * above)
    for annotator in np.flatnonzero((number >= FEWEST) & far).tolist():
        ratio, p_value = float(ratios[annotator]), float(p_values[annotator])
        then = mean + (values - mean) / ratio
        every = ratings.rows_of(annotator)
        yield _moved(ratings, every, then, "scale_use", p_value, {"ratio": ratio})


def _moved(
    ratings: LongRatings,
    rows: Integers,
    then: Floats,
    kind: str,
    p_value: float,
    figures: dict[str, float],
) -> Cause:
    """The cause, mended by other numbers of an annotator, or without these ratings."""
    cause = Cause(
        kind,
        p_value,
        float(ratings.times[rows].sum()),
        float(ratings.times[rows].sum()) * abs(figures.get("shift", 0.0)),
        annotator=int(ratings.annotator[rows[0]]),
        rows=rows,
        values=figures,
    ).asked(2 * ratings.annotators)
    if ratings.numbers is None:
        return cause
    return replace(cause, codes=ratings.codes + np.arange(len(rows)), numbers=then[rows])


def _compared(ratings: LongRatings, annotator: int) -> Integers:
    """The ratings of one who can be told apart from the others of the items."""
    rows = ratings.rows_of(annotator)
    return rows[ratings.comparable[rows]]
