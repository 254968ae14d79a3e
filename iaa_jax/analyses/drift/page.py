"""The page of agreement over time."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.drift.declared import CUTS, FINDINGS, POINTS, SIDES
from iaa_jax.analyses.drift.words import FURTHER, VERDICT
from iaa_jax.catalog import title_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.options.sampling import sampling_from
from iaa_jax.measure.shared.times import ORDER
from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.pages import (
    Band,
    Block,
    Column,
    Curve,
    Facts,
    Mark,
    Page,
    Picture,
    Remarks,
    Table,
    Text,
    intervals,
)
from iaa_jax.pages.annotators_by_part import PART_WORDS, annotators_by_part
from iaa_jax.pages.blocks import spread
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import ends_of
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.wording import Note, formats, load_notes
from iaa_jax.wording.figures import Kind
from iaa_jax.wording.formats import decimals_for
from iaa_jax.wording.times import later_on

POINTS_SHOWN = 12
BATCHES_SHOWN = 40

_STEPS = ("step", "step_as_seen")
_FINDINGS = (*_STEPS, "trend", "deviation")


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.drift`."""
    notes = load_notes(result.attrs["notes"])
    (times,) = (note for note in notes if note.code == "times_read")
    on_findings = (*VERDICT, *FURTHER)
    others = [note for note in notes if note.code not in (*on_findings, _WHO) and note is not times]
    blocks: list[Block] = [_facts(result, times), _points(result)]
    if "stretch" in result.dims:
        kind: Kind = "label" if result["stretch"].dtype.kind == "O" else "time"
        heading = "Batch" if result.attrs["kind"] == "batches" else "From"
        blocks += annotators_by_part(result, "stretch", heading, kind)
    blocks += _further(result)
    blocks.append(Remarks([*_details(result, notes), *_remarks(result, others), *_next(notes)]))
    if np.isfinite(result["estimate"].values).sum() > 1:
        blocks.append(_picture(result, notes))
    by = str(result.attrs["by"])
    dates = result["point"].dtype.kind == "M"
    over_time = "agreement_over_column" if dates else "agreement_by"
    title = Note("agreement_over_time" if by in ("time", ORDER) else over_time, {"by": by})
    return Page(title, [*_answer(result, notes)], blocks, results={"": result})


def _answer(result: xr.Dataset, notes: Sequence[Note]) -> Iterator[Note]:
    """Yield the verdict, a caution on label frequencies, and who rated when."""
    title = {"title": title_of(result.attrs["coefficient"])}
    further = _further_findings(notes)
    for note in [note for note in notes if note.code in VERDICT and note not in further]:
        either = note.code == "either"
        yield Note("either_of", {**note.values, **title}) if either else note
    if any(note.code == "labels_differ" for note in notes):
        changes = result.attrs["conclusion"] not in ("no_drift", "two_alike", "untested")
        yield Note("rates_differ" if changes else "rates_differ_alone")
    yield from (note for note in notes if note.code == _WHO)


def _further_findings(notes: Sequence[Note]) -> list[Note]:
    """Return the findings besides the leading one."""
    return [note for note in notes if note.code in _FINDINGS][1:]


def _details(result: xr.Dataset, notes: Sequence[Note]) -> Iterator[Note]:
    for note in _further_findings(notes):
        moves = note.values.get("moves")
        code = f"straight_{moves.code}" if isinstance(moves, Note) else note.code
        yield Note(code, note.values)
    yield from (note for note in notes if note.code in FURTHER)
    for note in notes:
        if note.code not in _STEPS:
            continue
        if "place" in note.values:
            confidence = {"confidence": float(result.attrs["confidence"])}
            yield Note("step_place", {"place": note.values["place"], **confidence})
        # standard errors of 0 (all ratings agree) are not printed
        if all(note.values[f"{side}_standard_error"] for side in ("before", "after")):
            yield Note("step_errors", note.values)


_WHO = "who_rated"

FURTHER_WORDS = (PART_WORDS,)

_NEXT = {
    "step": "next_at",
    "step_as_seen": "next_at",
    "deviation": "next_where",
    "trend": "next_trend",
    "unclear": "next_trend",
    "two_differ": "next_two_differ",
    "two_alike": "next_two_alike",
    "no_drift": "next_none",
}


