"""The words of the page of agreement as it comes in."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "above": (
        "{title} is above {bar:short}: {estimate:estimate}{ends}, however often you look{decided}. "
        "You can stop; if you go on, a later fall is reported."
    ),
    "below": (
        "{title} is below {bar:short}: {estimate:estimate}{ends}, however often you look{decided}. "
        "It is too low, and more ratings of this kind will not help{advice:next_causes}."
    ),
    "next_causes": ": {iaa:findings} looks for what causes the disagreement",
    "decided_before": " (decided on {at})",
    "open": (
        "It is not decided on which side of {bar:short} {title} is: {estimate:estimate}{ends}, "
        "however often you look{more}."
    ),
    "more_items": "; about {wanted:count item} in all would decide it, if it stays",
    "too_close": ", and it is too close to say how many items would decide it",
    "fallen": (
        "{title} has fallen below {bar:short}, after {since}: it is {estimate_since:estimate} "
        "since then, and {estimate:estimate} over all that came."
    ),
    "fell_and_rose": (
        "It had fallen below {bar:short}, after {since} (shown on {at}), but no longer is."
    ),
    "followed": "{title} is {estimate:estimate}{ends}, however often you look.",
    "moved": (
        "Later items are not like earlier ones: {title} is {estimate:estimate} over all, "
        "beyond the interval that held until {held} ({low:estimate} to {high:estimate}){or_rare}."
    ),
    "or_rare": "; or the interval, by influence, erred, as it does where a label is rare",
    "undefined": "{title} is undefined for the {items:count item} that came.",
    "ends": " ({confidence:level} interval {low:estimate} to {high:estimate})",
    "differs": (
        "It differs from the value for the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "not_differs": (
        "It is not shown to differ from the value for the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "looks_arrival": "{items:count item} in {arrivals:count arrival}, by {order:name}",
    "looks_run": "{items:count item} in {arrivals:count run}",
    "looks_one": "{items:count item} at once: the order in which they came is not known",
    "all_looks": "At all looks",
    "all_looks_meaning": (
        "an interval that holds at all looks together, with {confidence:level}; the other holds at "
        "one look."
    ),
    "one_look": "At one look",
    "evidence_meaning": (
        "what a stake of 1 on a figure above {bar:short} has become. If it is not above, "
        "such a bet reaches 20 in one of 20 cases at most, however often you look{roughly}; at 40 "
        "it is decided."
    ),
    "roughly": " (by influence: approximately)",
    "cost": (
        "For this look alone the interval would be {one:interval}: looking whenever you like "
        "makes it {times:short} times as wide."
    ),
    "next_planned": (
        "Next: if you can say beforehand how often you look, {try:plan --null {bar} --looks 4} "
        "tells what that takes."
    ),
    "next_drift": "Next: {try:drift --by {order}} shows when it changed, and who rated then.",
    "by_betting": (
        "The interval is exact for items in random order and these annotators, if agreement does "
        "not change; the labels, and the most ratings an item can have, are assumed known."
    ),
    "by_betting_in_all": (
        "The interval is exact for all {population:count item} in random order and these "
        "annotators, and ends in a point."
    ),
    "by_influence": (
        "The interval is by influence{why}: it holds for many items, and errs where a label is "
        "rare. It begins at {least:count item}{point}."
    ),
    "why_no_terms": ", as nothing exact is known for this coefficient",
    "why_gaps": ", as not all annotators rated the same items",
    "why_clusters": ", as items are taken in clusters",
    "why_population": ", as the target is a given number of items",
    "why_no_bounds": (
        ", as the possible range of numbers was not given ({bounds:option =0,100} makes it exact)"
    ),
    "why_asked": ", as was asked",
    "ends_in_a_point": ", and ends in a point at {population:count}",
    "far_wider": (
        "It is so wide because so few items do not rule out that others differ far more. "
        "{method:option =influence} assumes that they do not."
    ),
    "most_rose": (
        "On {at} an item came with {most:count rating}, more than any before ({before:count}): "
        "earlier bets did not allow for it. {per_item:option =N} counts the first N."
    ),
    "no_order": (
        "No order was given: all items count as arriving at once. {order:option =COLUMN} names "
        "the column that says when they came."
    ),
    "runs_are_arrivals": "New items of a run count as arriving together, after all earlier ones.",
    "as_they_stand": (
        "Items are taken in the order of the file, as if that were random; {order:option =COLUMN} "
        "names when they came."
    ),
    "batches_as_seen": (
        "The batches of {by:name} have no visible order: they are taken as they first appear."
    ),
    "over_arrivals": (
        "{items:count item} {items:was|were} complete on a later arrival than that of the first "
        "rating, and {items:counts|count} from then on."
    ),
    "items_wait": (
        "{items:count item} {items:waits|wait} for more ratings ({per_item:count} are needed)."
    ),
    "without_arrival": (
        "{items:count item} {items:is|are} left out: {by:name} does not say when {items:it|they} "
        "came."
    ),
    "random_order": (
        "Items that came together are in random order, decided by the seed and their names. "
        "Days should not differ by topic or difficulty: no single figure holds for them then."
    ),
    "picture": "{title} at all looks",
    "picture_of": "{items:count item}; {confidence:level} interval at all looks together",
    "picture_axis": "items",
    "bar_line": "{bar:short}",
}
"""Conclusions: the decision, its cost, and how the items are ordered."""
