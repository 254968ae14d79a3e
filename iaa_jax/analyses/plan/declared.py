"""The variables of plans, looks at the data and variance components, declared once."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.wording.figures import Figure

_ENDS = ("low", "high")

DESIGNS = (
    Figure("standard_error", "standard error of the coefficient, by the formula"),
    Figure("half_width", "half-width that a share ``assurance`` of samples does not exceed"),
    Figure("ratings", "ratings of the design", "count"),
    Figure("cost", "cost of the design's items and ratings", "count"),
    Figure("reaches_half_width", "whether ``half_width`` is at most the target", "word"),
    Figure("power", "power to rule ``null`` out, if the pilot's estimate is the true value"),
    Figure("assured_power", "power that the design has with the probability ``assurance``"),
    Figure("reaches_power", "whether ``assured_power`` is at least the target", "word"),
)
"""Variables along items and annotators."""

SIMULATED = (
    Figure("simulated_standard_error", "standard deviation of the coefficient over simulated sets"),
    Figure("simulated_estimate", "mean of the coefficient over simulated sets"),
    Figure("simulated_half_width", "mean half-width, with the same allowance as ``half_width``"),
    Figure(
        "simulated_share",
        "share of sets whose half-width is at most the target, if the pilot's spread is the true "
        "one",
        "share",
    ),
    Figure(
        "simulated_power",
        "share of sets that rule ``null`` out, if the pilot's estimate is the true value",
    ),
    Figure(
        "simulated_assured_power",
        "share of sets that rule ``null`` out, if the true value is as low as ``assurance`` allows",
    ),
    Figure("simulated_on_model", "1 if the sets are from a model, not from the pilot", "count"),
    Figure(
        "simulated_differs",
        "1 if a figure differs from the formula by more than two Monte-Carlo errors plus 5 % (.02 "
        "for a power)",
        "count",
    ),
)
"""Variables of simulated designs, along items and annotators."""

NEEDS = (
    Figure(
        "items_planned",
        "items that reach the goal with probability ``assurance``",
        "count",
        "Items",
    ),
    Figure("ratings_planned", "ratings of the planned items", "count", "Ratings"),
    Figure("cost_planned", "cost of the planned items and their ratings", "count", "Cost"),
    Figure("items_needed", "items if the pilot's figures are the true ones", "count", beside=_ENDS),
)
"""Variables along annotators; with two goals, also for each goal alone."""

ANNOTATORS = (
    Figure("variance", "variance V(m) that an item with this number of ratings contributes"),
    Figure(
        "simulation_disagrees",
        "whether the simulation of planned items differs from the formula",
        "word",
    ),
    Figure(
        "annotators_in_all", "with random annotators, number of annotators for all items", "count"
    ),
)
"""Variables along annotators."""

PILOT = (
    Figure("estimate", "the coefficient of the pilot"),
    Figure("pilot_standard_error", "standard error of the pilot's coefficient"),
    Figure("pilot_half_width", "half the width of the pilot's interval from `iaa_jax.agreement`"),
    Figure("pilot_low", "lower end of the pilot's interval"),
    Figure("pilot_high", "upper end of the pilot's interval"),
    Figure("pilot_items", "items of the pilot with two ratings or more", "count"),
    Figure("pilot_annotators", "ratings per item, on average", "short", beside=("fewest", "most")),
    Figure(
        "planned_annotators",
        "a single ``per_item``, or else ``pilot_annotators`` as a whole number; here m",
        "count",
    ),
    Figure("needed_annotators", "annotators per item needed with the pilot's items alone", "count"),
)
"""Variables of the pilot."""

NEEDED = (
    Figure(
        "planned_items",
        "items with m annotators each that reach the goal with ``assurance``",
        "count",
    ),
    Figure(
        "needed_items",
        "items with m annotators each, if the pilot's figures are the true ones",
        "count",
        beside=_ENDS,
    ),
)
"""Variables of the plan; with two goals, also for each goal alone."""

CHEAPEST = (
    Figure("best_items", "items of the cheapest design of the table", "count"),
    Figure("best_annotators", "annotators per item of the cheapest design", "count"),
    Figure("best_cost", "cost of the cheapest design", "count"),
)
"""The cheapest design: among those for which formula and simulation agree, or among all."""

VARIED = (
    Figure(
        "between_share", "share of the pilot's V that only more items reduce", "share", beside=_ENDS
    ),
    Figure(
        "enough_annotators",
        "annotators per item beyond which one more saves less than 5 % of the items",
        "count",
    ),
)
"""Variables of pilots with varied numbers of annotators."""

CERTAINTY = (
    Figure(
        "half_width_doubt",
        "spread of the logarithm of the planned half-width over replicates of the pilot; above "
        ".21 the pilot is too small",
    ),
    Figure(
        "heavy_items",
        "items with at least five times the median number of ratings, if they are few",
        "count",
    ),
    Figure("heavy_ratings", "lowest number of ratings of a heavy item", "count"),
    Figure("heavy_usual", "median number of ratings of an item", "count"),
    Figure("heavy_share", "share of V from these items; from .5 on they decide it", "share"),
    Figure("telling_items", "effective number of units in V, ``(sum U^2)^2 / sum U^4``", "short"),
    Figure(
        "times_wider",
        "ratio of the width of the planned items' interval to the width that its standard error "
        "implies; above 1.5 the pilot is too small",
    ),
    Figure("wanted_items", "items that a conclusive pilot needs", "count"),
    Figure("wanted_annotators", "annotators that a conclusive pilot needs", "count"),
    Figure(
        "pilot_degrees",
        "degrees of freedom of the pilot's error; below 22 the pilot is too small",
        "short",
    ),
)
"""Variables that show whether the pilot is informative enough."""

CLUSTERS = Figure("planned_clusters", "clusters of the planned items", "count")

SAMPLED = (
    Figure("pilot_clusters", "clusters of the pilot", "count"),
    CLUSTERS,
    Figure(
        "pilot_annotators_in_all",
        "with random annotators, the pilot's number of annotators",
        "count",
    ),
    Figure("from_annotators", "share of the squared error due to random annotators", "share"),
    Figure("annotators_half_width", "half-width that remains however many items there are"),
    Figure("fewest_annotators", "minimum number of annotators that can reach the goal", "count"),
    Figure("more_annotators", "a quarter more than ``fewest_annotators``", "count"),
    Figure("more_per_item", "annotators per item with ``more_annotators``", "count"),
    Figure("items_of_more", "planned items with ``more_annotators``", "count"),
)
"""Variables with clusters or random annotators."""

LOOKS = (
    Figure("fraction", "share of the information at the look", "share"),
    Figure("z", "boundary of the look; infinite if hardly any error may be spent"),
    Figure("p_value", "two-sided p-value below which the look is significant", "p"),
    Figure("spent", "error spent up to the look, out of alpha"),
    Figure("reach", "half-width of the interval in standard errors: 1.05 z, or z for one look"),
    Figure("confidence", "``2 Phi(reach) - 1``, the level of the interval of the look", "short"),
    Figure(
        "replicates",
        "replicates for the interval, so that 20 lie beyond each end; NaN (and no interval) if "
        "this takes more than a million",
        "count",
    ),
    Figure("items", "items at the look", "count", "Items"),
)
"""Variables along looks."""

HALF_WIDTHS = (
    Figure("half_width", "half-width of the interval of the look", heading="Interval ±"),
    Figure(
        "single_half_width", "half-width if this is the only look", heading="± if the only look"
    ),
)
"""Further variables along the looks of a plan."""

COMPONENTS = (
    Figure("variance", "the component as estimated, perhaps below 0", heading="Variance"),
    Figure(
        "share",
        "share of the sum of components; here and below, negative components count as 0",
        "share",
        "Share",
    ),
    Figure(
        "standard_error",
        "root of the sum of the squares of ``error_from_items`` and ``error_from_annotators``",
        heading="SE",
        footnote=(
            "standard error, from leaving out one item or one annotator at a time; rough for "
            "few annotators."
        ),
    ),
    Figure("error_from_items", "standard error, by leaving out one item at a time"),
    Figure(
        "error_from_annotators",
        "standard error, by leaving out one annotator at a time; NaN for two annotators",
    ),
)
"""Variables along components."""

MEANS = (
    Figure(
        "relative_error",
        "error variance between items that the same annotators rated, ``s_e / k``",
        heading="Relative error",
        footnote="error variance of an item's mean if the same annotators rate all items.",
    ),
    Figure(
        "absolute_error",
        "error variance of the mean of k annotators, ``(s_a + s_e) / k``",
        heading="Absolute error",
        footnote="error variance of an item's mean if annotators differ between items.",
    ),
    Figure("generalizability", "s_i / (s_i + relative error)", heading="Relative (G)"),
    Figure("dependability", "s_i / (s_i + absolute error)", heading="Absolute (Phi)"),
)
"""Variables along annotators.

