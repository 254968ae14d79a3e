"""Sentences of the pages on plans and on variance components."""

from __future__ import annotations

import re

from iaa_jax.wording import Words, joined

VERDICT: Words = {
    "items_for_width": (
        "For an interval of ±{half_width:short}, annotate {items:count item}{clusters} with "
        "{per_item:short} annotators per item{more}. With that many, {assurance:level} of samples "
        "have an interval this narrow."
    ),
    "width_reached": (
        "The pilot suffices for an interval of ±{half_width:short}: its own {confidence:level} "
        "interval, {ends:interval}, is ±{reach:estimate}."
    ),
    "items_fix": (
        "These {items:count item} determine {title} to ±{reach:estimate}: {ends:interval} "
        "({confidence:level} interval). More items would narrow the interval, not raise the "
        "estimate."
    ),
    "cannot_tell": "{goal}: this pilot cannot tell how many items are needed.",
    "items_for_null": (
        "To rule out {null:short} with {power:level} power, annotate {items:count item}{clusters} "
        "with {per_item:short} annotators per item{more}. The chance that this is enough is "
        "{assurance:level}, as the pilot's {estimate:estimate} may be too high."
    ),
    "null_too_near": (
        "To rule out {null:short} with {power:level} power: this pilot cannot tell how many items "
        "are needed. Its {estimate:estimate} is above {null:short} by hardly more than its own "
        "error: {advice}."
    ),
    "annotate_then_plan": "annotate {wanted:count item} in all, then plan again",
    "too_near_to_plan": "even {times:count} times as many items may not be enough",
    "null_excluded": (
        "The pilot suffices to rule out {null:short}: its own {confidence:level} interval, "
        "{ends:interval}, lies above it."
    ),
    "few_items_decide": (
        "This pilot cannot tell how many items are needed: {share:share} of its squared standard "
        "error comes from {items:count item} with {ratings:count} ratings or more (control "
        "items?), where others have {usual:short}. Leave them out, then plan again."
    ),
    "null_out_of_reach": (
        "To rule out {null:short} with {power:level} power: out of reach. The pilot's "
        "{estimate:estimate} is not above {null:short}; if that is the true value, no number of "
        "items helps."
    ),
    "beyond_annotators": (
        "{goal}: out of reach with {annotators:count annotator}, however many items. Differences "
        "between annotators alone leave ±{floor:estimate}.{fewest}"
    ),
    "for_width": "For an interval of ±{half_width:short}",
    "for_null": "To rule out {null:short} with {power:level} power",
    "fewest": (
        " It takes {annotators:count annotator} or more, for example {more:count} and "
        "{items:count item} with {per_item:short} annotators per item."
    ),
    "too_few_telling": (
        "The pilot's standard error depends on {telling}: annotate {wanted:count item}{clusters} "
        "in all, then plan again."
    ),
    "wider": (
        "With as many items as its standard error implies, the interval would be {times:short} "
        "times as wide as the goal, because so few items tell little: annotate "
        "{wanted:count item} in all, then plan again."
    ),
    "telling_items": "about {telling:count item} (the others hardly count)",
    "telling_clusters": "about {telling:count cluster} (the others hardly count)",
    "telling_items_one": "a single item (the others hardly count)",
    "telling_clusters_one": "a single cluster (the others hardly count)",
    "too_few_annotators": (
        "{annotators:count annotator} do not show how much annotators differ: have "
        "{wanted:count annotator} rate the pilot, then plan again."
    ),
    "more_than_pilot": ", {items:count} more than the pilot has",
    "more_than_twice_rated": (
        ", {items:count} more than the {rated:count item} of the pilot with two ratings or more"
    ),
    "in_clusters": " in {clusters:count cluster} by {cluster:name}",
    "looks": (
        "To look {looks:count time} during annotation, plan for {items:count item} ({more} than "
        "with one look). At each look, use the options in the last table: the interval is wider "
        "early, so that it holds whenever you stop."
    ),
    "more": "{items:count} more",
    "fewer": "{items:count} fewer",
}
"""Conclusions on a plan."""

FURTHER: Words = {
    "from_annotators": (
        "{share:share} of the pilot's squared standard error comes from annotators, who are random "
        "here: only more annotators reduce it, not more items."
    ),
    "between_items": (
        "With {per_item:short} annotators per item, {share:share} of the variance{ends} lies "
        "between items: only more items reduce it. More annotators reduce the rest.{enough}"
    ),
    "hardly_between_items": (
        "Hardly any of the variance lies between items: more annotators per item help, too.{enough}"
    ),
    "share_ends": " ({low:share} to {high:share})",
    "enough": (
        " Past {annotators:count} annotators per item, each further annotator saves less than 5 % "
        "of the items."
    ),
    "fewest_ratings": (
        "Fewest ratings {among}: {items:count item} with {annotators:short} annotators per item "
        "({cost:count rating})."
    ),
    "costs_unused": (
        "The costs ({cost_item:short} an item, {cost_rating:short} a rating) change nothing here: "
        "they are for choosing among designs, and no design is planned."
    ),
    "lowest_cost": (
        "Lowest cost {among}: {items:count item} with {annotators:short} annotators per item (cost "
        "{cost:count})."
    ),
    "in_the_table": "in the table",
    "where_both_agree": "where formula and simulation agree",
    "annotators_alone": (
        "With the pilot's {items:count item} alone, {annotators:count annotator} per item would "
        "be enough."
    ),
    "annotators_do_not_suffice": (
        "With the pilot's {items:count item} alone, not even {most:count annotator} per item are "
        "enough."
    ),
}
"""Remarks on alternatives."""

