"""What a reader has to know beside the figures, one sentence each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from iaa_jax.report.records import AgreementReport, DataFacts, Row
from iaa_jax.report.text import count, counted, visible

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough."""

_METHODS = {
    "bca": "bootstrap over items (BCa)",
    "percentile": "bootstrap over items (percentile)",
    "basic": "bootstrap over items (basic)",
    "normal": "normal, from the standard error; not cut at 1",
}
_RESAMPLED = ("bca", "percentile", "basic")


def notes(report: AgreementReport, labels_shown: int) -> list[str]:
    """The sentences below the tables."""
    rows = (*report.coefficients, *report.specific_agreement)
    found = [
        *_undefined(report.coefficients, ""),
        *_undefined(report.specific_agreement, "Agreement on "),
        *_of_rows(report.coefficients),
        *_of_data(report.data, rows),
        *_of_intervals(rows, report.provenance),
    ]
    if len(report.specific_agreement) > labels_shown:
        labels = counted(len(report.specific_agreement), "label")
        found.append(f"Agreement on each of {labels} is not printed; --json writes it.")
    if report.coefficients:
        found.append(
            "Observed: the share of pairs of ratings that agree. Expected: the same by chance. "
            "A coefficient is (observed - expected) / (1 - expected)."
        )
    return found


def _undefined(rows: Sequence[Row], before: str) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.code != 0:
            reasons.setdefault(row.reason or f"code {row.code}", []).append(visible(row.title))
    for reason, titles in reasons.items():
        yield f"{before}{', '.join(titles)}: undefined, {reason}."


def _of_rows(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.note:
            yield f"{row.title}: {row.note}."
        if row.pairs is not None:
            left_out = (
                f"; {count(row.undefined_pairs)} more with kappa 0/0 left out"
                if row.undefined_pairs
                else ""
            )
            yield f"{row.title}: over {counted(row.pairs, 'pair')} of annotators{left_out}."


def _of_data(facts: DataFacts, rows: Sequence[Row]) -> Iterator[str]:
    if facts.task != "value" and not facts.labels_declared:
        yield (
            f"The number of labels ({count(facts.labels)}) is taken from the data; if there are "
            "others that nobody used, declare all with --labels."
        )
    if facts.single_rated_items:
        yield (
            "Items with one rating have no part in observed agreement; some coefficients use them "
            "for expected agreement."
        )
    intervals = any(row.interval for row in rows)
    if intervals and facts.pairable_items < FEW_ITEMS:
        compared = counted(facts.pairable_items, "item")
        yield f"Only {compared} with two ratings or more: intervals are rough."
    if intervals and any(row.code == 0 and row.observed == 1 for row in rows):
        yield "Agreement is perfect: an interval from these items cannot show its uncertainty."


def _of_intervals(rows: Sequence[Row], provenance: Mapping[str, Any]) -> Iterator[str]:
    methods = dict.fromkeys(row.interval for row in rows if row.interval)
    for method in methods:
        sentence = f"Intervals: {_METHODS.get(method, method)}"
        if method in _RESAMPLED:
            replicates, seed = provenance.get("replicates"), provenance.get("seed")
            if replicates is not None:
                sentence += f", {counted(replicates, 'replicate')}, seed {seed}"
        yield f"{sentence}. SE: infinitesimal jackknife."
    for row in rows:
        if row.undefined_replicates and row.code == 0:
            replicates = counted(row.undefined_replicates, "replicate")
            yield f"{visible(row.title)}: {replicates} undefined and left out of the interval."
        elif row.interval and row.code == 0 and math.isnan(row.ci_low):
            yield f"{visible(row.title)}: one item has no spread, so there is no interval."
