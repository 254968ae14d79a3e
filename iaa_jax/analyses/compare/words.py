"""What a reader has to know beside the figures of a comparison, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.analyses.compare.report import (
    UNSEEN,
    CompareReport,
    Row,
    alpha_of,
    by_names,
    p_shown,
    signed,
    undefined_too_often,
)
from iaa_jax.analyses.diagnose.records import rows_of
from iaa_jax.measure.words import OF_RESULTS
from iaa_jax.report.notes import UNWEIGHTED, few_items, method_said
from iaa_jax.report.text import count, counted, listed, visible
from iaa_jax.wording import load_notes, say

LABELS_SHOWN = 10

EXCHANGE = "p by exchange"

_SHIFTED = 0.05
"""Labels' frequencies that differ by more than this tell on a test by exchange."""

_EDGE = (0.1, 4.0)
"""Times alpha: p-values between are at the edge of what data show."""


def label_sentences(report: CompareReport, labels: xr.Dataset) -> Iterator[str]:
    """Which labels differ, or which moved most."""
    rows, alpha = moved(labels), alpha_of(report)
    title = report.titles[str(labels.attrs["coefficient"])]
    total = len(rows)
    known = [row for row in rows if row["difference"] is not None]
    rough = [row for row in known if undefined_too_often(row, labels)]
    found = [
        row
        for row in known
        if row not in rough
        and row["adjusted_p_value"] is not None
        and row["adjusted_p_value"] <= alpha
    ]
    if found:
        names = ", ".join(
            f"{visible(row['label'])} ({signed(row['difference'], 2)})"
            for row in found[:LABELS_SHOWN]
        )
        more = f" and {count(len(found) - LABELS_SHOWN)} more" * (len(found) > LABELS_SHOWN)
        if len(found) == total:
            differ = f"All {count(total)} labels differ"
        else:
            verb = "differs" if len(found) == 1 else "differ"
            differ = f"Of {counted(total, 'label')}, {count(len(found))} {verb}"
        yield (
            f"{differ}, with all tested at once (adjusted p at most {alpha:.3g}): {names}{more}. "
            "'iaa labels' on each set shows what they are taken for."
        )
    elif known and abs(known[0]["difference"]) < 0.0005:
        yield "No label moved."
    elif known and len(rough) < len(known):
        top = known[0]
        yield (
            f"No single label can be shown to differ with all {count(len(known))} tested at once; "
            f"{visible(top['label'])} moved most ({signed(top['difference'], 2)})."
        )
    if any(row["band_low"] is not None and row["band_low"] < 0 < row["band_high"] for row in found):
        yield (
            "Adjusted p goes step by step, from the surest label on, and so shows more than "
            "intervals for all at once: one of these may hold 0."
        )
    if rough:
        names = ", ".join(visible(row["label"]) for row in rough[:LABELS_SHOWN])
        yield f"No verdict on {names}: too many replicates are undefined."
    shown = min(total, LABELS_SHOWN)
    rest = f" The {shown} that moved most of {total} are shown; --json has all." * (total > shown)
    yield f"Labels: {title} of each label against all others together.{rest}"
    alone = {name for names in report.labels_alone for name in names}
    # labels of one set alone are told of by themselves
    undefined = [row for row in rows if row["code"] and str(row["label"]) not in alone]
    if undefined:
        names = ", ".join(visible(row["label"]) for row in undefined[:LABELS_SHOWN])
        reason = by_names(str(undefined[0]["reason"]), report)
        yield f"Undefined for {counted(len(undefined), 'label')}: {names} ({reason})."


def compare_notes(report: CompareReport, rows: Sequence[Row]) -> Iterator[str]:
    """What a reader has to know beside the figures."""
    attrs = report.found.attrs
    yield from _of_tests(report, rows)
    yield from _of_scope(report)
    for row in rows:
        title = visible(report.titles[str(row["coefficient"])])
        if row["code"] and row is not rows[0]:
            yield f"{title} is undefined ({by_names(str(row['reason']), report)})."
        if undefined_too_often(row, report.found) and row is rows[0]:
            continue  # the verdict says so
        if row["undefined_replicates"] and not row["code"]:
            much = " So many that the interval should not be used."
            much *= undefined_too_often(row, report.found)
            yield f"{title}: {counted(row['undefined_replicates'], 'replicate')} undefined.{much}"
    weighted = [row for row in rows if row["weights"] not in UNWEIGHTED]
    for weights in dict.fromkeys(str(row["weights"]) for row in weighted):
        of = [
            visible(report.titles[str(row["coefficient"])])
            for row in weighted
            if row["weights"] == weights
        ]
        yield f"How labels agree: {weights} ({', '.join(of)})."
    notes: dict[str, list[str]] = {}
    for row in rows:
        for part in str(row["note"]).split("; "):
            if part:
                title = visible(report.titles[str(row["coefficient"])])
                notes.setdefault(by_names(part, report), []).append(title)
    for part, titles in notes.items():
        who = "" if len(titles) == len(rows) else f"{', '.join(titles)}: "
        text = f"{who}{part}"
        named = text.startswith((f"{report.a.name}: ", f"{report.b.name}: "))
        yield f"{text}." if named else f"{text[:1].upper()}{text[1:]}."
    for note in load_notes(str(attrs.get("notes", ""))):
        if note.code == "not_measured":
            yield visible(say(note, OF_RESULTS))
    yield from few_items(min(attrs["pairable_items_a"], attrs["pairable_items_b"]))


