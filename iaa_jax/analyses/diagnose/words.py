"""The words of the pages of diagnosis."""

from __future__ import annotations

from iaa_jax.wording import Words

PARTS: Words = {
    "group_undefined": "undefined ({reason})",
    "group_has_few_items": "fewer than {least} items with two ratings, so that intervals are rough",
}
"""What is noted of groups: parts of sentences, before which the groups stand."""

_ITEMS: Words = {
    "items_disputed": "Ratings differ on {disputed:count} of {pairable:count item}{tied}.",
    "items_tied": "; on {tied:count} of them labels tie for the first place",
    "items_unanimous": "Ratings differ on no item.",
    "tied": "{label:name} (tied)",
    "agreement_of_item": "share of the item's pairs of ratings that agree.",
    "entropy_of_item": (
        "of its labels, 0 where unanimous, 1 where all labels are equally frequent."
    ),
    "distance_of_item": "mean squared difference of the item's pairs of ratings.",
    "influence_of_item": (
        "on {coefficient}, below 0 where the item lowers it. Without the item it changes by about "
        "-influence / items ('change' in files)."
    ),
    "panels_differ": (
        "Items have {least:count} to {most:count rating}: do not compare {figure} between items "
        "with few ratings and with many."
    ),
}

_ANNOTATORS: Words = {
    "annotators_compared": (
        "{name:name} agrees least with the others ({agreement:estimate}, on {items:count item} "
        "that others rated too{equal}){without}."
    ),
    "annotators_compared_by_distance": (
        "{name:name} is farthest from the others (mean squared difference {distance:estimate}, on "
        "{items:count item} that others rated too{equal}){without}."
    ),
    "without_annotator": "; without this annotator {coefficient} is {estimate:estimate}",
    "annotators_two_annotators": "Without one of two annotators nothing is left to compare.",
    "annotators_unanimous": "Nobody disagrees with anybody.",
    "annotators_undefined": "No annotator's agreement with the others is defined.",
    "annotators_nobody": "Nobody shares that many items with others.",
    "with_others": "agreement with the others",
    "agreement_with_others": "share of comparisons with another's rating that agree.",
    "kappa_with_others": "against the others as a group.",
    "majority_of_others": "share of items with the others' most frequent label (ties {ties}).",
    "ties_split": "split",
    "ties_skip": "skipped",
    "distance_from_others": "mean squared difference from another's rating.",
    "bias_from_others": "mean difference from the mean of the others.",
    "without": "{coefficient} if the annotator had not rated.",
    "leans_to": (
        "the label given more often than by the others on the same items (share of ratings), where "
        "the interval excludes 0."
    ),
    "leaning": "{label:name} ({bias:signed 2})",
    "pairs": "Kappa of each pair",
    "pairs_alike": "Kappa of each pair, each on {items:count item}",
    "shared": "{items} that each pair shares",
    "not_left_out": (
        "{annotators:count annotator} on {rows:count} rating patterns are too many to leave out "
        "one by one."
    ),
    "pairs_not_compared": (
        "{annotators:count annotator} make {pairs:count} pairs, too many for a table: keep some "
        "annotators."
    ),
    "annotators_not_drawn": (
        "{annotators:count annotator} on so many documents are too many for an interval of each: "
        "keep some annotators."
    ),
    "often_without_items": (
        "In more than {share:level} of the replicates there is no figure for "
        "{annotators:count annotator} with few items: do not use their intervals."
    ),
}

_LABELS: Words = {
    "labels_disputed": (
        "Specific agreement is lowest on {label:name} ({agreement:estimate}, "
        "{count:count rating}{equal}){confused}."
    ),
    "most_confused": (
        "; {a:name} and {b:name} are confused most ({share:share} of all confusions{equal})"
    ),
    "labels_unanimous": "Raters agree on every label.",
    "labels_undefined": "Agreement is undefined on every label.",
    "agreement_on_label": (
        "specific agreement, of the other ratings of items where one has the label, the share that "
        "has it too."
    ),
    "label_alone": "{coefficient} of the label against all others together.",
    "about_labels": "{coefficient} of {rows:names 5}: {note}.",
    "label_pairs_not_compared": "{labels:count label} are too many for a table of their pairs.",
    "on_labels": "Specific agreement: {note}.",
    "intervals_of_groups": "Options about intervals changed nothing: only groups have intervals.",
    "no_label_confused": "No two labels are confused.",
    "confused": (
        "pairs of ratings of an item with these two labels (each item counted by its "
        "ratings){share}."
    ),
    "confused_share": ", and their share of all such pairs",
    "confused_sets": (
        "For label sets: one rating has the first without the second, the other the reverse."
    ),
    "lift": "times as many as by chance.",
}

