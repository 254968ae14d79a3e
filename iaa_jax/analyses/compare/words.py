"""The words of the page of a comparison."""

from __future__ import annotations

from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.wording import Words, joined

VERDICT: Words = {
    "a_higher": (
        "{title}{weights} is higher for {higher:quoted} than for {lower:quoted}: {figures}. The "
        "table shows B - A, so the sign is negative."
    ),
    "b_higher": (
        "{title}{weights} is higher for {higher:quoted} than for {lower:quoted}: {figures}."
    ),
    "alike": (
        "{title}{weights} differs by less than {margin:short} between {name_a:quoted} and "
        "{name_b:quoted}: {figures}."
    ),
    "no_item_differs": (
        "{name_a:quoted} and {name_b:quoted} do not differ on any item: {title}{weights} is "
        "{a:estimate decimals} in both{difference}."
    ),
    "not_shown": (
        "{title}{weights} is not shown to differ between {name_a:quoted} and {name_b:quoted}: "
        "{figures}."
    ),
    "kind_not_shown": (
        "No effect of the kind of annotator is shown: {figures}. These annotators differ, {but}."
    ),
    "other_groups": "but other groups of them differ as much",
    "groups_too_small": (
        "but {a:count} and {b:count} cannot show that it is due to their kind: p is never below "
        "{least:estimate}"
    ),
    "unreliable": (
        "No verdict: {undefined:count} of {replicates:count} resamples are undefined. "
        "{figures}; neither its interval nor p can be trusted."
    ),
    "unknown": "{figures}; its uncertainty is unknown ({notes:join ; }).",
    "undefined": "No verdict: {title} is undefined ({reasons:join ; }).",
    "interval_without_0": (
        "The interval excludes 0, but permutations give {p:p}: no difference is concluded, because "
        "it rests on too few items."
    ),
    "interval_with_0": (
        "The interval includes 0, but permutations give {p:p}: there is a difference, but it rests "
        "on too few items to show its size."
    ),
    "within_margin": "The difference lies within ±{margin:short} ({tests}){there}.",
    "not_within_margin": (
        "The data do not show that the difference lies within ±{margin:short} ({tests})."
    ),
    "labels_differ": (
        "Of {labels:count label}, {count:count} {count:differs|differ} (all tested together, "
        "adjusted p at most {alpha:short}): {moved:join , }{more}."
    ),
    "all_labels_differ": (
        "All {labels:count label} differ (all tested together, adjusted p at most {alpha:short}): "
        "{moved:join , }{more}."
    ),
    "no_label_moved": "No label differs.",
    "no_label_differs": (
        "With all {labels:count label} tested together, none is shown to differ; the largest "
        "difference is for {moved}."
    ),
    "labels_unreliable": "No verdict on {labels:quoted}: too many resamples are undefined.",
}
"""Sentences that begin the page."""

ON_RATES: Words = {
    "labels_occur_differently": (
        "Label rates differ: label {label:quoted} is {a:share} of the ratings in {name_a:quoted} "
        "and {b:share} in {name_b:quoted} ({p:p}). That alone can change a coefficient that "
        "corrects for chance.{common}"
    ),
    "labels_marked_differently": (
        "Label rates differ: label {label:quoted} is on {a:share} of the units in {name_a:quoted} "
        "and on {b:share} in {name_b:quoted} ({p:p}). That alone can change a figure of all labels "
        "together, if some labels are harder than others."
    ),
    "at_common_margins": "",
    "no_common_margins": " Items cannot be reweighted to equal label rates: {why}.",
    "label_alone": "a label occurs in only one of the sets",
    "few_differ": "too few of them have the labels that would have to count more",
}
"""Notes on label rates (frequencies) that differ."""

FURTHER: Words = {
    "these_annotators_alone": (
        "This is about these annotators only, {a:count} ({name_a:quoted}) and {b:count} "
        "({name_b:quoted}); others may differ{not_split}."
    ),
    "not_split_at_random": (
        ": groups of {most:count} or more are not split at random, but {random_annotators:option} "
        "takes others into account"
    ),
    "dealt_out_in_all_ways": (
        "Of the {ways:count} ways to split the annotators into groups of {a:count} and {b:count}, "
        "{alike:count} {alike:differs|differ} at least as much, this one included ({p:p})."
    ),
    "dealt_out_at_random": (
        "Of random splits of the annotators into groups of {a:count} and {b:count}, {p:share} "
        "differ at least as much, this one included."
    ),
    "cannot_show_more": "{sides:and} are too few to show a difference.",
    "would_show": (
        "These items would show a difference of {least:estimate decimals} or more with 80 % power."
    ),
    "observed_is_higher": (
        "Observed agreement, however, is higher for {higher:quoted}: {high:estimate} against "
        "{low:estimate}{why}."
    ),
}
"""Further notes on the difference."""

