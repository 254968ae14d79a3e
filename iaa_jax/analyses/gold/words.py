"""The words of the page of gold labels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gold_tied": (
        "{gold_items:count item} {gold_items:has|have} a gold label by {method}; {taken}{thin}."
    ),
    "taken_first": (
        "{items:count} {items:is|are} tied and {items:takes|take} the tied label that comes first "
        "(order: {labels:quoted 5}): review them"
    ),
    "taken_none": "{items:count} more {items:is|are} tied and {items:has|have} none",
    "gold_tied_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels by {method}; on "
        "{tied_items:count} {half}{thin}."
    ),
    "half": "exactly half chose some label",
    "half_or_experts": ("exactly half chose some label, or equally good best annotators disagree"),
    "gold_decided_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels by {method}{thin}."
    ),
    "gold_decided": "{gold_items:count item} {gold_items:has|have} a gold label by {method}{thin}.",
    "and_thin": "; {items:count item} {items:has|have} a single vote",
    "how_sure": (
        "Certainty is {certainty:estimate 2} on average and below {unsure:short} on "
        "{items:count item}."
    ),
    "hanging": (
        "{on_vote:count} gold {on_vote:label|labels} would change (to another, a tie or none) if "
        "one vote were missing."
    ),
    "on_one_vote": "one vote",
    "hangs_on_meaning": (
        "what the label would change without (to another, a tie or none): one vote, or the "
        "annotator named."
    ),
    "gold_changed": "gold labels that would change without the annotator.",
    "agreement_on_control": "share of the annotator's answers on control items that are right.",
    "adjudicated_items": (
        "{items:count item} {items:has|have} an adjudicated label, which does not count for or "
        "against annotators."
    ),
    "controlled": (
        "{items:count} {items:control item has its|control items have their} known label; "
        "{best:name} has most of them right ({most:share}), {weakest:name} fewest ({least:share})."
    ),
    "controlled_alike": (
        "{items:count} {items:control item has its|control items have their} known label."
    ),
    "claimed": (
        "If the model holds, {right:share} of them are right ({interval_heading}: {low:share} to "
        "{high:share}); it usually claims too much: see below."
    ),
    "overstated": (
        "The model's share of right labels is too high where annotators err alike: on real crowds "
        "with a known truth, by {overstated:level} of the items (median). Items with a known label "
        "can tell."
    ),
    "no_intervals": (
        "No intervals, which take long for so many ratings: to have them, {replicates:option "
        "usual}."
    ),
    "fewer_replicates": (
        "Intervals from {replicates:count replicate}, as more take long: to have them, "
        "{replicates:option usual}."
    ),
    "no_leave_out": (
        "No annotator is left out in turn, which takes long for so many ratings: to do it, "
        "{leave_out:option =True}."
    ),
    "stable_share": "share of resamples in which the label stays the same.",
    "sure": "Certainty is {certainty:estimate 2} on average and nowhere below {unsure:short}.",
    "whom_to_follow": (
        "Reliability of annotators{enough}: {best:name} is the best (skill {most:estimate 2}), "
        "{weakest:name} the weakest ({least:estimate 2})."
    ),
    "whom_to_follow_perhaps": (
        "Reliability of annotators{enough}: {best:name} has the highest skill ({most:estimate 2}) "
        "and {weakest:name} the lowest ({least:estimate 2}), but their intervals overlap."
    ),
    "with_enough": " with {ratings:count rating} or more",
    "hardly": (
        "Hardly better than chance (kappa with the gold labels at most {most:short}): "
        "{names:names 10 annotators}."
    ),
    "no_majority": (
        "On {items:count item} no label has more than half of the votes, and the gold set is "
        "empty; {method:option =expert_coder_index} takes the best annotator's set there."
    ),
    "not_converged": (
        "The model did not converge in {steps:count step}: allow more with {max_iter:option}."
    ),
    "elsewhere": (
        "Of {restarts:count} {restarts:random start|random starts} {elsewhere:count} ended "
        "elsewhere: the likelihood has several peaks."
    ),
    "better_start": (
        "A random start did better than the usual one (log likelihood {gain:estimate 2} higher): "
        "its labels are shown."
    ),
    "next_sheet": (
        "Next: decide the tied and uncertain items: write this page as .csv, fill in its column "
        "'adjudicated', and give it with {adjudicated:option}."
    ),
    "next_known": (
        "Next: if you know the true labels of some items, name their column with {control:option}."
    ),
    "tied": "{label:name} (tied)",
    "one_vote": "{label:name} (one vote)",
    "none": "(no label)",
    "left_out_most": (
        "Only the {left_out:count} of {annotators:count annotator} with the most ratings were left "
        "out in turn."
    ),
    "few_ratings_of_annotators": (
        "Half of the annotators gave {ratings:short} ratings or fewer. With fewer than "
        "{enough:short} the model overfits: labels and skills are less certain than it says."
    ),
    "replicates_not_converged": (
        "{lost:count replicate} of {replicates:count} did not converge in {steps:count} steps; "
        "intervals take {lost:it|them} as {lost:it is|they are}."
    ),
    "skill": "{skill}.",
    "skill_majority_sets": "share of own answers, label by label, that the gold set has, too.",
    "skill_expert_coder_index_sets": "mean agreement with the others, by pairs of labels.",
    "certainty_of_votes": "share of the votes for the gold label.",
    "certainty_of_weights": (
        "share of the votes for the gold label, weighted by the annotators' skill."
    ),
    "certainty_of_model": "the model's probability of the gold label.",
    "certainty_of_replicates": (
        "the model's probability of the gold label, averaged over replicates, so that what it "
        "learned of annotators counts as uncertain."
    ),
    "certainty_of_sets": (
        "share of annotators who agree with the gold set, on the label where it is smallest."
    ),
    "agreement": "how often the annotator gave the gold label, and Cohen's kappa of the two.",
}
