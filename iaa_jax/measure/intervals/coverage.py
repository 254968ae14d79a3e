"""Where intervals of this kind were found not to hold the truth as often as they say.

The rule comes from the coverage study of the benchmarks (coverage.md there), which writes it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TypedDict

import numpy as np

from iaa_jax.data.kind import Kind
from iaa_jax.engine.drawing import Clusters
from iaa_jax.kernels.icc_annotators import unlike_annotators
from iaa_jax.measure.intervals.measurement import Measurement, drawn_units
from iaa_jax.measure.options.interval import (
    FEW_ANNOTATORS,
    OVER_ANNOTATORS,
    WITH_UNSEEN,
    FigureKind,
)
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import UNWEIGHTED
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.measure.words import OF_FIGURES
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

FEW_CLUSTERS = 12
"""Clusters of equal size below which intervals over clusters were found too narrow."""

FEWEST = 10
"""Items, or clusters, below which intervals were too narrow in some designs of any kind."""

UNLIKE_TWO = 0.05
"""The p-value of two like annotators below which an interval over annotators is too narrow."""

FEW_INFLUENTIAL = 4
"""Items that the spread of weighted labels, or of what spans share, has to stand on."""

FEW_INFLUENTIAL_CLUSTERS = 2
"""The same for clusters, whose degrees of freedom go by their kurtosis: one makes it nearly all."""

FEW_INFLUENTIAL_OF_NUMBERS = 8
"""The same for numbers, which have no largest disagreement."""

HEAVY_TAILED = 15
"""Kurtosis of the influences of numbers beyond which their tails are too heavy for an interval."""


def informative_items(tables: Rated) -> dict[str, float]:
    """Items with two ratings, and how many of them tell something of agreement beyond chance.

    "disagreeing" are those whose ratings differ, and "informative" all but those whose ratings are
    all the commonest label. "agreeing" is the share of an item's pairs that agree on another label,
    summed: with two ratings an item, the items that do.
    """
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    rated = codes >= 0
    rows, columns = np.nonzero(rated)
    labels = int(codes.max(initial=0)) + 1
    cells, number = np.unique(rows * labels + codes[rows, columns], return_counts=True)
    row, label = np.divmod(cells, labels)
    ratings = rated.sum(axis=1)
    commonest = int(np.argmax(np.bincount(label, count[row] * number, labels)))
    pairable = np.where(ratings >= 2, count, 0.0)
    of_commonest = np.zeros(len(codes))
    of_commonest[row[label == commonest]] = number[label == commonest]
    unanimous = np.bincount(row, number == ratings[row], len(codes)) > 0
    alike = of_commonest == ratings
    disagreeing, informative = float(pairable @ ~unanimous), float(pairable @ ~alike)
    pairs = np.maximum(ratings * (ratings - 1.0), 1.0)
    agreeing_pairs = np.bincount(row, number**2.0, len(codes)) - ratings
    share = (agreeing_pairs - of_commonest * (of_commonest - 1)) / pairs
    return {
        "pairable": float(pairable.sum()),
        "disagreeing": disagreeing,
        "informative": informative,
        "agreeing": float(pairable @ share),
    }


def coverage_notes(
    tables: Rated,
    options: IntervalOptions,
    clusters: Clusters | None = None,
    kind: FigureKind = "",
) -> list[Note]:
    """Where intervals on such ratings hold the truth less often than they say.

    ``kind`` is that of the figures whose intervals are chosen by it.
    """
    interval = resolve(options, kind)
    if kind and _held_in_study(interval):
        doubt = _remaining_doubt(tables, interval, clusters, kind)
    else:
        doubt = doubt_of(tables, interval, clusters)
    return [] if doubt is None else [doubt]


def notes_of_doubts(figures: Sequence[tuple[str, Note | None]]) -> list[Note]:
    """The doubts about several figures by their names: one that is not about all names its own."""
    about: dict[Note, list[str]] = {}
    for name, doubt in figures:
        if doubt is not None:
            about.setdefault(doubt, []).append(name)
    return [
        note if len(names) == len(figures) and note.code not in OF_FIGURES else note.on(names)
        for note, names in about.items()
    ]


def doubts_of(
    tables: Rated,
    clusters: Clusters | None,
    requests: Sequence[Request],
    figures: Sequence[Measurement],
) -> list[Note | None]:
    """The doubt about each figure; none where it has no interval that could be doubted."""
    return [
        doubt_of(tables, figure.made_by, clusters, request, figure.spread)
        if figure.has_interval
        else None
        for request, figure in zip(requests, figures, strict=True)
    ]


def doubt_of(
    tables: Rated,
    interval: ResolvedInterval,
    clusters: Clusters | None = None,
    request: Request | None = None,
    spread: Spread | None = None,
) -> Note | None:
    """Why the interval of a figure may hold the truth less often than it says.

    Without a figure it is one of labels that agree or do not.
    """
    if not interval.method:
        return None
    pairable = float(tables.totals["pairable_items"])
    if request is not None and spread is not None and _held_in_study(interval):
        if spread.unanimous and interval.bounded and not request.taken_as_seen:
            return None  # an exact interval of a share
        return _remaining_doubt(tables, interval, clusters, request.kind, spread, request)
    few = Note("few_items", {"items": pairable}, "caution") if pairable < FEW_ITEMS else None
    if request is not None and spread is not None and spread.unanimous and interval.bounded:
        few = few if request.taken_as_seen else None  # an exact interval of a share
    numbers = tables.kind is Kind.NUMBERS or (
        request is not None and request.problem.measure.takes_values
    )
    weighted = request is not None and request.used not in UNWEIGHTED
    if tables.kind.has_labels and not (numbers or weighted):
        facts = informative_items(tables)
        if not facts["disagreeing"]:
            return few  # perfect agreement is said by itself
        telling = _few_informative(facts, interval)
    else:
        least = (
            max(FEW_INFLUENTIAL_OF_NUMBERS, pairable / HEAVY_TAILED) if numbers else FEW_INFLUENTIAL
        )
        telling = _few_influential(spread, interval, pairable, least, tables.kind)
    return telling or _few_units(tables, interval, clusters) or few


HELD_IN_STUDY = ("empirical_bayes", "likelihood", "kurtosis_t", *OVER_ANNOTATORS)
"""Intervals that held in nearly all designs, also where few items tell anything."""


def _held_in_study(interval: ResolvedInterval) -> bool:
    """Whether an interval is one of these: with its prior, and over what the study drew."""
    with_unseen = interval.method in WITH_UNSEEN
    as_studied = interval.prior != 0 and not interval.random.draws_annotators
    return interval.method in HELD_IN_STUDY and (as_studied or not with_unseen)


def _remaining_doubt(
    tables: Rated,
    interval: ResolvedInterval,
    clusters: Clusters | None,
    kind: FigureKind,
    spread: Spread | None = None,
    request: Request | None = None,
) -> Note | None:
    """What is left to doubt of intervals that count with what was not seen, or with far tails."""
    pairable = float(tables.totals["pairable_items"])
    if clusters is not None:
        number = float(clusters.number)
        if number < FEWEST:
            values = {"clusters": number, "even": number, "least": FEWEST}
            return Note("few_clusters", values, "caution")
        return _few_influential(spread, interval, number, FEW_INFLUENTIAL_CLUSTERS, tables.kind)
    if pairable < FEWEST:
        return Note("few_items", {"items": pairable}, "caution")
    if request is not None and interval.method in OVER_ANNOTATORS:
        return _two_unlike(request)
    if kind in ("labels", "numbers"):
        return None  # what numbers show of their tails says nothing of what they did not show
    return _few_influential(spread, interval, pairable, FEW_INFLUENTIAL, tables.kind)


def _two_unlike(request: Request) -> Note | None:
    """Where two annotators are not alike, and do not show how others would differ."""
    problem = request.problem
    annotators = problem.counted_data.shape[1]
    if annotators > 2:
        return None
    p_value = unlike_annotators(problem.counted_data, problem.table.count)
    values = {"annotators": annotators, "p_value": p_value}
    return Note("unlike_annotators", values, "caution") if p_value < UNLIKE_TWO else None


def _few_informative(facts: dict[str, float], interval: ResolvedInterval) -> Note | None:
    """Where too few items tell anything of labels that agree or do not."""
    rule = coverage_rule()
    poor = [case for case in rule["poor"] if facts[case["fact"]] < case["below"]]
    if not poor:
        return None
    worst = min(poor, key=lambda case: float(case["coverage_where_data_show_it"]))
    number = facts[worst["fact"]]
    coverage = float(worst["coverage_where_data_show_it"])
    values = {
        "few": number,
        "what": _FACTS[worst["fact"]][number > 1],
        "held": "rough" if coverage > ROUGH else "not to be trusted",
        "figures": _coverage_found(interval, worst, rule),
    }
    code = "few_telling_items" if number >= 1 else "no_telling_item"
    return Note(code, values, "caution")


def _few_influential(
    spread: Spread | None, interval: ResolvedInterval, pairable: float, least: float, kind: Kind
) -> Note | None:
    """Where fewer than so many items, or clusters, make most of the spread of a figure."""
    if spread is None:
        return None
    carriers = float(np.max(spread.influential_units))
    drawn = interval.random.draws_annotators
    units = pairable if drawn else float(np.max(spread.degrees)) + 1
    if not 0 < carriers < least or round(carriers, 1) >= units:
        return None  # all alike: few, but none that makes more of the spread than others
    values = {
        "carriers": round(carriers, 1),
        "units": units,
        "of_what": drawn_units(interval, kind is Kind.SPANS),
    }
    return Note("few_carriers", values, "caution")


def _few_units(tables: Rated, interval: ResolvedInterval, clusters: Clusters | None) -> Note | None:
    """Where there are few clusters, or annotators, to draw from."""
    if clusters is not None:
        of_patterns = clusters.matrix_of(tables.exchangeable_table)
        pairable = tables.exchangeable.panel >= 2
        sizes = of_patterns @ np.where(pairable, 1.0, 0.0)
        # so many of one size would weigh as evenly (Kish 1965)
        even = float(sizes.sum() ** 2 / max((sizes**2).sum(), 1e-300))
        if even < FEW_CLUSTERS:
            number = float(clusters.number)
            values = {"clusters": number, "even": even, "least": FEW_CLUSTERS}
            code = "few_clusters" if number < FEW_CLUSTERS else "uneven_clusters"
            return Note(code, values, "caution")
    annotators = tables.annotators
    if interval.random.draws_annotators and annotators < FEW_ANNOTATORS:
        return Note("few_annotators", {"annotators": annotators}, "caution")
    return None


def _coverage_found(interval: ResolvedInterval, worst: Case, rule: Rule) -> Note | str:
    """What the study found there, where these are its intervals."""
    same = interval.usual and interval.method == rule["interval"]
    if not same or interval.confidence != rule["nominal"]:
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
    text = (
        files("iaa_jax.measure.intervals")
        .joinpath("coverage_rule.json")
        .read_text(encoding="utf-8")
    )
    rule: Rule = json.loads(text)
    return rule
