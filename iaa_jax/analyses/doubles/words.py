"""Templates for the pages on secondary labels."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "ends": (
        "from {at_one:estimate} at p = 1 (secondary labels ignored) to {at_half:estimate} at p = "
        "0.5 (both labels count the same)"
    ),
    "falls": (
        "{coefficient} falls by {size:estimate} as secondary labels count more "
        "({confidence:level} interval {interval:interval}), {ends}."
    ),
    "rises": (
        "{coefficient} rises by {size:estimate} as secondary labels count more "
        "({confidence:level} interval {interval:interval}), {ends}."
    ),
    "unclear": (
        "{coefficient} is not shown to change as secondary labels count more: it goes {ends}, by "
        "{change:signed} ({confidence:level} interval {interval:interval})."
    ),
    "estimated": "{coefficient} goes {ends}, a change of {change:signed}.",
    "undefined": "{coefficient} is undefined at p = 1 or p = 0.5, so the change is unknown.",
    "per_label": "{coefficient} of each label over p, the share of the primary label.",
    "largest": (
        "Of {points:count} points from {first:short} to {last:short}, the largest is "
        "{maximum:estimate} at p = {p:short}."
    ),
    "within_reach": (
        "Part of any fall is arithmetic: unless p = 1, even identical ratings with two labels "
        "agree only in part. If every pair of ratings were identical, the coefficient would be 1 "
        "at p = 1 and {reach:estimate} at p = 0.5; the actual figures are {share_at_one:share} and "
        "{share_at_half:share} of these."
    ),
    "doubles": "{doubles:count} of {ratings:count} ratings ({share:share})",
    "at_this_p": "{confidence:level} at this p",
    "at_every_p": "{confidence:level} at every p",
    "at_p": "p = {p:short}",
    "gain_at": "Gain, p = {p:short}",
    "as_published": (
        "by the formulas of Rosenberg and Binkowski (2004); the thresholds {tau:option} and "
        "{high:option} are ours."
    ),
    "normalised": (
        "identical ratings score 1 at every p, and expected agreement is taken at p = 1."
    ),
    "classes": (
        "Class 1: agreement at every p. Class 2: no agreement at any p. Class 3: agreement only on "
        "the primary label. Class 4: primary and secondary label swapped."
    ),
    "moved": (
        "As published, identical ratings with two labels disagree in part at p = 0.5 (class 3); "
        "normalised, they agree. {items:count item} {items:changes|change} class when normalised: "
        "{names:names 10 items}."
    ),
    "without_pair": "{items:count item} with fewer than two ratings: no class.",
    "items_above": "Items with a figure above {cut:short}: {counts:join ; }.",
    "items_at": "{items:count} ({share:share}) at p = {p:short}",
    "chance_of_items": "Figures of items and gains use the expected agreement of {coefficient}.",
    "gain": "Gain: change of the coefficient if the two labels together become one new label.",
    "most_frequent": (
        "Of {used:count} pairs of labels used, the {shown:count} most frequent are shown."
    ),
    "undefined_points": "Undefined at {points:count} of {of:count point}: {reason}.",
    "of_coefficient": "{coefficient}: {note}.",
    "picture_moves": "{coefficient}: {at_one:estimate} at p = 1, {at_half:estimate} at p = 0.5",
    "picture_over_p": "{coefficient} over p",
    "picture_of": "{files:names 2}: {doubles}",
    "picture_axis": (
        "p, the share of the primary label (0.5: both count the same, 1: secondary ignored)"
    ),
    "picture_doubles": "{doubles} name a secondary label",
    "band": "{confidence:level} band, for all p together",
    "interval_at_p": "{confidence:level} interval, at each p",
    "maximum": "largest: {maximum:estimate} at p = {p:short}",
    "next_sweep": (
        "Next: discuss items of classes 3 and 4 with the annotators; JSON has every item."
    ),
}
