"""Templates of the sentences on the page of gold labels, by code."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "gold_tied": ("{clear:count item} {clear:has|have} a gold label{source}; {taken}{thin}."),
    "taken_first": (
        "{items:count} more {items:is a tie|are ties}, decided for whichever label comes first in "
        "the order {labels:quoted 5}{ordered}{became}: review them"
    ),
    "taken_apart": (
        "{items:count} more {items:is a tie|are ties}, without a label in files (the column 'tied' "
        "has the tied labels); figures here take the label that comes first in the order "
        "{labels:quoted 5}{ordered}{became}"
    ),
    "taken_lower": ", that is, towards {end:quoted} ({ties:option =median} takes the "
    "middle, or the lower of two)",
    "taken_median": (
        "{items:count} more {items:is a tie|are ties}, decided for the tied label nearest to the "
        "median of the votes, or between two for the lower one, which biases gold labels towards "
        "{end:quoted}{became}: review them"
    ),
    "taken_none": "{items:count} more {items:is|are} tied and {items:has|have} none",
    "gold_tied_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels{source}; "
        "{tied_items:count item} {tied_items:has|have} {half}{thin}."
    ),
    "half": "at least one label that exactly half of the annotators chose",
    "half_or_experts": (
        "at least one label that exactly half of the annotators chose, or equally good best "
        "annotators who disagree"
    ),
    "gold_decided_sets": (
        "{gold_items:count item} {gold_items:has|have} a gold set of labels{source}{thin}."
    ),
    "gold_decided": "{gold_items:count item} {gold_items:has|have} a gold label{source}{thin}.",
    "by_method": " by {method}",
    "by_method_and_people": ", {others:count} by {method} and {decided:count} by adjudication",
    "by_people": " by adjudication",
    "gold_known": (
        "{gold_items:count item} {gold_items:has|have} a known label, and no other gold label had "
        "to be found."
    ),
    "and_thin": "; {items:count item} {items:has|have} a single vote{unknown}",
    "thin_unknown": ", so that nobody knows how certain {items:it is|they are}",
    "of_several_votes": " (items with two votes or more)",
    "of_undecided_several": " (items with two votes or more that nobody decided on)",
    "of_undecided": " (items that nobody decided on)",
    "ties_became": "; {ties_became_items:count} of them became {ties_became:quoted}",
    "how_sure": (
        "Certainty is {certainty:estimate 2} on average{several}; on {items:count item} it is "
        "below {unsure:short}."
    ),
    "how_sure_votes": (
        "On average {certainty:share} of the votes support the gold label{several}; on "
        "{items:count item} it is less than {unsure:level}."
    ),
    "fragile": (
        "{on_vote:count}{more} gold {on_vote:label depends|labels depend} on one vote: without it, "
        "{on_vote:it|each} would be another label, a tie or none."
    ),
    "more": " more",
    "sets_given_by_nobody": (
        "{items:count} gold {items:set was|sets were} given by no annotator of the item as a "
        "whole ({names:names 3 items}): each label is decided by itself. Review {items:it|them}: "
        "{items:it stands|they stand} on the sheet."
    ),
    "labels_given_by_nobody": (
        "{items:count} gold {items:label was|labels were} given by no annotator of the item "
        "({names:names 3 items}): the model finds another label more likely. Review "
        "{items:it: it stands|them: they stand} on the sheet."
    ),
    "on_one_vote": "one vote",
    "depends_on_meaning": (
        "the label would change if this were removed: one vote, or the annotator named."
    ),
    "adjudicated_items": (
        "{items:count item} {items:has|have} an adjudicated label. It does not count in skills or "
        "in the mean certainty, but it counts in how often annotators gave the gold label."
    ),
    "controlled": (
        "On {items:count} control {items:item with a known label|items with known labels}, "
        "{best:name} is right most often ({most:share}), {weakest:name} least often "
        "({least:share})."
    ),
    "controlled_alike": (
        "{items:count} {items:control item has its|control items have their} known label."
    ),
    "claimed": (
        "If the model holds, {right:share} of them are right ({interval_heading}: "
        "{ends:shares}); this model is usually overconfident: see below."
    ),
    "overstated": (
        "The model's share of right labels is too high if annotators make the same errors: on real "
        "crowds with a known truth, by {overstated:level} of the items (median). Items with a "
        "known label can show by how much."
    ),
    "no_intervals": (
        "No intervals are computed, because they take long for so many ratings: to have them, "
        "{replicates:option usual}."
    ),
    "fewer_replicates": (
        "Intervals are from {replicates:count resample}, because more take long: to have more, "
        "{replicates:option usual}."
    ),
    "no_leave_out": (
        "Annotators are not left out in turn, because this takes long for so many ratings: to do "
        "it, {leave_out:option =True}."
    ),
    "stable_share": (
        "share of random resamples of its votes in which the label stays the same; items with "
        "equal votes differ by chance."
    ),
    "stable_share_of_model": "share of resamples of the items in which the label stays the same.",
    "sure": (
        "Certainty is {certainty:estimate 3} on average{several}; the lowest is "
        "{lowest:estimate 3}."
    ),
    "sure_votes": (
        "On average {certainty:share} of the votes support the gold label{several}; the lowest "
        "share is {lowest:share}."
    ),
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
        "Hardly better than chance (kappa with the gold labels at most {most:short}, and at most "
        "{fair:short} with two standard errors more): {names:names 10 annotators}."
    ),
    "no_majority": (
        "On {items:count item} no label has more than half of the votes: the gold set is empty, "
        "and CSV files have none; {method:option =expert_coder_index} takes the best annotator's "
        "set there."
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
    "picture_certainty_votes": "{certainty:share} of the votes support the gold label on average",
    "picture_certainty": "The certainty of gold labels is {certainty:estimate 2} on average",
    "picture_items_by_certainty": ("Number of items by certainty, of items with two votes or more"),
    "picture_certainty_axis": "Certainty of the gold label",
    "next_sheet": (
        "Next: decide the tied and uncertain items, and others that are disputed: {iaa:gold "
        "--sheet {sheet}}, fill in the column 'adjudicated', then {iaa:gold --adjudicated {sheet}}."
    ),
    "next_sheet_sets": (
        "Next: decide the labels in doubt: {iaa:gold --sheet {sheet}}, fill in the column "
        "'adjudicated' (several labels with semicolons between them), then {iaa:gold --adjudicated "
        "{sheet}}."
    ),
    "next_filled": (
        "Next: fill in the column 'adjudicated' of the sheet, then {iaa:gold --adjudicated "
        "{sheet}}."
    ),
    "next_filled_sets": (
        "Next: fill in the column 'adjudicated' of the sheet, several labels with semicolons "
        "between them, then {iaa:gold --adjudicated {sheet}}."
    ),
    "next_gold": "Next: write the gold labels of all items: {iaa:gold --output gold.csv}.",
    "next_control": (
        "Next: go through the control items with {weakest:name}; {iaa:gold --output "
        "gold.csv} writes the known labels next to the ratings."
    ),
    "next_known": (
        "Next: if you know the true labels of some items, name their column with {control:option}."
    ),
    "tied": "{label:name} (tied)",
    "tied_apart": "(tied)",
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
        "{lost:count resample} of {replicates:count} did not converge in {steps:count} steps; "
        "intervals take {lost:it|them} as {lost:it is|they are}."
    ),
    "skill": "{skill}.",
    "skill_majority_sets": (
        "share of the annotator's choices, label by label, that the gold set also makes. It is "
        "made of them, too: with two ratings an item, all skills are high."
    ),
    "skill_expert_coder_index_sets": "mean agreement with the others, by pairs of labels.",
    "certainty_of_votes": "share of the votes for the gold label.",
    "certainty_of_weights": (
        "share of the votes for the gold label, weighted by the annotators' skill."
    ),
    "certainty_of_model": "the model's probability of the gold label.",
    "certainty_of_replicates": (
        "the model's probability of the gold label, averaged over resamples, so that its estimates "
        "of annotators count as uncertain; 'certainty' in files takes them as known."
    ),
    "certainty_of_sets": (
        "share of annotators who agree with the gold set, on the label where it is smallest."
    ),
}
