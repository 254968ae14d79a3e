"""The words of the page of gold labels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gold_tied": (
        "{gold_items:count item} {gold_items:has|have} a gold label by {method}; on "
        "{tied_items:count} the first place is tied, {taken}{thin}."
    ),
    "taken_first": "and the first of the tied labels taken",
    "taken_none": "and there is none",
    "gold_tied_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels by {method}; on "
        "{tied_items:count} {half}{thin}."
    ),
    "half": "exactly half chose some label",
    "half_or_experts": (
        "exactly half chose some label, or the best annotators are equally good and disagree"
    ),
    "gold_decided_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels by {method}{thin}."
    ),
    "gold_decided": "{gold_items:count item} {gold_items:has|have} a gold label by {method}{thin}.",
    "and_thin": "; {items:count item} {items:rests|rest} on one vote",
    "how_sure": (
        "Certainty is {certainty:estimate 2} on average, and below {unsure:short} on "
        "{items:count item}."
    ),
    "hanging": (
        "{on_vote:count} {on_vote:gold label hangs|gold labels hang} on one vote: with one rating "
        "less {on_vote:it|they} would be another, tied or none."
    ),
    "on_one_vote": "one vote",
    "hangs_on_meaning": (
        "the label would be another, tied or none with one vote less, or without that annotator."
    ),
    "gold_changed": "gold labels that would be others, or none, without the annotator.",
    "agreement_on_control": "the share of own answers on control items that are right.",
    "adjudicated_items": (
        "{items:count item} {items:has|have} the label that somebody decided on; nothing is "
        "learned of the annotators from {items:it|them}."
    ),
    "controlled": (
        "{items:count} {items:control item has|control items have} the known label; {best:name} "
        "answers most of them right ({most:share}), {weakest:name} fewest ({least:share})."
    ),
    "controlled_alike": (
        "{items:count} {items:control item has|control items have} the known label."
    ),
    "claimed": (
        "If the model holds, {right:share} of them are right ({interval_heading}: {low:share} to "
        "{high:share}). On real crowds with a known truth that was {overstated:level} of the items "
        "too many (the median), as annotators err alike there: items with a known label can tell."
    ),
    "no_intervals": (
        "Of so many ratings there are intervals only if they are asked for, as they take long: "
        "{replicates:option usual}."
    ),
    "fewer_replicates": (
        "Intervals are of {replicates:count replicate}, as more take long: "
        "{replicates:option usual}."
    ),
    "no_leave_out": (
        "Of so many ratings nobody is left out in turn unless it is asked for, as that takes long: "
        "{leave_out:option =True}."
    ),
    "stable_share": "the share of replicates with the same gold label.",
    "sure": "Certainty is {certainty:estimate 2} on average, and nowhere below {unsure:short}.",
    "whom_to_follow": (
        "Of the annotators{enough}, {best:name} is the best by skill ({most:estimate 2}), "
        "{weakest:name} the weakest ({least:estimate 2})."
    ),
    "whom_to_follow_perhaps": (
        "Of the annotators{enough}, {best:name} has the highest skill ({most:estimate 2}) and "
        "{weakest:name} the lowest ({least:estimate 2}), but their intervals overlap: they may be "
        "equally good."
    ),
    "with_enough": " with {ratings:count rating} or more",
    "hardly": (
        "Hardly better than chance (kappa with the gold labels at most {most:short}): "
        "{names:names 10 annotators}."
    ),
    "no_majority": (
        "On {items:count item} no label has more than half, and the gold set is empty: by "
        "{method:option =expert_coder_index} it is the set of the best annotator there."
    ),
    "not_converged": (
        "After {steps:count step} the probabilities still moved: give more by {max_iter:option}."
    ),
    "elsewhere": (
        "Of {restarts:count} {restarts:random start|random starts} {elsewhere:count} ended "
        "elsewhere: the likelihood has several peaks."
    ),
    "better_start": (
        "A random start ended higher than the usual one (log likelihood by {gain:estimate 2}), and "
        "its labels are shown."
    ),
    "tied": "{label:name} (tied)",
    "one_vote": "{label:name} (one vote)",
    "none": "(no label)",
    "left_out_most": (
        "Of {annotators:count annotator} only the {left_out:count} with the most ratings were left "
        "out in turn."
    ),
    "few_ratings_of_annotators": (
        "Half of the annotators gave {ratings:short} ratings or fewer. With fewer than "
        "{enough:short} a model fits them too well: its labels are less certain than it says, and "
        "so are skills."
    ),
    "replicates_not_converged": (
        "{lost:count replicate} of {replicates:count} {lost:has|have} not converged "
        "after {steps:count} steps: intervals take {lost:it|them} as {lost:it is|they are}."
    ),
    "skill": "{skill}.",
    "skill_majority_sets": "share of own answers, label by label, that the gold set gives too.",
    "skill_expert_coder_index_sets": "mean agreement with the others, by pairs of labels.",
    "certainty_of_votes": "the share of the votes for the gold label.",
    "certainty_of_weights": (
        "the share of the votes for the gold label, each counted by its annotator's skill."
    ),
    "certainty_of_model": "the probability of the gold label by the model.",
    "certainty_of_replicates": (
        "the probability of the gold label by the model, over replicates: annotators are not taken "
        "as known."
    ),
    "certainty_of_sets": (
        "the smallest share of annotators, over labels, that agree with the gold set on a label."
    ),
    "agreement": "how often the gold label is the annotator's own, and Cohen's kappa of the two.",
}
