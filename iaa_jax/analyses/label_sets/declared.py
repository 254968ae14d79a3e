"""Declarations of the variables of `iaa_jax.label_sets` and `iaa_jax.per_label`."""

from __future__ import annotations

from iaa_jax.measure.figures import IN_GROUPS
from iaa_jax.wording.figures import ERROR_AND_ENDS, MEANT, Figure

COEFFICIENTS = IN_GROUPS
"""Variables of each coefficient, as in `iaa_jax.agreement_by`."""

ITEMS = (
    Figure("item_agreement", "mean agreement of the item's pairs; NaN for fewer than two ratings"),
    Figure("item_ratings", "ratings of the item", "count"),
    Figure("single_label", "whether every rating has exactly one label", "word"),
    Figure("no_majority", "whether no label has more than half of the ratings", "word"),
    Figure("majority_empty", 'whether more than half chose no label: the answer is "none"', "word"),
)
"""Variables along items."""

BY_LABEL = (
    Figure("votes", "share of the ratings with the label", "share"),
    Figure("majority", "whether this share is more than half", "word"),
    Figure("tied", "whether this share is exactly half", "word"),
)
"""Variables along items and labels."""

BANDS = (
    Figure("band_low", "lower end of the band"),
    Figure("band_high", "upper end of the band"),
    Figure("band_items", "items in the band", "count"),
    Figure("band_share", "share of items in the band", "share", "Share"),
    Figure("band_standard_error", "standard error of this share"),
    Figure("band_ci_low", "lower end of the share's interval"),
    Figure("band_ci_high", "upper end of the share's interval"),
    Figure("band_interval", "kind of the share's interval", "word"),
    Figure(
        "band_single_label",
        "share of the band's items with one label per rating",
        "share",
        "One label each",
    ),
)
"""Variables along bands."""

BINS = (
    Figure("bin_low", "lower end of the bin"),
    Figure("bin_high", "upper end of the bin"),
    Figure("bin_items", "items in the bin", "count"),
)
"""Variables along bins."""

ANNOTATORS = (
    Figure(
        "expert_coder_index",
        "mean agreement with the other annotators",
        heading="Expert Coder Index",
    ),
    Figure("compared_annotators", "number of these other annotators", "count", "Compared with"),
    Figure("pair_agreement", "agreement of the two annotators"),
    Figure("pair_items", "items that both annotators rated", "count"),
)
"""Variables along annotators, if they are known; the last two are also along other annotators."""

USERS = (
    Figure(
        "given",
        "share of the annotator's ratings that have the label, on items with three or more "
        "ratings; on items with two ratings if no item has three, or if the annotator had four or "
        "more partners",
        "share",
    ),
    Figure(
        "given_by_others",
        "share of the other annotators' ratings of the same items that have the label",
        "share",
    ),
    Figure(
        "given_p_value",
        "two-sided p-value of no difference between the two shares, by a bound on sums of random "
        "signs; for annotators with one partner per item also without the partner who differs most",
    ),
)
"""Variables along annotators and labels."""

LABEL_PAIRS = (
    Figure("first_label", "a label", "label"),
    Figure("second_label", "another label", "label"),
    Figure(
        "pair_disagreement",
        "1 minus the agreement on the two labels together; higher for frequent labels",
        heading="Disagreement",
        footnote=MEANT,
    ),
    Figure(
        "pair_standard_error", "standard error over items; NaN if clusters or annotators are random"
    ),
    Figure(
        "swapped_items",
        "items on which one annotator has only the first and another only the second",
        "count",
        "Items swapped",
        footnote="one annotator gives only the first label, another only the second.",
    ),
    Figure(
        "swapped_alone_items",
        "such items on which the two annotators differ in no other label",
        "count",
    ),
    Figure("swapped_pairs", "such pairs of annotators, counted on every item", "count"),
    Figure(
        "swapped_share",
        "share that swap the labels, among pairs of annotators of whom at least one gives exactly "
        "one of the two labels",
        "share",
        "Share swapped",
        footnote=MEANT,
    ),
)
"""Variables along pairs of labels, most disagreement first."""

SCALARS = (
    Figure("floor", "agreement on an item of two annotators who give one label each, and differ"),
)
"""Variables of the whole result."""

LABELS = (
    Figure(
        "prevalence",
        "share of an item's ratings with the label (mean over items)",
        "share",
        "Given",
        beside=(*ERROR_AND_ENDS, "interval"),
        footnote=MEANT,
    ),
    Figure("present_ratings", "ratings with the label", "count"),
    Figure("present_items", "items with the label in at least one rating", "count"),
)
"""Variables of `iaa_jax.per_label` along labels."""

IN_JSON = {
    "coefficients": COEFFICIENTS,
    "items": (*ITEMS, *BY_LABEL),
    "bands": BANDS,
    "bins": BINS,
    "annotators": (*ANNOTATORS, *USERS),
    "label_pairs": LABEL_PAIRS,
    "": SCALARS,
    "labels": LABELS,
}
"""Variables of each part of the JSON record, by the name of the part."""
