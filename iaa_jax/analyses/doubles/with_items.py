"""A coefficient over p, and beside it items, patterns and label pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from iaa_jax.analyses.doubles.item_classes import item_classes, item_curves
from iaa_jax.analyses.doubles.label_pairs import labels as label_pairs
from iaa_jax.analyses.doubles.patterns import patterns
from iaa_jax.analyses.doubles.study import sweep
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.rated import Rated
from iaa_jax.measure.resolver import CoefficientLike
from iaa_jax.measure.studies import begin

if TYPE_CHECKING:
    import xarray as xr


@public
def sweep_with_items(
    ratings: Rated,
    coefficient: CoefficientLike | None = None,
    *,
    p: object = 51,
    label_options: LabelOptions = select(LabelOptions, without=("p",)),
    normalize: str = "none",
    pool: str = "pairs",
    undefined_pairs: str = "omit",
    tau: float = 0.05,
    high: float = 0.6,
    top: int = 10,
    options: IntervalOptions = select(IntervalOptions, without=("undefined",)),
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, xr.Dataset]:
    """What ``iaa sweep`` prints: the curve over p, items, patterns and label pairs.

    Parameters
    ----------
    ratings, coefficient, p, normalize, pool, undefined_pairs, tau, high
        As `iaa_jax.sweep` takes them.
    label_options : LabelOptions
    top : int
        How many pairs of labels, those that are used together most.
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    dict of str to xarray.Dataset
        "curve", the result of `iaa_jax.sweep`; "classes" of items, "items" at p = 0.5, at p = 1
        and where the curve is highest, "patterns" and "label_pairs", as `iaa_jax.doubles` has them.
        `iaa_jax.page` takes all of it as one page.

    Raises
    ------
    IaaError
        As `iaa_jax.sweep` does.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> results = iaa.sweep.with_items(ratings, p=3, interval=None)
    >>> [*results], results["items"].p.values
    (['curve', 'classes', 'items', 'patterns', 'label_pairs'], array([0.5, 1. ]))
    """
    begin("Sweeping", progress)
    curve = sweep(
        ratings,
        coefficient,
        p=p,
        label_options=label_options,
        normalize=normalize,
        pool=pool,
        undefined_pairs=undefined_pairs,
        tau=tau,
        high=high,
        options=options,
        progress=progress,
    )
    begin("Items", progress)
    thresholds = {"tau": tau, "high": high}
    of_labels = {"label_options": label_options}
    largest = curve["p_at_maximum"].values
    at = np.unique([0.5, 1.0] if largest.ndim or np.isnan(largest) else [0.5, largest, 1.0])
    return {
        "curve": curve,
        "classes": item_classes(ratings, **thresholds, **of_labels),
        "items": item_curves(ratings, p=at, cuts=(high,), **of_labels),
        "patterns": patterns(ratings, p=(0.5, 0.75, 1.0)),
        "label_pairs": label_pairs(ratings, top=top, p=(0.5, 1.0), **thresholds, **of_labels),
    }
