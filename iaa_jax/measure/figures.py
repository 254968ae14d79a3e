"""The variables of a result that describe a coefficient (figures), each declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

FIGURES = (
    Figure("estimate", "the coefficient", heading="Estimate"),
    Figure("observed", "observed agreement", heading="Observed"),
    Figure("expected", "agreement expected by chance", heading="Expected"),
    Figure(
        "standard_error",
        "standard error; NaN with fewer than two pairable items",
        heading="SE",
    ),
    Figure("ci_low", "lower end of the interval"),
    Figure("ci_high", "upper end of the interval"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("interval", "kind of interval", "word"),
    Figure("random", 'what was random, as "items" or "items and annotators"', "word"),
    Figure(
        "doubt", "code of a note on why the interval may cover less often than it claims", "word"
    ),
    Figure("weights", "how labels agree", "word", "Weights"),
    Figure("level", "the metric of Krippendorff's alpha", "word", "Level"),
    Figure("note", "notes on the coefficient", "text"),
    Figure(
        "pairs",
        "annotator pairs in a pairwise mean; -1 for other coefficients (JSON null)",
        "count",
    ),
    Figure(
        "undefined_pairs",
        "pairs whose figure is undefined; -1 for other coefficients (JSON null)",
        "count",
    ),
)

SAID = ("weights", "level")
"""Figures that pages state in sentences. Only files have columns for them."""

BEHIND = ("observed", "expected", *SAID)
"""Figures of groups, labels or spans for which only files have columns."""

IN_GROUPS = tuple(figure for figure in FIGURES if figure.name != "doubt")
"""The figures of a coefficient in a group, for a label or on some items. "doubt" is not among them,
because notes state it."""

OF_GROUPS = (
    Figure("group_items", "items of the group", "count", "Items"),
    Figure("group_pairable_items", "items of the group with two ratings or more", "count"),
    Figure("group_ratings", "ratings of the group", "count", "Ratings"),
)
