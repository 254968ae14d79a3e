"""Declare how statistics depend on annotator weights, to compute their sums once for all weights.

Given who rated an item, the annotator weights v enter a statistic in two ways: through a factor f
of the item, and through the product of the weights of each pair of ratings x_a, x_b::

    s(item; v) = f(v; who rated) sum_ab v_a v_b g(x_a, x_b)

A sum over single ratings has v_a or v_a^2 in place of this product.
"""

from __future__ import annotations

from typing import NamedTuple


class Weighing(NamedTuple):
    """The names of the statistics, by kind of dependence on the annotator weights.

    Unnamed statistics depend on the weights and on who rated an item, not on labels.
    """

    products: tuple[str, ...] = ()
    """Sums over pairs of ratings, weighted by v_a v_b, times a factor of the item."""
    weights: tuple[str, ...] = ()
    """Sums over ratings, weighted by v_a, times a factor of the item."""
    squares: tuple[str, ...] = ()
    """Sums over ratings, weighted by v_a^2, times a factor of the item."""
    unweighed: tuple[str, ...] = ()
    """Statistics that do not depend on the weights."""

    def kind(self, name: str) -> str | None:
        """Return the field that names a statistic, or None."""
        return next((kind for kind in self._fields if name in getattr(self, kind)), None)
