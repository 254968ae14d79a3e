"""Sums by panel (the annotators of an item) and pair of annotators, for any annotator weights.

By the equation in `iaa_jax.kernels.weighing`, a statistic is a factor ``f``, which depends only on
the panel and the annotator weights, times a weighted sum of ``g``, which depends only on the
ratings. So its sum over items at any weights follows from the sums of ``g`` over the items of each
panel. The kernel's own statistics evaluate both functions: ``g`` on items with two ratings, and
``f`` on an item where every rating has a mass of 1 on every label.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from iaa_jax import _thresholds as thresholds
from iaa_jax._types import Floats, Integers
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace, weighted_sum
from iaa_jax.kernels.pairs import pairs_of_columns
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, NamedSums
from iaa_jax.kernels.weighing import Weighing

if TYPE_CHECKING:
    from iaa_jax.kernels.kernel import Formula, Kernel, StatisticsFunction

SumsByPanel = Any
"""The statistics of `StatisticsByPanel`, summed over items."""


def weighed_by_formula(kernel: Kernel, weighing: Weighing) -> Kernel:
    """Return the kernel with annotator weights applied in the formula, not in the statistics."""
    return replace(
        kernel,
        statistics=StatisticsByPanel(kernel.statistics, weighing),
        formula=FormulaByPanel(kernel.statistics, kernel.formula, weighing),
        weighs_annotators=False,
        by_pair=(),
        by_rating=(),
        quadratic="",
        weighing=None,
    )


@dataclass(frozen=True)
class StatisticsByPanel:
    """Statistics (item, panel, pair or annotator, ...), 0 for all panels except the item's own.

    A statistic that does not depend on annotator weights has no panel axis.
    """

    statistics: StatisticsFunction
    weighing: Weighing

    def __call__(self, data: Floats, raters: Raters, disagreement: Floats | None) -> SumsByPanel:
        """Return the statistics by panel, and two arrays that the formula needs to weight them.

        The arrays are an indicator of each item's panel, and masses of 1 for the ratings of each
        panel.
        """
        panels, panel_of = panels_of(data)
        every_label = np.where(panels[..., None], np.ones(data.shape[-1]), np.nan)
        in_panel = (np.arange(len(panels)) == panel_of[:, None]).astype(data.dtype)
        parts: dict[str, Floats | Fixed] = {"every_label": Fixed(every_label), "items": in_panel}
        items = data if self.weighing.unweighed else data[:1]
        whole: NamedSums = self.statistics(items, Raters(np.ones(len(raters.weight))), disagreement)
        contents = self._contents(data, disagreement)
        for name, statistic in whole._asdict().items():
            if name in self.weighing.unweighed:
                parts[name] = statistic
            elif name in contents:
                content = contents[name]
                further_axes = (1,) * (content.ndim - 1)
                parts[name] = in_panel.reshape(*in_panel.shape, *further_axes) * content[:, None]
        return _sums_type(tuple(parts))(**parts)

    def columns(self, data: Floats, disagreement: Floats | None) -> int:
        """Return the number of sums over items."""
        annotators = data.shape[1]
        panels = len(panels_of(data)[0])
        each: dict[str | None, int] = {
            "products": panels * math.comb(annotators, 2),
            "weights": panels * annotators,
            "squares": panels * annotators,
            "unweighed": 1,
            None: 0,
        }
        one: NamedSums = self.statistics(data[:1], Raters(np.ones(annotators)), disagreement)
        shapes = {name: np.shape(statistic)[1:] for name, statistic in one._asdict().items()}
        sums: int = sum(
            each[self.weighing.kind(name)] * math.prod(shape) for name, shape in shapes.items()
        )
        return panels + sums

    def _contents(self, data: Floats, disagreement: Floats | None) -> Mapping[str, Floats]:
        """Return the statistics of each item's pairs or ratings: (item, pair or annotator, ...).

        A missing rating has a mass of 0, and single ratings are paired with a mass of 0.
        """
        masses, code = _distinct_masses(data)
        nothing = len(masses) - 1
        first, second = map(list, zip(*combinations(range(data.shape[1]), 2), strict=True))
        a, b = code[:, first], code[:, second]
        neither = (a == nothing) | (b == nothing)
        both = np.where(neither, nothing, a) * len(masses) + np.where(neither, nothing, b)
        alone = code * len(masses) + nothing
        single = (*self.weighing.weights, *self.weighing.squares)
        contents = {}
        for names, pairs in ((self.weighing.products, both), (single, alone)):
            if not names:
                continue
            met, pair_of = np.unique(pairs, return_inverse=True)
            size = max(thresholds.LAID_OUT_TOGETHER // (2 * masses.shape[1]), 1)
            parts: list[NamedSums] = [
                self.statistics(
                    masses[np.stack(np.divmod(met[start : start + size], len(masses)), axis=1)],
                    Raters(np.ones(2)),
                    disagreement,
                )
                for start in range(0, len(met), size)
            ]
            for name in names:
                of_pair = np.concatenate([getattr(part, name) for part in parts])
                contents[name] = of_pair[pair_of.reshape(pairs.shape)]
        return contents


@dataclass(frozen=True)
class FormulaByPanel:
    """The formula of a kernel, on the sums of `StatisticsByPanel`."""

    statistics: StatisticsFunction
    formula: Formula
    weighing: Weighing

    def __call__(
        self,
        sums: SumsByPanel,
        annotator_weight: Array,
        disagreement: Array | None,
        **options: Array | float,
    ) -> Agreement:
        """Return the coefficient."""
        weighted = self.own_sums(sums, annotator_weight, disagreement)
        return self.formula(weighted, annotator_weight, disagreement, **options)

    def own_sums(
        self, sums: SumsByPanel, annotator_weight: Array, disagreement: Array | None
    ) -> NamedSums:
        """Return the sums that the kernel's statistics would have at these annotator weights."""
        xp = namespace(*sums, annotator_weight, disagreement)
        every_label = sums.every_label
        rated = 1 - xp.astype(xp.isnan(every_label[:, :, 0]), every_label.dtype)
        both = xp.ones_like(every_label[:1, :2])
        alone = xp.concat([both[:, :1], xp.zeros_like(both[:, :1])], axis=1)

        def statistics(masses: Array, weight: Array) -> NamedSums:
            # without the disagreement, which could sum to 0 and does not change the factors
            return self.statistics(masses, Raters(weight), None)

        of_panel = statistics(every_label, annotator_weight)
        of_both, of_alone = (statistics(masses, both[0, :, 0]) for masses in (both, alone))
        weighted = {}
        for name, statistic in of_panel._asdict().items():
            kind = self.weighing.kind(name)
            if kind is None:
                weighted[name] = weighted_sum(xp, sums.items, statistic)
            elif kind == "unweighed":
                weighted[name] = getattr(sums, name)
            else:
                weight = _product(xp, kind, annotator_weight[None, :])[0, :]
                of_two = of_both if kind == "products" else of_alone
                plain = _product(xp, kind, rated) @ weight
                plain = plain * _total(xp, getattr(of_two, name))
                factor = divided(xp, _total(xp, statistic), plain)
                by_panel = getattr(sums, name)
                shape = by_panel.shape
                flat = xp.reshape(by_panel, (*shape[:2], math.prod(shape[2:])))
                weighted[name] = xp.reshape(factor @ (weight @ flat), shape[2:])
        return type(of_panel)(**weighted)


