"""Templates for the pages of label sets, and of labels as present or absent."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "one_label_each": (
        "These ratings have one label each, so each label is measured as given or not. If cells "
        "hold several labels, give {separator:option} or {multi_hot:option}."
    ),
    "one_label": "There is only one label; declare all labels with {labels:option}.",
    "sets_lead": (
        "Krippendorff's alpha of label sets, with partial credit (MASI), is "
        "{estimate:estimate decimals}{interval}. If only identical sets count as agreement, it is "
        "{equal:estimate decimals}."
    ),
    "sets_lead_interval": " ({confidence:level} interval {ends:interval decimals})",
    "next_label_sets": (
        "Next: clarify the guidelines for labels on which annotators differ; {iaa:items} shows "
        "which items to discuss."
    ),
    "presence": "specific agreement: how often another annotator gave the label if one did.",
    "of_sets": "{titles:join ; }: {note}.",
    "undefined": "undefined ({reason})",
    "item_agreement": (
        "share of pairs of labels on which two annotators match; a label that both left out is a "
        "match. Two different sets of one label each still score {floor:estimate}."
    ),
    "band": "{low:short} to {high:short}",
    "bands_without_width": (
        "Items with agreement {bands:join , }: the interval has no width, because resampling these "
        "items changes nothing."
    ),
    "without_majority": (
        "{items:count item} {items:has|have} no label from more than half of the annotators{none}."
    ),
    "none_is_the_answer": "; on {items:count} of these, more than half give no label at all",
    "none_is_every_answer": "; on {items:it|all of them}, more than half give no label at all",
    "index_of_percent_agreement": "mean agreement with the other annotators.",
    "index_of_am_agreement": "mean A_m with the other annotators.",
    "label_users": "{users:join ; }.",
    "gives_more": (
        "{name:name} gives {label:quoted} in {share:share} of ratings, the others in "
        "{others:share} of the same {items:count item}{further}"
    ),
    "gives_less": (
        "{name:name} gives {label:quoted} in only {share:share} of ratings, the others in "
        "{others:share} of the same {items:count item}{further}"
    ),
    "gives_more_too": ", and also more often {labels:quoted 3}",
    "gives_less_too": ", and also less often {labels:quoted 3}",
    "most_swapped": "Given one for the other: {pairs:join ; }{equal}.",
    "swapped_equally": "; {equal:count} other {equal:pair|pairs} equally often",
    "swapped_pair": "{first:quoted} and {second:quoted} ({share:share}, {items:count item}{alone})",
    "swapped_alone": "; on {items:count} nothing else differs",
    "pairs_not_listed": (
        "Pairs of labels are not listed, because there are {labels:count label} (more than "
        "{most:count})."
    ),
}
