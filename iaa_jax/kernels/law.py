"""Check that a kernel keeps the rule that an item's statistics do not depend on other items.

The statistics of an item depend only on that item, the raters, and the result of `Kernel.common`
for all items. A kernel that breaks this rule gives other estimates when items are processed block
by block.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Integers
from iaa_jax.kernels.by_panel import FormulaByPanel, weighed_by_formula
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.raters import Raters, raters_of
from iaa_jax.kernels.sums import Fixed, Indexed, sums_over_items

_TOLERANCE = 1e-11
"""Tolerance relative to the largest value of a statistic, because rounding depends on shapes."""

_OTHER_ITEMS = (
    "depends on the other items in the data: values computed from all items belong in Kernel.common"
)
_NO_SUM = {
    2: "is not a sum over the item's pairs of ratings, as Kernel.by_pair declares",
    1: "is not a sum over the item's ratings, as Kernel.by_rating declares",
}
_OTHER_WEIGHTS = (
    "depends on the annotator weights, although the kernel declares that only its formula does "
    "(Kernel.weighs_annotators)"
)
_OTHER_PRODUCTS = (
    "depends on other products of annotator weights than the kernel declares (Kernel.weighing)"
)
_OTHER_ANNOTATORS = (
    "depends on who gave the ratings: the kernel must declare it as a sum over pairs or ratings "
    "(Kernel.by_pair, Kernel.by_rating), or declare no such sums at all"
)


def check_statistics(
    kernel: Kernel,
    data: Floats,
    *,
    annotator_weight: Floats | None = None,
    label_agreement: Floats | None = None,
    annotator_of: Integers | None = None,
    seed: int = 0,
) -> None:
    """Raise an error if a kernel's statistics depend on other items, or contradict its fields.

    The statistics of an item must not depend on which other items are given, on their order, or on
    empty slots at the end (a slot is a column for an item's first, second, ... rating). Statistics
    declared as sums over an item's pairs of ratings (``by_pair``) or over its ratings
    (``by_rating``) must be such sums; if any are declared, the other statistics must not depend on
    who gave the ratings. If the kernel declares that its statistics do not depend on annotator
    weights (``weighs_annotators=False``), weights must not change them; a declared ``weighing``
    must reproduce the statistics at any weights. Declared sums and ``weighing`` are checked only
    without ``annotator_of``.

    Parameters
    ----------
    kernel : Kernel
        Your own kernel, or one of `iaa_jax.kernels`.
    data : array
        Shares of labels (item, annotator, label), or values (item, annotator), NaN where not rated:
        about a dozen typical items that are not all equal.
    annotator_weight, label_agreement, annotator_of : array, optional
        As in a call of the kernel.
    seed : int
        Seed for the choice of items and annotator weights to compare.

    Raises
    ------
    IaaError
        If the kernel breaks a rule; most messages name the statistic and the item.

    Examples
    --------
    >>> from iaa_jax import kernels
    >>> value = np.random.default_rng(0).normal(size=(12, 3))
    >>> check_statistics(kernels.icc1, value)

    A kernel that subtracts the mean of all items:

    >>> from dataclasses import replace
    >>> def centred(value, raters, disagreement, common):
    ...     return kernels.icc1.statistics(value - value.mean(), raters, disagreement, common)
    >>> check_statistics(replace(kernels.icc1, statistics=centred), value)
    Traceback (most recent call last):
    ...
    iaa_jax._errors.IaaError: icc1: the statistic 'total' of item 9 depends on the other items ...
    """
    data = np.asarray(data, dtype=np.float64)
    raters = raters_of(np, data, annotator_weight, annotator_of)
    disagreement = kernel.disagreement(data, label_agreement)
    among_all = kernel.statistics_among(data, raters)

    def statistics_of(rows: Integers, columns: int) -> Any:
        index = None if raters.annotator_of is None else raters.annotator_of[rows, :columns]
        return among_all(data[rows, :columns], Raters(raters.weight, index), disagreement)

    everything = np.arange(len(data))
    whole = statistics_of(everything, data.shape[1])
    forms = [*map(_form, whole)]
    numbers = _PlainStatistics()
    of_all = numbers.of(whole)
    for rows in _some_rows(len(data), seed):
        columns = data.shape[1]
        if raters.annotator_of is not None:
            columns = max(int((raters.annotator_of[rows] >= 0).sum(axis=1).max()), 1)
        part = statistics_of(rows, columns)
        if (forms_of_part := [*map(_form, part)]) != forms:
            raise IaaError(
                f"{kernel.name}: statistics are {forms} for all items, but {forms_of_part} for "
                "some of them"
            )
        of_rows = numbers.of(part)
        for name, value in of_all.items():
            _compare(kernel, name, of_rows[name], value[rows], rows, _OTHER_ITEMS)
    for weight in _some_weights(len(raters.weight), seed) if not kernel.weighs_annotators else ():
        other = Raters(weight, raters.annotator_of)
        weighed = numbers.of(kernel.statistics_among(data, other)(data, other, disagreement))
        for name, value in weighed.items():
            _compare(kernel, name, value, of_all[name], everything, _OTHER_WEIGHTS)
    if raters.annotator_of is None:
        _check_parts(kernel, data, raters, disagreement)
        _check_weighing(kernel, data, disagreement, seed)


def _form(statistic: Any) -> str:
    return type(statistic).__name__ if isinstance(statistic, Fixed | Indexed) else "array"


def _some_rows(items: int, seed: int) -> Iterator[Integers]:
    order = np.random.default_rng(seed).permutation(items)
    yield from order[: min(items, 20), None]
    yield order[: items // 2 + 1]
    yield order


def _some_weights(annotators: int, seed: int) -> Floats:
    return np.random.default_rng(seed).integers(0, 3, (8, annotators)) / 2.0


def _check_parts(kernel: Kernel, data: Floats, raters: Raters, disagreement: Floats | None) -> None:
    among_all = kernel.statistics_among(data, raters)
    everything = np.arange(len(data))
    whole = _PlainStatistics().of(among_all(data, raters, disagreement))
    for size, declared in ((2, kernel.by_pair), (1, kernel.by_rating)):
        names = [name for name in declared if not isinstance(whole.get(name), _Same)]
        summed = dict.fromkeys(names, np.zeros(()))
        for columns in combinations(range(data.shape[1]), size) if names else ():
            part = np.full_like(data, np.nan)
            rated = ~np.isnan(data[:, [*columns]]).reshape(len(data), -1).any(axis=1)
            rows = np.flatnonzero(rated)[:, None]
            part[rows, [*columns]] = data[rows, [*columns]]
            of_part = _PlainStatistics().of(among_all(part, raters, disagreement))
            summed = {name: total + of_part[name] for name, total in summed.items()}
        for name, total in summed.items():
            _compare(kernel, name, total, whole[name], everything, _NO_SUM[size])
    if (kernel.by_pair or kernel.by_rating) and not np.ptp(raters.weight):
        rolled = _PlainStatistics().of(among_all(np.roll(data, 1, axis=1), raters, disagreement))
        for name in whole.keys() - {*kernel.by_pair, *kernel.by_rating}:
            _compare(kernel, name, rolled[name], whole[name], everything, _OTHER_ANNOTATORS)


def _check_weighing(kernel: Kernel, data: Floats, disagreement: Floats | None, seed: int) -> None:
    if kernel.weighing is None:
        return
    weighed = weighed_by_formula(kernel, kernel.weighing)
    assert isinstance(weighed.formula, FormulaByPanel)
    everything = np.arange(len(data))
    annotators = data.shape[1]
    by_panel = weighed.statistics(data, Raters(np.ones(annotators)), disagreement)
    items = [sums_over_items(by_panel, item) for item in np.eye(len(data))]
    for weight in _some_weights(annotators, seed):
        whole = _PlainStatistics().of(kernel.statistics(data, Raters(weight), disagreement))
        weighted = [weighed.formula.own_sums(sums, weight, disagreement) for sums in items]
        for name, value in whole.items():
            of_each = np.stack([np.asarray(getattr(sums, name)) for sums in weighted])
            _compare(kernel, name, of_each, value, everything, _OTHER_PRODUCTS)


class _PlainStatistics:
    """Statistics as plain arrays, items first; indexed statistics are ordered by their keys."""

    def __init__(self) -> None:
        self._keys: dict[Any, int] = {}

    def of(self, statistics: Any) -> dict[str, Any]:
        numbered = any(isinstance(each, Indexed) and each.keys is not None for each in statistics)
        plain: dict[str, Any] = {}
        for name, statistic in statistics._asdict().items():
            if isinstance(statistic, Indexed):
                plain[name] = self._by_key(statistic)
            elif not isinstance(statistic, Fixed):
                plain[name] = np.asarray(statistic)
            elif not numbered:  # otherwise the statistic lists the keys that items refer to
                plain[name] = _Same(statistic.value)
        return plain

    def _by_key(self, statistic: Indexed) -> Floats:
        value, index = np.asarray(statistic.value), np.asarray(statistic.index)
        if statistic.keys is None:
            key_of = np.arange(statistic.size)
        else:
            keys = map(tuple, np.asarray(statistic.keys).reshape(statistic.size, -1).tolist())
            key_of = np.array([self._keys.setdefault(key, len(self._keys)) for key in keys])
        size = max(int(key_of.max(initial=0)) + 1, len(self._keys), 1)
        sums = np.zeros((len(value), size, *value.shape[2:]))
        items = np.broadcast_to(np.arange(len(value))[:, None], index.shape)
        np.add.at(sums, (items, key_of[index]), value)
        return sums


class _Same:
    """An array without an item axis, which is the same for all items."""

    def __init__(self, value: Floats) -> None:
        self.value = np.asarray(value)

    def __getitem__(self, rows: Integers) -> _Same:
        return self


def _compare(kernel: Kernel, name: str, part: Any, whole: Any, rows: Integers, broken: str) -> None:
    if isinstance(whole, _Same):
        if np.array_equal(part.value, whole.value):
            return
        raise IaaError(f"{kernel.name}: the fixed numbers {name!r} depend on which items are given")
    part, whole = _filled(np.asarray(part), whole), _filled(np.asarray(whole), part)
    scale = max(float(np.abs(whole).max(initial=0.0)), 1e-300)
    off = np.abs(part - whole) > _TOLERANCE * scale
    off |= np.isnan(part) != np.isnan(whole)
    if not off.any():
        return
    item = int(rows[np.argwhere(off)[0][0]])
    raise IaaError(f"{kernel.name}: the statistic {name!r} of item {item} {broken}")


def _filled(array: Floats, like: Floats) -> Floats:
    if array.ndim < 2 or array.shape[1] >= like.shape[1]:
        return array
    widths = [(0, 0)] * array.ndim
    widths[1] = (0, like.shape[1] - array.shape[1])
    return np.pad(array, widths)
