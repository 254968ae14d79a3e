"""What a coefficient on ratings gives: its figures, declared once."""

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
        "doubt", "why the interval may hold less often than it says: the code of a note", "word"
    ),
    Figure("weights", "how labels agree", "word", "Weights"),
    Figure("level", "the metric of Krippendorff's alpha", "word", "Level"),
    Figure("note", "what is noted of the coefficient", "text"),
    Figure("pairs", "annotator pairs of a pairwise mean; -1 for others, null in JSON", "count"),
    Figure("undefined_pairs", "of these, without a figure; likewise", "count"),
)
"""Of each coefficient."""

SAID = ("weights", "level")
"""Those that facts and captions say: tables have them in files alone."""

BEHIND = ("observed", "expected", *SAID)
"""Those that only files have, where a table is of groups, labels or spans."""

IN_GROUPS = tuple(figure for figure in FIGURES if figure.name != "doubt")
"""Of each coefficient in a group, of a label or of items: few ones are said in a note."""

OF_GROUPS = (
    Figure("group_items", "items of the group", "count", "Items"),
    Figure("group_pairable_items", "of these, with two ratings or more", "count"),
    Figure("group_ratings", "their ratings", "count", "Ratings"),
)
"""Of each group."""
