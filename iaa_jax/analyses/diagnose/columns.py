"""Columns of the tables of items, annotators and labels, and the table of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.analyses.diagnose.declared import ANNOTATORS, BIAS, ITEMS, LABELS
from iaa_jax.catalog import UNWEIGHTED, short_title_of, title_of
from iaa_jax.data.facts import code_for, noun_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.figures import BEHIND, FIGURES, OF_GROUPS
from iaa_jax.measure.shared.agreement_by import doubts_of_extremes
from iaa_jax.pages import Column, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import title
from iaa_jax.wording import Note
from iaa_jax.wording.figures import Kind as CellKind
from iaa_jax.wording.formats import decimals_for

SPARE = 100
"""Columns with at least this ``spare`` are left out before columns of the ratings file."""


def heading(result: xr.Dataset) -> str:
    """Return the short title of a table's coefficient, for a narrow column."""
    return short_title_of(str(result.attrs["coefficient"]))


def weighted(attrs: Attributes) -> str:
    """Return a suffix of codes of notes: "_weighted" if near misses count in part, else ""."""
    return "" if str(attrs["weights"]) in UNWEIGHTED else "_weighted"


def item_columns(rows: xr.Dataset) -> list[Column]:
    """Return the columns of each item's agreement and influence."""
    column = FigureColumns(ITEMS, rows)
    columns = [column.key("item", "Item"), column("ratings", spare=SPARE + 1)]
    if kind_of(rows.attrs) is Kind.SPANS:
        columns = _document_columns(rows)
    elif "agreement" in rows:
        ranked = zip(rows["most_frequent"].values, rows["tied"].values.tolist(), strict=True)
        mostly = [label if labels < 2 else Note("tie") for label, labels in ranked]
        # a set that is cut in the middle may look like a label that does not exist
        kind: CellKind = "text" if kind_of(rows.attrs) is Kind.SETS else "label"
        tied = ["" if labels < 2 else str(labels) for labels in rows["tied"].values.tolist()]
        ties = Note("tied") if any(tied) else None
        agree = Note(f"agreement_of_item{weighted(rows.attrs)}")
        columns += [
            column("agreement", meaning=agree),
            column("entropy", spare=SPARE + 2),
            Column("mostly", "Top label", mostly, kind, spare=SPARE, in_words=True),
            column("share", spare=SPARE + 3),
        ]
        if ties is not None:
            spare = SPARE + 1
            columns.insert(-1, Column("ties", "Tied", tied, "word", 3, spare, ties, in_words=True))
    else:
        columns += [
            column("mean", spare=SPARE),
            column("disagreement", meaning=Note("distance_of_item")),
        ]
    meaning = Note(code_for(rows.attrs, "change_of_item"), {"coefficient": title(rows)})
    change = column("change", decimals=_decimals(rows), meaning=meaning)
    return [*columns, change, column("influence", in_files=True)]


def _decimals(rows: xr.Dataset) -> int:
    largest = float(np.nanmax(np.abs(rows["change"].values), initial=0.0))
    return next((decimals for decimals in (3, 4, 5) if largest >= 0.5 * 10.0 ** (1 - decimals)), 6)


def annotator_columns(rows: xr.Dataset) -> list[Column]:
    """Return the columns of annotators' agreement, and of the coefficient without each one."""
    if kind_of(rows.attrs) is Kind.SPANS:
        return _span_annotator_columns(rows)
    column = FigureColumns((*ANNOTATORS, *BIAS), rows)
    without = Note("without", {"coefficient": title(rows)})
    columns = [column.key("annotator", "Annotator"), column("ratings", spare=SPARE)]
    if "agreement" in rows:
        name = "item_agreement" if "item_agreement" in rows else "agreement"
        decimals = decimals_for(rows[f"{name}_standard_error"].values)
        agree = Note(f"{name}_with_others{weighted(rows.attrs)}")
        ends = column.ends(name, decimals=decimals)
        majority = Note("majority_of_others", {"ties": Note(f"ties_{rows.attrs['ties']}")})
        return [
            *columns,
            *_shares([column(name, decimals=decimals, meaning=agree), *ends], rows),
            column("kappa", spare=SPARE + 2),
            replace(column("majority_agreement", spare=SPARE + 4, meaning=majority), kind="share"),
            column("change", spare=SPARE + 3, meaning=without),
            *_shift_columns(column, rows),
        ]
    return [
        *columns,
        column("disagreement", meaning=Note("distance_from_others")),
        column("bias", meaning=Note("bias_from_others")),
        column("change", spare=SPARE + 1, meaning=without),
    ]


def _shift_columns(column: FigureColumns, rows: xr.Dataset) -> Iterator[Column]:
    """Yield columns of differences between numbers, or of the label given more often."""
    if "mean_difference" not in rows:
        yield _leanings(rows)
        return
    tested = "_tested" if "mean_difference_ci_low" in rows else ""
    meaning = Note(f"bias_from_others{tested}")
    yield column("mean_difference", spare=SPARE + 1, meaning=meaning)
    if tested:
        yield from column.ends("mean_difference", spare=SPARE + 5)


def _shares(columns: Sequence[Column], rows: xr.Dataset) -> list[Column]:
    if weighted(rows.attrs):
        return [*columns]
    kinds: dict[CellKind, CellKind] = {"estimate": "share", "interval": "share_interval"}
    return [replace(column, kind=kinds.get(column.kind, column.kind)) for column in columns]


