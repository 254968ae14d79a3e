"""The page of variance components."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.plan.declared import COMPONENTS, FORECASTS, MEANS
from iaa_jax.analyses.plan.words import OF_VARIANCE, WORDS
from iaa_jax.catalog import title_of
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table, column_of
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.wording import Note, joined, load_notes
from iaa_jax.wording.figures import by_name
from iaa_jax.wording.formats import decimals_for

_COMPONENT, _MEAN, _FORECAST = map(by_name, (COMPONENTS, MEANS, FORECASTS))

ALL_WORDS = joined(RATINGS, OF_FIGURES, OF_RESULTS, WORDS)


def page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.variance`."""
    attrs = result.attrs
    notes = load_notes(attrs["notes"])
    answer = [_in_short(note) for note in notes if note.code in OF_VARIANCE]
    remarks = [note for note in notes if note.code not in OF_VARIANCE]
    title = title_of(str(attrs["coefficient"]))
    assumed = Note("variance_assumed", {"confidence": attrs["confidence"], "title": title})
    distance = Note("distance", {"name": attrs["distance"]})
    blocks: list[Block] = [
        Facts([("Disagreement", distance), *short_facts(attrs).rows]),
        _components(result),
        _annotators(result),
        _designs(result),
        Remarks([*remarks, assumed, *_next(str(attrs["conclusion"]))]),
    ]
    return Page("Variance components", answer, blocks, ALL_WORDS, {"": result})


def _in_short(note: Note) -> Note:
    """With the mean number of annotators to one decimal."""
    if "annotators" not in note.values:
        return note
    annotators = round(float(str(note.values["annotators"])), 1)
    return Note(note.code, {**note.values, "annotators": annotators})


def _next(conclusion: str) -> list[Note]:
    divided = Note("next_divided") if conclusion == "out_of_reach" else Note("next_annotators")
    return [] if conclusion == "nothing_varies" else [divided]


def _components(result: xr.Dataset) -> Table:
    error = result["standard_error"].values
    decimals = decimals_for(error)
    columns = [
        Column("component", "Between", result["component"].values, "label"),
        replace(column_of(_COMPONENT["variance"], result["variance"].values), decimals=decimals),
        column_of(_COMPONENT["share"], result["share"].values),
        replace(
            column_of(_COMPONENT["standard_error"], error),
            decimals=decimals,
            meaning=Note("component_error"),
        ),
        *(
            replace(column_of(_COMPONENT[name], result[name].values), in_files=True)
            for name in ("error_from_items", "error_from_annotators")
        ),
    ]
    return Table("components", columns, "Variance of a rating", "components")


def _annotators(result: xr.Dataset) -> Table:
    relative, absolute = result["relative_error"].values, result["absolute_error"].values
    decimals = decimals_for(absolute)
    columns = [
        Column("annotators", "Annotators", result["annotators"].values, "count"),
        column_of(_MEAN["generalizability"], result["generalizability"].values),
        column_of(_MEAN["dependability"], result["dependability"].values),
        replace(
            column_of(_MEAN["relative_error"], relative),
            decimals=decimals,
            spare=2,
            meaning=Note("relative_meaning"),
        ),
        replace(
            column_of(_MEAN["absolute_error"], absolute),
            decimals=decimals,
            spare=1,
            meaning=Note("absolute_meaning"),
        ),
    ]
    return Table("annotators", columns, "The mean of several annotators", "rows")


def _designs(result: xr.Dataset) -> Table:
    dims = ("items", "annotators")
    rows, columns = np.indices([result.sizes[dim] for dim in dims]).reshape(2, -1)

    def column(name: str) -> Column:
        return column_of(_FORECAST[name], result[name].values[rows, columns])

    own_costs = (result.attrs["cost_item"], result.attrs["cost_rating"]) != (0.0, 1.0)
    decimals = decimals_for(result["mean_error"].values.flat)
    table = [
        Column("items", "Items", result["items"].values[rows], "count"),
        Column("annotators", "Annotators", result["annotators"].values[columns], "count"),
        column("half_width"),
        replace(column("mean_error"), decimals=decimals, spare=2),
        replace(column("ratings"), spare=1),
        replace(column("cost"), in_files=not own_costs),
    ]
    return Table("designs", table, "Designs", "designs")
