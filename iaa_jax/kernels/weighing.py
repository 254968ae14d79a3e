"""Annotator weights kept apart from ratings: sums over items are then made once for all weights.

Where it is given who rated an item, what a statistic has of the annotator weights v is a factor of
the whole item, and a product for each pair of ratings (or v_a, or v_a^2, for each rating)::

    s(item; v) = f(v; who rated) sum_ab v_a v_b g(x_a, x_b)

So sums of ``g`` by panel (the annotators who rated an item) and by pair of annotators give the
sums of the statistic at any weights. Functions of statistics are marked with what is such
(`weighing`). Both are read off the statistics themselves: ``g`` of items with two ratings, ``f`` of
an item on which every rating has a mass of 1 for every label.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats, Integers
from iaa_jax.kernels.agreement import Agreement
from iaa_jax.kernels.namespace import Array, Namespace, divided, namespace, weighted_sum
from iaa_jax.kernels.pairs import pairs_of_columns
from iaa_jax.kernels.raters import Raters
from iaa_jax.kernels.sums import Fixed, NamedSums

if TYPE_CHECKING:
    from iaa_jax.kernels.kernel import Formula, Kernel, StatisticsFunction

Marked = TypeVar("Marked", bound=Callable[..., Any])

_MARK = "weighing"

SumsByPanel = Any
"""What `StatisticsByPanel` gives, summed over items."""


class Weighing(NamedTuple):
    """What statistics have of the annotator weights, by name of the statistic.

    Those that are not named depend on who rated an item and on the weights, not on labels.
    """

    by_pair: tuple[str, ...] = ()
    """Sums over pairs of ratings, each with v_a v_b, times a factor of the item."""
    by_rating: tuple[str, ...] = ()
    """Sums over ratings, each with v_a, times a factor of the item."""
    by_square: tuple[str, ...] = ()
    """Sums over ratings, each with v_a^2, times a factor of the item."""
    unweighed: tuple[str, ...] = ()
    """Free of the weights."""

    def kind(self, name: str) -> str | None:
        """The field that names a statistic; None where none does."""
        return next((kind for kind in self._fields if name in getattr(self, kind)), None)


def weighing(
    by_pair: tuple[str, ...] = (),
    by_rating: tuple[str, ...] = (),
    by_square: tuple[str, ...] = (),
    unweighed: tuple[str, ...] = (),
) -> Callable[[Marked], Marked]:
    """Mark a function of statistics with what these have of the annotator weights."""

    def mark(statistics: Marked) -> Marked:
        setattr(statistics, _MARK, Weighing(by_pair, by_rating, by_square, unweighed))
        return statistics

    return mark


def weighing_of(kernel: Kernel) -> Weighing | None:
    """What its statistics are marked with."""
    mark: Weighing | None = getattr(kernel.statistics, _MARK, None)
    return mark


def weighed_by_formula(kernel: Kernel, weighing: Weighing) -> Kernel:
    """The same coefficient by statistics that are free of annotator weights: its formula has them.

    The statistics are worked out on NumPy, of all items of a call at once, annotators in columns.
    """
    return replace(
        kernel,
        statistics=StatisticsByPanel(kernel.statistics, weighing),
        formula=FormulaByPanel(kernel.statistics, kernel.formula, weighing),
        weighs_annotators=False,
        by_pair=(),
        by_rating=(),
    )


@dataclass(frozen=True)
class StatisticsByPanel:
    """Statistics (item, panel, pair or annotator, ...), 0 for other panels than the item's own.

    There are as many panels as the next power of two, so that few programs are compiled; the last
    ones have no items.
    """

    statistics: StatisticsFunction
    weighing: Weighing

    def __call__(self, data: Floats, raters: Raters, disagreement: Floats | None) -> SumsByPanel:
        """Of all items: masses of 1 of each panel, which panel an item has, and each statistic."""
        panels, panel_of = panels_of(data)
        every_label = np.where(panels[..., None], np.ones(data.shape[-1]), np.nan)
        own = (np.arange(len(panels)) == panel_of[:, None]).astype(data.dtype)
        parts: dict[str, Floats | Fixed] = {"every_label": Fixed(every_label), "items": own}
        whole: NamedSums = self.statistics(data, Raters(np.ones(len(raters.weight))), disagreement)
        contents = self._contents(data, disagreement)
        for name, statistic in whole._asdict().items():
            if name in self.weighing.unweighed:
                parts[name] = statistic
            elif name in contents:
                content = contents[name]
                rest = (1,) * (content.ndim - 1)
                parts[name] = own.reshape(*own.shape, *rest) * content[:, None]
        return _sums_type(tuple(parts))(**parts)

    def columns(self, data: Floats, disagreement: Floats | None) -> int:
        """How many sums there are, of any of the items."""
        annotators = data.shape[1]
        panels = len(panels_of(data)[0])
        each: dict[str | None, int] = {
            "by_pair": panels * math.comb(annotators, 2),
            "by_rating": panels * annotators,
            "by_square": panels * annotators,
            "unweighed": 1,
            None: 0,
        }
        some: NamedSums = self.statistics(data[:1], Raters(np.ones(annotators)), disagreement)
        shapes = {name: np.shape(statistic)[1:] for name, statistic in some._asdict().items()}
        sums: int = sum(
            each[self.weighing.kind(name)] * math.prod(shape) for name, shape in shapes.items()
        )
        return panels + sums

    def _contents(self, data: Floats, disagreement: Floats | None) -> Mapping[str, Floats]:
        """Of each item, the statistics of two ratings alone: (item, pair or annotator, ...)."""
        rated = _rated(data)
        filled = np.where(rated[..., None], data, 0.0)
        nothing = np.zeros_like(filled)
        first, second = map(list, zip(*combinations(range(data.shape[1]), 2), strict=True))
        contents = {}
        for kind, ratings in {
            "by_pair": (filled[:, first], filled[:, second]),
            "by_rating": (filled, nothing),
            "by_square": (filled, nothing),
        }.items():
            if not (names := getattr(self.weighing, kind)):
                continue
            two = np.stack(ratings, axis=2)  # (item, pair or annotator, 2, label)
            flat = two.reshape(-1, *two.shape[2:])
            given = _product(np, kind, rated.astype(data.dtype))
            of_two: NamedSums = self.statistics(flat, Raters(np.ones(2)), disagreement)
            for name in names:
                statistic = getattr(of_two, name)
                rest = statistic.shape[1:]
                present = given.reshape(*given.shape, *(1,) * len(rest))
                contents[name] = present * statistic.reshape(*two.shape[:2], *rest)
        return contents


@dataclass(frozen=True)
class FormulaByPanel:
    """The formula of a kernel on the sums of `StatisticsByPanel`."""

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
        """The formula on the sums of the kernel's own statistics at these weights."""
        own = self.own_sums(sums, annotator_weight, disagreement)
        return self.formula(own, annotator_weight, disagreement, **options)

    def own_sums(
        self, sums: SumsByPanel, annotator_weight: Array, disagreement: Array | None
    ) -> NamedSums:
        """The sums of the kernel's own statistics at these weights."""
        xp = namespace(*sums, annotator_weight, disagreement)
        every_label = sums.every_label
        rated = 1 - xp.astype(xp.isnan(every_label[:, :, 0]), every_label.dtype)
        both = xp.ones_like(every_label[:1, :2])
        alone = xp.concat([both[:, :1], xp.zeros_like(both[:, :1])], axis=1)
        two = {"by_pair": both, "by_rating": alone, "by_square": alone}

        def statistics(masses: Array, weight: Array) -> NamedSums:
            return self.statistics(masses, Raters(weight), disagreement)

        of_panel = statistics(every_label, annotator_weight)
        of_two = {kind: statistics(masses, both[0, :, 0]) for kind, masses in two.items()}
        own = {}
        for name, statistic in of_panel._asdict().items():
            kind = self.weighing.kind(name)
            if kind is None:
                own[name] = weighted_sum(xp, sums.items, statistic)
            elif kind == "unweighed":
                own[name] = getattr(sums, name)
            else:
                weight = _product(xp, kind, annotator_weight[None, :])[0, :]
                plain = _product(xp, kind, rated) @ weight
                plain = plain * _total(xp, getattr(of_two[kind], name))
                factor = divided(xp, _total(xp, statistic), plain)
                by_panel = getattr(sums, name)
                shape = by_panel.shape
                flat = xp.reshape(by_panel, (*shape[:2], math.prod(shape[2:])))
                own[name] = xp.reshape(factor @ (weight @ flat), shape[2:])
        return type(of_panel)(**own)