def panels_of(data: Floats) -> tuple[NDArray[np.bool_], Integers]:
    """Return the annotators of each panel (panel, annotator), and the panel of each item.

    To limit compilations, the number of panels is padded to a power of two by panels without
    annotators.
    """
    panels, panel_of = np.unique(_rated(data), axis=0, return_inverse=True)
    missing = (1 << (len(panels) - 1).bit_length()) - len(panels)
    return np.pad(panels, ((0, missing), (0, 0))), panel_of.reshape(-1)


def _distinct_masses(data: Floats) -> tuple[Floats, Integers]:
    """Return the distinct masses, and the index of each rating's mass.

    A last mass of 0 stands for missing ratings.
    """
    rated = _rated(data)
    labels = data.shape[-1]
    filled = np.where(rated[..., None], data, 0.0)
    single = (filled.max(axis=-1, initial=0.0) == 1) & (filled.sum(axis=-1) == 1)
    if (single | ~rated).all():
        masses, code = np.eye(labels, dtype=data.dtype), filled.argmax(axis=-1)
    else:
        masses, code = np.unique(filled.reshape(-1, labels), axis=0, return_inverse=True)
        code = code.reshape(rated.shape)
    nothing = np.zeros((1, labels), dtype=data.dtype)
    return np.concatenate([masses, nothing]), np.where(rated, code, len(masses))


def _rated(data: Floats) -> NDArray[np.bool_]:
    return np.asarray(~np.isnan(data).any(axis=-1))


@cache
def _sums_type(fields: tuple[str, ...]) -> type:
    return namedtuple("SumsByPanel", fields)


def _product(xp: Namespace, kind: str, weight: Array) -> Array:
    if kind == "weights":
        return weight
    if kind == "squares":
        return weight * weight
    first, second = pairs_of_columns(xp, weight)
    return xp.take(weight, first, axis=1) * xp.take(weight, second, axis=1)


def _total(xp: Namespace, statistic: Array) -> Array:
    return xp.sum(
        xp.reshape(statistic, (statistic.shape[0], math.prod(statistic.shape[1:]))), axis=1
    )
