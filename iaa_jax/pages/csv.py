"""Tables as CSV: all rows, figures in full."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import numpy as np

from iaa_jax._errors import IaaError
from iaa_jax.pages.blocks import TWO_ENDED, Column, Page, Table
from iaa_jax.pages.records import texts_of_dates

_ENDS = ("low", "high")


def as_csv(table: Table) -> str:
    """A table with the keys of its columns in the first line; empty where there is no figure."""
    names: list[str] = []
    columns: list[Sequence[object]] = []
    for column in table.columns:
        if column.kind == "span" or column.in_words:
            continue  # made from figures that stand in other columns
        if column.kind in TWO_ENDED:
            ends = np.asarray(column.values, dtype=np.float64).reshape(-1, 2)
            names += [f"{column.key}_{end}" for end in _ENDS]
            columns += [ends[:, 0].tolist(), ends[:, 1].tolist()]
        else:
            names.append(column.key)
            columns.append(_values_of(column))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*([_cell(value) for value in column] for column in columns), strict=True))
    return text.getvalue()


def table_of(page: Page, name: str | None) -> Table:
    """A table of a page by its name; the first one where none is given."""
    tables = {table.id: table for table in page.tables}
    if name is None and tables:
        return next(iter(tables.values()))
    if name in tables:
        return tables[name]
    problem = "no table" if name is None else f"no table {name!r}"
    message = f"the page has {problem}; its tables are {', '.join(tables) or 'none'}"
    raise IaaError(message)


def _values_of(column: Column) -> Sequence[object]:
    values = column.values
    return texts_of_dates(values).tolist() if isinstance(values, np.ndarray) else values


def _cell(value: object) -> object:
    return "" if value is None or value != value else value
