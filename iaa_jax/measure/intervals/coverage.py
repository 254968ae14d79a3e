"""Cautions about intervals that may cover the truth less often than their nominal level.

Such a caution is a note, called a doubt. It is about a figure: a coefficient, or a coefficient for
one label. Doubts rest on a simulation study (coverage.md of the benchmarks), whose findings are in
``coverage_rule.json``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TypedDict

import numpy as np

from iaa_jax._types import Floats
from iaa_jax.catalog import UNWEIGHTED
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
from iaa_jax.measure.options.resolved_interval import ResolvedInterval, resolve
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.spread import Spread
from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.wording import Note


class Case(TypedDict):
    """A threshold for a count of `informative_items`, and the coverage if the count is below it."""

    fact: str
    below: float
    lowest_coverage: float
    coverage_where_data_show_it: float


class Rule(TypedDict):
    """Findings of the coverage study for one kind of interval."""

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
"""Descriptions of the counted items, in the singular and the plural."""

FEW_ITEMS = 20
"""Threshold: with fewer pairable items than this, most kinds of interval are rough."""

ROUGH = 0.9
"""Threshold: at this coverage or less, an interval is called untrustworthy rather than rough."""

FEW_CLUSTERS = 12
"""Threshold: with fewer clusters of equal size than this, intervals over clusters were too narrow
in the study."""

FEWEST = 10
"""Threshold: with fewer items or clusters than this, every kind of interval was too narrow in some
of the study's designs."""

UNLIKE_TWO = 0.05
"""Significance level of the test of whether two annotators differ: if they do, intervals over
annotators are too narrow."""

FEW_INFLUENTIAL = 4
"""Minimum effective number of items that cause the spread (influential items), for weighted labels
and spans: with fewer, there is a caution."""

FEW_INFLUENTIAL_CLUSTERS = 2
"""Minimum number of influential clusters: with fewer, there is a caution. It is low because the
degrees of freedom already allow for few clusters."""

FEW_INFLUENTIAL_OF_NUMBERS = 8
"""Minimum number of influential items, for numbers: with fewer, there is a caution. It is higher
than for labels because the disagreement of numbers is unbounded."""

HEAVY_TAILED = 15
"""Maximum kurtosis of the items' influences, for numbers: if it is larger, the tails are too heavy
for an interval, and there is a caution."""


