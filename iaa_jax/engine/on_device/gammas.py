"""Dirichlet weights on a device: Gamma numbers, divided by the sum of their group.

`iaa_jax.engine.drawing.dirichlet` explains why this method is exact. Gamma numbers are drawn by the
method of Marsaglia and Tsang (2000). For a shape c of 1 or more, the number is d v of the first try
(x normal, u uniform) with v > 0 and ``log u < x^2 / 2 + d - d v + d log v``, where d = c - 1/3 and
v = (1 + x / (9 d)^(1/2))^3. For a shape c below 1, it is a number of shape c + 1 times u^(1/c). All
pending numbers are tried together until none is left; fewer than 1 in 20 tries fail on average.

Marsaglia, G. and Tsang, W. W. (2000). A simple method for generating gamma variables. ACM
Transactions on Mathematical Software 26(3). https://doi.org/10.1145/358407.358414
"""

from __future__ import annotations

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np

from iaa_jax.engine.padding import bucket, pad
from iaa_jax.engine.problem import Floats, Integers
from iaa_jax.kernels.namespace import Array


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class DeviceDirichlet:
    """A plan to divide totals of groups among their patterns; sizes are padded (`bucket`).

    A group consists of the patterns (sets of items with the same ratings) that refine one coarse
    pattern.

    Attributes
    ----------
    shape : array (pattern,)
        The counts plus the prior counts.
    group : array (pattern,)
        The group of each pattern.
    groups : int
        The number of groups, padded if there are several.
    """

    shape: Array
    group: Array
    groups: int = field(metadata={"static": True})

    @classmethod
    def of(cls, count: Floats, group: Integers, groups: int) -> DeviceDirichlet:
        """Return the plan from counts, prior counts included, and the group of each pattern."""
        rooms = groups if groups == 1 else bucket(groups)
        missing = bucket(len(count)) - len(count)
        filled = np.pad(group, (0, missing), constant_values=rooms - 1).astype(np.int32)
        return cls(pad(count, 0.0), filled, rooms)

    @property
    def numbers(self) -> int:
        """The number of values per row that are kept in memory while drawing."""
        return 6 * len(self.shape)

    def rows(self, keys: jax.Array, totals: jax.Array) -> jax.Array:
        """Return weights (row, pattern) that add up to totals (row, group), which may be padded."""
        # with small shapes all numbers may underflow to 0, but the total must still be divided
        drawn = jnp.maximum(_gamma(keys, self.shape), 1e-300 * self.shape)
        totals = totals[:, : self.groups]
        if self.groups == 1:
            return drawn * (totals / jnp.sum(drawn, axis=1, keepdims=True))
        sums = jnp.zeros((len(drawn), self.groups)).at[:, self.group].add(drawn)
        share = jnp.where(sums > 0, totals / jnp.where(sums > 0, sums, 1.0), 0.0)
        return drawn * jnp.take(share, self.group, axis=1)


def _gamma(keys: jax.Array, shape: jax.Array) -> jax.Array:
    """Draw Gamma numbers (row, pattern) of these shapes; 0 for a shape of 0."""
    small = shape < 1
    d = jnp.where(small, shape + 1, shape) - 1 / 3
    c = 1 / jnp.sqrt(9 * d)

    def each(attempt: jax.Array | int) -> jax.Array:
        return jax.vmap(jax.random.fold_in, (0, None))(keys, attempt)

    def uniform(own: jax.Array) -> jax.Array:
        return jax.vmap(lambda key: jax.random.uniform(key, shape.shape, jnp.float64))(own)

    def draw(
        state: tuple[jax.Array, jax.Array, jax.Array],
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        attempt, numbers, done = state
        first, second = (each(2 * attempt + which) for which in range(2))
        x = jax.vmap(lambda key: jax.random.normal(key, shape.shape, jnp.float64))(first)
        v = (1 + c * x) ** 3
        bound = x * x / 2 + d - d * v + d * jnp.log(jnp.where(v > 0, v, 1.0))
        taken = (v > 0) & (jnp.log(uniform(second)) < bound)
        return attempt + 1, jnp.where(taken & ~done, d * v, numbers), done | taken

    rows = (len(keys), len(shape))
    begin = jnp.int32(1), jnp.zeros(rows), jnp.broadcast_to(shape == 0, rows)
    _, numbers, _ = jax.lax.while_loop(lambda state: ~jnp.all(state[2]), draw, begin)
    power = 1 / jnp.where(small & (shape > 0), shape, 1.0)
    return jnp.where(small, numbers * uniform(each(0)) ** power, numbers)
