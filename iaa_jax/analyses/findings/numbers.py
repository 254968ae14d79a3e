"""Annotators of numbers: who is severe or lenient, and who uses less or more of the scale."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.analyses.findings.causes import FEWEST, Cause
from iaa_jax.analyses.findings.judgements import Judgements, p_above

_SHIFT = 0.1
"""How far an annotator is from the others, in standard deviations of the numbers, to be named."""

_LESS, _MORE = 0.7, 1.4
"""How wide the numbers of an annotator are, as a multiple of the others', to be named."""


def severe(judgements: Judgements, values: Floats) -> Iterator[Cause]:
    """Annotators whose ``values`` (rating,) are above those of the others, or below."""
    spread = float(np.std(values))
    above = judgements.beside_others(values)
    for annotator in range(judgements.annotators):
        rows = _compared(judgements, annotator)
        if judgements.times[rows].sum() < FEWEST or not spread > 0:
            continue
        shift = float(np.average(above[rows], weights=judgements.times[rows]))
        if abs(shift) < _SHIFT * spread:
            continue
        p_value = p_above(np.sign(shift) * above[rows], judgements.times[rows])
        yield _moved(judgements, annotator, values - shift, "severe", p_value, {"shift": shift})


def scale_use(judgements: Judgements, values: Floats) -> Iterator[Cause]:
    """Annotators whose numbers lie closer together than the others', or wider apart."""
    compared = judgements.size > 1
    number = np.bincount(
        judgements.annotator[compared], judgements.times[compared], judgements.annotators
    )
    total = np.bincount(
        judgements.annotator[compared],
        (judgements.times * values)[compared],
        judgements.annotators,
    )
    mean = (total / np.maximum(number, 1))[judgements.annotator]
    squares = (values - mean) ** 2
    above = judgements.beside_others(squares)
    for annotator in np.flatnonzero(number >= FEWEST).tolist():
        rows = _compared(judgements, annotator)
        times = judgements.times[rows]
        own = float(times @ squares[rows] / times.sum())
        others = own - float(times @ above[rows] / times.sum())
        ratio = float(np.sqrt(own / others)) if others > 0 else np.nan
        if not (ratio < _LESS or ratio > _MORE) or not own > 0:
            continue
        p_value = p_above(np.sign(ratio - 1) * above[rows], times)
        then = mean + (values - mean) / ratio
        yield _moved(judgements, annotator, then, "scale_use", p_value, {"ratio": ratio})


def _moved(
    judgements: Judgements,
    annotator: int,
    then: Floats,
    kind: str,
    p_value: float,
    figures: dict[str, float],
) -> Cause:
    """The cause, mended by other numbers of the annotator."""
    rows = np.flatnonzero(judgements.annotator == annotator)
    return Cause(
        kind,
        p_value,
        float(judgements.times[rows].sum()),
        -p_value,
        annotator=annotator,
        rows=rows,
        codes=judgements.codes + np.arange(len(rows)),
        numbers=then[rows],
        values=figures,
    ).asked(2 * judgements.annotators)


def _compared(judgements: Judgements, annotator: int) -> np.ndarray:
    return np.flatnonzero((judgements.annotator == annotator) & (judgements.size > 1))