def panels_of(data: Floats) -> tuple[NDArray[np.bool_], Integers]:
    """Who rated items together (panel, annotator), and which panel each item has.

    The panels are filled up to a power of two by some without annotators.
    """
    panels, panel_of = np.unique(_rated(data), axis=0, return_inverse=True)
    missing = (1 << (len(panels) - 1).bit_length()) - len(panels)
    return np.pad(panels, ((0, missing), (0, 0))), panel_of.reshape(-1)


def _rated(data: Floats) -> NDArray[np.bool_]:
    """Who rated which item (item, annotator)."""
    return np.asarray(~np.isnan(data).any(axis=-1))


@cache
def _sums_type(fields: tuple[str, ...]) -> type:
    return namedtuple("SumsByPanel", fields)


def _product(xp: Namespace, kind: str, weight: Array) -> Array:
    """What each pair or rating has of weights (panel, annotator)."""
    if kind == "by_rating":
        return weight
    if kind == "by_square":
        return weight * weight
    first, second = pairs_of_columns(xp, weight)
    return xp.take(weight, first, axis=1) * xp.take(weight, second, axis=1)


def _total(xp: Namespace, statistic: Array) -> Array:
    """The sum of all that each item has: (item,)."""
    return xp.sum(
        xp.reshape(statistic, (statistic.shape[0], math.prod(statistic.shape[1:]))), axis=1
    )
