"""Multinomial counts on a device: Poisson numbers for all patterns, and single items.

`iaa_jax.engine.drawing.poisson_base` explains why this is exact. A pattern is a set of items with
the same ratings, and a group consists of the patterns that refine one coarse pattern. Each group
gets Poisson numbers, and its remaining items are drawn singly. If the numbers exceed the group's
total, they are dropped, and all its items are drawn singly.

A Poisson number is found by a binary search for one uniform number in a table of the distribution
function. For a pattern with a count above 127, it is a sum of Poisson numbers: one for the lowest
seven binary digits of the count, and one for each higher digit that is 1. Fractional weights have
tables if they are at most 127 and few of them are distinct; otherwise all items are drawn singly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from iaa_jax.engine.padding import bucket
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.kernels.namespace import Array

DIRECT = 127
"""The largest count that uses a single table."""

_DISTINCT = 256
"""The maximum number of distinct fractional weights for which tables are made."""

LARGE = 4096
"""From this many expected items on, a group's Poisson numbers hardly ever exceed its total."""

_FAR = 6.5
"""Standard deviations between a group's expected total and the mean sum of its Poisson numbers.

It applies to groups of ``LARGE`` items or more. The sum exceeds the total with probability 4e-11.
"""

_TOGETHER = 4096
"""The maximum number of single items of a row that are drawn per step."""

_LISTED = 1 << 24
"""The maximum number of items for which the pattern of each item is stored (64 MB)."""

_CELLS = 1 << 14
"""The minimum number of cells in all tables together, enough for all counts up to 127."""

_LEVELS = 4.0
"""Levels (`_level_of`) per halving of the share of items that are left to be drawn singly."""

