"""The page of variance components."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax.analyses.plan.declared import COMPONENTS, FORECASTS, MEANS
from iaa_jax.analyses.plan.words import OF_VARIANCE
from iaa_jax.catalog import title_of
from iaa_jax.pages import Block, Column, Curve, Facts, Mark, Page, Picture, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.variance`."""
    attrs = result.attrs
    notes = load_notes(attrs["notes"])
    answer = [_in_short(note) for note in notes if note.code in OF_VARIANCE]
    remarks = [note for note in notes if note.code not in OF_VARIANCE]
    title = title_of(str(attrs["coefficient"]))
    assumed = Note("variance_assumed", {"confidence": attrs["confidence"], "title": title})
    distance = Note("distance", {"name": attrs["distance"]})
    divided = "next_divided" if attrs["conclusion"] == "out_of_reach" else "next_annotators"
    steps = [] if attrs["conclusion"] == "nothing_varies" else [Note(divided)]
    blocks: list[Block] = [
        Facts([("Disagreement", distance), *short_facts(attrs).rows]),
        _components(result),
        _annotators(result),
        *_pictures(result),
        _designs(result),
        Remarks([*remarks, assumed, *steps]),
    ]
    return Page("Variance components", answer, blocks, results={"": result})


def _in_short(note: Note) -> Note:
    if "annotators" not in note.values:
        return note
    annotators = round(float(str(note.values["annotators"])), 1)
    return Note(note.code, {**note.values, "annotators": annotators})


def _components(result: xr.Dataset) -> Table:
    decimals = decimals_for(result["standard_error"].values)
    column = FigureColumns(COMPONENTS, result)
    columns = [
        column.key("component", "Between"),
        column("variance", decimals=decimals),
        column("share"),
        column("standard_error", decimals=decimals),
    ]
    return column.table("components", columns, "component", "Variance of a rating")


def _annotators(result: xr.Dataset) -> Table:
    decimals = decimals_for(result["absolute_error"].values)
    column = FigureColumns(MEANS, result)
    columns = [
        Column("annotators", "Annotators", result["annotators"].values, "count"),
        column("generalizability"),
        column("dependability"),
        column("relative_error", decimals=decimals, spare=2),
        column("absolute_error", decimals=decimals, spare=1),
    ]
    caption = "Averaged over several annotators"
    return column.table("annotators", columns, "annotators", caption, "rows")


def _pictures(result: xr.Dataset) -> Iterator[Picture]:
    names = ("dependability", "generalizability")
    curves = [
        Curve(Note(f"picture_{name}"), result[name].values)
        for name in names
        if np.isfinite(result[name].values).any()
    ]
    annotators = result["annotators"].values.astype(np.float64)
    if not curves or len(annotators) < 2:
        return
    marks = [Mark(Note("picture_dependable"), y=float(result.attrs["target"]))]
    title, axis = Note("picture_variance"), Note("picture_annotators_axis")
    yield Picture("dependability", "lines", title, "", annotators, axis, curves, marks=marks)


def _designs(result: xr.Dataset) -> Table:
    rows = one_by_one(result)
    column = FigureColumns(FORECASTS, rows)
    own_costs = (result.attrs["cost_item"], result.attrs["cost_rating"]) != (0.0, 1.0)
    decimals = decimals_for(result["mean_error"].values.flat)
    columns = [
        Column("items", "Items", rows["items"].values, "count"),
        Column("annotators", "Annotators", rows["annotators"].values, "count"),
        column("half_width"),
        column("mean_error", decimals=decimals, spare=2),
        column("ratings", spare=1),
        column("cost", in_files=not own_costs),
    ]
    return column.table("designs", columns, "design", "Designs")


def one_by_one(result: xr.Dataset) -> xr.Dataset:
    """Return variables of designs (numbers of items and annotators), one row per design."""
    dims = ("items", "annotators")
    of_designs = [name for name, variable in result.data_vars.items() if variable.dims == dims]
    return result[of_designs].stack(design=dims, create_index=False)
