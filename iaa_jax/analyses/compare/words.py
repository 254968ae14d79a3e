"""The words of the page of a comparison."""

from __future__ import annotations

from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.wording import Words, joined

OF_ANSWER: Words = {
    "labels_occur_differently": (
        "Labels occur differently: label {label:name} is {a:share} of the ratings in "
        "{name_a:name} and {b:share} in {name_b:name} ({p:p}). A coefficient that corrects for "
        "chance can differ with that alone while annotators work alike.{common}"
    ),
    "labels_marked_differently": (
        "Labels occur differently: label {label:name} is on {a:share} of the units marked in "
        "{name_a:name} and on {b:share} in {name_b:name} ({p:p}). A figure of all labels together "
        "can differ with that alone, where some labels are harder than others."
    ),
    "at_common_margins": (
        " With items reweighted so that labels are equally frequent in both and as many pairs of "
        "ratings agree as before, {title} is {a:estimate} ({name_a:name}) and {b:estimate} "
        "({name_b:name}), a difference of {difference:signed} ({ends}{p:p}){shown}; so weighted, "
        "the items tell as much as {effective_a:count} and {effective_b:count} of equal weight."
    ),
    "common_ends": "{confidence:level}: {ends:interval}; ",
    "common_shown": "",
    "common_not_shown": ": no difference can be shown there",
    "no_common_margins": " Items cannot be reweighted so that labels are equally frequent: {why}.",
    "label_alone": "a label occurs in one of the sets alone",
    "few_differ": "too few of them have the labels that would have to count more",
    "a_higher": (
        "{title}{weights} is higher for {higher:name} than for {lower:name}: {figures}, {where}."
    ),
    "b_higher": (
        "{title}{weights} is higher for {higher:name} than for {lower:name}: {figures}, {where}."
    ),
    "alike": (
        "{title}{weights} differs by less than {margin:short} between {name_a:name} and "
        "{name_b:name}: {figures}, {where}."
    ),
    "not_shown": (
        "No difference can be shown between {name_a:name} and {name_b:name}: {figures}, {where}."
    ),
    "kind_not_shown": (
        "That {title}{weights} depends on the kind of annotator cannot be shown: {figures}, "
        "{where}. These annotators differ, but other groups of them differ as much."
    ),
    "unreliable": (
        "No verdict: {figures}, {where}. {undefined:count} of {replicates:count} replicates are "
        "undefined, so that neither the interval nor p can be trusted."
    ),
    "unknown": "{figures}; how certain that is is unknown ({notes:join ; }).",
    "undefined": "Nothing can be said: {title} is undefined ({reasons:join ; }).",
    "these_annotators_alone": (
        "This is only about these annotators, {a:count} ({name_a:name}) and {b:count} "
        "({name_b:name}); others may differ."
    ),
    "dealt_out_in_all_ways": (
        "Of the {ways:count} ways to divide them into groups of {a:count} and {b:count}, "
        "{alike:count} {alike:differs|differ} as much or more, this one included ({p:p})."
    ),
    "dealt_out_at_random": (
        "Divided at random into groups of {a:count} and {b:count}, {p:share} differ as much or "
        "more, this one included ({p:p})."
    ),
    "cannot_show_more": "{sides:and} cannot show more.",
    "interval_without_0": (
        "The interval excludes 0, but exchanges give {p:p}: no difference is concluded. So few "
        "items carry it that exchanging the sets' ratings gives as much by chance."
    ),
    "interval_with_0": (
        "The interval includes 0, but exchanges give {p:p}, and the conclusion keeps to them: that "
        "the sets do not agree alike is shown, but too few items carry it to tell by how much."
    ),
    "within_margin": "The difference lies within ±{margin:short} ({tests}){there}.",
    "not_within_margin": (
        "That the difference lies within ±{margin:short} cannot be shown ({tests})."
    ),
    "would_show": (
        "Four times in five these data would show a true difference of {least:estimate decimals} "
        "or more."
    ),
    "takes_paired_items": (
        "A difference of {difference:short} takes about {a:count} items rated in both, rated like "
        "these."
    ),
    "takes_items": (
        "A difference of {difference:short} takes about {a:count} items ({name_a:name}) and "
        "{b:count} ({name_b:name}), rated like these."
    ),
    "observed_is_higher": (
        "Percent agreement, though, is higher for {higher:name} ({high:estimate} against "
        "{low:estimate}){why}."
    ),
    "labels_differ": (
        "Of {labels:count label}, {count:count} {count:differs|differ}, with all tested at once "
        "(adjusted p at most {alpha:short}): {moved:join , }{more}. 'iaa labels' on each set shows "
        "what they are confused with."
    ),
    "all_labels_differ": (
        "All {labels:count label} differ, with all tested at once (adjusted p at most "
        "{alpha:short}): {moved:join , }{more}. 'iaa labels' on each set shows what they are "
        "confused with."
    ),
    "no_label_moved": "No label changed.",
    "no_label_differs": (
        "No single label can be shown to differ with all {labels:count} tested at once; {moved} "
        "changed most."
    ),
    "labels_unreliable": "No verdict on {labels:names}: too many replicates are undefined.",
}
"""What the page begins with."""

