"""Agreement on each item as the share p of the primary label varies, and four classes of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax._types import Floats, Values
from iaa_jax.analyses.doubles import declared
from iaa_jax.analyses.doubles.double_ratings import (
    DoubleRatings,
    WithoutDoubles,
    beyond_chance,
    doubles_of,
    grid_of,
)
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, is_dataset, provenance_of
from iaa_jax.wording import Note, named
from iaa_jax.wording.figures import gives

ROUNDING = 1e-12
"""A value within this distance of a threshold counts as equal to the threshold."""

CLASS_NAMES = ("constant high", "constant low", "better at p = 1", "better at p = 0.5")
READINGS = ("literal", "normalised")

NAMES_KEPT = 10
"""Maximum number of items that a note names."""


@public
@requires(WithoutDoubles("the agreement on an item"))
@gives(declared)
def item_curves(
    ratings: Rated,
    *,
    p: object = 51,
    above: tuple[float, ...] = (0.6,),
    label_options: LabelOptions = select(LabelOptions, "min_common"),
) -> xr.Dataset:
    """Return augmented kappa of each item over p, and how many items lie above a cut-off.

    ``K'_i(p) = (A_i(p) - E(p)) / (1 - E(p))``, with A_i the mean credit (agreement) of the pairs of
    the item's ratings, and E the chance agreement of all ratings, because a single item has no
    chance agreement. E is taken from `iaa_jax.augmented_kappa`, as the mean over pairs of
    annotators, or, if annotators are unknown or too many, from `iaa_jax.fleiss_kappa`. If E is from
    augmented kappa, and there are two annotators or no missing ratings, the mean of K'_i over items
    is ``augmented_kappa(pool="components")``.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    p : int, sequence of float or xarray.Dataset
        A number of points from 0.5 to 1, or the points: shares of the primary label. A result of
        `iaa_jax.sweep` gives 0.5, 1 and, if it has a single curve, the p at its maximum.
    above : tuple of float
        Cut-offs; an item counts if its kappa is larger.
    label_options : LabelOptions
    min_common : int
        Number of common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``item`` and ``p``:

        ITEMS

        Along ``p``:

        EXPECTED

        Along ``cut`` and ``p``:

        CUTS

        The ``conclusion`` is "measured", or "undefined" if kappa is undefined for every item.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or ``p`` is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, section 6.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> iaa.doubles.item_curves(ratings, p=[0.5, 1.0]).estimate.round(3).values
    array([[ 0.217, -0.5  ],
           [ 0.217,  1.   ],
           [ 0.217,  1.   ]])
    """
    doubles = doubles_of(ratings, label_options)
    points = grid_of(_points_of(p) if is_dataset(p) else p)
    agreement, expected = doubles.agreement(points), doubles.chance(points)
    estimate = beyond_chance(agreement, expected)
    with np.errstate(invalid="ignore"):
        counts = [doubles.count @ (estimate > float(cut) + ROUNDING) for cut in above]
    items_above = np.array(counts).reshape(len(above), len(points))
    paired = doubles.count[doubles.paired].sum()
    of_items = doubles.item_pattern
    attrs = provenance_of(ratings, "doubles.item_curves") | {
        "chance": doubles.chance_name,
        "conclusion": "undefined" if np.isnan(estimate).all() else "measured",
    }
    return dataset_of(
        {
            "estimate": (("item", "p"), estimate[of_items]),
            "agreement": (("item", "p"), agreement[of_items]),
            "expected": ("p", expected),
            "items_above": (("cut", "p"), items_above),
            "share_above": (("cut", "p"), items_above / (paired or np.nan)),
        },
        {"item": ratings.item_names, "p": points, "cut": np.array(above, dtype=np.float64)},
        attrs,
    )


def _points_of(curve: Any) -> Floats:
    """Return 0.5, 1, and the p at the maximum of a result if it has a single curve."""
    largest = curve["p_at_maximum"].values
    return np.unique([0.5, 1.0] if largest.ndim or np.isnan(largest) else [0.5, largest, 1.0])


@dataclass(frozen=True)
class Thresholds:
    """The limits of the four classes."""

    tau: float = 0.05
    high: float = 0.6

    def __post_init__(self) -> None:
        """Raise an error for numbers that cannot be thresholds."""
        if not self.tau >= 0:
            raise IaaError(f"{named('tau')} must be a number from 0 up, not {self.tau!r}")
        if not np.isfinite(self.high):
            raise IaaError(f"{named('high')} must be a finite number, not {self.high!r}")

    def classes(self, at_half: Floats, at_one: Floats) -> NDArray[np.int64]:
        """Return the class of each pattern: 1 to 4, or 0 if kappa is undefined."""
        change = at_one - at_half
        with np.errstate(invalid="ignore"):
            classes = np.where(at_one > self.high + ROUNDING, 1, 2)
            classes = np.where(change > self.tau + ROUNDING, 3, classes)
            classes = np.where(change < -self.tau - ROUNDING, 4, classes)
        return np.where(np.isnan(change), 0, classes)


@dataclass(frozen=True)
class ClassedPatterns:
    """Kappa of each pattern at p = 0.5 and at p = 1, and its class by each reading of classes."""

    at_half: dict[str, Floats]
    at_one: dict[str, Floats]
    classes: dict[str, NDArray[np.int64]]

    def counts(self, doubles: DoubleRatings) -> Floats:
        """Return the number of items (reading, class)."""
        return np.array(
            [
                np.bincount(self.classes[reading], weights=doubles.count, minlength=5)[1:]
                for reading in READINGS
            ]
        )


def classify(doubles: DoubleRatings, thresholds: Thresholds) -> ClassedPatterns:
    """Sort the rating patterns into the four classes, by both readings."""
    ends = np.array([0.5, 1.0])
    literal = beyond_chance(doubles.agreement(ends), doubles.chance(ends))
    # the normalised reading takes chance agreement at p = 1, where all ratings have length 1, so
    # that kappa changes only with the item's ratings
    chance = doubles.chance(ends[1:])
    normalised = beyond_chance(np.stack([doubles.cosine(p) for p in ends.tolist()], axis=1), chance)
    by_reading = dict(zip(READINGS, (literal, normalised), strict=True))
    at_half, at_one = ({name: by_reading[name][:, end] for name in READINGS} for end in (0, 1))
    return ClassedPatterns(
        at_half,
        at_one,
        {name: thresholds.classes(at_half[name], at_one[name]) for name in READINGS},
    )


@public
@requires(WithoutDoubles("the class of an item"))
@gives(declared)
def item_classes(
    ratings: Rated,
    *,
    tau: float = 0.05,
    high: float = 0.6,
    label_options: LabelOptions = select(LabelOptions, "min_common"),
) -> xr.Dataset:
    """Sort items into four classes by how their agreement changes with p.

    With ``delta = K'_i(1) - K'_i(0.5)`` an item is constant if ``|delta| <= tau``. It is then in
    class 1 (constant high) if ``K'_i(1) > high``, otherwise in class 2 (constant low). Class 3
    (better at p = 1) has ``delta > tau``: the annotators agree on the primary label, but not on the
    use of the secondary label. Class 4 (better at p = 0.5) has ``delta < -tau``: the annotators
    give the same two labels, but swap primary and secondary.

    Rosenberg and Binkowski (2004) give no thresholds; their counts are consistent with a cut-off at
    p = 1. In the literal reading of their paper, two identical doubles (ratings with two labels)
    score 1 at p = 1 and 0.5 at p = 0.5, so that perfect agreement falls into class 3. The
    normalised reading scales ratings to unit length, so that identical doubles score 1 at every p,
    and uses the chance agreement at p = 1 for both ends. The result has both readings, and
    ``moved`` marks the items whose class depends on the reading.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    tau, high : float
        Thresholds: the largest change that counts as constant, and the kappa above which an item is
        high.
    label_options : LabelOptions
    min_common : int
        Number of common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``item``; all but the last are also along ``reading`` ("literal", "normalised"):

        CLASSED

        Along ``reading`` and ``item_class_number`` (``class_name`` has the names of the classes):

        CLASSES

        The ``conclusion`` is "readings_differ" or "readings_agree" (``moved_items`` counts the
        items whose class depends on the reading), or "no_class" if no item has a class.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or a threshold is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), section 6. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> classes = iaa.doubles.item_classes(ratings)
    >>> classes.item_class.sel(reading="literal").values, classes.moved.values
    (array([4, 3, 3]), array([False, False,  True]))
    """
    thresholds = Thresholds(tau, high)
    doubles = doubles_of(ratings, label_options)
    patterns = classify(doubles, thresholds)
    at_half, at_one, classes = (
        np.stack([part[reading][doubles.item_pattern] for reading in READINGS])
        for part in (patterns.at_half, patterns.at_one, patterns.classes)
    )
    counts = patterns.counts(doubles)
    items = ratings.item_names
    moved = classes[0] != classes[1]
    without_pair = float(doubles.count[~doubles.paired].sum())
    notes = [Note("without_pair", {"items": without_pair})] if without_pair else []
    if moved.any():
        names = [str(name) for name in items[moved][:NAMES_KEPT]]
        notes.append(Note("moved", {"items": int(moved.sum()), "names": names}))
    attrs = provenance_of(ratings, "doubles.item_classes", notes=notes) | {
        "tau": tau,
        "high": high,
        "chance": doubles.chance_name,
        "without_pair": without_pair,
        "moved_items": int(moved.sum()),
        "conclusion": _conclusion(classes, moved),
    }
    paired = doubles.count[doubles.paired].sum()
    dims = ("reading", "item")
    return dataset_of(
        {
            "at_half": (dims, at_half),
            "at_one": (dims, at_one),
            "delta": (dims, at_one - at_half),
            "item_class": (dims, classes),
            "moved": ("item", moved),
            "count": (("reading", "item_class_number"), counts),
            "share": (("reading", "item_class_number"), counts / (paired or np.nan)),
        },
        {
            "item": items,
            "reading": np.array(READINGS),
            "item_class_number": np.arange(1, 5),
            "class_name": ("item_class_number", np.array(CLASS_NAMES)),
        },
        attrs,
    )


def _conclusion(classes: Values, moved: NDArray[np.bool_]) -> str:
    if not classes.any():
        return "no_class"
    return "readings_differ" if moved.any() else "readings_agree"
