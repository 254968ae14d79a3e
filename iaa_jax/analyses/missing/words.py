"""The words of the pages about missing ratings."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "complete": "No rating is missing: {title} is {estimate:estimate}{ends}.",
    "undefined": "{title} is undefined for these ratings.",
    "claim_low": (
        "{title} is {estimate:estimate}{ends} as rated: at least {above:short} with its whole "
        "interval."
    ),
    "claim_estimate": (
        "{title} is {estimate:estimate}{ends} as rated: at least {above:short}, but not with its "
        "whole interval."
    ),
    "claim_below": "{title} is {estimate:estimate}{ends} as rated: below {above:short}.",
    "ends": " ({ends:interval})",
    "holds": (
        "{what} stays on that side whether all {gaps:count} missing ratings ({share:share}) give "
        "what most gave of the item ({agreeing:estimate}) or all were given at random "
        "({random:estimate}){beyond}."
    ),
    "beyond": ", though not in the most extreme tables ({found:estimate})",
    "tips": (
        "{what} crosses {above:short} where {delta:share} of the {gaps:count} missing ratings "
        "({share:share}) {how}, and the others agree like those that are there."
    ),
    "fails": (
        "{what} is nowhere on that side with the {gaps:count} missing ratings ({share:share}) "
        "filled in: {agreeing:estimate} if all give what most gave of the item, "
        "{random:estimate} if all were given at random."
    ),
    "lower_end": "The lower end",
    "figure": "The estimate",
    "at_random": "were given at random",
    "agree": "give what most gave of the item",
    "extremes": (
        "{least:estimate} to {greatest:estimate}: the most extreme complete tables that were "
        "found; the true extremes are as far out, or farther"
    ),
    "pairs": "{least:share} to {greatest:share}: exact bounds over all ways to fill the gaps",
    "curve_caption": "With the gaps filled",
    "kind_agreeing": "{share:level} give what most gave",
    "kind_like": "all like those observed",
    "kind_random": "{share:level} at random",
    "curve_meaning": (
        "mean over {imputations:count filling}, seed {seed}; {confidence:level} intervals by "
        "Rubin's rules."
    ),
    "kind_meaning": (
        "the others like those observed: pairs with them agree as far as observed pairs do."
    ),
    "not_seen": (
        "The ratings cannot tell which row holds: ask why ratings are missing, or have some of "
        "them made good."
    ),
    "too_many_ways": (
        "There are too many ways to fill the gaps: no search for the most extreme tables."
    ),
    "undefined_fillings": (
        "Up to {most:count} of {of:count filling} at a value of delta have no figure and are left "
        "out."
    ),
    "picture": "{title}, by how far missing ratings agree",
    "picture_of": "{items:count item}, {share:share} of the ratings missing",
    "picture_axis": "delta: from all agreeing (-1), like the others (0), to all at random (1)",
    "level_line": "{above:short}",
    "weighted": (
        "{title} of all items is {estimate:estimate}{ends}, with items weighted by the inverse of "
        "their probability of being rated; without weights {unweighted:estimate}{plain_ends}."
    ),
    "alike": (
        "All probabilities of being rated are the same, so that weights change nothing: {title} "
        "is {estimate:estimate}{ends}."
    ),
    "effective": "{rated:short} rated items with such weights tell as much as {effective:short}.",
    "groups_caption": "How many items of each group were rated twice or more",
    "groups_unrated": (
        "Nothing was rated twice in {groups:quoted 5}: the figure is that of the other groups."
    ),
    "extreme_weights": (
        "Weights are extreme: an item counts up to {largest:short} times the mean, and "
        "{rated:short} rated items tell as much as {effective:short} of one weight. The figure "
        "hangs on a few items."
    ),
    "within_groups": (
        "Weights mend what the groups, or probabilities, explain: if within them items were rated "
        "that are easier than others, the figure is still too high."
    ),
}
"""What is concluded as rated, where it changes, and what weights make of it."""
