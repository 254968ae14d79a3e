"""The next step that a report advises: what promises most."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
import xarray as xr

from iaa_jax.overview.next_step import Findings, next_steps
from iaa_jax.overview.words import WORDS
from iaa_jax.wording import Note, dump_notes, say
from iaa_jax.wording.templates import joined


def row(estimate: float, low: float, high: float, name: str = "krippendorff_alpha") -> xr.Dataset:
    return xr.Dataset(
        {"estimate": estimate, "ci_low": low, "ci_high": high, "code": 0, "weights": ""},
        coords={"coefficient": name},
    )


def found(**findings: dict[str, object]) -> Findings:
    return lambda name: findings.get(name, {})


def cause(kind: str, mended_by: str, **about: str) -> xr.Dataset:
    names = ("annotator", "label", "other_label", "since", "until", "column", "group")
    columns: dict[str, object] = {name: about.get(name, "") for name in names}
    columns |= {"kind": kind, "mended_by": mended_by, "one_way": 1.0}
    return xr.Dataset({name: ("finding", [value]) for name, value in columns.items()})


GUESSES = cause("guesses", "left_out", annotator="eve")
EXCHANGED = cause("exchanged_labels", "recoded", annotator="eve", label="a", other_label="b")
FELL, ROSE = (
    {"notes": dump_notes([Note("step", {"before": before, "after": after, "at": at})])}
    for before, after, at in (
        (0.8, 0.4, Note("at_batch", {"name": "w3"})),
        (0.4, 0.8, Note("at_batch", {"name": "w3"})),
    )
)
SINKS, RISES = (
    {"notes": dump_notes([Note("trend", {"slope": slope, "change": 0.3})])} for slope in (-0.1, 0.1)
)
LOW = {
    "conclusion": "disputed",
    "lowest_label": "b",
    "lowest_agreement": 0.5,
    "lowest_count": 30,
    "labels": 3,
}


@pytest.mark.parametrize(
    ("findings", "causes", "figures", "code"),
    [
        ({"labels": LOW}, GUESSES, (0.6, 0.5, 0.7), "step_rate_again"),
        ({"labels": LOW, "drift": FELL}, EXCHANGED, (0.6, 0.5, 0.7), "step_ask"),
        ({}, cause("confused_pair", "merged", label="a"), (0.6, 0.5, 0.7), "step_pair"),
        ({}, cause("hard_group", "", column="source"), (0.6, 0.5, 0.7), "step_group"),
        ({}, cause("stopped", "", annotator="eve"), (0.6, 0.58, 0.62), "step_read"),
        ({}, cause("near_ends", "recoded"), (0.6, 0.5, 0.7), "step_ends"),
        ({}, cause("one_answer", "left_out", label="a"), (0.6, 0.5, 0.7), "step_one_answer"),
        ({"labels": LOW, "drift": FELL}, None, (0.6, 0.5, 0.7), "step_change"),
        ({"labels": LOW, "drift": ROSE}, None, (0.6, 0.5, 0.7), "step_label"),
        ({"labels": LOW, "drift": SINKS}, None, (0.6, 0.5, 0.7), "step_trend"),
        ({"labels": LOW, "drift": RISES}, None, (0.6, 0.5, 0.7), "step_label"),
        ({}, None, (0.6, 0.2, 0.95), "step_items"),
        ({"labels": LOW}, None, (0.6, 0.2, 0.95), "step_label"),
        ({"items": {"disputed_items": 3}}, None, (0.9, 0.88, 0.92), "step_discuss"),
        ({}, None, (1.0, 0.918, 1.0), "step_none"),
        ({"labels": {**LOW, "lowest_count": 9}}, None, (0.3, 0.25, 0.35), "step_read"),
        ({"label_sets": LOW}, None, (0.3, 0.25, 0.35), "step_label"),
        (
            {"label_sets": {**LOW, "lowest_doubt": "wide_interval"}},
            None,
            (0.8, 0.7, 0.9),
            "step_items",
        ),
        ({"items": {"disputed_items": 3}}, None, (0.6, 0.45, 0.75), "step_discuss"),
        ({"labels": {**LOW, "lowest_equal": 1}}, None, (0.3, 0.25, 0.35), "step_labels"),
        ({"labels": {**LOW, "labels": 2}}, None, (0.6, 0.58, 0.62), "step_label_of_two"),
        ({"labels": {**LOW, "task": "spans"}}, None, (0.6, 0.5, 0.7), "step_label_of_spans"),
        ({"labels": {**LOW, "lowest_agreement": 0.9}}, None, (0.9, 0.8, 0.95), "step_items"),
        (
            {"items": {"disputed_items": 3, "task": "spans"}},
            None,
            (0.9, 0.88, 0.92),
            "step_discuss_of_spans",
        ),
        ({}, None, (0.87, np.nan, np.nan), "step_read"),
        ({}, None, (1.0, 1.0, 1.0), "step_none"),
    ],
)
def test_the_next_step_promises_most(
    findings: dict[str, dict[str, object]],
    causes: xr.Dataset | None,
    figures: tuple[float, float, float],
    code: str,
) -> None:
    assert [step.code for step in next_steps(row(*figures), found(**findings), causes)] == [code]


def test_whom_to_ask_is_said_with_the_items_and_their_labels() -> None:
    about = {"annotator": "ben", "label": "x", "other_label": "y", "since": "2025-03-24"}
    (step,) = next_steps(row(0.6, 0.5, 0.7), found(), cause("changed", "left_out", **about))
    assert say(step, WORDS) == (
        "Next: go through items since 2025-03-24 with ben ('x' where others give 'y')."
    )


def test_few_items_come_before_all_else() -> None:
    few = row(0.5, 0.2, 0.8).assign(doubt="few_items")
    assert next_steps(few, found(labels=LOW))[0].code == "step_few"
    some = row(0.5, 0.46, 0.54)
    assert next_steps(some.assign(doubt="few_carriers"), found(labels=LOW))[0].code == "step_label"
    assert next_steps(some.assign_attrs(pairable_items=1), found(labels=LOW))[0].code == "step_few"
    ordered = some.assign(weights="level ordinal")
    assert next_steps(ordered, found(labels=LOW))[0].code == "step_read"
    assert next_steps(few.assign(code=2), found())[0].code == "step_undefined"
    assert next_steps(None, found(labels=LOW))[0].code == "step_label"
    assert next_steps(None, found())[0].code == "step_read"


def test_words_that_a_head_takes_from_several_pages_have_codes_of_their_own() -> None:
    pages = ("agree", "findings", "spans", "judge")
    words = [import_module(f"iaa_jax.analyses.{name}.words").WORDS for name in pages]
    assert joined(WORDS, *words)
