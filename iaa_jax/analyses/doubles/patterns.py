"""The eleven patterns of two ratings with primary and secondary labels."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.analyses.doubles import declared
from iaa_jax.analyses.doubles.double_ratings import (
    DoubleRatings,
    WithoutDoubles,
    doubles_of,
    grid_of,
)
from iaa_jax.measure import LabelOptions, public
from iaa_jax.measure.options.requirements import requires
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.results import dataset_of, provenance_of
from iaa_jax.wording.figures import gives

PATTERNS = {
    "{a,a}": "1",
    "{a,b}": "0",
    "{ab,a}": "p",
    "{ab,b}": "1 - p",
    "{ab,c}": "0",
    "{ab,ab}": "p^2 + (1 - p)^2",
    "{ab,ba}": "2 p (1 - p)",
    "{ab,ac}": "p^2",
    "{ab,bc}": "p (1 - p)",
    "{ab,cb}": "(1 - p)^2",
    "{ab,cd}": "0",
}
"""The patterns of two ratings, and the credit of each; ab is primary a with secondary b.

Rosenberg and Binkowski (2004) omit {ab,cb}.
"""


def credits_at(p: Floats) -> Floats:
    """Return the credit of each pattern at each p: (pattern, p)."""
    q, zero = 1 - p, np.zeros_like(p)
    return np.array([1 + zero, zero, p, q, zero, p**2 + q**2, 2 * p * q, p**2, p * q, q**2, zero])


@public
@requires(WithoutDoubles("the credit of pairs of ratings"))
@gives(declared)
def patterns(ratings: Rated, *, p: object = 51) -> xr.Dataset:
    """Count the eleven patterns of two ratings, and return the credit of each.

    The credit of a pattern is the agreement of its two ratings. Rosenberg and Binkowski (2004) list
    ten patterns. The eleventh, {ab,cb} with a shared secondary label, is only mentioned in their
    text; its credit is ``(1 - p)^2``.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.

    Returns
    -------
    xarray.Dataset
        Along ``pattern``; the last is also along ``p``:

        PATTERNS

        Along ``p``:

        MEAN_CREDIT

        The ``conclusion`` is "measured", or "no_pair" if no item has two ratings.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or ``p`` is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), section 4. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbca"), "secondary": ["b", "a", None, "a", "b", "b"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> seen = iaa.doubles.patterns(ratings, p=[0.6])
    >>> seen.credit.sel(p=0.6).round(2).to_series()[seen.pairs.values > 0].to_dict()
    {'{ab,a}': 0.6, '{ab,ba}': 0.48, '{ab,cb}': 0.16}
    """
    doubles = doubles_of(ratings, LabelOptions(min_common=1))
    points = grid_of(p)
    pairs = _pattern_pairs(doubles)
    share = pairs / (pairs.sum() or np.nan)
    credit = credits_at(points)
    attrs = provenance_of(ratings, "doubles.patterns") | {
        "conclusion": "measured" if pairs.any() else "no_pair"
    }
    return dataset_of(
        {
            "pairs": ("pattern", pairs),
            "share": ("pattern", share),
            "polynomial": ("pattern", np.array([*PATTERNS.values()])),
            "credit": (("pattern", "p"), credit),
            "mean_credit": ("p", share @ credit),
        },
        {"pattern": np.array([*PATTERNS]), "p": points},
        attrs,
    )


def _pattern_pairs(doubles: DoubleRatings) -> Floats:
    """Count, for each pattern, the pairs of ratings of an item that have the pattern."""
    pairs = np.zeros(len(PATTERNS))
    primary, secondary = doubles.primary, doubles.secondary
    for first, second in combinations(range(primary.shape[1]), 2):
        rated = (primary[:, first] >= 0) & (primary[:, second] >= 0)
        if not rated.any():
            continue
        a, b = primary[rated, first], secondary[rated, first]
        c, d = primary[rated, second], secondary[rated, second]
        swap = (b < 0) & (d >= 0)  # so that a double comes before a single label
        a, c = np.where(swap, c, a), np.where(swap, a, c)
        b, d = np.where(swap, d, b), np.where(swap, b, d)
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
        pairs += np.bincount(kind, weights=doubles.count[rated], minlength=len(PATTERNS))
    return pairs
