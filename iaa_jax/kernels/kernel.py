"""A kernel computes a coefficient by a formula of weighted sums of the items' statistics.

The sums are linear in the item weights. So one matrix product serves a batch of weights, and the
derivative with respect to an item's weight is the item's statistics times the gradient of the
formula.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from iaa_jax._errors import SEVERAL_LABELS
from iaa_jax._names import MODULES
from iaa_jax.kernels.agreement import Agreement, label_disagreement, symmetrize
from iaa_jax.kernels.independent import IndependentItems
from iaa_jax.kernels.namespace import (
    Array,
    Namespace,
    device_of,
    floating,
    is_concrete,
    namespace,
)
from iaa_jax.kernels.raters import Raters, checked_weight, raters_of
from iaa_jax.kernels.sums import NamedSums, sums_over_items
from iaa_jax.kernels.weighing import Weighing

StatisticsFunction = Callable[..., tuple[Array, ...]]
"""``(data, raters, disagreement) -> named tuple of arrays``.

The first axis of an array is items, unless its type is `iaa_jax.kernels.sums.Fixed`.
"""

Formula = Callable[..., Agreement]
"""``(sums, annotator_weight, disagreement, **options) -> Agreement``."""

KernelFunction = Callable[..., Agreement]
"""A `Kernel`, or a function with the same signature."""

_MOST_MASS = 1.01
"""Ratings whose masses sum to more than this have several labels; shares may be rounded."""

Sums = TypeVar("Sums", bound=tuple[Array, ...])
Terms = TypeVar("Terms", bound=tuple[Array, ...])


def without_none(keywords: Mapping[str, Array | None]) -> dict[str, Array]:
    """Return the keywords that are not None."""
    return {name: value for name, value in keywords.items() if value is not None}


class PolynomialFormula(ABC, Generic[Sums, Terms]):
    """A formula in two steps: from the sums to a few terms, and from the terms to the coefficient.

    If each rating gives a share p to its primary label and the rest to other labels, the sums and
    the terms are polynomials in p.
    """

    def __call__(
        self,
        sums: Sums,
        annotator_weight: Array,
        disagreement: Array | None,
        min_common: Array | float,
    ) -> Agreement:
        """Return the coefficient."""
        return self.from_terms(self.terms(sums, annotator_weight, disagreement, min_common))

    @abstractmethod
    def terms(
        self,
        sums: Sums,
        annotator_weight: Array,
        disagreement: Array | None,
        min_common: Array | float,
    ) -> Terms:
        """Return the terms, a named tuple of arrays, computed from the sums."""

    @abstractmethod
    def from_terms(self, terms: Terms) -> Agreement:
        """Return the coefficient, computed from the terms."""

    @abstractmethod
    def ceiling(self, terms: Terms) -> tuple[Array, Array]:
        """Return the highest possible observed agreement, and the coefficient at it.

        Ratings that are divided over labels do not agree fully, even if they are equal.
        """


@dataclass(frozen=True)
class ChainedFormula:
    """A formula in two steps: ``first`` from sums to arrays, ``second`` to the coefficient."""

    first: Callable[..., tuple[Array, ...]]
    second: Callable[[Any], Agreement]

    def __call__(
        self, sums: Any, annotator_weight: Array, disagreement: Array | None, **options: Any
    ) -> Agreement:
        """Return the coefficient."""
        return self.second(self.first(sums, annotator_weight, disagreement, **options))


def _undefined_for_sets(xp: Namespace, data: Array, agreement: Agreement) -> Agreement:
    """Return the agreement, undefined if the masses of a rating sum to more than 1."""
    if len(data.shape) != 3:
        return agreement
    # one product, because a sum over few labels is slower
    masses = data @ xp.ones(data.shape[2], dtype=data.dtype, device=device_of(data))
    several = xp.any(masses > _MOST_MASS)
    estimate, observed, expected = (xp.where(several, xp.nan, each) for each in agreement[:3])
    code = xp.where(several, SEVERAL_LABELS, agreement.code)
    return Agreement(estimate, observed, expected, code)


@dataclass(frozen=True)
class _CountedFrom:
    """The function ``common`` of a kernel, always called with the same ``middles``."""

    common: Callable[..., tuple[Array, ...]]
    middles: tuple[float, ...]

    def __call__(self, data: Array, raters: Raters) -> tuple[Array, ...]:
        return self.common(data, raters, middles=self.middles)


@dataclass(frozen=True, repr=False)
class Kernel:
    """A coefficient that is called as a function of arrays.

    It runs on any array library and under its jit, vmap and grad; differentiate ``.estimate``. Use
    `dataclasses.replace` to make a kernel with another formula or other statistics.

    Attributes
    ----------
    name : str
        The name of the coefficient in `iaa_jax`, if it has one.
    statistics : callable
        ``(data, raters, disagreement) -> statistics of each item``. An item's statistics depend on
        other items only through ``common``, if there is one, so items can be processed in parts.
    formula : callable
        ``(sums, annotator_weight, disagreement, **options) -> Agreement``.
    summary : str
        A one-line description.
    ordered_pairs : bool
        Whether an asymmetric label agreement is used unchanged; its rows are then the labels of the
        first annotator. Other kernels use the mean of the matrix and its transpose.
    options : tuple of (name, default)
        Numbers that the formula takes as keywords.
    common : callable, optional
        ``(data, raters) -> tuple of arrays``: values computed from all items (a centre, a range) on
        which the statistics of every item depend. They are passed to ``statistics`` as ``common``.
    several_middles : bool
        Whether ``common`` takes ``middles``: several centres for numbers that form groups far from
        each other. The nearest centre is subtracted from each number (`counting_from`).
    fitted : callable, optional
        ``data -> Kernel``: the kernel with as many sums as these data need, if the number of
        sums depends on the data. For traced data, the number is the default.
    directly : callable, optional
        ``(data, raters, item_weight) -> Agreement``: the coefficient computed without ``common``,
        for kernels whose ``common`` cannot be traced. Calls of such kernels use this function.
    item_share : callable, optional
        ``(statistics, sums) -> (item,)``: how far an estimate of 1 would fall if the ratings of one
        item all differed. The result is (item, label) if each label has an estimate. If None, all
        items count the same.
    by_pair, by_rating : tuple of str
        Names of statistics that are sums over an item's pairs of ratings, or over its ratings. If
        any are named, the other statistics must not depend on who gave which rating.
    weighs_annotators : bool
        Whether the statistics depend on the annotator weights. If only the formula depends on
        them, the statistics are computed once for all weights.
    quadratic : str
        The name of the statistic (item, label), if there is one, whose sum r enters the formula
        only as ``r' D r``, with D the disagreement.
    weighing : Weighing, optional
        How the statistics depend on the annotator weights, if known. Replace it together with the
        statistics.
    takes_sets : bool
        Whether the masses of a rating may sum to more than 1. If not, calls with such a rating are
        undefined.
    independent : IndependentItems, optional
        Terms of observed and of expected disagreement, each computed from a few independent items.
        The expectations of these terms are in the ratio D_o : D_e. None if the coefficient has no
        such terms.
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
    takes_sets: bool = False
    independent: IndependentItems | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "__name__", self.name)
        call = inspect.getdoc(type(self).__call__)
        summary = self.summary or self.name
        reference = f": see `iaa_jax.{self.name}`" if self.name in MODULES else ""
        object.__setattr__(self, "__doc__", f"{summary}{reference}.\n\n{call}")

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
        """Return the coefficient for a mass (item, annotator, label) or a value (item, annotator).

        Parameters
        ----------
        data : array
            NaN where an annotator has not rated an item. The masses of a rating sum to at most 1,
            except for `am_agreement` and `specific_agreement`, which also take label sets.
        item_weight : array (item,), optional
            How many items a row counts as; default 1.
        annotator_weight : array (annotator,), optional
            How much an annotator counts; 0 leaves the annotator out; default 1.
        label_agreement : array (label, label), optional
            Agreement between labels, 1 on the diagonal; by default, 0 for different labels.
        annotator_of : array (item, slot), optional
            The annotator of each rating, if the second axis of the data has slots (an item's first,
            second, ... rating) instead of annotators; -1 in empty slots.
        min_common : number, optional
            The number of common items that a pair of annotators needs; pairwise coefficients only.

        Returns
        -------
        Agreement
            ``estimate``, ``observed`` and ``expected`` agreement, and ``code``: the reason why the
            estimate is NaN, or 0.

        Examples
        --------
        Annotators agree on two of three items. For a batch of item weights, use ``jax.vmap``.

        >>> import numpy as np
        >>> from iaa_jax import kernels
        >>> mass = np.eye(2)[np.array([[0, 0], [1, 1], [0, 1]])]  # 3 items, 2 annotators, 2 labels
        >>> agreement = kernels.cohen_kappa(mass)
        >>> float(agreement.estimate.round(3)), float(agreement.expected.round(3))
        (0.4, 0.444)
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
        agreement = self.for_data(data).evaluate(data, raters, disagreement, w, options)
        return agreement if self.takes_sets else _undefined_for_sets(xp, data, agreement)

    def for_data(self, data: Array) -> Kernel:
        """Return the kernel with as many sums as these data need; for traced data, this kernel."""
        return self if self.fitted is None or not is_concrete(data) else self.fitted(data)

    def counting_from(self, middles: Sequence[float]) -> Kernel:
        """Return the kernel that subtracts from each number the nearest of sorted ``middles``."""
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
        """Return the coefficient for arguments that are already checked."""
        if self.directly is not None:
            return self.directly(data, raters, item_weight)
        sums = self.sums(data, raters, disagreement, item_weight)
        return self.formula(sums, raters.weight, disagreement, **options)

    def sums(
        self, data: Array, raters: Raters, disagreement: Array | None, item_weight: Array
    ) -> NamedSums:
        """Return the sums of the statistics over items, weighted by ``item_weight``."""
        statistics = self.statistics_among(data, raters)(data, raters, disagreement)
        return sums_over_items(statistics, item_weight)

    def disagreement(self, data: Array, label_agreement: Array | None) -> Array | None:
        """Return ``1 - label_agreement``, or None for nominal labels.

        It is made symmetric unless ``ordered_pairs``.
        """
        if label_agreement is not None and len(data.shape) == 2:
            raise ValueError(
                f"{self.name} takes no label_agreement: its data are numbers, not labels"
            )
        disagreement = label_disagreement(data, label_agreement)
        if disagreement is None or self.ordered_pairs:
            return disagreement
        return symmetrize(disagreement)

    def statistics_among(self, data: Array, raters: Raters) -> StatisticsFunction:
        """Return a function that computes the statistics of any subset of these items."""
        if self.common is None:
            return self.statistics
        return partial(self.statistics, common=self.common(data, raters))
