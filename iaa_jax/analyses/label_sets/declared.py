"""The variables of label sets, declared once."""

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
    Figure("band_items", "items in it", "count"),
    Figure("band_share", "their share", "share", "Share"),
    Figure("band_standard_error", "of that share"),
    Figure("band_ci_low", "lower end of its interval"),
    Figure("band_ci_high", "upper end of its interval"),
    Figure("band_interval", "the kind of that", "word"),
    Figure("band_single_label", "share with one label per rating", "share", "One label each"),
)
"""Variables along bands."""

BINS = (
    Figure("bin_low", "lower end of the bin"),
    Figure("bin_high", "upper end of the bin"),
    Figure("bin_items", "items in it", "count"),
)
"""Variables along bins."""

ANNOTATORS = (
    Figure("expert_coder_index", "mean agreement with the others", heading="Expert Coder Index"),
    Figure("compared_annotators", "how many these are", "count", "Compared with"),
    Figure("pair_agreement", "of each two"),
    Figure("pair_items", "items that both rated", "count"),
)
"""Variables along annotators, not for anonymous ratings; the last two along the others too."""

USERS = (
    Figure(
        "given",
        "share of the annotator's ratings with the label, of items with three ratings; with two "
        "where no item has three, or whoever had four partners or more",
        "share",
    ),
    Figure("given_by_others", "share of the others' ratings of the same items", "share"),
    Figure(
        "given_p_value",
        "of no difference between the two, by a bound on sums of random signs; with single "
        "partners also without the one who differs most",
    ),
)
"""Variables along annotators and labels."""

LABEL_PAIRS = (
    Figure("first_label", "a label", "label"),
    Figure("second_label", "another", "label"),
    Figure(
        "pair_disagreement",
        "1 minus the agreement on the two labels together; high for frequent labels",
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
        "such items on which the two annotators differ in nothing else",
        "count",
    ),
    Figure("swapped_pairs", "such pairs of annotators on items", "count"),
    Figure(
        "swapped_share",
        "share of pairs of annotators where at least one gives exactly one of the two labels",
        "share",
        "Share swapped",
        footnote=MEANT,
    ),
)
"""Variables along pairs of labels, most disagreement first."""

SCALARS = (
    Figure("floor", "agreement on an item of two annotators with one label each, not the same"),
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
    Figure("present_items", "items with it in at least one rating", "count"),
)
"""Variables along labels, each present or absent."""

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
"""Variables of each part of the JSON record, by its name."""
