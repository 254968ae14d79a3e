"""The words of the page of agreement as it comes in."""

from __future__ import annotations

from iaa_jax.wording import Words

WORDS: Words = {
    "above": (
        "{title} is above {bar:short}: {estimate:estimate}{ends}, however often you look. You can "
        "stop{decided}."
    ),
    "below": (
        "{title} is below {bar:short}: {estimate:estimate}{ends}, however often you look. You can "
        "stop{decided}."
    ),
    "decided_before": "; it was decided by {at}",
    "open": (
        "It is not decided on which side of {bar:short} {title} is: {estimate:estimate}{ends}, "
        "however often you look{more}."
    ),
    "more_items": "; about {wanted:count item} would decide it ({items:count} now), if it stays",
    "no_more_items": "; no number of items that one has decides it, if it stays",
    "followed": "{title} is {estimate:estimate}{ends}, however often you look.",
    "moved": (
        "What came later contradicts what came before: {title} would have to be at least "
        "{low:estimate} and at most {high:estimate}. Items have not come in random order, or "
        "agreement has changed."
    ),
    "undefined": "{title} is undefined for the {items:count item} that have come.",
    "ends": " ({confidence:level} interval {ends:interval})",
    "fallen": "It has fallen below {bar:short}, after {since}.",
    "differs": (
        "It differs from that of the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "not_differs": (
        "It is not shown to differ from that of the other ratings: {difference:signed} "
        "({confidence:level} interval {ends:signed_interval})."
    ),
    "looks_arrival": "{arrivals:count arrival}, by {order:name}",
    "looks_one": "one arrival: the order in which items came is not known",
    "all_looks": "At all looks",
    "all_looks_meaning": (
        "an interval that holds at all looks together, with {confidence:level}; the other holds at "
        "one look."
    ),
    "one_look": "At one look",
    "evidence_meaning": (
        "what a bet of 1 that the figure is above {bar:short}, or below, has become. If it is not, "
        "the chance that this ever reaches e is 1 / e at most: 20 is strong evidence."
    ),
    "cost": (
        "For this look alone the interval would be {one:interval}: that you may look whenever you "
        "like makes it {times:short} times as wide."
    ),
    "next_planned": (
        "Next: if you can say beforehand how often you look, {try:plan --looks 4} is cheaper."
    ),
    "by_betting": (
        "The interval is exact, whatever the labels, for items in random order and these "
        "annotators."
    ),
    "by_betting_in_all": (
        "The interval is exact, whatever the labels, for all {population:count item} in random "
        "order and these annotators; it ends in a point."
    ),
    "by_influence": (
        "The interval is by influence{why}: as good as a normal interval for one look is. It "
        "begins at {least:count item}{point}."
    ),
    "why_no_terms": ", as nothing exact is known for this coefficient",
    "why_gaps": ", as not all annotators rated the same items",
    "why_clusters": ", as items are taken in clusters",
    "why_population": ", as the figure meant is that of a given number of items",
    "why_no_bounds": (
        ", as nobody said what numbers can be given ({bounds:option =0,100} makes it exact)"
    ),
    "why_asked": ", as was asked",
    "ends_in_a_point": ", and ends in a point at {population:count}",
    "far_wider": (
        "It is so wide since a few items could be far apart in rating, which so few do not rule "
        "out. {method:option =influence} takes that as the items seen have it."
    ),
    "no_order": (
        "No order was given: all items count as having come at once. {order:option =COLUMN} names "
        "the column that says when they came."
    ),
    "as_they_stand": (
        "Items are taken in the order of the file, as if that were random; {order:option =COLUMN} "
        "names when they came."
    ),
    "batches_as_seen": (
        "The batches of {by:name} have no order that shows: they are taken as they first appear."
    ),
    "over_arrivals": (
        "{items:count item} {items:has|have} ratings of several arrivals and {items:counts|count} "
        "from the last."
    ),
    "items_wait": (
        "{items:count item} {items:waits|wait} for more ratings ({per_item:count} are needed)."
    ),
    "without_arrival": (
        "{items:count item} {items:is|are} left out: {by:name} does not say when {items:it|they} "
        "came."
    ),
    "random_order": (
        "Within an arrival items stand in random order, which the seed and their names decide: "
        "what was seen stays when more come. If arrivals differ (by topic, by difficulty), the "
        "interval is about the mean of what came."
    ),
    "picture": "{title} at all looks",
    "picture_of": "{items:count item}; {confidence:level} interval at all looks together",
    "picture_axis": "items",
    "bar_line": "{bar:short}",
}
"""What is decided, what it costs, and how items stand."""
