"""A mean over items that people rated, corrected by judges' labels of all items.

If ``h`` is the people's value of an item, and ``f`` are the judges' values, the score is ``mean h
+ l' (mean f of all - mean f of the rated)``. The judges' weights l come from least squares over
units (items or clusters). They are shrunk by the share of the explained variance that is due to
chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

from iaa_jax._types import Floats
from iaa_jax.analyses.judged_scores.sample import DrawnUnits, JudgedItems

_RIDGE = 1e-12
"""Ridge as a share of the judges' mean square: it separates equal judges."""

_ROUNDING = 1e-14

_ALIKE = 1e-9
"""Minimum relative difference of two variances; smaller differences may be due to rounding."""

_FEW = 2.0
"""If a judge's values deviate from their mean in only this many units, its weight is halved."""


class RatioParts(NamedTuple):
    """A score as a ratio of two means, with the values of people and of judges.

    Attributes
    ----------
    above, below : array (rating,)
        Numerator and denominator by people's ratings.
    judged_above, judged_below : array (pattern, judge)
        Numerator and denominator by each judge's ratings in place of people's.
    """

    above: Floats
    below: Floats
    judged_above: Floats
    judged_below: Floats


class Estimate(NamedTuple):
    """An estimate, its variances, its degrees of freedom and its effective number of units.

    ``item_variance`` is the variance over items. ``variance`` also includes the variance over
    people, if people are a sample. ``rated_variance`` is the part of the variance that is due to
    the sample of rated units. With k times as many rated units, this part is divided by k.
    """

    estimate: float
    item_variance: float
    variance: float
    degrees: float
    units: float
    rated_variance: float = np.nan

    @property
    def error(self) -> float:
        """The standard error."""
        return float(np.sqrt(self.variance))

    @property
    def people_share(self) -> float:
        """The share of the variance that more items would not reduce."""
        return 1 - self.item_variance / self.variance if self.variance > 0 else 0.0


UNDEFINED = Estimate(np.nan, np.nan, np.nan, np.nan, np.nan)


class JackknifeChanges(NamedTuple):
    """How a score changes without each unit, for units with rated items and for the others."""

    rated: Floats
    others: Floats

    def variance(self, units: DrawnUnits, *, finite: bool) -> float:
        """Return the jackknife variance over units."""
        number = units.rated
        centred = self.rated - units.count @ self.rated / number
        free = 1 - units.chance if finite else 1.0
        variance = (number - 1) / number * float(units.count @ (free * centred**2))
        return variance + (units.all - 1) / units.all * float(units.other_count @ self.others**2)

    def less(self, other: JackknifeChanges) -> JackknifeChanges:
        """Return the changes of the difference of two scores."""
        return JackknifeChanges(self.rated - other.rated, self.others - other.others)


class Corrected(NamedTuple):
    """Estimates of a score: by people alone, corrected by the judges, and by each judge alone.

    ``off`` is the score by each judge minus the corrected score.
    """

    alone: Estimate
    corrected: Estimate
    judges: list[Estimate]
    off: list[Estimate]
    weight: Floats


