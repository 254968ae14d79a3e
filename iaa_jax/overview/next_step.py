"""What to do next, from the advice of a report's sections."""

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
"""Half-width of the interval above which the advice is to rate more items."""

GOOD = 0.8
"""Agreement on a label from which its guidelines need no improvement."""

_FEW = ("few_items", "few_clusters", "few_telling_items", "no_telling_item")
"""Codes of doubts about an interval that more items would remove."""

_STEPS = {
    "confused_pair": "step_pair",
    "guesses": "step_rate_again",
    "favours_label": "step_label_of_one",
    "hard_group": "step_group",
    "same_ratings": "step_copies",
    "one_answer": "step_one_answer",
    "near_ends": "step_ends",
}
"""The advised step for each kind of cause; for other causes, it is to ask the annotator."""

_ABOUT = {
    "step_label_of_one": ("label",),
    "step_group": ("column", "group"),
    "step_copies": ("group",),
    "step_pair": ("label", "other_label"),
    "step_ask": ("which", "labels"),
}
"""The values that the sentence of a step needs besides the annotator."""

Findings = Callable[[str], Mapping[str, object]]
"""Returns the attributes of a section's results, given its name; the report need not show it."""


def next_steps(
    leading: xr.Dataset | None, findings: Findings, causes: xr.Dataset | None = None
) -> list[Note]:
    """Advise steps for the first causes of disagreement, or else the single most useful step.

    If a coefficient is undefined, or items are too few for the interval, this is the only advice.

    Parameters
    ----------
    leading : xarray.Dataset or None
        The leading coefficient: scalars of `iaa_jax.agreement`; None if estimates are per label.
    findings : callable
        Returns the conclusions of a section, used if no cause leads to a step.
    causes : xarray.Dataset, optional
        The causes that were found.
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


def _next_step(leading: xr.Dataset | None, of: Findings) -> Note:
    """Advise on the first of: a fall over time, a weak label, a wide interval, disputed items."""
    labels, items, sets = of("labels"), of("items"), of("label_sets")
    if "lowest_label" in sets:
        labels = {**sets, "conclusion": "disputed"}
    low = high = estimate = np.nan
    if leading is not None:
        low, high, estimate = (
            float(leading[name]) if name in leading else np.nan
            for name in ("ci_low", "ci_high", "estimate")
        )
    half = (high - low) / 2
    if step := _fall(of("drift")):
        return step
    spans = "_of_spans" if "spans" in (labels.get("task"), items.get("task")) else ""
    lowest = _number(labels, "lowest_agreement")
    often = _number(labels, "lowest_count") >= OFTEN
    # agreement is lowest at the ends of a scale, whatever the guidelines say
    unordered = bool(sets) or leading is None or str(leading["weights"].item()) in UNSAID
    is_sure = labels.get("conclusion") == "disputed" and not labels.get("lowest_doubt")
    if is_sure and lowest < GOOD and often and unordered:
        code = "step_label_of_two" if labels.get("labels") == 2 else "step_label"
        code = f"step_label{spans}" if spans else code
        code = "step_labels" if labels.get("lowest_equal") else code
        return Note(code, {"label": labels["lowest_label"], "agreement": lowest})
    if half > WIDE:
        return Note(f"step_items{spans}", {"half": half})
    if items.get("disputed_items"):
        return Note(f"step_discuss{spans}", {"disputed": items["disputed_items"]})
    return Note("step_none" if low >= GOOD or estimate == 1 else "step_read")


def _cause_steps(causes: xr.Dataset) -> Iterator[Note]:
    """Advise on each cause that can be remedied, or that concerns labels or items."""
    for row in range(causes.sizes["finding"]):
        one = causes.isel(finding=row)
        columns = ("annotator", "label", "other_label", "since", "until", "column", "group")
        values = {name: str(one[name].item()) for name in (*columns, "kind", "mended_by")}
        code = _STEPS.get(values["kind"], "step_ask" if values["annotator"] else "")
        if code and (values["mended_by"] or code in ("step_group", "step_pair")):
            told = ("annotator", *_ABOUT.get(code, ()))
            about = {**values, **_which(one, values)}
            said = {name: about[name] for name in told if about[name] or name == "labels"}
            yield Note(code, said)


def _which(one: xr.Dataset, values: Mapping[str, str]) -> dict[str, object]:
    """Say which items a cause is about, by their dates, and which labels it concerns."""
    labels: Note | str = ""
    if values["other_label"]:
        one_way = values["kind"] == "one_for_another" or float(one["one_way"]) == 1
        pair = {name: values[name] for name in ("label", "other_label")}
        labels = Note("label_for_other" if one_way else "label_beside_other", pair)
    for side in ("since", "until"):
        if values[side]:
            roughly = one.attrs.get("continuous")  # the date of a change is only roughly known
            time = Note("about_time", {"time": values[side]}) if roughly else values[side]
            return {"which": Note(f"items_{side}", {side: time}), "labels": labels}
    some = code_for(one.attrs, "any_items" if labels else "some_items")
    return {"which": Note(some), "labels": labels}


def _fall(drift: Mapping[str, object]) -> Note | None:
    """Advise on the leading change over time, if it is a fall."""
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
