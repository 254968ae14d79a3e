"""The wording of the pages about missing ratings."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "complete": "No rating is missing: {title} is {estimate:estimate}{ends}.",
    "undefined": "{title} is undefined for these ratings.",
    "claim_low": (
        "As rated, {title} is {estimate:estimate}{ends}: at least {above:short}, even at its lower "
        "end."
    ),
    "claim_estimate": (
        "As rated, {title} is {estimate:estimate}{ends}: at least {above:short}, but its interval "
        "extends below it."
    ),
    "claim_below": "As rated, {title} is {estimate:estimate}{ends}: below {above:short}.",
    "as_rated_alone": "As rated, {title} is {estimate:estimate}{ends}.",
    "filled": (
        "With all {gaps:count} missing ratings ({share:share} of all) filled in, it would be "
        "{agreeing:estimate} if they followed the majority of their item, and {random:estimate} if "
        "they were given at random."
    ),
    "ends": " ({confidence:level} interval {ends:interval})",
    "holds": (
        "{what} stays on that side of {above:short} whether all {gaps:count} missing ratings "
        "({share:share} of all) follow the majority of their item ({agreeing:estimate}) or are "
        "given at random ({random:estimate}){beyond}."
    ),
    "beyond": ", but not in the most extreme tables ({found:estimate})",
    "tips": (
        "{what} crosses {above:short} if {delta:share} of the {gaps:count} missing ratings "
        "({share:share} of all) {how} and the rest agree like the observed ones."
    ),
    "fails": (
        "{what} is never on that side of {above:short} with the {gaps:count} missing ratings "
        "({share:share} of all) filled in: it is {agreeing:estimate} if all follow the majority of "
        "their item, and {random:estimate} if all are given at random."
    ),
    "lower_end": "The lower end",
    "figure": "The estimate",
    "at_random": "are given at random",
    "agree": "follow the majority of their item",
    "extremes": (
        "{least:estimate} to {greatest:estimate} in the most extreme complete tables found; the "
        "true extremes may be further out"
    ),
    "pairs": "{least:share} to {greatest:share} over all ways to fill the gaps (exact)",
    "curve_caption": "With the gaps filled",
    "kind_agreeing": "{share:level} follow the majority",
    "kind_like": "all like those observed",
    "kind_random": "{share:level} at random",
    "curve_meaning": (
        "by Rubin's rules, over {imputations:count} ways to fill the gaps at random; the "
        "estimate is their mean; seed {seed}."
    ),
    "kind_meaning": (
        "all others are like those observed, so that pairs with them agree as often as observed "
        "pairs."
    ),
    "not_seen": (
        "Next: ask why ratings are missing, or collect some of them; the data cannot tell which "
        "row of the table is right."
    ),
    "too_many_ways": (
        "No search for the most extreme tables: there are too many ways to fill the gaps."
    ),
    "undefined_fillings": (
        "At some delta, the figure is undefined in up to {most:count} of {of:count filling}, which "
        "are left out."
    ),
    "picture": "{title}, by how far missing ratings agree",
    "picture_of": "{items:count item}, {share:share} of the ratings missing",
    "picture_axis": "delta: from all agreeing (-1), like the others (0), to all at random (1)",
    "level_line": "{above:short}",
    "weighted": (
        "With rated items weighted to stand for all items, {title} is {estimate:estimate}{ends}; "
        "unweighted, it is {unweighted:estimate}{plain_ends}."
    ),
    "alike": (
        "All items were equally likely to be rated twice, so weights change nothing: {title} is "
        "{estimate:estimate}{ends}."
    ),
    "effective": "The effective sample size is {effective:short} of {rated:short} rated items.",
    "groups_caption": "Items of each group with two ratings or more",
    "groups_unrated": (
        "No item was rated twice in {groups:quoted 5}: the figure describes only the other groups."
    ),
    "extreme_weights": (
        "Weights are extreme: an item counts up to {largest:short} times the mean, and the "
        "effective sample size is {effective:short} of {rated:short} rated items. The figure "
        "depends on a few items."
    ),
    "within_groups": (
        "Weights are the inverse of the probability of being rated, and correct only for what "
        "groups or probabilities explain: if easier items were rated more often within groups, the "
        "figure is still too high."
    ),
}
"""Wording of the conclusions about missing ratings and weighted items, and of remarks."""
