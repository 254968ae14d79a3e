"""Estimates for a block of weights, by formulas in NumPy, compiled formulas or compiled kernels.

A block has many rows; a row is, for instance, one replicate's weights of all patterns. A pattern is
a set of items with the same ratings. Formulas take sums over items; kernels take the ratings. If
many patterns share few ratings or pairs of ratings, their statistics are sums over these parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from iaa_jax import _thresholds as thresholds
from iaa_jax.engine.batch_sizes import batch_size_of, from_ratings, rows_of_kernel
from iaa_jax.engine.computing import Computing
from iaa_jax.engine.devices import PerDevice
from iaa_jax.engine.drawing import with_and_without
from iaa_jax.engine.groups_alike import ALIKE, TOGETHER, GroupsAlike, groups_alike
from iaa_jax.engine.inputs import Entries, inputs_of_ratings
from iaa_jax.engine.on_numpy import estimate_rows
from iaa_jax.engine.ordered_values import OrderedValues
from iaa_jax.engine.padding import pad, pad_items
from iaa_jax.engine.precision import DType
from iaa_jax.engine.prepared import setting_key
from iaa_jax.engine.problem import Floats, Key, Problem
from iaa_jax.engine.quadratic import slopes_of_sums
from iaa_jax.engine.table_sums import Padded, RowSums, Shown, Slopes
from iaa_jax.kernels.namespace import Array

if TYPE_CHECKING:
    import jax


class Block(NamedTuple):
    """Weights (row, pattern) of each table of patterns, and annotator weights if they vary by row.

    Annotator weights (row, annotator) are given for each problem (a coefficient on one table).
    ``shown`` is, for each table, the index of the first pattern with only prior counts. If it is
    given, the estimates of all rows are followed by estimates without the prior, and annotator
    weights have rows for both kinds of estimates.
    """

    items: tuple[Array, ...]
    annotators: tuple[Array, ...] | None = None
    shown: Shown = None

    def rows(self) -> tuple[Array, ...]:
        """Return the weights (row, pattern) of all rows that need estimates, by table."""
        if self.shown is None:
            return self.items
        both = with_and_without
        if not isinstance(self.items[0], np.ndarray):
            from iaa_jax.engine.compiled_sums import rows_of_both as both
        return tuple(map(both, self.items, self.shown))


class Evaluator(Protocol):
    """Computes estimates for blocks of weights; all other inputs are prepared once."""

    compiles: bool
    """Whether it uses compiled code."""

    @property
    def devices(self) -> int:
        """The number of devices."""

    def __call__(self, block: Block) -> Sequence[jax.Array | Floats]:
        """Return the estimates (row, ...) of each problem."""

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Return each problem's estimates and derivatives."""


