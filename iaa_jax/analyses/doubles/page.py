"""The pages about secondary labels: a sweep over p, classes of items, patterns and label pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

import numpy as np
import xarray as xr

from iaa_jax.analyses.doubles.words import WORDS
from iaa_jax.catalog import NAMES, title_of
from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
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
from iaa_jax.pages.blocks import spread
from iaa_jax.pages.ratings import WORDS as RATINGS, short_facts
from iaa_jax.wording import Note, joined, load_notes
from iaa_jax.wording.formats import decimals_for

POINTS_SHOWN = 11
ITEMS_SHOWN = 20
COLUMNS_SHOWN = 3

ALL_WORDS = joined(RATINGS, intervals.WORDS, OF_FIGURES, OF_RESULTS, WORDS)


def page(
    curve: xr.Dataset,
    *,
    classes: xr.Dataset | None = None,
    items: xr.Dataset | None = None,
    patterns: xr.Dataset | None = None,
    label_pairs: xr.Dataset | None = None,
) -> Page:
    """The page of a result of `iaa_jax.sweep`.

    Parameters
    ----------
    curve : xarray.Dataset
        Of a coefficient with one figure at each p, or with one for each label.
    classes, items, patterns, label_pairs : xarray.Dataset, optional
        Of the same ratings: `iaa_jax.doubles.item_classes`, `item_curves`, `patterns`, `labels`.
    """
    per_label = "label" in curve.dims
    facts = Facts([*short_facts(curve.attrs).rows, ("Two labels", _doubles(curve))])
    blocks: list[Block] = [facts, _labels(curve) if per_label else _curve(curve)]
    remarks = [*_of_curve(curve)]
    results = {"curve": curve}
    if classes is not None:
        blocks += [_classes(classes), _items(classes, in_files=True)]
        remarks += _notes(classes)
        # a record goes by item
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
    title = f"{_title(curve)} over p, the share of the primary label"
    return Page(title, [*_answer(curve)], [*blocks, Remarks(remarks)], ALL_WORDS, results)


def _title(curve: xr.Dataset) -> str:
    """The coefficient as a text; that of a user by its name."""
    name = str(curve.attrs["coefficient"])
    return title_of(name) if name in NAMES else name


def _answer(curve: xr.Dataset) -> Iterator[Note]:
    code, name = str(curve.attrs["conclusion"]), _title(curve)
    if code in ("per_label", "undefined"):
        yield Note(code, {"coefficient": name})
    if code == "per_label":
        return
    figures = {each: float(curve[each]) for each in ("at_one", "at_half", "change", "maximum")}
    if code != "undefined":
        ends = [float(curve["change_ci_low"]), float(curve["change_ci_high"])]
        values = {
            **figures,
            "ends": Note("ends", {**figures, "coefficient": name}),
            "size": abs(figures["change"]),
            "interval": [-end for end in reversed(ends)] if code == "falls" else ends,
            "confidence": float(curve.attrs["confidence"]),
        }
        yield Note(code, values)
    if curve.sizes["p"] > 1 and not np.isnan(figures["maximum"]):
        p = curve["p"].values
        grid = {"points": len(p), "first": float(p[0]), "last": float(p[-1])}
        yield Note("largest", {**figures, **grid, "p": float(curve["p_at_maximum"])})
    yield from _notes(curve, "within_reach")


def _notes(result: xr.Dataset, *codes: str) -> Iterator[Note]:
    """What is noted of a result: notes with these codes alone, if any are given."""
    for note in load_notes(result.attrs["notes"]):
        if note.code in codes or not codes:
            yield note


def _of_curve(curve: xr.Dataset) -> Iterator[Note]:
    """What to know beside the curve."""
    if np.isfinite(curve["ci_low"].values).any():
        yield from intervals.made(curve.attrs)
    for note in _notes(curve):
        if note.code in OF_FIGURES:
            yield Note("of_coefficient", {"coefficient": _title(curve), "note": note})
        elif note.code != "within_reach":
            yield note


def _doubles(curve: xr.Dataset) -> Note:
    doubles, share = float(curve["doubles"]), float(curve["double_share"])
    return Note("doubles", {"doubles": doubles, "share": share, "ratings": curve.attrs["ratings"]})


def _ends(result: xr.Dataset, name: str) -> np.ndarray:
    return np.stack([result[f"{name}_low"].values, result[f"{name}_high"].values], axis=-1)


def _curve(curve: xr.Dataset) -> Table:
    """The figures over p."""
    decimals = decimals_for(curve["standard_error"].values)
    confidence = {"confidence": float(curve.attrs["confidence"])}
    columns = [
        Column("p", "p", curve["p"].values, "short"),
        Column("estimate", "Estimate", curve["estimate"].values, decimals=decimals),
    ]
    if np.isfinite(curve["ci_low"].values).any():
        for name, heading, spare in (("ci", "at_this_p", 0), ("band", "at_every_p", 2)):
            ends = _ends(curve, name)
            column = Column(name, Note(heading, confidence), ends, "interval", decimals, spare)
            columns.append(column)
    at_ceiling = curve["estimate_at_ceiling"].values
    if np.isfinite(at_ceiling).any():
        meaning = Note("ceiling")
        columns.append(
            Column("estimate_at_ceiling", "Ceiling", at_ceiling, "estimate", decimals, 1, meaning)
        )
    for name in ("standard_error", "observed", "expected", "ceiling", "share_of_ceiling"):
        columns.append(Column(name, name, curve[name].values, in_files=True))
    return Table("curve", columns, noun="points", shown=spread(len(curve["p"]), POINTS_SHOWN))


def _labels(curve: xr.Dataset) -> Table:
    """The curve of each label by its ends."""
    confidence = {"confidence": float(curve.attrs["confidence"])}
    columns = [
        Column("label", "Label", curve["label"].values, "label"),
        Column("at_one", Note("at_p", {"p": 1.0}), curve["at_one"].values),
        Column("at_half", Note("at_p", {"p": 0.5}), curve["at_half"].values),
        Column("change", "Change", curve["change"].values, "signed"),
    ]
    if np.isfinite(curve["change_ci_low"].values).any():
        heading = Note("interval_heading", confidence)
        columns.append(Column("change_ci", heading, _ends(curve, "change_ci"), "interval", spare=1))
    columns += [
        Column("maximum", "Largest", curve["maximum"].values, spare=2),
        Column("p_at_maximum", "at p", curve["p_at_maximum"].values, "short", spare=2),
    ]
    return Table("labels", columns, noun="labels", shown=ITEMS_SHOWN)


def _classes(classes: xr.Dataset) -> Table:
    """How many items are in each class, by both readings."""
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
        said = Note(meaning)
        columns += [
            Column(f"{reading}_items", heading, counts["count"].values, "count", meaning=said),
            Column(f"{reading}_share", "Share", counts["share"].values, "share", spare=1),
        ]
    return Table("classes", columns, noun="classes", notes=[Note("classes")])


def _items(classes: xr.Dataset, *, in_files: bool = False) -> Table:
    """The figures of each item at both ends, and its class."""
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
    return Table("items", columns, noun="items", shown=ITEMS_SHOWN, in_files=in_files)


def _items_above(items: xr.Dataset) -> Iterator[Note]:
    for cut in items["cut"].values.tolist():
        at_cut = items.sel(cut=cut)
        figures = (at_cut[name].values.tolist() for name in ("p", "items_above", "share_above"))
        counts = [
            Note("items_at", {"p": p, "items": above, "share": share})
            for p, above, share in zip(*figures, strict=True)
        ]
        yield Note("items_above", {"cut": cut, "counts": counts})


def _patterns(patterns: xr.Dataset) -> Table:
    """How often pairs of ratings show each pattern, and its credit."""
    columns = [
        Column("pattern", "Two ratings", patterns["pattern"].values, "word"),
        Column("pairs", "Pairs", patterns["pairs"].values, "count"),
        Column("share", "Share", patterns["share"].values, "share", spare=1),
        Column("polynomial", "Credit", patterns["polynomial"].values, "word", spare=2),
        *_over_p(patterns, "credit", "at_p", "estimate", 2),
    ]
    return Table("patterns", columns, noun="patterns")


def _label_pairs(pairs: xr.Dataset) -> Table:
    """Labels that are named together, the most frequent first."""
    columns = [
        Column("first", "First", pairs["first"].values, "label", in_files=True),
        Column("second", "Second", pairs["second"].values, "label", in_files=True),
        Column("pair", "Labels named together", pairs["pair"].values, "label"),
        Column("ratings", "Ratings", pairs["ratings"].values, "count", spare=1),
        Column("items", "Items", pairs["items"].values, "count", spare=3),
        Column("class_4_share", "Class 4", pairs["class_4_share"].values, "share", spare=2),
        *_over_p(pairs, "gain", "gain_at", "signed", 3),
    ]
    notes = [Note("gain"), *_notes(pairs)]
    return Table("label_pairs", columns, noun="pairs of labels", notes=notes)


def _over_p(
    result: xr.Dataset, name: str, heading: str, kind: Any, decimals: int
) -> Iterator[Column]:
    """A column for each p; a page shows a few of them."""
    points = result["p"].values.tolist()
    few = min(len(points), COLUMNS_SHOWN)
    shown = np.linspace(0, len(points) - 1, few).round().astype(int)
    for row, p in enumerate(points):
        values = result[name].isel(p=row).values
        hidden = row not in shown
        said = Note(heading, {"p": p})
        yield Column(f"{name}_{p:.4g}", said, values, kind, decimals, in_files=hidden)


def _picture(curve: xr.Dataset) -> Picture:
    """The curve with its bands and its ceiling."""
    figures = {name: float(curve[name]) for name in ("at_one", "at_half", "maximum")}
    values = {**figures, "coefficient": _title(curve), "p": float(curve["p_at_maximum"])}
    known = curve.attrs["conclusion"] != "undefined"
    subtitle = Note("picture_doubles", {"doubles": _doubles(curve)})
    if files := json.loads(curve.attrs.get("files", "[]")):
        source = PurePath(files[0]).name + (f" and {len(files) - 1} more" if files[1:] else "")
        subtitle = Note("picture_of", {"source": source, "doubles": subtitle})
    confidence = {"confidence": float(curve.attrs["confidence"])}
    reach = curve["estimate_at_ceiling"].values
    bands = [
        Band(Note(words, confidence), curve[f"{name}_low"].values, curve[f"{name}_high"].values)
        for name, words in (("band", "band"), ("ci", "interval_at_p"))
    ]
    largest = [] if np.isnan(figures["maximum"]) else [values["p"]]
    return Picture(
        "curve",
        "lines",
        Note("picture_moves" if known else "picture_over_p", values),
        subtitle,
        curve["p"].values,
        "p, the share of the primary label (0.5: both count the same, 1: secondary ignored)",
        [Curve("estimate", curve["estimate"].values), Curve("ceiling", reach, "bound")],
        bands,
        [Mark(Note("maximum", values), p, figures["maximum"]) for p in largest],
    )


def _page_of(title: str, result: xr.Dataset, name: str, *blocks: Block, notes: Any = ()) -> Page:
    remarks = Remarks([*notes])
    facts = short_facts(result.attrs)
    return Page(title, [], [facts, *blocks, remarks], ALL_WORDS, {name: result})


def classes_page(classes: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.doubles.item_classes`."""
    tables = _classes(classes), _items(classes)
    return _page_of("Classes of items", classes, "classes", *tables, notes=_notes(classes))


def items_page(items: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.doubles.item_curves`."""
    names = Column("item", "Item", items["item"].values, "label")
    columns = [names, *_over_p(items, "estimate", "at_p", "estimate", 3)]
    table = Table("items", columns, noun="items", shown=ITEMS_SHOWN)
    return _page_of("Items over p", items, "items", table, notes=_items_above(items))


def patterns_page(patterns: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.doubles.patterns`."""
    return _page_of("Patterns of two ratings", patterns, "patterns", _patterns(patterns))


def label_pairs_page(pairs: xr.Dataset) -> Page:
    """The page of a result of `iaa_jax.doubles.labels`."""
    return _page_of("Labels named together", pairs, "label_pairs", _label_pairs(pairs))


PAGES = {
    "sweep": page,
    "doubles.item_classes": classes_page,
    "doubles.item_curves": items_page,
    "doubles.patterns": patterns_page,
    "doubles.labels": label_pairs_page,
}
"""Results that have a page of their own."""
