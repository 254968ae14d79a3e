"""Templates of the sentences on the pages about judges, by code."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "judge_passes": (
        "By the alternative annotator test (epsilon {epsilon:short}), {name:name} can replace a "
        "person: it wins against {wins:count} of {tested:count person people}{others}{ends}, and "
        "{needed:count} {needed:is|are} enough.{agreement}"
    ),
    "judge_passes_as_constant": (
        "{name:name} passes the alternative annotator test (epsilon {epsilon:short}): it wins "
        "against {wins:count} of {tested:count person people}{others}{ends}. But a judge that "
        "gives {constant:quoted} to every item passes, too, so that this does not show that it can "
        "replace a person.{agreement}{instead}"
    ),
    "others_untested": " ({others:count other} {others:shares|share} too few items with it)",
    "see_gold": " Against gold labels, {gold:option =COLUMN} tells how often it is right by label.",
    "wins_ends": " ({ends:shares} of people like these)",
    "judge_few_tested": (
        "Whether {name:name} can replace a person is not decided: only {tested:count} of "
        "{people:count person people} could be tested. By the alternative annotator test (epsilon "
        "{epsilon:short}) it wins against {wins:count}{whom}{ends}.{agreement}"
    ),
    "judge_fails": (
        "By the alternative annotator test (epsilon {epsilon:short}), {name:name} is not shown to "
        "be able to replace a person: it wins against {wins:count} of "
        "{tested:count person people}{others}{whom} and would have to win against "
        "{needed:count}{chance}."
        "{agreement}"
    ),
    "chance_to_pass": ("; with {size:count item} it would pass {often}"),
    "times_in_100": "{times:count time} in 100",
    "hardly_ever": "less than once in 100 times",
    "wins_against": " ({names:names 3})",
    "wins_cell": "{wins:count} of {tested:count}",
    "with_people": (
        " Its {title} with a person is {agreement:estimate} on average; that of two people is "
        "{people:estimate} on its items."
    ),
    "with_people_less": (
        " But it agrees less with a person ({title} {agreement:estimate} on average) than two "
        "people do on its items ({people:estimate})."
    ),
    "with_people_less_too": (
        " It also agrees less with a person ({title} {agreement:estimate} on average) than two "
        "people do on its items ({people:estimate})."
    ),
    "judge_untested": (
        "{name:name} cannot be tested: a person must share {needed_in_common} or more with it that "
        "others rated, too, and the most that one shares is {most:count}."
    ),
    "items_in_common": "{fewest:count item}",
    "clusters_in_common": "items of {fewest:count cluster}",
    "never_passes": "{name:name} passes at no epsilon below 1.",
    "ceiling_not_worse": (
        "{title} of {name:name} with people is not lower by {margin:estimate} or more than that of "
        "people with one another: the difference is {difference:signed} ({confidence:level} "
        "interval {ends:interval}; one-sided {p:p})."
    ),
    "ceiling_better": (
        "{title} of {name:name} with people is higher than that of people with one another, by "
        "{size:estimate} ({confidence:level} interval {ends_of_size:interval})."
    ),
    "ceiling_worse": (
        "{title} of {name:name} with people is lower than that of people with one another, by "
        "{size:estimate} ({confidence:level} interval {ends_of_size:interval})."
    ),
    "ceiling_open": (
        "Whether {title} of {name:name} with people is lower by {margin:estimate} or more than "
        "that of people with one another is open: the difference is {difference:signed} "
        "({confidence:level} interval {ends:interval}; one-sided {p:p}, not below {tail:short})."
    ),
    "ceiling_plain": (
        "{title} of {name:name} with people minus that of people with one another: "
        "{difference:signed}."
    ),
    "people_named": ("{count:count}, everyone not named with {judges:option}: {names:names 10}"),
    "models_among_people": (
        "Who are the people? {names:names 5} {number:counts|count} among them, and may be "
        "{number:a model|models} by name. The verdict depends on this: name every model with "
        "{judges:option}, or leave it out with {keep_annotators:option}."
    ),
    "exact_only": (
        "Only the same label counts as close in this test: with {score:option =distance}, near "
        "misses count, too."
    ),
    "exact_only_of_names": (
        "Only the same label counts as close in this test: for near misses to count, give the "
        "labels in order with {labels:option} and {score:option =distance}."
    ),
    "judges_caption": "Judges, each person left out in turn",
    "grid_caption": "Winning rate by epsilon",
    "people_caption": "{judge:name} against each person",
    "power_caption": (
        "Chance to pass at epsilon {epsilon:short}, by number of items ({draws:count} samples of "
        "each size)"
    ),
    "beaten_meaning": (
        "whether the judge is shown to win at epsilon {epsilon:short} (false wins among all people "
        "held to {share:level}, so that p must be lower than this)."
    ),
    "no_power": (
        "At epsilon {epsilon:short} no judge is likely to pass with {sizes:join , }{last} items "
        "like these (fewer than 1 % of {draws:count} samples of each size)."
    ),
    "size": "{items:count}",
    "or_size": " or {items:count}",
    "epsilon_means": (
        "Epsilon: the head start given to the judge because it is cheaper than a person. The "
        "test's authors suggest 0.1 against crowd workers, 0.15 against skilled annotators and 0.2 "
        "against experts, chosen before looking at results."
    ),
    "judged_by_match": "Two ratings are close if they have the same label.",
    "judged_by_shares": "Two ratings are as close as the share of labels that they have in common.",
    "judged_by_distance": (
        "The rating with the smaller root mean square difference from the others is closer."
    ),
    "judged_by_ranks": (
        "The rating whose rank among the labels has the smaller root mean square difference from "
        "the others' is closer."
    ),
    "judges_drawn": (
        "Intervals from {replicates:count resample} of the {units}, seed {seed}: Jeffreys' prior "
        "on each resample for wins (against other people like these); percentiles with a "
        "pseudo-item for epsilon and for how often the judge is as close; the more distant ends of "
        "normal and percentile intervals for agreement."
    ),
    "two_people": (
        "Only {names:names 2} are people: with one left out, the other alone says what is right. "
        "The test is meant for three or more."
    ),
    "further_ratings_left_out": (
        "Left out, as further ratings by people who already count: {names:names 12}."
    ),
    "people_untested": (
        "Not tested, as they share too few items: {names:names 12} of {people:count} people."
    ),
    "few_in_common": (
        "No agreement by pairs: half of the pairs of annotators have {common:short} items or fewer "
        "in common, and the mean over such pairs is too low. 'iaa agree' with "
        "{keep_annotators:option} measures the people alone."
    ),
    "many_pairs": "No agreement by pairs: there are more than {most:count pair} of annotators.",
    "untested_cell": "not tested",
    "beats": "judge wins",
    "does_not_beat": "no win",
    "winning_axis": "Winning rate",
    "judge_picture": "Winning rate of each judge by epsilon",
    "judge_picture_of": "{items:count item}, {people:count person people}",
    "epsilon_axis": "epsilon",
    "judge_curve": "{name:name}",
    "passing_line": "passes",
    "judge_against_gold": (
        "{name:name} gives the gold label on {accuracy:share} of {items:count item}{ends}{people}."
    ),
    "judge_against_gold_sets": (
        "{name:name} gives exactly the gold labels on {accuracy:share} of {items:count item}{ends}"
        "{people}."
    ),
    "people_against_gold": "; people do on {least:share} to {most:share}",
    "person_against_gold": "; the only person with gold labels does on {most:share}",
    "judge_without_gold": "{name:name} rated no item with a gold label.",
    "against_gold_best": (
        "{name:name} is the most accurate: right on {accuracy:share} of {items:count item}{ends}; "
        "its kappa with the gold labels is {kappa:estimate}.{unsure}"
    ),
    "against_gold_best_sets": (
        "{name:name} is the most accurate, with exactly the gold labels on {accuracy:share} of "
        "{items:count item}{ends}.{unsure}"
    ),
    "best_unsure": (
        " It is not shown to be more accurate than {rivals:count other} (studentized range)."
    ),
    "against_gold_weakest": "{name:name} is the least accurate: {accuracy:share}{ends}.",
    "accuracy_ends": " ({confidence:level} interval {ends:shares})",
    "against_gold_nobody": "Nobody rated an item with a gold label.",
    "against_gold_few": (
        "Too few ratings to say who is most accurate: no two annotators rated {least:count item} "
        "with a gold label."
    ),
    "against_gold_caption": "Accuracy of annotators",
    "accuracy_meaning": "share of items with the gold label.",
    "accuracy_meaning_sets": "share of items with exactly the gold labels.",
    "uncertain_accuracy_meaning": (
        "share of items with the gold label, by each label's probability of being the gold label."
    ),
    "by_label_caption": "Accuracy by label",
    "most_confused_caption": "Most frequent confusions",
    "confused_meaning": "of the annotator's items with this gold label.",
    "confusion_caption": "{name:name}: labels given (columns) for each gold label (rows)",
    "gold_certain": "known for {known:count} of {items:count item}",
    "gold_uncertain": "known as probabilities for {known:count} of {items:count item}",
    "gold_drawn": (
        "Intervals: Jeffreys' for accuracy, also by label, and for kappa percentiles with and "
        "without a pseudo-item, from {replicates:count resample} of the {units}, seed {seed}, "
        "each with gold labels drawn from their probabilities."
    ),
    "gold_drawn_certain": (
        "Intervals: Jeffreys' for accuracy, also by label, and for kappa percentiles with and "
        "without a pseudo-item, from {replicates:count resample} of the {units}, seed {seed}."
    ),
    "gold_of_the_same": (
        "These gold labels were made from the annotators' own votes, which overstates everyone's "
        "accuracy."
    ),
    "items_without_gold": (
        "{items:count item} {items:has|have} no gold label and {items:does|do} not count."
    ),
    "jury_worth": (
        "{judges:count judge} are worth {n_eff:short} independent ones{n_eff_ends}: their errors "
        "correlate by {rho:estimate}{rho_ends}, on {items:count item}."
    ),
    "jury_untold": (
        "How many independent judges the {judges:count judge} are worth is unknown: within one "
        "person's label their errors correlate by {plain_rho:estimate} on {items:count item}, "
        "which is too high if people err."
    ),
    "jury_ends": " ({ends:interval})",
    "jury_majority": (
        "One judge gives {one_judge:share} of people's labels, and the majority of judges "
        "{majority:share}{independent}."
    ),
    "jury_independent": (
        "; judges who err independently of one another would give {independent:share}"
    ),
    "jury_pairs": "Correlation of the errors of every two judges:",
    "jury_assumed": "What the jury is worth by the correlation of errors:",
    "jury_meaning": (
        "The correlation is within the true label: people's own errors are removed by comparing "
        "people on the same items. This is valid if people err independently of each other and of "
        "the judges; if people and judges err on the same items, the correlation is higher."
    ),
    "jury_drawn": (
        "Intervals are percentiles of {replicates:count resample} of the {units}, seed {seed}."
    ),
    "jury_few_people": (
        "Fewer than {least:count item} have two people: have some rated by a second person, so "
        "that people's errors can be separated from the judges'."
    ),
    "jury_labels_untold": (
        "People agree too little on {number:count contrast} of labels to remove their errors: the "
        "correlation is too high."
    ),
    "next_passes": (
        "Next: check some items on which judge and people differ ({iaa:items}).{corrected}"
    ),
    "next_fails": (
        "Next: {iaa:items} and {iaa:labels} show where judge and people differ; improve the judge, "
        "then test it on other items.{corrected}"
    ),
    "next_not_worse": (
        "Next: have more items rated by people and test again: the judge agrees with people about "
        "as well as they do.{corrected}"
    ),
    "next_corrected_shares": (
        " Shares of labels may still be off: {iaa:judge --judges {judges} --corrected} corrects "
        "them."
    ),
    "next_corrected_worth": (
        " {iaa:judge --judges {judges} --corrected} shows what its labels are worth in addition to "
        "people's."
    ),
    "next_confused": (
        "Next: {iaa:labels} shows which labels are confused; clarify their guidelines."
    ),
}
"""Sentences on whether a judge may replace people, on accuracy, and on juries."""
