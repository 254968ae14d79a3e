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
        "{whole:estimate} ({gain:signed}, {ends:interval}; {p:p}, corrected for choosing among "
        "{panels:count panel} of {size:count})."
    ),
    "noise": (
        "No {panel} is shown to agree better than all {annotators:count}, with {title} "
        "{whole:estimate}: the best of {size:count}, {best}, has {estimate:estimate} "
        "({gain:signed}; {p:p}, corrected for choosing among {panels:count panel})."
    ),
    "smaller_panel": "smaller panel",
    "panel_of_size": "panel of {size:count}",
    "kept": (
        "Picked on one half of the items, the best panel of {size:count} leads by "
        "{picked:signed} there and by {elsewhere:signed} on the other half."
    ),
    "estimated": (
        "{best} agree best of the {panels:count panel} of {size:count}: {title} "
        "{estimate:estimate}, against {whole:estimate} for all {annotators:count}. The best of "
        "many looks better than it is: replicates tell by how much."
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
    "least": (
        "{name:name} adds least ({share:signed} of {whole:estimate}{ends}; an equal share is "
        "{equal:signed})."
    ),
    "least_tied": (
        "{names:and} add least, equally ({share:signed} of {whole:estimate}{ends}; an equal share "
        "is {equal:signed})."
    ),
    "least_ends": ", {ends:interval}",
    "alike": "All annotators add equally to it.",
    "spammer_costs": (
        "With a spammer in one annotator's place, the coefficient would be "
        "{with_spammer:estimate} on average, from {low:estimate} (for {low_name:name}) to "
        "{high:estimate} (for {high_name:name})."
    ),
    "nearest": (
        "{name:name} is closest to a spammer: {position:share} of the way from there to an expert."
    ),
    "nearest_tied": (
        "{names:and} are closest to a spammer: {position:share} of the way from there to an expert."
    ),
    "equally_near": (
        "All annotators are equally close to a spammer: {position:share} of the way from there to "
        "an expert."
    ),
    "measured": "{title}",
    "measured_with": "{title}, weights {weights}",
    "sizes_caption": "The best panel of each size",
    "annotators_caption": "What each annotator adds",
    "panels_caption": "Panels of {size:count} that agree best",
    "what_if_caption": "If somebody else replaced each annotator",
    "gain_meaning": (
        "{confidence:level} interval of the best panel's lead over all, not corrected for choosing "
        "it."
    ),
    "p_meaning": (
        "how often chance alone puts any panel of that size as far above all; adjusted for the "
        "number of sizes."
    ),
    "elsewhere_meaning": (
        "lead over all, on one half of the items, of the panel that is best on the other half."
    ),
    "chosen_meaning": "share of replicates of the items in which this panel is the best.",
    "shapley_meaning": (
        "Shapley share of the figure for all: what the annotator adds, averaged over all orders of "
        "joining."
    ),
    "without_meaning": "{title} without the annotator.",
    "spammer_meaning": (
        "rates at random, at the panel's label rates ({draws:count draw}; {low:level} to "
        "{high:level} of them)."
    ),
    "echo_meaning": "copies another annotator; mean over those copied.",
    "expert_meaning_majority": "gives what most of the others gave.",
    "expert_meaning_gold": "gives the gold label.",
    "position_meaning": (
        "share of the way from spammer to expert; low, too, for whoever is right against the "
        "others."
    ),
    "agreement_only": ("Agreement is not accuracy: annotators may share an error."),
    "undefined_panels": (
        "{undefined:count} of {panels:count panel} {undefined:has|have} no figure (no items in "
        "common, or a single label) and {undefined:counts|count} as 0 in Shapley shares."
    ),
    "equal_panels": (
        "At some sizes several panels agree equally well, and the first is named: {sizes:names 15}."
    ),
    "drawn": (
        "Normal intervals from {replicates:count replicate}, and {splits:count} random halves of "
        "the {units}, seed {seed}."
    ),
    "next_panel": "Next: before leaving anybody out, read items they differ on ('iaa items').",
    "next_whole": "Next: keep all annotators; 'iaa annotators' shows how they differ.",
    "items_drawn": "items",
    "clusters_drawn": "clusters of items",
    "one_label_mostly": (
        "One label takes {share:share} of all ratings, so a spammer nearly always gives it, too."
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
"""Which panels agree best, whether by more than luck, and what each annotator adds."""
