"""Numbers of any magnitude, rescaled so that float64 also holds their squares and cubes.

In float64, the square of 1e160 is infinite and the square of 1e-200 is 0, though no coefficient
depends on the unit of the numbers. Very large and very small numbers are therefore multiplied by a
power of two, which changes no digit. A disagreement in squared units is then scaled back.
"""

from __future__ import annotations

import numpy as np

from iaa_jax._types import Floats

LEAST, MOST = -30, 30
"""Numbers are rescaled only if their range (for ratios, the numbers themselves) is below 2^-30 or
above 2^30, because single precision holds the cubes of other numbers."""

LEAST_OF_LABELS = -6
"""If the agreement of labels is 1 minus their squared difference, their range is scaled to at least
2^-6, because rounding would lose smaller differences."""

_WIDEST_GAP = 57
"""Threshold: if the ratio of two numbers is larger than 2^57, their ratio distance is
1 in all digits."""

_LARGEST = 1021
"""The sum of two numbers below 2^1021 is surely finite."""

_SMALLEST = float(np.finfo(np.float64).smallest_normal)


def rescale(numbers: Floats, depends_on: str, least: int = LEAST) -> tuple[Floats, int]:
    """Return the numbers times a power of two, and the exponent of the power that restores them.

    For ratios, gaps that are too wide to matter are also narrowed. If only the order matters, and
    some number is too small for compiled code, ranks replace the numbers.

    Parameters
    ----------
    numbers : array
        The numbers, without NaN.
    depends_on : {"order", "differences", "ratios", ""}
        The property of the numbers on which a coefficient depends (see `Measure`); with "", the
        numbers are not changed.
    least : int
        For "differences", the range of the numbers is scaled to at least ``2^least``.

    Examples
    --------
    >>> rescale(np.array([0.0, 1.0, 3.0]), "differences")
    (array([0., 1., 3.]), 0)
    >>> scaled, power = rescale(np.array([0.0, 1e160, 3e160]), "differences")
    >>> bool(scaled.max() < 2**MOST), (np.ldexp(scaled, power) / 1e160).tolist()
    (True, [0.0, 1.0, 3.0])
    """
    shift = 0
    if depends_on == "differences":
        shift = _power_for_range(numbers, least)
    elif depends_on == "ratios":
        numbers = _without_wide_gaps(numbers)
        shift = _power_for_ratios(numbers)
    elif depends_on == "order" and _subnormal(numbers):
        # compiled code flushes subnormal numbers to 0
        return np.unique(numbers, return_inverse=True)[1].astype(np.float64), 0
    return (np.ldexp(numbers, shift), -shift) if shift else (numbers, 0)


def from_middle(numbers: Floats) -> tuple[Floats, int]:
    """Rescale numbers whose differences alone matter, and subtract their upper median.

    Otherwise the mean of numbers far from 0 would be rounded by more than their differences.

    Examples
    --------
    >>> from_middle(np.array([1e15, 1e15 + 2, 1e15 + 8]))
    (array([-2.,  0.,  6.]), 0)
    """
    moderate, power = rescale(numbers, "differences")
    if not len(moderate):
        return moderate, power
    return moderate - np.sort(moderate)[len(moderate) // 2], power


def restore_squares(figures: Floats, power: int) -> Floats:
    """Convert figures in squared units of rescaled numbers back to the original units."""
    if not power:
        return figures
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(figures, 2 * power)


def _power_for_range(numbers: Floats, least: int) -> int:
    """Return k such that the range of the numbers, times 2^k, is from 2^least to 2^MOST.

    If the numbers do not differ, k is 0.
    """
    if not numbers.size:
        return 0
    half = float(numbers.max() / 2 - numbers.min() / 2)  # the range itself may overflow
    if half == 0:
        return 0
    power = int(np.frexp(half)[1]) + 1
    return min(max(power, least), MOST) - power


def _without_wide_gaps(numbers: Floats) -> Floats:
    """Narrow the ratios between neighbouring positive numbers to about 2^57 at most.

    ``((a - b) / (a + b))^2`` is 1 in all digits for larger ratios, so that one tiny number among
    usual ones need not stretch the range.
    """
    power = np.where(numbers > 0, np.frexp(numbers)[1], 0)
    steps = np.unique(power[numbers > 0])
    too_wide = np.maximum(np.diff(steps, prepend=steps[:1]) - _WIDEST_GAP, 0)
    if not too_wide.any():
        return numbers
    nearer = np.cumsum(too_wide)[np.searchsorted(steps, power).clip(max=len(steps) - 1)]
    return np.where(numbers > 0, np.ldexp(numbers, -nearer), numbers)


def _power_for_ratios(numbers: Floats) -> int:
    """Return k such that 2^k brings positive numbers near 1; 0 if all are near 1."""
    positive = numbers[numbers > 0]
    if not positive.size:
        return 0
    low, high = (int(np.frexp(end)[1]) for end in (positive.min(), positive.max()))
    if low >= LEAST and high <= MOST:
        return 0
    return min(-((low + high) // 2), _LARGEST - high)


def _subnormal(numbers: Floats) -> bool:
    return bool(((numbers != 0) & (np.abs(numbers) < _SMALLEST)).any())