def _next(notes: Sequence[Note]) -> Iterator[Note]:
    if any(note.code == "trend_bounds" and note.values["wide"] for note in notes):
        yield Note("next_wide")
        return
    codes = [(_NEXT[note.code], note) for note in notes if note.code in _NEXT]
    yield from (Note(code, _dated(note)) for code, note in codes[:1])


def _dated(note: Note) -> dict[str, object]:
    """Return the values of a note, with its time in words (such as "on" a date)."""
    at = note.values.get("at")
    return {**note.values, "when": later_on("when", at) if isinstance(at, Note) else ""}


def _facts(result: xr.Dataset, times: Note) -> Facts:
    ends = ends_of(result, "overall")
    overall = Note(
        "all_items",
        {
            "estimate": float(result["overall"]),
            "ends": "" if math.isnan(ends[0]) else Note("ends", {"ends": ends}),
        },
    )
    return measured_facts(result, UNSAID, ("By", times), ("All items", overall))


def _points(result: xr.Dataset) -> Table:
    attrs = result.attrs
    batches, names = attrs["kind"] == "batches", result["point"].values
    known = np.flatnonzero(np.isfinite(result["estimate"].values))
    candidates = np.arange(len(names)) if batches or not len(known) else known
    items = result["effective_items"].values.round()
    if batches:
        # of too many batches, the largest are shown
        largest = np.argsort(-items, kind="stable")[:BATCHES_SHOWN]
        rows_shown = np.sort(largest).tolist()
    else:
        rows_shown = spread(len(candidates), POINTS_SHOWN)
    decimals = decimals_for(result["standard_error"].values)
    as_typed = {"reach": float(f"{attrs['bandwidth']:.4g}")}
    around = None if batches else Note("around", {"within": _within(attrs), **as_typed})
    kind: Kind = "label" if names.dtype.kind == "O" else "time"
    worth = None if batches else Note("worth")
    column = FigureColumns(POINTS, result)
    columns = [
        *_places(result, kind, around),
        Column("items", "Items", items, "count", spare=2, meaning=worth),
        column("estimate", decimals=decimals),
    ]
    cut = Note("band_cut", {"count": attrs["band_cut"]}) if attrs.get("band_cut") else ""
    points = {"points": len(names), "point": Note("batches" if batches else "windows"), "cut": cut}
    for name, code, spare, meaning in (
        ("ci", "here", 1, None),
        ("band", "everywhere", 4, Note("band_meaning", points)),
    ):
        ends = intervals.column(result, name, decimals, heading=code, spare=spare)
        if np.isfinite(np.asarray(ends.values, dtype=np.float64)).any():
            columns.append(replace(ends, meaning=meaning))
    drawn = [result[name].values for name in ("estimate", "ci_low", "ci_high")]
    overall = np.full(len(names), float(result["overall"]))
    spans = np.column_stack([*drawn, overall])
    columns.append(Column("drawn", "Bars", spans, "span", spare=3, meaning=Note("bars")))
    noun: Text = "batches" if batches else "windows"
    if batches and len(rows_shown) < len(names):
        noun = Note("most_items")
    shown = candidates[rows_shown].tolist()
    return column.table("points", columns, "point", noun=noun, shown=shown)


def _places(result: xr.Dataset, kind: Kind, around: Note | None) -> Iterator[Column]:
    """Yield columns of batches, or of windows' centres (item positions are rounded on pages)."""
    names, of_items = result["point"].values, result.attrs["unit"] == "item"
    heading = "Around" if result.attrs["kind"] != "batches" else "Batch"
    if of_items and heading == "Around":
        yield Column("around", "Around item", _names(result), "word", in_words=True, meaning=around)
    yield Column("point", heading, names, kind, meaning=around, in_files=of_items)


def _within(attrs: Attributes) -> Note:
    code = "within_units" if attrs["unit"] == "day" else "within_values"
    code = "within_items" if attrs["unit"] == "item" else code
    return Note(code, {"reach": attrs["bandwidth"], "unit": attrs["unit"], "by": attrs["by"]})


def _further(result: xr.Dataset) -> Iterator[Table]:
    for axis, figures in (("cut", CUTS), ("annotator", SIDES), ("label", SIDES)):
        yield from FigureColumns(figures, result).further(axis)
    yield from FigureColumns(FINDINGS, result).further("finding", always=False)


