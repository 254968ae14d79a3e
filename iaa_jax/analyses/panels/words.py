"""The wording of the pages about panels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "panel": "{names:names 16}",
    "panel_without": "{names:and} (without {without:and})",
    "everyone": "all",
    "all_but_first": "All but {names:names 16}",
    "all_but": "all but {names:names 16}",
    "better": (
        "{best} agree better than all {annotators:count}: {title} is {estimate:estimate}{where} "
        "instead of {whole:estimate} ({gain:signed}; {confidence:level} interval {ends:interval}; "
        "{p:p}, corrected for choosing among {panels:count panel} of {size:count}, of which this "
        "is best in {chosen:share} of resamples)."
    ),
    "better_still": (
        "Better still, by more than chance, are {best}: {estimate:estimate}{where} ({gain:signed}; "
        "{confidence:level} interval {ends:interval}; {p:p}; best of {panels:count panel} of "
        "{size:count} in {chosen:share} of resamples)."
    ),
    "noise": (
        "No {panel} is shown to agree better than all {annotators:count}, whose {title} is "
        "{whole:estimate}. The best panel of {size:count}, {best}, has {estimate:estimate}{where} "
        "({gain:signed}; {p:p}, corrected for choosing among {panels:count panel})."
    ),
    "on_fewer_items": " on {items:count item}",
    "smaller_panel": "smaller panel",
    "panel_of_size": "panel of {size:count}",
    "kept": (
        "Chosen on one half of the items, the best panel of {size:count} leads by "
        "{lead_in_sample:signed} on that half and by {lead_out_of_sample:signed} on the other."
    ),
    "estimated": (
        "{best} agree best of the {panels:count panel} of {size:count}: {title} "
        "{estimate:estimate}{where}, against {whole:estimate} for all {annotators:count}. The best "
        "of many looks better than it is; {replicates:option} shows by how much."
    ),
    "tied": (
        "All panels tie: {title} is {whole:estimate} for all {annotators:count annotator} and for "
        "every smaller panel."
    ),
    "everybody": "{title} is {whole:estimate} for all {annotators:count annotator} together.",
    "two_annotators": (
        "Nothing to choose: two annotators make one panel, with {title} {whole:estimate}."
    ),
    "undefined": "No verdict: {title} is undefined for all annotators or for every smaller panel.",
    "spammer_costs": (
        "With a spammer in one annotator's place, the coefficient would be "
        "{with_spammer:estimate} on average, from {low:estimate} (for {low_name:name}) to "
        "{high:estimate} (for {high_name:name})."
    ),
    "nearest": (
        "{name:name} is closest to a spammer: {position:share} of the way from spammer to expert."
    ),
    "nearest_tied": (
        "{names:and} are closest to a spammer: {position:share} of the way from spammer to expert."
    ),
    "equally_near": (
        "All annotators are equally close to a spammer: {position:share} of the way from "
        "spammer to expert."
    ),
    "sizes_caption": "The best panel of each size",
    "annotators_caption": "What each annotator adds",
    "panels_caption": "Panels of {size:count} that agree best",
    "what_if_caption": "If somebody else replaced each annotator",
    "expert_meaning_majority": "somebody who gives what most of the others gave.",
    "expert_meaning_gold": "somebody who gives the gold label.",
    "gain_meaning": "of the best panel's lead over all, not corrected for choosing it.",
    "agreement_only": ("Agreement is not accuracy: annotators may share an error."),
    "undefined_panels": (
        "{undefined:count} of {panels:count panel} {undefined:is|are} undefined (no items in "
        "common, or a single label) and {undefined:counts|count} as 0 in Shapley shares."
    ),
    "panels_passed_over": (
        "{passed_over:count} of {panels:count panel} {passed_over:is|are} passed over: the members "
        "share fewer than half of the items that others of the size do, or one of them rated "
        "fewer than half as many as the members on average."
    ),
    "equal_panels": (
        "Several panels agree equally well at these sizes, and the first is named: "
        "{sizes:names 15}."
    ),
    "drawn": (
        "Intervals: the farther ends of normal intervals and percentiles, from "
        "{replicates:count draw} of the {units}. p: from {exchanges:count permutation} of ratings. "
        "Halves: {splits:count} random {splits:split|splits} of the {units}. Seed {seed}."
    ),
    "next_panel": (
        "Next: before leaving anybody out, read the items on which annotators differ: {iaa:items}."
    ),
    "next_whole": "Next: keep all annotators; {iaa:annotators} shows how they differ.",
    "one_label_mostly": (
        "One label has {share:share} of all ratings, so a spammer nearly always gives it, too."
    ),
    "picture_better": "{best} agree better than all {annotators:count}: {title}",
    "picture_noise": (
        "No panel is shown to agree better than all {annotators:count annotator}: {title}"
    ),
    "picture": "The best panel of each size: {title}",
    "picture_of": "{items:count item}, {annotators:count annotator}",
    "picture_axis": "annotators in the panel",
    "all_panels": "all panels, worst to best",
    "best_panel": "best panel",
    "mean_panel": "mean of the panels",
    "everybody_line": "all annotators",
}
"""Wording of the conclusions about panels and about single annotators, and of remarks."""
