"""Sentences of the pages on items, annotators, labels, groups and merges."""

from __future__ import annotations

from iaa_jax.analyses.diagnose.words_of_repeats import REPEATS
from iaa_jax.analyses.diagnose.words_of_shifts import SHIFTS
from iaa_jax.wording import Words

_ITEMS: Words = {
    "items_disputed": "Annotators disagree on {disputed:count} of {pairable:count item}{tied}.",
    "items_tied": "; on {tied:count} of them the most frequent {labels} tie",
    "items_tied_all": "; on all of them the most frequent {labels} tie",
    "items_unanimous": "Annotators disagree on no item.",
    "tied": "number of labels that share the first place.",
    "tie": "(tie)",
    "agreement_of_item": "share of the item's pairs of ratings that agree.",
    "agreement_of_item_weighted": (
        "mean agreement of the item's pairs of ratings, near misses counted in part."
    ),
    "distance_of_item": "mean squared difference of the item's pairs of ratings.",
    "change_of_item": "change of {coefficient} without the item (to first order).",
    "next_items": (
        "Next: discuss disputed items with the annotators; {iaa:gold --sheet sheet.xlsx} writes a "
        "sheet for deciding on their labels."
    ),
    "next_items_filled": (
        "Next: fill in the column 'adjudicated' of the sheet, then {iaa:gold --adjudicated "
        "{sheet}}."
    ),
    "sheet": (
        "To decide on their labels: {iaa:gold --sheet sheet.xlsx} writes a sheet, and {iaa:gold "
        "--adjudicated sheet.xlsx} reads it back."
    ),
    "panels_differ": (
        "Items have {least:count} to {most:count rating}: do not compare {figure} between items "
        "with few ratings and with many."
    ),
}

_ANNOTATORS: Words = {
    "annotators_compared": (
        "{name:name} agrees least with the others{among}{figure}{others}{equal}."
        "{next_higher}{each_once}"
    ),
    "figure_of_one": ", {matching} in {agreement:share} of comparisons ({items:count item})",
    "figure_of_one_weighted": (
        ": the mean agreement with them is {agreement:estimate} on {items:count item} (near misses "
        "count in part)"
    ),
    "figure_of_one_by_item": (": on average with {agreement:share} of them, on {items:count item}"),
    "figure_of_one_weighted_by_item": (
        ": {agreement:estimate} on an item, on {items:count item}, near misses counted in part"
    ),
    "each_once": (
        " {heavy:count} of {all:count} items hold half of all comparisons, so each item counts "
        "once."
    ),
    "annotators_close": (
        "{names:and} agree least with the others{among}; which of them agrees less is uncertain "
        "({figure}){others}."
    ),
    "annotators_level": (
        "Nobody stands out: which of {names:and} agrees less with the others is uncertain "
        "({figure}), and nobody else shares {least:count item} with others."
    ),
    "figures_of_two": "{matching} in {agreement:share} and {next:share} of comparisons",
    "figures_of_two_weighted": (
        "mean agreement {agreement:estimate} and {next:estimate}, near misses counted in part"
    ),
    "one_partner": (
        "; hardly anybody but {partner:name} also rated these items, so either may be the cause"
    ),
    "others_on_these": (
        "; on the same items the agreement of the others with one another is {each:and}"
    ),
    "annotators_compared_by_distance": (
        "{name:name} is farthest from the others{among}: the mean squared difference is "
        "{distance:estimate} on {items:count item}{equal}."
    ),
    "annotators_few": (
        "Too few ratings to say who agrees least: no two annotators share {least:count item} with "
        "others."
    ),
    "matching": "matching their ratings",
    "matching_sets": "giving the very same set of labels",
    "among_enough": ", of those who share {least:count item} or more",
    "of_all_annotators": (
        "{coefficient}{weights} is {estimate:estimate} for all annotators{without}{partial}."
    ),
    "without_annotators": ", {each:and}",
    "without_annotator": "{without:estimate} without {name:name}{left}",
    "rises_most": ", and rises most without {name:name}: to {without:estimate}{left}",
    "items_left": " on the {items:count item} left",
    "annotators_two_annotators": "With two annotators there are no others to compare with.",
    "annotators_unanimous": "All annotators agree on everything.",
    "annotators_undefined": "No annotator's agreement with the others is defined.",
    "annotators_nobody": "Nobody shares that many items with others.",
    "with_others": "agreement with the others",
    "agreement_with_others": "share of comparisons with other annotators' ratings that agree.",
    "agreement_with_others_weighted": (
        "mean agreement with the other annotators' ratings, near misses counted in part."
    ),
    "item_agreement_with_others": (
        "mean over items of the share of other annotators who agree; each item counts once."
    ),
    "item_agreement_with_others_weighted": (
        "mean over items of the agreement with the other annotators, near misses counted in part; "
        "each item counts once."
    ),
    "majority_of_others": "share of items with the others' most frequent label (ties {ties}).",
    "ties_split": "split",
    "ties_skip": "skipped",
    "distance_from_others": "mean squared difference from another's rating.",
    "without": "change of {coefficient} without the annotator.",
    "leans_to": (
        "a label given more often than by the others on the same items (difference in share of "
        "ratings), where the interval excludes 0."
    ),
    "next_annotators": (
        "Next: read some items of {whom} before you talk to anybody; "
        "{try:agree --keep-annotators A,B} measures only those you name."
    ),
    "next_close": (
        "Next: somebody is always last; {iaa:findings} says who differs from the others by more "
        "than chance, if anybody does."
    ),
    "who_agrees_least": "the annotator who agrees least",
    "whom_named": "{names:and}",
    "leaning": "{label:name} ({bias:signed 2})",
    "pairs": "Kappa{weights} of each pair",
    "pairs_alike": "Kappa{weights} of each pair, each on {items:count item}",
    "shared": "{items} rated by both annotators of a pair",
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
        "Do not use the intervals of {annotators:count annotator} with few items: more than "
        "{share:level} of the resamples have no figure for them."
    ),
}

