"""The words of the page about panels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "panel": "{names:names 16}",
    "everyone": "all",
    "all_but_first": "All but {names:names 16}",
    "all_but": "all but {names:names 16}",
    "better": (
        "{best} agree better than all {annotators:count}: {title} {estimate:estimate}, not "
        "{whole:estimate} ({gain:signed}, {ends:interval}; {p:p}, which allows for picking the "
        "best of {panels:count panel} of {size:count}).{kept}"
    ),
    "noise": (
        "No {panel} can be shown to agree better than all {annotators:count}, whose {title} is "
        "{whole:estimate}: the best one of {size:count}, {best}, has {estimate:estimate} "
        "({gain:signed}; {p:p}), which may be the luck of picking one of {panels:count panel}."
        "{kept}"
    ),
    "smaller_panel": "smaller panel",
    "panel_of_size": "panel of {size:count}",
    "kept": (
        " Picked on one half of the items, the best panel of {size:count} leads by "
        "{picked:signed} there and by {elsewhere:signed} on the other half."
    ),
    "estimated": (
        "{best} agree best of the {panels:count panel} of {size:count}: {title} "
        "{estimate:estimate}, and {whole:estimate} of all {annotators:count}. The best of many "
        "looks better than it is: replicates would tell by how much."
    ),
    "tied": (
        "All panels tie: {title} is {whole:estimate} of all {annotators:count annotator}, and of "
        "every smaller panel."
    ),
    "everybody": "All {annotators:count annotator} together have {title} {whole:estimate}.",
    "two_annotators": (
        "Two annotators make one panel, with {title} {whole:estimate}: there is nothing to choose."
    ),
    "undefined": "{title} is undefined, of all annotators or of every smaller panel.",
    "least": (
        "{name:name} adds least to it ({share:signed} of {whole:estimate}{ends}; an equal share "
        "is {equal:signed})."
    ),
    "least_tied": (
        "{names:and} add least to it, and the same ({share:signed} of {whole:estimate}{ends}; an "
        "equal share is {equal:signed})."
    ),
    "least_ends": ", {ends:interval}",
    "alike": "All annotators add the same to it.",
    "spammer_costs": (
        "A spammer in the place of one annotator would make it {with_spammer:estimate} on "
        "average, from {low:estimate} (for {low_name:name}) to {high:estimate} (for "
        "{high_name:name})."
    ),
    "nearest": (
        "{name:name} is nearest to one: {position:share} of the way from a spammer to an expert."
    ),
    "nearest_tied": (
        "{names:and} are nearest to one: {position:share} of the way from a spammer to an expert."
    ),
    "equally_near": (
        "All annotators stand at the same place on the way from a spammer to an expert: "
        "{position:share} of it."
    ),
    "measured": "{title}",
    "measured_with": "{title}, weights {weights}",
    "sizes_caption": "The best panel of each size",
    "annotators_caption": "What each annotator adds",
    "panels_caption": "Panels of {size:count} that agree best",
    "what_if_caption": "With somebody else in the place of each annotator",
    "gain_meaning": (
        "the best panel's figure less that of all; {confidence:level} interval of this panel, "
        "which does not allow for its being picked."
    ),
    "p_meaning": (
        "how often, by chance, any panel of that size would rise above all by as much; adjusted "
        "for the number of sizes."
    ),
    "elsewhere_meaning": (
        "the lead over all, on one half of the items, of the panel that is best on the other half."
    ),
    "chosen_meaning": "replicates of the items in which the same panel is the best.",
    "shapley_meaning": (
        "Shapley share of the figure of all: what the annotator adds, averaged over all orders of "
        "joining; one annotator alone has 0."
    ),
    "without_meaning": "{title} without the annotator.",
    "spammer_meaning": (
        "rates at random, as the panel does in all ({draws:count draw}; {low:level} to "
        "{high:level} of them)."
    ),
    "echo_meaning": "copies another annotator: the mean over those copied.",
    "expert_meaning_majority": "gives what most of the others gave.",
    "expert_meaning_gold": "gives the gold label.",
    "position_meaning": (
        "of the way from the spammer to the expert. Who is right against the others is low too."
    ),
    "agreement_only": (
        "A panel that agrees is not for that right: annotators may share an error. Read some "
        "items before anybody is left out."
    ),
    "undefined_panels": (
        "{undefined:count} of {panels:count panel} {undefined:has|have} no figure (no items in "
        "common, or a single label): in Shapley shares they count 0."
    ),
    "equal_panels": (
        "Of some sizes several panels agree equally well, and the first is named: {sizes:names 15}."
    ),
    "drawn": (
        "{replicates:count replicate} and {splits:count} random halves of the {units}, seed "
        "{seed}; normal intervals."
    ),
    "items_drawn": "items",
    "clusters_drawn": "clusters of items",
    "one_label_mostly": (
        "One label takes {share:share} of all ratings: a spammer then gives it nearly always too."
    ),
    "picture_better": "{best} agree better than all {annotators:count}: {title}",
    "picture_noise": (
        "No panel is shown to agree better than all {annotators:count annotator}: {title}"
    ),
    "picture": "The best of all panels of each size: {title}",
    "picture_of": "{items:count item}, {annotators:count annotator}",
    "picture_axis": "annotators in the panel",
    "all_panels": "all panels, worst to best",
    "best_panel": "best panel",
    "mean_panel": "mean of the panels",
    "everybody_line": "all annotators",
}
"""Which panels agree best, whether by more than luck, and what each annotator adds."""
