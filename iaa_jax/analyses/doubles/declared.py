"""Declarations of the variables of results on secondary labels."""

from __future__ import annotations

from iaa_jax.wording.figures import ERROR_AND_ENDS, Figure

POINTS = (
    Figure("estimate", "the coefficient at this p", heading="Estimate"),
    Figure("observed", "observed agreement"),
    Figure("expected", "agreement expected by chance"),
    Figure("standard_error", "standard error of the estimate, at this p only"),
    Figure("ci_low", "lower end of the interval at this p only"),
    Figure("ci_high", "upper end of the interval at this p only"),
    Figure("band_low", "lower end of a band for all p together"),
    Figure("band_high", "upper end of a band for all p together"),
    Figure("ceiling", "observed agreement if both annotators of each pair gave the same ratings"),
    Figure(
        "estimate_at_ceiling",
        "the estimate at this observed agreement",
        heading="Ceiling",
        footnote="the estimate if both annotators of each pair gave the same ratings.",
    ),
    Figure(
        "share_of_ceiling",
        "``estimate`` divided by ``estimate_at_ceiling``; for two annotators this is augmented "
        "kappa normalized by its ceiling",
    ),
    Figure("code", "code for why the estimate is undefined; 0 if it is defined", "count"),
    Figure("reason", "the code in words", "text"),
    Figure("undefined_replicates", "replicates in which the estimate is undefined", "count"),
)
"""Variables along p, and along labels if the coefficient has an estimate for each label."""

CURVE = (
    Figure("maximum", "the largest estimate", heading="Largest"),
    Figure(
        "p_at_maximum", "the p of the maximum, the largest p if several have it", "short", "at p"
    ),
    Figure("at_one", "the estimate at p = 1"),
    Figure("at_half", "the estimate at p = 0.5"),
    Figure("change", "``at_half - at_one``", "signed", "Change", ERROR_AND_ENDS),
    Figure(
        "band_factor", "number of standard errors from the estimate to an end of the band", "short"
    ),
)
"""Variables of the whole curve, or along labels."""

DOUBLES = (
    Figure("doubles", "ratings with two labels", "count"),
    Figure("double_share", "share of ratings with two labels among all ratings", "share"),
)
"""Variables without an axis, for all ratings."""

READINGS = (Figure("class_count", "items of each class", "count"),)
"""Variables along readings (literal and normalised, see `item_classes`) and classes."""

ITEMS = (
    Figure("estimate", "augmented kappa of the item (K'_i) at each p; NaN without two ratings"),
    Figure("agreement", "mean credit of the item's pairs (A_i) at each p; NaN without two ratings"),
)
"""Variables along items and p."""

EXPECTED = (Figure("expected", "the chance agreement of all ratings (E)"),)
"""Variables along p."""

CUTS = (
    Figure("items_above", "items above the cut-off, at each p", "count"),
    Figure("share_above", "share of items above the cut-off among items with two ratings", "share"),
)
"""Variables along cut-offs and p."""

CLASSED = (
    Figure("at_half", "augmented kappa of the item at p = 0.5, by reading"),
    Figure("at_one", "augmented kappa of the item at p = 1, by reading"),
    Figure("delta", "``at_one - at_half``", "signed"),
    Figure("item_class", "class of the item, 1 to 4; 0 for fewer than two ratings", "count"),
    Figure("moved", "whether the class depends on the reading", "word"),
)
"""Variables along items; all but the last are also along readings."""

CLASSES = (
    Figure("count", "items of the class, by reading", "count"),
    Figure("share", "share of the class among items with two ratings", "share", "Share"),
)
"""Variables along classes and readings."""

PATTERNS = (
    Figure("pairs", "pairs of ratings of an item that have the pattern", "count", "Pairs"),
    Figure("share", "share of the pattern among all pairs", "share", "Share"),
    Figure("polynomial", "credit of the pattern, as a polynomial in p", "word", "Credit"),
    Figure("credit", "credit of the pattern at each p"),
)
"""Variables along patterns; the last is also along p."""

MEAN_CREDIT = (
    Figure("mean_credit", "mean credit of all pairs; with two annotators the observed agreement"),
)
"""Variables along p."""

LABEL_PAIRS = (
    Figure("first", "a label", "label", "First"),
    Figure("second", "another label", "label", "Second"),
    Figure("ratings", "doubles of these two labels", "count", "Ratings"),
    Figure("first_is_primary", "doubles of the pair with ``first`` as the primary label", "count"),
    Figure("share", "share of the pair among all doubles", "share"),
    Figure(
        "items", "items with two ratings or more, among them a double of the pair", "count", "Items"
    ),
    Figure("class_4_items", "items among these in class 4, by the literal reading", "count"),
    Figure("class_4_share", "share of these items that are in class 4", "share", "Class 4"),
    Figure(
        "gain",
        "gain of augmented kappa at each p if the pair is promoted (of Fleiss' kappa for ratings "
        "without annotators)",
        "signed",
    ),
)
"""Variables along pairs of labels, the most frequent first; the last is also along p."""

BEFORE = (Figure("estimate", "the coefficient before a pair is promoted"),)
"""Variables along p."""

IN_JSON = {
    "curve.points": POINTS,
    "curve": (*CURVE, *DOUBLES),
    "curve.readings": READINGS,
    "curve.labels": CURVE,
    "classes.items": CLASSED,
    "classes.item_class_numbers": CLASSES,
    "items.items": ITEMS,
    "items.points": EXPECTED,
    "items.cuts": CUTS,
    "patterns.patterns": PATTERNS,
    "patterns.points": MEAN_CREDIT,
    "label_pairs.pairs": LABEL_PAIRS,
    "label_pairs.points": BEFORE,
}
"""Variables of each part of the JSON record, by the name of the part."""
