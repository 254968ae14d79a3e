"""The pages of label sets, and of labels as present or absent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.label_sets import declared
from iaa_jax.catalog import short_title_of, title_of
from iaa_jax.measure.figures import SAID
from iaa_jax.measure.words import OF_FIGURES, OF_LABELS
from iaa_jax.pages import Block, Column, Page, Remarks, Table, intervals
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.ratings import ratings_facts
from iaa_jax.wording import Note, load_notes
from iaa_jax.wording.formats import decimals_for, short

LABELS_SHOWN = 20
PAIRS_SHOWN = 10
ANNOTATORS_SHOWN = 20

WITH_INTERVAL = 2
"""Maximum number of coefficients of a label whose intervals are shown; files have all of them."""

_OF_SETS = {
    "am_agreement": "A_m",
    "krippendorff_alpha_masi": "Alpha, MASI",
    "krippendorff_alpha_jaccard": "Alpha, Jaccard",
    "krippendorff_alpha": "Alpha, identical sets",
}

_BANDS = "Items with agreement"

_ANSWERS = ("label_users", "most_swapped", "one_label_each", "one_label")


def page(
    labels: xr.Dataset, label_sets: xr.Dataset | None = None, *, top: int | None = None
) -> Page:
    """Return the page of `iaa_jax.per_label`, perhaps with `iaa_jax.label_sets` of these ratings.

    ``top`` is the maximum number of labels, and of pairs of labels, that are shown.
    """
    blocks: list[Block] = [ratings_facts(labels.attrs), _labels(labels, top or LABELS_SHOWN)]
    remarks = list(_remarks(labels))
    results = {"labels": labels}
    if label_sets is not None:
        blocks += _sets(label_sets, top or PAIRS_SHOWN)
        remarks += _remarks(label_sets)
        results["label_sets"] = label_sets
    remarks += intervals.descriptions(labels.attrs, _figures(**results))
    remarks += [Note("next_label_sets")] * (label_sets is not None)
    answer = [note for result in results.values() for note in _answer(result)]
    return Page("Labels", answer, [*blocks, Remarks(remarks)], results=results)


def sets_page(label_sets: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.label_sets`."""
    blocks: list[Block] = [ratings_facts(label_sets.attrs), *_sets(label_sets, PAIRS_SHOWN)]
    results = {"label_sets": label_sets}
    made = intervals.descriptions(label_sets.attrs, _figures(**results))
    remarks = Remarks([*_remarks(label_sets), *made, Note("next_label_sets")])
    return Page("Label sets", _answer(label_sets), [*blocks, remarks], results=results)


def _answer(result: xr.Dataset) -> list[Note]:
    notes = load_notes(result.attrs["notes"])
    return [*_lead(result), *(note for code in _ANSWERS for note in notes if note.code == code)]


def _lead(result: xr.Dataset) -> Iterator[Note]:
    names = ("krippendorff_alpha_masi", "krippendorff_alpha")
    if result.attrs["made_by"] != "label_sets" or not {*names} <= {*result["coefficient"].values}:
        return
    masi, equal = (result.sel(coefficient=name) for name in names)
    if np.isnan(masi["estimate"]) or np.isnan(equal["estimate"]):
        return
    decimals = decimals_for(result["standard_error"].values)
    ends = [float(masi["ci_low"]), float(masi["ci_high"])]
    certainty = {"confidence": result.attrs.get("confidence"), "ends": ends, "decimals": decimals}
    values = {
        "estimate": float(masi["estimate"]),
        "equal": float(equal["estimate"]),
        "decimals": decimals,
        "interval": Note("sets_lead_interval", certainty) if ends[0] < ends[1] else "",
    }
    yield Note("sets_lead", values)


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    for note in load_notes(result.attrs["notes"]):
        if note.code in OF_FIGURES:
            titles = [_BANDS if name == "bands" else _OF_SETS[name] for name in note.about]
            yield Note("of_sets", {"titles": titles, "note": note})
        elif note.code not in _ANSWERS:
            yield note


def _figures(
    labels: xr.Dataset | None = None, label_sets: xr.Dataset | None = None
) -> Iterator[intervals.Figure]:
    if labels is not None:
        yield from intervals.figures_of(labels, title_of)
    if label_sets is not None:
        yield from intervals.figures_of(label_sets, _OF_SETS.__getitem__)
        yield _BANDS, label_sets["band_interval"].values, label_sets["band_ci_low"].values


