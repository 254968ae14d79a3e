"""Templates of the sentences on the page of corrected scores, by code."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "off": (
        "By {name:name} alone, the {what} would be {alone:estimate}{alone_ends}. Corrected by "
        "people's ratings of {rated:count item} it is {corrected:estimate}{ends}: {name:name} is "
        "off by {off:signed} ({off_ends:signed_interval})."
    ),
    "not_off": (
        "By {name:name} alone, the {what} would be {alone:estimate}{alone_ends}. Corrected by "
        "people's ratings of {rated:count item} it is {corrected:estimate}{ends}: it is not shown "
        "that {name:name} is off ({off:signed}, {off_ends:signed_interval})."
    ),
    "share_of": "share of {label:quoted}",
    "mean_of": "mean",
    "ends": " ({confidence:level} interval {ends:interval})",
    "worth": (
        "Correction is worth it: for the {what} it is worth {saved:count} further rated "
        "{saved:item|items}, in addition to the {rated:count} that there are."
    ),
    "worth_of_these": (
        "For these people alone, correction of the {what} is worth {saved:count} further rated "
        "{saved:item|items}, in addition to the {rated:count} that there are; for people like them "
        "the interval is narrower by only {narrower:share}."
    ),
    "no_gain": (
        "Correction gains hardly anything over the {rated:count} rated items alone: for no figure "
        "is it worth a tenth of them. The intervals are those of people alone, or nearly."
    ),
    "all_rated": (
        "All items that count were rated by people: every figure is theirs, and no judge is needed."
    ),
    "more_people": (
        "More people are needed, not more items: {share:share} of the variance of the {what} is "
        "due to the sample of only {people:count person people}."
    ),
    "width_reached": (
        "The interval of the {what} has a half-width of {half_width:short} or less already: "
        "{needed:count} rated {needed:item|items} would do."
    ),
    "width_by_items": (
        "A half-width of {half_width:short} of the {what} needs {needed:count} rated "
        "{needed:item|items} by {people:count person people}: there are {rated:count}."
    ),
    "width_by_people": (
        "No number of rated items gives the {what} a half-width of {half_width:short} by "
        "{people:count person people}: it takes {more:count person people} and {needed:count} "
        "rated {needed:item|items} ({rated:count} now)."
    ),
    "width_beyond": (
        "Not even ratings of all {judged:count item} give the {what} a half-width of "
        "{half_width:short}: have more items judged and rated."
    ),
    "people_named": "{count:count}: {names:names 10}",
    "people_all": "{count:count}, everyone who is neither a judge nor scored: {names:names 10}",
    "rated_of": "{rated:count} of {judged:count} judged items{labelled}{clusters}",
    "labelled_by": ", those with a label of {names:names 5} too",
    "in_clusters": ", in {units:count} of {clusters:count cluster}",
    "about": "{people} and {items}",
    "people_these": "these people",
    "people_like_these": "people like these",
    "items_these": "these items",
    "items_like_these": "items like these",
    "shares_caption": "Labels",
    "scores_of_caption": "Accuracy of the labels of {name:name}, compared with people's",
    "never_given": (
        "People never gave {labels:quoted 5} on the items that they rated: there is no corrected "
        "figure. Have people rate items to which a judge gives such a label, and name the column "
        "of their probabilities ({probability:option})."
    ),
    "not_judged": (
        "{items:count item} that people rated {items:is|are} left out, without a label by "
        "{names:names 5}."
    ),
    "clusters_unrated": (
        "No item was rated in {number:count} of {all:count cluster}: {names:names 5 number}. The "
        "estimates hold only if chance decided which clusters were rated."
    ),
    "too_few_people": (
        "Figures are about {names:names 5} alone: {people:count person people} cannot show how far "
        "others would differ. Three or more are taken as a sample, or any with "
        "{annotators:option =random}."
    ),
    "few_people": (
        "{people:count person people} show only roughly how far people differ: intervals are wide "
        "for this reason, and may contain the truth more often than they claim. With "
        "{annotators:option =fixed} they are about these people alone."
    ),
    "drawn_at_random": (
        "All this holds if chance decided which items people rated. If items had different "
        "probabilities, name their column: {probability:option}."
    ),
    "tuned_on_rated": (
        "It holds for a judge that has not seen the ratings: one that was tuned on these items is "
        "better on them than on others."
    ),
    "how_corrected": (
        "Corrected: people's figure on rated items, plus the weight times the difference between "
        "the judge's figures on all items and on the rated items. The variance over items is by "
        "the jackknife, and over people by leaving each person out; intervals are Wilson's for "
        "shares and Student's for means."
    ),
    "judge_alone_heading": "{name:name} alone",
    "off_heading": "{name:name} off",
    "weight_heading": "Weight of {name:name}",
}
"""Words on the judge's figures, the corrected figures, and what to rate next."""
