"""The words of the page of agreement."""

from __future__ import annotations

from iaa_jax.wording import Words

OF_TESTS: Words = {
    "null_form_not_for": "no {form}: {reason}",
    "no_spread": "it has no spread",
    "few_by_chance": (
        "the normal distribution is too certain of so few ratings ({items:count item}; by chance "
        "alone {pairs:estimate 1} pairs of ratings would agree on anything but the commonest label)"
    ),
    "form_takes_annotators_alike": (
        "the analytic form takes all annotators to use labels alike; where they do not, it finds "
        "less agreement than by chance though there is none"
    ),
    "form_of_weights": (
        "by an analytic form, since permutations shuffle item by item, and these items have "
        "weights that are not whole numbers"
    ),
    "form_of_many": (
        "by an analytic form, since {permutations:count permutation} of {ratings:count rating} "
        "would take long; {null:option =permutation} waits for them"
    ),
    "no_null_form": "no analytic form",
    "no_f_test": "no F test: too few items",
    "f_value": "F = {f:short} on {df1:short} and {df2:short} degrees of freedom",
    "no_permutation_of_weights": (
        "no permutation: permutations shuffle item by item, and these items have weights that are "
        "not whole numbers"
    ),
    "permuted_together": (
        "these ratings are counts without annotators, so that all are shuffled together, as if "
        "annotators used labels alike"
    ),
    "undefined_permutations": (
        "undefined on {undefined:count} of {permutations:count} permutations, which are left out"
    ),
    "permuted_alike": "all shuffled ratings give the same figure",
}
"""What is noted of a test of zero agreement, as parts of sentences."""

METHODS: Words = {
    "null_fleiss_nee_landis_1979": "Fleiss, Nee and Landis 1979",
    "fleiss_cohen_everitt_1969": "Fleiss, Cohen and Everitt 1969",
    "null_fleiss_1981": "Fleiss 1981",
}
"""Analytic tests of zero agreement by their authors."""

