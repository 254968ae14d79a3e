"""The words of the pages of label sets, and of labels as present or absent."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "one_label_each": (
        "These ratings have one label each: there are no sets to compare, and each label stands "
        "here as given or not. If cells hold several labels, say so by {separator:option} or "
        "{multi_hot:option}."
    ),
    "one_label": (
        "There is one label, so that sets cannot differ but in having it; declare all by "
        "{labels:option}."
    ),
    "given": "prevalence, the share of an item's ratings with the label (mean over items).",
    "presence": (
        "specific agreement, how often another annotator gives a label that one annotator gave."
    ),
    "of_sets": "{titles:join ; }: {note}.",
    "undefined": "undefined ({reason})",
    "item_agreement": (
        "the share of label pairs on which two annotators match, absence of both labels included. "
        "One different label each still scores {floor:estimate}."
    ),
    "band": "{low:short} to {high:short}",
    "bands_without_width": (
        "Items with agreement {bands:join , }: the interval has no width: resampling these items "
        "cannot show the uncertainty."
    ),
    "without_majority": (
        "{items:count item} {items:has|have} no label that more than half of the ratings give"
        "{none}."
    ),
    "none_is_the_answer": "; on {items:count} of them more than half give no label at all",
    "index_of_percent_agreement": "the mean agreement with the other annotators.",
    "index_of_am_agreement": "the mean A_m with the other annotators.",
    "disagreement": (
        "1 minus the agreement on the two labels together. Frequent labels disagree most; the "
        "share swapped shows what is confused with what."
    ),
    "swapped": "one annotator has only the first label, another only the second.",
    "swapped_share": (
        "of the pairs of annotators of whom at least one has exactly one of the two labels."
    ),
    "most_swapped": "Most often swapped: {pairs:join , }{equal}.",
    "swapped_equally": "; {equal:count} more {equal:pair|pairs} as often",
    "swapped_pair": "{first:name} | {second:name} ({share:share}, {items:count item})",
    "pairs_not_listed": (
        "Pairs of {labels:count label} are not listed, only those of {most:count} labels or fewer."
    ),
}
