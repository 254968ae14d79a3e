"""Reads a sheet of a workbook (.xlsx) as a table."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from iaa_jax._errors import IaaError, shown
from iaa_jax.data.labels import parse_number
from iaa_jax.io.layout.plain import is_plain
from iaa_jax.io.table.coded import text_column
from iaa_jax.io.table.columns import split_names
from iaa_jax.io.table.head import FileColumns, Head, Progress
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.splitting import Records, parted
from iaa_jax.io.table.stray import column_groups, may_hold_ratings, rows_below, unnamed
from iaa_jax.io.table.workbook import Sheet, Workbook, opened
from iaa_jax.wording import Note, keyword
from iaa_jax.wording.formats import counted

SAMPLE = 1000
# maximum number and length of titles (rows above the column names) in a note
TITLES, LONGEST_TITLE = 3, 60
MANY = 10  # at most one row in this many may lack the value of its formula


@dataclass(frozen=True)
class SheetTable:
    """Columns of a sheet; ``numbers`` has the row numbers."""

    place: str
    names: list[str]
    numbers: list[int]
    cells: list[list[str | None]]
    nameless: bool
    understood: tuple[Note, ...] = ()
    cautions: tuple[Note, ...] = ()
    skipped: tuple[Note, ...] = ()

    @property
    def start(self) -> Head:
        """The column names and the first rows."""
        rows = [[cell or "" for cell in row] for row in self.cells[:SAMPLE]]
        note = Note("read_together", {"parts": list(self.understood)}) if self.understood else None
        return Head(
            self.names,
            rows,
            note=note,
            nameless=self.nameless,
            cautions=self.cautions,
            skipped=self.skipped,
        )


def head(source: Source) -> Head:
    """Read the column names and the first rows."""
    return _table(source).start


def table(source: Source, wanted: Sequence[str], progress: Progress | None = None) -> FileColumns:
    """Read columns of a sheet."""
    read = _table(source)
    count = len(read.cells)
    if progress is not None:
        progress(count, count)
    wanted_names = {*wanted}
    places = {name: place for place, name in enumerate(read.names) if name in wanted_names}
    return FileColumns(
        count,
        lambda name: text_column([row[places[name]] for row in read.cells]),
        lambda row: f"{read.place} row {read.numbers[row]}",
    )


def _table(source: Source) -> SheetTable:
    return source.once("sheet", lambda: _chosen(source))


def _chosen(source: Source) -> SheetTable:
    """Return the named sheet, the only one with the named columns or ratings, or the first."""
    book = opened(source)
    if source.records is not None:
        if source.records not in book.titles:
            raise IaaError(
                f"{source} has no sheet {source.records!r}; its sheets are {shown(book.titles)}"
            )
        sheet = book.sheet(source.records)
        if len(sheet.rows) < _fewest(source):
            raise IaaError(
                f"{source}: sheet {source.records!r} has no rows below the names of its columns"
            )
        return _sheet_table(source, sheet)
    filled = _filled(source, book)
    if not filled:
        raise IaaError(
            f"{source}: no sheet has a line with the names of columns, and rows below it"
        )
    if len(filled) == 1:
        return _sheet_table(source, filled[0])
    tables = source.once("sheets", lambda: _readable(source, filled))
    likely = [title for title, each in tables.items() if is_plain(each.start)]
    having = [title for title, each in tables.items() if _has(each.names, source.named_columns)]
    if having and likely != having:
        likely = [title for title in likely if title in having] or having
    if len(likely) > 1:
        raise IaaError(
            f"{source}: {counted(len(likely), 'sheet')} "
            f"{'have the columns that are named' if having else 'look like ratings'}, "
            f"{shown(likely)}; name the one to read, as by {keyword('records', likely[0])}, or "
            "several to read together, by a list of them"
        )
    title = likely[0] if likely else filled[0].title
    if title not in tables:
        return _sheet_table(source, filled[0])  # raises the error of the first sheet
    others = [sheet.title for sheet in filled if sheet.title != title]
    values = {"sheet": title, "others": others}
    by_name = likely and not is_plain(tables[title].start)
    code = "read_sheet_of_columns" if by_name else "read_sheet_of_ratings"
    note = Note(code if likely else "read_first_sheet", values)
    return replace(tables[title], understood=(note, *tables[title].understood))


def _readable(source: Source, sheets: Sequence[Sheet]) -> dict[str, SheetTable]:
    """Return the sheets that are tables, by name."""
    tables: dict[str, SheetTable] = {}
    for sheet in sheets:
        # the error of the first sheet is raised later
        with suppress(IaaError):
            tables[sheet.title] = _sheet_table(source, sheet)
    return tables


def _filled(source: Source, book: Workbook) -> list[Sheet]:
    """Return visible sheets with rows below the column names."""
    sheets = map(book.sheet, book.visible)
    return [sheet for sheet in sheets if len(sheet.rows) >= _fewest(source)]


def readable(source: Source) -> dict[str, list[str]]:
    """Return the column names of the sheets that are tables."""
    tables = source.once("sheets", lambda: _readable(source, _filled(source, opened(source))))
    return {title: each.names for title, each in tables.items()}


def only_guessed(source: Source) -> list[str]:
    """Return the names of the sheets if nothing shows which one to read."""
    try:
        codes = [note.code for note in _table(source).understood]
    except IaaError:
        codes = ["read_first_sheet"]
    titles = opened(source).visible if "read_first_sheet" in codes else []
    return titles if len(titles) > 1 else []


def _has(names: Sequence[str], asked: Sequence[str | Sequence[str]]) -> bool:
    """Tell whether a sheet has all columns that were named."""
    if not asked:
        return False
    try:
        return all({*split_names(columns, names)} <= {*names} for columns in asked)
    except IaaError:
        return False


def _fewest(source: Source) -> int:
    """Return the minimum number of rows of a sheet: the column names, if any, and one below."""
    return 1 if source.header_line == 0 else 2


def _sheet_table(source: Source, sheet: Sheet) -> SheetTable:
    place = f"{source} sheet {sheet.title!r}"
    first, header, understood = _header(source, sheet)
    twice = sorted(name for name, times in Counter(header.values()).items() if times > 1)
    if twice:
        raise IaaError(
            f"{place} row {first}: columns with the same name: {shown(twice)}; give each a "
            f"different name{_other_line(sheet, first)}"
        )
    if (nameless := _nameless(sheet, first, header)) is not None:
        header[nameless] = ""
    skipped: list[Note] = []
    if (lost := unnamed(sheet, first, header)) and (left := _named(source, lost, header)):
        _refuse_unclear(source, sheet, first, header, {column: lost[column] for column in left})
        names = [f"column {column}" for column in sorted(left)]
        values = {"columns": names, "count": len(names), "sheet": sheet.title}
        skipped.append(Note("skipped_columns_unnamed", values))
    columns = sorted(header)
    if first and (below := rows_below(sheet, first, columns)):
        values = {"rows": len(below), "sheet": sheet.title, "line": below[0]}
        skipped.append(Note("skipped_rows_below", values))
        stray = {*below}
        rows = {number: row for number, row in sheet.rows.items() if number not in stray}
        sheet = replace(sheet, rows=rows)
    read = _column_table(source, sheet, first, header, columns, understood)
    groups = column_groups(sheet, first, columns)
    if len(groups) > 1 and not source.named_columns and not is_plain(read.start):
        parts = [_column_table(source, sheet, first, header, group, understood) for group in groups]
        told_by = [part for part in parts if is_plain(part.start)]
        if len(told_by) == 1:
            others = [name for name in read.names if name not in told_by[0].names]
            values = {"columns": others, "count": len(others), "sheet": sheet.title}
            skipped.append(Note("skipped_columns_beside", values))
            read = told_by[0]
    return replace(read, skipped=(*skipped,))


def _column_table(
    source: Source,
    sheet: Sheet,
    first: int,
    header: dict[int, str],
    columns: Sequence[int],
    understood: Sequence[Note],
) -> SheetTable:
    place = f"{source} sheet {sheet.title!r}"
    filled = sheet.fill(source, first, columns)
    notes = [*understood, *([Note("read_merged_cells", {"cells": filled})] if filled else [])]
    used = {*columns}
    numbers = [n for n, row in sheet.rows.items() if n > first and not used.isdisjoint(row)]
    if not numbers:
        raise IaaError(
            f"{place} has no rows below the names of its columns, which are in row {first}"
        )
    cells = [[sheet.rows[number].get(column) for column in columns] for number in numbers]
    names = [header[column] for column in columns]
    cautions = _cautions(place, sheet, first, header, len(numbers))
    nameless = source.header_line == 0
    return SheetTable(place, names, numbers, cells, nameless, (*notes,), cautions)


def _named(source: Source, lost: Iterable[int], header: dict[int, str]) -> list[int]:
    """Return the columns without a name; add any that the caller names by number to ``header``."""
    every = [*header.values(), *(f"column {column}" for column in lost)]
    wanted = {name for columns in source.named_columns for name in split_names(columns, every)}
    named = {column: name for column in lost if (name := f"column {column}") in wanted}
    header |= named
    return [column for column in lost if column not in named]


def _refuse_unclear(
    source: Source, sheet: Sheet, first: int, header: Mapping[int, str], lost: Mapping[int, int]
) -> None:
    """Refuse unnamed columns that may hold ratings or items, or that a later row names."""
    if _has([*header.values()], source.named_columns):
        return
    below = [row for number, row in sheet.rows.items() if number > first]
    others = [[row.get(column) for row in below] for column in header]
    other = _other_line(sheet, first)
    names_below = bool(other) and all(parse_number(cell) is None for cell in below[0].values())
    for column, number in lost.items():
        cells = [row.get(column) for row in below]
        if names_below or column < min(header) or may_hold_ratings(cells, others):
            raise IaaError(
                f"{source} sheet {sheet.title!r} row {number}: there is a cell in a column "
                f"without a name; name it in row {first}{other}, or pick the sheet by "
                f"{keyword('records')}"
            )


def _nameless(sheet: Sheet, first: int, header: Mapping[int, str]) -> int | None:
    """Return the only column left of the named ones, unless the row below the names is all text."""
    below = [number for number in sheet.rows if number > first]
    start = min(header)
    before = {column for number in below for column in sheet.rows[number] if column < start}
    if len(before) != 1 or all(
        parse_number(cell) is None for cell in sheet.rows[below[0]].values()
    ):
        return None
    return before.pop()


def _header(source: Source, sheet: Sheet) -> tuple[int, dict[int, str], list[Note]]:
    """Return the row with the column names, the names by column, and notes."""
    if source.header_line == 0:
        used = {column for row in sheet.rows.values() for column in row}
        return 0, {column: str(column) for column in used}, []
    numbers = list(sheet.rows)
    if source.header_line is not None:
        if source.header_line not in sheet.rows:
            raise IaaError(
                f"{source} sheet {sheet.title!r}: row {source.header_line} is empty; the first "
                f"filled rows are {shown(numbers[:5])}"
            )
        titles: Records = []
        first = source.header_line
    else:
        titles, (first, _), _ = parted(source, _records(sheet))
    above = [" ".join(filter(None, row))[:LONGEST_TITLE] for _, row in titles][:TITLES]
    note = Note("read_header_below", {"line": first, "titles": above})
    return first, sheet.names_in(first), [note] if titles else []


def _records(sheet: Sheet) -> Records:
    """Return the first rows as records of a text file."""
    numbers = list(sheet.rows)[:SAMPLE]
    columns = sorted({column for number in numbers for column in sheet.rows[number]})
    return [
        (number, [sheet.rows[number].get(column, "") for column in columns]) for number in numbers
    ]


def _other_line(sheet: Sheet, first: int) -> str:
    """Return advice for the case that the names are in the next row, if they can be."""
    numbers = list(sheet.rows)
    below = numbers[bisect_right(numbers, first) :]
    if len(below) < 2:
        return ""
    names = sheet.names_in(below[0])
    used = {column for number in below for column in sheet.rows[number]}
    if not used <= names.keys() or len({*names.values()}) < len(names):
        return ""
    return f" (or, if the names are below it, say so by {keyword('header_line', below[0])})"


def _cautions(
    place: str, sheet: Sheet, first: int, header: dict[int, str], rows: int
) -> tuple[Note, ...]:
    """Return a warning on formulas without a value; refuse a column with many of them."""
    lost = {
        header[column]: below
        for column, numbers in sheet.without_value.items()
        if column in header and (below := [number for number in numbers if number > first])
    }
    for name, numbers in lost.items():
        if len(numbers) * MANY > rows:
            raise IaaError(
                f"{place} row {numbers[0]}: {counted(len(numbers), 'cell')} of the column {name!r} "
                "hold formulas whose values are not stored, or errors; open the file in a "
                "spreadsheet program and save it, or paste values for the formulas"
            )
    if not lost:
        return ()
    values = {"count": sum(map(len, lost.values())), "columns": list(lost)}
    return (Note("formulas_without_value", values, "caution"),)