NEXT: Words = {
    "takes_paired_items": (
        "Next: to detect a difference of {difference:short}{default}, rate about {a:count} items "
        "like these in both sets."
    ),
    "by_default": " (the default; {margin:option} asks for another)",
    "takes_items": (
        "Next: to detect a difference of {difference:short}{default}, rate about {a:count} "
        "({name_a:quoted}) and {b:count} ({name_b:quoted}) items like these."
    ),
    "next_lower": (
        "Next: run {try:labels} and {try:items} on {lower:quoted} to see what its annotators "
        "disagree on."
    ),
    "next_on_labels": (
        "Next: run {try:labels} on each set to see which labels its annotators use, and which they "
        "confuse."
    ),
    "next_kinds": "Next: to compare kinds of annotators, have more annotators of each kind rate.",
    "next_undecided": (
        "Next: run {try:agree} on each set to see what is missing; rate more items in both sets."
    ),
}
"""Advice on what to do next, at the end of the page."""

OF_SETS: Words = {
    "design_paired": "paired, item by item",
    "design_independent": "independent sets",
    "pairing_as_asked": "{design}: as asked",
    "pairing_refused_though_shared": (
        "{design}: as asked, though {shared:count} item ids occur in both"
    ),
    "pairing_nothing_shared": "{design}: no item is in both",
    "pairing_patterns": "{design}: items were counted by pattern and have no names to match",
    "pairing_few_pairable": (
        "{design}: {shared:count} items were rated in both, {a:count} of them with two ratings in "
        "{name_a:name} and {b:count} in {name_b:name}, but only {both:count} in both; "
        "{paired:option =True} compares the sets on these anyway"
    ),
    "pairing_few_shared": (
        "{design}: only {shared:count} of the {items:count} items of the smaller set have ids that "
        "occur in both; if these are the same items, {paired:option =True} compares only these"
    ),
    "pairing_weights_differ": "{design}: the same ids stand for different numbers of items",
    "pairing_shared": "{design}: {shared:count} items were rated in both",
    "pairing_row_numbers": (
        "item ids look like row numbers: if these are different items, use {paired:option =False}"
    ),
    "values_not_compared": "{values:quoted} of {by:name}",
}
"""How the two sets were formed."""

OF_DIFFERENCES: Words = joined(
    OF_FIGURES,
    {
        "few_pairable_in_set": (
            "the items of {set:name} with two ratings have a weight of only {items:short}: no "
            "standard error"
        ),
        "one_cluster_in_set": (
            "the items of {set:name} with two ratings are in one cluster: no standard error"
        ),
        "of_set": "in {set:name}, {note}",
        "sets_do_not_differ": "the sets do not differ on any item{bound}",
        "bounded_by_all_alike": "; the interval is the exact binomial one for {units:short} {what}",
        "zero_spread": "{sides:join , }, {interval}{p}",
        "set_without_disagreement": "nothing disagrees in the {units:short} {what} of {set:name}",
        "set_without_spread": "the {units:short} {what} of {set:name} show no spread",
        "difference_without_spread": "the difference shows no spread",
        "bounded_by_unanimity": (
            "and resampling cannot show what never occurred: the interval has the exact binomial "
            "lower end of that set (square-and-add method)"
        ),
        "no_interval": "so there is no interval",
        "p_by_exchange": ", and p comes from permutations",
        "no_p_value": ", and there is no p-value",
        "one_sided_difference": (
            "nearly all resamples lie on one side of the difference: with so few items the "
            "difference is biased, and a BCa interval would miss it"
        ),
        "not_exchanged": "no permutation test: {why}",
        "annotators_are_drawn": "it would permute only items, but annotators are random too",
        "weights_not_whole": "items have fractional weights and cannot be permuted one by one",
        "annotators_differ": (
            "the coefficient depends on who rated ({a:count} annotators in {name_a:name}, "
            "{b:count} in {name_b:name})"
        ),
        "panels_differ": (
            "items of {name_a:name} have {a:short} ratings on average and those of {name_b:name} "
            "{b:short}, so that they vary differently and cannot be permuted"
        ),
        "few_exchanges": (
            "there are so few permutations that their p cannot be below {least:short}: p is from "
            "Student's t"
        ),
    },
)
"""Notes on single coefficients."""