def _remarks(result: xr.Dataset, notes: Sequence[Note]) -> Iterator[Note]:
    yield from _without_figure(result)
    yield from intervals.description(result.attrs)
    if result.attrs["permutations"] and not math.isnan(float(result["p_value"])):
        yield from _tests(result, load_notes(result.attrs["notes"]))
    title = title_of(result.attrs["coefficient"])
    for note in notes:
        if note.code == "nothing_disagrees":
            yield _agreeing(note, result)
            continue
        named = note.code in OF_FIGURES
        yield Note("about", {"title": title, "note": note}) if named else note


def _agreeing(note: Note, result: xr.Dataset) -> Note:
    """Return a note on where there is no disagreement: in a batch, or around a time."""
    where = note.values["where"]
    if isinstance(where, Note) and result.attrs["kind"] != "batches":
        where = Note("unanimous_around", where.values)
    there = " there" if isinstance(where, Note) else ""
    return Note(note.code, {"where": where, "there": there}, note.level)


def _without_figure(result: xr.Dataset) -> Iterator[Note]:
    names = _names(result)
    reasons: dict[str, list[str]] = {}
    for name, reason in zip(names, result["reason"].values.tolist(), strict=True):
        if reason:
            reasons.setdefault(reason, []).append(name)
    code = "batches_without" if result.attrs["kind"] == "batches" else "windows_without"
    for reason, where in reasons.items():
        yield Note(code, {"count": len(where), "names": where, "reason": reason})


def _names(result: xr.Dataset) -> list[str]:
    values = result["point"].values
    if result.attrs["unit"] == "item" and values.dtype.kind == "f":
        return [formats.number(value, 0) for value in values.tolist()]
    return values.tolist() if values.dtype.kind == "O" else formats.times(values)


def _tests(result: xr.Dataset, notes: Sequence[Note]) -> Iterator[Note]:
    """Yield notes on what p allows for and assumes."""
    codes = [note.code for note in notes]
    together = [note for note in notes if note.code in ("no_drift", "unclear")]
    if together:
        yield Note("tested_together", {"tests": together[0].listed("tests")})
    elif set(codes).intersection(_FINDINGS):
        yield Note("tested_each")
    if sampling_from(result.attrs).cluster is None:
        in_order = result.attrs["by"] == ORDER
        cluster = {"cluster": "NAME"}
        yield Note("independent_in_order", cluster) if in_order else Note("items_independent")
    if set(codes).intersection(_STEPS) and result.sizes["cut"] > 1:
        yield Note("step_tried", {"cuts": result.sizes["cut"]})


def _picture(result: xr.Dataset, notes: Sequence[Note]) -> Picture:
    """Return the picture of local estimates, with a step if found."""
    attrs = result.attrs
    batches, points = attrs["kind"] == "batches", result["point"].values
    confidence = {"confidence": attrs["confidence"]}
    bands = [
        Band(Note(code, confidence), result[f"{name}_low"].values, result[f"{name}_high"].values)
        for name, code in (("band", "band"), ("ci", "interval"))
    ]
    marks = [Mark("all items", y=float(result["overall"]))]
    title = Note("picture", {"title": title_of(attrs["coefficient"]), "by": attrs["by"]})
    for note in notes:
        if note.code not in ("step", "step_as_seen", "two_differ"):
            continue
        if note.code == attrs["conclusion"] == "step":
            title = Note("picture_step", _dated(note))
        change: float | np.datetime64 = result["change_at"].values.flat[0]
        where = int(np.flatnonzero(points == change)[0]) - 0.5 if batches else change
        sides = {side: float(result[f"change_{side}"]) for side in ("before", "after")}
        marks.append(Mark(Note("step_mark", sides), x=where))
    files = [PurePath(name).name for name in json.loads(attrs.get("files", "[]"))]
    source = Note("picture_files", {"files": files}) if files else ""
    return Picture(
        "course",
        "points" if batches else "lines",
        title,
        Note("picture_of", {"files": source, "items": attrs["items"]}),
        np.array(_names(result), dtype=object) if batches else points,
        Note("picture_by", {"by": attrs["by"]}),
        [Curve("estimate", result["estimate"].values)],
        bands,
        marks,
    )


PAGES = {("drift",): page}
