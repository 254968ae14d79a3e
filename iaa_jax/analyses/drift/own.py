"""Tests on the own figures of batches or windows: a trend, a step, and one that differs.

Each figure comes from its own items, with the label frequencies that they have, and has its own
standard error. "The figures are equal" may hold while labels become rarer; then figures of items
thrown together (both sides of a cut, or all) differ from those of the parts, and shuffled times
test another hypothesis. What is compared here are means of own figures, weighted by 1 / SE^2, with
errors of Student's form: their joint distribution under equal figures is drawn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from iaa_jax.analyses.drift.contrasts import (
    Contrasts,
    contrasts,
    in_errors,
    independent_errors,
    precision,
    upto,
)
from iaa_jax.analyses.drift.cuts import largest
from iaa_jax.analyses.drift.line import Places
from iaa_jax.analyses.drift.tests import Null, PValues, p_values
from iaa_jax.analyses.drift.windows import Figures, Rows
from iaa_jax.engine.blocks import stream
from iaa_jax.engine.problem import Floats

DRAWS = 9_999
"""Draws from the joint distribution behind a p-value of the largest of several."""

_DRAWN = 1004


@dataclass(frozen=True)
class Own:
    """Own figures of batches, or stretches of items, and their contrasts in standard errors."""

    estimate: Floats  # (batch,)
    error: Floats
    degrees: Floats  # how well each error is known
    time: Floats
    first: Places  # the first batch after each cut
    trend: bool  # whether times are in an order that has a meaning

    @property
    def weight(self) -> Floats:
        """The precision of each figure."""
        return precision(self.estimate, self.error)

    @property
    def figures(self) -> int:
        """How many figures there are."""
        return int((self.weight > 0).sum())

    def means(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Weighted means before and after each cut, and their standard errors."""
        weight = self.weight
        values = np.where(weight > 0, self.estimate, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            before, above = upto(weight, self.first), upto(weight * values, self.first)
            after, below = weight.sum() - before, (weight * values).sum() - above
            means = (above / before, below / after)
            errors = (1 / np.sqrt(before), 1 / np.sqrt(after))
        return means, errors

    def found(self) -> tuple[Contrasts, Contrasts]:
        """The contrasts and their standard errors; no trend for two figures."""
        values = contrasts(self.estimate, self.weight, self.time, self.first)
        errors = independent_errors(self.weight, self.time, self.first)
        if not self.trend or self.figures < 3:
            nothing = np.asarray(np.nan)
            values, errors = values._replace(slope=nothing), errors._replace(slope=nothing)
        return values, errors

    def p_values(self, seed: int) -> PValues:
        """Under equal figures: of each statistic the largest, and of all three together."""
        values, errors = self.found()
        z = Contrasts(*(in_errors(*pair) for pair in zip(values, errors, strict=True)))
        observed = tuple(_largest_size(np.atleast_1d(one)) for one in z)
        if self.figures < 2:
            return PValues(*[math.nan] * 4)
        held = self.weight > 0
        error, degrees = np.where(held, self.error, np.nan), np.where(held, self.degrees, 1.0)
        if self.figures == 2:
            squares = error[held] ** 2
            welch = squares.sum() ** 2 / (squares**2 / degrees[held]).sum()
            only = 2 * float(stdtr(welch, -observed[2]))
            return PValues(math.nan, math.nan if math.isnan(observed[1]) else only, only, only)
        draws = stream(seed, _DRAWN, 0)
        noise = draws.standard_normal((DRAWS, len(held)))
        noise *= np.sqrt(degrees / draws.chisquare(degrees, noise.shape))
        unit = contrasts(noise * error, self.weight, self.time, self.first)
        null = []
        for drawn, one in zip(unit, errors, strict=True):
            size = np.abs(in_errors(drawn, np.broadcast_to(one, drawn.shape)))
            size = np.where(np.isnan(size), -1.0, size).reshape(DRAWS, -1)
            null.append(size.max(axis=1, initial=-1.0))
        return p_values((observed[0], observed[1], observed[2]), Null(*null))


def degrees_of(rows: Rows, figures: Figures) -> Floats:
    """How well a standard error is known, from the fourth moment of the influences.

    ``2 m2^2 / (m4 - m2^2) (n - 1)``: n - 1 where influences are normal, and few where a rare label
    makes some items count far more than others (Satterthwaite's rule on the influences).
    """
    weight, centred = rows.weight, np.zeros_like(rows.weight)
    if figures.centred is not None:
        centred = np.nan_to_num(figures.centred)
    total = np.maximum(weight.sum(axis=1), 2.0)
    second = (weight * centred**2).sum(axis=1) / total
    fourth = (weight * centred**4).sum(axis=1) / total
    rest = fourth - second**2
    held = (rest > 1e-9 * second**2) & (second > 0)
    share = np.where(held, 2 * second**2 / np.where(held, rest, 1.0), 1.0)
    return np.clip(share, 0.0, 1.0) * (total - 1)


def larger(one: PValues, other: PValues) -> PValues:
    """The larger of two p-values each: what both tests can vouch for."""
    return PValues(*(max(a, b) for a, b in zip(one, other, strict=True)))


def _largest_size(values: Floats) -> float:
    place = largest(values)
    return abs(float(values[place])) if place >= 0 else math.nan
