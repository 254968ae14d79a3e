"""The wording of the page about agreement."""

from __future__ import annotations

from iaa_jax.wording import Words

OF_TESTS: Words = {
    "null_form_not_for": "no {form}: {reason}",
    "no_spread": "it has no spread",
    "few_by_chance": (
        "the normal distribution is too certain for so few ratings ({items:count item}; chance "
        "alone gives {pairs:estimate 1} agreeing pairs outside the commonest label)"
    ),
    "form_takes_annotators_alike": (
        "the analytic form assumes that annotators use labels at equal rates; where they do not, "
        "it may show less agreement than chance"
    ),
    "form_of_weights": (
        "by an analytic form, because permutations need whole numbers as weights of items"
    ),
    "form_of_many": (
        "by an analytic form, because {permutations:count permutation} of {ratings:count rating} "
        "would take long; {null:option =permutation} runs them anyway"
    ),
    "no_null_form": "no analytic form",
    "no_f_test": "no F test: too few items",
    "f_value": "F = {f:short} on {df1:short} and {df2:short} degrees of freedom",
    "no_permutation_of_weights": ("no permutation, which needs whole numbers as weights of items"),
    "permuted_together": (
        "counts without annotators are shuffled together, as if annotators used labels at equal "
        "rates"
    ),
    "undefined_permutations": (
        "undefined on {undefined:count} of {permutations:count} permutations, which are left out"
    ),
    "permuted_alike": "all shuffled ratings give the same figure",
}
"""Parts of sentences on tests of zero agreement."""

METHODS: Words = {
    "null_fleiss_nee_landis_1979": "Fleiss, Nee and Landis 1979",
    "fleiss_cohen_everitt_1969": "Fleiss, Cohen and Everitt 1969",
    "null_fleiss_1981": "Fleiss 1981",
}
"""Authors of the analytic tests of zero agreement."""

