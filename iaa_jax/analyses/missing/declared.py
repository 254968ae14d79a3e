"""Declarations of the variables in results on missing ratings, and on weighted items."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

CURVE = (
    Figure("estimate", "mean over fillings", heading="Figure"),
    Figure(
        "standard_error",
        "standard error by Rubin's rules, from the infinitesimal jackknife of each filling",
    ),
    Figure(
        "ci_low",
        "lower end of the interval, with the degrees of freedom of Barnard and Rubin; at every "
        "delta, missing ratings contribute as much to its width as at 0 (information-anchored, "
        "Cro, Carpenter and Kenward 2019); it is at least as far from the estimate as for "
        "``as_rated``, and within the range",
    ),
    Figure("ci_high", "upper end of the interval, computed in the same way"),
    Figure("monte_carlo_error", "standard error of the mean over fillings"),
    Figure("undefined", "fillings left out because the coefficient is undefined", "count"),
)
"""Variables along delta, from -1 (missing ratings all agree) to 1 (they agree only by chance)."""

SCALARS = (
    Figure("as_rated", "the coefficient of the observed ratings", beside=ENDS),
    Figure("tipping_estimate", "delta nearest to 0 where the estimate crosses the level, or NaN"),
    Figure("tipping_low", "delta nearest to 0 where the lower end crosses the level, or NaN"),
    Figure(
        "least",
        "lowest figure of a complete table that a search along derivatives finds; the true minimum "
        "may be lower; NaN if there are too many ways to fill the gaps",
    ),
    Figure("greatest", "highest figure of a complete table that the search finds"),
    Figure(
        "pairs_least",
        "exact lower bound of the share of equal pairs of ratings over all fillings with the "
        "labels of the ratings",
        "share",
    ),
    Figure("pairs_greatest", "exact upper bound of this share", "share"),
    Figure("gaps", "missing ratings", "count"),
    Figure("missing_share", "share of missing ratings among all cells", "share"),
)
"""Variables without an axis, which describe all items."""

WEIGHTED = (
    Figure("estimate", "the coefficient with items weighted by 1 / probability"),
    Figure(
        "standard_error",
        "linearized standard error, for a weighted sample with known probabilities: "
        "``sqrt(n / (n - 1) sum (w (g - gbar))^2)`` over the n items that count, with w the "
        "weights, g the derivatives and gbar their weighted mean",
    ),
    Figure(
        "ci_low",
        "lower end of the interval, by Student's t with n - 1 degrees of freedom, within the "
        "range; at least as far from the estimate as for ``unweighted`` with the effective number "
        "of items",
    ),
    Figure("ci_high", "upper end of the interval, computed in the same way"),
    Figure("unweighted", "the coefficient without weights", beside=("standard_error", *ENDS)),
    Figure("rated_items", "items with two ratings or more", "count"),
    Figure("effective_items", "``(sum w)^2 / sum w^2`` of the rated items (Kish 1965)", "short"),
    Figure("largest_weight", "largest weight, as a multiple of the mean weight", "short"),
)
"""Variables of weighted items."""

GROUPS = (
    Figure("items", "items of the group", "count", "Items"),
    Figure("rated", "items of the group with two ratings or more", "count", "Rated"),
    Figure("probability", "probability of being rated twice", "share", "Probability"),
)
"""Variables along the groups of ``by``."""

IN_JSON = {
    "deltas": CURVE,
    "": SCALARS,
    "inverse_probability": WEIGHTED,
    "inverse_probability.groups": GROUPS,
}
"""The variables of each part of the JSON record, by the name of the part."""
