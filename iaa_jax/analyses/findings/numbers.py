"""Annotators of numbers: who is severe or lenient, and who uses less or more of the scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.long_ratings import LongRatings, p_above

_SHIFT = 0.1
"""How far an annotator is from the others, in standard deviations of the numbers, to be named."""

_LESS, _MORE = 0.7, 1.4
"""How wide the numbers of an annotator are, as a multiple of the others', to be named."""


def severe(ratings: LongRatings, values: Floats) -> Iterator[Cause]:
    """Annotators whose ``values`` (rating,) are above those of the others, or below."""
    spread = float(np.std(values))
    above = ratings.beside_others(values)
    for annotator in range(ratings.annotators):
        rows = _compared(ratings, annotator)
        if ratings.times[rows].sum() < FEWEST or not spread > 0:
            continue
        shift = float(np.average(above[rows], weights=ratings.times[rows]))
        if abs(shift) < _SHIFT * spread:
            continue
        p_value = p_above(np.sign(shift) * above[rows], ratings.times[rows])
        yield _moved(ratings, annotator, values - shift, "severe", p_value, {"shift": shift})


def scale_use(ratings: LongRatings, values: Floats) -> Iterator[Cause]:
    """Annotators whose numbers lie closer together than the others', or wider apart."""
    compared = ratings.size > 1
    number = np.bincount(ratings.annotator[compared], ratings.times[compared], ratings.annotators)
    total = np.bincount(
        ratings.annotator[compared],
        (ratings.times * values)[compared],
        ratings.annotators,
    )
    mean = (total / np.maximum(number, 1))[ratings.annotator]
    squares = (values - mean) ** 2
    above = ratings.beside_others(squares)
    for annotator in np.flatnonzero(number >= FEWEST).tolist():
        rows = _compared(ratings, annotator)
        times = ratings.times[rows]
        own = float(times @ squares[rows] / times.sum())
        others = own - float(times @ above[rows] / times.sum())
        ratio = float(np.sqrt(own / others)) if others > 0 else np.nan
        if not (ratio < _LESS or ratio > _MORE) or not own > 0:
            continue
        p_value = p_above(np.sign(ratio - 1) * above[rows], times)
        then = mean + (values - mean) / ratio
        yield _moved(ratings, annotator, then, "scale_use", p_value, {"ratio": ratio})


def _moved(
    ratings: LongRatings,
    annotator: int,
    then: Floats,
    kind: str,
    p_value: float,
    figures: dict[str, float],
) -> Cause:
    """The cause, mended by other numbers of the annotator."""
    rows = np.flatnonzero(ratings.annotator == annotator)
    return Cause(
        kind,
        p_value,
        float(ratings.times[rows].sum()),
        -p_value,
        annotator=annotator,
        rows=rows,
        codes=ratings.codes + np.arange(len(rows)),
        numbers=then[rows],
        values=figures,
    ).asked(2 * ratings.annotators)


def _compared(ratings: LongRatings, annotator: int) -> np.ndarray:
    return np.flatnonzero((ratings.annotator == annotator) & (ratings.size > 1))
