"""The pages about panels of annotators and about replaced annotators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Floats
from iaa_jax.analyses.panels.declared import ANNOTATORS, PANELS, REPLACED, SIZES
from iaa_jax.data.schema import int_if_whole
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Band, Block, Column, Curve, Mark, Page, Picture, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import both_ends, confidence, drawn, ends_of, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.undecided import UNDECIDED

SHOWN = 5


def page(result: xr.Dataset, what_if: xr.Dataset | None = None, *, top: int | None = None) -> Page:
    """Return the page of `iaa_jax.panels`, with the table of `iaa_jax.panels.what_if` if given."""
    has_choice = result.attrs["conclusion"] != "undefined" and result.sizes["annotator"] > 2
    answer = [*_answer(result)]
    blocks: list[Block] = [measured_facts(result, UNSAID)]
    if has_choice:
        blocks += [_sizes(result), _annotators(result)]
    blocks.append(_panels(result, (top or SHOWN) if has_choice else 0))
    if result.attrs["conclusion"] == UNDECIDED:
        blocks = [replace(b, in_files=True) if isinstance(b, Table) else b for b in blocks]
    notes = load_notes(result.attrs["notes"])
    remarks = [*_kept(result)]
    if what_if is not None:
        undecided = what_if.attrs["conclusion"] == UNDECIDED
        remarks += [] if undecided else _answer_of_replacements(what_if)
        blocks.append(_replacements(what_if))
        notes += [note for note in load_notes(what_if.attrs["notes"]) if note not in notes]
    blocks.append(
        Remarks([*remarks, *_remarks(result, has_choice=has_choice), *notes, *_next(result)])
    )
    if has_choice:
        blocks.append(_picture(result))
    results = {"": result} if what_if is None else {"panels": result, "what_if": what_if}
    return Page("Panels of annotators", answer, blocks, results=results)


def page_of_replacements(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.panels.what_if` alone."""
    notes = Remarks(load_notes(result.attrs["notes"]))
    blocks: list[Block] = [measured_facts(result, UNSAID), _replacements(result), notes]
    answer = [*_answer_of_replacements(result)]
    return Page("Other annotators in their place", answer, blocks, results={"": result})


def _members(
    result: xr.Dataset, members: Floats, *, first: bool = False, with_others: bool = False
) -> Note:
    """Return a note that names a panel by its members, or by annotators left out if they are few.

    ``first`` is for the beginning of a sentence. ``with_others`` adds the annotators left out to
    the names of the members.
    """
    inside = np.asarray(members) > 0
    names, without = (
        [str(name) for name in result["annotator"].values[part].tolist()]
        for part in (inside, ~inside)
    )
    if not without:
        return Note("everyone")
    if len(without) < 0.5 * len(names):
        return Note("all_but_first" if first else "all_but", {"names": without})
    return Note("panel_without" if with_others else "panel", {"names": names, "without": without})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code, size = str(result.attrs["conclusion"]), int(result.attrs["size"])
    values: dict[str, object] = {
        "title": title(result),
        "whole": float(result["estimate_of_all"]),
        "annotators": int(result.sizes["annotator"]),
        "size": size,
        **confidence(result),
    }
    if code in ("two_annotators", "undefined", UNDECIDED, "everybody", "tied"):
        yield Note(code, values)
        return
    code_of_panel = "panel_of_size" if result.attrs["better_sizes"] else "smaller_panel"
    values["panel"] = Note(code_of_panel, {"size": size})
    yield Note(code, values | _best_of(result, size, first=code != "noise"))
    smaller = int(result.attrs["best_size"])
    if smaller < size:
        yield Note("better_still", values | _best_of(result, smaller, first=False))


def _best_of(result: xr.Dataset, size: int, *, first: bool) -> dict[str, object]:
    of_size = result.sel(size=size)
    items, of_all = float(of_size["best_items"]), float(result.attrs["pairable_items"])
    where = Note("on_fewer_items", {"items": int_if_whole(items)}) if items < of_all else ""
    return {
        "where": where,
        "size": size,
        "best": _members(result, of_size["best_members"].values, first=first, with_others=True),
        "estimate": float(of_size["best"]),
        "gain": float(of_size["gain"]),
        "ends": ends_of(of_size, "gain"),
        "p": float(of_size["gain_p_value"]),
        "panels": int(of_size["panels"] - of_size["undefined"] - of_size["passed_over"]),
        "chosen": float(of_size["chosen"]),
    }


def _kept(result: xr.Dataset) -> Iterator[Note]:
    if result.attrs["conclusion"] not in ("better", "noise"):
        return
    size = int(result.attrs["size"])
    halves = {
        name: float(result[name].sel(size=size))
        for name in ("lead_in_sample", "lead_out_of_sample")
    }
    if not np.isnan(halves["lead_out_of_sample"]):
        yield Note("kept", {"size": size, **halves})


def _next(result: xr.Dataset) -> Iterator[Note]:
    code = {"better": "next_panel", "noise": "next_whole"}.get(str(result.attrs["conclusion"]))
    if code:
        yield Note(code)


def _lowest(result: xr.Dataset, figures: Floats, number: int) -> list[str]:
    lowest = np.sort(np.argsort(figures, kind="stable")[:number])
    return [str(name) for name in result["annotator"].values[lowest].tolist()]


