"""Excludes rows with a given value in a column, in tables of any format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import check_names
from iaa_jax._errors import IaaError, OptionError, shown, suggestion
from iaa_jax.data.labels import parse_number
from iaa_jax.io.table.cells import BLANK, Rows
from iaa_jax.io.table.coded import known_cells
from iaa_jax.io.table.columns import check_columns
from iaa_jax.io.table.head import FileColumns, Head, only
from iaa_jax.io.table.source import ExcludedRows, Source
from iaa_jax.wording import Note, keyword, named

SIGN = "="
SHOWN = 8


def check_exclude(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the rules that exclude rows, as "column=value"."""
    check_names("exclude", () if given is None else given)
    texts: list[object] = [given] if isinstance(given, str) else [*([] if given is None else given)]
    wrong = [text for text in texts if not isinstance(text, str) or text.find(SIGN) < 1]
    if wrong:
        raise OptionError(
            f"{named('exclude')} takes a column and a value, as in 'status=rejected', not "
            f"{shown(wrong)}"
        )
    return tuple(dict.fromkeys(map(str, texts)))


class ColumnValue(NamedTuple):
    """A rule that excludes rows with a value in a column, and its text."""

    column: str
    value: str
    text: str

    def are(self, cells: Sequence[str]) -> NDArray[np.bool_]:
        """Tell whether each cell has the value; the last entry is for blank cells.

        The numbers 1 and 1.0 are equal.
        """
        number = parse_number(self.value)
        same = [
            cell == self.value or (number is not None and parse_number(cell) == number)
            for cell in cells
        ]
        return np.array([*same, not self.value], dtype=bool)


def rules_of(source: Source, names: Sequence[str]) -> list[ColumnValue]:
    """Return the rules that exclude rows of a file with these column names."""
    return [_rule(text, names) for text in source.exclude]


def _rule(text: str, names: Sequence[str]) -> ColumnValue:
    """Split "column=value" after the name of a column, which may contain "="."""
    places = [place for place, sign in enumerate(text) if sign == SIGN]
    pairs = [(text[:place], text[place + 1 :].strip()) for place in places]
    pairs += [(column.strip(), value) for column, value in pairs]
    column, value = next((pair for pair in pairs if pair[0] in names), pairs[0])
    return ColumnValue(column, value, text)


def to_exclude(table: Rows, columns: Sequence[str], row: int) -> str:
    """Return the option that excludes a row by its first blank cell, otherwise by its first cell.

    Only cells in ``columns`` are considered.
    """
    cells = {}
    for name in columns:
        codes, known = table.column(name, BLANK)
        cells[name] = "" if codes[row] < 0 else str(known[codes[row]])
    name = next((name for name, cell in cells.items() if not cell), columns[0])
    return keyword("exclude", f"{name}{SIGN}{cells[name]}")


def columns_needed(source: Source, start: Head) -> list[str]:
    """Return the columns by which rows are excluded.

    Raises
    ------
    IaaError
        If the file lacks one of these columns.
    """
    rules = rules_of(source, start.names)
    for rule in rules:
        check_columns(source, start.names, [rule.column], keyword("exclude", rule.text))
    return [rule.column for rule in rules]


def kept_rows(source: Source, start: Head, read: FileColumns) -> FileColumns:
    """Return the rows that are not excluded; count the others in ``source.excluded``."""
    count = np.ones(read.rows, dtype=bool)
    source.excluded = []
    for rule in rules_of(source, start.names):
        (codes, known), _ = known_cells(read.column(rule.column), BLANK)
        cells = [str(cell) for cell in known]
        are = rule.are(cells)[codes]
        rows = int(np.count_nonzero(are & count))
        source.excluded.append(ExcludedRows(rule.column, rule.value, rows, bool(are.any()), cells))
        count &= ~are
    return only(read, np.flatnonzero(count))


def kept_start(source: Source, start: Head) -> Head:
    """Return the first rows that are not excluded, or all if none would be left."""
    width, rows = len(start.names), start.rows
    for rule in rules_of(source, start.names):
        place = start.positions.get(rule.column)
        if place is not None:
            cells = [row[place].strip() if len(row) == width else "" for row in rows]
            are = rule.are(cells)[:-1]
            rows = [row for row, is_it in zip(rows, are, strict=True) if not is_it]
    return replace(start, rows=rows or start.rows)


def notes_on_excluded(sources: Sequence[Source]) -> list[Note]:
    """Return notes on the number of excluded rows, by the value in a column.

    Raises
    ------
    IaaError
        If a value occurs in no row.
    """
    notes = []
    excluded = [source.excluded for source in sources if source.excluded is not None]
    for text, each in zip(sources[0].exclude, zip(*excluded, strict=True), strict=True):
        column, value = each[0].column, each[0].value
        if not any(part.found for part in each):
            known = list(dict.fromkeys(cell for part in each for cell in part.cells))
            raise IaaError(
                f"{sources[0]}: no row has {value!r} in the column {column!r} (named by "
                f"{keyword('exclude', text)}); it holds {shown(known, SHOWN) or 'nothing'}"
                f"{suggestion(value, known)}"
            )
        rows = sum(part.rows for part in each)
        code = "skipped_rows_with" if value else "skipped_rows_without"
        values = {"rows": rows, "column": column, **({"value": value} if value else {})}
        notes += [Note(code, values)] if rows else []
    return notes
