"""Figures of plans, looks and variance components, declared once."""

from __future__ import annotations

from dataclasses import replace

from iaa_jax.wording.figures import Figure

_ENDS = ("low", "high")

DESIGNS = (
    Figure("standard_error", "of the coefficient, by the formula"),
    Figure("half_width", "half-width that a sample keeps with the chance ``assurance``"),
    Figure("ratings", "ratings of the design", "count"),
    Figure("cost", "cost of its items and ratings", "count"),
    Figure("reaches_half_width", "whether that half-width is at most the target", "word"),
    Figure("power", "to rule ``null`` out, if the pilot's estimate is the true value"),
    Figure("assured_power", "power that a sample has with the chance ``assurance``"),
    Figure("reaches_power", "whether that power is the target or more", "word"),
)
"""Figures along items and annotators."""

SIMULATED = (
    Figure("simulated_standard_error", "standard deviation of the coefficient over simulated sets"),
    Figure("simulated_estimate", "mean of the coefficient over these"),
    Figure("simulated_half_width", "mean half-width, with the same allowance"),
    Figure(
        "simulated_share",
        "share of sets whose half-width is at most the target, if the pilot's spread is the true "
        "one",
        "share",
    ),
    Figure("simulated_power", "share of sets that rule ``null`` out, if the pilot is right"),
    Figure("simulated_assured_power", "that share where the true value is as low as is assured"),
    Figure("simulated_on_model", "1 for sets that are not of the pilot's own ratings", "count"),
    Figure(
        "simulated_differs",
        "1 where it differs from the formula by more than 5 %, or a power by more than .02, and "
        "two Monte-Carlo errors",
        "count",
    ),
)
"""Figures along items and annotators, NaN for designs that were not simulated."""

NEEDS = (
    Figure("items_planned", "items that keep the goal with ``assurance``", "count", "Items"),
    Figure("ratings_planned", "their ratings", "count", "Ratings"),
    Figure("cost_planned", "their cost", "count", "Cost"),
    Figure("items_needed", "items if the pilot's figures are the true ones", "count", beside=_ENDS),
)
"""Figures along annotators; with both ``half_width`` and ``null``, also for each goal alone."""

ANNOTATORS = (
    Figure("variance", "of an item with so many ratings, V(m)"),
    Figure("doubted", "whether the simulation of planned items differs from the formula", "word"),
    Figure("annotators_in_all", "with random annotators, how many for all items", "count"),
)
"""Figures along annotators."""

PILOT = (
    Figure("estimate", "the coefficient of the pilot"),
    Figure("pilot_standard_error", "its standard error"),
    Figure("pilot_half_width", "half the width of its interval, which `iaa_jax.agreement` gives"),
    Figure("pilot_low", "lower end of that interval"),
    Figure("pilot_high", "upper end of that interval"),
    Figure("pilot_items", "items of the pilot that somebody rated", "count"),
    Figure("pilot_annotators", "ratings per item, on average", "short", beside=("fewest", "most")),
    Figure("planned_annotators", "the whole number nearest to that, here m", "count"),
    Figure("needed_annotators", "annotators per item needed with the pilot's items alone", "count"),
)
"""Figures of the pilot."""

NEEDED = (
    Figure("planned_items", "items, m each, that keep the goal with ``assurance``", "count"),
    Figure("needed_items", "items, m each, if the pilot is right", "count", beside=_ENDS),
)
"""Figures of the plan; with both ``half_width`` and ``null``, also for each goal alone."""

CHEAPEST = (
    Figure("best_items", "items of the cheapest design of the table", "count"),
    Figure("best_annotators", "its annotators per item", "count"),
    Figure("best_cost", "its cost", "count"),
)
"""The cheapest design, among those on which formula and simulation agree."""

VARIED = (
    Figure("between_share", "share of the pilot's V that only items reduce", "share", beside=_ENDS),
    Figure("enough_annotators", "annotators after whom one more saves under 5 % of items", "count"),
)
"""Where the number of annotators can be varied."""