def label_columns(rows: xr.Dataset) -> list[Column]:
    """Return the columns of agreement on each label."""
    if kind_of(rows.attrs) is Kind.SPANS:
        return _span_label_columns(rows)
    column = FigureColumns(LABELS, rows)
    decimals = decimals_for(rows["specific_agreement_standard_error"].values)
    agree = Note("agreement_on_label")
    subject = Note("label_alone", {"coefficient": title(rows)})
    all_given = Note("ratings_of_label") if rows.attrs["single_rated_items"] else None
    return [
        column.key("label", "Label"),
        column("count", spare=4, meaning=all_given),
        column("share", spare=5),
        column("specific_agreement", decimals=decimals, meaning=agree),
        *column.ends("specific_agreement", decimals=decimals, spare=1),
        column("coefficient_estimate", heading=heading(rows), decimals=decimals, meaning=subject),
        *column.ends("coefficient", decimals=decimals, spare=3),
    ]


def _leanings(rows: xr.Dataset) -> Column:
    """Return the column of the label to which each annotator leans, with the bias."""
    leanings = [
        Note("leaning", {"label": label, "bias": bias}) if label else ""
        for label, bias in zip(rows["leans_to"].values, rows["leaning"].values, strict=True)
    ]
    meaning = Note("leans_to") if any(leanings) else None
    kind: CellKind = "label" if kind_of(rows.attrs) is Kind.SETS else "word"
    # on a narrow page, a column with biases is left out later than an empty one
    spare = SPARE + (1 if any(leanings) else 5)
    return Column("leanings", "Leans to", leanings, kind, 3, spare, meaning, in_words=True)


def _document_columns(rows: xr.Dataset) -> list[Column]:
    column = FigureColumns(ITEMS, rows)
    meaning = Note("figure_of_document", {"coefficient": title(rows)})
    return [
        column.key("item", "Document"),
        column("ratings", heading="Seen by", spare=SPARE + 1),
        column("spans", spare=SPARE),
        column("agreement", heading=heading(rows), meaning=meaning),
    ]


def _span_annotator_columns(rows: xr.Dataset) -> list[Column]:
    column = FigureColumns(ANNOTATORS, rows)
    decimals = decimals_for(rows["agreement_standard_error"].values)
    figure = Note("figure_of_annotator", {"coefficient": title(rows)})
    without = Note("without", {"coefficient": title(rows)})
    return [
        column.key("annotator", "Annotator"),
        column("ratings", heading="Documents", spare=SPARE + 3),
        column("spans", spare=SPARE + 2),
        column("spans_ratio", spare=SPARE + 1),
        column("agreement", heading=heading(rows), decimals=decimals, meaning=figure),
        *column.ends("agreement", decimals=decimals),
        column("change", spare=SPARE, meaning=without),
    ]


def _span_label_columns(rows: xr.Dataset) -> list[Column]:
    column = FigureColumns(LABELS, rows)
    decimals = decimals_for(rows["coefficient_standard_error"].values)
    figure = Note("figure_of_label", {"coefficient": title(rows)})
    columns = [
        column.key("label", "Label"),
        column("count", heading="Spans", spare=3),
        column("share", spare=4),
        column("coefficient_estimate", heading=heading(rows), decimals=decimals, meaning=figure),
        *column.ends("coefficient", decimals=decimals, spare=1),
    ]
    if "unmatched" in rows:
        columns.append(column("unmatched", spare=2))
    return columns


def equal(attrs: Attributes, name: str, which: str) -> Note | str:
    """Return a note on how many other rows tie with the named row, if any."""
    others = attrs.get(f"{name}_equal", 0)
    return Note(f"equal_{which}", {"equal": others}) if others else ""


def group_notes(groups: xr.Dataset) -> Iterator[Note]:
    """Yield a note on the groups with the lowest and the highest coefficient."""
    if "lowest_group" in groups.attrs:
        values = {str(name): value for name, value in groups.attrs.items()}
        values |= {name: equal(groups.attrs, name, "groups") for name in ("lowest", "highest")}
        title = _titles_of(groups)[0]
        yield Note("groups_differ", values | {"what": title} | doubts_of_extremes(groups.attrs))


def _titles_of(groups: xr.Dataset) -> list[str]:
    """Return the title of the coefficient of each row."""
    weights = groups["weights"].values.ravel().tolist()
    return [*map(title_of, groups["coefficient"].values.tolist(), weights)]


def groups_table(groups: xr.Dataset) -> Table:
    """Return the table of coefficients by group, with one row per group and coefficient."""
    by, axis = str(groups.attrs["by"]), groups.attrs["axis"]
    names = groups["coefficient"].values.tolist()
    single = len(names) == 1
    rows = groups.stack(row=("group", "coefficient"), create_index=False)
    column = FigureColumns((*FIGURES, *OF_GROUPS), rows)
    decimals = decimals_for(rows["standard_error"].values)
    titles = _titles_of(rows)
    items = f"{noun_of(groups.attrs, 'item')}s".capitalize()
    of_spans = kind_of(groups.attrs) is Kind.SPANS
    columns = [
        replace(column.key("group", Note("own_column", {"name": by})), brief="Group"),
        Column("title", "Coefficient", titles, "word", in_files=single),
        column("group_items", heading=items, spare=1),
        column("group_ratings", spare=2, in_files=of_spans),
        column("estimate", decimals=decimals),
        *column.ends("", decimals=decimals),
        column("standard_error", decimals=decimals, spare=3),
    ]
    values = {"by": by, "what": titles[0] if single else "Agreement"}
    values["items"] = items.lower()
    caption = Note(f"groups_of_{axis}s", values)
    return column.table("groups", columns, "row", caption, beside=BEHIND)