OF_SETS: Words = {
    "design_paired": "paired, item by item",
    "design_independent": "independent sets",
    "pairing_as_asked": "{design}: as asked",
    "pairing_refused_though_shared": (
        "{design}: as asked, though {shared:count} item ids occur in both"
    ),
    "pairing_nothing_shared": "{design}: no two items occur in both",
    "pairing_patterns": "{design}: items were counted by pattern, and have no names to go by",
    "pairing_few_pairable": (
        "{design}: {shared:count} items were rated in both, of which {a:count} have two ratings in "
        "{name_a:name} and {b:count} in {name_b:name}, but only {both:count} in both; "
        "{paired:option =True} compares on them anyway"
    ),
    "pairing_few_shared": (
        "{design}: only {shared:count} of the {items:count} items of the smaller set have ids that "
        "occur in both; if these are the same items, {paired:option =True} compares on them alone"
    ),
    "pairing_weights_differ": "{design}: the same ids stand for different numbers of items",
    "pairing_shared": "{design}: {shared:count} items were rated in both",
    "pairing_row_numbers": (
        "item ids look like row numbers: if these are different items, use {paired:option =False}"
    ),
    "values_not_compared": "{values:quoted} of {by:name}",
}
"""How the two sets came to be."""

OF_DIFFERENCES: Words = joined(
    OF_FIGURES,
    {
        "few_pairable_in_set": (
            "the items of {set:name} with two ratings weigh only {items:short}: no standard error"
        ),
        "one_cluster_in_set": (
            "the items of {set:name} with two ratings are in one cluster: no standard error"
        ),
        "of_set": "in {set:name}, {note}",
        "sets_do_not_differ": "the sets do not differ on any item{bound}",
        "bounded_by_all_alike": (
            ", and the interval is the exact binomial one for {units:short} {what} that do not"
        ),
        "zero_spread": "{sides:join , }, {interval}{p}",
        "set_without_disagreement": "nothing disagrees in the {units:short} {what} of {set:name}",
        "set_without_spread": "the {units:short} {what} of {set:name} show no spread",
        "difference_without_spread": "the difference shows no spread",
        "bounded_by_unanimity": (
            "and resampling cannot show what never occurred: the interval takes its exact binomial "
            "lower end (square and add)"
        ),
        "no_interval": "so that there is no interval",
        "p_by_exchange": ", and p is that by exchange",
        "no_p_value": ", and no p: these items cannot show this",
        "one_sided_difference": (
            "nearly all replicates lie on one side of the difference: it is biased on so few "
            "items, and a BCa interval would not cover it"
        ),
        "not_exchanged": "no p by exchange: {why}",
        "annotators_are_drawn": ("items alone would change sides, and annotators are random too"),
        "weights_not_whole": (
            "items have weights that are not whole, so that they cannot be exchanged one by one"
        ),
        "annotators_differ": (
            "it tells annotators apart ({name_a:name}: {a:count} of them, {name_b:name}: {b:count})"
        ),
        "few_exchanges": (
            "there are so few ways to exchange what is random that p by exchange cannot be below "
            "{least:short}: p is Student's"
        ),
    },
)
"""What is noted of single coefficients; which ones stands before it."""

OF_RESULT: Words = {
    "items_are_random": (
        "Items are random: this holds for further items by these annotators, not for other "
        "annotators.{names}"
    ),
    "annotators_too": (
        "{units} and annotators are random: this holds for further ones like these, of which there "
        "are {annotators:and} annotators.{names}"
    ),
    "few_annotators_drawn": (
        "{least:count} annotators stand for all others: what they share may be mistaken for what "
        "all do, and the interval is rough."
    ),
    "clusters_are_random": (
        "Clusters of items by {cluster:name} ({clusters:and}) are random: this holds for further "
        "clusters by these annotators, not for other annotators.{names}"
    ),
    "same_annotator_names": " Their names are the same in both sets.",
    "shared_names": " {names:count name} {names:occurs|occur} in both sets.",
    "clusters_in_both_sets": (
        "{shared:count value} of {cluster:name} {shared:occurs|occur} in both sets, taken as "
        "different clusters."
    ),
    "labels_of_one_set": "Labels of one set alone: {sides:join , }.{question}",
    "labels_of_both_sets": (
        "Both sets are measured on the {labels:count label} of both together; {name_a:name} has "
        "{a:count} of them and {name_b:name} {b:count}."
    ),
    "step_by_step": (
        "Adjusted p goes step by step, from the most certain label on, and so shows more than "
        "intervals for all at once: one of these may include 0."
    ),
    "labels_undefined": "Undefined for {count:count label}: {labels:names} ({reasons:join ; }).",
    "labels_not_compared": "Labels are not compared one by one: {reason}.",
}
"""What is noted of a whole result, below the tables."""

