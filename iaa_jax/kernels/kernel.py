"""A coefficient as a value: statistics of each item, and a formula on their weighted sums.

The sums are linear in the item weights: a batch of weights is one matrix product, and the
derivative by an item's weight is its statistics times the gradient of the formula.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from iaa_jax._names import MODULES
from iaa_jax.kernels.agreement import Agreement, label_disagreement, symmetrize
from iaa_jax.kernels.independent import IndependentItems
from iaa_jax.kernels.namespace import Array, floating, is_concrete, namespace
from iaa_jax.kernels.raters import Raters, checked_weight, raters_of
from iaa_jax.kernels.sums import NamedSums, sums_over_items
from iaa_jax.kernels.weighing import Weighing

StatisticsFunction = Callable[..., tuple[Array, ...]]
"""Of the data, the raters and the label disagreement: a named tuple of arrays, items first."""

Formula = Callable[..., Agreement]
"""Of the sums, the annotator weights, the label disagreement, and the kernel's options by name."""

KernelFunction = Callable[..., Agreement]
"""What can be called as a kernel is: a `Kernel`, or a function of its signature."""

Sums = TypeVar("Sums", bound=tuple[Array, ...])
Terms = TypeVar("Terms", bound=tuple[Array, ...])


def without_none(keywords: Mapping[str, Array | None]) -> dict[str, Array]:
    """The keywords with a value: a function need not have the others."""
    return {name: value for name, value in keywords.items() if value is not None}


class PolynomialFormula(ABC, Generic[Sums, Terms]):
    """A formula in two steps: few terms that are polynomials where the sums are, and the rest.

    The sums of a coefficient of divided labels are polynomials in p, the primary label's share.
    """

    def __call__(
        self,
        sums: Sums,
        annotator_weight: Array,
        disagreement: Array | None,
        min_common: Array | float,
    ) -> Agreement:
        """Both steps."""
        return self.from_terms(self.terms(sums, annotator_weight, disagreement, min_common))

    @abstractmethod
    def terms(
        self,
        sums: Sums,
        annotator_weight: Array,
        disagreement: Array | None,
        min_common: Array | float,
    ) -> Terms:
        """From the sums: a named tuple of arrays."""

    @abstractmethod
    def from_terms(self, terms: Terms) -> Agreement:
        """The coefficient."""

    @abstractmethod
    def ceiling(self, terms: Terms) -> tuple[Array, Array]:
        """The observed agreement that the ratings can reach, and the estimate there."""


@dataclass(frozen=True)
class ChainedFormula:
    """A formula whose ``first`` step, from sums to a tuple of arrays, other coefficients share."""

    first: Callable[..., tuple[Array, ...]]
    second: Callable[[Any], Agreement]

    def __call__(
        self, sums: Any, annotator_weight: Array, disagreement: Array | None, **options: Any
    ) -> Agreement:
        """Both steps."""
        return self.second(self.first(sums, annotator_weight, disagreement, **options))


@dataclass(frozen=True)
class _CountedFrom:
    """What items have in common where numbers are counted from several middles."""

    common: Callable[..., tuple[Array, ...]]
    middles: tuple[float, ...]

    def __call__(self, data: Array, raters: Raters) -> tuple[Array, ...]:
        return self.common(data, raters, middles=self.middles)


