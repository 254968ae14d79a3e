"""Annotator weights kept apart from ratings: what statistics have of them.

Where it is given who rated an item, what a statistic has of the annotator weights v is a factor of
the whole item, and a product for each pair of ratings (or v_a, or v_a^2, for each rating)::

    s(item; v) = f(v; who rated) sum_ab v_a v_b g(x_a, x_b)

So sums over items can be made once for all weights: see `iaa_jax.kernels.by_panel`.
"""

from __future__ import annotations

from typing import NamedTuple


class Weighing(NamedTuple):
    """What statistics have of the annotator weights, by name of the statistic.

    Those that are not named depend on who rated an item and on the weights, not on labels.
    """

    products: tuple[str, ...] = ()
    """Sums over pairs of ratings, each with v_a v_b, times a factor of the item."""
    weights: tuple[str, ...] = ()
    """Sums over ratings, each with v_a, times a factor of the item."""
    squares: tuple[str, ...] = ()
    """Sums over ratings, each with v_a^2, times a factor of the item."""
    unweighed: tuple[str, ...] = ()
    """Free of the weights."""

    def kind(self, name: str) -> str | None:
        """The field that names a statistic; None where none does."""
        return next((kind for kind in self._fields if name in getattr(self, kind)), None)