def _answer_of_replacements(result: xr.Dataset) -> Iterator[Note]:
    spammer, names = result["with_spammer"].values, result["annotator"].values
    known = np.flatnonzero(~np.isnan(spammer))
    if not len(known):
        return
    low, high = known[np.argmin(spammer[known])], known[np.argmax(spammer[known])]
    values = {
        "with_spammer": float(spammer[known].mean()),
        "low": float(spammer[low]),
        "high": float(spammer[high]),
        "low_name": str(names[low]),
        "high_name": str(names[high]),
    }
    yield Note("spammer_costs", values)
    position = result["position"].values
    if not np.isnan(position).all():
        least = float(np.nanmin(position))
        nearest = _lowest(result, position, int(result.attrs["nearest_annotators"]))
        code = "nearest" if len(nearest) == 1 else "nearest_tied"
        if 1 < len(nearest) == len(names):
            code = "equally_near"
        yield Note(code, {"name": nearest[0], "names": nearest, "position": least})


def _sizes(result: xr.Dataset) -> Table:
    names = [_members(result, row) for row in result["best_members"].values]
    ends = both_ends(result, "gain_ci")
    decimals = decimals_for(np.ptp(ends, axis=1))
    heading = Note("interval_heading", confidence(result))
    column = FigureColumns(SIZES, result)
    columns = [
        Column("size", "Size", result["size"].values, "count"),
        Column("panel", "Best panel", names, "text", in_words=True),
        column("best", decimals=decimals),
        column("gain", decimals=decimals),
    ]
    if result.attrs["replicates"]:
        columns += [
            Column("gain_ci", heading, ends, "interval", decimals, 4, meaning=Note("gain_meaning")),
            column("gain_p_value", spare=1),
            column("lead_out_of_sample", decimals=decimals, spare=2),
            column("chosen", spare=6),
        ]
    columns += [
        column("mean", decimals=decimals, spare=7),
        column("worst", decimals=decimals, spare=8),
    ]
    caption = Note("sizes_caption")
    return column.table("sizes", columns, "size", caption)


def _annotators(result: xr.Dataset) -> Table:
    rows = result.isel(annotator=np.argsort(result["rank"].values, kind="stable"))
    decimals = decimals_for(np.ptp(both_ends(rows, "shapley_ci"), axis=1))
    column = FigureColumns(ANNOTATORS, rows, title=title(result))
    columns = [
        column.key("annotator", "Annotator"),
        column("shapley", decimals=decimals),
        *column.ends("shapley", decimals=decimals, spare=1),
        column("without", decimals=decimals),
    ]
    return column.table("annotators", columns, "annotator", Note("annotators_caption"))


def _panels(result: xr.Dataset, top: int) -> Table:
    figures, sizes = result["estimate"].values, result["size_of_panel"].values
    of_size = np.flatnonzero((sizes == result.attrs["size"]) & ~np.isnan(figures))
    order = of_size[np.argsort(-np.round(figures[of_size], 12), kind="stable")][:top]
    members = result["members"].values
    names = [str(name) for name in result["annotator"].values.tolist()]
    text = [", ".join(names[index] for index in np.flatnonzero(row)) for row in members]
    shown = {row: _members(result, members[row]) for row in order.tolist()}
    briefly = [shown.get(row, "") for row in range(len(members))]
    column = FigureColumns(PANELS, result)
    columns = [
        Column("panel", "Panel", briefly, "text", in_words=True),
        Column("members", "Members", text, "text", in_files=True),
        column("estimate"),
        column("items_of_panel", spare=1),
    ]
    caption = Note("panels_caption", {"size": int(result.attrs["size"])})
    few = len(of_size) < 2 or not top
    return column.table("panels", columns, "panel", caption, shown=order.tolist(), in_files=few)


def _replacements(result: xr.Dataset) -> Table:
    ends = both_ends(result, "spammer")
    expert = Note(f"expert_meaning_{result.attrs['expert']}")
    column = FigureColumns(
        REPLACED, result, draws=int(result.attrs["draws"]), low=0.025, high=0.975
    )
    columns = [
        column.key("annotator", "Annotator"),
        column("with_spammer"),
        Column("spammer", "Range", ends, "interval", spare=3),
        column("with_echo", spare=2),
        column("with_expert", spare=1, meaning=expert),
        column("position"),
    ]
    return column.table("what_if", columns, "annotator", Note("what_if_caption"), "annotators")


def _remarks(result: xr.Dataset, *, has_choice: bool) -> Iterator[Note]:
    if not has_choice:
        return
    yield Note("agreement_only")
    equal = result["size"].values[result["equal"].values > 0]
    if len(equal):
        yield Note("equal_panels", {"sizes": equal.tolist()})
    yield from drawn("drawn", result.attrs, "exchanges", "splits")


def _picture(result: xr.Dataset) -> Picture:
    values = {"title": title(result), "items": result.attrs["items"]}
    return Picture(
        "sizes",
        "points",
        _title_of_picture(result),
        Note("picture_of", {**values, "annotators": int(result.sizes["annotator"])}),
        result["size"].values.astype(str).astype(object),
        Note("picture_axis"),
        [
            Curve(Note("best_panel"), result["best"].values),
            Curve(Note("mean_panel"), result["mean"].values, "bound"),
        ],
        [Band(Note("all_panels"), result["worst"].values, result["best"].values)],
        [Mark(Note("everybody_line"), y=float(result["estimate_of_all"]))],
    )


def _title_of_picture(result: xr.Dataset) -> Note:
    code = str(result.attrs["conclusion"])
    values: dict[str, object] = {"title": title(result), "annotators": result.sizes["annotator"]}
    if code not in ("better", "noise"):
        return Note("picture", values)
    best = result["best_members"].sel(size=result.attrs["size"]).values
    return Note(f"picture_{code}", values | {"best": _members(result, best, first=True)})


PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("panels",): page,
    ("panels.what_if",): page_of_replacements,
    ("panels", "panels.what_if"): page,
}
