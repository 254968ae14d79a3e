"""Tables of items on which two annotators differ, and of items with confused labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import xarray as xr

from iaa_jax.analyses.diagnose.cases import OWN
from iaa_jax.analyses.diagnose.declared import CASES
from iaa_jax.data.facts import code_for
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.pages import Column, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note


def annotator_case_tables(result: xr.Dataset) -> Iterator[Table]:
    """Yield the table of items on which the two annotators who agree least differ."""
    for rows in _pairs(result):
        column, names = FigureColumns(CASES, rows), _names(rows)
        headings = [Note("own_column", {"name": name}) for name in names.values()]
        figures = ["given"] if "case_given_a" in rows else ["spans"]
        columns = [
            column(f"case_{figure}_{letter}", heading=heading)
            for figure in figures
            for letter, heading in zip("ab", headings, strict=True)
        ]
        columns = _numbers(columns) if kind_of(rows.attrs) is Kind.NUMBERS else columns
        columns += [column("case_shared")] if "case_shared" in rows else []
        columns += _votes(rows, column) if kind_of(rows.attrs) is not Kind.SETS else []
        yield _table(rows, "items_of_two_annotators", "two_annotators", column, columns)


def label_case_tables(result: xr.Dataset) -> Iterator[Table]:
    """Yield a table for each pair of confused labels, with the items that have both."""
    for number, rows in enumerate(_pairs(result), 1):
        column = FigureColumns(CASES, rows)
        columns = _votes(rows, column)
        if "case_text" in rows and any(rows["case_text"].values):
            columns.insert(0, column("case_text", heading=Note("case_text")))
        yield _table(rows, f"items_of_two_labels_{number}", "two_labels", column, columns)


def _pairs(result: xr.Dataset) -> Iterator[xr.Dataset]:
    if "case" not in result.dims:
        return
    pairs = zip(result["case_a"].values, result["case_b"].values, strict=True)
    for _, rows in groupby(enumerate(pairs), key=lambda numbered: numbered[1]):
        yield result.isel(case=[number for number, _ in rows])


def _names(rows: xr.Dataset) -> dict[str, str]:
    return {letter: str(rows[f"case_{letter}"].values[0]) for letter in "ab"}


def _votes(rows: xr.Dataset, column: FigureColumns) -> list[Column]:
    return [column("case_votes")] if "case_votes" in rows else []


def _numbers(columns: list[Column]) -> list[Column]:
    return [Column(column.key, column.heading, column.values, "short") for column in columns]


def _table(
    rows: xr.Dataset, id: str, what: str, column: FigureColumns, columns: list[Column]
) -> Table:
    user_columns = [
        Column(
            str(name),
            Note("own_column", {"name": str(name).removeprefix(OWN)}),
            coordinate.values,
            "text",
        )
        for name, coordinate in rows.coords.items()
        if str(name).startswith(OWN)
    ]
    shown, number = rows.sizes["case"], float(rows["case_number"].values[0])
    limit = Note("some_cases", {"shown": shown}) if shown < number else ""
    values = {**_names(rows), "some": limit, "all": number}
    caption = Note(code_for(rows.attrs, what), values)
    key = column("case_item", heading=Note(code_for(rows.attrs, "case_item")))
    listed = column.with_the_rest([key, *user_columns, *columns], "case", ["case_votes"])
    filled = [part for part in listed if any(value != "" for value in part.values)]
    return Table(id, filled, caption, folded=True)


WORDS = {
    "case_item": "Item",
    "case_item_of_spans": "Document",
    "case_text": "Text",
    "some_cases": "{shown:count} of ",
    "two_annotators": (
        "{some}{all:count item} on which {a:name} and {b:name} differ, the most disputed first"
    ),
    "two_annotators_of_spans": (
        "{some}{all:count document} on which {a:name} and {b:name} differ, those with the most "
        "different spans first"
    ),
    "two_labels": (
        "{some}{all:count item} that one annotator gave {a:quoted} and another "
        "{b:quoted}, the most disputed first"
    ),
    "two_labels_of_spans": (
        "{some}{all:count place} where one annotator marked {a:quoted} and another {b:quoted}"
    ),
}
