"""Where intervals of this kind were found not to hold the truth as often as they say.

The rule comes from the coverage study of the benchmarks (coverage.md there), which writes it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TypedDict

import numpy as np

from iaa_jax.measure.interval import IntervalOptions
from iaa_jax.measure.tables import RatingTables
from iaa_jax.wording import Note


class Case(TypedDict):
    """A fact of ratings, below how many of it intervals fail, and how far they do."""

    fact: str
    below: float
    lowest_coverage: float
    coverage_where_data_show_it: float


class Rule(TypedDict):
    """What the coverage study found of which interval."""

    interval: str
    nominal: float
    poor: list[Case]


_FACTS = {
    "disagreeing": ("item on which ratings differ", "items on which ratings differ"),
    "agreeing": (
        "item whose ratings agree on anything but the commonest label",
        "items whose ratings agree on anything but the commonest label",
    ),
    "informative": (
        "item with anything but the commonest label",
        "items with anything but the commonest label",
    ),
}
"""What is counted in ratings: one, and several."""

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough, whatever they show."""

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
    label_counts = np.bincount(codes[rated], weights=count[rows], minlength=1)
    lowest = np.where(rated, codes, np.iinfo(codes.dtype).max).min(axis=1)
    highest = codes.max(axis=1)
    pairable = np.where(rated.sum(axis=1) >= 2, count, 0.0)
    differ = lowest != highest
    alike = ~differ & (highest == np.argmax(label_counts))
    disagreeing, informative = float(pairable @ differ), float(pairable @ ~alike)
    return {
        "pairable": float(pairable.sum()),
        "disagreeing": disagreeing,
        "informative": informative,
        "agreeing": informative - disagreeing,
    }


def coverage_notes(
    tables: RatingTables, options: IntervalOptions, clusters: float | None = None
) -> list[Note]:
    """Where intervals on such ratings hold the truth less often than they say."""
    if options.interval is None:
        return []
    if tables.task == "value":
        return _few_items(float(tables.totals["pairable_items"]))
    facts = informative_items(tables)
    if not facts["disagreeing"]:
        return _few_items(facts["pairable"])  # perfect agreement is said by itself
    rule = coverage_rule()
    poor = [case for case in rule["poor"] if facts[case["fact"]] < case["below"]]
    if poor:
        worst = min(poor, key=lambda case: float(case["coverage_where_data_show_it"]))
        number = facts[worst["fact"]]
        coverage = float(worst["coverage_where_data_show_it"])
        values = {
            "few": number,
            "what": _FACTS[worst["fact"]][number > 1],
            "held": "rough" if coverage > ROUGH else "not to be trusted",
            "figures": _figures(options, worst, rule),
        }
        return [Note("few_telling_items" if number else "no_telling_item", values, "caution")]
    if clusters is not None and clusters < FEW_CLUSTERS:
        values = {"clusters": clusters, "least": FEW_CLUSTERS}
        return [Note("few_clusters", values, "caution")]
    annotators = tables.ratings.sizes["annotator"]
    if options.random.draws_annotators and annotators < FEW_ANNOTATORS:
        return [Note("few_annotators", {"annotators": annotators}, "caution")]
    return _few_items(facts["pairable"])


def _few_items(pairable: float) -> list[Note]:
    return [Note("few_items", {"items": pairable}, "caution")] * (pairable < FEW_ITEMS)


def _figures(options: IntervalOptions, worst: Case, rule: Rule) -> Note | str:
    """What the study found there, where these are its intervals."""
    same = options.usual and options.method == rule["interval"]
    if not same or options.confidence != rule["nominal"]:
        return ""
    coverage, lowest = (
        round(float(number), 2)
        for number in (worst["coverage_where_data_show_it"], worst["lowest_coverage"])
    )
    single = Note("coverage_single", {"lowest": lowest}) if lowest < coverage else ""
    return Note("coverage", {"nominal": rule["nominal"], "held": coverage, "single": single})


@cache
def coverage_rule() -> Rule:
    """What the coverage study found."""
    text = files("iaa_jax.measure").joinpath("coverage_rule.json").read_text(encoding="utf-8")
    rule: Rule = json.loads(text)
    return rule
