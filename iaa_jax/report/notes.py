"""What a reader has to know beside the figures, one sentence each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from iaa_jax.report.contingency import contingency_notes
from iaa_jax.report.records import AgreementReport, DataFacts, Row
from iaa_jax.report.text import count, counted, listed, visible

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough."""

_ROUNDING = 1e-12

UNWEIGHTED = ("", "identity", "level nominal")
"""How labels agree where two labels are the same or not, and nothing between."""

_METHODS = {
    "bca": "bootstrap over items (BCa)",
    "percentile": "bootstrap over items (percentile)",
    "basic": "bootstrap over items (basic)",
    "normal": "normal, from the standard error; not cut at 1",
}
_RESAMPLED = ("bca", "percentile", "basic")


MANY_UNDEFINED = 0.05
"""Share of undefined replicates beyond which an interval says little."""


def notes(report: AgreementReport, *, labels_shown: bool) -> list[str]:
    """The sentences below the tables."""
    rows = (*report.coefficients, *report.specific_agreement)
    replicates = int(report.provenance.get("replicates") or 0)
    return [
        *_undefined(report.coefficients, ""),
        *_undefined(report.specific_agreement, "agreement on "),
        *_of_rows(report.coefficients),
        *contingency_notes(report.contingency, report.coefficients, report.specific_agreement),
        *_of_missing_rows(report.provenance),
        *_of_data(report.data),
        *_of_label_sets(report),
        *_of_certainty(report),
        *_of_intervals(rows, report.provenance),
        *_left_out(report.coefficients, "", replicates),
        *_left_out(report.specific_agreement, "agreement on ", replicates),
        *_of_labels(report, labels_shown),
        *_of_columns(report.coefficients),
        *_of_words(report),
    ]


def _of_missing_rows(provenance: Mapping[str, Any]) -> Iterator[str]:
    if provenance.get("left_out"):
        yield f"Not measured: {visible(str(provenance['left_out']))}."


