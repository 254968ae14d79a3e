"""The sentences of the page on agreement as ratings come in."""

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
        "It is undecided on which side of {bar:short} {title} lies: {estimate:estimate}{ends}, "
        "however often you look{more}."
    ),
    "more_items": (
        "; about {wanted:count item} in all would decide it if the estimate does not change"
    ),
    "too_close": ", and it is too close to say how many items would decide it",
    "fallen": (
        "{title} has fallen below {bar:short}, after {since}: it is {estimate_since:estimate} "
        "since then, and {estimate:estimate} over all items."
    ),
    "fell_and_rose": (
        "It had fallen below {bar:short}, after {since} (shown on {at}), but is no longer below."
    ),
    "followed": "{title} is {estimate:estimate}{ends}, however often you look.",
    "moved": (
        "Later items differ from earlier ones: {title} is {estimate:estimate} over all items, "
        "outside the interval that held until {held} ({low:estimate} to {high:estimate}){or_rare}."
    ),
    "or_rare": "; or the interval (by influence) was wrong, as it may be if a label is rare",
    "undefined": "{title} is undefined for the {items:count item} that came so far.",
    "ends": " ({confidence:level} interval {low:estimate} to {high:estimate})",
    "differs": (
        "It differs from the figure for the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "not_differs": (
        "It is not shown to differ from the figure for the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "looks_arrival": "{items:count item} in {arrivals:count arrival}, by {order:name}",
    "looks_run": "{items:count item} in {arrivals:count run}",
    "looks_one": "{items:count item} together: the order in which they came is unknown",
    "all_looks": "At all looks",
    "all_looks_meaning": (
        "an interval that holds at all looks together, with {confidence:level} confidence; the "
        "other interval holds at one look."
    ),
    "one_look": "At one look",
    "evidence_meaning": (
        "what a stake of 1 on a figure above {bar:short} has grown to. If the figure is not above, "
        "such a bet reaches 20 with a chance of at most 1 in 20, however often you look{roughly}; "
        "at {decides:count} the question is decided."
    ),
    "roughly": " (by influence: approximately)",
    "cost": (
        "For this look alone the interval would be {one:interval}: looking whenever you like "
        "makes it {times:short} times as wide."
    ),
    "next_planned": (
        "Next: if you can fix the number of looks beforehand, {try:plan --null {bar} --looks 4} "
        "shows how many items they need."
    ),
    "next_drift": (
        "Next: {try:drift --by {order}} shows when agreement changed, and who rated then."
    ),
    "by_betting": (
        "The interval is exact for items in random order and these annotators, if agreement does "
        "not change; the labels, and an item's largest number of ratings, are assumed known."
    ),
    "by_betting_in_all": (
        "The interval is exact for all {population:count item} in random order and these "
        "annotators, and shrinks to a point at the last item."
    ),
    "by_influence": (
        "The interval is by influence{why}: it holds if there are many items, and may be wrong if "
        "a label is rare. It begins at {least:count item}{point}."
    ),
    "why_no_terms": ", because no exact interval is known for this coefficient",
    "why_gaps": ", because not all annotators rated the same items",
    "why_clusters": ", because items are sampled in clusters",
    "why_population": ", because the target is a given number of items",
    "why_no_bounds": (
        ", because the possible range of numbers was not given ({bounds:option =0,100} makes it "
        "exact)"
    ),
    "why_asked": ", as requested",
    "ends_in_a_point": ", and shrinks to a point at {population:count item}",
    "far_wider": (
        "The interval is so wide because a few items cannot rule out that others differ far more. "
        "{method:option =influence} assumes that they do not."
    ),
    "most_rose": (
        "On {at} an item came with {most:count rating}, more than any earlier item "
        "({before:count}): earlier bets did not allow for it. {per_item:option =N} counts only the "
        "first N ratings."
    ),
    "no_order": (
        "No order was given: all items count as arriving together. {order:option =COLUMN} names "
        "the column that states when they came."
    ),
    "runs_are_arrivals": "New items of a run count as arriving together, after all earlier ones.",
    "as_they_stand": (
        "Items are taken in the order of the file, as if that order were random; "
        "{order:option =COLUMN} names the column that states when they came."
    ),
    "batches_as_seen": (
        "The names in {by:name} have no evident order: batches are taken as they first appear."
    ),
    "over_arrivals": (
        "{items:count item} {items:was|were} complete only at a later arrival than the first "
        "rating, and {items:counts|count} from then on."
    ),
    "items_wait": (
        "{items:count item} {items:waits|wait} for more ratings ({per_item:count} are needed)."
    ),
    "without_arrival": (
        "{items:count item} {items:is|are} left out: {by:name} does not state when {items:it|they} "
        "came."
    ),
    "random_order": (
        "Items that came together are in random order, decided by the seed and their names. "
        "Days should not differ by topic or difficulty: otherwise no single figure holds for all."
    ),
    "picture": "{title} at all looks",
    "picture_of": "{items:count item}; {confidence:level} interval at all looks together",
    "picture_axis": "items",
    "bar_line": "{bar:short}",
}
"""Sentences on the decision, on its cost, and on the order of the items."""
