"""The page of gold spans."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax._cells import SUGGESTED
from iaa_jax.analyses.gold.declared import SPANS, SPANS_OF_ANNOTATORS, SPANS_OF_LABELS
from iaa_jax.measure.shared.decisions import ADJUDICATED
from iaa_jax.pages import USUAL_SHEET, Block, Column, Page, Remarks, SheetOptions, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.generic import SHOWN
from iaa_jax.pages.item_sheet import SHEET
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, Words, load_notes

WORDS: Words = {
    "spans_decided": (
        "{gold_spans:count span} {gold_spans:is|are} gold: more than half of the annotators who "
        "saw the document marked {gold_spans:it|them}{settled}{thin}. {other_spans:count} more "
        "{other_spans:is|are} not."
    ),
    "spans_tied": (
        "{gold_spans:count span} {gold_spans:is|are} gold: more than half of the annotators who "
        "saw the document marked {gold_spans:it|them}{settled}{thin}. {tied_spans:count} more "
        "{tied_spans:was|were} marked by just half, and {other_spans:count} {other_spans:is|are} "
        "not gold."
    ),
    "spans_undefined": "Nobody marked a span.",
    "settled_spans": ", or it was adjudicated ({spans:count})",
    "thin_spans": ", but {spans:count} {spans:stands|stand} in documents that one annotator saw",
    "share_of_gold": (
        "On average {share:share} of a document's annotators marked a gold span ({match} match); "
        "if two saw it, both had to mark it."
    ),
    "adjudicated_spans": "{spans:count span} {spans:is|are} gold, or not, by adjudication.",
    "label_tied": (
        "{spans:count span} {spans:has|have} several labels that are as frequent: the first of "
        "them in their order was taken."
    ),
    "yes": "yes",
    "tied_span": "(tied)",
    "no": "no",
    "next_spans": (
        "Next: decide the disputed spans: {iaa:gold --sheet {sheet}}, answer yes, no or another "
        "label in the column 'adjudicated', then {iaa:gold --adjudicated {sheet}}."
    ),
    "next_spans_filled": (
        "Next: answer yes, no or another label in the column 'adjudicated' of the sheet, then "
        "{iaa:gold --adjudicated {sheet}}."
    ),
}

CHOICES = ("yes", "no")
"""Answers on the sheet to the question whether a span is gold. A label as the answer means that the
span is gold with this label."""


def spans_page(result: xr.Dataset, top: int = SHOWN, sheet: SheetOptions = USUAL_SHEET) -> Page:
    """Return the page of gold spans and other spans, the most disputed first.

    The sheet has the disputed spans, marked by only some of the annotators, and the spans
    adjudicated before, unless all spans are asked for.
    """
    open_ones = bool((_is_disputed(result) & ~_is_settled(result)).any())
    code = "next_spans_filled" if sheet.is_written else "next_spans"
    steps = [Note(code, {"sheet": sheet.name})] if open_ones else []
    blocks: list[Block] = [
        short_facts(result.attrs),
        _spans(result, top),
        _sheet(result, all_rows=sheet.all_rows),
        _labels(result),
        *_annotators(result, top),
        Remarks([*load_notes(result.attrs["notes"]), *steps]),
    ]
    return Page("Gold spans", [*_answer(result)], blocks, results={"": result})


def _answer(result: xr.Dataset) -> Iterator[Note]:
    attrs = {str(name): value for name, value in result.attrs.items()}
    thin = attrs["one_vote_spans"]
    settled = int((result["gold"].values & _is_settled(result)).sum())
    values = {
        **attrs,
        "settled": Note("settled_spans", {"spans": settled}) if settled else "",
        "thin": Note("thin_spans", {"spans": thin}) if thin else "",
    }
    yield Note(f"spans_{attrs['conclusion']}", values)
    if attrs["gold_spans"]:
        yield Note("share_of_gold", {"share": attrs["mean_share"], "match": attrs["match"]})


def _in_order(result: xr.Dataset) -> xr.Dataset:
    evenness = np.abs(result["share"].values - 0.5).round(9)
    return result.isel(span=np.argsort(evenness, kind="stable"))


def _spans(result: xr.Dataset, top: int) -> Table:
    rows = _in_order(result)
    is_gold = [Note(code) for code in _answers(rows)]
    column = FigureColumns(SPANS, rows)
    columns = [
        column.key("document", "Document"),
        column("places"),
        column("label_of_span"),
        *([column("text", spare=2)] if "text" in rows else []),
        *([column("passage", in_files=True)] if "passage" in rows else []),
        Column("is_gold", "Gold", is_gold, "word", in_words=True),
        column("gold", in_files=True),
        column("share"),
        column("votes", spare=3),
        column("exact", spare=4),
        column("seen", spare=5),
        *([column("marked_by", spare=1)] if "marked_by" in rows else []),
    ]
    noun = "spans, the most divided first"
    first = ("document", "places", "label_of_span", "gold", "gold_label", "share", "votes", "text")
    return column.table("spans", columns, "span", noun=noun, shown=top, first_in_files=first)


def _answers(rows: xr.Dataset) -> list[str]:
    pairs = zip(rows["gold"].values.tolist(), rows["tied"].values.tolist(), strict=True)
    return ["yes" if yes else "tied_span" if half else "no" for yes, half in pairs]


def _sheet(result: xr.Dataset, *, all_rows: bool) -> Table:
    rows = _in_order(result)
    settled = _is_settled(rows)
    # spans adjudicated before come last
    which = np.flatnonzero(_is_disputed(rows) | settled | all_rows)
    rows = rows.isel(span=which[np.argsort(settled[which], kind="stable")])
    settled, gold = _is_settled(rows), rows["gold"].values
    labels, known = rows["gold_label"].values, rows["label_of_span"].values
    changed = gold & (labels != known)
    answers = np.where(changed, labels, np.where(gold, *CHOICES)).astype(object)
    suggested = ["" if code == "tied_span" else code for code in _answers(rows)]
    column = FigureColumns(SPANS, rows)
    names = [str(label) for label in rows["label"].values.tolist()]
    columns = [
        column.key("document", "Document"),
        *([column("passage")] if "passage" in rows else []),
        column("places"),
        column("label_of_span"),
        *([column("marked_by")] if "marked_by" in rows else []),
        column("votes"),
        column("seen"),
        Column(SUGGESTED, "Suggested", np.where(settled, "", suggested), "word"),
        Column(
            ADJUDICATED,
            "Adjudicated",
            np.where(settled, answers, ""),
            "label",
            choices=[*CHOICES, *(name for name in names if name not in CHOICES)],
        ),
    ]
    return Table(SHEET, columns, noun="spans to decide", in_files=True)


def _is_disputed(result: xr.Dataset) -> NDArray[np.bool_]:
    """Tell which spans some annotators marked and others did not."""
    return np.asarray(result["share"].values < 1)


def _labels(result: xr.Dataset) -> Table:
    rows = result.isel(label=np.argsort(-result["span_count"].values, kind="stable"))
    column = FigureColumns(SPANS_OF_LABELS, rows)
    columns = [column.key("label", "Label"), column("gold_count"), column("span_count")]
    return column.table("labels", columns, "label", shown=SHOWN)


def _annotators(result: xr.Dataset, top: int) -> Iterator[Table]:
    if "found" not in result:
        return
    rows = result.isel(annotator=np.argsort(result["found"].values, kind="stable"))
    column = FigureColumns(SPANS_OF_ANNOTATORS, rows)
    columns = [
        column.key("annotator", "Annotator"),
        column("found"),
        column("in_gold"),
        column("marked", spare=1),
    ]
    noun = "annotators, those who found fewest first"
    yield column.table("annotators", columns, "annotator", noun=noun, shown=top)


def _is_settled(result: xr.Dataset) -> NDArray[np.bool_]:
    return np.asarray(result["decided_by"].values == ADJUDICATED)
