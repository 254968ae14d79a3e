"""What a reader has to know beside the figures, one sentence each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from iaa_jax.analyses.agree.contingency_page import contingency_notes
from iaa_jax.measure.words import DOUBTS, OF_RESULTS
from iaa_jax.report.records import AgreementReport, Row
from iaa_jax.report.text import count, counted, listed, visible
from iaa_jax.wording import load_notes, say

FEW_ITEMS = 20
"""Fewer pairable items than this make an interval rough."""

_ROUNDING = 1e-12

BY_CHANCE = "p by chance"

_TESTS = {
    "null_fleiss_nee_landis_1979": "Fleiss, Nee and Landis 1979",
    "fleiss_cohen_everitt_1969": "Fleiss, Cohen and Everitt 1969",
    "null_fleiss_1981": "Fleiss 1981",
}
"""Tests of zero agreement in words; others are words already."""

UNWEIGHTED = ("", "identity", "level nominal")
"""How labels agree where two labels are the same or not, and nothing between."""

_RESAMPLED = {
    "bca": "BCa",
    "percentile": "percentile",
    "basic": "basic",
    "studentized": "studentized",
}
_OTHERS = {
    "normal": "normal, from the standard error",
    "t": "Student's t, from the standard error",
    "abc": "ABC, from derivatives by the weights of items",
    "f": "F, as for a normal model",
}
_ERRORS = {
    "infinitesimal_jackknife": "infinitesimal jackknife",
    "jackknife": "jackknife",
    "grouped_jackknife": "grouped jackknife",
}


MANY_UNDEFINED = 0.05
"""Share of undefined replicates beyond which an interval says little."""


def notes(
    report: AgreementReport, *, labels_shown: bool, left_out: Sequence[str] = ()
) -> list[str]:
    """The sentences below the tables; ``left_out`` are headings that are not printed."""
    rows = (*report.coefficients, *report.specific_agreement)
    replicates = int(report.provenance.get("replicates") or 0)
    return [
        *_undefined(report.coefficients, ""),
        *_undefined(report.specific_agreement, "agreement on "),
        *_of_rows(report.coefficients),
        *contingency_notes(report.contingency, report.coefficients, report.specific_agreement),
        *_of_missing_rows(report.provenance),
        *_of_data(report),
        *_of_label_sets(report),
        *_of_certainty(report),
        *interval_notes(rows, report.provenance, errors="SE" not in left_out),
        *_left_out(report.coefficients, "", replicates),
        *_left_out(report.specific_agreement, "agreement on ", replicates),
        *_of_labels(report, labels_shown),
        *(() if "Observed" in left_out else _of_columns(report.coefficients)),
        *_of_level(report),
        *_of_words(report),
        *_of_probabilities(report.coefficients, report.provenance),
        *_of_zero(report.coefficients),
    ]


def _of_missing_rows(provenance: Mapping[str, Any]) -> Iterator[str]:
    for note in load_notes(str(provenance.get("notes", ""))):
        if note.code == "not_measured":
            yield visible(say(note, OF_RESULTS))


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
    shown = [row for row in rows if not (math.isnan(row.observed) or in_units_of_level(row))]
    partly = any(row.weights not in UNWEIGHTED for row in shown)
    if shown:
        yield _chance_corrected(partly)
    in_units: dict[str, list[str]] = {}
    for row in filter(in_units_of_level, rows):
        if not of_numbers(row):
            in_units.setdefault(row.weights, []).append(visible(row.title))
    for weights, titles in in_units.items():
        yield (
            f"{', '.join(titles)}, {weights}: 1 - (observed / expected mean squared distance "
            "of two ratings); the two are in units of the level, and stand in --json."
        )


def _chance_corrected(partly: bool) -> str:
    return (
        f"Observed: the share of pairs of ratings that agree{', near misses in part' * partly}. "
        "Expected: the same by chance. A coefficient is (observed - expected) / (1 - expected)."
    )


def _of_level(report: AgreementReport) -> Iterator[str]:
    options = report.provenance.get("options", {})
    if not options.get("level") or options.get("weights"):
        return
    if any(
        row.weights in UNWEIGHTED and row.name != "krippendorff_alpha"
        for row in report.coefficients
    ):
        yield "--level is for Krippendorff's alpha alone; --weights is for the others."


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


def _of_probabilities(rows: Sequence[Row], provenance: Mapping[str, Any]) -> Iterator[str]:
    cut_offs = list(next((row.above for row in rows if row.above), {}))
    if cut_offs:
        random = provenance.get("sampling_annotators") == "random"
        what = "items and annotators" if random else "items"
        made = "Student's t" if random else "Bayesian bootstrap, nothing known before"
        yield (
            f"P > {', '.join(cut_offs)}: the probability that the coefficient lies above it, for "
            f"{what} like these ({made})."
        )


def _of_zero(rows: Sequence[Row]) -> Iterator[str]:
    tests = [row.zero for row in rows if row.zero]
    methods = dict.fromkeys(_TESTS.get(test["method"], test["method"]) for test in tests)
    if any(methods):
        how = "; ".join(method for method in methods if method)
        yield (
            f"{BY_CHANCE}: how often chance alone is as far out, two-sided ({how}). It says "
            "whether there is any agreement, not whether there is enough."
        )
    said = dict.fromkeys(test["note"] for test in tests if test["note"])
    yield from (f"{BY_CHANCE}: {note}." for note in said)


def of_numbers(row: Row) -> bool:
    """Whether the coefficient is one of numbers, which knows no agreement between labels."""
    return row.weights == "numbers"


def in_units_of_level(row: Row) -> bool:
    """Whether observed and expected are squared distances of a level, not shares."""
    squared = of_numbers(row) or row.weights.startswith("level ")
    return squared and (row.observed < 0 or row.expected < 0)


def _of_data(report: AgreementReport) -> Iterator[str]:
    facts, rows = report.data, report.coefficients
    numbers_alone = bool(rows) and all(map(of_numbers, rows)) and not report.specific_agreement
    if not numbers_alone and facts.task != "value" and not facts.labels_declared:
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
    doubts = [
        note for note in load_notes(str(report.provenance.get("notes", ""))) if note.code in DOUBTS
    ]
    if doubts:
        yield from (visible(say(note, OF_RESULTS)) for note in doubts)
    else:
        yield from few_items(report.data.pairable_items)
    flat = [visible(row.title) for row in rows if _is_flat(row)]
    if flat:
        yield (
            f"The interval has no width for {listed(flat, len(flat))}: resampling these items "
            "cannot show the uncertainty."
        )
    perfect_rows = [row for row in report.coefficients if _is_perfect(row)]
    if perfect_rows and any(row.ci_low == row.ci_high for row in perfect_rows):
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


def interval_notes(
    rows: Sequence[Row], provenance: Mapping[str, Any], *, errors: bool = True
) -> Iterator[str]:
    """How intervals were made; ``errors``: whether standard errors are shown beside them."""
    methods = dict.fromkeys(row.interval for row in rows if row.interval)
    for method in methods:
        sentence = method_said(method, provenance)
        form = str(provenance.get("interval_standard_error", "infinitesimal_jackknife"))
        made = _ERRORS.get(form, form)
        if provenance.get("sampling_annotators") == "random":
            made += " over items, one annotator left out at a time"
        error = f" SE: standard error ({made})." * errors
        yield f"{sentence}.{error}"
    without = [row for row in rows if row.interval and row.code == 0 and math.isnan(row.ci_low)]
    if any(not row.note for row in without):
        yield "Where no interval is given, the items do not show how far the figure may spread."


def method_said(method: str, provenance: Mapping[str, Any]) -> str:
    """How intervals were made, without the full stop."""
    cluster = provenance.get("sampling_cluster")
    units = f"clusters of items ({visible(str(cluster))})" if cluster else "items"
    if cluster and provenance.get("clusters"):
        units = f"{counted(provenance['clusters'], 'cluster')} of items ({visible(str(cluster))})"
    if provenance.get("sampling_annotators") == "random":
        units += " and annotators"
    further = ", kept within the range" if provenance.get("interval_transform") else ""
    if method in _RESAMPLED:
        bayesian = bool(provenance.get("sampling_bayesian"))
        drawn = "Bayesian bootstrap" if bayesian else "bootstrap"
        sentence = f"Intervals: {drawn} over {units} ({_RESAMPLED[method]}{further})"
        replicates = provenance.get("replicates")
        if replicates is not None:
            sentence += f", {counted(replicates, 'replicate')}, seed {provenance.get('seed')}"
    else:
        own = "" if units == "items" else f" over {units}"
        cut = "; not cut at 1" if method in ("normal", "t") and not further else ""
        sentence = f"Intervals: {_OTHERS.get(method, method)}{own}{further}{cut}"
    if provenance.get("sampling_population"):
        sentence += f"; the items are from a population of {provenance['sampling_population']:,g}"
    return sentence


def few_items(pairable: float) -> Iterator[str]:
    """The warning where intervals come from a handful of items."""
    if pairable < FEW_ITEMS:
        compared = counted(pairable, "item")
        yield f"Only {compared} with two ratings or more: intervals are rough."


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
