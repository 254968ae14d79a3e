"""The words of the page of a plan."""

from __future__ import annotations

from iaa_jax.wording import Words, joined

ANSWER: Words = {
    "items_for_width": (
        "For +- {half_width:short}: annotate {items:count item}{clusters} with {per_item:short} "
        "annotators per item{more}. In {assurance:level} of such samples the interval is no wider."
    ),
    "width_reached": (
        "For +- {half_width:short}: the pilot suffices. Its own {confidence:level} interval, "
        "{ends:interval}, is +- {reach:estimate}."
    ),
    "cannot_tell": "{goal}: this pilot cannot tell how many items it takes.",
    "items_for_null": (
        "To rule out {null:short} with {power:level} power: plan for {items:count item}{clusters} "
        "with {per_item:short} annotators per item{more}. With a chance of {assurance:level} they "
        "have that power or more: the pilot's {estimate:estimate} may be too high."
    ),
    "null_too_near": (
        "To rule out {null:short} with {power:level} power: this pilot cannot tell how many items "
        "it takes. Its {estimate:estimate} lies above {null:short} by hardly more than it may be "
        "off itself: annotate {wanted:count item} in all, and plan again."
    ),
    "null_excluded": (
        "To rule out {null:short}: the pilot suffices. Its own {confidence:level} interval, "
        "{ends:interval}, lies above it."
    ),
    "few_items_decide": (
        "This pilot cannot tell how many items it takes: {share:share} of its squared standard "
        "error come from {items:count item} with {ratings:count} ratings or more, as control items "
        "have, while others have {usual:short}. Leave them out of the ratings, and plan again."
    ),
    "null_out_of_reach": (
        "To rule out {null:short} with {power:level} power: out of reach. The pilot's "
        "{estimate:estimate} does not lie above {null:short}; if it is the true value, no number "
        "of items shows otherwise. First look at what divides the annotators ('iaa items', 'iaa "
        "labels')."
    ),
    "beyond_annotators": (
        "{goal}: out of reach with {annotators:count annotator}, however many items. That they are "
        "a sample of annotators leaves +- {floor:estimate} by itself.{fewest}"
    ),
    "for_width": "For +- {half_width:short}",
    "for_null": "To rule out {null:short} with {power:level} power",
    "fewest": (
        " It takes {annotators:count annotator} or more, such as {more:count} and "
        "{items:count item} with {per_item:short} annotators per item."
    ),
    "too_few_telling": (
        "The pilot's standard error rests on {telling}: annotate {wanted:count item}{clusters} in "
        "all, and plan again."
    ),
    "telling_items": "about {telling:count item}, beside which all others hardly count",
    "telling_clusters": "about {telling:count cluster}, beside which all others hardly count",
    "telling_items_one": "a single item, beside which all others hardly count",
    "telling_clusters_one": "a single cluster, beside which all others hardly count",
    "too_few_annotators": (
        "{annotators:count annotator} do not show how much annotators differ: have the pilot rated "
        "by {wanted:count annotator}, and plan again."
    ),
    "from_annotators": (
        "{share:share} of the pilot's squared standard error comes from annotators, who are drawn "
        "anew here: only more annotators reduce it, not more items."
    ),
    "more_than_pilot": ", {items:count} more than the pilot has",
    "in_clusters": " in {clusters:count cluster} by {cluster:name}",
    "between_items": (
        "With {per_item:short} annotators per item, {share:share} of the variance{ends} lies "
        "between items, and only more items reduce it; more annotators reduce the rest.{enough}"
    ),
    "hardly_between_items": (
        "Hardly any of the variance{ends} lies between items: more annotators per item reduce the "
        "rest as well.{enough}"
    ),
    "share_ends": " ({low:share} to {high:share})",
    "enough": (
        " Beyond {annotators:count} annotators per item, one more saves less than 5 % of the items."
    ),
    "fewest_ratings": (
        "Fewest ratings {among}: {items:count item} with {annotators:short} annotators per item "
        "({cost:count rating})."
    ),
    "lowest_cost": (
        "Lowest cost {among}: {items:count item} with {annotators:short} annotators per item (cost "
        "{cost:count})."
    ),
    "in_the_table": "in the table",
    "where_both_agree": "where formula and simulation agree",
    "annotators_alone": (
        "The pilot's {items:count item} alone would take {annotators:count annotator} each."
    ),
    "annotators_do_not_suffice": (
        "Not even {most:count annotator} each are enough on the pilot's {items:count item} alone."
    ),
    "looks": (
        "To look {looks:count time} during annotation, plan for {items:count item} ({more} than "
        "with one look), and ask at each look for the interval at its own level, by the options "
        "in the last table: it is wider early, so that it holds whenever you stop."
    ),
    "more": "{items:count} more",
    "fewer": "{items:count} fewer",
}
"""What a plan comes to: the conclusion, and what is said with it."""

