"""What to do next, of all that the sections of a report advise."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import xarray as xr

from iaa_jax.wording import Note, load_notes

WIDE = 0.05
"""Half the width of an interval beyond which more items come first."""

GOOD = 0.8
"""Agreement on a label that needs no better guidelines."""

_FEW = (
    *("few_items", "few_clusters", "few_carriers", "few_telling_items", "no_telling_item"),
    "near_chance",
)
"""Doubts about an interval that more items would settle."""

_STEP = "step"
"""What drift notes of a change that chance does not explain."""

Findings = Mapping[str, Mapping[str, object]]
"""The attributes of each section's results, by its name."""


def next_step(leading: xr.Dataset | None, findings: Findings, *, undecided: bool) -> Note:
    """The one step that promises most.

    Where items are too few for the interval nothing else can be said. Else a fall from some time on
    comes first, then an annotator without whom the coefficient would rise beyond its interval, then
    an interval that is too wide to say on which side of a usual bar agreement lies, then the label
    that annotators agree on least, then a wide interval, then the disputed items.

    Parameters
    ----------
    leading : xarray.Dataset or None
        The leading coefficient: scalars of `iaa_jax.agreement`.
    findings : mapping
        What sections come to.
    undecided : bool
        Whether the interval lies on both sides of a bar.
    """
    if leading is None or int(leading["code"]):
        return Note("step_undefined")
    if "doubt" in leading and str(leading["doubt"].item()) in _FEW:
        return Note("step_few")
    high, estimate = float(leading["ci_high"]), float(leading["estimate"])
    half = (high - float(leading["ci_low"])) / 2
    of = findings.get
    annotators, labels, items = of("annotators", {}), of("labels", {}), of("items", {})
    without = _number(annotators, "farthest_without")
    alone = annotators.get("conclusion") == "compared" and not annotators.get("farthest_equal")
    for note in load_notes(str(of("drift", {}).get("notes", "[]"))):
        if note.code == _STEP and float(str(note.values["after"])) < float(
            str(note.values["before"])
        ):
            values = {side: note.values[side] for side in ("before", "after")}
            return Note("step_change", values)
    if alone and without > np.nanmax([high, estimate]):
        return Note("step_annotator", {"name": annotators["farthest"], "without": without})
    wide = Note("step_items", {"half": half})
    if undecided and half > WIDE:
        return wide
    lowest = _number(labels, "lowest_agreement")
    if labels.get("conclusion") == "disputed" and lowest < GOOD:
        code = "step_label_of_two" if labels.get("labels") == 2 else "step_label"
        code = "step_label_of_spans" if labels.get("task") == "spans" else code
        return Note(code, {"label": labels["lowest_label"], "agreement": lowest})
    if half > WIDE:
        return wide
    if items.get("disputed_items"):
        return Note("step_discuss", {"disputed": items["disputed_items"]})
    return Note("step_none" if float(leading["ci_low"]) >= GOOD or estimate == 1 else "step_read")


def _number(findings: Mapping[str, object], name: str) -> float:
    value = findings.get(name, np.nan)
    return float(value) if isinstance(value, (int, float)) else np.nan