FIXED: Words = {
    "of_two_annotators": "{title} is for two annotators",
    "few_complete": (
        "only {items:count item} {items:was|were} rated by all {annotators:count} annotators"
    ),
    "figure_moves": (
        "the estimate itself depends on the number of ratings per item ({at_fewest:estimate} with "
        "{fewest:count}, {at_most:estimate} with {most:count})"
    ),
    "two_ratings": "its items have two ratings each",
    "two_ratings_alone": (
        "its items have two ratings, which do not show what a third would add ({per_item:option} "
        "uses a model)"
    ),
}
"""Reasons against varying the annotators per item."""

OF_VARIANCE: Words = {
    "variance_dependable": (
        "With the {annotators:short} annotators of an item, {what} {number:is|are} dependable: "
        "{dependability:share} of {number:its|their} variance lies between items (Phi). {enough} "
        "This does not say how far annotators agree."
    ),
    "variance_more_annotators": (
        "With the {annotators:short} annotators of an item, {what} {number:is|are} not dependable: "
        "{dependability:share} of {number:its|their} variance lies between items (Phi). {enough}"
    ),
    "variance_out_of_reach": (
        "Items differ no more than annotators and chance make them differ: no number of annotators "
        "makes {what} dependable."
    ),
    "variance_nothing_varies": (
        "All ratings are the same: that shows neither how items differ nor how annotators do."
    ),
    "variance_shares": "Of the variance of a single rating, {shares:and}.",
}
"""Conclusions on variance components."""

VARIANCE: Words = joined(
    OF_VARIANCE,
    {
        "averaged_ratings": "the mean",
        "averaged_ranks": "the mean rank",
        "averaged_shares": "shares of labels",
        "averaged_sets": "shares of label sets as a whole",
        "enough_annotators": (
            "With {needed:count annotator}, {what} would be dependable (at least {target:level})."
        ),
        "no_fewer_annotators": "Fewer annotators would not reach {target:level}.",
        "of_item": "{share:share} lies between items",
        "of_annotator": "{share:share} between annotators",
        "of_interaction": "{share:share} in the interaction of annotators and items",
        "of_rest": "{share:share} in the rest",
        "the_item": "items",
        "the_annotator": "annotators",
        "the_interaction": "their interaction",
        "the_rest": "the rest",
        "variance_below_zero": (
            "The estimate for {which:and} is below 0, as happens where the true value is small, "
            "and counts as 0."
        ),
        "rest_is_both": (
            "The rest includes the interaction of annotators and items. Only second ratings by "
            "the same annotator separate them ({duplicates:option =apart})."
        ),
        "rest_is_separate": (
            "{cells:count item} rated again by the same annotator {cells:separates|separate} the "
            "interaction from the rest; the forecast is for first ratings only."
        ),
        "errors_of_items_alone": (
            "Standard errors are over items only: two annotators hardly show how much annotators "
            "differ."
        ),
        "no_squared_distance": (
            "This disagreement is not a squared distance: {dimensions:count dimension} of the "
            "labels' points count negatively, and components may fall below 0."
        ),
        "no_forecast": (
            "There is no half-width{advice:next_why}. It requires two annotators, ratings that "
            "differ, and evidence of what more annotators add."
        ),
        "next_why": ": {iaa:plan} gives the reason",
        "picture_variance": "How dependable the mean of an item's ratings is",
        "picture_dependability": "dependability (absolute decisions)",
        "picture_generalizability": "generalizability (relative decisions)",
        "picture_annotators_axis": "Annotators per item",
        "picture_dependable": "target",
        "variance_assumed": (
            "Assumed: items and annotators are random samples, and who rates what does not depend "
            "on the ratings. In the tables all annotators rate all items. Half-widths "
            "({confidence:level}) are those of a plan for {title}."
        ),
        "distance": "{name}",
        "next_annotators": "Next: {iaa:plan} shows how many items the project needs.",
    },
)
"""Sentences of the page on variance components."""

