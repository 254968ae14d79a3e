"""Declarations of the variables of sharpening (annotators and items are weighted in turn)."""

from __future__ import annotations

from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

_OVER_REPLICATES = (*ERROR_AND_ENDS, "undefined_replicates")

ANNOTATORS = (
    Figure(
        "annotator_weight",
        "how much the annotator's votes count; 1 on average",
        heading="Weight",
        beside=_OVER_REPLICATES,
        footnote=MEANT,
    ),
    Figure(
        "kappa",
        "kappa with the others, before the floor",
        heading="Kappa",
        beside=_OVER_REPLICATES,
        footnote=(
            "with the weighted group of all other annotators; below {epsilon:short} it counts as "
            "{epsilon:short}."
        ),
    ),
    Figure("on_floor", "whether kappa is below the floor, which then decides the weight", "word"),
    Figure("ratings", "ratings that the annotator gave", "count"),
    Figure(
        "shared_items",
        "items that others rated too; without such items, the weight is 1",
        "count",
        "Shared items",
    ),
)
"""Variables along annotators."""

ITEMS = (
    Figure(
        "gold",
        "the most probable label, or the first of tied labels; for sets the labels "
        'joined by " + "; "" without a rating',
        "label",
        "Gold",
    ),
    Figure("certainty", "probability of the gold label", heading="Certainty"),
    Figure("tied", "whether other labels have the same probability", "word"),
    Figure("votes", "ratings of the item", "count", "Votes"),
    Figure(
        "item_weight",
        "concentration of the probabilities of labels (for sets the mean over labels); NaN with "
        "one rating",
        heading="Item weight",
        footnote="1 if the weighted labels agree, 0 if all labels are equally frequent.",
    ),
)
"""Variables along items."""

PROBABILITY = (Figure("probability", "probability of each label, by weighted ratings"),)
"""Variables along items and labels."""

ITERATIONS = (
    Figure("weight_trace", "weights of the annotators after each step; equal at the start"),
    Figure("residual", "largest change of a weight by a full step"),
)
"""Variables along steps; ``weight_trace`` is also along annotators."""

WEIGHTINGS = (
    Figure(
        "agreement",
        'the coefficient with these weights: "equal", "annotators", "annotators_and_items"',
        heading="Agreement",
        beside=(*ERROR_AND_ENDS, "interval", "undefined_replicates"),
    ),
    Figure(
        "change",
        "change of the coefficient from equal weights, on the same replicates",
        "signed",
        "Change",
        beside=_OVER_REPLICATES,
    ),
    Figure("code", "code for why the coefficient is undefined; 0 if it is defined", "count"),
    Figure("reason", "the code in words", "text"),
)
"""Variables along weightings: equal weights, weights of annotators, and also weights of items."""

SCALARS = (
    Figure("iterations", "number of steps", "count", "Steps"),
    Figure(
        "status",
        '"converged", or "max_iter" (the weights are then those with the smallest residual)',
        "word",
        "Status",
    ),
)
"""Variables of the whole result."""

SETTINGS = (
    *SCALARS,
    Figure(
        "changed_items",
        "items whose label differs from the first setting",
        "count",
        "Changed items",
        footnote=MEANT,
    ),
)
"""Variables along settings."""

WEIGHTS = (
    Figure("annotator_weight", "weight of the annotator, 1 on average"),
    Figure("kappa", "kappa with the others, before the floor"),
)
"""Variables along settings and annotators."""

EXTREMES = (
    Figure("lowest_weight", "lowest weight over all settings"),
    Figure("highest_weight", "highest weight over all settings"),
)
"""Variables along annotators, over all settings."""

LABELS = (Figure("gold", "the gold label in the setting", "label"),)
"""Variables along settings and items."""

STEADY = (Figure("steady", "whether the gold label is the same in all settings", "word"),)
"""Variables along items, over all settings."""


IN_JSON = {
    "annotators": ANNOTATORS,
    "items": (*ITEMS, *PROBABILITY),
    "trace": ITERATIONS,
    "weightings": WEIGHTINGS,
    "": SCALARS,
}
"""Variables of each part of the JSON record, by name."""