WORDS: Words = {
    "paper": (
        "For a paper: {title} ({source}) was {estimate:estimate}{interval} over "
        "{items:count item}, {annotators:count annotator} and {ratings:count rating} (iaa_jax "
        "{version})."
    ),
    "paper_interval": ", {confidence:level} interval {ends:interval} ({method}),",
    "method_bca": "BCa bootstrap over items",
    "method_percentile": "percentile bootstrap over items",
    "method_posterior": "posterior over items, from a prior of a few pseudo-items",
    "method_kurtosis_t": "jackknife t, degrees of freedom by kurtosis",
    "method_modified_large_sample": "modified large-sample, over items and annotators",
    "method_widened_large_sample": "modified large-sample or jackknife, over items and annotators",
    "method_t": "Student's t from the standard error",
    "method_normal": "normal, from the standard error",
    "method_basic": "basic bootstrap",
    "method_studentized": "studentized bootstrap over items",
    "method_abc": "approximate bootstrap confidence interval over items",
    "method_likelihood": "empirical likelihood over items, with pseudo-items",
    "method_f": "by F distributions",
    "method_other": "see the record",
    "part": "{name:name}",
    "questions_measured": (
        "{title} is lowest on {lowest_question:name} ({lowest_estimate:estimate}) and highest on "
        "{highest_question:name} ({highest_estimate:estimate})."
    ),
    "questions_undefined": "{title} is undefined on every question.",
    "lead": "{coefficient}{weights} is {estimate:estimate decimals}{interval}{why}.",
    "lead_undefined": "{coefficient}{weights} is undefined: {reason}.",
    "lead_weights": " ({weights})",
    "lead_interval": " ({confidence:level} interval {ends:interval decimals})",
    "lead_interval_in_doubt": (
        " ({confidence:level} interval {ends:interval decimals}, in doubt: see below)"
    ),
    "leads_usual_labels": "; it leads as it takes any number of annotators, and gaps",
    "leads_usual_sets": (
        "; it leads as it takes gaps, and, unlike A_m, does not count a label that both left out"
    ),
    "leads_usual_numbers": (
        "; it leads as it takes gaps, and counts different means of annotators as disagreement"
    ),
    "leads_usual_spans": "; it leads as it asks most: the same boundaries, and the same label",
    "leads_asked": "; it was asked for first",
    "figures": "{names:join , }",
    "figures_on_labels": "{coefficient} on {names:names 20}",
    "about": "{figures}: {note}.",
    "about_result": "{figures}: {note}",
    "shared_weights": "Agreement between labels: {weights}.",
    "near_misses": ", near misses in part",
    "observed": "the share of pairs of ratings that agree{partly}.",
    "expected": ("the same by chance. A coefficient is (observed - expected) / (1 - expected)."),
    "standard_error": "standard error ({form:spaced}).",
    "standard_error_over_annotators": (
        "standard error ({form:spaced} over items, one annotator left out at a time)."
    ),
    "word": ("of the estimate alone, by {scale_title}, a convention made for {made_for}."),
    "reached": (
        "the word of the lower end of the {certainty:level} interval, by {scale_title}, a "
        "convention made for {made_for}; none where the interval is in doubt. The estimate alone "
        "may read better."
    ),
    "by_chance": (
        "how often chance alone is as extreme, two-sided ({how:join ; }). It says whether there is "
        "any agreement, not whether there is enough."
    ),
    "by_chance_note": "p by chance: {note}.",
    "above_over_items": (
        "the share of Bayesian bootstrap replicates that lie above: how probable it is for items "
        "like these, if nothing was known before."
    ),
    "above_posterior": (
        "the share of draws from the posterior that lie above: how probable it is for items like "
        "these, if no more was known before than the prior says."
    ),
    "above_over_annotators": (
        "the share of Student's t around the estimate that lies above, for items and annotators "
        "like these."
    ),
    "prevalence": "0 where both labels are equally frequent",
    "bias": "0 for equal label margins",
    "bias_tested": "0 for equal label margins (McNemar, {p:p})",
    "largest_kappa": "that these label margins allow",
    "pabak": "kappa if prevalence and bias were 0",
    "undefined": "Undefined: {figures} ({reason}).",
    "reason_said": "as said above",
    "undefined_replaced": "Undefined, shown as {shown:short}: {figures} ({reason}).",
    "over_pairs": "{figures}: over {pairs:count pair} of annotators{left_out}.",
    "pairs_left_out": "; {pairs:count} more with kappa 0/0 left out",
    "figure_count": "{figure} ({count:count})",
    "undefined_replicates": ("Undefined replicates, left out of the interval: {figures:join , }."),
    "margins_differ": (
        "Label margins differ for {differ:count} of {pairs:count pair} of annotators "
        "(Stuart-Maxwell, p below 0.05 for all pairs together): 'iaa annotators' says who leans "
        "where."
    ),
    "margins_of_two_differ": (
        "The two annotators' label margins differ (Stuart-Maxwell, {p:p}): 'iaa annotators' says "
        "who leans where."
    ),
    "high_despite_label": (
        "{figures:and} {count:is|are} high although specific agreement on {label:name} is "
        "{label_estimate:estimate}{others}: where a label is rare, no single coefficient is enough."
    ),
    "high_despite_margins": (
        "{figures:and} {count:is|are} high although {nearest} is {nearest_estimate:estimate}: "
        "where few labels take nearly all ratings, what is expected by chance decides, and no "
        "single coefficient is enough."
    ),
    "high_figure": "{title} ({estimate:estimate})",
    "other_labels": " (and {others:count} other {others:label|labels} below {low:short})",
    "labels_from_data": (
        "The number of labels ({labels:count}) is taken from the data; if there are others that "
        "nobody used, declare all with {labels:option}."
    ),
    "single_ratings": (
        "Items with one rating do not count in observed agreement; some coefficients use them for "
        "expected agreement."
    ),
    "more_rated_agree_more": (
        "Items with more ratings agree more: {many:share} of the pairs on items with {least:count} "
        "ratings or more, {few:share} on those with {most:count} or fewer ({p:p}). What is missing "
        "may agree less than what is there: 'iaa missing' says how far that could move the figures."
    ),
    "labels_not_measured": (
        "Specific agreement on each of {labels:count label} was not measured; "
        "{coefficients:option =specific_agreement} does."
    ),
    "in_units": (
        "{figures}, level {level}: 1 - (observed / expected mean squared distance of two ratings); "
        "both are in units of the level, and not shown as shares."
    ),
    "sets_same_or_different": (
        "Two label sets are either the same or different here (A_m compares label by label); with "
        "{distance:option =masi} or {distance:option =jaccard} a near miss counts in part. 'iaa "
        "label-sets' looks at each label."
    ),
    "without_interval": (
        "Where there is no interval, the items do not show how much the figure may vary."
    ),
    "pairs_not_tested": "{pairs:count} pairs of annotators are too many to look at one by one.",
    "davies_fleiss_needs_all": (
        "Davies and Fleiss's formula needs every rating, and some are missing."
    ),
}
