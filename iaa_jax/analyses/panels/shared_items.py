"""The number of items that the members of each panel share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.panels.subsets import rows_of_size
from iaa_jax.measure.ratings.rated import Rated

_FEW = 0.5
"""A panel shares few items if it shares fewer than this fraction of the number that another panel
of the same size shares."""


def items_of_panels(tables: Rated, panels: NDArray[np.bool_]) -> Floats:
    """Return, for each panel, the number of items that two or more of its members rated.

    The items that no member of a panel S rated were rated only by its complement. The items that
    only member a of S rated were rated only by the complement and a, but not by the complement
    alone.
    """
    annotators = panels.shape[1]
    power = 1 << np.arange(annotators)
    who = (tables.grid_codes.codes >= 0) @ power
    of_some = np.bincount(who, tables.identified.count, 1 << annotators)
    inside = of_some.reshape((2,) * annotators)
    for axis in range(annotators):  # sums over subsets of raters
        inside = np.cumsum(inside, axis=axis)
    rated_by = inside.reshape(-1)
    outside = ~panels @ power
    nobody = rated_by[outside]
    one = (rated_by[outside[:, None] | power] - nobody[:, None]).sum(axis=1)
    return np.asarray(of_some.sum() - nobody - one)


def items_rated(tables: Rated) -> Floats:
    """Return the number of items that each annotator rated."""
    rated: Floats = tables.identified.count @ (tables.grid_codes.codes >= 0)
    return rated


def share_few(items: Floats, panels: NDArray[np.bool_], rated: Floats) -> NDArray[np.bool_]:
    """Tell which panels share few items: fewer than half as many as some panel of their size.

    A panel also counts as sharing few if one member ``rated`` fewer than half as many items as its
    members did on average, because the panel is then hardly more than the panel of its other
    members. This second rule is not applied to a size if all panels of the size would then share
    few.
    """
    few = np.zeros(len(items), dtype=bool)
    average = panels @ rated / panels.sum(axis=1)
    least = np.where(panels, rated, np.inf).min(axis=1)
    for rows in rows_of_size(panels.shape[1]):
        few[rows] = items[rows] < _FEW * items[rows].max()
        by_both_rules = few[rows] | (least[rows] < _FEW * average[rows])
        if not by_both_rules.all():
            few[rows] = by_both_rules
    return few