_LEAST = 2.0**-54
"""A probability that no uniform number distinguishes from 0."""


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class PoissonTables:
    """Distribution functions in one array, and the function that each Poisson number uses.

    Attributes
    ----------
    bounds : array (cell,)
        A Poisson number is the least value of its table plus the number of the table's bounds that
        do not exceed the uniform number. The last bound of a table exceeds every uniform number.
    offset, last, least : arrays (number,)
        The start of each number's table, its number of bounds after the first, and its least value.
    steps : int
        Steps of the binary search.
    """

    bounds: Array
    offset: Array
    last: Array
    least: Array
    steps: int = field(metadata={"static": True})

    def numbers(self, uniform: jax.Array) -> jax.Array:
        """Return a Poisson number for each uniform number."""
        passed = _passed(self.bounds, self.offset, self.last, uniform, self.steps)
        return jnp.asarray(self.least) + passed


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class DeviceMultinomial:
    """A plan to divide totals of groups among their patterns; sizes are padded (`bucket`).

    A place is the position of a pattern in the order by group; patterns that no item shows are last
    in their group.

    Attributes
    ----------
    base : PoissonTables
        The tables for the Poisson number of each place.
    further, further_place : PoissonTables, array (number,)
        The tables for further Poisson numbers of large counts, and the places of these numbers;
        padding has the place after the last.
    first : array (group + 1,)
        The first place of each group, and the end.
    last : array (group,)
        In each group, the position of the last pattern that items show.
    group : array (place,)
        The group of each place.
    before : array (place + 1,)
        The total weight of all places before each.
    of_item : array (item,)
        The place of each item, if all weights are whole and there are not too many items; otherwise
        empty.
    place_of : array (pattern,)
        The place of each pattern.
    at_once : int
        The number of single items of a row that are drawn per step.
    """

    base: PoissonTables
    further: PoissonTables
    further_place: Array
    first: Array
    last: Array
    group: Array
    before: Array
    of_item: Array
    place_of: Array
    at_once: int = field(metadata={"static": True})

    @classmethod
    def of(cls, count: Floats, group: Integers, groups: int, draws: float) -> DeviceMultinomial:
        """Return the plan, given the counts and groups of patterns and the number of draws."""
        order = np.lexsort((-count, group))
        weight = count[order]
        size = np.bincount(group, minlength=groups)
        first = np.append(0, np.cumsum(size))
        total = np.bincount(group, weights=count, minlength=groups)
        scale = draws / count.sum()
        expected = weight * scale
        before = np.append(0.0, np.cumsum(weight))
        whole = scale == 1.0 and bool(np.all(weight == np.rint(weight)))
        few = expected.max() <= DIRECT and len(np.unique(expected)) <= _DISTINCT
        level = np.zeros(groups, dtype=np.int64)
        if whole or few:  # otherwise there would be too many tables
            level = _level_of(total * scale)
        in_order = group[order]
        base, further, of_place = _tables_of(expected, level[in_order], draws)
        places, end = len(weight), bucket(len(weight))
        rooms = groups if groups == 1 else bucket(groups)
        last = np.maximum(np.bincount(group[count > 0], minlength=groups) - 1, 0)
        listed = bucket(int(draws)) if whole and draws <= _LISTED else 0
        of_item = np.repeat(np.arange(places), weight.astype(np.intp)) if listed else order[:0]
        return cls(
            base,
            further,
            of_place,
            _filled(first, rooms + 1, places),
            _filled(last, rooms, 0),
            _filled(in_order, end, rooms),
            _filled(before, end + 1, float(before[-1])),
            _filled(of_item, listed, 0),
            _filled(np.argsort(order, kind="stable"), end, end - 1),
            bucket(int(min(draws, _TOGETHER))),
        )

    @property
    def numbers(self) -> int:
        """The number of values per row that are kept in memory while drawing."""
        return 2 * len(self.group) + len(self.further_place) + 4 * self.at_once

    def rows(self, keys: jax.Array, totals: jax.Array) -> jax.Array:
        """Return counts (row, pattern) that add up to the (possibly padded) totals (row, group)."""
        totals = totals[:, : len(self.last)].astype(self.base.least.dtype)
        counts, left = jax.vmap(self._base)(keys, totals)
        ends = jnp.cumsum(left, axis=1)
        row = jnp.arange(len(keys))[:, None]

        def draw(state: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, jax.Array]:
            begin, counts = state
            own = jax.vmap(jax.random.fold_in, (0, None))(keys, begin + 1)
            place = jax.vmap(partial(self._singles, begin))(own, ends)
            return begin + self.at_once, counts.at[row, place].add(1, mode="drop")

        most = jnp.max(ends[:, -1])
        _, counts = jax.lax.while_loop(
            lambda state: state[0] < most, draw, (jnp.zeros_like(most), counts)
        )
        return jnp.take(counts, self.place_of, axis=1)

    def _base(self, key: jax.Array, totals: jax.Array) -> tuple[jax.Array, jax.Array]:
        """Return Poisson numbers (place,) of one row, and the remaining totals (group,)."""
        of_base, of_further = (jax.random.fold_in(jax.random.fold_in(key, 0), k) for k in range(2))
        counts = self.base.numbers(_uniform(of_base, len(self.group)))
        if len(self.further_place):
            more = self.further.numbers(_uniform(of_further, len(self.further_place)))
            counts = counts.at[self.further_place].add(more, mode="drop")
        if len(self.last) == 1:
            taken = jnp.sum(counts, keepdims=True)
        else:
            up_to = jnp.append(0, jnp.cumsum(counts))
            taken = up_to[self.first[1:]] - up_to[self.first[:-1]]
        fits = taken <= totals
        kept = jnp.take(fits, self.group, mode="fill", fill_value=False)
        return jnp.where(kept, counts, 0), totals - jnp.where(fits, taken, 0)

    def _singles(self, begin: jax.Array, key: jax.Array, ends: jax.Array) -> jax.Array:
        single = begin + jnp.arange(self.at_once, dtype=ends.dtype)
        none = jnp.zeros_like(single)
        group = _passed(ends, none, none + len(ends) - 1, single, (len(ends) - 1).bit_length())
        first, last = self.first[group], self.last[group]
        low, high = self.before[first], self.before[self.first[group + 1]]
        point = low + _uniform(key, self.at_once) * (high - low)
        if len(self.of_item):  # rounding can move the point to the start of the next group
            place = jnp.minimum(self.of_item[point.astype(jnp.int32)], first + last)
        else:
            steps = len(self.group).bit_length()
            place = first + _passed(self.before[1:], first, last, point, steps)
        return jnp.where(single < ends[-1], place, len(self.group))


def _passed(
    bounds: jax.Array, offset: jax.Array, last: jax.Array, point: jax.Array, steps: int
) -> jax.Array:
    """Count the ascending bounds, from each offset on, that are at most the point.

    The result is ``last`` if all bounds count.
    """
    passed = jnp.zeros(point.shape, dtype=jnp.int32)
    for step in reversed(range(steps)):
        probe = passed + (1 << step) - 1
        passed = jnp.where(point >= bounds[offset + jnp.minimum(probe, last)], probe + 1, passed)
    return jnp.minimum(passed, last)


