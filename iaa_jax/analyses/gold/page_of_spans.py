"""The page of gold spans."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from iaa_jax.analyses.gold.declared import SPANS, SPANS_OF_ANNOTATORS, SPANS_OF_LABELS
from iaa_jax.measure.shared.decisions import ADJUDICATED
from iaa_jax.pages import Block, Column, Page, Remarks, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.generic import SHOWN
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
        "where two saw it, both had to."
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
        "Next: decide the spans without a majority: write this page as .csv, answer yes or no in "
        "its column 'adjudicated', and give it with {adjudicated:option}."
    ),
}

CHOICES = ("yes", "no")
"""What may be filled in: whether a span is gold."""


def spans_page(result: xr.Dataset, top: int = SHOWN) -> Page:
    """Gold spans and the rest, those that divide annotators most first."""
    decided = (result["gold"].values | _is_settled(result)).all()
    steps = [] if decided else [Note("next_spans")]
    blocks: list[Block] = [
        short_facts(result.attrs),
        _spans(result, top),
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


def _spans(result: xr.Dataset, top: int) -> Table:
    """The adjudication sheet: what was marked, by how many, and whether it is gold."""
    order = np.argsort(np.abs(result["share"].values - 0.5).round(9), kind="stable")
    rows = result.isel(span=order)
    settled = _is_settled(rows)
    gold, tied = rows["gold"].values, rows["tied"].values
    is_gold = [
        Note("yes" if yes else "tied_span" if half else "no")
        for yes, half in zip(gold.tolist(), tied.tolist(), strict=True)
    ]
    answers = np.where(settled, np.where(gold, *CHOICES), "").astype(object)
    column = FigureColumns(SPANS, rows)
    columns = [
        column.key("document", "Document"),
        column("places"),
        column("label_of_span"),
        *([column("text", spare=2)] if "text" in rows else []),
        Column("is_gold", "Gold", is_gold, "word", in_words=True),
        column("gold", in_files=True),
        Column("adjudicated", "Adjudicated", answers, "label", in_files=True, choices=CHOICES),
        column("share"),
        column("votes", spare=3),
        column("exact", spare=4),
        column("seen", spare=5),
        *([column("marked_by", spare=1)] if "marked_by" in rows else []),
    ]
    noun = "spans, the most divided first"
    first = ("document", "places", "label_of_span", "adjudicated", "gold", "share", "votes", "text")
    return column.table("spans", columns, "span", noun=noun, shown=top, first_in_files=first)


def _labels(result: xr.Dataset) -> Table:
    """Each label: its gold spans, beside all that were marked."""
    rows = result.isel(label=np.argsort(-result["span_count"].values, kind="stable"))
    column = FigureColumns(SPANS_OF_LABELS, rows)
    columns = [column.key("label", "Label"), column("gold_count"), column("span_count")]
    return column.table("labels", columns, "label", shown=SHOWN)


def _annotators(result: xr.Dataset, top: int) -> Iterator[Table]:
    """Annotators beside the gold spans, who found fewest of them first."""
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
    noun = "annotators, who found fewest first"
    yield column.table("annotators", columns, "annotator", noun=noun, shown=top)


def _is_settled(result: xr.Dataset) -> NDArray[np.bool_]:
    return np.asarray(result["decided_by"].values == ADJUDICATED)