def correct(
    values: RatioParts, sample: JudgedItems, units: DrawnUnits, *, people: bool, finite: bool
) -> Corrected:
    """Estimate a score by people alone, corrected, and by each judge alone, with sampling errors.

    If ``people``, errors include the sampling of people. If ``finite``, the judged items are not a
    sample but all items of interest.
    """
    judges = values.judged_above.shape[1]
    by_judges = [_judge_alone(values, units, at, finite=finite) for at in range(judges)]
    panel = sample.panel
    above, below = (
        np.bincount(sample.item, part, len(panel)) / panel for part in (values.above, values.below)
    )
    design = sample.rated_weight * units.design
    scale = float(design @ below) / design.sum()
    if scale <= 0:
        undefined = [UNDEFINED] * judges
        its = [judge for judge, _ in by_judges]
        return Corrected(UNDEFINED, UNDEFINED, its, undefined, np.full(judges, np.nan))
    ratio = float(design @ above) / float(design @ below)
    rated = (values.above - ratio * values.below) / scale
    judged = (values.judged_above - ratio * values.judged_below) / scale
    item_mean = (above - ratio * below) / scale
    own = judged[sample.pattern_of[sample.rated]]
    judged = judged - design @ own / design.sum()
    own = judged[sample.pattern_of[sample.rated]]
    # the mean of the denominator without each unit
    lost = units.design * below
    without = (design @ below - units.sums(lost)) / (design.sum() - units.sums(units.design))
    number = _effective(units.sums(lost), units.count)
    ratios = np.divide(scale, without, out=np.ones(len(without)), where=without > _ROUNDING)

    def estimate_by(used: Floats) -> tuple[Estimate, Floats, JackknifeChanges]:
        moments = _Moments(units, item_mean, used)
        weight = moments.weight()
        held = judged[:, : used.shape[1]]
        shift, without = _over_items(moments, weight, held, units, ratios, finite=finite)
        variance = without.variance(units, finite=finite)
        _, held_fast = _over_items(moments, weight, held, units, ratios, finite=True)
        rated_variance = held_fast.variance(units, finite=False)
        estimate = Estimate(
            ratio + shift, variance, variance, max(number - 1, 1.0), number, rated_variance
        )
        return estimate, weight, without

    alone, _, of_alone = estimate_by(own[:, :0])
    corrected, weight, of_corrected = estimate_by(own)
    if not corrected.item_variance < (1 - _ALIKE) * alone.item_variance:  # judges do not help
        corrected, weight, of_corrected = alone, np.zeros(judges), of_alone
    if people:
        alone, corrected = (
            _with_people(figure, rated, item_mean - own @ by, item_mean, sample, units)
            for figure, by in ((alone, 0 * weight), (corrected, weight))
        )
    by_people = corrected.variance - corrected.item_variance
    off = []
    for judge, without in by_judges:
        of_both = without.less(of_corrected).variance(units, finite=finite)
        differs = judge.estimate - corrected.estimate
        off.append(
            corrected._replace(
                estimate=differs, item_variance=of_both, variance=of_both + by_people
            )
        )
    return Corrected(alone, corrected, [judge for judge, _ in by_judges], off, weight)


class _Moments:
    """Sums for the judges' weights: over all rated units, and with each unit left out."""

    def __init__(self, units: DrawnUnits, people: Floats, judges: Floats) -> None:
        design = units.design
        self.count = units.count
        self.size = units.sums(design)
        values = np.column_stack([judges, people])
        self.sums = units.sums(design[:, None] * values)
        self.total = float(self.count @ self.size)
        weighted = self.count[:, None] * self.sums
        self.squares = weighted.T @ self.sums
        self.with_size = weighted.T @ self.size
        self.sizes = float(self.count @ self.size**2)
        fourth = self.count @ self.sums[:, :-1] ** 4
        alike = np.diag(self.squares)[:-1] ** 2
        self.kept = alike / np.maximum(alike + _FEW * fourth, _ROUNDING**2)

    def weight(self) -> Floats:
        """Return the weights of the judges."""
        return np.asarray(self._weights(self.squares[None], self.count.sum())[0])

    def without(self) -> tuple[Floats, Floats]:
        """Return the weights without each unit, and the means (unit, judge or people)."""
        mean = -self.sums / (self.total - self.size)[:, None]
        cross = (self.with_size - self.sums * self.size[:, None])[:, :, None] * mean[:, None, :]
        own = self.sums[:, :, None] * self.sums[:, None, :]
        squares = self.squares - own - cross - np.swapaxes(cross, 1, 2)
        left = (self.sizes - self.size**2)[:, None, None]
        squares = squares + left * mean[:, :, None] * mean[:, None, :]
        return self._weights(squares, self.count.sum() - 1), mean

    def _weights(self, squares: Floats, units: float) -> Floats:
        judges = squares.shape[-1] - 1
        if not judges:
            return np.zeros((len(squares), 0))
        own, both = squares[:, :judges, :judges], squares[:, :judges, judges]
        usual = np.trace(self.squares[:judges, :judges]) / judges
        if usual <= _ROUNDING or self.squares[judges, judges] <= _ROUNDING:
            return np.zeros((len(squares), judges))
        own = own + _RIDGE * usual * np.eye(judges)
        weight = np.linalg.solve(own, both[..., None])[..., 0]
        explained = np.einsum("uj,uj->u", weight, both)
        residual = np.maximum(squares[:, judges, judges] - explained, 0.0)
        degrees = max(units - judges - 1, 1.0)
        by_chance = judges * residual / degrees
        kept = np.divide(
            *(explained - by_chance, explained),
            out=np.zeros(len(residual)),
            where=explained > by_chance,
        )
        return np.asarray(weight * (self.kept * kept[:, None]))


