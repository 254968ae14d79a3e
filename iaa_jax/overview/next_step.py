"""The next steps that a report advises, from the results of its sections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import xarray as xr

from iaa_jax.data.facts import code_for
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.shared.labels import OFTEN
from iaa_jax.overview.page import MOST_CAUSES
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.times import later_on

WIDE = 0.05
"""Threshold for half the width of an interval: if it is larger, and the upper end is at least
`GOOD`, a report advises rating more items."""

GOOD = 0.8
"""Minimum agreement on a label, or minimum lower end of an interval, that needs no improvement."""

_FEW = ("few_items", "few_clusters", "few_telling_items", "no_telling_item")
"""Codes of doubts about an interval; rating more items would remove these doubts."""

_STEPS = {
    "confused_pair": "step_pair",
    "guesses": "step_rate_again",
    "favours_label": "step_label_of_one",
    "hard_group": "step_group",
    "same_ratings": "step_copies",
    "one_answer": "step_one_answer",
    "near_ends": "step_ends",
}
"""The step for some kinds of causes of disagreement.

For other causes that concern an annotator, the step is to go through items with the annotator.
"""

_ABOUT = {
    "step_label_of_one": ("label",),
    "step_group": ("column", "group"),
    "step_copies": ("group",),
    "step_pair": ("label", "other_label"),
    "step_ask": ("which", "labels"),
}
"""The values in the sentence of a step, in addition to the annotator."""

Findings = Callable[[str], Mapping[str, object]]
"""A function from the name of a section to the attributes of its results, whether or not the report
shows this section."""


def next_steps(
    leading: xr.Dataset | None, findings: Findings, causes: xr.Dataset | None = None
) -> list[Note]:
    """Return the steps for the first causes of disagreement, or the single most useful step.

    If the leading coefficient is undefined, or its interval rests on too few items, the only step
    is to remedy this.

    Parameters
    ----------
    leading : xarray.Dataset or None
        The figures of the leading coefficient from `iaa_jax.agreement`; None if estimates are per
        label.
    findings : callable
        Function that returns the attributes of a section's results, used if no cause leads to a
        step.
    causes : xarray.Dataset, optional
        The causes of disagreement from `iaa_jax.findings`.
    """
    if leading is not None and int(leading["code"]):
        return [Note("step_undefined")]
    if leading is not None and _has_few_items(leading):
        return [Note("step_few")]
    named = slice(MOST_CAUSES)
    steps = [] if causes is None else [*dict.fromkeys(_cause_steps(causes.isel(finding=named)))]
    return steps or [_next_step(leading, findings)]


def _has_few_items(leading: xr.Dataset) -> bool:
    doubt = str(leading["doubt"].item()) if "doubt" in leading else ""
    return doubt in _FEW or leading.attrs.get("pairable_items") == 1


def _next_step(leading: xr.Dataset | None, findings: Findings) -> Note:
    """Return the step for a fall over time, a weak label, a wide interval, or disputed items.

    The first of these that is found counts. Without any, the step is to use the gold labels or to
    read the report.
    """
    labels, items, sets = findings("labels"), findings("items"), findings("label_sets")
    if "lowest_label" in sets:
        labels = {**sets, "conclusion": "disputed"}
    low = high = estimate = np.nan
    if leading is not None:
        low, high, estimate = (
            float(leading[name]) if name in leading else np.nan
            for name in ("ci_low", "ci_high", "estimate")
        )
    half = (high - low) / 2
    if step := _fall(findings("drift")):
        return step
    spans = "_of_spans" if "spans" in (labels.get("task"), items.get("task")) else ""
    lowest = _number(labels, "lowest_agreement")
    often = _number(labels, "lowest_count") >= OFTEN
    # on a scale, neighbouring labels are confused however good the guidelines are
    unordered = bool(sets) or leading is None or str(leading["weights"].item()) in UNSAID
    is_sure = labels.get("conclusion") == "disputed" and not labels.get("lowest_doubt")
    if is_sure and lowest < GOOD and often and unordered:
        code = "step_label_of_two" if labels.get("labels") == 2 else "step_label"
        code = f"step_label{spans}" if spans else code
        code = "step_labels" if labels.get("lowest_equal") else code
        return Note(code, {"label": labels["lowest_label"], "agreement": lowest})
    if half > WIDE and high >= GOOD:  # below, more items would not help
        return Note(f"step_items{spans}", {"half": half})
    if items.get("disputed_items"):
        return Note(f"step_discuss{spans}", {"disputed": items["disputed_items"]})
    return Note("step_none" if low >= GOOD or estimate == 1 else "step_read")


def _cause_steps(causes: xr.Dataset) -> Iterator[Note]:
    for row in range(causes.sizes["finding"]):
        cause = causes.isel(finding=row)
        columns = ("annotator", "label", "other_label", "since", "until", "column", "group")
        values = {name: str(cause[name].item()) for name in (*columns, "kind", "mended_by")}
        code = _STEPS.get(values["kind"], "step_ask" if values["annotator"] else "")
        if code and (values["mended_by"] or code in ("step_group", "step_pair")):
            names = ("annotator", *_ABOUT.get(code, ()))
            known = {**values, **_which(cause, values)}
            yield Note(code, {n: known[n] for n in names if known[n] or n == "labels"})


def _which(cause: xr.Dataset, values: Mapping[str, str]) -> dict[str, object]:
    """Return notes on the items that a cause concerns, by their dates, and on its labels."""
    labels: Note | str = ""
    if values["other_label"]:
        one_way = values["kind"] == "one_for_another" or float(cause["one_way"]) == 1
        pair = {name: values[name] for name in ("label", "other_label")}
        labels = Note("label_for_other" if one_way else "label_and_other", pair)
    for side in ("since", "until"):
        if values[side]:
            roughly = cause.attrs.get("continuous")  # the date of a change is only roughly known
            time = Note("about_time", {"time": values[side]}) if roughly else values[side]
            return {"which": Note(f"items_{side}", {side: time}), "labels": labels}
    code = code_for(cause.attrs, "any_items" if labels else "some_items")
    return {"which": Note(code), "labels": labels}


def _fall(drift: Mapping[str, object]) -> Note | None:
    for note in load_notes(str(drift.get("notes", "[]"))):
        if note.code == "step":
            values = {name: note.values[name] for name in ("before", "after")}
            if isinstance(at := note.values["at"], Note):
                values["when"] = later_on("when", at)
            fell = float(str(values["after"])) < float(str(values["before"]))
            return Note("step_change", values) if fell else None
        if note.code == "trend":
            falls = float(str(note.values["slope"])) < 0
            return Note("step_trend", {"change": note.values["change"]}) if falls else None
    return None


def _number(findings: Mapping[str, object], name: str) -> float:
    value = findings.get(name, np.nan)
    return float(value) if isinstance(value, (int, float)) else np.nan