WORDS: Words = joined(
    OF_ANSWER,
    OF_SETS,
    OF_DIFFERENCES,
    OF_RESULT,
    {
        "figures": (
            "{title}{weights} {a:estimate decimals} ({name_a:name}) and {b:estimate decimals} "
            "({name_b:name}), a difference of {difference:signed decimals}{sure}"
        ),
        "figures_from_the_higher": (
            "{high:estimate decimals} against {low:estimate decimals}, a difference of "
            "{difference:estimate decimals}{sure}"
        ),
        "weighted": " ({weights})",
        "interval_behind": " ({confidence:level}: {ends:interval decimals})",
        "p_behind": " ({p:p})",
        "on_two_sets": (
            "on {a:count item} ({name_a:name}) and {b:count item} ({name_b:name}){pairable}"
        ),
        "pairable": " with two ratings or more",
        "on_shared_items": (
            "on {items:count item} rated in both ({both:count} with two ratings or more in both)"
        ),
        "on_uneven_items": (
            "on {items:count item} rated in both, of which {a:count} ({name_a:name}) and {b:count} "
            "({name_b:name}) have two ratings or more, {both:count} in both"
        ),
        "on_items_of_the_same_ids": "on {items:count item} with the same ids",
        "on_the_same_items": "on the same {items:count item}",
        "items_all_alike": "{items:count item} without disagreement ({set:name})",
        "one_sided_tests": "two one-sided tests, {p:p}",
        "no_test": "no test",
        "too_small_to_matter": ": it exists, but is too small to matter",
        "by_chance": (
            ": its labels are spread less evenly, so that more of its agreement is expected by "
            "chance"
        ),
        "label_moved": "{label:name} ({difference:signed 2})",
        "and_more": " and {count:count} more",
        "reason_in_set": "{set:name}: {reason}",
        "labels_only_in": "{labels:quoted 5} only in {set:name}",
        "written_in_two_ways": " The same label, written in two ways?",
        "no_label_in_both": " No label occurs in both: the same labels under other names?",
        "set": "{name:name}: {items:count item}{pairable}, {who}, {ratings:count rating}{left_out}",
        "set_pairable": " ({items:count} with two ratings or more)",
        "set_annotators": "{annotators:count annotator}",
        "set_anonymous": "at most {ratings:count rating} per item, annotators unknown",
        "set_left_out": "; {items:count item} left out, not rated in the other",
        "random_items": "Items",
        "random_clusters": "Clusters of items by {cluster:name}",
        "set_name": "{name:name}",
        "interval_at_once": "{confidence:level} at once",
        "p_value": "of no difference, two-sided, {law} with the standard error of the difference.",
        "p_of_posterior": (
            "of no difference: twice the share of the posterior on the other side of 0, so that p "
            "is below {alpha:short} just where the interval leaves 0 out."
        ),
        "p_of_bound": (
            "of no difference: one less the confidence of the interval that ends at 0, so that p "
            "is below {alpha:short} just where the interval leaves 0 out."
        ),
        "p_of_several": "{parts:join  Of other rows: }",
        "p_of_exchange": (
            "of no difference, by exchange: how often the difference is as large, in its standard "
            "errors, when {exchanged} ({permutations:count time}).{law}"
        ),
        "p_of_regrouping": (
            "of no difference: how often it is as large when these annotators are divided into two "
            "groups of these sizes in other ways."
        ),
        "p_at_common_margins": (
            "Student's t, with standard errors that take the weights of items as estimated."
        ),
        "p_of_others": " Where sets cannot be exchanged, {law} with the standard error.",
        "family_max-t": "step-down max-t",
        "family_exchange": "step-down max-t over the exchanges",
        "family_holm": "Holm",
        "family_bonferroni": "Bonferroni",
        "adjusted": "for all {count:count} coefficients together ({family}).",
        "label": "{title} of each label against all others together.",
        "label_of_units": "{title} of the units with each label.",
        "exchanged_sides": "the two sets' ratings of {unit} change sides at random",
        "exchanged_anew": "{units} are reassigned between the sets",
        "undefined_row": "{title} is undefined ({reasons:join ; }).",
        "undefined_replicates": (
            "Undefined replicates, left out of the interval: {figures:join , }."
        ),
        "figure_count": "{name} ({count:count})",
        "labels_agree": "How labels agree: {weights} ({titles:join , }).",
        "about": "{figures}: {note}.",
        "about_figures": "{titles:join , }",
        "about_all": "All coefficients",
    },
)
"""All of them."""