def _over_items(
    moments: _Moments,
    weight: Floats,
    judged: Floats,
    units: DrawnUnits,
    ratios: Floats,
    *,
    finite: bool,
) -> tuple[float, JackknifeChanges]:
    """Return what the judges add to a score, and how the score changes without each unit."""
    own, others = np.asarray(units.judged @ judged), np.asarray(units.others @ judged)
    sizes, other_sizes = units.sizes
    items = float(units.count @ sizes + units.other_count @ other_sizes)
    total = units.count @ own + units.other_count @ others
    mean = total / items
    weights, means = moments.without()
    left = mean if finite else (total - own) / np.maximum(items - sizes, _ROUNDING)[:, None]
    judges = judged.shape[1]
    change = means[:, judges] + np.einsum("uj,uj->u", weights, left - means[:, :judges])
    moved = np.zeros(len(others))
    if not finite and len(others):
        moved = ((total - others) / (items - other_sizes)[:, None] - mean) @ weight
    return float(mean @ weight), JackknifeChanges(change * ratios, moved)


def _effective(sizes: Floats, count: Floats) -> float:
    """Return the effective number of units of these sizes (Kish)."""
    squares = float(count @ sizes**2)
    return float(count @ sizes) ** 2 / squares if squares > 0 else 0.0


def _with_people(
    estimate: Estimate,
    rated: Floats,
    residual: Floats,
    mean: Floats,
    sample: JudgedItems,
    units: DrawnUnits,
) -> Estimate:
    """Add the variance over people, by leaving them out one by one."""
    item_variance = estimate.item_variance
    item, person, panel = sample.item, sample.person, sample.panel[sample.item]
    design = units.design
    counted = (sample.rated_weight * design)[item]
    shared = panel > 1
    others = np.maximum(panel - 1, 1.0)
    change = np.where(shared, (mean[item] - rated) / others, -residual[item])
    total = float(sample.rated_weight @ design)
    lost = np.bincount(person, np.where(shared, 0.0, counted))
    known = np.bincount(person) > 0
    without = (np.bincount(person, counted * change) / np.maximum(total - lost, _ROUNDING))[known]
    number = len(without)
    people_variance = (number - 1) / number * float(((without - without.mean()) ** 2).sum())
    # a person's deviation in one unit is part of both variances
    cell = np.where(shared, (rated - mean[item]) / np.sqrt(panel * others), residual[item])
    copies = units.count[units.rated_unit][item]
    cell = cell * counted / copies
    key = units.rated_unit[item] * (int(person.max()) + 1) + person
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    sums = np.bincount(index.ravel(), cell)
    in_both = float(copies[first] @ sums**2) / total**2
    variance = max(item_variance + people_variance - in_both, item_variance, people_variance)
    # even if people happen to agree and show no variance, they limit the degrees of freedom
    return estimate._replace(variance=variance, degrees=min(estimate.degrees, number - 1.0))


