"""Labels that occur together in ratings, and the coefficient's gain if they become one label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._types import Floats
from iaa_jax.analyses.doubles import declared
from iaa_jax.analyses.doubles.double_ratings import (
    DoubleRatings,
    WithoutDoubles,
    doubles_of,
    grid_of,
)
from iaa_jax.analyses.doubles.item_classes import Thresholds, classify
from iaa_jax.engine import Prepared, Problem
from iaa_jax.kernels.namespace import Array
from iaa_jax.measure import LabelOptions, public, select
from iaa_jax.measure.options.declared import Whole
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, provenance_of
from iaa_jax.wording import Note
from iaa_jax.wording.figures import gives


@public
@requires(WithoutDoubles("the gain of a label pair"), top=Whole(1))
@gives(declared)
def labels(
    ratings: Rated,
    *,
    top: int = 10,
    p: object = (0.5, 1.0),
    tau: float = 0.05,
    high: float = 0.6,
    label_options: LabelOptions = select(LabelOptions, "min_common"),
) -> xr.Dataset:
    """Find label pairs that might deserve their own category.

    A pair is *promoted* by reading each double (rating with two labels) of its two labels, in
    either order, as a single new label. Ratings with only one of the two labels then disagree with
    the new label, so that the gain may be negative.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    top : int
        Maximum number of pairs to return, the most frequent first.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.
    tau, high : float
        Thresholds of the classes: see `iaa_jax.doubles.item_classes`.
    label_options : LabelOptions
    min_common : int
        Number of common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``pair`` (named "a + b"), the most frequent first; the last is also along ``p``:

        LABEL_PAIRS

        Along ``p``:

        BEFORE

        The ``conclusion`` is "gain" if a returned pair has a positive gain at some p, otherwise
        "no_gain"; ``pairs_used`` counts all pairs.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or an option is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), footnote 2. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> pairs = iaa.doubles.labels(ratings, p=[1.0])
    >>> pairs.ratings.to_series().to_dict(), pairs.gain.round(3).values.tolist()
    ({'a + b': 3.0, 'a + c': 2.0}, [[0.0], [0.0]])
    """
    thresholds = Thresholds(tau, high)
    doubles = doubles_of(ratings, label_options)
    points = grid_of(p)
    literal = classify(doubles, thresholds).classes["literal"]
    pairs = _LabelPairs(doubles)
    chosen = np.argsort(-pairs.ratings, kind="stable")[:top]
    before, gains = _gains(doubles, [pairs.labels[pair] for pair in chosen], points)
    labels = ratings.label_names
    first, second = labels[[pairs.labels[pair] for pair in chosen]].T
    items = np.array([doubles.count @ (pairs.on(pair) & doubles.paired) for pair in chosen])
    class_4 = np.array([doubles.count @ (pairs.on(pair) & (literal == 4)) for pair in chosen])
    counts = {"shown": len(chosen), "used": len(pairs.labels)}
    notes = [Note("most_frequent", counts)] if len(chosen) < len(pairs.labels) else []
    attrs = provenance_of(ratings, "doubles.labels", notes=notes) | {
        "coefficient": doubles.chance_name,
        "doubles": float(pairs.ratings.sum()),
        "pairs_used": len(pairs.labels),
        "tau": tau,
        "high": high,
        "conclusion": "gain" if (gains > 0).any() else "no_gain",
    }
    return dataset_of(
        {
            "first": ("pair", first),
            "second": ("pair", second),
            "ratings": ("pair", pairs.ratings[chosen]),
            "first_is_primary": ("pair", pairs.in_order[chosen]),
            "share": ("pair", pairs.ratings[chosen] / pairs.ratings.sum()),
            "items": ("pair", items),
            "class_4_items": ("pair", class_4),
            "class_4_share": ("pair", class_4 / np.where(items > 0, items, np.nan)),
            "gain": (("pair", "p"), gains),
            "estimate": ("p", before),
        },
        {
            "pair": np.array([f"{a} + {b}" for a, b in zip(first, second, strict=True)], object),
            "p": points,
        },
        attrs,
    )


class _LabelPairs:
    """The pairs of labels that occur together in doubles, in either order."""

    def __init__(self, doubles: DoubleRatings) -> None:
        self._pattern, rating = np.nonzero(doubles.secondary >= 0)
        primary = doubles.primary[self._pattern, rating]
        secondary = doubles.secondary[self._pattern, rating]
        keys, self._pair = np.unique(
            np.minimum(primary, secondary) * doubles.labels + np.maximum(primary, secondary),
            return_inverse=True,
        )
        self.labels = [divmod(int(key), doubles.labels) for key in keys]
        weight = doubles.count[self._pattern]
        self._patterns = len(doubles.primary)
        self.ratings = np.bincount(self._pair, weights=weight)
        self.in_order = np.bincount(self._pair, weights=weight * (primary < secondary))

    def on(self, pair: int) -> NDArray[np.bool_]:
        """Return whether each pattern has a double of the pair."""
        occurs = np.zeros(self._patterns, dtype=bool)
        occurs[self._pattern[self._pair == pair]] = True
        return occurs


def _gains(
    doubles: DoubleRatings, pairs: list[tuple[int, int]], points: Floats
) -> tuple[Floats, Floats]:
    """Return the coefficient (p,), and its gain (pair, p) if the labels of a pair become one."""
    before, gains = np.zeros(len(points)), np.zeros((len(pairs), len(points)))
    for column, p in enumerate(points.tolist()):
        problem = _with_a_further_label(doubles.problem(p))
        # at p = 1 a secondary label has weight 0: doubles are recognised by the weights at p = 0.75
        divided = problem.data if p < 1 else doubles.problem(0.75).data
        paired = (~np.isnan(problem.data[..., 0])).sum(axis=1) >= 2
        totals = Prepared([problem]).summed(problem)
        before[column] = _estimate(problem, totals)
        for pair, (first, second) in enumerate(pairs):
            # only the sums over patterns that have the pair are recomputed
            double = (divided[..., first] > 0) & (divided[..., second] > 0)
            shows = np.asarray(double.any(axis=1), dtype=bool).reshape(-1)
            rows = np.flatnonzero(shows | shows[paired].all())
            usual, promoted = problem.data[rows], problem.data[rows].copy()
            promoted[double[rows]] = np.eye(promoted.shape[-1])[-1]
            old, new = (_sum_patterns(problem, rows, data) for data in (usual, promoted))
            # if all patterns are recomputed, their sums are used directly, so an exact 0 stays 0
            sums = new if len(rows) == len(shows) else _replace_part(totals, old, new)
            gains[pair, column] = _estimate(problem, sums) - before[column]
    return before, gains


def _with_a_further_label(problem: Problem) -> Problem:
    """Add a label at the end that nobody used."""
    unused = np.where(np.isnan(problem.data[..., :1]), np.nan, 0.0)
    return replace(problem, ratings=np.concatenate([problem.data, unused], axis=-1))


def _sum_patterns(problem: Problem, rows: NDArray[np.intp], data: Floats) -> tuple[Array, ...]:
    """Return the sums over the patterns ``rows``, with ``data`` in place of their ratings."""
    annotator_of = None if problem.annotator_of is None else problem.annotator_of[rows]
    table = problem.table.other(problem.table.count[rows])
    part = replace(problem, table=table, ratings=data, annotator_of=annotator_of)
    sums: tuple[Array, ...] = Prepared([part]).summed(part)
    return sums


def _replace_part(
    totals: tuple[Array, ...], old: tuple[Array, ...], new: tuple[Array, ...]
) -> tuple[Array, ...]:
    """Return sums over all patterns, with the contribution ``old`` of some replaced by ``new``."""
    if not hasattr(totals, "annotators"):
        return type(totals)(*(a - b + c for a, b, c in zip(totals, old, new, strict=True)))
    # if ratings are stored by slot (first, second, ...), the part has only the pairs of annotators
    # that occur in it, and (0, 0) as padding
    of_whole, of_part = (np.asarray(sums[0], dtype=np.int64) for sums in (totals, old))
    rows, part = (np.flatnonzero(pairs[:, 0] < pairs[:, 1]) for pairs in (of_whole, of_part))
    size = int(of_whole.max()) + 1
    keys, keys_of_part = of_whole[rows] @ [size, 1], of_part[part] @ [size, 1]
    rows = rows[np.searchsorted(keys, keys_of_part)]
    sums = [totals[0]]
    for total, before, after in list(zip(totals, old, new, strict=True))[1:]:
        replaced = np.array(total)
        replaced[rows] += after[part] - before[part]
        sums.append(replaced)
    return type(totals)(*sums)


def _estimate(problem: Problem, sums: tuple[Array, ...]) -> float:
    return float(problem.from_sums(sums).estimate)