CERTAINTY = (
    Figure(
        "half_width_doubt",
        "how far the logarithm of the planned half-width varies over draws of the pilot; above "
        ".21 the pilot cannot tell how many items it takes",
    ),
    Figure("heavy_items", "the few items with five times others' ratings or more, or NaN", "count"),
    Figure("heavy_ratings", "the fewest ratings of these", "count"),
    Figure("heavy_usual", "ratings of the item in the middle", "count"),
    Figure("heavy_share", "their share of V; from .5 on the pilot cannot tell", "share"),
    Figure("telling_items", "units the variance stands on, ``(sum U^2)^2 / sum U^4``", "short"),
    Figure(
        "times_wider",
        "how many times as wide the interval of the planned items is as its standard error says; "
        "above 1.5 the pilot cannot tell",
    ),
    Figure("wanted_items", "items of a pilot that could tell", "count"),
    Figure("wanted_annotators", "annotators of such a pilot", "count"),
    Figure("pilot_degrees", "degrees of freedom of its error; below 22 it cannot tell", "short"),
)
"""Whether the pilot is informative enough."""

CLUSTERS = Figure("planned_clusters", "clusters of the planned items", "count")

SAMPLED = (
    Figure("pilot_clusters", "clusters of the pilot", "count"),
    CLUSTERS,
    Figure("pilot_annotators_in_all", "with random annotators, those of the pilot", "count"),
    Figure("from_annotators", "share of the squared standard error that they bring", "share"),
    Figure("annotators_half_width", "half-width that they leave open however many the items"),
    Figure("fewest_annotators", "fewest annotators with which the goal is in reach", "count"),
    Figure("more_annotators", "a quarter more of them", "count"),
    Figure("more_per_item", "annotators per item then", "count"),
    Figure("items_of_more", "items that are planned then", "count"),
)
"""With clusters or random annotators."""

LOOKS = (
    Figure("fraction", "share of the information at the look", "share"),
    Figure("z", "the boundary; infinite where hardly anything may be spent"),
    Figure("p_value", "two-sided, below which the look is significant", "p"),
    Figure("spent", "error spent so far, of alpha in all"),
    Figure("reach", "how far the interval reaches, in standard errors: 1.05 z; with one look z"),
    Figure("confidence", "``2 Phi(reach) - 1``, the level of the interval of the look", "short"),
    Figure(
        "replicates",
        "replicates that its ends take, 20 beyond each; NaN where that is more than a million: the "
        "look has no interval",
        "count",
    ),
    Figure("items", "items at the look", "count", "Items"),
)
"""Figures along looks."""

HALF_WIDTHS = (
    Figure("half_width", "half-width of the interval of the look", heading="Interval ±"),
    Figure("single_half_width", "half-width if it is looked at once", heading="± if the only look"),
)
"""Further figures along the looks of a plan."""

COMPONENTS = (
    Figure("variance", "of the component as estimated, perhaps below 0", heading="Variance"),
    Figure("share", "of the sum, those below 0 as 0, as in all that follows", "share", "Share"),
    Figure(
        "standard_error",
        "``error_from_items`` and ``error_from_annotators``, squared and added",
        heading="SE",
        footnote=(
            "standard error, leaving out one item and one annotator at a time; rough for "
            "few annotators."
        ),
    ),
    Figure("error_from_items", "by leaving out one item at a time"),
    Figure("error_from_annotators", "by leaving out one annotator; NaN for two of them"),
)
"""Figures along components."""

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
    Figure("generalizability", "share of s_i in s_i + relative error", heading="Relative (G)"),
    Figure("dependability", "share of s_i in s_i + absolute error", heading="Absolute (Phi)"),
)
"""Figures along annotators."""

FORECASTS = (
    Figure(
        "mean_error", "overall: ``s_i / n + s_a / k + s_e / (n k)``", heading="Error of the mean"
    ),
    Figure("ratings", "ratings of the design", "count", "Ratings"),
    Figure("cost", "cost of its items and ratings", "count", "Cost"),
    Figure(
        "half_width",
        "half-width of the coefficient, from the standard error of `iaa_jax.plan`, as if that were "
        "known (a plan allows for what is not); NaN where it has none",
        heading="Half-width",
    ),
)
"""Figures along items and annotators."""

DEPENDABILITY = (
    Figure("needed_annotators", "annotators that reach the target; NaN for none", "count"),
    Figure("pilot_items", "items of the ratings", "count"),
    Figure("pilot_annotators", "annotators per item on average", "short"),
    Figure("pilot_dependability", "dependability of the mean of so many"),
    Figure("repeated_cells", "items that an annotator rated again", "count"),
)
"""Figures of the whole result."""


def figures_by_goal(figures: tuple[Figure, ...]) -> tuple[Figure, ...]:
    """Return the figures for each of two goals alone, named by the ending of the goal.

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
"""Figures of JSON records that both commands share: none."""

IN_JSON_OF = {"iaa plan": OF_PLAN, "iaa variance": OF_VARIANCE}
"""Figures of the JSON record of each command."""