OF_RESULT: Words = {
    **FURTHER,
    "items_are_random": (
        "The result holds for other items rated by these annotators, not for other annotators."
        "{names}"
    ),
    "annotators_too": (
        "The result holds for other {units} and other annotators like these ({annotators:and})."
        "{names}"
    ),
    "few_annotators_drawn": (
        "{least:count} annotators are few to stand for all others: the interval is rough."
    ),
    "clusters_are_random": (
        "The result holds for other clusters of items by {cluster:name} ({clusters:and} here) "
        "rated by these annotators, not for other annotators.{names}"
    ),
    "same_annotator_names": (
        " The annotators have the same names in both sets and were taken to be the same people."
    ),
    "shared_names": (
        " {names:count annotator} {names:has|have} the same name in both sets and {names:was|were} "
        "taken to be the same {names:person|people}.{pairs}"
    ),
    "pairs_in_both_sets": " Ratings that are in both sets make the difference smaller.",
    "clusters_in_both_sets": (
        "{shared:count value} of {cluster:name} {shared:occurs|occur} in both sets and "
        "{shared:counts|count} as different clusters."
    ),
    "labels_of_one_set": "Labels in one set only: {sides:join , }.{question}",
    "labels_of_both_sets": (
        "Both sets are measured on all {labels:count label}; {name_a:quoted} uses {a:count} and "
        "{name_b:quoted} {b:count}."
    ),
    "step_by_step": (
        "Adjusted p-values are computed step by step, most certain label first. They can show a "
        "difference although the joint interval of the label includes 0."
    ),
    "labels_undefined": "Undefined for {count:count label}: {labels:quoted} ({reasons:join ; }).",
    "labels_not_compared": "No comparison label by label: {reason}.",
}
"""Notes on a whole result, below the tables."""