def _labels(labels: xr.Dataset, limit: int) -> Table:
    prevalence = np.nan_to_num(labels["prevalence"].values, nan=-1.0)
    labels = labels.isel(label=np.argsort(-prevalence, kind="stable"))
    decimals = decimals_for(labels["standard_error"].values.reshape(-1))
    column = FigureColumns(declared.LABELS, labels)
    columns = [column.key("label", "Label"), column("prevalence")]
    for position, name in enumerate(labels["coefficient"].values.tolist()):
        figures = labels.sel(coefficient=name)
        meaning = Note("presence") if name == "specific_agreement" else None
        heading = short_title_of(name)
        # a narrow page keeps the first coefficient; its interval is the last column to be left out
        spare = 2 * position
        values = figures["estimate"].values
        columns.append(Column(name, heading, values, "estimate", decimals, spare, meaning))
        if labels.attrs["interval"]:
            ends = intervals.column(figures, decimals=decimals, key=f"{name}_ci", spare=spare + 1)
            columns.append(replace(ends, in_files=position >= WITH_INTERVAL))
    noun = "labels, the most frequent first"
    return column.table("labels", columns, "label", noun=noun, shown=limit)


def _sets(sets: xr.Dataset, top: int) -> Iterator[Table]:
    if sets.sizes["coefficient"]:
        yield _coefficients(sets)
    yield _bands(sets)
    if "annotator" in sets.dims:
        yield _annotators(sets)
    if "label_pair" in sets.dims:
        yield _label_pairs(sets, top)
    yield from FigureColumns(declared.ITEMS, sets).further("item")
    yield from FigureColumns(declared.BINS, sets).further("bin")


def _coefficients(sets: xr.Dataset) -> Table:
    decimals = decimals_for(sets["standard_error"].values)
    names = sets["coefficient"].values.tolist()
    column = FigureColumns(declared.COEFFICIENTS, sets)
    columns = [
        Column("coefficient", "", names, "word", in_files=True),
        Column("title", "Whole sets", [_OF_SETS[name] for name in names], "word", in_words=True),
        column("estimate", decimals=decimals),
    ]
    if sets.attrs["interval"]:
        columns.append(intervals.column(sets, decimals=decimals))
    columns += [
        column(name, decimals=decimals, spare=k)
        for k, name in enumerate(("observed", "expected"), 1)
    ]
    return column.table("coefficients", columns, "coefficient", beside=["standard_error", *SAID])


def _bands(sets: xr.Dataset) -> Table:
    low, high = sets["band_low"].values, sets["band_high"].values
    names = [f"{short(a)} to {short(b)}" for a, b in zip(low, high, strict=True)]
    meaning = Note("item_agreement", {"floor": float(sets["floor"])})
    column = FigureColumns(declared.BANDS, sets)
    columns = [
        column("band_low", in_files=True),
        column("band_high", in_files=True),
        Column("band", _BANDS, names, "word", meaning=meaning, in_words=True),
        column("band_share"),
    ]
    if sets.attrs["interval"]:
        columns.append(intervals.column(sets, "band_ci", kind="share_interval"))
    columns.append(column("band_single_label", spare=1))
    return column.table("bands", columns, "band")


def _annotators(sets: xr.Dataset) -> Table:
    index = np.nan_to_num(sets["expert_coder_index"].values, nan=-np.inf)
    sets = sets.isel(annotator=np.argsort(-index, kind="stable"))
    meaning = Note(f"index_of_{sets.attrs['index']}")
    column = FigureColumns(declared.ANNOTATORS, sets)
    columns = [
        column.key("annotator", "Annotator"),
        column("expert_coder_index", meaning=meaning),
        column("compared_annotators", spare=1),
    ]
    return column.table("annotators", columns, "annotator", shown=ANNOTATORS_SHOWN)


def _label_pairs(sets: xr.Dataset, top: int) -> Table:
    share = np.nan_to_num(sets["swapped_share"].values, nan=-1.0)
    order = np.argsort(-np.round(share, 12), kind="stable")[:top]
    column = FigureColumns(declared.LABEL_PAIRS, sets)
    columns = [
        column("first_label", heading="Label"),
        column("second_label", heading="Other label"),
        column("pair_disagreement"),
        column("swapped_items", spare=1),
        column("swapped_share"),
    ]
    shown = order.tolist()
    return column.table("label_pairs", columns, "label_pair", noun="pairs of labels", shown=shown)


FURTHER_WORDS = (OF_LABELS,)

PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("per_label",): page,
    ("label_sets",): sets_page,
    ("per_label", "label_sets"): page,
}