WORDS: Words = joined(
    VERDICT,
    FURTHER,
    FIXED,
    VARIANCE,
    {
        "picture_precision": (
            "The half-width goes from {first:estimate 3} with {fewest:count item} to "
            "{last:estimate 3} with {most:count} ({annotators:short} annotators per item)"
        ),
        "picture_precision_of": "Half-width in {assurance:level} of samples",
        "picture_items_axis": "Items",
        "picture_annotators": "{annotators:short} annotators per item",
        "picture_target": "goal",
        "uneven_panels": (
            "The pilot's items have {fewest:count} to {most:count} annotators, {mean:short} on "
            "average; these numbers are for {per_item:short} on every item."
        ),
        "simulations_differ": (
            "For {designs:join ; }, formula and simulation differ by more than 5 % (0.02 for a "
            "power), and by more than chance explains. Count on the less favourable; * marks "
            "designs where both reach the target."
        ),
        "next_annotate": (
            "Next: annotate {more:count} more {more:item|items}, then run {iaa:agree}."
        ),
        "if_independent": "if items are independent, ",
        "next_suffices": "Next: {if_so}no more items are needed; run {iaa:agree} on these.",
        "next_divided": ("Next: {iaa:items} and {iaa:labels} show what divides the annotators."),
        "design": "{items:count item} with {sizes:and} annotators",
        "size": "{annotators:short}",
        "looks_past": ("The pilot has more items than the first look: start with the next one."),
        "beside_formula": (
            "Simulated ratings compared with the formula (SE: standard error; "
            "{simulations:count set} of ratings per design)"
        ),
        "pilot": "{estimate:estimate} ({confidence:level} interval {ends:interval})",
        "needed_for_width": "Items needed for ±{half_width:short} in {assurance:level} of samples",
        "needed_for_null": (
            "Items needed to rule out {null:short} with {power:level} power (enough with a chance "
            "of {assurance:level})"
        ),
        "half_widths": "Half-width in {assurance:level} of samples, {across}{aim}",
        "powers": (
            "Power to rule out {null:short}, reached with a chance of {assurance:level}, {across}"
            "{aim}"
        ),
        "by_both": "by items (down) and annotators per item",
        "by_items_alone": "by items, with {per_item:short} annotators per item",
        "aim": " (* reaches {target:short} before rounding)",
        "taken_for_granted": (
            "Assumed: items, annotators and guidelines like the pilot's. {covered}"
        ),
        "these_annotators": (
            "The interval covers other items with these annotators; with other annotators "
            "estimates differ more."
        ),
        "other_annotators": "The interval covers other items and other annotators.",
        "clusters_alike": (
            "Assumed: clusters by {cluster:name} like the pilot's ({size:short} items on average)."
        ),
        "near_one": (
            "Close to 1 the interval reaches further down than up (computed on the scale of sqrt(1 "
            "- x))."
        ),
        "numbers_keep_less": (
            "With numbers, fewer plans reach their goal: 75 to 79 % for normal distributions, and "
            "about half for long tails (times, prices): take their logarithms."
        ),
        "pilot_and_model": (
            "With three ratings per item the pilot shows the effect of two and three annotators; "
            "for four or more the plan rests partly on a model of items."
        ),
        "pilot_at_least": (
            "With three ratings per item the pilot shows the effect of two and three annotators; "
            "four or more are assumed to help as little as its ratings allow."
        ),
        "model_alone": (
            "With two ratings per item the pilot cannot show what a third adds: all other numbers "
            "of annotators rest on a model of items."
        ),
        "fixed": "Annotators per item stay as in the pilot: {why}.",
        "based_on": (
            "drawn from the pilot's own ratings or, where it has too few, from a model of items "
            "({model})."
        ),
        "population": (
            "Items come from a population of {population:count}: the more of them are annotated, "
            "the smaller the uncertainty."
        ),
        "single_ratings": (
            "{items:count} of the pilot's items {items:has|have} one rating and {items:is|are} not "
            "counted here. Rating some of these again, chosen at random, is as good as annotating "
            "new ones."
        ),
        "nothing_simulated": "No simulation: there are too many labels.",
        "only_items_simulated": (
            "No simulation: it requires items drawn one by one and the same annotators."
        ),
        "undefined_sets": "Simulated data sets without an estimate, left out: {count:count}.",
        "no_design_simulated": "No design of the table could be simulated.",
        "model_does_not_fit": (
            "The model of items fits these ratings poorly (under this model, the estimate would be "
            "{estimate:estimate}, not {observed:estimate})."
        ),
        "rely_on_pilot": "Rely on the rows simulated from the pilot rather than from the model.",
        "fewer_would_do": (
            "With {items:count item} like these, {assurance:level} of samples would be precise "
            "enough."
        ),
        "precision_alone": "A plan is about how precise the figure would be, not about how high.",
        "goal": "±{target:short}, the default ({half_width:option} sets another)",
        "goal_of_width": "±{target:short}",
        "goal_of_null": "to rule out {null:short} with {power:level} power",
        "enough_alone": (
            "Past {annotators:count} annotators per item, each further annotator saves less than "
            "5 % of the items."
        ),
    },
)

OF_DOCUMENTS: Words = {
    code: re.sub(r"(?<!\{)(?<!iaa:)\bitem(?=s?\b)", "document", text)
    for code, text in WORDS.items()
}
"""Sentences for spans, whose items are documents."""