_LABELS: Words = {
    "labels_disputed": (
        "Annotators agree least on label {label:quoted} (specific agreement {agreement:estimate}, "
        "{count:count rating}{equal}{in_doubt}){confused}."
    ),
    "labels_level": (
        "Annotators agree on all labels alike, as far as these ratings show: specific agreement is "
        "{agreement:estimate} or more{confused}."
    ),
    "labels_disputed_often": (
        "Of the labels with {least:count rating} or more, annotators agree least on {label:quoted} "
        "(specific agreement {agreement:estimate}, {count:count rating}{equal}{in_doubt})"
        "{confused}."
    ),
    "rarer_labels": "Too rare to be ranked: {names:quoted 5}{looks_worst}.",
    "looks_worst": (
        ". {label:quoted}, used {count:short} {count:time|times}, looks worse than any that is "
        "ranked: {agreement:estimate}{ends}"
    ),
    "ends_of_label": " ({confidence:level} interval {ends:interval})",
    "most_confused": (
        ". {a:quoted} and {b:quoted} are confused most often ({share:share} of all "
        "confusions{equal}{frequent}){above}"
    ),
    "confused_above_chance": (
        ", {a:quoted} and {b:quoted} most often of those above chance ({share:share})"
    ),
    "both_frequent": ", as both are frequent",
    "labels_unanimous": "Annotators agree on every label.",
    "labels_undefined": "Agreement is undefined on every label.",
    "agreement_on_label": (
        "specific agreement: given that one annotator chose the label, how often another chose it "
        "too."
    ),
    "ratings_of_label": "also of items rated once, on which agreement is not measured.",
    "label_alone": "{coefficient} of the label against all others together.",
    "next_labels": (
        "Next: see whether one annotator is the cause ({iaa:findings}); if not, clarify the "
        "guidelines for these labels; {iaa:items} shows which items to discuss."
    ),
    "next_labels_of_sets": (
        "Next: {iaa:label-sets} shows who gives which label more often than the others; clarify "
        "the guidelines for these labels."
    ),
    "next_labels_merges": (
        "Next: see whether one annotator is the cause ({iaa:findings}); if not, clarify the "
        "guidelines for these labels; {iaa:labels --suggest-merges} tests whether merging labels "
        "would help."
    ),
    "about_labels": "{coefficient} of {rows:names 5}: {note}.",
    "label_pairs_not_compared": "{labels:count label} are too many for a table of their pairs.",
    "on_labels": "Specific agreement: {note}.",
    "intervals_of_groups": "Options about intervals had no effect: only groups have intervals.",
    "no_label_confused": "No two labels are confused.",
    "confused": (
        "pairs of ratings of an item, one with each of these labels{share}. Pairs are weighted by "
        "the item's number of ratings, so counts may be fractions."
    ),
    "confused_share": ", and their share of all such pairs",
    "confused_sets": (
        "For label sets: one rating has the first without the second, the other the reverse."
    ),
}

