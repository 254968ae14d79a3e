"""The words of the pages about judges."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "judge_passes": (
        "{name:name} passes: at epsilon {epsilon:estimate} it beats {wins:count} of "
        "{tested:count annotator} left out in turn (winning rate {rate:share}{ends}).{least}"
    ),
    "judge_fails": (
        "{name:name} does not pass: at epsilon {epsilon:estimate} it beats {wins:count} of "
        "{tested:count annotator} left out in turn (winning rate {rate:share}{ends}); it takes "
        "half of them.{least}"
    ),
    "judge_untested": (
        "{name:name} cannot be tested: with nobody does it have {fewest:count item} in common that "
        "others rated too."
    ),
    "rate_ends": ", {ends:shares}",
    "passes_from": " It would pass from epsilon {least:estimate} on{ends}.",
    "never_passes": " No epsilon below 1 lets it pass.",
    "least_ends": " ({ends:interval})",
    "ceiling": (
        "It agrees with people by {title} {agreement:estimate} on average, people among each other "
        "by {people:estimate}: {compared}."
    ),
    "compared_not_worse": (
        "not worse than people by {margin:estimate} or more ({difference:signed}, {ends:interval}; "
        "{p:p})"
    ),
    "compared_better": "better than people do ({difference:signed}, {ends:interval})",
    "compared_worse": "worse than people do ({difference:signed}, {ends:interval})",
    "compared_open": (
        "whether that is less by {margin:estimate} or more is open ({difference:signed}, "
        "{ends:interval}; {p:p})"
    ),
    "compared_plain": "{difference:signed}",
    "judges_measured": "{title}",
    "judges_measured_with": "{title}, weights {weights}",
    "judges_caption": "Judges, each person left out in turn",
    "grid_caption": "Winning rates by epsilon",
    "people_caption": "{judge:name} against each person",
    "power_caption": "Power: how often the test passes at epsilon {epsilon:estimate}",
    "advantage_meaning": (
        "advantage probability: items on which the judge is as close to the other people as the "
        "one left out, or closer; mean over people."
    ),
    "least_meaning": "the smallest epsilon at which the judge passes.",
    "rate_meaning": "people beaten at epsilon {epsilon:estimate}; from 50 % on the judge passes.",
    "agreement_meaning": "mean {title} with each person.",
    "difference_meaning": "less the mean of people with each other, {people:estimate}.",
    "again_meaning": "replicates of the items in which the judge passes at this epsilon.",
    "person_meaning": (
        "items on which the person is as close to the others as the judge, or closer."
    ),
    "beaten_meaning": (
        "at epsilon {epsilon:estimate}, among {share:share} false discoveries at most."
    ),
    "other_agreement_meaning": "mean {title} with the other people.",
    "power_meaning": "of data sets with so many items, drawn from these ({draws:count draw}).",
    "epsilon_means": (
        "Epsilon is how much better than the judge a person may be, for what the judge saves: the "
        "authors suggest 0.1 against crowd workers, 0.15 against skilled annotators, 0.2 against "
        "experts. Say it before you look."
    ),
    "judged_by_match": "Two ratings are close if they have the same label.",
    "judged_by_shares": "Two ratings are close by the share of labels that they have in common.",
    "judged_by_distance": "Whoever has the smaller root mean square error is the closer.",
    "judges_drawn": (
        "{replicates:count replicate} of the {units}, seed {seed}; advantage by BCa, winning rate "
        "as a share of people like these (Jeffreys' prior, on each replicate), epsilon by "
        "percentiles, agreement by normal intervals."
    ),
    "items_drawn": "items",
    "clusters_drawn": "clusters of items",
    "two_people": (
        "Only {names:names 2} are people: with one left out, the other alone says what is right. "
        "The test is made for three or more."
    ),
    "people_untested": (
        "Not tested, for too few items in common: {names:names 12} of {people:count} people."
    ),
    "many_pairs": "There are more than {most:count pair} of annotators: no agreement by pairs.",
    "yes": "yes",
    "no": "no",
    "untested_cell": "not tested",
    "beats": "beaten",
    "does_not_beat": "not beaten",
    "judge_picture": "Winning rate of each judge by epsilon",
    "judge_picture_of": "{items:count item}, {people:count person}",
    "epsilon_axis": "epsilon",
    "judge_curve": "{name:name}",
    "passing_line": "passes",
    "against_gold_best": (
        "{name:name} is right most often: {accuracy:share} of {items:count item}"
        "{ends}, kappa with the gold labels {kappa:estimate}."
    ),
    "against_gold_weakest": "{name:name} is right least often: {accuracy:share}{ends}.",
    "accuracy_ends": " ({ends:shares})",
    "against_gold_overlap": (
        "Their intervals overlap: who is better is not settled by these items."
    ),
    "against_gold_nobody": "Nobody rated an item with a gold label.",
    "against_gold_caption": "Annotators against the gold labels",
    "accuracy_meaning": "items with the gold label.",
    "uncertain_accuracy_meaning": (
        "items with the gold label, by the probability of each label being the gold one."
    ),
    "kappa_meaning": "Cohen's kappa with the gold labels.",
    "confusion_caption": "{name:name}: labels given (columns) for each gold label (rows)",
    "gold_share_meaning": "items with this gold label that the annotator rated.",
    "gold_certain": "labels that are known, of {known:count} of {items:count item}",
    "gold_uncertain": "probabilities of labels, of {known:count} of {items:count item}",
    "gold_drawn": (
        "{replicates:count replicate} of the {units}, seed {seed}; percentile intervals, of which "
        "each draws gold labels from their probabilities too."
    ),
    "gold_drawn_certain": (
        "{replicates:count replicate} of the {units}, seed {seed}; percentile intervals."
    ),
    "gold_of_the_same": (
        "These gold labels were made of the annotators' own votes: everybody is right more often "
        "by them than by labels known otherwise."
    ),
    "items_without_gold": (
        "{items:count item} {items:has|have} no gold label, and {items:takes|take} no part."
    ),
}
"""May a judge take the place of people, and how right is everybody."""
