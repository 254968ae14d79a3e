"""Estimates by label or annotator as columns, and confusions of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import xarray as xr

from iaa_jax._types import Columns, Floats, Integers
from iaa_jax.analyses.diagnose import cases
from iaa_jax.analyses.diagnose.ranking import places_by_likeness
from iaa_jax.data.kind import Kind
from iaa_jax.engine import Resampling
from iaa_jax.measure import IntervalOptions
from iaa_jax.measure.intervals.measurement import Measurement
from iaa_jax.measure.intervals.uncertainty import measure_requests
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.request import Request
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.results import variables_of, with_doubt
from iaa_jax.measure.shared.agreement_by import equal_others
from iaa_jax.measure.shared.confusions import confusions
from iaa_jax.measure.shared.labels import LABELS_TOGETHER, label_shares
from iaa_jax.wording import Note

MOST_CONFUSED = 300
"""Maximum number of labels with a table of all pairs."""


class LabelTable(NamedTuple):
    """The table of labels: columns, notes on each label, and notes on several labels."""

    columns: Columns
    noted: list[tuple[Note, ...]]
    notes: list[Note]


def named_estimates(name: str, figures: Columns, estimate: str | None = None) -> Columns:
    """Return an estimate and its uncertainty as columns with names that begin with ``name``."""
    parts = ("standard_error", "ci_low", "ci_high", "interval")
    return {estimate or name: figures["estimate"]} | {
        f"{name}_{part}": figures[part] for part in parts
    }


def coefficient_of_labels(figures: Columns) -> Columns:
    """Return the columns of each label's coefficient, with the reason if it is undefined."""
    return named_estimates("coefficient", figures, "coefficient_estimate") | {
        f"coefficient_{name}": figures[name] for name in ("code", "reason")
    }


def estimate_columns(
    figures: Iterable[tuple[Request, Measurement]], options: IntervalOptions
) -> Columns:
    """Return estimates as columns, one row per request."""
    columns = [
        with_doubt(variables_of(request, figure, options), None, request, figure.made_by)
        for request, figure in figures
    ]
    return {name: np.array([column[name] for column in columns]) for name in columns[0]}


@dataclass(frozen=True)
class Survey:
    """The ratings, interval options and resampling that many estimates share."""

    resolver: Resolver
    options: IntervalOptions
    resampling: Resampling
    progress: Callable[[int, int], None] | None

    def measured(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Measurement]]:
        """Yield each request with its estimate."""
        left, pairable = iter(requests), self.resolver.tables.totals["pairable_items"]
        while part := [*islice(left, LABELS_TOGETHER)]:
            figures = measure_requests(part, self.options, pairable, self.progress, self.resampling)
            yield from zip(part, figures, strict=True)


def with_confusions(table: xr.Dataset, resolver: Resolver, top: int | None) -> xr.Dataset:
    """Add confusions, the most confused pairs, and items of these pairs to a table of labels."""
    tables, names = resolver.tables, table["label"].values
    of_spans = tables.kind is Kind.SPANS
    of_pairs, of_labels = (_span_confusions if of_spans else _rating_confusions)(tables)
    table = table.assign_coords(label_2=names).assign(
        {name: (("label", "label_2"), values) for name, values in of_pairs.items()}
        | {name: ("label", values) for name, values in of_labels.items()}
    )
    if len(names) < 2:
        return table.assign_attrs(confused_pairs=0)
    scale = tables.labels.dtype.kind in "iuf" or resolver.tables.dataset.attrs.get(
        "labels_ordered", 0
    )
    places = np.arange(len(names)) if scale else _places(of_pairs["coincidences"])
    table = table.assign(label_place=("label_2", places))
    first, second = np.array(list(combinations(range(len(names)), 2))).T
    confused = of_pairs["coincidences"][first, second]
    order = np.argsort(-confused, kind="stable")[:top]
    columns = {
        "confused_label_1": names[first],
        "confused_label_2": names[second],
        "confused": confused,
    }
    for name in ("expected", "lift"):
        if name in of_pairs:
            columns[f"confused_{name}"] = of_pairs[name][first, second]
    with np.errstate(invalid="ignore", divide="ignore"):
        columns["confused_share"] = confused / confused.sum()
    table = cases.with_cases(table, tables, cases.label_cases(tables, of_pairs["coincidences"]))
    lift = columns.get("confused_lift", np.zeros(len(confused)))  # spans have no lift
    above = np.flatnonzero(lift[order] > 1)
    return table.assign(
        {name: ("pair", values[order]) for name, values in columns.items()}
    ).assign_attrs(
        confused_pairs=int((confused > 0).sum()),
        confused_equal=equal_others(confused, order[0]),
        confused_above_chance=int(above[0]) if len(above) else -1,
    )


def _places(coincidences: Floats) -> Integers:
    """Return positions of labels that put confused labels next to each other.

    Coincidences are relative to the frequency of both labels.
    """
    frequency = coincidences.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return places_by_likeness(coincidences / np.sqrt(np.outer(frequency, frequency)))


def _rating_confusions(tables: Rated) -> tuple[Columns, Columns]:
    """Return the variables by pair of labels, and those by label (none), for ratings of items.

    ``expected`` are the coincidences by chance, and ``lift`` is the ratio of ``coincidences`` to
    them. ``confusion`` (not for sets) is how often others gave the second label if one annotator
    gave the first.
    """
    codes, count = tables.exchangeable.codes, tables.exchangeable_table.count
    shares, sets = label_shares(tables, sets_as_labels=False), tables.kind is Kind.SETS
    observed, expected = confusions(codes, count, shares, sets=sets)
    with np.errstate(invalid="ignore", divide="ignore"):
        lift = np.where(expected > 0, observed / expected, np.nan)
    of_pairs = {"coincidences": observed, "expected": expected, "lift": lift}
    if sets:
        return of_pairs, {}
    # multiply by n - 1, so that each pair of ratings counts once
    panel = np.maximum((codes >= 0).sum(axis=1) - 1, 0)
    each_pair = confusions(codes, count * panel, shares, sets=False)
    return of_pairs | {"confusion": _row_shares(each_pair.coincidences)}, {}


def _row_shares(counts: Floats) -> Floats:
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(totals > 0, counts / totals, np.nan)


def _span_confusions(tables: Rated) -> tuple[Columns, Columns]:
    """Return the variables of pairs of labels, and the variables of labels, for spans.

    Overlapping spans of two annotators are matched one to one. ``coincidences`` counts matched
    spans by their two labels. ``unmatched`` is the share of a label's spans without a match.
    """
    from iaa_jax.data.marked.documents import Documents
    from iaa_jax.data.marked.overlaps import confusions as confusions_of_spans

    documents = Documents(tables.exchangeable.codes, tables.spans.markings)
    counts = confusions_of_spans(documents, "partial", weight=tables.exchangeable_table.count)
    both = counts + counts.T  # the order of the two annotators does not matter
    spans = both[:-1].sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        unmatched = np.where(spans > 0, both[:-1, -1] / spans, np.nan)
    matched = both[:-1, :-1]
    return {"coincidences": matched, "confusion": _row_shares(matched)}, {"unmatched": unmatched}