@dataclass(frozen=True, repr=False)
class Kernel:
    """A coefficient on one data set, as a function of arrays: call it.

    It runs on any array library, under its jit, vmap and grad; differentiate ``.estimate``. With
    `dataclasses.replace` it is made anew with another formula, or other statistics.

    Attributes
    ----------
    name : str
        As the function of `iaa_jax` that gives the coefficient of ratings, if there is one.
    statistics : callable
        ``(data, raters, disagreement) -> statistics of each item``, which depend on that item and
        the raters alone, and on ``common`` where there is one: so items can be worked on in parts.
    formula : callable
        ``(sums, annotator_weight, disagreement) -> Agreement``, and the options by name.
    summary : str
        What it is, in a line.
    ordered_pairs : bool
        Reads an asymmetric agreement between labels as it stands, rows for the first annotator;
        others take the mean of it and its transpose.
    options : tuple of (name, default)
        Numbers that the formula takes by name.
    common : callable, optional
        ``(data, raters) -> tuple of arrays``, of all data: what the statistics of the items have in
        common (a centre, a range) and take as ``common``.
    several_middles : bool
        Whether ``common`` takes ``middles``, numbers of which the nearest is what one is counted
        from, where sets of them lie far from each other (`counting_from`).
    fitted : callable, optional
        ``data -> Kernel``: the same with as many sums as these data need, where that depends on
        them. Data that are traced are unknown, and get as many as usual data need.
    directly : callable, optional
        ``(data, raters, item_weight) -> Agreement``: the same without ``common``, for a call, where
        ``common`` cannot be traced.
    item_share : callable, optional
        ``(statistics, sums) -> (item,)``: what each item would take from the figure if its ratings
        shared nothing, (item, label) of figures by label; by default all items the same.
    by_pair, by_rating : tuple of str
        The statistics that are sums over an item's pairs of ratings, or over its ratings. Others
        depend on which ratings an item has, and not on whose they are.
    weighs_annotators : bool
        Whether the statistics read the annotator weights. Where the formula alone does, the
        statistics are worked out once for all weights.
    quadratic : str
        The statistic (item, label) that the formula reads only as ``r' D r``, D the disagreement,
        if there is one.
    weighing : Weighing, optional
        What the statistics have of the annotator weights, where that is known: other statistics
        need another one.
    independent : IndependentItems, optional
        What a few independent items say of the coefficient, where D_o and D_e are such products.
    """

    name: str
    statistics: StatisticsFunction
    formula: Formula
    summary: str = ""
    ordered_pairs: bool = False
    options: tuple[tuple[str, float], ...] = ()
    common: Callable[[Array, Raters], tuple[Array, ...]] | None = None
    several_middles: bool = False
    fitted: Callable[[Array], Kernel] | None = None
    directly: Callable[[Array, Raters, Array], Agreement] | None = None
    item_share: Callable[[Any, Any], Array] | None = None
    by_pair: tuple[str, ...] = ()
    by_rating: tuple[str, ...] = ()
    weighs_annotators: bool = True
    quadratic: str = ""
    weighing: Weighing | None = None
    independent: IndependentItems | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__name__", self.name)
        call = inspect.getdoc(type(self).__call__)
        what = self.summary or self.name
        where = f": see `iaa_jax.{self.name}`" if self.name in MODULES else ""
        object.__setattr__(self, "__doc__", f"{what}{where}.\n\n{call}")

    def __repr__(self) -> str:
        statistics = getattr(self.statistics, "__name__", repr(self.statistics))
        return f"<Kernel {self.name} of {statistics}>"

    def __call__(
        self,
        data: Array,
        *,
        item_weight: Array | None = None,
        annotator_weight: Array | None = None,
        label_agreement: Array | None = None,
        annotator_of: Array | None = None,
        min_common: Array | float | None = None,
    ) -> Agreement:
        """The coefficient of a mass (item, annotator, label) or a value (item, annotator).

        Parameters
        ----------
        data : array
            NaN where an annotator has not rated an item.
        item_weight : array (item,), optional
            For how many items a row stands; ones by default.
        annotator_weight : array (annotator,), optional
            How much an annotator counts; ones by default.
        label_agreement : array (label, label), optional
            Agreement between labels; by default they are equal or not.
        annotator_of : array (item, slot), optional
            Who gave each rating, -1 in empty slots, where the data's second axis is the slot.
        min_common : number, optional
            Of coefficients of pairs of annotators: the common items that a pair needs to count.

        Returns
        -------
        Agreement
        """
        options: dict[str, Array | float] = dict(self.options)
        if min_common is not None:
            if "min_common" not in options:
                raise TypeError(f"{self.name} takes no min_common")
            options["min_common"] = min_common
        arrays = (data, item_weight, annotator_weight, label_agreement, annotator_of)
        xp = namespace(*arrays)
        data = floating(xp, *arrays)
        raters = raters_of(xp, data, annotator_weight, annotator_of)
        w = checked_weight(xp, item_weight, data.shape[0], data, "item")
        disagreement = self.disagreement(data, label_agreement)
        return self.for_data(data).evaluate(data, raters, disagreement, w, options)

    def for_data(self, data: Array) -> Kernel:
        """The kernel with as many sums as these data need."""
        return self if self.fitted is None or not is_concrete(data) else self.fitted(data)

    def counting_from(self, middles: Sequence[float]) -> Kernel:
        """The same with each number counted from the nearest of these; they stand in order."""
        assert self.common is not None
        return replace(self, common=_CountedFrom(self.common, tuple(middles)), fitted=None)

    def evaluate(
        self,
        data: Array,
        raters: Raters,
        disagreement: Array | None,
        item_weight: Array,
        options: Mapping[str, Array | float],
    ) -> Agreement:
        """Both steps, on arguments that are ready."""
        if self.directly is not None:
            return self.directly(data, raters, item_weight)
        sums = self.sums(data, raters, disagreement, item_weight)
        return self.formula(sums, raters.weight, disagreement, **options)

    def sums(
        self, data: Array, raters: Raters, disagreement: Array | None, item_weight: Array
    ) -> NamedSums:
        """The statistics of all items, summed with their weights."""
        statistics = self.statistics_among(data, raters)(data, raters, disagreement)
        return sums_over_items(statistics, item_weight)

    def disagreement(self, data: Array, label_agreement: Array | None) -> Array | None:
        """``1 - label_agreement``, symmetric unless it is read as it stands."""
        if label_agreement is not None and len(data.shape) == 2:
            raise ValueError(
                f"{self.name} takes no label_agreement: its data are numbers, not labels"
            )
        disagreement = label_disagreement(data, label_agreement)
        if disagreement is None or self.ordered_pairs:
            return disagreement
        return symmetrize(disagreement)

    def statistics_among(self, data: Array, raters: Raters) -> StatisticsFunction:
        """The statistics ``(data, raters, disagreement)`` of any items among these."""
        if self.common is None:
            return self.statistics
        return partial(self.statistics, common=self.common(data, raters))
