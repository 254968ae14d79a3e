"""The page of Prodigy's own statistics and agreement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.prodigy.declared import LABELS, STATISTICS
from iaa_jax.analyses.prodigy.span_page import answer_of, span_blocks
from iaa_jax.catalog import short_title_of, title_of
from iaa_jax.measure.figures import FIGURES, SAID
from iaa_jax.measure.words import OF_FIGURES, OF_LABELS
from iaa_jax.pages import Block, Column, Page, Remarks, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import ratings_facts
from iaa_jax.wording import Note, load_notes

DECIMALS = 4
"""As in Prodigy's own tables."""

LABELS_SHOWN = 40


def page(result: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.prodigy`."""
    if "average" in result.dims:
        blocks: list[Block] = [ratings_facts(result.attrs), _statistics(result)]
        blocks += [*span_blocks(result, DECIMALS, LABELS_SHOWN), Remarks([*_remarks(result)])]
        answer = answer_of(result)
        return Page("Annotations and agreement", [answer], blocks, results={"": result})
    along_labels = "label" in result.dims
    blocks = [ratings_facts(result.attrs), _statistics(result)]
    blocks.append(_labels(result) if along_labels else _agreement(result))
    blocks.append(Remarks([*_remarks(result)]))
    answer = _lead_of_labels(result) if along_labels else _lead(result)
    return Page("Annotations and agreement", [answer], blocks, results={"": result})


def _lead(result: xr.Dataset) -> Note:
    figures = []
    for name in result["coefficient"].values.tolist():
        row = result.sel(coefficient=name)
        values: dict[str, object] = {"title": title_of(name), "estimate": float(row["estimate"])}
        ends = [float(row["ci_low"]), float(row["ci_high"])]
        known = {"confidence": result.attrs.get("confidence"), "ends": ends}
        values["ends"] = Note("ends", known) if ends[0] < ends[1] else ""
        values["reason"] = str(row["reason"].item())
        figures.append(Note("no_figure" if int(row["code"]) else "figure", values))
    return Note("lead", {"coincident": float(result["coincident_examples"]), "figures": figures})


def _lead_of_labels(result: xr.Dataset) -> Note:
    alpha = result["estimate"].sel(coefficient="krippendorff_alpha").values
    names = result["label"].values.tolist()
    values: dict[str, object] = {"coincident": float(result["coincident_examples"])}
    if np.isnan(alpha).all():
        return Note("lead_undefined", values)
    low, high = int(np.nanargmin(alpha)), int(np.nanargmax(alpha))
    values |= {"labels": len(names), "lowest": str(names[low]), "highest": str(names[high])}
    values |= {"low": float(alpha[low]), "high": float(alpha[high])}
    return Note("lead_labels" if len(names) > 1 else "lead_one_label", values)


def _statistics(result: xr.Dataset) -> Table:
    """How much was annotated, and how much of it by several."""
    names = [figure.name for figure in STATISTICS]
    figures = [float(result[name]) for name in names]
    titles = [Note(name) for name in names]
    columns = [
        Column("statistic", "", names, "word", in_files=True),
        Column("attribute", "Attribute", titles, "word", in_words=True),
        Column("value", "Value", figures, "short", meaning=Note("rows_and_inputs")),
    ]
    return Table("statistics", columns, noun="statistics")


def _agreement(result: xr.Dataset) -> Table:
    """The three coefficients."""
    column = FigureColumns(FIGURES, result)
    names = result["coefficient"].values.tolist()
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Statistic", [title_of(name) for name in names], "word", in_words=True),
        column("estimate", heading="Value", decimals=DECIMALS),
    ]
    if result.attrs["interval"]:
        columns.append(intervals.column(result, decimals=DECIMALS))
        columns.append(column("standard_error", decimals=DECIMALS, spare=3))
    for name, spare in (("observed", 1), ("expected", 2)):
        columns.append(column(name, decimals=DECIMALS, spare=spare))
    every = column.with_the_rest(columns, "coefficient", SAID)
    return Table("agreement", every, noun="coefficients")


def _labels(result: xr.Dataset) -> Table:
    """The coefficients of each label, in the order of the labels."""
    column = FigureColumns(LABELS, result)
    columns = [
        replace(column.key("label", "Label"), meaning=Note("of_each_label")),
        column("present_ratings", spare=4),
        column("present_items", spare=4),
    ]
    for position, name in enumerate(result["coefficient"].values.tolist()):
        figures, heading = result.sel(coefficient=name), short_title_of(name)
        values = figures["estimate"].values
        columns.append(Column(name, heading, values, "estimate", DECIMALS))
        if result.attrs["interval"]:
            spare = (2, 1, 3)[position]  # that of alpha goes last
            key = f"{name}_ci"
            columns.append(intervals.column(figures, decimals=DECIMALS, key=key, spare=spare))
    every = column.with_the_rest(columns, "label")
    return Table("labels", every, noun="labels", shown=LABELS_SHOWN)


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    if "average" not in result.dims:
        yield Note("nominal")
    for note in load_notes(result.attrs["notes"]):
        if note.code in OF_FIGURES and note.about:
            titles = [title_of(name) for name in note.about]
            yield Note("of_figures", {"titles": titles, "note": note})
        else:
            yield note
    yield from intervals.description(result.attrs)


FURTHER_WORDS = (OF_LABELS,)

PAGES = {("prodigy",): page}
"""Results that have a page of their own."""