_SPANS: Words = {
    "items_disputed_of_spans": (
        "Annotators disagree in {disputed:count} of {pairable:count document}{tied}{unmarked}."
    ),
    "items_unmarked": "; in {unmarked:count} nobody marked a span",
    "items_unanimous_of_spans": "Annotators agree in every document.",
    "figure_of_document": "{coefficient} of the document alone.",
    "change_of_item_of_spans": "change of {coefficient} without the document (to first order).",
    "next_items_of_spans": (
        "Next: discuss disputed documents with the annotators; {iaa:spans --show 5} shows the "
        "most disputed passages."
    ),
    "next_annotators_of_spans": (
        "Next: read some documents of {whom} before you talk to anybody; {iaa:spans} shows what "
        "annotators disagree on."
    ),
    "next_labels_of_spans": (
        "Next: clarify the guidelines for these labels; {iaa:spans} shows whether boundaries "
        "or labels differ."
    ),
    "annotators_level_of_spans": (
        "Nobody stands out: which of {names:and} agrees less with the others is uncertain "
        "({figure}), and nobody else marked {least:count span} in ten documents or more."
    ),
    "figure_of_one_of_spans": ": {agreement:estimate} on {items:count document}",
    "figures_of_two_of_spans": "{agreement:estimate} and {next:estimate}",
    "items_left_of_spans": " on the {items:count document} left",
    "among_enough_of_spans": (
        ", of those who marked {least:count span} or more in ten documents or more"
    ),
    "annotators_few_of_spans": (
        "Too few spans to say who agrees least: no two annotators marked {least:count span} in ten "
        "documents."
    ),
    "annotators_nobody_of_spans": "Nobody shares that many documents with others.",
    "figure_of_annotator": "{coefficient} of the annotator's pairs with the others.",
    "pairs_of_spans": "{coefficient} of each pair",
    "pairs_alike_of_spans": "{coefficient} of each pair, each on {items:count document}",
    "labels_level_of_spans": (
        "Annotators agree on the spans of all labels alike, as far as these documents show: "
        "{coefficient} is {agreement:estimate} or more{confused}."
    ),
    "labels_disputed_of_spans": (
        "{coefficient} is lowest on label {label:quoted} ({agreement:estimate}, "
        "{count:count span}{equal}{in_doubt}){confused}."
    ),
    "labels_disputed_often_of_spans": (
        "Of the labels with {least:count span} or more, {coefficient} is lowest on {label:quoted} "
        "({agreement:estimate}, {count:count span}{equal}{in_doubt}){confused}."
    ),
    "figure_of_label": "{coefficient} as if only spans with the label had been marked.",
    "confused_of_spans": (
        "overlapping spans of two annotators with these two labels, matched one to one{share}."
    ),
}

_GROUPS: Words = {
    "groups_of_items": "{what} on the {items} of each {by:name}, with the labels of all items",
    "groups_of_annotators": (
        "{what} among the annotators of each {by:name}, with the labels of all annotators"
    ),
    "groups_differ": (
        "By {by:name}, {what} is lowest in {lowest_group:name} "
        "({lowest_estimate:estimate}{lowest}{lowest_in_doubt}) and highest in {highest_group:name} "
        "({highest_estimate:estimate}{highest}{highest_in_doubt})."
    ),
}