FIXED: Words = {
    "of_two_annotators": "{title} is for two annotators",
    "few_complete": (
        "only {items:count item} {items:was|were} rated by all {annotators:count} annotators"
    ),
    "figure_moves": (
        "the figure itself depends on how many ratings an item has ({at_fewest:estimate} with "
        "{fewest:count}, {at_most:estimate} with {most:count})"
    ),
    "two_ratings": "its items have two ratings each",
    "two_ratings_alone": (
        "its items have two ratings, which cannot tell what a third would add (with "
        "{per_item:option}, a model does)"
    ),
}
"""Why the number of annotators per item stays as it is."""

OF_VARIANCE: Words = {
    "variance_dependable": (
        "The mean of {annotators:short} annotators is dependable: Phi is "
        "{dependability:estimate}, and {target:short} takes {needed:count annotator}."
    ),
    "variance_more_annotators": (
        "The mean of {annotators:short} annotators has a dependability (Phi) of "
        "{dependability:estimate}: for {target:short} it takes {needed:count annotator} per item."
    ),
    "variance_out_of_reach": (
        "Items do not differ beyond what annotators and chance make of them: no number of "
        "annotators makes their means dependable. First look at what divides the annotators "
        "('iaa items', 'iaa labels')."
    ),
    "variance_nothing_varies": (
        "All ratings are the same: that shows neither how items differ nor how annotators do."
    ),
    "variance_shares": "Of the variance of a rating {shares:and}.",
}
"""What variance components come to."""

VARIANCE: Words = joined(
    OF_VARIANCE,
    {
        "of_item": "{share:share} lies between items",
        "of_annotator": "{share:share} between annotators",
        "of_interaction": "{share:share} in what single annotators see in single items",
        "of_rest": "{share:share} in the rest",
        "the_item": "items",
        "the_annotator": "annotators",
        "the_interaction": "their interaction",
        "the_rest": "the rest",
        "variance_below_zero": (
            "The estimate for {which:and} is below 0, as happens where the true one is small: it "
            "is taken as 0 in all that follows from it."
        ),
        "rest_is_both": (
            "The rest holds the interaction too: one rating of an item by an annotator cannot tell "
            "them apart. Second ratings can ({duplicates:option =apart})."
        ),
        "told_by_repeats": (
            "{cells:count item} rated again by the same annotator {cells:tells|tell} the "
            "interaction from the rest; the forecast is of first ratings alone."
        ),
        "errors_of_items_alone": (
            "Standard errors are over items alone: without one of the annotators, nothing is left "
            "to compare. How much annotators differ is hardly known from so few."
        ),
        "no_squared_distance": (
            "This disagreement is no squared distance: {dimensions:count dimension} of the labels' "
            "points count negatively, and components may fall below 0."
        ),
        "no_forecast": (
            "Where there is no half-width, 'iaa plan' says why: it takes two annotators, ratings "
            "that differ, and a way to tell what more annotators bring."
        ),
        "variance_assumed": (
            "Items and annotators count as random samples, and who rated what must not depend on "
            "the ratings. All annotators rate all items in the table. Half-widths ({confidence:"
            "level}) are those of 'iaa plan' for {title}."
        ),
        "component_error": (
            "leaving out one item, and one annotator, at a time; rough for few annotators."
        ),
        "relative_meaning": "error variance of an item's mean, where the same annotators rate all.",
        "absolute_meaning": "the same where annotators differ, too.",
        "distance": "{name}",
    },
)
"""The words of the page of variance components."""

