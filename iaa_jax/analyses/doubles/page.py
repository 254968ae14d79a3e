"""The pages on secondary labels: a sweep over p (the share of primary labels), items, patterns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import PurePath

import numpy as np
import xarray as xr

from iaa_jax.analyses.doubles import declared
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
    column_of,
    intervals,
)
from iaa_jax.pages.blocks import spread
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import confidence, ends_of, title
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.figures import Figure, by_name
from iaa_jax.wording.formats import decimals_for

POINTS_SHOWN = 11
ITEMS_SHOWN = 20
POINTS_IN_COLUMNS = 3
"""Maximum number of values of p at which items, patterns and label pairs are shown."""


def page(
    curve: xr.Dataset,
    classes: xr.Dataset | None = None,
    items: xr.Dataset | None = None,
    patterns: xr.Dataset | None = None,
    label_pairs: xr.Dataset | None = None,
) -> Page:
    """Return the page of a result of `iaa_jax.sweep`, with further results on the same ratings."""
    per_label = "label" in curve.dims
    facts = Facts([*short_facts(curve.attrs).rows, ("Two labels", _doubles(curve))])
    blocks: list[Block] = [facts, _labels(curve) if per_label else _curve(curve)]
    remarks = [*_curve_notes(curve)]
    results = {"curve": curve}
    if classes is not None:
        blocks += [_classes(classes), replace(_classed_items(classes), in_files=True)]
        remarks += _notes(classes)
        # items come first, so that each JSON record is about one item
        results["classes"] = classes.transpose("item", "item_class_number", "reading")
    if items is not None:
        remarks += _items_above(items)
        results["items"] = items
    if patterns is not None:
        blocks.append(_patterns(patterns))
        results["patterns"] = patterns
    if label_pairs is not None:
        blocks.append(_label_pairs(label_pairs))
        results["label_pairs"] = label_pairs
    if not per_label:
        blocks.append(_picture(curve))
    if classes is not None:
        remarks.append(Note("next_sweep"))
    heading = f"{title(curve)} over p, the share of the primary label"
    return Page(heading, [*_answer(curve)], [*blocks, Remarks(remarks)], results=results)


def _answer(curve: xr.Dataset) -> Iterator[Note]:
    code, name = str(curve.attrs["conclusion"]), title(curve)
    if code in ("per_label", "undefined"):
        yield Note(code, {"coefficient": name})
    if code == "per_label":
        return
    figures = {each: float(curve[each]) for each in ("at_one", "at_half", "change", "maximum")}
    if code != "undefined":
        ends = ends_of(curve, "change")
        values = {
            **figures,
            "ends": Note("ends", figures),
            "coefficient": name,
            "size": abs(figures["change"]),
            "interval": [-end for end in reversed(ends)] if code == "falls" else ends,
            **confidence(curve),
        }
        yield Note(code, values)
    p = curve["p"].values
    if not np.isnan(figures["maximum"]) and float(curve["p_at_maximum"]) not in p[[0, -1]]:
        grid = {"points": len(p), "first": float(p[0]), "last": float(p[-1])}
        yield Note("largest", {**figures, **grid, "p": float(curve["p_at_maximum"])})
    yield from _notes(curve, "within_reach")


def _notes(result: xr.Dataset, *codes: str) -> Iterator[Note]:
    for note in load_notes(result.attrs["notes"]):
        if note.code in codes or not codes:
            yield note


def _curve_notes(curve: xr.Dataset) -> Iterator[Note]:
    if np.isfinite(curve["ci_low"].values).any():
        yield from intervals.description(curve.attrs)
    for note in _notes(curve):
        if note.code in OF_FIGURES:
            yield Note("of_coefficient", {"coefficient": title(curve), "note": note})
        elif note.code != "within_reach":
            yield note


def _doubles(curve: xr.Dataset) -> Note:
    doubles, share = float(curve["doubles"]), float(curve["double_share"])
    return Note("doubles", {"doubles": doubles, "share": share, "ratings": curve.attrs["ratings"]})


def _curve(curve: xr.Dataset) -> Table:
    decimals = decimals_for(curve["standard_error"].values)
    column = FigureColumns(declared.POINTS, curve)
    columns = [
        Column("p", "p", curve["p"].values, "short"),
        column("estimate", decimals=decimals),
    ]
    if np.isfinite(curve["ci_low"].values).any():
        columns += [
            intervals.column(curve, "ci", decimals, heading="at_this_p"),
            intervals.column(curve, "band", decimals, heading="at_every_p", spare=2),
        ]
    if np.isfinite(curve["estimate_at_ceiling"].values).any():
        columns.append(column("estimate_at_ceiling", decimals=decimals, spare=1))
    shown = spread(len(curve["p"]), POINTS_SHOWN)
    return column.table("curve", columns, "p", noun="points", shown=shown)


def _labels(curve: xr.Dataset) -> Table:
    column = FigureColumns(declared.CURVE, curve)
    columns = [
        column.key("label", "Label"),
        column("at_one", heading=Note("at_p", {"p": 1.0})),
        column("at_half", heading=Note("at_p", {"p": 0.5})),
        column("change"),
        *column.ends("change", decimals=3, spare=1),
        column("maximum", spare=2),
        column("p_at_maximum", spare=2),
    ]
    return column.table("labels", columns, "label", shown=ITEMS_SHOWN)


def _classes(classes: xr.Dataset) -> Table:
    names = [f"{k} {name}" for k, name in enumerate(classes["class_name"].values.tolist(), 1)]
    columns = [
        Column("item_class", "Class", np.arange(1, 5), "count", in_files=True),
        Column("class", "Class of items", names, "word"),
    ]
    for reading, heading, meaning in (
        ("literal", "As published", "as_published"),
        ("normalised", "Normalised", "normalised"),
    ):
        counts = classes.sel(reading=reading)
        meaning_note = Note(meaning)
        columns += [
            Column(
                f"{reading}_items", heading, counts["count"].values, "count", meaning=meaning_note
            ),
            Column(f"{reading}_share", "Share", counts["share"].values, "share", spare=1),
        ]
    column = FigureColumns(declared.CLASSES, classes.drop_vars("class_name"))
    return column.table("classes", columns, "item_class_number", notes=[Note("classes")])


def _classed_items(classes: xr.Dataset) -> Table:
    columns = [Column("item", "Item", classes["item"].values, "label")]
    for reading, heading in (("literal", "Class"), ("normalised", "Normalised")):
        figures = classes.sel(reading=reading)
        for name in ("at_one", "at_half"):
            p = Note("at_p", {"p": 1.0 if name == "at_one" else 0.5})
            values = figures[name].values
            hidden = reading != "literal"
            columns.append(Column(f"{reading}_{name}", p, values, spare=1, in_files=hidden))
        known = [str(number or "-") for number in figures["item_class"].values.tolist()]
        columns.append(Column(f"{reading}_class", heading, known, "word"))
    column = FigureColumns(declared.CLASSED, classes)
    return column.table("items", columns, "item", shown=ITEMS_SHOWN)


def _items(items: xr.Dataset) -> Table:
    names = Column("item", "Item", items["item"].values, "label")
    columns = [names, *_over_p(items, by_name(declared.ITEMS)["estimate"], "at_p", 3)]
    notes = [*_items_above(items)]
    column = FigureColumns(declared.ITEMS, items)
    return column.table("items", columns, "item", shown=ITEMS_SHOWN, notes=notes)


def _items_above(items: xr.Dataset) -> Iterator[Note]:
    few = items.isel(p=spread(items.sizes["p"], POINTS_IN_COLUMNS))
    points = few["p"].values.tolist()
    for row, cut in enumerate(few["cut"].values.tolist()):
        figures = (few[name].values[row].tolist() for name in ("items_above", "share_above"))
        counts = [
            Note("items_at", {"p": p, "items": above, "share": share})
            for p, above, share in zip(points, *figures, strict=True)
        ]
        yield Note("items_above", {"cut": cut, "counts": counts})


def _patterns(patterns: xr.Dataset) -> Table:
    column = FigureColumns(declared.PATTERNS, patterns)
    columns = [
        replace(column.key("pattern", "Two ratings"), kind="word"),
        column("pairs"),
        column("share", spare=1),
        column("polynomial", spare=2),
        *_over_p(patterns, by_name(declared.PATTERNS)["credit"], "at_p", 2),
    ]
    return column.table("patterns", columns, "pattern")


def _label_pairs(pairs: xr.Dataset) -> Table:
    column = FigureColumns(declared.LABEL_PAIRS, pairs)
    columns = [
        column("first", in_files=True),
        column("second", in_files=True),
        column.key("pair", "Labels named together"),
        column("ratings", spare=1),
        column("items", spare=3),
        column("class_4_share", spare=2),
        *_over_p(pairs, by_name(declared.LABEL_PAIRS)["gain"], "gain_at", 3),
    ]
    notes = [Note("gain"), *_notes(pairs)]
    return column.table("label_pairs", columns, "pair", noun="pairs of labels", notes=notes)


def _over_all(result: xr.Dataset) -> Table:
    figures = (*declared.EXPECTED, *declared.MEAN_CREDIT, *declared.BEFORE)
    (table,) = FigureColumns(figures, result).further("p")
    return table


def _over_p(result: xr.Dataset, figure: Figure, heading: str, decimals: int) -> Iterator[Column]:
    """Yield the columns of a variable, one for each p; the page shows only a few of them."""
    points = result["p"].values.tolist()
    chosen = spread(len(points), POINTS_IN_COLUMNS)
    for row, p in enumerate(points):
        yield replace(
            column_of(figure, result[figure.name].isel(p=row).values),
            key=f"{figure.name}_{p:.4g}",
            heading=Note(heading, {"p": p}),
            decimals=decimals,
            in_files=row not in chosen,
        )


def _picture(curve: xr.Dataset) -> Picture:
    figures = {name: float(curve[name]) for name in ("at_one", "at_half", "maximum")}
    values = {**figures, "coefficient": title(curve), "p": float(curve["p_at_maximum"])}
    known = curve.attrs["conclusion"] != "undefined"
    subtitle = Note("picture_doubles", {"doubles": _doubles(curve)})
    if files := json.loads(curve.attrs.get("files", "[]")):
        names = [PurePath(file).name for file in files]
        subtitle = Note("picture_of", {"files": names, "doubles": subtitle})
    level = confidence(curve)
    reach = curve["estimate_at_ceiling"].values
    bands = [
        Band(Note(words, level), curve[f"{name}_low"].values, curve[f"{name}_high"].values)
        for name, words in (("band", "band"), ("ci", "interval_at_p"))
    ]
    largest = [] if np.isnan(figures["maximum"]) else [float(curve["p_at_maximum"])]
    return Picture(
        "curve",
        "lines",
        Note("picture_moves" if known else "picture_over_p", values),
        subtitle,
        curve["p"].values,
        Note("picture_axis"),
        [Curve("estimate", curve["estimate"].values), Curve("ceiling", reach, "bound")],
        bands,
        [Mark(Note("maximum", values), p, figures["maximum"]) for p in largest],
    )


def _page_of_table(
    title: str, name: str, *tables: Callable[[xr.Dataset], Table]
) -> Callable[[xr.Dataset], Page]:
    def page_of(result: xr.Dataset) -> Page:
        facts, remarks = short_facts(result.attrs), Remarks([*_notes(result)])
        blocks: list[Block] = [facts, *(table(result) for table in tables), remarks]
        return Page(title, [], blocks, results={name: result})

    return page_of


_SINGLE = {
    "doubles.item_classes": _page_of_table("Classes of items", "classes", _classes, _classed_items),
    "doubles.item_curves": _page_of_table("Items over p", "items", _items, _over_all),
    "doubles.patterns": _page_of_table("Patterns of two ratings", "patterns", _patterns, _over_all),
    "doubles.labels": _page_of_table(
        "Labels named together", "label_pairs", _label_pairs, _over_all
    ),
}

PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("sweep",): page,
    ("sweep", *_SINGLE): page,
    **{(name,): page_of for name, page_of in _SINGLE.items()},
}
