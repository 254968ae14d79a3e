"""The variables of a comparison, by row (coefficient or label), and notes on rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import stdtr, stdtrit

from iaa_jax._errors import REASONS, IaaError
from iaa_jax._types import Floats
from iaa_jax.analyses.compare.differences import AtCommonMargins, Difference, Pair
from iaa_jax.analyses.compare.tests import (
    DifferenceInterval,
    DifferenceTests,
    family_of,
    interval_of,
    tests_of,
)
from iaa_jax.analyses.compare.words import OF_DIFFERENCES
from iaa_jax.kernels import intervals
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.options.resolved_interval import ResolvedInterval
from iaa_jax.measure.words import note_text
from iaa_jax.wording import Note

POWER = 0.8
SMALL = 0.05
"""Difference for which ``items_needed`` is computed if no margin is given."""


def variables_of(
    rows: Sequence[Difference],
    pair: Pair,
    interval: ResolvedInterval,
    margin: float | None,
    *,
    by_exchange: bool,
    least: float,
) -> tuple[dict[str, object], list[list[Note]], str]:
    """Return the variables, the notes on each row, and the method of adjusted p-values.

    With ``by_exchange`` intervals come from permutations, where possible. ``least`` is the smallest
    p-value that permutations can give.
    """
    options = interval.options
    by_t = pair.sets.clustered is not None or pair.drawn is not None
    ends = [interval_of(row, interval, by_exchange=by_exchange) for row in rows]
    few = least > 1 - options.confidence
    tests = [tests_of(row, margin, by_t=by_t, few_exchanges=few) for row in rows]
    p_values = np.array([test.p_value for test in tests])
    family = family_of(rows, ends, p_values, options)
    error = np.array([row.error for row in rows])
    degrees = np.array([row.degrees for row in rows]) if by_t else np.inf
    detectable = _detectable(error, degrees, options.confidence)
    times = (detectable / (SMALL if margin is None else margin)) ** 2
    if pair.drawn is not None:
        times = times * np.nan  # more items do not reduce the variance over annotators
    figures = [_figures(row, pair.names, options) for row in rows]
    notes = [
        list(_notes(row, end, test, options, least if few else 0.0))
        for row, end, test in zip(rows, ends, tests, strict=True)
    ]
    variables = {name: np.array([values[name] for values in figures]) for name in figures[0]} | {
        "standard_error": error,
        "ci_low": np.array([end.low for end in ends]),
        "ci_high": np.array([end.high for end in ends]),
        "z": np.array([test.z for test in tests]),
        "p_value": p_values,
        "permutation_p_value": np.array([test.permutation_p_value for test in tests]),
        "adjusted_p_value": family.adjusted,
        "band_low": family.low,
        "band_high": family.high,
        "equivalence_p_value": np.array([test.equivalence_p_value for test in tests]),
        "detectable": detectable,
        "items_needed_a": np.ceil(times * pair.sets.a.exchangeable.items),
        "items_needed_b": np.ceil(times * pair.sets.b.exchangeable.items),
        "undefined_replicates": np.array([_undefined(row.replicates) for row in rows]),
        "undefined_permutations": np.array(
            [_undefined(row.exchanged and row.exchanged.drawn) for row in rows]
        ),
        "interval": np.array([end.method for end in ends]),
        "weights": np.array([row.request.used for row in rows]),
        "note": np.array([note_text(remarks, OF_DIFFERENCES) for remarks in notes]),
    }
    if pair.margins is not None:
        variables |= _at_common_margins(rows, options)
    return variables, notes, family.method


def _at_common_margins(rows: Sequence[Difference], options: IntervalOptions) -> dict[str, Floats]:
    """Return estimates at equal label frequencies, with tests by Student's t."""
    undefined = AtCommonMargins(np.nan, np.nan, np.nan, np.nan)
    a, b, error, degrees = np.array([row.common or undefined for row in rows]).T
    difference = b - a
    low = high = np.full(len(rows), np.nan)
    if options.interval is not None:
        low, high = intervals.student_t(difference, error, degrees, options.confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        p_value = 2 * stdtr(degrees, -np.abs(difference) / error)
    return {
        "common_a": a,
        "common_b": b,
        "common_difference": difference,
        "common_standard_error": error,
        "common_ci_low": low,
        "common_ci_high": high,
        "common_p_value": p_value,
    }


def _figures(
    row: Difference, names: tuple[str, str], options: IntervalOptions
) -> dict[str, object]:
    codes = int(row.a.code), int(row.b.code)
    reasons = [f"{name}: {REASONS[code]}" for name, code in zip(names, codes, strict=True) if code]
    if reasons and options.undefined == "raise":
        raise IaaError(f"{row.request.name} is undefined in {'; '.join(reasons)}")
    a, b = (
        options.undefined_value if code else float(side.estimate)
        for code, side in zip(codes, (row.a, row.b), strict=True)
    )
    return {
        "estimate_a": a,
        "estimate_b": b,
        "difference": b - a,
        "standard_error_a": row.error_a,
        "standard_error_b": row.error_b,
        "code": codes[0] or codes[1],
        "code_a": codes[0],
        "code_b": codes[1],
        "reason": "; ".join(reasons),
    }


def _notes(
    row: Difference,
    interval: DifferenceInterval,
    test: DifferenceTests,
    options: IntervalOptions,
    least: float,
) -> Iterator[Note]:
    """Yield the notes on a row; ``least``, if not 0, is the smallest possible p."""
    yield from row.request.notes
    if row.withheld is not None:
        yield row.withheld
    if row.bound is not None:
        yield row.bound.note(
            p_value=bool(np.isfinite(test.p_value)), interval=options.interval is not None
        )
    if interval.note is not None:
        yield interval.note
    if not np.isnan(test.permutation_p_value):
        if least:
            yield Note("few_exchanges", {"least": least})
    elif row.not_exchanged is not None:
        yield Note("not_exchanged", {"why": row.not_exchanged})


def _detectable(error: Floats, degrees: Floats | float, confidence: float) -> Floats:
    """Return the true difference that a test finds with 80 % power; NaN without spread."""
    reach = stdtrit(degrees, (1 + confidence) / 2) + stdtrit(degrees, POWER)
    return np.where(error > 0, reach * error, np.nan)


def _undefined(rows: Floats | None) -> int:
    return 0 if rows is None else int(np.isnan(rows).sum())