WORDS: Words = {
    "habits_unknown": (
        "Who gave which rating is unknown, and so is how often each annotator uses each label. "
        "The p by chance treats all annotators as alike, and is also small if annotators guess but "
        "favour different labels. It is no test of agreement."
    ),
    "beyond_chance": "That is more than chance gives ({p}).",
    "perhaps_chance": "That is not shown to be more than chance gives ({p}).",
    "p": "{p:p}",
    "p_at_most": "p <= {least:short}",
    "methods": (
        "Methods: {who} gave {ratings:count rating} on {items:count item}{each}. {read:join}"
        "Agreement was measured with {title} ({weights}{source}){interval}, computed with iaa_jax "
        "{version}."
    ),
    "methods_of_spans": (
        "Methods: {who} marked {spans:count span} in {items:count document}. {read:join}Agreement "
        "was measured with {title} ({weights}{source}){averaged}{interval}, computed with "
        "iaa_jax {version}."
    ),
    "methods_averaged": (
        ", matches and misses summed over all documents and pairs of annotators (micro),"
    ),
    "methods_known": "{annotators:count annotator}",
    "methods_unknown": "annotators whose names are not known",
    "methods_of_all": ", every item by all of them",
    "methods_each": ", {each} an item{mean}",
    "methods_mean": " (mean {mean:estimate 1})",
    "methods_read": "How they were read: {text}. ",
    "methods_left_out": "Left out were {text}. ",
    "methods_interval": " and a {confidence:level} interval ({made}{cited}{drawn})",
    "methods_cited": ", {source}",
    "methods_cited_empirical_bayes": ", after {source}",
    "methods_drawn": ", {replicates:count draw}, seed {seed}",
    "paper": (
        "For a paper: {title} ({weights}{source}) was {estimate:estimate}{interval} over "
        "{items:count item}{rated}{who} and {ratings:count rating} (iaa_jax {version})."
    ),
    "paper_rated": " ({pairable:count} with two ratings or more)",
    "paper_of_spans": (
        "For a paper: {title} ({weights}{source}) was {estimate:estimate}{interval} over "
        "{items:count document}{who} and {spans:count span} (iaa_jax {version})."
    ),
    "paper_weights": "{weights:weights}{level}; ",
    "paper_level": " level",
    "paper_sets": "label sets agree only where they are identical; ",
    "paper_annotators": ", {annotators:count annotator}",
    "paper_interval": ", {confidence:level} interval {ends:interval} ({method}),",
    "method_bca": "BCa bootstrap over {units}",
    "method_percentile": "percentile bootstrap over {units}",
    "method_empirical_bayes": (
        "empirical Bayes over {units}: Bayesian bootstrap, each end the wider of those with and "
        "without a weak prior"
    ),
    "method_kurtosis_t": "jackknife t{over}",
    "method_modified_large_sample": "modified large-sample, over items and annotators",
    "method_widened_large_sample": "modified large-sample or jackknife, over items and annotators",
    "method_t": "Student's t from the standard error{over}",
    "method_normal": "normal, from the standard error{over}",
    "method_basic": "basic bootstrap over {units}",
    "method_studentized": "studentized bootstrap over {units}",
    "method_abc": "approximate bootstrap confidence interval over {units}",
    "method_likelihood": "empirical likelihood over {units}",
    "method_f": "by F distributions",
    "method_other": "see the record",
    "part": "{name:name}",
    "by_caption": "{what}{weights} in each group of {by:quoted}",
    "any_coefficient": "Agreement",
    "groups_measured": (
        "By {by:quoted}, {what} is lowest in {lowest_group:quoted} "
        "({lowest_estimate:estimate}{lowest_in_doubt}) and highest in {highest_group:quoted} "
        "({highest_estimate:estimate}{highest_in_doubt})."
    ),
    "of_question": "{question:name}: {note}",
    "levels_by_question": (
        "Questions may have different levels: {level:option} takes one for each, by name: "
        "A=ordinal,B=nominal."
    ),
    "questions_measured": (
        "{title} is lowest on {lowest_question:name} ({lowest_estimate:estimate}{lowest_in_doubt}) "
        "and highest on {highest_question:name} ({highest_estimate:estimate}{highest_in_doubt})."
    ),
    "question_in_doubt": ", in doubt",
    "questions_in_doubt": "Interval of {figures:and} in doubt on {names:names 30}: {why}.",
    "every_coefficient": "every coefficient",
    "on_questions": "{questions:names 30}: {note}",
    "figure_on_questions": "{title} on {questions:names 30}",
    "questions_levels_differ": (
        "Questions are measured at different levels, so {title} does not say on which of them "
        "annotators agree more."
    ),
    "annotator_apart": "{name:quoted} ({ratings:count rating})",
    "more_apart": "{annotators:count} more",
    "annotators_apart": (
        "{annotators:and} {count:shares|share} no item with another annotator: their "
        "ratings do not count in observed agreement."
    ),
    "questions_parts": "{parts:join , }",
    "questions_items": "{least:count} to {most:count} by question",
    "questions_items_same": "{most:count} in each question",
    "questions_pairable_items": "{least:count} to {most:count} with two ratings or more",
    "questions_pairable_items_same": "{most:count} with two ratings or more",
    "questions_annotators": "{least:count} to {most:count} by question",
    "questions_undefined": "{title} is undefined on every question.",
    "lead": "{coefficient}{weights} is {estimate:estimate decimals}{interval}{partial}.",
    "lead_partial": (
        " if only identical label sets count as agreement. A_m, which gives credit for partly "
        "matching sets, is {estimate:estimate decimals}{interval}"
    ),
    "lead_undefined": "{coefficient}{weights} is undefined: {reason}.",
    "lead_weights": " ({weights:weights})",
    "lead_interval": " ({confidence:level} interval {ends:interval decimals}{doubt})",
    "leads": "{coefficient}: shown first because it {why}.",
    "leads_labels": "handles any number of annotators and missing ratings",
    "leads_sets": "handles missing ratings and, unlike A_m, ignores labels that both left out",
    "leads_numbers": (
        "handles missing ratings and counts different means of annotators as disagreement"
    ),
    "leads_spans": "is the strictest: the same boundaries and the same label",
    "next": "Next: {steps:join ; }.",
    "next_labels": "{iaa:labels} shows which labels are confused",
    "next_findings": "{iaa:findings} looks for what causes the disagreement",
    "next_report": (
        "{iaa:report} writes a page with all of it, {try:report --brief} one sheet of paper"
    ),
    "next_label_sets": (
        "{iaa:label-sets} shows agreement on each label, and which labels are swapped"
    ),
    "next_spans": "{iaa:spans} shows what annotators disagree on",
    "picture_coefficients": (
        "Coefficients go from {least:estimate} ({least_name}) to {most:estimate} ({most_name})"
    ),
    "picture_coefficients_ends": "Lines: {confidence:level} intervals",
    "figures": "{names:join , }",
    "figures_all": "All coefficients",
    "figures_on_labels": "{coefficient} on {names:names 20}",
    "about": "{figures}: {note}.",
    "about_result": "{figures}: {note}",
    "shared_weights": "Weights: {weights:weights}.",
    "shared_level": "Level: {weights:weights}.",
    "shared_level_or_weights": "Level or weights: {weights:weights}.",
    "near_misses": ", near misses in part",
    "uncorrected": "not corrected for chance{advice:next_corrected}.",
    "next_corrected": "; {try:labels} also has agreement that is",
    "exact_matches": "counts exact matches only, without the weights above.",
    "observed": "the share of pairs of ratings that agree{partly}{weighted}.",
    "items_measured": "those with two ratings or more, on which agreement is measured{fewer}.",
    "items_fewer": "; fewer where a note says so",
    "items_weighted": "; coefficients weight items with more ratings differently",
    "expected": (
        "the share expected by chance. A coefficient is (observed - expected) / (1 - expected)."
    ),
    "standard_error": "standard error ({form:spaced}).",
    "standard_error_over_annotators": (
        "standard error ({form:spaced} over items, one annotator left out at a time)."
    ),
    "word": "for the estimate alone, by {scale_title}, a convention made for {made_for}.",
    "reached": (
        "the word for the lower end of the {certainty:level} interval, by {scale_title}, a "
        "convention made for {made_for}; none if the interval is in doubt."
    ),
    "by_chance": (
        "how often chance alone gives a figure this extreme (two-sided; {how:join ; }). It shows "
        "whether there is any agreement, not whether there is enough.{least}"
    ),
    "least_by_chance": (
        " {least:short} is the smallest p that {permutations:count permutation} can give."
    ),
    "by_chance_note": "p by chance: {note}.",
    "above_over_items": (
        "the share of Bayesian bootstrap resamples above this number: the probability for items "
        "like these."
    ),
    "above_empirical_bayes": (
        "the share of draws above this number, with or without a pseudo-item, whichever share is "
        "nearer to one half{without}: the probability for items like "
        "these."
    ),
    "above_without_item": " (of {figures}: without it)",
    "above_over_annotators": (
        "the probability above this number by Student's t around the estimate, for items and "
        "annotators like these."
    ),
    "prevalence": "0 if both labels are equally frequent",
    "bias": "0 for equal rates of labels",
    "bias_tested": "0 for equal rates of labels (McNemar, {p:p})",
    "largest_kappa": "possible at these rates of labels",
    "pabak": "kappa if prevalence and bias were 0",
    "undefined": "Undefined: {figures} ({reason}).",
    "reason_said": "see above",
    "undefined_replaced": "Undefined, shown as {shown:short}: {figures} ({reason}).",
    "over_pairs": "{figures}: over {pairs:count pair} of annotators{left_out}.",
    "pairs_left_out": "; {pairs:count} more with kappa 0/0 left out",
    "figure_count": "{figure} ({count:count})",
    "undefined_replicates": (
        "Resamples left out of the interval because the figure is undefined: {figures:join , }."
    ),
    "margins_differ": (
        "In {differ:count} of {pairs:count pair} the two annotators use labels at different rates "
        "(Stuart-Maxwell test, corrected for the number of pairs){advice:next_favours}."
    ),
    "margins_of_two_differ": (
        "The two annotators use labels at different rates (Stuart-Maxwell, {p:p})"
        "{advice:next_favours}."
    ),
    "next_favours": ": {iaa:annotators} shows whether somebody favours a label",
    "high_despite_label": (
        "{figures:and} {count:is|are} high although specific agreement on label {label:quoted} "
        "is {label_estimate:estimate}{others}: no single coefficient is enough if a label is rare."
    ),
    "high_despite_margins": (
        "{figures:and} {count:is|are} much higher than {usual} ({usual_estimate:estimate}): "
        "most ratings use few labels, and coefficients treat chance differently. Report "
        "the one that you chose before you saw them."
    ),
    "high_figure": "{title} ({estimate:estimate})",
    "other_labels": " (and {others:count} other {others:label|labels} below {low:short})",
    "labels_from_data": (
        "The number of labels ({labels:count}) is taken from the data; if some were never used, "
        "declare all labels with {labels:option}."
    ),
    "single_ratings": (
        "Items with one rating do not count in observed agreement; some coefficients use them for "
        "expected agreement."
    ),
    "more_rated_agree_more": (
        "Items with more ratings agree more: {many:share} of the pairs on items with {least:count} "
        "ratings or more, {few:share} on those with {most:count} or fewer ({p:p}). Missing ratings "
        "may agree less{advice:next_missing}."
    ),
    "next_missing": ": {iaa:missing} shows how far that could move the figures",
    "labels_not_measured": (
        "Specific agreement on each of {labels:count label} was not measured; "
        "{coefficients:option =specific_agreement} does that."
    ),
    "in_units": (
        "{figures} at the {level} level is 1 - (observed / expected squared distance between two "
        "ratings), so it has no observed or expected agreement."
    ),
    "sets_same_or_different": (
        "Label sets agree here only if identical, except in A_m, which compares label by label; "
        "{distance:option =masi} and {distance:option =jaccard} give partial credit."
    ),
    "without_interval": ("No interval: the items do not show how much the figure may vary."),
    "pairs_not_tested": "{pairs:count} pairs of annotators are too many to test one by one.",
    "davies_fleiss_needs_all": (
        "Davies and Fleiss' formula needs every rating, and some are missing."
    ),
}
