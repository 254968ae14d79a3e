"""Tables as CSV: all rows, full precision, and no text that a spreadsheet would execute."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

import numpy as np

from iaa_jax._cells import for_spreadsheets, looks_like_formula
from iaa_jax._errors import IaaError
from iaa_jax.pages.blocks import TWO_ENDED, Table
from iaa_jax.pages.content import PageContent
from iaa_jax.pages.records import texts_of_dates

ENDS = ("low", "high")


def as_csv(table: Table) -> str:
    """Return a table as CSV, with the columns' keys in the first line and missing values empty."""
    columns = list(file_columns(table))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_cell(name) for name, _ in columns])
    cells = ([_cell(value) for value in values] for _, values in columns)
    writer.writerows(zip(*cells, strict=True))
    return text.getvalue()


def guarded_cells(table: Table) -> int:
    """Count the texts that get an apostrophe because they look like formulas."""
    texts = (value for name, values in file_columns(table) for value in (name, *values))
    return sum(isinstance(text, str) and looks_like_formula(text) for text in texts)


def file_columns(table: Table) -> Iterator[tuple[str, Sequence[object]]]:
    """Yield the name and the values of each column of a table in a file."""
    for column in table.written:
        if column.kind == "span" or column.in_words:
            continue  # repeats other columns
        if column.kind in TWO_ENDED:
            ends = np.asarray(column.values, dtype=np.float64).reshape(-1, 2)
            for number, end in enumerate(ENDS):
                yield f"{column.key}_{end}", ends[:, number].tolist()
        elif isinstance(column.values, np.ndarray):
            yield column.key, texts_of_dates(column.values).tolist()
        else:
            yield column.key, column.values


def table_of(page: PageContent, name: str | None) -> Table:
    """Return a table of a page by name; the first one by default."""
    tables = {table.id: table for table in page.tables}
    if name is None and tables:
        return next(iter(tables.values()))
    if name in tables:
        return tables[name]
    problem = "no table" if name is None else f"no table {name!r}"
    raise IaaError(f"the page has {problem}; its tables are {', '.join(tables) or 'none'}")


def _cell(value: object) -> object:
    if value is None or value != value:
        return ""
    if not isinstance(value, str):
        return value
    return for_spreadsheets(value)
