"""The page on annotators' agreement with themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.diagnose.columns import groups_table
from iaa_jax.analyses.diagnose.declared import CHANGES, KINDS, OCCASIONS, RUNS, TURNS
from iaa_jax.catalog import title_of
from iaa_jax.pages import Block, Page, Remarks, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Figure, by_name

SURE = 0.05
"""Maximum p-value at which the page states that answers move in one direction."""

SHOWN = 10
"""Usual maximum number of rows."""


def repeats_page(result: xr.Dataset, top: int | None = None) -> Page:
    """Return the page of a result of `iaa_jax.annotators.repeats`."""
    answer = []
    for number, name in enumerate(result["coefficient"].values.tolist()):
        of_all = result.isel(coefficient=number)
        ends = [float(of_all[f"ci_{end}_of_all"]) for end in ("low", "high")]
        most = int(result.attrs["most_answers"])
        pairs, items = int(result.attrs["repeated_items"]), result.sizes["item"]
        on = {"pairs": pairs, "items": items}
        values = {
            "title": title_of(str(name), str(of_all["weights"].values.flat[0])),
            "rated": Note("repeats_items" if pairs == items else "repeats_pairs", on),
            "times": Note("repeats_times" if most > 2 else "repeats_twice", {"most": most}),
            "estimate": float(of_all["estimate_of_all"]),
            "ends": "" if np.isnan(ends).any() else Note("repeats_ends", {"ends": ends}),
        }
        answer.append(Note("repeats_first" if number == 0 else "repeats_further", values))
    if "within_deviation" in result:
        value = float(result["within_deviation_of_all"])
        answer.append(Note("repeats_deviation", {"value": value}))
    groups = groups_table(result.drop_vars([*_group_variables(result)]))
    blocks: list[Block] = [replace(groups, caption=Note("repeats_groups"))]
    made = intervals.descriptions(result.attrs, intervals.figures_of(result, title_of))
    remarks = [Note("repeats_ceiling"), *made]
    title = "Annotators against themselves"
    return Page(
        title,
        [*answer, *_occasion_notes(result), *_shift_notes(result)],
        [*blocks, *_tables(result, top or SHOWN), Remarks(remarks)],
        results={"": result},
    )


def _group_variables(result: xr.Dataset) -> Iterator[str]:
    for figure in OCCASIONS:
        along = (name for name in figure.names if name in result)
        yield from (name for name in along if result[name].dims == ("group",))


def _occasion_notes(result: xr.Dataset) -> Iterator[Note]:
    occasion, gain = (float(result[f"{name}_of_all"]) for name in ("occasion", "answers_gain"))
    if np.isnan(occasion):
        return
    for name, code, value in (
        ("occasion", "repeats_occasion", occasion),
        ("answers_gain", "repeats_gain", gain),
    ):
        ends = [float(result[f"{name}_ci_{end}_of_all"]) for end in ("low", "high")]
        kind = "repeats_share_ends" if name == "occasion" else "repeats_ends"
        values = {
            "value": value,
            "ends": "" if np.isnan(ends).any() else Note(kind, {"ends": ends}),
            "one": float(result["one_answer_of_all"]),
            "all": float(result["all_answers_of_all"]),
        }
        of_numbers = result.attrs["task"] == "value"
        if name == "occasion" or _can_gain(result):
            yield Note(f"{code}_of_numbers" if of_numbers else code, values)


def _can_gain(result: xr.Dataset) -> bool:
    """Tell whether several answers can be better than one; with labels, two cannot."""
    return bool(result.attrs["most_answers"] > 2 or result.attrs["task"] == "value")


def _shift_notes(result: xr.Dataset) -> Iterator[Note]:
    names = ("from", "to", "there", "back", "p_value")
    values = {name: result.attrs.get(f"shift_{name}") for name in names}
    if values["p_value"] is not None and values["p_value"] <= SURE:
        first, second = result["run"].values.tolist()
        yield Note("repeats_shift", {**values, "first": first, "second": second})


def _along(result: xr.Dataset, dim: str, figures: Sequence[Figure]) -> Iterator[str]:
    known = (name for name in by_name(figures) if name in result)
    return (name for name in known if result[name].dims == (dim,))


def _tables(result: xr.Dataset, top: int) -> Iterator[Table]:
    wavering = FigureColumns(OCCASIONS, result[[*_group_variables(result)]])
    known = bool(np.isfinite(result["occasion"].values).any())
    of_numbers = "within_deviation" in result
    meaning = Note("wavering_of_numbers") if of_numbers and known else None
    columns = [wavering.key("group", "Annotator")]
    columns += wavering.with_ends("occasion", meaning=meaning)
    if of_numbers:
        columns.append(wavering("within_deviation", meaning=Note("deviation_within")))
    gains = [
        wavering("one_answer", spare=1),
        wavering("all_answers", spare=1),
        *wavering.with_ends("answers_gain"),
    ]
    columns += gains if _can_gain(result) else [replace(gain, in_files=True) for gain in gains]
    shown = {column.key for column in columns}
    columns += [wavering(name) for name in _along(result, "group", OCCASIONS) if name not in shown]
    caption = Note("repeats_wavering_of_numbers" if of_numbers else "repeats_wavering")
    hidden = not (known or of_numbers)
    yield wavering.table("wavering", columns, "group", caption, in_files=hidden)
    runs = FigureColumns(RUNS, result)
    columns = [runs.key("run", "Answer"), *map(runs, _along(result, "run", RUNS))]
    plain = result.attrs["most_answers"] == 2 and result["run"].values[0] == "first"
    yield runs.table("runs", columns, "run", Note("repeats_runs"), in_files=plain)
    if "kind" in result.dims:
        kinds = FigureColumns(KINDS, result)
        by = Note("repeats_kinds", {"by": result.attrs["kind_by"]})
        columns = [kinds.key("kind", result.attrs["kind_by"]), kinds("kind_items")]
        yield kinds.table("kinds", [*columns, *kinds.with_ends("kind_agreement")], "kind", by)
    if "turned" in result:
        labels = FigureColumns(TURNS, result)
        columns = [labels.key("label", "Label"), *map(labels, _along(result, "label", TURNS))]
        yield labels.table("labels", columns, "label", Note("repeats_labels"), shown=top)
    items = FigureColumns(CHANGES, result)
    columns = [items.key("item", "Item"), *map(items, _along(result, "item", CHANGES))]
    most = [*np.flatnonzero(result["changed"].values[:top] > 0).tolist()]
    caption = Note("repeats_changes_of_numbers" if of_numbers else "repeats_changes")
    table = items.table("items", columns, "item", caption, shown=most)
    yield replace(table, in_files=not most)
