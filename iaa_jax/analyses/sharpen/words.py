"""Templates for the pages of sharpening."""

from __future__ import annotations

from iaa_jax.wording import Words

ANSWER: Words = {
    "floored": (
        "{names:names 5 floored} {floored:counts|count} next to nothing (kappa with the others is "
        "{epsilon:short} or less). {highest:name} counts most (weight {highest_weight:estimate 2}; "
        "1 is the mean)."
    ),
    "weighted": (
        "{highest:name} counts most (weight {highest_weight:estimate 2}; 1 is the mean), "
        "{lowest:name} least ({lowest_weight:estimate 2})."
    ),
    "equal": "All annotators count the same: nobody agrees with the others more than anybody else.",
    "equal_of_two": (
        "Both annotators count the same: sharpening cannot tell which of two is better."
    ),
    "nobody_above_floor": (
        "All annotators count the same: nobody agrees with the others beyond chance (no kappa "
        "above {epsilon:short})."
    ),
    "undefined": "All annotators count the same: no two share an item.",
    "not_converged": (
        "Sharpening did not converge in {iterations:count step}: a step still changes a weight by "
        "{residual:short}. The weights are from the step with the smallest change; labels may "
        "depend on them."
    ),
    "agreement_rises": (
        "{coefficient} rises from {before:estimate} to {after:estimate} with these weights "
        "({change:signed}{ends}), in part by construction: whoever agrees counts more."
    ),
    "agreement_falls": (
        "{coefficient} falls from {before:estimate} to {after:estimate} with these weights "
        "({change:signed}{ends})."
    ),
    "agreement_same": (
        "{coefficient} is not shown to rise with these weights: {before:estimate} before, "
        "{after:estimate} after ({change:signed}{ends})."
    ),
    "agreement_equal": "{coefficient} is {before:estimate}.",
    "agreement_undefined": "{coefficient} is undefined ({reason}).",
    "ends": "; {confidence:level}: {ends:signed_interval}",
}
"""Templates for the conclusions."""

WORDS: Words = {
    **ANSWER,
    "steps_converged": "{iterations:count}, converged",
    "steps_max_iter": "{iterations:count}, not converged",
    "certainty_of_item": "share of the weight behind the gold label.",
    "certainty_of_sets": "share of the weight that agrees with the set, on its weakest label.",
    "agreement_meaning": (
        "{coefficient}. The last row also weights items by how much annotators agree on them, so "
        "that disputed items count less: it shows how much of the disagreement is on few items."
    ),
    "equal_weights": "equal",
    "annotators_weights": "of annotators",
    "annotators_and_items_weights": "of annotators and items",
    "tied_items": (
        "On {items:count item} labels are tied for gold: look at {items:it|them} first."
    ),
    "nobody_beside": (
        "{annotators:count annotator} {annotators:shares|share} no item with anybody and "
        "{annotators:has|have} weight 1: {names:names 5}."
    ),
    "few_items_each": (
        "{annotators:count annotator} {annotators:shares|share} fewer than {items:count item} with "
        "others: their kappas are guesses. {prior_strength:option =10} pulls them towards the mean."
    ),
    "fewer_replicates": (
        "Intervals are from {replicates:count} resamples, not {asked:count}, which would take long "
        "here. {interval:option =normal} with {replicates:option} takes as many as you ask for."
    ),
    "weights_still": (
        "Some intervals have no width, because no resample of these items changes the figure; "
        "other items might."
    ),
    "unsettled_replicates": (
        "In {count:count} of {replicates:count} resamples sharpening did not converge; their "
        "weights are from the step with the smallest change."
    ),
    "nearly_alike": (
        "{names:names 5} give nearly the same labels ({within:share} of common items), and nobody "
        "else agrees with them on more than {highest:share}. They may be the best, or not "
        "independent (copied, one source, one model): sharpening gives them the most weight in "
        "either case. Check this before you use the weights."
    ),
    "cannot_see": (
        "Labels alone do not show whether those who agree are right: annotators who copy each "
        "other look like experts, and a majority that makes the same error wins."
    ),
    "next_known": (
        "Next: check the weights on items with known labels: {try:judge --gold COLUMN}."
    ),
    "tied": "{label:name} (tied)",
    "steady": "All {settings:count setting} give every item the same label.",
    "labels_change": (
        "{items:count item} {items:changes|change} label between the {settings:count setting}: "
        "look at these before choosing one."
    ),
    "range_of_weights": "range of the annotator's weight over all settings.",
    "picture": "{highest:name} counts most, {lowest:name} least",
    "picture_equal": "All annotators count the same",
    "picture_of": "{files}weights of {annotators:count annotator}, {items:count item}, {steps}",
    "picture_files": "{files:names 2}, ",
    "picture_converged": "{iterations:count step}",
    "picture_max_iter": "{iterations:count step}, not converged",
    "picture_axis": "step (0: equal weights)",
    "one_annotator": "{name:name} ({weight:estimate 2})",
    "other_annotators": "the others",
}