def _of_tests(report: CompareReport, rows: Sequence[Row]) -> Iterator[str]:
    attrs, row = report.found.attrs, rows[0]
    cluster = visible(str(attrs.get("sampling_cluster", "")))
    drawn = [row for row in rows if row["interval"] != UNSEEN]
    if any(one["ci_low"] is not None for one in drawn):
        together = " of both sets together" if attrs["paired"] else ", in each set by itself"
        said = method_said(str(attrs["interval"]), attrs)
        for units in ("over items", f"over clusters of items ({cluster})"):
            said = said.replace(units, f"{units}{together}")
        yield f"{said}."
    if any(one["p_value"] is not None for one in drawn):
        law = "Student's t" if cluster else "normal"
        yield f"p: of no difference, two-sided, {law} with the standard error of the difference."
    exchanged = row["permutation_p_value"]
    if any(row["permutation_p_value"] is not None for row in rows):
        one, several = ("a cluster", "whole clusters") if cluster else ("an item", "items")
        how = (
            f"the two sets' ratings of {one} change sides at random"
            if attrs["paired"]
            else f"{several} are dealt out anew between the sets"
        )
        value = ""
        if exchanged is not None:
            title = visible(report.titles[str(row["coefficient"])])
            value = f" ({p_shown(exchanged, bare=True)} for {title})"
        yield (
            f"{EXCHANGE}{value}: how often the difference is as large where {how} "
            f"({counted(attrs['permutations'], 'time')}). It asks whether the sets differ in any "
            "way."
        )
    if row["interval"] != UNSEEN and exchanged is not None and row["p_value"] is not None:
        yield from _of_two_p_values(report, row["p_value"], exchanged)
    if attrs["family"] and report.together:
        how = "step-down max-t" if attrs["family"] == "max-t" else "Holm"
        yield f"Adjusted: for all {count(len(rows))} coefficients together ({how})."


def _of_two_p_values(report: CompareReport, p_value: float, exchanged: float) -> Iterator[str]:
    """Where the two tests do not agree: what that comes from."""
    alpha, attrs = alpha_of(report), report.found.attrs
    if (exchanged <= alpha) == (p_value <= alpha):
        return
    sides = f"p and {EXCHANGE} lie on either side of {alpha:.3g}"
    if attrs.get("label_shift", 0.0) > _SHIFTED:
        shares = " and ".join(
            f"{100 * attrs[f'label_moved_{letter}']:.0f} % of ratings in {side.name}"
            for letter, side in (("a", report.a), ("b", report.b))
        )
        yield (
            f"{sides}, and ask different questions: labels differ in frequency "
            f"({visible(attrs['label_moved'])}: {shares}), and exchanges mix them. p is about "
            "agreement."
        )
    elif all(_EDGE[0] * alpha <= one <= _EDGE[1] * alpha for one in (p_value, exchanged)):
        yield f"{sides}: the difference is at the edge of what these data can show."
    else:
        yield f"{sides}, and far apart: the larger is the safer one."


def _labels_of_one(report: CompareReport) -> Iterator[str]:
    """Labels that one set alone has: often the same under another name."""
    attrs = report.found.attrs
    alone = report.labels_alone
    if not (alone[0] or alone[1]):
        return
    sides = (report.a, report.b)
    said = ", ".join(
        f"{listed([repr(name) for name in names], len(names), 5)} only in {side.name}"
        for names, side in zip(alone, sides, strict=True)
        if names
    )
    plain = [{name.strip().casefold() for name in names} for names in alone]
    if plain[0] & plain[1]:
        question = " The same label, written in two ways?"
    elif not attrs["labels_in_both"]:
        question = " No label stands in both: the same labels under other names?"
    else:
        question = ""
    yield f"Labels of one set alone: {said}.{question}"


def _of_scope(report: CompareReport) -> Iterator[str]:
    attrs = report.found.attrs
    shared, sizes = attrs["shared_annotators"], (attrs["annotators_a"], attrs["annotators_b"])
    if not shared:
        who = ""
    elif shared == sizes[0] == sizes[1]:
        who = " Their names are the same in both sets."
    else:
        who = f" {counted(shared, 'name')} {'stands' if shared == 1 else 'stand'} in both sets."
    random, further = "Items are", "items"
    if "sampling_cluster" in attrs:
        cluster = visible(str(attrs["sampling_cluster"]))
        sizes = (attrs["clusters_a"], attrs["clusters_b"])
        told = count(sizes[0]) if attrs["paired"] else " and ".join(map(count, sizes))
        random, further = f"Clusters of items by {cluster} ({told}) are", "clusters"
    yield (
        f"{random} what is random: this speaks of further {further} by these annotators, not of "
        f"other annotators.{who}"
    )
    if attrs.get("cluster_caution"):
        yield f"Clusters: {visible(str(attrs['cluster_caution']))}."
    yield from _labels_of_one(report)
    if attrs["labels"]:
        used = (report.a.data.labels, report.b.data.labels)
        if used != (attrs["labels"],) * 2:
            yield (
                f"Both sets are measured on the {counted(attrs['labels'], 'label')} of both "
                f"together; {report.a.name} has {count(used[0])} of them and {report.b.name} "
                f"{count(used[1])}."
            )


def moved(labels: xr.Dataset) -> list[dict[str, Any]]:
    """The labels by how far they moved; undefined ones last."""
    order = np.argsort(-np.abs(np.nan_to_num(labels["difference"].values, nan=0.0)), kind="stable")
    rows = rows_of(labels, "label")
    told = [rows[place] for place in order if rows[place]["difference"] is not None]
    return told + [row for row in rows if row["difference"] is None]
