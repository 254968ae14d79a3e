"""Where intervals of this kind were found not to hold the truth as often as they say.

The rule comes from the coverage study of the benchmarks (coverage.md there), which writes it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from iaa_jax.measure.interval import IntervalOptions
from iaa_jax.measure.tables import RatingTables

_FACTS = {
    "disagreeing": ("item", "items", "on which ratings differ"),
    "agreeing": ("item", "items", "whose ratings agree on anything but the commonest label"),
    "informative": ("item", "items", "with anything but the commonest label"),
}
"""What is counted in ratings: one, several, and what of them."""

ROUGH = 0.9
"""Coverage below which an interval is more than rough."""

FEW_CLUSTERS = 10
"""Clusters below which nothing is known of intervals over clusters."""

FEW_ANNOTATORS = 5
"""Annotators below which intervals over annotators were found too narrow where items are many."""


def informative_items(tables: RatingTables) -> dict[str, float]:
    """Items with two ratings, and how many of them tell something of agreement beyond chance.

    "disagreeing" are those whose ratings differ, "informative" all but those whose ratings are all
    the commonest label, and "agreeing" the informative ones whose ratings do not differ.
    """
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    rated = codes >= 0
    rows, _ = np.nonzero(rated)
    given = np.bincount(codes[rated], weights=count[rows], minlength=1)
    lowest = np.where(rated, codes, np.iinfo(codes.dtype).max).min(axis=1)
    highest = codes.max(axis=1)
    pairable = np.where(rated.sum(axis=1) >= 2, count, 0.0)
    differ = lowest != highest
    alike = ~differ & (highest == np.argmax(given))
    disagreeing, informative = float(pairable @ differ), float(pairable @ ~alike)
    return {
        "pairable": float(pairable.sum()),
        "disagreeing": disagreeing,
        "informative": informative,
        "agreeing": informative - disagreeing,
    }


def doubts(tables: RatingTables, options: IntervalOptions, clusters: float | None = None) -> str:
    """A sentence where intervals on such ratings hold the truth less often than they say."""
    if options.interval is None or tables.task == "value":
        return ""
    found = informative_items(tables)
    if not found["disagreeing"]:
        return ""  # perfect agreement is said by itself
    rule = coverage_rule()
    poor = [one for one in rule["poor"] if found[one["fact"]] < one["below"]]
    if poor:
        worst = min(poor, key=lambda one: float(one["coverage_where_data_show_it"]))
        number = found[worst["fact"]]
        one, several, which = _FACTS[worst["fact"]]
        few = f"are only {number:g} {several}" if number > 1 else f"is only {number:g} {one}"
        few = few if number else f"is no {one}"
        held = float(worst["coverage_where_data_show_it"])
        word = "rough" if held > ROUGH else "not to be trusted"
        return f"there {few} {which}: intervals are {word}" + _figures(options, worst, rule)
    if clusters is not None and clusters < FEW_CLUSTERS:
        return (
            f"there are only {clusters:g} clusters: intervals over fewer than {FEW_CLUSTERS} are "
            "not to be relied on"
        )
    annotators = tables.ratings.sizes["annotator"]
    if options.how.annotators == "random" and annotators < FEW_ANNOTATORS:
        return (
            f"there are only {annotators} annotators to speak for all others: intervals are rough "
            "(in the coverage study too narrow where items were many)"
        )
    return ""


def _figures(options: IntervalOptions, worst: dict[str, Any], rule: dict[str, Any]) -> str:
    """What the study found there, where these are its intervals."""
    how = options.how
    same = how.method == "auto" and how.used == rule["interval"] and not how.said()
    if not same or options.confidence != rule["nominal"]:
        return ""
    held, lowest = (
        100 * float(worst[name]) for name in ("coverage_where_data_show_it", "lowest_coverage")
    )
    single = f", and in single designs in as few as {lowest:.0f} %" if lowest < held else ""
    return (
        f" (in the coverage study {100 * rule['nominal']:g} % intervals held the truth in "
        f"{held:.0f} % of such data{single})"
    )


@cache
def coverage_rule() -> dict[str, Any]:
    """What the coverage study found."""
    text = files("iaa_jax.measure").joinpath("coverage_rule.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
