"""The pages of sharpening (annotators and items weighted in turn), with one or several settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

import numpy as np
import xarray as xr

from iaa_jax.analyses.sharpen import declared
from iaa_jax.catalog import title_of
from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.pages import Block, Column, Curve, Facts, Page, Picture, Remarks, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, formats, load_notes
from iaa_jax.wording.figures import Kind

SHOWN = 20
"""Maximum number of annotators, and of items, in a table."""

_EQUAL = ("equal", "nobody_above_floor", "undefined")
"""Conclusions with equal weights."""


def page(result: xr.Dataset, top: int = SHOWN) -> Page:
    """Return the page: weights, agreement with equal and new weights, and disputed items."""
    status, iterations = str(result["status"].values), int(result["iterations"])
    steps = Note(f"steps_{status}", {"iterations": iterations})
    facts = Facts([*short_facts(result.attrs).rows, ("Steps", steps)])
    blocks: list[Block] = [
        facts,
        _annotators(result, top),
        _agreement(result),
        _items(result, top),
        *FigureColumns(declared.ITERATIONS, result).further("iteration"),
        _picture(result),
        Remarks([*_remarks(result)]),
    ]
    answer = [_answer(result), _before_after(result)]
    return Page("Sharpening", answer, blocks, results={"": result})


def _answer(result: xr.Dataset) -> Note:
    attrs = result.attrs
    code = str(attrs["conclusion"])
    floored = json.loads(attrs["floored"])
    values = {
        "names": floored,
        "floored": len(floored),
        "iterations": int(result["iterations"]),
        "residual": float(np.nanmin(result["residual"].values)),
        **{
            name: attrs.get(name)
            for name in ("epsilon", "highest", "highest_weight", "lowest", "lowest_weight")
        },
    }
    two = code == "equal" and result.sizes["annotator"] == 2
    return Note("equal_of_two" if two else code, values)


def _before_after(result: xr.Dataset) -> Note:
    before, after = (result.sel(weighting=name) for name in ("equal", "annotators"))
    values: dict[str, object] = {
        "coefficient": title_of(str(result.attrs["coefficient"])),
        "before": float(before["agreement"]),
        "after": float(after["agreement"]),
        "change": float(after["change"]),
        "ends": "",
    }
    if result.attrs["conclusion"] in _EQUAL and not np.isnan(float(before["agreement"])):
        return Note("agreement_equal", values)
    low, high = float(after["change_ci_low"]), float(after["change_ci_high"])
    if np.isnan(values["change"]):  # type: ignore[call-overload]
        reason = str(before["reason"].values) or str(after["reason"].values)
        return Note("agreement_undefined", {**values, "reason": reason})
    shown = not np.isnan(low)
    if shown:
        confidence = float(result.attrs["confidence"])
        values["ends"] = Note("ends", {"confidence": confidence, "ends": [low, high]})
    else:
        low = high = float(after["change"])
    if low > 0:
        return Note("agreement_rises", values)
    return Note("agreement_falls" if high < 0 else "agreement_same", values)


def _annotators(result: xr.Dataset, top: int) -> Table:
    order = np.argsort(-result["annotator_weight"].values, kind="stable")
    rows = result.isel(annotator=order)
    column = FigureColumns(declared.ANNOTATORS, rows, epsilon=float(result.attrs["epsilon"]))
    columns = [
        column.key("annotator", "Annotator"),
        column("annotator_weight"),
        *column.ends("annotator_weight", decimals=3, spare=1),
        column("kappa", spare=2),
        *column.ends("kappa", decimals=3, spare=4),
        column("shared_items", spare=3),
    ]
    noun = "annotators, largest weight first"
    return column.table("annotators", columns, "annotator", noun=noun, shown=top)


def _agreement(result: xr.Dataset) -> Table:
    names = [Note(f"{name}_weights") for name in result["weighting"].values]
    column = FigureColumns(declared.WEIGHTINGS, result)
    change = np.where(result["weighting"].values == "equal", np.nan, result["change"].values)
    title = title_of(str(result.attrs["coefficient"]))
    meaning = Note("agreement_meaning", {"coefficient": title})
    columns = [
        Column("weighting", "Weights", names, "word"),
        column("agreement", meaning=meaning),
        *column.ends("agreement", decimals=3, spare=2),
        replace(column("change", spare=1), values=change),
        *column.ends("change", decimals=3, spare=3),
    ]
    return column.table("agreement", columns, "weighting", noun="weightings")


def _items(result: xr.Dataset, top: int) -> Table:
    rows = result.isel(item=np.argsort(result["item_weight"].values, kind="stable"))
    column = FigureColumns(declared.ITEMS, rows)
    gold = [
        Note("tied", {"label": label}) if tied else str(label)
        for label, tied in zip(rows["gold"].values, rows["tied"].values, strict=True)
    ]
    sets = "holds" in rows
    certainty = Note("certainty_of_sets" if sets else "certainty_of_item")
    columns = [
        column.key("item", "Item"),
        Column("gold_label", "Gold", gold, "text", in_words=True),
        column("gold", in_files=True),
        column("certainty", meaning=certainty),
        column("item_weight"),
        column("votes", spare=1),
    ]
    noun = "items, those with the lowest weight first"
    return column.table("items", columns, "item", noun=noun, shown=top)


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    for note in load_notes(result.attrs["notes"]):
        if note.code in OF_FIGURES:
            title = title_of(str(result.attrs["coefficient"]))
            yield Note("of_coefficient", {"coefficient": title, "note": note})
        else:
            yield note
    if result.attrs["conclusion"] in ("floored", "weighted", "not_converged"):
        yield Note("cannot_see")
    yield from intervals.description(result.attrs)
    equal = result["agreement_interval"].sel(weighting="equal").item()
    if equal != result.attrs["interval"]:
        yield from intervals.made_as_usual("of_equal_weights", equal)
    if result.attrs["conclusion"] in ("floored", "weighted", "not_converged"):
        yield Note("next_known")


def _picture(result: xr.Dataset) -> Picture:
    attrs = result.attrs
    trace = result["weight_trace"].transpose("iteration", "annotator").values
    names = [str(name) for name in result["annotator"].values]
    weight = result["annotator_weight"].values
    equal = attrs["conclusion"] in _EQUAL
    curves = []
    chosen = [] if equal else [names.index(str(attrs[end])) for end in ("highest", "lowest")]
    for index, style in zip(chosen, ("main", "bound"), strict=False):
        label = Note("one_annotator", {"name": names[index], "weight": float(weight[index])})
        curves.append(Curve(label, trace[:, index], style))  # type: ignore[arg-type]
    curves += [
        Curve(Note("other_annotators"), trace[:, index], "other")
        for index in range(len(names))
        if index not in chosen
    ]
    files = json.loads(attrs.get("files", "[]"))
    listed = [PurePath(file).name for file in files]
    steps = Note(f"picture_{result['status'].values}", {"iterations": int(result["iterations"])})
    values = {
        "files": Note("picture_files", {"files": listed}) if listed else "",
        "annotators": len(names),
        "items": attrs["items"],
        "steps": steps,
    }
    ends = {name: attrs.get(name) for name in ("highest", "lowest")}
    return Picture(
        "weights",
        "lines",
        Note("picture_equal" if equal else "picture", ends),
        Note("picture_of", values),
        result["iteration"].values,
        Note("picture_axis"),
        curves,
        y_most=None,
    )


_NUMBERS = ("p", "epsilon", "omega", "prior_strength")


def settings_page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.sharpen.settings`."""
    values = {"settings": result.sizes["setting"], "items": result.attrs["unsteady_items"]}
    answer = [Note(str(result.attrs["conclusion"]), values)]
    column = FigureColumns(declared.SETTINGS, result)
    settings = [Column("setting", "Setting", [*map(str, result["setting"].values)], "label")]
    for name in ("concentration", "link", *_NUMBERS):
        choices = result[name].values
        kind: Kind = "short" if name in _NUMBERS else "word"
        same = len(set(choices.tolist())) == 1
        settings.append(Column(name, formats.spaced(name), choices, kind, in_files=same))
    settings += [
        column("iterations", spare=2),
        column("status", spare=3),
        column("changed_items", spare=1),
    ]
    ends = np.stack([result[f"{end}_weight"].values for end in ("lowest", "highest")], axis=-1)
    order = np.argsort(-ends[:, 1], kind="stable")
    ranges = Note("range_of_weights")
    of_annotators = FigureColumns(declared.EXTREMES, result.isel(annotator=order))
    annotators = [
        of_annotators.key("annotator", "Annotator"),
        Column("weight", "Weight", ends[order], "interval", meaning=ranges, in_words=True),
    ]
    noun = "annotators, largest weight first"
    blocks: list[Block] = [
        short_facts(result.attrs),
        column.table("settings", settings, "setting", shown=SHOWN),
        of_annotators.table("annotators", annotators, "annotator", noun=noun, shown=SHOWN),
        *FigureColumns(declared.STEADY, result).further("item"),
        Remarks(load_notes(result.attrs["notes"])),
    ]
    return Page("Sharpening with several settings", answer, blocks, results={"": result})


PAGES = {("sharpen",): page, ("sharpen.settings",): settings_page}