WORDS: Words = joined(
    VERDICT,
    ON_RATES,
    NEXT,
    OF_SETS,
    OF_DIFFERENCES,
    OF_RESULT,
    {
        "figures": (
            "{title}{weights} {a:estimate decimals} ({name_a:quoted}) and {b:estimate decimals} "
            "({name_b:quoted}), a difference of {difference:signed decimals}{sure}"
        ),
        "beside_partial": (
            "Only equal label sets count as agreement here. If sets that match in part count too: "
            "{figures}."
        ),
        "figures_of_both": (
            "{a:estimate decimals} and {b:estimate decimals} (B - A: {difference:signed "
            "decimals}{sure})"
        ),
        "figures_from_the_higher": (
            "{high:estimate decimals} against {low:estimate decimals}, a difference of "
            "{difference:estimate decimals}{sure}"
        ),
        "at_equal_rates": (
            "Label rates differ; with items reweighted until they are equal, and as many pairs "
            "that agree, it is still higher for {higher:quoted}: {high:estimate} against "
            "{low:estimate}."
        ),
        "not_shown_at_equal_rates": (
            "Label rates differ, and that may be all: with items reweighted until they are equal, "
            "and as many pairs that agree, no difference is shown ({a:estimate} for "
            "{name_a:quoted}, {b:estimate} for {name_b:quoted})."
        ),
        "depends_on_rates": ("The answer depends on how often each label is used."),
        "as_rated_not_shown": (
            "As rated, {title}{weights} is not shown to differ: {a:estimate decimals} "
            "({name_a:quoted}) and {b:estimate decimals} ({name_b:quoted}); B - A: "
            "{difference:signed decimals}{sure}."
        ),
        "as_rated_alike": (
            "As rated, {title}{weights} differs by less than {margin:short}: {a:estimate decimals} "
            "({name_a:quoted}) and {b:estimate decimals} ({name_b:quoted}); B - A: "
            "{difference:signed decimals}{sure}."
        ),
        "higher_at_equal_rates": (
            "Label rates differ, so the two figures are hard to compare: with items reweighted "
            "until they are equal, and as many pairs that agree, the coefficient would be higher "
            "for {higher:quoted} ({high:estimate} against {low:estimate} for {lower:quoted}); "
            "other ways to reweight need not show this."
        ),
        "rates_differ": (
            "Labels are not used equally often, which alone can cause a difference: see below."
        ),
        "weighted": " ({weights:weights})",
        "interval_behind": " ({confidence:level} interval {ends:interval decimals})",
        "interval_inside": (", {confidence:level} interval {ends:signed_interval decimals}"),
        "interval_of_no_difference": (
            " ({confidence:level} interval of the difference: {ends:interval decimals})"
        ),
        "p_behind": " ({p:p})",
        "p_inside": ", {p:p}",
        "comparable": "{both:count item} with two ratings or more in both sets",
        "comparable_each": (
            "A on its {a:count item} with two ratings or more, B on its {b:count}; {both:count} "
            "have two in both"
        ),
        "items_all_alike": "{items:count item} without disagreement ({set:name})",
        "one_sided_tests": "two one-sided tests, {p:p}",
        "no_test": "no test",
        "too_small_to_matter": ": real, but too small to matter",
        "by_chance": (": its label rates are less even, so more agreement is expected by chance"),
        "label_moved": "{label:quoted} ({difference:signed 2})",
        "and_more": " and {count:count} more",
        "reason_in_set": "{set:name}: {reason}",
        "labels_only_in": "{labels:quoted 5} only in {set:name}",
        "written_in_two_ways": " One label written in two ways?",
        "no_label_in_both": " No label occurs in both: other names for the same labels?",
        "set": "{named}{items:count item}{pairable}, {who}, {ratings:count rating}{left_out}",
        "set_called": "{name:name}: ",
        "set_pairable": " ({items:count} with two ratings or more)",
        "set_annotators": "{annotators:count annotator}",
        "set_anonymous": "at most {ratings:count rating} per item, annotator identities unknown",
        "set_left_out": "; {items:count item} left out, not rated in the other",
        "random_items": "items",
        "random_clusters": "clusters of items by {cluster:name}",
        "set_name": "{name:name}",
        "interval_jointly": "{confidence:level} jointly",
        "picture_differences": "Difference in agreement: {name_b:quoted} minus {name_a:quoted}",
        "picture_intervals": "Lines: {confidence:level} intervals",
        "picture_intervals_of_labels": (
            "Lines: {confidence:level} intervals; those of labels hold for all labels together"
        ),
        "jointly_meaning": "the intervals hold for all {labels:count label} together.",
        "p_value": "two-sided, {law} with the standard error of the difference.",
        "p_of_posterior": (
            "two-sided, from the posterior: below {alpha:short} exactly where the interval "
            "excludes 0."
        ),
        "p_of_bound": (
            "two-sided, from the interval: below {alpha:short} exactly where the interval "
            "excludes 0."
        ),
        "p_of_several": "{parts:join  Other rows: }",
        "p_of_exchange": (
            "permutation test of no difference: how often the difference is as large, in standard "
            "errors, when {exchanged} ({permutations:count time}).{law}"
        ),
        "p_of_regrouping": (
            "test of no difference: how often it is as large when the annotators are split into "
            "groups of these sizes in other ways."
        ),
        "on_common_margins": (
            "Reweighting to equal label rates keeps the share of pairs that agree. That is a "
            "choice (docs/compare.md), so this is no test of who agrees better. Reweighting "
            "costs precision: A is then worth {effective_a:count} of its {a:count item}, B "
            "{effective_b:count} of its {b:count}."
        ),
        "p_of_others": " If sets cannot be permuted: {law} with the standard error.",
        "family_max-t": "step-down max-t",
        "family_permutations": "step-down max-t over the permutations",
        "family_holm": "Holm",
        "family_bonferroni": "Bonferroni",
        "adjusted": "for all {count:count} coefficients together ({family}).",
        "adjusted_of_labels": "p for all {count:count label} together ({family}).",
        "label": "{title} of each label against all others.",
        "label_of_units": "{title} of the units with each label.",
        "exchanged_sides": "the two sets' ratings of {unit} change sides at random",
        "exchanged_anew": "{units} are reassigned between the sets",
        "undefined_row": "{title} is undefined ({reasons:join ; }).",
        "undefined_replicates": "Undefined resamples, left out of the interval: {figures:join , }.",
        "figure_count": "{name} ({count:count})",
        "labels_agree": "Weights of {titles:and}: {weights:weights}.",
        "intervals_of_labels": (
            "{confidence:level} intervals of labels are computed by {method:spaced}{docs:compare}."
        ),
        "about": "{figures}: {note}.",
        "about_figures": "{titles:join , }",
        "about_all": "All coefficients",
    },
)
"""All words of the page."""
