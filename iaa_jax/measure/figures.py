"""The figures of a coefficient on ratings, declared once."""

from __future__ import annotations

from iaa_jax.wording.figures import Figure

FIGURES = (
    Figure("estimate", "the coefficient", heading="Estimate"),
    Figure("observed", "observed agreement", heading="Observed"),
    Figure("expected", "agreement expected by chance", heading="Expected"),
    Figure(
        "standard_error",
        "infinitesimal jackknife, with fewer than two pairable items none",
        heading="SE",
    ),
    Figure("ci_low", "lower end of the interval"),
    Figure("ci_high", "upper end of the interval"),
    Figure("code", "why the estimate is undefined; 0 where it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("undefined_replicates", "replicates in which the coefficient is undefined", "count"),
    Figure("interval", "how the interval was made", "word"),
    Figure("random", 'what was random, as "items" or "items and annotators"', "word"),
    Figure(
        "doubt", "why the interval may cover less often than it claims: the code of a note", "word"
    ),
    Figure("weights", "how labels agree", "word", "Weights"),
    Figure("level", "the metric of Krippendorff's alpha", "word", "Level"),
    Figure("note", "notes on the coefficient", "text"),
    Figure("pairs", "annotator pairs of a pairwise mean; -1 for others, null in JSON", "count"),
    Figure("undefined_pairs", "of these, without a figure; likewise", "count"),
)
"""The figures of each coefficient."""

SAID = ("weights", "level")
"""Figures that facts and captions mention; in tables, only files have them."""

BEHIND = ("observed", "expected", *SAID)
"""Figures that only files have, in tables of groups, labels or spans."""

IN_GROUPS = tuple(figure for figure in FIGURES if figure.name != "doubt")
"""The figures of each coefficient in a group, for a label or on some items; notes name doubts."""

OF_GROUPS = (
    Figure("group_items", "items of the group", "count", "Items"),
    Figure("group_pairable_items", "of these, with two ratings or more", "count"),
    Figure("group_ratings", "their ratings", "count", "Ratings"),
)
"""The figures of each group."""