def informative_items(tables: Rated) -> dict[str, float]:
    """Count the pairable items, and those that are informative about agreement beyond chance.

    "disagreeing" counts the pairable items whose ratings differ, and "informative" all pairable
    items except those on which every rating is the commonest label. "agreeing" sums, over pairable
    items, the share of pairs of ratings that agree on a label other than the commonest; with two
    ratings per item, it is the number of items whose ratings do so.
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
    uninformative = of_commonest == ratings
    disagreeing, informative = float(pairable @ ~unanimous), float(pairable @ ~uninformative)
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
    """Return a note if intervals on these ratings may cover less often than their nominal level.

    ``kind`` is the kind of figure, "" if the choice of the interval does not depend on it.
    """
    interval = resolve(options, kind)
    if kind and held_in_study(interval):
        doubt = _remaining_doubt(tables, interval, clusters, kind)
    else:
        doubt = doubt_of(tables, interval, clusters)
    return [] if doubt is None else [doubt]


def notes_of_doubts(figures: Sequence[tuple[str, Note | None]]) -> list[Note]:
    """Merge equal doubts about named figures.

    A merged doubt names its figures, unless it is about the ratings and applies to all figures.
    """
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
    """Return the doubt about the interval of each figure; None without a doubt or an interval."""
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
    """Return the reason why an interval may cover less often than its nominal level, or None.

    Without ``request``, labels are assumed to be unweighted.
    """
    if not interval.method:
        return None
    pairable = float(tables.totals["pairable_items"])
    if request is not None and spread is not None and held_in_study(interval):
        if spread.unanimous and interval.bounded and not request.taken_as_seen:
            return None  # the binomial interval of a share is exact
        return _remaining_doubt(tables, interval, clusters, request.kind, spread, request)
    few = Note("few_items", {"items": pairable}, "caution") if pairable < FEW_ITEMS else None
    if request is not None and spread is not None and spread.unanimous and interval.bounded:
        few = few if request.taken_as_seen else None
    numbers = tables.kind is Kind.NUMBERS or (
        request is not None and request.problem.measure.takes_values
    )
    weighted = request is not None and request.used not in UNWEIGHTED
    if tables.kind.has_labels and not (numbers or weighted):
        facts = informative_items(tables)
        if not facts["disagreeing"]:
            return few  # perfect agreement has a note of its own
        telling = _few_informative(facts, interval)
    else:
        units = pairable
        least: float = FEW_INFLUENTIAL_OF_NUMBERS if numbers else FEW_INFLUENTIAL
        if clusters is not None:
            units, least = float(clusters.number), FEW_INFLUENTIAL_CLUSTERS
        if numbers:
            least = max(least, units / HEAVY_TAILED)
        telling = _few_influential(spread, interval, units, least, tables.kind)
    return telling or _few_units(tables, interval, clusters) or few


HELD_IN_STUDY = ("empirical_bayes", "likelihood", "kurtosis_t", *OVER_ANNOTATORS)
"""Kinds of interval that kept their coverage in nearly all designs, even with few informative
items."""


def held_in_study(interval: ResolvedInterval) -> bool:
    """Tell whether an interval is of a kind that kept its coverage in nearly all designs."""
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
    """Return the doubt that remains about an interval of a kind in `HELD_IN_STUDY`, or None."""
    pairable = float(tables.totals["pairable_items"])
    if clusters is not None:
        number = float(clusters.number)
        return few_clusters(number) or _few_influential(
            spread, interval, number, FEW_INFLUENTIAL_CLUSTERS, tables.kind
        )
    if pairable < FEWEST:
        return Note("few_items", {"items": pairable}, "caution")
    if request is not None and interval.method in OVER_ANNOTATORS:
        return _two_unlike(request)
    if kind in ("labels", "numbers"):
        return None  # the observed tails say nothing about tails that were not observed
    return _few_influential(spread, interval, pairable, FEW_INFLUENTIAL, tables.kind)


def _two_unlike(request: Request) -> Note | None:
    """Return a note if there are only two annotators, and they differ in scale or noise."""
    problem = request.problem
    annotators = problem.counted_data.shape[1]
    if annotators > 2:
        return None
    p_value = unlike_annotators(problem.counted_data, problem.table.count)
    values = {"annotators": annotators, "p_value": p_value}
    return Note("unlike_annotators", values, "caution") if p_value < UNLIKE_TWO else None


def _few_informative(facts: dict[str, float], interval: ResolvedInterval) -> Note | None:
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
    spread: Spread | None, interval: ResolvedInterval, units: float, least: float, kind: Kind
) -> Note | None:
    """Return a note if fewer than ``least`` of the items or clusters cause most of the spread."""
    if spread is None:
        return None
    carriers = float(np.max(spread.influential_units))
    if not 0 < carriers < least or round(carriers, 1) >= units:
        return None  # enough units are influential, or the few units all have equal influence
    values = {
        "carriers": round(carriers, 1),
        "units": units,
        "of_what": drawn_units(interval, kind is Kind.SPANS),
    }
    return Note("few_carriers", values, "caution")


def few_clusters(number: float, sizes: Floats | None = None) -> Note | None:
    """Return a note if there are too few clusters for an interval over them, or None.

    ``sizes`` (cluster,) are the numbers of items with two ratings. They are None for kinds of
    interval in `HELD_IN_STUDY`, whose coverage depends less on sizes.
    """
    even, least = number, FEWEST
    if sizes is not None:
        # the effective number of clusters (Kish 1965)
        even, least = float(sizes.sum() ** 2 / max((sizes**2).sum(), 1e-300)), FEW_CLUSTERS
    if even >= least:
        return None
    values = {"clusters": number, "even": even, "least": least}
    return Note("few_clusters" if number < least else "uneven_clusters", values, "caution")


def _few_units(tables: Rated, interval: ResolvedInterval, clusters: Clusters | None) -> Note | None:
    if clusters is not None:
        of_patterns = clusters.matrix_of(tables.exchangeable_table)
        pairable = tables.exchangeable.panel >= 2
        sizes = of_patterns @ np.where(pairable, 1.0, 0.0)
        if few := few_clusters(float(clusters.number), sizes):
            return few
    annotators = tables.annotators
    if interval.random.draws_annotators and annotators < FEW_ANNOTATORS:
        return Note("few_annotators", {"annotators": annotators}, "caution")
    return None


def _coverage_found(interval: ResolvedInterval, worst: Case, rule: Rule) -> Note | str:
    """Return a note on the coverage that the study found; "" for intervals not in the study."""
    in_study = interval.usual and interval.method == rule["interval"]
    if not in_study or interval.confidence != rule["nominal"]:
        return ""
    coverage, lowest = (
        round(float(number), 2)
        for number in (worst["coverage_where_data_show_it"], worst["lowest_coverage"])
    )
    single = Note("coverage_single", {"lowest": lowest}) if lowest < coverage else ""
    return Note("coverage", {"nominal": rule["nominal"], "held": coverage, "single": single})


@cache
def coverage_rule() -> Rule:
    """Read the findings of the coverage study."""
    text = (
        files("iaa_jax.measure.intervals")
        .joinpath("coverage_rule.json")
        .read_text(encoding="utf-8")
    )
    rule: Rule = json.loads(text)
    return rule
