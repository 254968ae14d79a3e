"""Columns of the tables of diagnosis; for spans, those of each table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.catalog import short_title_of, title_of
from iaa_jax.data.facts import code_for
from iaa_jax.measure.label_options import UNWEIGHTED
from iaa_jax.pages import Column, Text, intervals
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Kind
from iaa_jax.wording.formats import decimals_for

SPARE = 100
"""Columns of the study go before those that the ratings brought along."""


def title(result: xr.Dataset) -> str:
    """The coefficient that a table is about."""
    return title_of(str(result.attrs["coefficient"]))


def heading(result: xr.Dataset) -> str:
    """The same for a narrow column."""
    return short_title_of(str(result.attrs["coefficient"]))


def weighted(attrs: Attributes) -> str:
    """The ending of codes that are about agreement which near misses have in part."""
    return "" if str(attrs["weights"]) in UNWEIGHTED else "_weighted"


def column_of(
    rows: xr.Dataset,
    name: str,
    heading: Text,
    kind: Kind = "estimate",
    *,
    decimals: int = 3,
    spare: int = 0,
    meaning: Note | None = None,
) -> Column:
    """A variable as a column."""
    return Column(name, heading, rows[name].values, kind, decimals, spare, meaning)


def interval_of(rows: xr.Dataset, name: str, decimals: int, spare: int = 0) -> Iterator[Column]:
    """The interval of a figure, where some row has one."""
    key = f"{name}_ci".removeprefix("_")
    ends = intervals.column(rows, key, decimals, spare=spare)
    if not np.isnan(np.asarray(ends.values, dtype=np.float64)).all():
        yield ends


def of_items(rows: xr.Dataset) -> list[Column]:
    """How far the raters of each item agree, and its influence."""
    column = partial(column_of, rows)
    columns = [
        column("item", "Item", "label"),
        column("ratings", "Ratings", "count", spare=SPARE + 1),
    ]
    if rows.attrs["task"] == "spans":
        columns = _of_documents(rows)
    elif "agreement" in rows:
        mostly = rows["most_frequent"].values
        tied = ["" if labels < 2 else str(labels) for labels in rows["tied"].values.tolist()]
        ties = Note("tied") if any(tied) else None
        entropy = Note("entropy_of_item")
        agree = Note(f"agreement_of_item{weighted(rows.attrs)}")
        columns += [
            column("agreement", "Agree", meaning=agree),
            column("entropy", "Entropy", decimals=2, spare=SPARE + 2, meaning=entropy),
            Column("mostly", "Mostly", mostly, "label", spare=SPARE, in_words=True),
            column("share", "Share", decimals=2, spare=SPARE + 3),
        ]
        if ties is not None:
            spare = SPARE + 1
            columns.insert(-1, Column("ties", "Tied", tied, "word", 3, spare, ties, in_words=True))
    else:
        columns += [
            column("mean", "Mean", spare=SPARE),
            column("disagreement", "Distance", meaning=Note("distance_of_item")),
        ]
    meaning = Note(code_for(rows.attrs, "change_of_item"), {"coefficient": title(rows)})
    change = column("change", "Without", "signed", decimals=_decimals(rows), meaning=meaning)
    return [*columns, change, Column("influence", "", rows["influence"].values, in_files=True)]


def _decimals(rows: xr.Dataset) -> int:
    """As many as changes by one item or annotator need, of which some are very small."""
    largest = float(np.nanmax(np.abs(rows["change"].values), initial=0.0))
    return next((decimals for decimals in (3, 4, 5) if largest >= 0.5 * 10.0 ** (1 - decimals)), 6)


def of_annotators(rows: xr.Dataset) -> list[Column]:
    """How far each annotator agrees with the others, and the coefficient without him."""
    if rows.attrs["task"] == "spans":
        return _of_span_annotators(rows)
    column = partial(column_of, rows)
    without = Note("without", {"coefficient": title(rows)})
    columns = [
        column("annotator", "Annotator", "label"),
        column("ratings", "Ratings", "count", spare=SPARE + 3),
    ]
    if "agreement" in rows:
        decimals = decimals_for(rows["agreement_standard_error"].values)
        agree = Note(f"agreement_with_others{weighted(rows.attrs)}")
        majority = Note("majority_of_others", {"ties": Note(f"ties_{rows.attrs['ties']}")})
        return [
            *columns,
            column("agreement", "Agree", decimals=decimals, meaning=agree),
            *interval_of(rows, "agreement", decimals),
            column("kappa", "Kappa", meaning=Note("kappa_with_others")),
            column("majority_agreement", "Majority", spare=SPARE + 2, meaning=majority),
            column("change", "Without", "signed", spare=SPARE, meaning=without),
            _leanings(rows),
        ]
    return [
        *columns,
        column("disagreement", "Distance", meaning=Note("distance_from_others")),
        column("bias", "Bias", meaning=Note("bias_from_others")),
        column("change", "Without", "signed", spare=SPARE, meaning=without),
    ]


def of_labels(rows: xr.Dataset) -> list[Column]:
    """How far raters agree on each label."""
    if rows.attrs["task"] == "spans":
        return _of_span_labels(rows)
    column = partial(column_of, rows)
    decimals = decimals_for(rows["specific_agreement_standard_error"].values)
    agree = Note("agreement_on_label")
    subject = Note("label_alone", {"coefficient": title(rows)})
    return [
        column("label", "Label", "label"),
        column("count", "Ratings", "count", spare=4),
        column("share", "Share", "share", spare=5),
        column("specific_agreement", "Specific", decimals=decimals, meaning=agree),
        *interval_of(rows, "specific_agreement", decimals, spare=1),
        column("coefficient_estimate", heading(rows), decimals=decimals, meaning=subject),
        *interval_of(rows, "coefficient", decimals, spare=3),
    ]


def _leanings(rows: xr.Dataset) -> Column:
    """The label that each annotator leans to, and how far."""
    leanings = [
        Note("leaning", {"label": label, "bias": bias}) if label else ""
        for label, bias in zip(rows["leans_to"].values, rows["leaning"].values, strict=True)
    ]
    meaning = Note("leans_to") if any(leanings) else None
    return Column("leanings", "Leans to", leanings, "word", 3, SPARE + 1, meaning, in_words=True)


def _of_documents(rows: xr.Dataset) -> list[Column]:
    """How far each document divides those who saw it."""
    column = partial(column_of, rows)
    meaning = Note("figure_of_document", {"coefficient": title(rows)})
    return [
        column("item", "Document", "label"),
        column("ratings", "Seen by", "count", spare=SPARE + 1),
        column("spans", "Spans", "count", spare=SPARE),
        column("agreement", heading(rows), meaning=meaning),
    ]


def _of_span_annotators(rows: xr.Dataset) -> list[Column]:
    """How far each annotator agrees with the others, and how much he marks."""
    column = partial(column_of, rows)
    decimals = decimals_for(rows["agreement_standard_error"].values)
    figure = Note("figure_of_annotator", {"coefficient": title(rows)})
    without = Note("without", {"coefficient": title(rows)})
    ratio = Note("spans_ratio")
    return [
        column("annotator", "Annotator", "label"),
        column("ratings", "Documents", "count", spare=SPARE + 3),
        column("spans", "Spans", "count", spare=SPARE + 2),
        column("spans_ratio", "Ratio", decimals=2, spare=SPARE + 1, meaning=ratio),
        column("agreement", heading(rows), decimals=decimals, meaning=figure),
        *interval_of(rows, "agreement", decimals),
        column("change", "Without", "signed", spare=SPARE, meaning=without),
    ]


def _of_span_labels(rows: xr.Dataset) -> list[Column]:
    """How far annotators agree on the spans of each label."""
    column = partial(column_of, rows)
    decimals = decimals_for(rows["coefficient_standard_error"].values)
    figure = Note("figure_of_label", {"coefficient": title(rows)})
    columns = [
        column("label", "Label", "label"),
        column("count", "Spans", "count", spare=3),
        column("share", "Share", "share", spare=4),
        column("coefficient_estimate", heading(rows), decimals=decimals, meaning=figure),
        *interval_of(rows, "coefficient", decimals, spare=1),
    ]
    if "unmatched" in rows:
        columns.append(column("unmatched", "Alone", "share", spare=2, meaning=Note("unmatched")))
    return columns