_SPANS: Words = {
    "items_disputed_of_spans": (
        "Not all mark the same in {disputed:count} of {pairable:count document} that two or more "
        "saw."
    ),
    "items_unanimous_of_spans": "All mark the same in every document.",
    "figure_of_document": "{coefficient} of the document alone.",
    "influence_of_item_of_spans": (
        "on {coefficient}, below 0 where the document lowers it. Without the document it changes "
        "by about -influence / documents ('change' in files)."
    ),
    "annotators_compared_of_spans": (
        "{name:name} agrees least with the others ({agreement:estimate}, on "
        "{items:count document} that others saw too{equal}){without}."
    ),
    "annotators_two_annotators_of_spans": (
        "Without one of two annotators nothing is left to compare."
    ),
    "annotators_unanimous_of_spans": "Nobody disagrees with anybody.",
    "annotators_undefined_of_spans": "No annotator's agreement with the others is defined.",
    "annotators_nobody_of_spans": "Nobody shares that many documents with others.",
    "figure_of_annotator": "{coefficient} of the annotator's pairs with the others.",
    "spans_ratio": "spans marked, divided by the others' mean on the same documents.",
    "pairs_of_spans": "{coefficient} of each pair",
    "pairs_alike_of_spans": "{coefficient} of each pair, each on {items:count document}",
    "labels_disputed_of_spans": (
        "{coefficient} is lowest on {label:name} ({agreement:estimate}, "
        "{count:count span}{equal}){confused}."
    ),
    "labels_unanimous_of_spans": "Annotators agree on every label.",
    "labels_undefined_of_spans": "Agreement is undefined on every label.",
    "figure_of_label": "{coefficient} as if only spans with the label had been marked.",
    "unmatched": (
        "share of spans without a partner: no span of the other annotator of a pair, of any label, "
        "overlaps and is not another's partner."
    ),
    "confused_of_spans": (
        "spans of two annotators that overlap and have these two labels, matched one to one{share}."
    ),
}

_GROUPS: Words = {
    "groups_of_items": "{what} of the {items} of each {by:name}; the labels are those of all items",
    "groups_of_annotators": (
        "{what} among the annotators of each {by:name}; the labels are those of all"
    ),
    "groups_differ": (
        "By {by:name}, {what} is lowest in {lowest_group:name} "
        "({lowest_estimate:estimate}{lowest}) and highest in {highest_group:name} "
        "({highest_estimate:estimate}{highest})."
    ),
    "about_agreement_by": "{by:name} {rows:names 5}: {note}.",
}

MERGES: Words = {
    "merges_merge": (
        "{merged:and} should be merged, or told apart better in the guidelines: these labels are "
        "confused more often than chance explains. {title} rises from {estimate:estimate} to "
        "{then:estimate}, and {lost:share} of what the labels tell is lost."
    ),
    "merges_recode": "To see every figure so: {recode:option recode}.",
    "merges_keep": (
        "No two labels are shown to be confused more often than chance explains: merging any of "
        "them would hide a difference for the sake of the figure. Most would be gained by merging "
        "{first:name} and {second:name} ({gain:signed} on {title} {estimate:estimate}; {p:p})."
    ),
    "merges_no_gain": (
        "{first:name} and {second:name} are confused more often than chance explains ({p:p}), but "
        "merging them gains nothing ({gain:signed} on {title} {estimate:estimate}): keep them, and "
        "tell them apart better in the guidelines."
    ),
    "merges_two_labels": (
        "There are two labels, and nothing would be left if they were merged: {title} is "
        "{estimate:estimate}."
    ),
    "steps_caption": "Suggested merges, each on top of those before it",
    "merges_caption": "Every merge of two labels, what gains most first",
    "lost_meaning": (
        "of the {entropy:estimate 2} bits that a rating's label tells, what the merged labels no "
        "longer do."
    ),
    "by_chance_meaning": (
        "confusions of the two by the chance that explains most: errors by the labels' shares, "
        "even ones, or by how far each label is drawn in."
    ),
    "merge_p_meaning": "that chance alone confuses the two so often; adjusted for all pairs.",
    "merges_read_first": (
        "Read some items with both labels before you merge: a line in the guidelines may do more. "
        "Which label to split, no agreement can say: it takes new ratings."
    ),
    "merges_on_halves": (
        "Picked on one half of the items, the best merge gains {picked:signed} there and "
        "{elsewhere:signed} on the other half ({splits:count} random halves)."
    ),
    "merges_drawn": (
        "{replicates:count replicate} of the {units}, seed {seed}; intervals of gains are normal "
        "ones, from influences."
    ),
    "merge_items": "items",
    "merge_clusters": "clusters of items",
    "three_labels": (
        "With three labels, errors that draw one of them in more than the others cannot be told "
        "from a confused pair."
    ),
    "further_merges": ("From the second merge on, p-values take the merges before as given."),
}
"""Which labels to merge."""

_REPEATS: Words = {
    "repeats_first": (
        "Of {items:count item} that somebody rated twice, {title} of the first and the second "
        "rating is {estimate:estimate}{ends}."
    ),
    "repeats_further": "{title} is {estimate:estimate}{ends}.",
    "repeats_ends": " ({ends:interval})",
    "repeats_ceiling": (
        "Nobody can be expected to agree with others more than with himself. Whoever remembers "
        "the first answer agrees more than he would: leave weeks between."
    ),
}

WORDS: Words = {
    "weighted": " ({weights})",
    "of_all": "{coefficient}{weights} of all {rows}: {estimate:estimate}.",
    "undefined_of_all": "{coefficient}{weights} of all {rows} is undefined ({reason}).",
    "equal": "; {equal:count} more {equal:is|are} equal",
    "own_column": "{name:name}",
    "rows_left_out": "Shown: {rows:count} of {of:count} {noun}.",
    "more_rows": "{top:option} shows more rows.",
    **_ITEMS,
    **_ANNOTATORS,
    **_LABELS,
    **_SPANS,
    **_GROUPS,
    **_REPEATS,
}