def _judge_alone(
    values: RatioParts, units: DrawnUnits, at: int, *, finite: bool
) -> tuple[Estimate, JackknifeChanges]:
    """Return a judge's score over all items, and its changes without each unit."""
    both = np.stack([values.judged_above[:, at], values.judged_below[:, at]], axis=1)
    own, others = np.asarray(units.judged @ both), np.asarray(units.others @ both)
    above, below = units.count @ own + units.other_count @ others
    if below <= 0:
        return UNDEFINED, JackknifeChanges(np.full(len(own), np.nan), np.full(len(others), np.nan))
    ratio = float(above / below)
    deviations = [(sums[:, 0] - ratio * sums[:, 1]) / below for sums in (own, others)]
    spread = float(units.count @ deviations[0] ** 2 + units.other_count @ deviations[1] ** 2)
    variance = 0.0 if finite else spread * units.all / max(units.all - 1, 1)
    sizes, counts = np.append(own[:, 1], others[:, 1]), np.append(units.count, units.other_count)
    number = _effective(np.asarray(sizes, dtype=np.float64), counts)
    without = []
    for sums, of in zip((own, others), deviations, strict=True):
        remaining = 0 if finite else below - sums[:, 1]
        without.append(
            np.divide(*(-below * of, remaining), out=np.zeros(len(of)), where=remaining > _ROUNDING)
        )
    return Estimate(ratio, variance, variance, max(number - 1, 1.0), number), JackknifeChanges(
        *without
    )


def ends_of(figure: Estimate, confidence: float, *, share: bool) -> tuple[float, float]:
    """Return Wilson's interval of a share, or Student's interval of another estimate."""
    estimate, variance, units = figure.estimate, figure.variance, figure.units
    if np.isnan(variance):
        return np.nan, np.nan
    quantile = float(stdtrit(max(figure.degrees, 1.0), (1 + confidence) / 2))
    if not share:
        return estimate - quantile * figure.error, estimate + quantile * figure.error
    if np.isnan(estimate):
        return np.nan, np.nan
    score = float(ndtri((1 + confidence) / 2))
    # a share of 0 or 1 gets the variance of a share of half an item
    least = 0.5 / (units + 1)
    inside = min(max(estimate, least), 1 - least)
    number = units
    if variance > _ROUNDING:
        number = inside * (1 - inside) / variance * (score / quantile) ** 2
    number = max(number, 1.0)
    middle = (estimate + score**2 / number / 2) / (1 + score**2 / number)
    spread = estimate * (1 - estimate) / number + score**2 / number**2 / 4
    reach = score / (1 + score**2 / number) * np.sqrt(spread)
    return float(max(middle - reach, 0.0)), float(min(middle + reach, 1.0))


def ends_of_difference(
    one: Estimate, other: Estimate, difference: Estimate, confidence: float, *, share: bool
) -> tuple[float, float]:
    """Return the interval of a difference from the intervals of both estimates (MOVER)."""
    if np.isnan(difference.variance):
        return np.nan, np.nan
    (low, high), (least, most) = (ends_of(each, confidence, share=share) for each in (one, other))
    product = one.error * other.error
    least_variance = 0.0
    if share:  # two shares that are equal on all units count as different on half a unit
        differ = 0.5 / (difference.units + 1)
        least_variance = differ * (1 - differ) / difference.units
    together = (one.variance + other.variance - max(difference.variance, least_variance)) / 2
    alike = float(np.clip(together / product, -1, 1)) if product > _ROUNDING else 0.0

    def reach(own: float, others: float) -> float:
        return float(np.sqrt(max(own**2 + others**2 - 2 * alike * own * others, 0.0)))

    less = one.estimate - other.estimate
    below = reach(one.estimate - low, most - other.estimate)
    above = reach(high - one.estimate, other.estimate - least)
    return less - below, less + above