def _undefined(rows: Sequence[Row], before: str) -> Iterator[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.code != 0:
            shown = "" if math.isnan(row.estimate) else f", shown as {row.estimate:g}"
            key = (shown, row.reason or f"code {row.code}")
            groups.setdefault(key, []).append(visible(row.title))
    for (shown, reason), titles in groups.items():
        yield f"Undefined{shown}: {before}{', '.join(titles)} ({reason})."


def _of_rows(rows: Sequence[Row]) -> Iterator[str]:
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.note:
            said.setdefault(row.note, []).append(visible(row.title))
        if row.pairs is not None:
            sentence = f"over {counted(row.pairs, 'pair')} of annotators"
            if row.undefined_pairs:
                sentence += f"; {count(row.undefined_pairs)} more with kappa 0/0 left out"
            said.setdefault(sentence, []).append(visible(row.title))
    for sentence, titles in said.items():
        yield f"{', '.join(titles)}: {sentence}."


def _of_columns(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    partly = any(row.weights not in UNWEIGHTED for row in rows)
    yield (
        f"Observed: the share of pairs of ratings that agree{', near misses in part' * partly}. "
        "Expected: the same by chance. A coefficient is (observed - expected) / (1 - expected)."
    )
    in_units: dict[str, list[str]] = {}
    for row in filter(in_units_of_level, rows):
        in_units.setdefault(row.weights, []).append(visible(row.title))
    for weights, titles in in_units.items():
        yield (
            f"{', '.join(titles)}, {weights}: 1 - (observed / expected mean squared distance "
            "of two ratings); the two are in units of the level, and stand in --json."
        )


def _of_words(report: AgreementReport) -> Iterator[str]:
    title = report.provenance.get("scale_title")
    if not title:
        return
    convention = f"{title}, a convention made for {report.provenance['made_for']}"
    if not any(row.interval for row in report.coefficients):
        yield f"Word: of the estimate alone, by {convention}."
        return
    certainty = 100 * float(report.provenance["certainty"])
    yield (
        f"At least: the best word with a probability of {certainty:g} % (normal, from the standard "
        f"error), by {convention}. The estimate alone may read better; --json has both words."
    )


def in_units_of_level(row: Row) -> bool:
    """Whether observed and expected are squared distances of a level, not shares."""
    return row.weights.startswith("level ") and (row.observed < 0 or row.expected < 0)


def _of_data(facts: DataFacts) -> Iterator[str]:
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


def _of_label_sets(report: AgreementReport) -> Iterator[str]:
    if report.data.task != "multi_label":
        return
    whole = [row for row in report.coefficients if row.name != "am_agreement"]
    if whole and all(row.weights in UNWEIGHTED for row in whole):
        yield (
            "Two label sets are the same here or different (A_m compares label by label); with "
            "--distance masi or --distance jaccard a near miss counts in part. iaa binary looks at "
            "each label."
        )


def _of_certainty(report: AgreementReport) -> Iterator[str]:
    rows = (*report.coefficients, *report.specific_agreement)
    if not any(row.interval for row in rows):
        return
    if report.data.pairable_items < FEW_ITEMS:
        compared = counted(report.data.pairable_items, "item")
        yield f"Only {compared} with two ratings or more: intervals are rough."
    flat = [visible(row.title) for row in rows if _is_flat(row)]
    if flat:
        yield (
            f"The interval has no width for {listed(flat, len(flat))}: resampling these items "
            "cannot show the uncertainty."
        )
    if any(_is_perfect(row) for row in report.coefficients):
        yield "Agreement is perfect: an interval from these items cannot show its uncertainty."
    else:
        perfect = [visible(row.title) for row in report.specific_agreement if _is_perfect(row)]
        if perfect:
            yield (
                f"Agreement is perfect on {listed(perfect, len(perfect))}: an interval from these "
                "items cannot show its uncertainty."
            )


def _is_flat(row: Row) -> bool:
    return row.code == 0 and row.ci_low == row.ci_high and not _is_perfect(row)


def _is_perfect(row: Row) -> bool:
    return row.code == 0 and row.observed > 1 - _ROUNDING


def _of_labels(report: AgreementReport, labels_shown: bool) -> Iterator[str]:
    if report.specific_agreement and not labels_shown:
        labels = counted(len(report.specific_agreement), "label")
        yield f"Agreement on each of {labels} is not printed here; --json writes it."
    elif report.labels_left_out:
        yield (
            f"Agreement on each of {counted(report.data.labels, 'label')} was not measured; ask "
            "for it with --coefficients specific_agreement."
        )


def _of_intervals(rows: Sequence[Row], provenance: Mapping[str, Any]) -> Iterator[str]:
    methods = dict.fromkeys(row.interval for row in rows if row.interval)
    for method in methods:
        sentence = f"Intervals: {_METHODS.get(method, method)}"
        if method in _RESAMPLED:
            replicates, seed = provenance.get("replicates"), provenance.get("seed")
            if replicates is not None:
                sentence += f", {counted(replicates, 'replicate')}, seed {seed}"
        yield f"{sentence}. SE: standard error (infinitesimal jackknife)."
    if any(row.interval and row.code == 0 and math.isnan(row.ci_low) for row in rows):
        yield "Where no interval is given, the items do not show how far the figure may spread."


def _left_out(rows: Sequence[Row], before: str, replicates: int) -> Iterator[str]:
    found = [
        f"{visible(row.title)} ({count(row.undefined_replicates)})"
        for row in rows
        if row.undefined_replicates and row.code == 0
    ]
    if found:
        names = listed(found, len(found))
        yield f"Undefined replicates, left out of the interval: {before}{names}."
    unsteady = [
        visible(row.title)
        for row in rows
        if row.code == 0 and row.undefined_replicates > MANY_UNDEFINED * replicates
    ]
    if unsteady and replicates:
        names = listed(unsteady, len(unsteady))
        yield f"So many are undefined that the interval should not be used: {before}{names}."