WORDS: Words = joined(
    ANSWER,
    FIXED,
    VARIANCE,
    {
        "checklist": (
            "A plan holds if the project is run so: written guidelines that are followed, ratings "
            "independent of each other, items a sample of a defined population, and in every batch "
            "some items for several annotators ('iaa compare' and 'iaa drift' look at them)."
        ),
        "uneven_panels": (
            "The pilot's items have {fewest:count} to {most:count} annotators, {mean:short} on "
            "average; these numbers are for items that all have {per_item:short}."
        ),
        "simulations_differ": (
            "For {designs:join ; }: simulated figures differ from the formula's by more than "
            "chance and 5 % (.02 for a power). Count on the less favourable of the two; * marks "
            "only designs where both reach the target."
        ),
        "design": "{items:count item} with {sizes:and} annotators",
        "size": "{annotators:short}",
        "looks_past": (
            "Looks at fewer items than the pilot has are past: start with the next one."
        ),
        "coefficient": "{title}",
        "coefficient_with": "{title}, {weights}",
        "beside_formula": "Simulated ratings beside the formula (SE: standard error)",
        "pilot": "{estimate:estimate} ({confidence:level}: {ends:interval})",
        "needed_for_width": "Items for +- {half_width:short}, in {assurance:level} of samples",
        "needed_for_null": (
            "Items to rule out {null:short} with {power:level} power, by a chance of "
            "{assurance:level}"
        ),
        "half_widths": "Half-width at most, in {assurance:level} of samples, {across}{aim}",
        "powers": (
            "Power to rule out {null:short} at least, by a chance of {assurance:level}, {across}"
            "{aim}"
        ),
        "by_both": "by items (down) and annotators per item",
        "by_items_alone": "by items, with {per_item:short} annotators per item",
        "aim": " (* reaches {target:short})",
        "taken_for_granted": (
            "Assumed: new items are like the pilot's, new annotators like its annotators, and "
            "guidelines the same. {covered}"
        ),
        "these_annotators": (
            "The interval covers other items with these annotators; another panel's figure differs "
            "by more."
        ),
        "other_annotators": "The interval covers other items and other annotators.",
        "clusters_alike": (
            "Items come in clusters by {cluster:name} that are like the pilot's ({size:short} "
            "items on average)."
        ),
        "near_one": (
            "So near 1 the interval reaches further down than up (it is computed on the scale of "
            "sqrt(1 - x))."
        ),
        "numbers_keep_less": (
            "Of numbers fewer plans keep what they promise: 75 to 79 % of normal ones, and about "
            "half where numbers have long tails, such as times and prices: take logarithms there."
        ),
        "draws": (
            "How far half-widths vary: from {replicates:count} draws of the pilot's {units} with "
            "replacement."
        ),
        "pilot_and_model": (
            "With three ratings per item the pilot shows the effect of two and three annotators; "
            "that of four or more rests in part on a model of items."
        ),
        "pilot_at_least": (
            "With three ratings per item the pilot shows the effect of two and three annotators; "
            "four or more are taken to help as little as its figures allow."
        ),
        "model_alone": (
            "With two ratings per item the pilot cannot show what a third adds: all other numbers "
            "of annotators rest on a model of items."
        ),
        "fixed": "Annotators an item stay as in the pilot: {why}.",
        "simulated": (
            "Simulated: {simulations:count} sets of ratings per design, drawn from the pilot's own "
            "ratings{model}."
        ),
        "where_too_few": "; where the pilot has too few, from a model of items ({model})",
        "population": (
            "Items are drawn from {population:count} in all: the more of them are annotated, the "
            "less is uncertain."
        ),
        "single_ratings": (
            "{share:share} of the pilot's items have only one rating; the table is for items that "
            "all have as many as its columns say."
        ),
        "nothing_simulated": "Nothing is simulated: there are too many labels.",
        "only_items_simulated": (
            "Nothing is simulated: that is for items that are drawn one by one, by the same "
            "annotators."
        ),
        "undefined_sets": "Simulated sets without a figure, left out: {count:count}.",
        "no_design_simulated": "No design of the table could be simulated.",
        "model_does_not_fit": (
            "The model's own figure is {estimate:estimate}, {errors:estimate 1} of the pilot's "
            "standard errors off: it does not fit these ratings well."
        ),
    },
)
