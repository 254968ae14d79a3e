"""The blocks of Prodigy's metric.iaa.span."""

from __future__ import annotations

import numpy as np
import xarray as xr

from iaa_jax.analyses.prodigy.declared import OF_SPANS
from iaa_jax.pages import Block, Column, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note

DECIMALS = 2
"""As in Prodigy's own tables, of shares in the confusion matrix."""


def answer_of(result: xr.Dataset) -> Note:
    """The micro-average, and the label with the lowest F1."""
    of_labels = result["label_f1"].values
    values: dict[str, object] = {"coincident": float(result["coincident_examples"])}
    match = Note(f"match_{result.attrs['match']}")
    micro = result.sel(average="micro")
    if int(micro["code"]):
        return Note("lead_no_f1", values | {"reason": str(micro["reason"].item())})
    ends = [float(micro["ci_low"]), float(micro["ci_high"])]
    known = {"confidence": result.attrs.get("confidence"), "ends": ends}
    lowest = int(np.nanargmin(of_labels))
    values |= {
        "match": match,
        "estimate": float(micro["estimate"]),
        "ends": Note("ends", known) if ends[0] < ends[1] else "",
        "lowest": str(result["label"].values[lowest]),
        "low": float(of_labels[lowest]),
        "gap": float(result["gap"]),
    }
    return Note("lead_f1", values)


def span_blocks(result: xr.Dataset, decimals: int, shown: int) -> list[Block]:
    """F1 of labels and its averages, and the confusion matrix."""
    return [_labels(result, decimals, shown), _averages(result, decimals), *_confusion(result)]


def _labels(result: xr.Dataset, decimals: int, shown: int) -> Table:
    column = FigureColumns(OF_SPANS, result)
    columns = [
        column.key("label", "Category"),
        column("label_f1", decimals=decimals),
        column("support"),
        column("label_gap", heading=Note("gap"), decimals=decimals, spare=2),
    ]
    if result.attrs["interval"]:
        columns.insert(2, intervals.column(result, "label_f1_ci", decimals=decimals, spare=1))
        columns.append(intervals.column(result, "label_gap_ci", decimals=decimals, spare=3))
    every = column.with_the_rest(columns, "label")
    return Table("labels", every, noun="labels", shown=shown)


def _averages(result: xr.Dataset, decimals: int) -> Table:
    """F1 in its averages; and the gap, with its own interval."""
    rows = result["average"].values.tolist()
    names = [*rows, "gap"]
    gap = {name: result[f"gap{name and '_'}{name}"].item() for name in ("", "ci_low", "ci_high")}
    ends = {name: np.append(result[name].values, gap[name]) for name in ("ci_low", "ci_high")}
    titles = [Note(f"average_{name}") for name in rows] + [Note("gap")]
    columns = [
        Column("average", "", names, "word", in_files=True),
        Column("title", "Average", titles, "word", in_words=True),
        Column("f1", "F1", np.append(result["estimate"].values, gap[""]), decimals=decimals),
    ]
    if result.attrs["interval"]:
        both = xr.Dataset({name: ("average", values) for name, values in ends.items()})
        columns.append(intervals.column(both.assign_attrs(result.attrs), decimals=decimals))
    figures = [name for name, each in result.data_vars.items() if each.dims == ("average",)]
    further = result[figures].drop_vars("estimate").reindex(average=names)
    every = FigureColumns(OF_SPANS, further).with_the_rest(columns, "average")
    return Table("averages", every, noun="averages")


def _confusion(result: xr.Dataset) -> list[Table]:
    """Shares of rows, and in files counts."""
    names = [str(name) for name in result["label_b"].values.tolist()]
    tables = []
    for key, kind in (("confusion_share", "estimate"), ("confusion", "count")):
        values, on_page = result[key].values, kind == "estimate"
        columns = [
            Column("label_a", "Label", names, "label"),
            *(
                Column(f"with_{name}", Note("labelled", {"label": name}), values[:, place])
                if on_page
                else Column(f"with_{name}", name, values[:, place], "count")
                for place, name in enumerate(names)
            ),
        ]
        if on_page:
            columns[1:] = [
                Column(
                    each.key, each.heading, each.values, "estimate", DECIMALS, brief=str(place + 1)
                )
                for place, each in enumerate(columns[1:])
            ]
        caption = Note("confusion") if on_page else ""
        notes = [Note("none_with_none", {"none": names[-1]})] if on_page else []
        tables.append(
            Table(key, columns, caption, "labels", notes=notes, whole=on_page, in_files=not on_page)
        )
    return tables