MERGES: Words = {
    "merges_merge": (
        "Merge {merged:quoted}, or separate them better in the guidelines: more of the errors fall "
        "on them than {than}. {title} would rise from {estimate:estimate} to {then:estimate}, "
        "and {lost:share} of the information in the labels would be lost."
    ),
    "merges_recode": "To see every figure with merged labels: {recode:option recode}.",
    "merges_keep": (
        "Merge no labels: errors fall on no two of them clearly more often than at random. "
        "Merging {first:quoted} and {second:quoted} would gain most ({gain:signed} on {title} "
        "{estimate:estimate}; {p:p})."
    ),
    "merges_keep_on_a_scale": (
        "Merge no labels: errors fall on neighbouring labels, as on any scale, and no pair stands "
        "out. Merging {first:quoted} and {second:quoted} would gain most ({gain:signed} on {title} "
        "{estimate:estimate}; {p:p})."
    ),
    "than_at_random": "at random",
    "than_neighbours": "on other neighbours",
    "merges_of_a_scale": (
        "On any scale, most errors fall on neighbours. At random, these errors are spread over the "
        "neighbours by chance, and those on labels further apart stay as they are."
    ),
    "merges_no_gain": (
        "Merge no labels: more of the errors fall on {first:quoted} and {second:quoted} than "
        "{than} ({p:p}), but merging them gains too little ({gain:signed} on {title} "
        "{estimate:estimate}) for the {lost:share} of the information that would be lost. "
        "Separate them better in the guidelines."
    ),
    "merges_no_cost": (
        "Merge no labels: more of the errors fall on {first:quoted} and {second:quoted} than "
        "{than} ({p:p}), but merging them would change {title} {estimate:estimate} by "
        "{gain:signed}.{more}"
    ),
    "merges_other_gains": (
        " Merging {first:quoted} and {second:quoted} would gain most ({gain:signed}), but no more "
        "of the errors are shown to fall on these than {than}."
    ),
    "merges_one_annotator": (
        "Do not merge {first:quoted} and {second:quoted}: {confused_by:name} causes their "
        "confusion, and without {confused_by:name} errors at random explain it. "
        "{advice:next_causes}"
    ),
    "merges_also_confused": (
        "Do not merge {first:quoted} and {second:quoted} either: more of the errors fall on them "
        "than {than}, but merging them gains too little ({gain:signed} on {title} "
        "{estimate:estimate}) for the {lost:share} of the information that would be lost. "
        "Separate them better in the guidelines."
    ),
    "next_causes": "See {iaa:findings}.",
    "merges_two_labels": (
        "With two labels there is nothing to merge: {title} is {estimate:estimate}."
    ),
    "steps_caption": "Suggested merges, each in addition to those before it",
    "merges_caption": "Every merge of two labels, the largest gain first",
    "merges_read_first": (
        "Read some items with both labels before you merge: a line in the guidelines may do more. "
        "Only new ratings can show whether to split a label."
    ),
    "merges_on_halves": (
        "The best merge on one half of the items gains {picked:signed} there and "
        "{elsewhere:signed} on the other half ({splits:count} random halves)."
    ),
    "merges_drawn": (
        "{replicates:count resample} of the {units}, seed {seed}; intervals of gains are normal."
    ),
    "three_labels": ("With three labels, a label that attracts errors looks like a confused pair."),
    "further_merges": "From the second merge on, p-values assume the earlier merges.",
}
"""Sentences on which labels to merge."""

_ALIKE = (
    *("annotators_two_annotators", "annotators_unanimous", "annotators_undefined"),
    *("annotators_compared", "annotators_close"),
    *("labels_unanimous", "labels_undefined"),
)
"""Codes with the same words for spans as for labels."""

WORDS: Words = {
    "weighted": " ({weights:weights})",
    "of_all": "{coefficient}{weights} is {estimate:estimate} on all {rows}{partial}.",
    "beside_partial": (
        " (equal label sets alone); A_m, which also counts sets that match in part, is "
        "{partial:estimate}"
    ),
    "undefined_of_all": "{coefficient}{weights} is undefined on all {rows} ({reason}).",
    "equal_annotators": "; {equal:count} {equal:other agrees|others agree} as little",
    "equal_labels": "; {equal:count} other {equal:label is|labels are} equally low",
    "equal_pairs": "; {equal:count} other {equal:pair is|pairs are} as frequent",
    "equal_groups": "; {equal:count} other {equal:group has|groups have} the same value",
    "next_higher": (
        " Next is {next:name} ({figure}); {name:name} agrees less with probability "
        "{probability:probability}."
    ),
    "next": "{agreement:share}",
    "next_weighted": "{agreement:estimate}",
    "own_column": "{name:name}",
    "rows_left_out": "Shown: {rows:count} of {of:count} {noun}{order}.",
    "order_of_items": "; those that lower {coefficient} most come first",
    "order_of_annotators": "; those who agree least come first",
    "order_of_labels": "; labels with the least agreement come first",
    "order_by": ", sorted by '{name}'",
    "more_rows": "{top:option} shows more rows.",
    **_ITEMS,
    **_ANNOTATORS,
    **_LABELS,
    **_SPANS,
    **{f"{code}_of_spans": {**_ANNOTATORS, **_LABELS}[code] for code in _ALIKE},
    **_GROUPS,
    **REPEATS,
    **SHIFTS,
}