def _uniform(key: jax.Array, size: int) -> jax.Array:
    return jax.random.uniform(key, (size,), jnp.float64)


def _level_of(total: NDArray[np.number]) -> NDArray[np.int64]:
    """Return the level of each group's Poisson numbers, which sets their share (`_share_of`).

    In groups of fewer than ``LARGE`` items, the level is chosen as in
    `iaa_jax.engine.drawing.poisson_base`. Level 0 means no Poisson numbers.
    """
    far = np.where(total < LARGE, np.sqrt(np.log(np.maximum(total / (4 * np.pi), 1.0))), _FAR)
    short = np.where(far > 0, far * np.sqrt(2 / np.maximum(total, 1.0)), 1.0)
    return np.asarray(np.floor(-_LEVELS * np.log2(np.minimum(short, 1.0))), dtype=np.int64)


def _share_of(level: Integers) -> Floats:
    return np.asarray(1 - 2.0 ** (-level / _LEVELS))


def _tables_of(
    expected: Floats, level: Integers, draws: float
) -> tuple[PoissonTables, PoissonTables, Array]:
    """Return tables for all places, further tables, and the places that use the further tables.

    Large counts use further tables.
    """
    places, end = len(expected), bucket(len(expected))
    based = np.where(level > 0, expected, 0.0)
    large = np.where(based > DIRECT, based, 0.0).astype(np.int64)  # whole numbers
    parts = [(np.arange(places), np.where(large > 0, large % (DIRECT + 1), based))]
    rest, digit = large // (DIRECT + 1), DIRECT + 1
    while rest.any():
        at = np.flatnonzero(rest & 1)
        parts.append((at, np.full(len(at), float(digit))))
        rest, digit = rest >> 1, 2 * digit
    place = np.concatenate([at for at, _ in parts])
    units, unit = np.unique(np.concatenate([each for _, each in parts]), return_inverse=True)
    pairs, number = np.unique(unit * 1024 + level[place], return_inverse=True)
    units, levels = units[pairs // 1024], pairs % 1024
    made = [_bounds(float(mean)) for mean in _share_of(levels) * units]
    size = np.array([len(bounds) for bounds, _ in made])
    cells = np.concatenate([bounds for bounds, _ in made])
    bounds = _filled(cells, bucket(max(len(cells), _CELLS)), 2.0)
    of_number = (np.append(0, np.cumsum(size)[:-1]), size - 1, np.array([low for _, low in made]))

    def tables(numbers: slice, filled: int, mean: float) -> PoissonTables:
        offset, last, least = (each[number[numbers]] for each in of_number)
        nothing = len(bounds) - 1  # exceeds every uniform number
        arrays = _filled(offset, filled, nothing), _filled(last, filled, 0)
        steps = (len(_bounds(mean)[0]) - 1).bit_length()
        return PoissonTables(bounds, *arrays, _filled(least, filled, 0, short=small), steps)

    several, small = bucket(int(draws)) >= bucket(DIRECT + 1), bucket(int(draws)) < 1 << 31
    more = bucket(len(place) - places) if several else 0
    return (
        tables(slice(places), end, float(DIRECT)),
        tables(slice(places, None), more, float(bucket(int(draws)))),
        _filled(place[places:], more, end),
    )


@lru_cache(maxsize=1024)
def _bounds(mean: float) -> tuple[Floats, int]:
    """Return the Poisson distribution function from the least value ever drawn, and this value."""
    from scipy.special import pdtr

    reach = 9 * np.sqrt(mean) + 40
    value = np.arange(max(0, int(mean - reach)), int(mean + reach) + 1)
    below = pdtr(value, mean)
    least = int(np.argmax(below > _LEAST))
    last = int(np.argmax(below >= 1 - _LEAST))
    bounds = below[least : last + 1].copy()
    bounds[-1] = 2.0
    return bounds, int(value[least])


def _filled(
    array: NDArray[np.number], size: int, fill: float, *, short: bool = True
) -> NDArray[np.number]:
    kept = array if array.dtype.kind == "f" or not short else array.astype(np.int32)
    return np.pad(kept, (0, size - len(kept)), constant_values=fill)
