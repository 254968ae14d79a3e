"""What filled gaps and weighted items give: their figures, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import ENDS, Figure

CURVE = (
    Figure("estimate", "mean over fillings", heading="Figure"),
    Figure("standard_error", "by Rubin's rules, of each filling by the infinitesimal jackknife"),
    Figure(
        "ci_low",
        "lower end, with the degrees of freedom of Barnard and Rubin; away from 0 the missing "
        "ratings have as large a part in it as at 0 (information-anchored, Cro, Carpenter and "
        "Kenward 2019); no nearer than that of ``as_rated`` to it, and within the range",
    ),
    Figure("ci_high", "upper end, likewise"),
    Figure("monte_carlo_error", "of the mean over fillings"),
    Figure("undefined", "fillings without a figure, which are left out", "count"),
)
"""Along delta."""

SCALARS = (
    Figure("as_rated", "the coefficient of the ratings that are there", beside=ENDS),
    Figure("tipping_estimate", "delta nearest to 0 where the estimate crosses the level, or NaN"),
    Figure("tipping_low", "the delta nearest to 0 where the lower end does"),
    Figure(
        "least",
        "lowest figure of complete tables that a search along derivatives found: the true lowest "
        "is at least as far out; NaN where there are too many ways to fill the gaps",
    ),
    Figure("greatest", "highest figure, likewise"),
    Figure(
        "pairs_least",
        "exact lower bound of the share of equal pairs of ratings over all fillings with the "
        "labels of the ratings",
        "share",
    ),
    Figure("pairs_greatest", "exact upper bound, likewise", "share"),
    Figure("gaps", "ratings that are missing", "count"),
    Figure("missing_share", "of all cells", "share"),
)
"""Of all."""

WEIGHTED = (
    Figure("estimate", "the coefficient with items weighted by 1 / probability"),
    Figure(
        "standard_error",
        "of a weighted sample, linearized, with probabilities taken as known: "
        "``sqrt(n / (n - 1) sum (w (g - gbar))^2)`` over the n items that count, w their weights, "
        "g the derivative by each and gbar its weighted mean",
    ),
    Figure(
        "ci_low",
        "lower end, by Student's t with n - 1 degrees of freedom, within the range; no nearer than "
        "that of ``unweighted`` with as many items as the weights are worth",
    ),
    Figure("ci_high", "upper end, likewise"),
    Figure("unweighted", "the coefficient as it is", beside=("standard_error", *ENDS)),
    Figure("rated_items", "items with two ratings or more", "count"),
    Figure("effective_items", "``(sum w)^2 / sum w^2`` of these (Kish 1965)", "short"),
    Figure("largest_weight", "as a multiple of their mean", "short"),
)
"""Of weighted items."""

GROUPS = (
    Figure("items", "items of the group", "count", "Items"),
    Figure("rated", "of these, with two ratings or more", "count", "Rated"),
    Figure("probability", "of being rated", "share", "Probability"),
)
"""Along the groups of ``by``."""

IN_JSON = {
    "deltas": CURVE,
    "": SCALARS,
    "inverse_probability": WEIGHTED,
    "inverse_probability.groups": GROUPS,
}
"""The figures of each part of the JSON record, by its name."""
