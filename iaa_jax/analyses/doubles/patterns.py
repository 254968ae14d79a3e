"""What two ratings with primary and secondary labels look like, and which labels go together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._errors import IaaError
from iaa_jax.analyses.doubles.item_classes import Thresholds, classified
from iaa_jax.analyses.doubles.pairs import Doubles, doubles_of, grid_of
from iaa_jax.engine import Prepared, Problem, Table
from iaa_jax.engine.problem import Floats
from iaa_jax.measure.request import is_whole

PATTERNS = (
    "{a,a}",
    "{a,b}",
    "{ab,a}",
    "{ab,b}",
    "{ab,c}",
    "{ab,ab}",
    "{ab,ba}",
    "{ab,ac}",
    "{ab,bc}",
    "{ab,cb}",
    "{ab,cd}",
)
"""What two ratings can look like; ab is primary a, secondary b. The source omits {ab,cb}."""

CREDITS = (
    "1",
    "0",
    "p",
    "1 - p",
    "0",
    "p^2 + (1 - p)^2",
    "2 p (1 - p)",
    "p^2",
    "p (1 - p)",
    "(1 - p)^2",
    "0",
)


def credits_at(p: Floats) -> Floats:
    """The credit of each pattern at each p: (pattern, p)."""
    q, none = 1 - p, np.zeros_like(p)
    return np.array([1 + none, none, p, q, none, p**2 + q**2, 2 * p * q, p**2, p * q, q**2, none])


def patterns(ratings: xr.Dataset, *, p: object = 51) -> xr.Dataset:
    """What pairs of ratings look like: the eleven patterns, how often each occurs, its credit.

    The source lists ten patterns. It omits the eleventh, a shared secondary label {ab,cb}, though
    its text asks about it; its credit is ``(1 - p)^2``.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.

    Returns
    -------
    xarray.Dataset
        Along ``pattern``: ``pairs``, how many pairs of ratings of an item show it, their ``share``,
        the credit as a ``polynomial`` and its values ``credit`` along ``p``; and along ``p`` the
        ``mean_credit`` of all pairs (with two annotators that is the observed agreement).

    Raises
    ------
    IaaError
        If no rating has a secondary label.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), section 4. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_long(
    ...     {
    ...         "item": [1, 1, 2, 2, 3, 3],
    ...         "annotator": ["x", "y"] * 3,
    ...         "label": ["a", "b", "b", "b", "c", "a"],
    ...         "secondary": ["b", "a", None, "a", "b", "b"],
    ...     },
    ...     secondary="secondary",
    ... )
    >>> found = iaa.doubles.patterns(ratings, p=[0.6])
    >>> found.credit.sel(p=0.6).round(2).to_series()[found.pairs.values > 0].to_dict()
    {'{ab,a}': 0.6, '{ab,ba}': 0.48, '{ab,cb}': 0.16}
    """
    doubles = doubles_of(ratings, "the credit of pairs of ratings", 1)
    points = grid_of(p)
    pairs = _pattern_pairs(doubles)
    share = pairs / (pairs.sum() or np.nan)
    credit = credits_at(points)
    return xr.Dataset(
        {
            "pairs": ("pattern", pairs),
            "share": ("pattern", share),
            "polynomial": ("pattern", np.array(CREDITS)),
            "credit": (("pattern", "p"), credit),
            "mean_credit": ("p", share @ credit),
        },
        {"pattern": np.array(PATTERNS), "p": points},
    )


def _pattern_pairs(doubles: Doubles) -> Floats:
    """Pairs of ratings of one item that show each pattern."""
    found = np.zeros(len(PATTERNS))
    first, second = doubles.primary, doubles.secondary
    for one, other in combinations(range(first.shape[1]), 2):
        both = (first[:, one] >= 0) & (first[:, other] >= 0)
        if not both.any():
            continue
        a, b = first[both, one], second[both, one]
        c, d = first[both, other], second[both, other]
        turned = (b < 0) & (d >= 0)  # the double first
        a, c = np.where(turned, c, a), np.where(turned, a, c)
        b, d = np.where(turned, d, b), np.where(turned, b, d)
        singles, mixed = b < 0, (b >= 0) & (d < 0)
        crossed = (a == d).astype(int) + (b == c)
        kind = np.select(
            [
                singles & (a == c),
                singles,
                mixed & (c == a),
                mixed & (c == b),
                mixed,
                (a == c) & (b == d),
                crossed == 2,
                a == c,
                crossed == 1,
                b == d,
            ],
            range(10),
            default=10,
        )
        found += np.bincount(kind, weights=doubles.count[both], minlength=len(PATTERNS))
    return found


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

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    top : int
        The most frequent pairs only.
    p : int or sequence of float
        Where the gain is worked out.
    tau, high : float
        Thresholds of the classes: see `iaa_jax.doubles.item_classes`.
    min_common : int
        Common items that a pair of annotators needs.

    Returns
    -------
    xarray.Dataset
        Along ``pair`` (named "a + b"), most frequent first: the labels ``first`` and ``second``;
        ``ratings``, how many doubles they make, with ``first_is_primary`` of them; their ``share``
        of all doubles; ``items`` with two ratings on which they occur, ``class_4_items`` of these
        (literal reading) and their share ``class_4_share``; and along ``p`` too the ``gain`` in
        augmented kappa if the pair is promoted (in Fleiss' kappa for ratings without annotators).
        The ``estimate`` before that is along ``p``.

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
    >>> ratings = iaa.from_long(
    ...     {
    ...         "item": [1, 1, 2, 2, 3, 3],
    ...         "annotator": ["x", "y"] * 3,
    ...         "label": ["a", "b", "b", "b", "c", "c"],
    ...         "secondary": ["b", "a", None, "a", "a", "a"],
    ...     },
    ...     secondary="secondary",
    ... )
    >>> found = iaa.doubles.labels(ratings, p=[1.0])
    >>> found.ratings.to_series().to_dict(), found.gain.round(3).values.tolist()
    ({'a + b': 3.0, 'a + c': 2.0}, [[0.0], [0.0]])
    """
    thresholds = Thresholds(tau, high)
    thresholds.check()
    if not is_whole(top) or top < 1:
        message = f"top is a whole number of 1 or more, not {top!r}"
        raise IaaError(message)
    doubles = doubles_of(ratings, "the gain of a label pair", min_common)
    points = grid_of(p)
    literal = classified(doubles, thresholds).classes["literal"]
    table = _LabelPairs(doubles)
    chosen = np.argsort(-table.ratings, kind="stable")[:top]
    labels = ratings["label"].values
    before, gains = _gains(doubles, [table.pairs[place] for place in chosen], points)
    names = [[labels[label] for label in table.pairs[place]] for place in chosen]
    items = np.array([doubles.count @ (table.on(place) & doubles.paired) for place in chosen])
    crossed = np.array([doubles.count @ (table.on(place) & (literal == 4)) for place in chosen])
    return xr.Dataset(
        {
            "first": ("pair", np.array([name[0] for name in names])),
            "second": ("pair", np.array([name[1] for name in names])),
            "ratings": ("pair", table.ratings[chosen]),
            "first_is_primary": ("pair", table.in_order[chosen]),
            "share": ("pair", table.ratings[chosen] / table.ratings.sum()),
            "items": ("pair", items),
            "class_4_items": ("pair", crossed),
            "class_4_share": ("pair", crossed / np.where(items > 0, items, np.nan)),
            "gain": (("pair", "p"), gains),
            "estimate": ("p", before),
        },
        {"pair": np.array([f"{a} + {b}" for a, b in names], dtype=object), "p": points},
        {
            "coefficient": doubles.chance_name,
            "doubles": float(table.ratings.sum()),
            "pairs_used": len(table.pairs),
            "tau": tau,
            "high": high,
        },
    )