class NumpyFormulas:
    """Evaluates formulas of few sums, for all rows in one batch."""

    compiles = False
    devices = 1

    def __init__(self, sums: RowSums) -> None:
        self._sums = sums

    def __call__(self, block: Block) -> list[Floats]:
        """Return the estimates (row, ...) of each problem."""
        estimates: dict[int, Floats] = {}
        several = [*self._sums.by_problem(block.items, block.shown)]
        alone = [[number] for number in range(len(several))]
        for places in self._sums.alike if block.annotators is None else alone:
            _, layout, sums = several[places[0]]
            annotators = None if block.annotators is None else block.annotators[places[0]]
            problems = [several[place][0] for place in places]
            rows = estimate_rows(problems, layout.layout, sums, annotators)
            estimates |= dict(zip(places, rows, strict=True))
        return [estimates[number] for number in range(len(several))]

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Return each problem's estimates and derivatives."""
        cells = max(self._sums.widest, self._sums.directions**2, 1)
        size = max(1, thresholds.ROWS_TOGETHER // cells)
        parts = [
            [
                slopes_of_sums(problem, layout.layout, sums)
                for problem, layout, sums in self._sums.by_problem(
                    tuple(rows[start : start + size] for rows in items)
                )
            ]
            for start in range(0, len(items[0]), size)
        ]
        several = (zip(*of_problem, strict=True) for of_problem in zip(*parts, strict=True))
        return self._sums.slopes(tuple(map(np.concatenate, each)) for each in several)


class _DeviceArrays(NamedTuple):
    matrices: tuple[Any, ...]
    """Statistics (pattern or part, column) of each table, or parts from which the device sums them.
    """
    entries: tuple[Entries, ...]
    """Entries of the indexed sums of each table, if the device computes them."""


def _laid_out(held: _DeviceArrays) -> _DeviceArrays:
    from iaa_jax.engine.compiled_sums import laid_out

    return held._replace(matrices=laid_out(held.matrices))


class CompiledFormulas:
    """Evaluates compiled formulas; if ``by_device``, weights are on the device and padded."""

    compiles = True

    def __init__(self, sums: RowSums, computing: Computing, *, by_device: bool) -> None:
        self._sums, dtype, self._by_device = sums, sums.dtype, by_device
        self._rows: dict[tuple[tuple[int | None, int | None], ...], Padded] = {}
        with computing.scope(dtype):
            devices = computing.devices
            if not by_device:
                rows = tuple(pad(each.rows, 0.0).astype(dtype, copy=False) for each in sums.tables)
                self._held = PerDevice(_DeviceArrays(rows, ()), devices)
            else:
                parts = tuple(each.laid_out(dtype) for each in sums.tables)
                entries = tuple(each.entries(dtype) for each in sums.tables)
                self._held = PerDevice(_DeviceArrays(parts, entries), devices, _laid_out)

    @property
    def devices(self) -> int:
        """The number of devices."""
        return len(self._held)

    def __call__(self, block: Block) -> Sequence[jax.Array]:
        """Return the estimates (row, ...) of each problem."""
        from iaa_jax.engine import compiled

        settings, layouts = self._sums.settings, self._sums.layouts
        estimates: Sequence[jax.Array]
        if block.shown is not None and block.annotators is None and not self._by_device:
            of_items = [slice(shown) for shown in block.shown]
            of_prior = [slice(shown, None) for shown in block.shown]
            halves = (self._half(block.items, some) for some in (of_items, of_prior))
            scales = self._sums.scales(block.items, block.shown)
            estimates = compiled.factored_rows_of_both(*halves, scales, settings, layouts)
        else:
            annotators = None
            if block.annotators is not None:
                several = zip(layouts, block.annotators, strict=True)
                of_setting = {layout.setting: rows for layout, rows in several}
                annotators = tuple(of_setting[setting] for setting in range(len(settings)))
            sums = self._summed(block.rows())
            estimates = compiled.factored_rows(*sums, settings, layouts, annotators)
        return estimates

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Return each problem's estimates and derivatives."""
        from iaa_jax.engine import compiled

        settings = self._sums.settings
        slopes = compiled.factored_slopes(*self._summed(items), settings, self._sums.layouts)
        return self._sums.slopes(slopes)

    def _half(
        self, items: tuple[Floats, ...], some: Sequence[slice]
    ) -> tuple[Padded, Padded, Padded]:
        weights = tuple(rows[:, part] for rows, part in zip(items, some, strict=True))
        key = tuple((part.start, part.stop) for part in some)
        if key not in self._rows:
            self._rows[key] = self._sums.padded_rows(some)
        indexed = self._sums.indexed(weights, some)
        return self._sums.padded(weights, some), self._rows[key], indexed

    def _summed(
        self, items: tuple[Array, ...]
    ) -> tuple[tuple[Array, ...], tuple[Array, ...], tuple[Array, ...]]:
        held, sums = self._held.beside(items[0]), self._sums
        padded = sums.padded(items)
        if not held.entries:
            return padded, held.matrices, sums.indexed(items)
        from iaa_jax.engine.compiled_sums import indexed_sums

        indexed = (
            indexed_sums(rows, entries, table.indexed_columns)
            for rows, entries, table in zip(padded, held.entries, sums.tables, strict=True)
        )
        return padded, held.matrices, tuple(indexed)


class NumpyValues:
    """Nominal and ordinal alpha of numbers, computed row by row."""

    compiles = False
    devices = 1

    def __init__(self, problems: Sequence[Problem], places: Sequence[int]) -> None:
        self._ordered = [*map(OrderedValues, problems)]
        self._places = places

    def __call__(self, block: Block) -> list[Floats]:
        """Return the estimates (row,) of each problem."""
        several = zip(self._ordered, self._places, strict=True)
        items = block.rows()
        return [ordered.estimates(items[place]) for ordered, place in several]

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Raise an error: compiled code computes these derivatives."""
        raise NotImplementedError


class CompiledKernels:
    """Coefficients that are computed from the ratings for each row.

    These are plain functions and, if each row has annotator weights, coefficients whose statistics
    depend on the weights.
    """

    compiles = True

    def __init__(
        self,
        problems: Sequence[Problem],
        places: Sequence[int],
        dtype: DType,
        computing: Computing,
        *,
        by_device: bool,
        weighed: bool,
    ) -> None:
        self._problems, self._places, self._dtype = problems, places, dtype
        together: dict[Key, list[int]] = {}
        for number, problem in enumerate(problems):
            key = setting_key(problem) if problem.factored else (number,)
            together.setdefault(key, []).append(number)
        self._together = [*together.values()]
        firsts = [problems[numbers[0]] for numbers in self._together]
        with computing.scope(dtype):
            self._settings = [inputs_of_ratings(problem, dtype) for problem in firsts]
            data = tuple(pad_items(problem.data).astype(dtype) for problem in firsts)
            self._data = PerDevice(data, computing.devices)
            self._batch_sizes = [
                batch_size_of(problem, dtype, on_device=by_device)
                if weighed
                else rows_of_kernel(each.size, on_device=by_device)
                for problem, each in zip(firsts, data, strict=True)
            ]

    @property
    def devices(self) -> int:
        """The number of devices."""
        return len(self._data)

    def __call__(self, block: Block) -> list[jax.Array]:
        """Return the estimates (row, ...) of each problem."""
        from iaa_jax.engine import compiled

        estimates: dict[int, jax.Array] = {}
        items = block.rows()
        held = self._data.beside(items[0])
        alike: dict[tuple[int, bytes], GroupsAlike | None] = {}
        for place, (numbers, data) in enumerate(zip(self._together, held, strict=True)):
            problem, rows = self._problems[numbers[0]], self._rows(numbers[0], items)
            drawn = None if block.annotators is None else block.annotators[numbers[0]]
            groups = None
            if drawn is not None and from_ratings(problem):
                key = problem.annotator_count, problem.weight.tobytes()
                if key not in alike:
                    alike[key] = groups_alike(drawn)
                groups = alike[key]
            if groups is None:
                kernels = tuple(self._problems[number].measure.kernel for number in numbers)
                given = rows, drawn, data, self._settings[place]
                several = compiled.kernel_rows(*given, kernels, self._batch_sizes[place])
            else:
                several = self._alike(place, rows, groups, data)
            estimates.update(zip(numbers, several, strict=True))
        return [estimates[number] for number in range(len(self._problems))]

    def _alike(
        self, place: int, rows: Array, groups: GroupsAlike, data: Array
    ) -> Iterator[jax.Array]:
        """Yield each kernel's estimates, from groups of rows with equal annotator weights."""
        import jax.numpy as jnp

        from iaa_jax.engine import compiled

        kernels = tuple(self._problems[number].kernel for number in self._together[place])
        batch_size = min(TOGETHER, max(1, self._batch_sizes[place] // ALIKE))
        parts = [
            compiled.kernel_rows_alike(
                rows[groups.rows[start : start + TOGETHER]],
                groups.annotators[start : start + TOGETHER],
                data,
                self._settings[place],
                kernels,
                batch_size,
            )
            for start in range(0, len(groups.rows), TOGETHER)
        ]
        for of_kernel in zip(*parts, strict=True):
            each = jnp.concatenate(of_kernel)
            yield jnp.take(each.reshape(-1, *each.shape[2:]), groups.place, axis=0)

    def slopes(self, items: tuple[Floats, ...]) -> list[Slopes]:
        """Return each problem's estimates and derivatives."""
        from iaa_jax.engine import compiled

        slopes = []
        held = self._data.beside(items[0])
        for (number,), data, setting in zip(self._together, held, self._settings, strict=True):
            estimate, slope = compiled.kernel_slopes(
                self._rows(number, items),
                data,
                setting,
                self._problems[number].measure.kernel,
                rows_of_kernel(4 * data.size),
            )
            by_pattern = np.asarray(slope)[..., : items[self._places[number]].shape[1]]
            slopes.append(Slopes(np.asarray(estimate), by_pattern))
        return slopes

    def _rows(self, number: int, items: tuple[Array, ...]) -> Array:
        rows = pad(items[self._places[number]], 0.0, axis=1)
        return rows.astype(self._dtype, copy=False)
