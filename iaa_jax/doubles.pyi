# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""What secondary labels add: sweeps over p, classes of items, patterns."""

import xarray as xr

from iaa_jax.analyses.doubles.patterns import patterns as patterns

def item_curves(
    ratings: xr.Dataset,
    *,
    p: object = 51,
    cuts: tuple[float, ...] = (0.6,),
    min_common: int = 2,
) -> xr.Dataset:
    """Augmented kappa of each item over p, and how many items lie above a cut-off.

    ``K'_i(p) = (A_i(p) - E(p)) / (1 - E(p))``, with A_i the mean credit over the pairs of the
    item's ratings, and E the chance agreement of all ratings, since one item has none. E is that of
    `iaa_jax.augmented_kappa`, the mean over pairs of annotators; for ratings without annotators
    that of `iaa_jax.fleiss_kappa`. With two annotators, or without missing ratings, the mean over
    items is ``augmented_kappa(pool="components")``.
    """

def item_classes(
    ratings: xr.Dataset,
    *,
    tau: float = 0.05,
    high: float = 0.6,
    min_common: int = 2,
) -> xr.Dataset:
    """The four classes of items by how their agreement moves with p.

    With ``delta = K'_i(1) - K'_i(0.5)`` an item is constant where ``|delta| <= tau``, and then in
    class 1 (constant high) where ``K'_i(1) > high``, else in class 2 (constant low). Class 3
    (better at p = 1) has ``delta > tau``: the annotators agree on the primary label, but not on the
    use of the secondary one. Class 4 (better at p = 0.5) has ``delta < -tau``: the same labels with
    primary and secondary exchanged.

    The source gives no thresholds; its counts fit a cut-off at p = 1. Read literally, two identical
    doubles score 1 at p = 1 and 0.5 at p = 0.5, so that perfect agreement falls into class 3. The
    normalised reading scales ratings to unit length, where identical doubles score 1 at every p,
    and takes the chance agreement at p = 1 for both ends. Both are given, and ``moved`` marks the
    items whose class depends on it.
    """

def labels(
    ratings: xr.Dataset,
    *,
    top: int = 10,
    p: object = (0.5, 1.0),
    tau: float = 0.05,
    high: float = 0.6,
    min_common: int = 2,
) -> xr.Dataset:
    """Label pairs that might be worth a category of their own.

    A pair is *promoted* by reading each double of its two labels, in either order, as a single
    label of its own. Ratings with one of the two labels alone then disagree with it, so that the
    gain may be negative.
    """