class _LabelPairs:
    """Which two labels stand together in doubles, in either order."""

    def __init__(self, doubles: Doubles) -> None:
        primary, secondary = doubles.primary, doubles.secondary
        self._row, place = np.nonzero(secondary >= 0)
        one, other = primary[self._row, place], secondary[self._row, place]
        lower, upper = np.minimum(one, other), np.maximum(one, other)
        keys, self._number = np.unique(lower * doubles.labels + upper, return_inverse=True)
        self.pairs = [(int(key) // doubles.labels, int(key) % doubles.labels) for key in keys]
        weight = doubles.count[self._row]
        self._patterns = len(primary)
        self.ratings = np.bincount(self._number, weights=weight)
        self.in_order = np.bincount(self._number, weights=weight * (one < other))

    def on(self, pair: int) -> NDArray[np.bool_]:
        """The patterns on which a pair occurs."""
        found = np.zeros(self._patterns, dtype=bool)
        found[self._row[self._number == pair]] = True
        return found


def _gains(doubles: Doubles, pairs: list[tuple[int, int]], points: Floats) -> tuple[Floats, Floats]:
    """The coefficient (p,), and what it gains (pair, p) when a pair of labels becomes a label."""
    before, gains = np.zeros(len(points)), np.zeros((len(pairs), len(points)))
    for at, p in enumerate(points.tolist()):
        problem = _with_a_further_label(doubles.problem(p))
        # at p = 1 a secondary label has no mass: which ratings are doubles is seen at another p
        seen = problem.data if p < 1 else doubles.problem(0.75).data
        paired = (~np.isnan(problem.data[..., 0])).sum(axis=1) >= 2
        whole = Prepared([problem]).summed(problem)
        before[at] = _estimate(problem, whole)
        for place, (one, other) in enumerate(pairs):
            # few patterns show a pair: only their part in the sums is worked out anew
            double = (seen[..., one] > 0) & (seen[..., other] > 0)
            found = np.asarray(double.any(axis=1), dtype=bool).reshape(-1)
            rows = np.flatnonzero(found | found[paired].all())
            held, moved = problem.data[rows], problem.data[rows].copy()
            moved[double[rows]] = np.eye(moved.shape[-1])[-1]
            old, new = (_summed(problem, rows, data) for data in (held, moved))
            # where nothing else is left, nothing is subtracted: what is 0 stays exactly 0
            sums = new if len(rows) == len(found) else _exchanged(whole, old, new)
            gains[place, at] = _estimate(problem, sums) - before[at]
    return before, gains


def _with_a_further_label(problem: Problem) -> Problem:
    """The same with a label at the end that nobody used."""
    unused = np.where(np.isnan(problem.data[..., :1]), np.nan, 0.0)
    return replace(problem, data=np.concatenate([problem.data, unused], axis=-1))


def _summed(problem: Problem, rows: NDArray[np.intp], data: Floats) -> Any:
    """The sums of some patterns with other masses."""
    places = None if problem.annotator_of is None else problem.annotator_of[rows]
    table = Table(problem.table.count[rows])
    part = replace(problem, table=table, data=data, annotator_of=places)
    return Prepared([part]).summed(part)


def _exchanged(whole: Any, old: Any, new: Any) -> Any:
    """The sums of all patterns, with one part of them for another."""
    if not hasattr(whole, "annotators"):
        return type(whole)(*(a - b + c for a, b, c in zip(whole, old, new, strict=True)))
    # by slot, the part numbers the pairs of annotators that it met; a pair 0, 0 is none
    known, met = (np.asarray(sums.annotators, dtype=np.int64) for sums in (whole, old))
    there, here = (np.flatnonzero(pairs[:, 0] < pairs[:, 1]) for pairs in (known, met))
    size = int(known.max()) + 1
    keys, wanted = known[there] @ [size, 1], met[here] @ [size, 1]
    place = there[np.searchsorted(keys, wanted)]
    sums = [whole.annotators]
    for total, before, after in list(zip(whole, old, new, strict=True))[1:]:
        moved = np.array(total)
        moved[place] += after[here] - before[here]
        sums.append(moved)
    return type(whole)(*sums)


def _estimate(problem: Problem, sums: Any) -> float:
    formula = problem.measure.formula
    if formula is None:
        message = "this coefficient has no formula"
        raise TypeError(message)
    found = formula(sums, problem.weight, problem.disagreement, **problem.options)
    return float(found.estimate)