s_i, s_a and s_e are the components of items, annotators and the rest; k counts annotators.
"""

FORECASTS = (
    Figure(
        "mean_error",
        "error variance of the overall mean, ``s_i / n + s_a / k + s_e / (n k)``",
        heading="Error variance",
        footnote="of the mean over all items and annotators.",
    ),
    Figure("ratings", "ratings of the design", "count", "Ratings"),
    Figure("cost", "cost of the design's items and ratings", "count", "Cost"),
    Figure(
        "half_width",
        "half-width of the coefficient's interval, from the standard error of `iaa_jax.plan`, "
        "without a plan's allowance for its uncertainty; NaN if it is unknown",
        heading="Half-width",
    ),
)
"""Variables along items and annotators."""

DEPENDABILITY = (
    Figure(
        "needed_annotators",
        "minimum number of annotators that reach the target; NaN if none do",
        "count",
    ),
    Figure("pilot_items", "items of the ratings", "count"),
    Figure("pilot_annotators", "annotators per item on average", "short"),
    Figure("pilot_dependability", "dependability of the mean of ``pilot_annotators``"),
    Figure(
        "repeated_cells", "pairs of an item and an annotator who rated it more than once", "count"
    ),
)
"""Variables of the whole result."""


def figures_by_goal(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """Return the figures for each goal alone, with names that end in the goal.

    Examples
    --------
    >>> [figure.name for figure in figures_by_goal((CLUSTERS,))]
    ['planned_clusters_half_width', 'planned_clusters_null']
    """
    return tuple(
        replace(
            figure,
            name=f"{figure.name}_{goal}",
            meaning=f"{figure.meaning}, for ``{goal}`` alone",
        )
        for goal in ("half_width", "null")
        for figure in figures
    )


OF_PLANNED_LOOKS = tuple(
    replace(figure, name=f"look_{figure.name}") for figure in (*LOOKS, *HALF_WIDTHS)
)

OF_PLAN = {
    "items": (*DESIGNS, *SIMULATED),
    "annotators": (*NEEDS, *figures_by_goal(NEEDS), *ANNOTATORS),
    "looks": OF_PLANNED_LOOKS,
    "": (
        *PILOT,
        *(*NEEDED, *figures_by_goal(NEEDED)),
        *(*CHEAPEST, *VARIED, *CERTAINTY, *SAMPLED),
        *figures_by_goal((CLUSTERS,)),
    ),
}
OF_VARIANCE = {
    "components": COMPONENTS,
    "annotators": MEANS,
    "items": FORECASTS,
    "": DEPENDABILITY,
}

IN_JSON: dict[str, tuple[Figure, ...]] = {}
"""Variables that the JSON records of both commands share (none)."""

IN_JSON_OF = {"iaa plan": OF_PLAN, "iaa variance": OF_VARIANCE}
