"""The words of the page of sharpening."""

from __future__ import annotations

from iaa_jax.wording import Words

ANSWER: Words = {
    "floored": (
        "{names:names 5 floored} {floored:counts|count} next to nothing: kappa with the others is "
        "{eps:short} or less. {highest:name} counts most (weight {highest_weight:estimate 2}, "
        "where 1 is the mean)."
    ),
    "weighted": (
        "{highest:name} counts most (weight {highest_weight:estimate 2}, where 1 is the mean) and "
        "{lowest:name} least ({lowest_weight:estimate 2}). Nobody is weighted down to the floor."
    ),
    "equal": "All annotators count the same: nobody agrees with the others more than another does.",
    "equal_of_two": (
        "Both annotators count the same: with two, each is the other's group, and sharpening "
        "cannot tell who is better."
    ),
    "nobody_above_floor": (
        "Nobody agrees with the others beyond chance (no kappa above {eps:short}): all weights are "
        "1, and the labels are those of the plain vote."
    ),
    "undefined": "No annotator shares an item with another: all weights are 1.",
    "not_converged": (
        "Sharpening did not converge in {iterations:count step}: a further step would still move a "
        "weight by {residual:short}. The weights are those that moved least; labels may hang on "
        "them."
    ),
    "agreement_rises": (
        "With these weights of annotators {coefficient} is {after:estimate}, against "
        "{before:estimate} with equal ones ({change:signed}{ends}). Part of such a rise is built "
        "in: whoever agrees counts more."
    ),
    "agreement_falls": (
        "With these weights of annotators {coefficient} is {after:estimate}, below the "
        "{before:estimate} with equal ones ({change:signed}{ends})."
    ),
    "agreement_same": (
        "No rise of agreement can be shown: {coefficient} is {after:estimate} with these weights "
        "of annotators and {before:estimate} with equal ones ({change:signed}{ends})."
    ),
    "agreement_equal": "{coefficient} is {before:estimate}.",
    "agreement_undefined": "{coefficient} is undefined ({reason}).",
    "ends": "; {confidence:level} interval {low:signed} to {high:signed}",
}
"""What a result comes to."""

WORDS: Words = {
    **ANSWER,
    "steps_converged": "{iterations:count}, converged",
    "steps_max_iter": "{iterations:count}, not converged",
    "weight_of_annotator": "how much each vote counts; 1 on average.",
    "kappa_of_annotator": "with the group of all others, as weighted; at {eps:short} or below is "
    "the floor.",
    "weight_of_item": "1 where the weighted labels agree, 0 where all labels are as frequent.",
    "certainty_of_item": "share of the weight behind the gold label.",
    "certainty_of_sets": "smallest share of the weight, over labels, that agrees with the set.",
    "agreement_meaning": (
        "{coefficient}. Items weighted by how far annotators agree on them leave out "
        "disagreement: the last row says how much of it lies in few items."
    ),
    "equal_weights": "equal",
    "annotators_weights": "of annotators",
    "annotators_and_items_weights": "of annotators and items",
    "tied_items": (
        "{items:count item} {items:has|have} tied labels in the first place: look at these first."
    ),
    "nobody_beside": (
        "{annotators:count annotator} {annotators:shares|share} no item with anybody, and "
        "{annotators:has|have} weight 1: {names:names 5}."
    ),
    "few_items_each": (
        "{annotators:count annotator} {annotators:shares|share} fewer than {items:count item} with "
        "others: their kappas are guesses. {prior_strength:option =10} draws them to the mean."
    ),
    "fewer_replicates": (
        "Intervals are of {replicates:count} replicates, not {asked:count}: these data would take "
        "long. {interval:option =normal} with {replicates:option} takes as many as you say."
    ),
    "unsettled_replicates": (
        "In {count:count} of {replicates:count} replicates sharpening did not converge, and its "
        "nearest weights count there."
    ),
    "nearly_alike": (
        "{names:names 5} give nearly the same labels as each other ({within:share} of common "
        "items), and nobody else agrees with them on more than {highest:share}. They may be the "
        "best, or not independent (copied, one source, one model): sharpening counts them most "
        "either way. Check before you use these weights."
    ),
    "cannot_see": (
        "Labels alone do not show whether those who agree are right: annotators who copy each "
        "other look like experts, and a majority that errs alike wins. Items with a known label "
        "would show it."
    ),
    "tied": "{label:name} (tied)",
    "steady": "All {settings:count setting} give every item the same label.",
    "labels_change": (
        "{items:count item} {items:takes|take} another label with some of the "
        "{settings:count setting}: look at these before choosing one."
    ),
    "changed_items": "items with another label than in the first setting.",
    "range_of_weights": "the annotator's weight, over all settings.",
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
