"""The pages about missing ratings and about weighted items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.missing.declared import CURVE, GROUPS
from iaa_jax.measure.options.label_options import UNSAID
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
    intervals,
)
from iaa_jax.pages.blocks import Text, spread
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import both_ends, confidence, ends_of, title
from iaa_jax.pages.ratings import measured_facts
from iaa_jax.pages.records import counts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for

SHOWN = 11

_FILLED = ("filled", "holds", "tips", "fails")
"""Conclusions of results with filled gaps."""

_WHOSE = "whose_gaps"
"""Code of the note on the annotator with most of the gaps; it is a part of the answer."""


def page(result: xr.Dataset | None, weighted: xr.Dataset | None = None) -> Page:
    """Return the page of `iaa_jax.missing`, of `missing.inverse_probability`, or of both."""
    results = {"missing": result, "inverse_probability": weighted}
    known = {name: each for name, each in results.items() if each is not None}
    first = next(iter(known.values()))
    answer: list[Note] = []
    blocks: list[Block] = [measured_facts(first, UNSAID)]
    remarks: list[Note] = []
    if result is not None:
        answer += _answer(result)
        if result.attrs["conclusion"] in _FILLED:
            blocks += [_bounds(result), _curve(result), _picture(result)]
        remarks += intervals.made_as_usual("as_rated", result.attrs["as_rated_interval"])
    if weighted is not None:
        answer.append(_answer_of_weights(weighted))
        if "group" in weighted.dims:
            blocks.append(_groups(weighted))
        if weighted.attrs["conclusion"] == "weighted":
            items = {name: float(weighted[f"{name}_items"]) for name in ("rated", "effective")}
            remarks.append(Note("effective", items))
        remarks.append(Note("within_groups"))
        remarks += intervals.made_as_usual("unweighted", weighted.attrs["unweighted_interval"])
    for each in known.values():
        notes = [note for note in load_notes(each.attrs["notes"]) if note not in remarks]
        answer += [note for note in notes if note.code == _WHOSE]
        remarks += [note for note in notes if note.code != _WHOSE]
    if result is not None and result.attrs["conclusion"] in _FILLED:
        remarks.append(Note("not_seen"))
    blocks.append(Remarks(remarks))
    single = len(known) == 1
    return Page("Missing ratings", answer, blocks, results={"": first} if single else known)


def page_of_weights(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.missing.inverse_probability`."""
    return page(None, result)


def _ends(result: xr.Dataset, name: str = "") -> Text:
    ends = ends_of(result, name)
    return "" if np.isnan(ends).any() else Note("ends", {**confidence(result), "ends": ends})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    code, claim = str(result.attrs["conclusion"]), str(result.attrs["claim"])
    curve = result["ci_low" if claim == "low" else "estimate"].values
    values: dict[str, object] = {
        "title": title(result),
        "estimate": float(result["as_rated"]),
        "ends": _ends(result, "as_rated"),
        "above": float(result.attrs["above"]),
        "gaps": int(result["gaps"]),
        "share": float(result["missing_share"]),
        "agreeing": float(curve[0]),
        "random": float(curve[-1]),
    }
    if code in ("complete", "undefined"):
        yield Note(code, values)
        return
    yield Note(f"claim_{claim}" if claim else "as_rated_alone", values)
    values["what"] = Note("lower_end" if claim == "low" else "figure")
    extreme = float(result["greatest" if claim == "below" else "least"])
    values["beyond"] = Note("beyond", {"found": extreme}) if result.attrs["extremes_cross"] else ""
    if code == "tips":
        delta = float(result["tipping_low" if claim == "low" else "tipping_estimate"])
        values["how"] = Note("at_random" if delta >= 0 else "agree")
        values["delta"] = abs(delta)
    yield Note(code, values)


def _bounds(result: xr.Dataset) -> Facts:
    pairs = {end: float(result[f"pairs_{end}"]) for end in ("least", "greatest")}
    rows: list[tuple[Text, Text]] = [("Equal pairs", Note("pairs", pairs))]
    extremes = {end: float(result[end]) for end in ("least", "greatest")}
    if not np.isnan([*extremes.values()]).any():
        rows.insert(0, ("Extremes", Note("extremes", extremes)))
    return Facts(rows)


def _curve(result: xr.Dataset) -> Table:
    delta = result["delta"].values
    kinds = np.where(delta < 0, "agreeing", np.where(delta > 0, "random", "like")).tolist()
    names = [
        Note(f"kind_{kind}", {"share": abs(share)})
        for kind, share in zip(kinds, delta.tolist(), strict=True)
    ]
    ends = both_ends(result, "ci")
    decimals = decimals_for(ends[:, 1] - ends[:, 0])
    attrs = result.attrs
    made = Note("curve_meaning", {name: attrs[name] for name in ("imputations", "seed")})
    heading = Note("interval_heading", confidence(result))
    column = FigureColumns(CURVE, result)
    columns = [
        Column(
            "missing", "Missing ratings", names, "text", in_words=True, meaning=Note("kind_meaning")
        ),
        Column("delta", "Delta", delta, "signed", 1, 2),
        column("estimate", decimals=decimals),
        Column("ci", heading, ends, "interval", decimals, 1, meaning=made),
    ]
    rows = spread(len(delta), SHOWN)
    return column.table("delta", columns, "delta", Note("curve_caption"), "values of delta", rows)


def _picture(result: xr.Dataset) -> Picture:
    above = float(result.attrs["above"])
    values = {"title": title(result), "items": result.attrs["items"]}
    return Picture(
        "missing",
        "lines",
        Note("picture", values),
        Note("picture_of", {**values, "share": float(result["missing_share"])}),
        result["delta"].values,
        Note("picture_axis"),
        [Curve("estimate", result["estimate"].values)],
        [Band("interval", result["ci_low"].values, result["ci_high"].values)],
        [] if np.isnan(above) else [Mark(Note("level_line", {"above": above}), y=above)],
    )


def _answer_of_weights(result: xr.Dataset) -> Note:
    values = {
        "title": title(result),
        "estimate": float(result["estimate"]),
        "ends": _ends(result),
        "unweighted": float(result["unweighted"]),
        "plain_ends": _ends(result, "unweighted"),
    }
    return Note(str(result.attrs["conclusion"]), values)


def _groups(result: xr.Dataset) -> Table:
    column = FigureColumns(GROUPS, result)
    numbers = [column(name) for name in ("items", "rated")]
    columns = [
        column.key("group", "Group"),
        *(replace(number, values=counts(np.asarray(number.values))) for number in numbers),
        column("probability"),
    ]
    return column.table("groups", columns, "group", Note("groups_caption"))


PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("missing",): page,
    ("missing.inverse_probability",): page_of_weights,
    ("missing", "missing.inverse_probability"): page,
}
