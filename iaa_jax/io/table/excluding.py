"""Excludes rows by the value in a column, in tables and exports of any format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iaa_jax._checks import check_names
from iaa_jax._errors import IaaError, OptionError, shown, suggestion
from iaa_jax.data.factorize import Column
from iaa_jax.data.labels import parse_number
from iaa_jax.io.table.cells import BLANK, Rows
from iaa_jax.io.table.coded import known_cells
from iaa_jax.io.table.columns import check_columns
from iaa_jax.io.table.head import FileColumns, Head, only
from iaa_jax.io.table.source import ExcludedRows, Source
from iaa_jax.wording import Note, keyword, named

SIGN = "="
NOT = "!"
SHOWN = 8


def check_exclude(given: str | Sequence[str] | None) -> tuple[str, ...]:
    """Return the rules that exclude rows, as "column=value" or "column!=value"."""
    check_names("exclude", () if given is None else given)
    texts: list[object] = [given] if isinstance(given, str) else [*([] if given is None else given)]
    wrong = [
        text for text in texts if not isinstance(text, str) or text.removeprefix(NOT).find(SIGN) < 1
    ]
    if wrong:
        raise OptionError(
            f"{named('exclude')} takes a column and a value, as in 'status=rejected' or "
            f"'week!=2', not {shown(wrong)}"
        )
    return tuple(dict.fromkeys(map(str, texts)))


class ColumnValue(NamedTuple):
    """A rule that excludes rows with a value in a column or, if ``others``, rows without it."""

    column: str
    value: str
    others: bool
    text: str

    def are(self, cells: Sequence[str]) -> NDArray[np.bool_]:
        """Tell whether each cell is excluded; the last entry is for blank cells.

        The numbers 1 and 1.0 are equal.
        """
        number = parse_number(self.value)
        same = [
            cell == self.value or (number is not None and parse_number(cell) == number)
            for cell in cells
        ]
        return np.array([*same, not self.value], dtype=bool) ^ self.others


def rules_of(source: Source, names: Sequence[str]) -> list[ColumnValue]:
    """Return the rules that exclude rows of a file with these column names."""
    return [rule_of(text, names) for text in source.exclude]


def rule_of(text: str, names: Sequence[str] = ()) -> ColumnValue:
    """Split "column=value" after the name of a column, which may contain "="."""
    rules = []
    for place in [place for place, sign in enumerate(text) if sign == SIGN]:
        column, value = text[:place], text[place + 1 :].strip()
        if column.endswith(NOT):
            rules.append(ColumnValue(column.removesuffix(NOT), value, True, text))
        rules.append(ColumnValue(column, value, False, text))
    stripped = [rule._replace(column=rule.column.strip()) for rule in rules]
    return next((rule for rule in (*rules, *stripped) if rule.column in names), stripped[0])


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
    count, source.excluded = counted_rows(
        rules_of(source, start.names),
        lambda name: known_cells(read.column(name), BLANK)[0],
        read.rows,
    )
    return only(read, np.flatnonzero(count))


def counted_rows(
    rules: Sequence[ColumnValue], column: Callable[[str], Column], rows: int
) -> tuple[NDArray[np.bool_], list[ExcludedRows]]:
    """Return a mask of the rows that no rule excludes, and what each rule excludes."""
    count, excluded = np.ones(rows, dtype=bool), []
    for rule in rules:
        codes, known = column(rule.column)
        cells = [str(cell) for cell in known]
        are = rule.are(cells)[codes]
        lost = int(np.count_nonzero(are & count))
        found = bool((are ^ rule.others).any())
        excluded.append(ExcludedRows(rule.column, rule.value, rule.others, lost, found, cells))
        count &= ~are
    return count, excluded


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


def nothing_left(sources: Sequence[Source], of_export: Sequence[ExcludedRows] = ()) -> IaaError:
    """Return the error that all rows are excluded."""
    notes_on_excluded(sources, of_export)  # raises an error if a value occurs nowhere
    return IaaError(f"{sources[0]}: {named('exclude')} leaves no row: name fewer values")


def notes_on_excluded(
    sources: Sequence[Source], of_export: Sequence[ExcludedRows] = ()
) -> list[Note]:
    """Return notes on the number of excluded rows, by the value in a column.

    ``of_export`` is what was excluded from an export that is no table.

    Raises
    ------
    IaaError
        If a value occurs in no row.
    """
    notes = []
    lists = [*(source.excluded for source in sources), of_export]
    excluded = [each for each in lists if each]
    for text, each in zip(sources[0].exclude, zip(*excluded, strict=True), strict=True):
        column, value, others = each[0].column, each[0].value, each[0].others
        if not any(part.found for part in each):
            known = list(dict.fromkeys(cell for part in each for cell in part.cells))
            raise IaaError(
                f"{sources[0]}: no row has {value!r} in the column {column!r} (named by "
                f"{keyword('exclude', text)}); it holds {shown(known, SHOWN) or 'nothing'}"
                f"{suggestion(value, known)}"
            )
        rows = sum(part.rows for part in each)
        code = "skipped_rows_with" if value or others else "skipped_rows_without"
        sign = f"{NOT}{SIGN}" if others else SIGN
        of_value = {"sign": sign, "value": value} if value or others else {}
        values = {"rows": rows, "column": column, **of_value}
        notes += [Note(code, values)] if rows else []
    return notes
