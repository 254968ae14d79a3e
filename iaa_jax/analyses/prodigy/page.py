"""Make the page of Prodigy's statistics and agreement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.prodigy.declared import AVERAGES, LABELS, OF_SPANS, STATISTICS
from iaa_jax.catalog import short_title_of, title_of
from iaa_jax.measure.figures import FIGURES, SAID
from iaa_jax.measure.words import OF_FIGURES, OF_LABELS
from iaa_jax.pages import Block, Column, Page, Remarks, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import ratings_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.figures import Kind

DECIMALS = 4
"""Number of decimals, as in Prodigy's tables."""

LABELS_SHOWN = 40
"""Maximum number of labels in a table on the page."""

_MATRICES: tuple[tuple[str, Kind], ...] = (("confusion_share", "estimate"), ("confusion", "count"))


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.prodigy`."""
    if "average" in result.dims:
        answer = _lead_of_spans(result)
        tables = [_f1_of_labels(result), _averages(result), *_confusion(result)]
    elif "label" in result.dims:
        answer, tables = _lead_of_labels(result), [_labels(result)]
    else:
        answer, tables = _lead(result), [_agreement(result)]
    blocks: list[Block] = [ratings_facts(result.attrs), _statistics(result), *tables]
    blocks.append(Remarks([*_remarks(result)]))
    return Page("Annotations and agreement", [answer], blocks, results={"": result})


def _lead(result: xr.Dataset) -> Note:
    figures = []
    for name in result["coefficient"].values.tolist():
        row = result.sel(coefficient=name)
        values = {"title": title_of(name), **_figure(row)}
        figures.append(Note("no_figure" if int(row["code"]) else "figure", values))
    return Note("lead", {"coincident": float(result["coincident_examples"]), "figures": figures})


def _figure(row: xr.Dataset) -> dict[str, object]:
    ends = [float(row["ci_low"]), float(row["ci_high"])]
    known = {"confidence": row.attrs.get("confidence"), "ends": ends}
    return {
        "estimate": float(row["estimate"]),
        "ends": Note("ends", known) if ends[0] < ends[1] else "",
        "reason": str(row["reason"].item()),
    }


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
    figures = [float(result[figure.name]) for figure in STATISTICS]
    titles = [figure.heading for figure in STATISTICS]
    columns = [
        Column("statistic", "", [figure.name for figure in STATISTICS], "word", in_files=True),
        Column("attribute", "Attribute", titles, "word", in_words=True),
        Column("value", "Value", figures, "short", meaning=Note("rows_and_inputs")),
    ]
    return Table("statistics", columns, noun="statistics")


def _agreement(result: xr.Dataset) -> Table:
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
    return column.table("agreement", columns, "coefficient", noun="coefficients", beside=SAID)


def _labels(result: xr.Dataset) -> Table:
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
            spare = (2, 1, 3)[position]  # alpha's interval is the last that a narrow page drops
            key = f"{name}_ci"
            columns.append(intervals.column(figures, decimals=DECIMALS, key=key, spare=spare))
    return column.table("labels", columns, "label", shown=LABELS_SHOWN)


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


def _lead_of_spans(result: xr.Dataset) -> Note:
    micro = result.sel(average="micro")
    values = {"coincident": float(result["coincident_examples"]), **_figure(micro)}
    if int(micro["code"]):
        return Note("lead_no_f1", values)
    of_labels = result["label_f1"].values
    lowest = int(np.nanargmin(of_labels))
    values |= {
        "match": Note(f"match_{result.attrs['match']}"),
        "lowest": str(result["label"].values[lowest]),
        "low": float(of_labels[lowest]),
        "gap": float(result["gap"]),
    }
    return Note("lead_f1", values)


def _f1_of_labels(result: xr.Dataset) -> Table:
    column = FigureColumns(OF_SPANS, result)
    columns = [
        column.key("label", "Category"),
        column("label_f1", decimals=DECIMALS),
        column("support"),
        column("label_gap", heading=Note("gap"), decimals=DECIMALS, spare=2),
    ]
    if result.attrs["interval"]:
        columns.insert(2, intervals.column(result, "label_f1_ci", decimals=DECIMALS, spare=1))
        columns.append(intervals.column(result, "label_gap_ci", decimals=DECIMALS, spare=3))
    return column.table("labels", columns, "label", shown=LABELS_SHOWN)


def _averages(result: xr.Dataset) -> Table:
    """Return the table of averages of F1, with the gain from partial matching in the last row."""
    names = [*result["average"].values.tolist(), "gap"]
    figures = [name for name, each in result.data_vars.items() if each.dims == ("average",)]
    rows = result[figures].reindex(average=names)
    for key, name in (("estimate", "gap"), ("ci_low", "gap_ci_low"), ("ci_high", "gap_ci_high")):
        rows[key].loc[{"average": "gap"}] = result[name].item()
    column = FigureColumns(AVERAGES, rows)
    columns = [
        Column("average", "", names, "word", in_files=True),
        Column("title", "Average", [Note(f"average_{x}") for x in names], "word", in_words=True),
        replace(column("estimate", decimals=DECIMALS), key="f1"),
    ]
    if result.attrs["interval"]:
        columns.append(intervals.column(rows, decimals=DECIMALS))
    return FigureColumns(OF_SPANS, rows.drop_vars("estimate")).table("averages", columns, "average")


def _confusion(result: xr.Dataset) -> Iterator[Table]:
    names = [str(name) for name in result["label_b"].values.tolist()]
    shares, counts = (
        [
            Column(f"with_{name}", Note("labelled", {"label": name}), values, kind, 2, brief=str(k))
            for k, (name, values) in enumerate(zip(names, result[key].values.T, strict=True), 1)
        ]
        for key, kind in _MATRICES
    )
    labels = Column("label_a", "Label", names, "label")
    notes = [Note("none_with_none", {"none": names[-1]})]
    yield Table(
        "confusion_share", [labels, *shares], Note("confusion"), "labels", notes=notes, whole=True
    )
    yield Table("confusion", [labels, *counts], "", "labels", in_files=True)


FURTHER_WORDS = (OF_LABELS,)

PAGES = {("prodigy",): page}
